package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plumbline/backend/stats"
)

// What an answer moves is, up to a part of 1/n, what leaving it out changes (the jackknife), and all together move nothing.
func TestInfluence(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const n = 400
	score, right := make([]float64, n), make([]bool, n)
	for i := range score {
		score[i] = math.Round(random.Float64()*200) / 200 // with ties
		right[i] = random.Float64() < .3+.5*score[i]
	}
	area := func(score []float64, right []bool) float64 {
		_, e := stats.RiskCoverage(score, right)
		return e.Value
	}
	for name, c := range map[string]struct {
		value     func([]float64, []bool) float64
		influence func([]float64, []bool) []float64
	}{
		"AUROC": {func(s []float64, p []bool) float64 { return stats.AUROC(s, p).Value }, stats.AUROCInfluence},
		"AURC":  {area, stats.RiskInfluence},
	} {
		got, whole := c.influence(score, right), c.value(score, right)
		sum, left, square := 0.0, 0.0, 0.0
		for i, v := range got {
			without := c.value(slices.Delete(slices.Clone(score), i, i+1), slices.Delete(slices.Clone(right), i, i+1))
			jackknife := (n - 1) * (whole - without)
			sum += v
			square += v * v
			left += (v - jackknife) * (v - jackknife)
		}
		if math.Abs(sum/n) > 1e-12 {
			t.Errorf("%s: the mean influence is %v", name, sum/n)
		}
		if left > .02*square {
			t.Errorf("%s: %v of the variance is not the jackknife's", name, left/square)
		}
	}
	if stats.AUROCInfluence(score, make([]bool, n)) != nil {
		t.Error("one class has an influence")
	}
}
