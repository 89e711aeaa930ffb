package stats_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"plumbline/backend/stats"
)

// ratings draws ratings, complete or with gaps.
func ratings(t *rapid.T, readers int, gaps bool) stats.Ratings {
	levels := rapid.IntRange(2, 5).Draw(t, "levels")
	least := 1
	if gaps {
		least = 0
	}
	items := rapid.IntRange(1, 12).Draw(t, "items")
	cell := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) stats.Level { return stats.Level(rapid.IntRange(least, levels).Draw(t, "level")) }), items, items)
	r := stats.Ratings{Levels: levels, By: rapid.SliceOfN(cell, readers, readers).Draw(t, "by")}
	for l := range levels {
		r.Values = append(r.Values, float64(l*l))
	}
	return r
}

// measures are all that is said of ratings.
func measures(r stats.Ratings) []stats.Estimate {
	return append(nominal(r), stats.Cohen(r, stats.Linear), stats.Cohen(r, stats.Quadratic), stats.Alpha(r, stats.Ordinal), stats.Alpha(r, stats.IntervalScale))
}

// nominal are the measures that know no order of the levels.
func nominal(r stats.Ratings) []stats.Estimate {
	return []stats.Estimate{stats.Percent(r), stats.Cohen(r, stats.Unweighted), stats.Fleiss(r), stats.AC1(r), stats.Alpha(r, stats.Nominal)}
}

func alike(t *rapid.T, a, b []stats.Estimate) {
	t.Helper()
	for i := range a {
		if a[i].Estimable != b[i].Estimable || math.Abs(a[i].Value-b[i].Value) > exact {
			t.Fatalf("measure %d: %+v and %+v", i, a[i], b[i])
		}
	}
}

func TestReaderAndItemOrderSayNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := ratings(t, rapid.IntRange(2, 4).Draw(t, "readers"), true)
		turned := r
		turned.By = nil
		for _, row := range slices.Backward(r.By) {
			back := slices.Clone(row)
			slices.Reverse(back)
			turned.By = append(turned.By, back)
		}
		alike(t, measures(r), measures(turned))
	})
}

// Other names for the levels say nothing to nominal measures, the reverse order nothing to ordinal ones.
func TestRelabelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := ratings(t, rapid.IntRange(2, 4).Draw(t, "readers"), true)
		named := func(order []int) stats.Ratings {
			out := stats.Ratings{Levels: r.Levels}
			for _, row := range r.By {
				by := slices.Clone(row)
				for i, l := range by {
					if l > 0 {
						by[i] = stats.Level(order[l-1] + 1)
					}
				}
				out.By = append(out.By, by)
			}
			return out
		}
		order := make([]int, r.Levels)
		for i := range order {
			order[i] = i
		}
		alike(t, nominal(r), nominal(named(rapid.Permutation(order).Draw(t, "order"))))
		slices.Reverse(order)
		back := named(order)
		alike(t, []stats.Estimate{stats.Cohen(r, stats.Linear), stats.Cohen(r, stats.Quadratic), stats.Alpha(r, stats.Ordinal)},
			[]stats.Estimate{stats.Cohen(back, stats.Linear), stats.Cohen(back, stats.Quadratic), stats.Alpha(back, stats.Ordinal)})
	})
}

// Identical readings agree perfectly, or cannot be judged for want of variation.
func TestIdenticalReadingsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := ratings(t, 1, false)
		r.By = slices.Repeat(r.By, 2)
		varied := len(slices.Compact(slices.Sorted(slices.Values(r.By[0])))) > 1
		for i, e := range measures(r) {
			switch {
			case e.Estimable && math.Abs(e.Value-1) > exact:
				t.Fatalf("measure %d: %+v", i, e)
			case e.Estimable != (varied || i == 0):
				t.Fatalf("measure %d: %+v, with variation: %v", i, e, varied)
			}
		}
	})
}

// Nothing is ever NaN, and nothing agrees more than wholly.
func TestMeasuresAreBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for i, e := range measures(ratings(t, rapid.IntRange(1, 4).Draw(t, "readers"), true)) {
			if math.IsNaN(e.Value) || e.Value > 1+exact || e.Estimable != (e.Reason == "") {
				t.Fatalf("measure %d: %+v", i, e)
			}
		}
	})
}
