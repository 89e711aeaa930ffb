package report

import (
	"math"
	"math/rand/v2"
	"testing"

	"plumbline/backend/stats"
)

// Above so many answers the interval comes by influence; just below by counts on a grid: both say the same.
func TestIntervalsOfRanksMeet(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const clusters = 150
	subjects := make([]subject, clusters)
	lean := make([]float64, clusters)
	for i := range subjects {
		subjects[i], lean[i] = subject{patient: i, cluster: i}, .6*random.Float64()
	}
	var list []sure
	for i := range mostRanked + 1 {
		p := math.Round(50*random.Float64()) / 50 // on the grid
		list = append(list, sure{&subjects[i%clusters], p, random.Float64() < .2+.4*p+lean[i%clusters]/2})
	}
	c := counter{9, 2000, extent{clusters, 1, clusters}}
	score, right := make([]float64, len(list)), make([]bool, len(list))
	for i, x := range list {
		score[i], right[i] = x.confidence, x.right
	}
	_, area := stats.RiskCoverage(score, right)
	for name, r := range map[string]ranking{
		"AUROC": {stats.AUROC(score, right), stats.AUROCOfCounts, stats.AUROCInfluence},
		"AURC":  {area, riskArea, stats.RiskInfluence},
	} {
		many, few := c.ranked(list, r, ""), c.ranked(list[:mostRanked], r, "")
		if len(many.Interval) != 2 || len(few.Interval) != 2 {
			t.Fatalf("%s: %+v, %+v", name, many, few)
		}
		wide := few.Interval[1] - few.Interval[0]
		for i := range many.Interval {
			if math.Abs(many.Interval[i]-few.Interval[i]) > .1*wide {
				t.Errorf("%s: %v by influence, %v by counts", name, many.Interval, few.Interval)
			}
		}
		if many.N != len(list) || math.Abs(*many.Value-r.exact.Value) > 1e-9 || many.DEFF == nil {
			t.Errorf("%s: %+v", name, many)
		}
	}
}
