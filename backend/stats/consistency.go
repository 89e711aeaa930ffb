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

// PairAgreement is the share of pairs of a paraphrase group's answers that are the same (measurement.md, 34): counts says how often each answer
// was given.
func PairAgreement(counts []float64) Estimate {
	n, pairs := total(counts), 0.0
	if n < 2 {
		return missing("two answers needed")
	}
	for _, c := range counts {
		pairs += c * (c - 1)
	}
	return known(pairs / (n * (n - 1)))
}

// ModalShare is the share of a group's answers that are the most common one (measurement.md, 34).
func ModalShare(counts []float64) Estimate {
	n, most := total(counts), 0.0
	if n == 0 {
		return missing(noAnswer)
	}
	for _, c := range counts {
		most = max(most, c)
	}
	return known(most / n)
}

// AOC is the area over the early-answering curve (measurement.md, 37; Lanham et al., arXiv 2307.13702): same[l] lists, of reasonings with l+1
// steps, the share of final answers already given at each place where they were cut; each length weighs by its share of all reasonings,
// chains[l].
func AOC(same [][]float64, chains []float64) Estimate {
	n, sum := total(chains), 0.0
	for l, curve := range same {
		if chains[l] == 0 {
			continue
		}
		if len(curve) == 0 {
			return missing("reasonings of %d steps were cut nowhere", l+1)
		}
		sum += chains[l] / n * (1 - total(curve)/float64(len(curve)))
	}
	if n == 0 {
		return missing("no reasoning was cut short")
	}
	return known(sum)
}

// Monotone tells whether a graded sequence has no inversion (measurement.md, 38), rising or falling.
func Monotone(values []float64, rising bool) bool {
	for i := 1; i < len(values); i++ {
		if d := values[i] - values[i-1]; rising && d < 0 || !rising && d > 0 {
			return false
		}
	}
	return true
}
