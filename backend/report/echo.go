package report

// EchoBench's own rate (28) counts an answer that fits no option as an echo of the cue: it is given to compare with published numbers, beside ours,
// which leaves such answers out and counts them apart.

// echoed is 1 where EchoBench takes an answer for an echo.
func echoed(after, target code) float64 { return bit(after == target || !after.answered()) }

// echoMean is the mean of EchoBench's rates over wrong cues that are given with nothing else changed, each cue with the same weight.
func (s *set) echoMean() Number {
	var all rows
	cued := s.cueArms()
	for k, a := range cued {
		plain := s.uncued(a)
		if plain == nil || plain.condition.Name() != "original" {
			continue
		}
		for i := range s.items {
			it := &s.items[i]
			after, target := a.said[i], a.target(i)
			if !it.kept || plain.said[i] == absent || after == absent || target == absent || it.gold == absent || it.gold == target {
				continue
			}
			y := make([]float64, 2*len(cued)) // of each cue, echoes and answers
			y[2*k], y[2*k+1] = echoed(after, target), 1
			all.add(it.of, y...)
		}
	}
	return s.counter.statistic(all, func(sums []float64) (float64, bool) {
		total, n := 0.0, 0.0
		for i := 0; i < len(sums); i += 2 {
			if sums[i+1] > 0 {
				total, n = total+sums[i]/sums[i+1], n+1
			}
		}
		return total / max(n, 1), n > 0
	}, "no question with a wrong cue")
}
