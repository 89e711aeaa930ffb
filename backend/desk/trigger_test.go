package desk

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// By hand: of 2 × 3 pairs of a wrong and a right case, four are in order and one is tied.
func TestTriggerByHand(t *testing.T) {
	list := []scored{{.9, true, "a"}, {.4, true, "b"}, {.4, false, "a"}, {.1, false, "c"}, {.6, false, "d"}}
	got := triggerOf("m", list)
	if got.AUROC == nil || *got.AUROC != 4.5/6 || got.Wrong != 2 || got.Cases != 5 || got.Clusters != 4 {
		t.Errorf("%+v", got)
	}
	if got.Interval != nil || !strings.Contains(got.Reason, "fewer than 20 clusters") {
		t.Errorf("an interval of four clusters: %+v", got)
	}
	if one := triggerOf("m", list[:2]); one.AUROC != nil || one.Reason == "" {
		t.Errorf("wrong cases alone: %+v", one)
	}
}

// From 20 clusters on there is an interval: around the value, the same in every call, and narrower the more clusters there are.
func TestTriggerHasAnInterval(t *testing.T) {
	of := func(clusters int) Trigger {
		var list []scored
		for i := range clusters {
			list = append(list, scored{float64(i%10) / 10, i%10 > 4 || i%7 == 0, fmt.Sprint(i)}, scored{float64(i%5) / 10, i%3 == 0, fmt.Sprint(i)})
		}
		return triggerOf("m", list)
	}
	few, many := of(20), of(400)
	for _, g := range []Trigger{few, many} {
		if g.Reason != "" || g.AUROC == nil || len(g.Interval) != 2 || g.Interval[0] >= *g.AUROC || g.Interval[1] <= *g.AUROC {
			t.Fatalf("%+v", g)
		}
	}
	if again := of(20); !slices.Equal(again.Interval, few.Interval) {
		t.Errorf("%v, then %v", few.Interval, again.Interval)
	}
	if many.Interval[1]-many.Interval[0] >= few.Interval[1]-few.Interval[0] {
		t.Errorf("%v of 400 clusters, %v of 20", many.Interval, few.Interval)
	}
}
