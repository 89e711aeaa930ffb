package stats

import (
	"cmp"
	"slices"
)

// TTest is the two-sided p of a mean of zero, by t with G − 1 degrees of freedom on the clustered standard error (measurement.md, 44 and 47).
// Rows are mostly paired differences. Not ok under 10 clusters; without any variance p is 1 at zero and 0 elsewhere.
func TTest(clusters [][]float64) (p float64, ok bool) {
	g := len(clusters)
	if g < fewest {
		return 0, false
	}
	se, _ := SE(clusters)
	mean := Mean(clusters)
	switch {
	case se == 0 && mean == 0:
		return 1, true
	case se == 0:
		return 0, true
	}
	return max(0, 1-twoSided(max(mean, -mean)/se, g-1)), true
}

// Holm adjusts the p of one panel for there being several (measurement.md, 49; Holm, Scand. J. Stat. 6:65, 1979), in the order given.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out := make([]float64, len(p))
	highest := 0.0
	for rank, i := range order {
		highest = max(highest, min(1, float64(len(p)-rank)*p[i]))
		out[i] = highest
	}
	return out
}
