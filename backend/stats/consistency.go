package stats

import "math"

// Entropy is the entropy of the answers of a paraphrase group over its greatest possible one, 0 (all the same) to 1 (measurement.md, 34):
// counts says how often each answer was given, of options that could be.
func Entropy(counts []float64, options int) Estimate {
	n := total(counts)
	switch {
	case n == 0:
		return missing(noAnswer)
	case options < 2:
		return missing("two options needed")
	}
	h := 0.0
	for _, c := range counts {
		if c > 0 {
			h -= c / n * math.Log(c/n)
		}
	}
	return known(max(0, h) / math.Log(float64(options)))
}

// PathSimilarity is the length of the longest common subsequence of two paths over that of the longer one (measurement.md, 36; M3CoTBench).
// Two empty paths are the same.
func PathSimilarity(a, b []string) float64 {
	longest := max(len(a), len(b))
	if longest == 0 {
		return 1
	}
	before, now := make([]int, len(b)+1), make([]int, len(b)+1)
	for _, x := range a {
		for j, y := range b {
			if x == y {
				now[j+1] = before[j] + 1
			} else {
				now[j+1] = max(before[j+1], now[j])
			}
		}
		before, now = now, before
	}
	return float64(before[len(b)]) / float64(longest)
}
