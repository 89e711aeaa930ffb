package desk_test

import (
	"slices"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// The most unsure cases come first: in the coordinator's list, and in the readers' order where the protocol says so.
func TestUncertainFirst(t *testing.T) {
	study := desktest.New(t)
	boss := study.Coordinator()
	if all, err := boss.Desk.Uncertainty(t.Context()); err != nil || len(all) != 0 {
		t.Fatalf("before any run: %+v, %v", all, err)
	}
	if _, err := boss.Desk.Run(t.Context(), desk.RunOrder{Models: []string{"random"}, Conditions: []string{"original", "noop"}, Seed: 5}); err != nil {
		t.Fatal(err)
	}
	all, err := boss.Desk.Uncertainty(t.Context())
	if err != nil || len(all) != 3 || all[0].Disagreement == nil || all[0].Entropy != nil || all[0].Model != "random" {
		t.Fatalf("%+v, %v", all, err)
	}
	if !slices.IsSortedFunc(all, func(a, b desk.Uncertain) int { return int(100*b.Score) - int(100*a.Score) }) {
		t.Errorf("not in order: %+v", all)
	}
	score := map[string]float64{}
	for _, u := range all {
		score[u.Case] = u.Score
	}
	rules := desktest.Rules("R1")
	rules.Order = review.UncertainFirst
	boss.Set(rules).Assign()
	order := []float64{}
	for _, row := range boss.Worklist() {
		if s, known := score[row.ID]; known {
			order = append(order, s)
		}
	}
	if len(order) != 3 || !slices.IsSortedFunc(order, func(a, b float64) int { return int(100*b) - int(100*a) }) || order[0] == order[2] {
		t.Errorf("the worklist is in order of %v", order)
	}
	ann := study.As("ann")
	if _, err := ann.Desk.Uncertainty(t.Context()); fault.KindOf(err) != fault.Refused {
		t.Errorf("in a reader's seat: %v", err)
	}
}

// What a reader points to is named in the prompt, and called prompt emphasis; it is a field of its own of the condition.
func TestPromptEmphasis(t *testing.T) {
	boss := desktest.New(t).Coordinator()
	s, err := boss.Desk.Run(t.Context(), desk.RunOrder{Models: []string{"text-only"}, Conditions: []string{"original"}, Cases: []string{"case-01"}})
	if err != nil {
		t.Fatal(err)
	}
	chain := ""
	if err := boss.Desk.EachChain(t.Context(), "case-01", func(c desk.ListedChain) error {
		if c.Origin != nil && c.Origin.Run == s.Run {
			chain = string(c.ID)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	box := review.Region{ID: "r", Image: "xr", Shape: review.Box, Coords: []float64{.2, .2, .6, .6}}
	c, err := boss.Desk.Emphasise(t.Context(), desk.EmphasisOrder{Case: "case-01", Chain: chain, Question: "q1", Words: []string{"left base"}, Regions: []review.Region{box}})
	if err == nil && string(c.Arms[1].Origin.Parent) != chain {
		t.Errorf("it goes on from %q, not from %q", c.Arms[1].Origin.Parent, chain)
	}
	if err != nil || !slices.Equal(c.Differs, []string{"cue"}) || c.Arms[1].Origin.Condition.Cue != "emphasis" || c.Unfair != "" || len(c.Arms[1].Pictures) == 0 {
		t.Errorf("%+v, %v", c, err)
	}
	for name, v := range map[string]struct {
		order desk.EmphasisOrder
		kind  fault.Kind
		words string
	}{
		"nothing":     {desk.EmphasisOrder{Case: "case-01", Chain: chain}, fault.Refused, "name words"},
		"no question": {desk.EmphasisOrder{Case: "case-01", Chain: chain, Question: "q9", Words: []string{"x"}}, fault.Invalid, "no question"},
		"no place":    {desk.EmphasisOrder{Case: "case-01", Chain: chain, Regions: []review.Region{{Image: "xr", Shape: review.Box, Coords: []float64{.2}}}}, fault.Invalid, "regions"},
	} {
		_, err := boss.Desk.Emphasise(t.Context(), v.order)
		t.Log(name)
		refused(t, err, v.kind, v.words)
	}
}
