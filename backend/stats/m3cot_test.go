package stats_test

import (
	"math"
	"testing"

	"plumbline/backend/stats"
)

func meets(t *testing.T, name string, e stats.Estimate, want float64) {
	t.Helper()
	if !e.Estimable || math.Abs(e.Value-want) > 1e-12 {
		t.Errorf("%s is %+v, want %v", name, e, want)
	}
}

// F4 by hand: recall (3/4 + 1/2)/2, precision (2/2 + 1/4)/2; F1 is of the two means and not the mean of two.
func TestStepMatch(t *testing.T) {
	p, r, f := stats.StepMatch([]stats.StepLabels{{4, 3, 2, 2}, {2, 1, 4, 1}})
	meets(t, "precision", p, .625)
	meets(t, "recall", r, .625)
	meets(t, "F1", f, .625)
	p, r, f = stats.StepMatch([]stats.StepLabels{{Gold: 2, Recalled: 2}, {Gold: 2, Recalled: 1, Said: 2, Matching: 1}})
	meets(t, "precision of those that say something", p, .5)
	meets(t, "recall", r, .75)
	meets(t, "F1", f, 2*.5*.75/1.25)
	if p, r, f = stats.StepMatch(nil); p.Estimable || r.Estimable || f.Estimable {
		t.Error("of nothing")
	}
}

// F4 by hand: of the first kind the mode is m-o-c, and the third path shares two of three: (1+1+2/3)/3; of the second all are the same. The mean
// of the kinds is not weighted by their size.
func TestPathConsistency(t *testing.T) {
	m, o, c := "modality", "observation", "conclusion"
	meets(t, "consistency", stats.PathConsistency([][][]string{{{m, o, c}, {m, o, c}, {m, c}}, {{o, c}}, nil}), (8./9+1)/2)
	if stats.PathConsistency(nil).Estimable {
		t.Error("of nothing")
	}
}

// F10 by hand: the number of boxes must be the same, and their mean IoU above .75, whatever their order.
func TestBoxReward(t *testing.T) {
	a, b := stats.Rectangle{0, 0, 10, 10}, stats.Rectangle{20, 20, 30, 30}
	meets(t, "order", stats.BoxReward([]stats.Rectangle{b, a}, []stats.Rectangle{a, b}), 1)
	meets(t, "count", stats.BoxReward([]stats.Rectangle{a}, []stats.Rectangle{a, b}), 0)
	meets(t, ".8", stats.BoxReward([]stats.Rectangle{{0, 0, 10, 8}}, []stats.Rectangle{a}), 1)
	meets(t, ".75", stats.BoxReward([]stats.Rectangle{{0, 0, 10, 7.5}}, []stats.Rectangle{a}), 0)
	if stats.BoxReward([]stats.Rectangle{a}, nil).Estimable || stats.Ratio(1, 0).Estimable {
		t.Error("of nothing")
	}
}
