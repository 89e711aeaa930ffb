package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"plumbline/backend/review"
	"plumbline/backend/stats"
)

func estimated(t *testing.T, what string, got stats.Estimate, want float64) {
	t.Helper()
	if !got.Estimable {
		t.Errorf("%s: not estimable: %s", what, got.Reason)
		return
	}
	near(t, what, got.Value, want)
}

func noEstimate(t *testing.T, what string, got stats.Estimate) {
	t.Helper()
	if got.Estimable || got.Reason == "" || got.Value != 0 {
		t.Errorf("%s: %+v, want none with a reason", what, got)
	}
}

// The example of Holm's paper in many textbooks: .01, .04, .03, .005 become .03, .06, .06, .02.
func TestHolm(t *testing.T) {
	got := stats.Holm([]float64{.01, .04, .03, .005})
	for i, want := range []float64{.03, .06, .06, .02} {
		near(t, "Holm", got[i], want)
	}
	if got := stats.Holm([]float64{.9, .8}); got[0] != 1 || got[1] != 1 {
		t.Errorf("Holm above 1: %v", got)
	}
	if len(stats.Holm(nil)) != 0 {
		t.Error("Holm of nothing")
	}
}

// By hand: ten single clusters, nine 1 and one 0 make a mean of .9 with SE .1 and t(9) = 9: p = 8.538e-6 from tables of the incomplete beta.
func TestTTest(t *testing.T) {
	var clusters [][]float64
	for i := range 10 {
		clusters = append(clusters, []float64{min(1, float64(i))})
	}
	p, ok := stats.TTest(clusters)
	if !ok || math.Abs(p-8.538051223e-6) > 1e-12 {
		t.Errorf("p = %v %v", p, ok)
	}
	if _, ok := stats.TTest(clusters[1:]); ok {
		t.Error("nine clusters got a p")
	}
	if p, ok := stats.TTest(slices.Repeat([][]float64{{0, 0}}, 10)); !ok || p != 1 {
		t.Errorf("nothing but 0: p = %v", p)
	}
	if p, ok := stats.TTest(slices.Repeat([][]float64{{1}}, 10)); !ok || p != 0 {
		t.Errorf("nothing but 1: p = %v", p)
	}
}

// By hand: of 2 × 2 pairs three are in order and one is tied.
func TestAUROC(t *testing.T) {
	estimated(t, "AUROC", stats.AUROC([]float64{.9, .5, .5, .1}, []bool{true, true, false, false}), 3.5/4)
	estimated(t, "all tied", stats.AUROC([]float64{.5, .5, .5}, []bool{true, false, false}), .5)
	noEstimate(t, "one class", stats.AUROC([]float64{.1, .2}, []bool{true, true}))
	noEstimate(t, "nothing", stats.AUROC(nil, nil))
}

// Counts at the levels of a score give the AUROC of the scores themselves.
func TestAUROCOfCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels := rapid.SliceOfN(rapid.IntRange(0, 5), 1, 40).Draw(t, "levels")
		scores, positive, counts := make([]float64, len(levels)), make([]bool, len(levels)), make([]float64, 12)
		for i, l := range levels {
			scores[i], positive[i] = float64(l), rapid.Bool().Draw(t, "positive")
			if positive[i] {
				counts[2*l]++
			} else {
				counts[2*l+1]++
			}
		}
		want := stats.AUROC(scores, positive)
		if got, ok := stats.AUROCOfCounts(counts); ok != want.Estimable || ok && math.Abs(got-want.Value) > 1e-12 {
			t.Fatalf("%v %v, want %+v", got, ok, want)
		}
	})
}

// By hand: risks 0, 0, 1/3, 1/4 at the four coverages.
func TestRiskCoverage(t *testing.T) {
	curve, area := stats.RiskCoverage([]float64{.6, .9, .8, .7}, []bool{true, true, true, false})
	estimated(t, "AURC", area, (1.0/3+1.0/4)/4)
	want := []stats.RiskPoint{{Coverage: .25}, {Coverage: .5}, {Coverage: .75, Risk: 1.0 / 3}, {Coverage: 1, Risk: .25}}
	if !slices.Equal(curve, want) {
		t.Errorf("curve %v, want %v", curve, want)
	}
	// Ties: the expected curve, whatever the order.
	_, a := stats.RiskCoverage([]float64{.5, .5}, []bool{true, false})
	_, b := stats.RiskCoverage([]float64{.5, .5}, []bool{false, true})
	estimated(t, "tied", a, .5)
	estimated(t, "tied the other way", b, .5)
	if _, none := stats.RiskCoverage(nil, nil); none.Estimable {
		t.Error("no answer has a curve")
	}
}

// By hand: the greedy choice .9 + .1 is worse than .8 + .8.
func TestMeanIoU(t *testing.T) {
	estimated(t, "two by two", stats.MeanIoU([][]float64{{.9, .8}, {.8, .1}}), .8)
	estimated(t, "an extra place costs", stats.MeanIoU([][]float64{{1}, {0}}), .5)
	estimated(t, "a missed place costs", stats.MeanIoU([][]float64{{.5, .6, 0}}), .2)
	noEstimate(t, "nothing cited", stats.MeanIoU(nil))
	noEstimate(t, "nothing right", stats.MeanIoU([][]float64{{}}))
}

// The matching is the best of all permutations.
func TestMatchingIsBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "n")
		m := make([][]float64, n)
		for i := range m {
			m[i] = rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, "row")
		}
		var best func(row int, used int) float64
		best = func(row, used int) (most float64) {
			for j := range n {
				if row < n && used&(1<<j) == 0 {
					most = max(most, m[row][j]+best(row+1, used|1<<j))
				}
			}
			return most
		}
		if got := stats.MeanIoU(m); math.Abs(got.Value-best(0, 0)/float64(n)) > exact {
			t.Fatalf("%v: %v, best %v", m, got.Value, best(0, 0)/float64(n))
		}
	})
}

// By hand, of seven, two and one answer alike.
func TestGroupsOfAnswers(t *testing.T) {
	counts := []float64{7, 2, 1, 0}
	estimated(t, "pairs", stats.PairAgreement(counts), (42.0+2)/90)
	estimated(t, "modal", stats.ModalShare(counts), .7)
	noEstimate(t, "one answer", stats.PairAgreement([]float64{1}))
	noEstimate(t, "no answer", stats.ModalShare(nil))
}

func TestAOC(t *testing.T) {
	// A quarter of the reasonings has one step, cut before it (same half the time); the rest two, cut at two places.
	estimated(t, "AOC", stats.AOC([][]float64{{.5}, {.2, .6}}, []float64{1, 3}), .25*.5+.75*.6)
	noEstimate(t, "nothing", stats.AOC(nil, nil))
	noEstimate(t, "a length without a cut", stats.AOC([][]float64{{}}, []float64{2}))
}

func TestMonotone(t *testing.T) {
	for _, c := range []struct {
		values []float64
		rising bool
		want   bool
	}{{[]float64{0, 0, 1}, true, true}, {[]float64{0, 1, 0}, true, false}, {[]float64{2, 1, 1}, false, true}, {nil, true, true}} {
		if got := stats.Monotone(c.values, c.rising); got != c.want {
			t.Errorf("%v rising %v: %v", c.values, c.rising, got)
		}
	}
}

func boxIn(from, to int, c ...float64) review.Region {
	return review.Region{Image: "i", Shape: review.Box, From: &from, To: &to, Coords: c}
}

// By hand: frames 2–5 and 4–7 share two of four each; the areas are the same.
func TestPlacesInVolumes(t *testing.T) {
	a, b := []review.Region{boxIn(2, 5, 0, 0, .5, .5)}, []review.Region{boxIn(4, 7, 0, 0, .5, .5)}
	estimated(t, "3-D IoU", stats.Overlap(a, b), 2.0/6)
	estimated(t, "frame Dice", stats.FrameDice(a, b), .5)
	estimated(t, "precision", stats.Precision(a, b), .5)
	estimated(t, "cited twice", stats.Precision(append(a, a...), b), .5)
	noEstimate(t, "nothing cited", stats.Precision(nil, b))
	noEstimate(t, "no frame", stats.FrameDice(nil, b))
	frame, x, y, ok := stats.Centre(a[0])
	if !ok || frame != 3 || x != .25 || y != .25 {
		t.Errorf("centre %d %v %v %v", frame, x, y, ok)
	}
	if !stats.Inside(b, "i", 5, .2, .2) || stats.Inside(b, "i", 3, .2, .2) || stats.Inside(b, "j", 5, .2, .2) || stats.Inside(b, "i", 5, .7, .2) {
		t.Error("inside")
	}
	if _, _, _, ok := stats.Centre(review.Region{Shape: review.WholeImage}); ok {
		t.Error("the whole image has a centre to point at")
	}
}

// A resample drawn by how often each kind of cluster is met has the distribution of one drawn cluster by cluster: the variance of a mean of many
// single clusters is p(1−p)/n, as binomial numbers have it, for few and many successes.
func TestKindsGiveTheSameDistribution(t *testing.T) {
	for _, ones := range []int{3, 400, 1900, 1999} {
		clusters := make([][]float64, 2000)
		for i := range clusters {
			clusters[i] = []float64{0, 1}
			if i < ones {
				clusters[i][0] = 1
			}
		}
		mean := func(s []float64) (float64, bool) { return s[0] / s[1], true }
		p := float64(ones) / 2000
		low, high, variance, ok := stats.Bootstrap(clusters, mean, 20000, 7)
		if want := p * (1 - p) / 2000; !ok || math.Abs(variance/want-1) > .05 {
			t.Errorf("%d of 2000: variance %v, want about %v", ones, variance, want)
		}
		if low > p || high < p {
			t.Errorf("%d of 2000: interval %v to %v", ones, low, high)
		}
		random := rand.New(rand.NewPCG(1, 2))
		for i := range clusters { // the same clusters, each told apart by a value that does not matter, are drawn one by one
			clusters[i] = append(clusters[i], random.Float64())
		}
		_, _, apart, _ := stats.Bootstrap(clusters, mean, 20000, 7)
		if math.Abs(apart/variance-1) > .08 {
			t.Errorf("%d of 2000: variance %v by kinds, %v one by one", ones, variance, apart)
		}
	}
}

func TestBootstrapDoesNotDependOnOrder(t *testing.T) {
	clusters := sequence(40, 31)
	sum := func(s []float64) (float64, bool) { return s[0] - s[1], true }
	low, high, variance, _ := stats.Bootstrap(clusters, sum, 999, 3)
	slices.Reverse(clusters)
	l, h, v, _ := stats.Bootstrap(clusters, sum, 999, 3)
	if l != low || h != high || v != variance {
		t.Errorf("%v %v %v turned round: %v %v %v", low, high, variance, l, h, v)
	}
}

// The interval rule of formula 47 holds what it promises: of many studies with 12, 30 and 60 patients whose rows hang together, about 95 % of
// the intervals hold the true share. The bound below is what 600 studies allow for.
func TestCoverageOfIntervals(t *testing.T) {
	for _, g := range []int{12, 30, 60} {
		if got := coverage(g, 600); got < .90 || got > .99 {
			t.Errorf("%d clusters: %.3f of the intervals hold the true value", g, got)
		}
	}
}

// coverage simulates studies of g patients with one to six rows each; a patient's rows share a chance drawn from Beta(3, 1), mean .75.
func coverage(g, studies int) float64 {
	random := rand.New(rand.NewPCG(uint64(g), 11))
	held, all := 0, 0
	for range studies {
		clusters := make([][]float64, g)
		for i := range clusters {
			p := math.Pow(random.Float64(), 1.0/3)
			for range 1 + random.IntN(6) {
				clusters[i] = append(clusters[i], math.Floor(random.Float64()+p))
			}
		}
		interval, ok := stats.MeanInterval(clusters, true, 500, random.Uint64())
		if !ok {
			continue
		}
		all++
		if interval.Low <= .75 && interval.High >= .75 {
			held++
		}
	}
	return float64(held) / float64(all)
}

// The coverage of formula 47's rule, as a table in the bench: numbers of a simulation, no timing.
func BenchmarkCoverage(b *testing.B) {
	for _, g := range []int{10, 12, 19, 20, 30, 60, 200} {
		b.Run("clusters="+string(rune('0'+g/100))+string(rune('0'+g/10%10))+string(rune('0'+g%10)), func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(coverage(g, 2000), "coverage")
			}
		})
	}
}
