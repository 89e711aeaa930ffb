package desk_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// A run's chains are the coordinator's: they are listed and reported there, and handed to no reader.
func TestRunAtTheDesk(t *testing.T) {
	study := desktest.New(t)
	boss := study.Coordinator()
	before := boss.Open("case-01").View
	order := desk.RunOrder{Models: []string{"text-only", "random"}, Conditions: []string{"original", "noop"}}
	e, err := boss.Desk.EstimateRun(t.Context(), order)
	if err != nil || e.Chains != 16 || e.Requests != 24 {
		t.Fatalf("estimate %+v, %v", e, err)
	}
	s, err := boss.Desk.Run(t.Context(), order)
	if err != nil || s.Answered != 24 || s.Chains != 12 || len(s.Failed) > 0 || len(s.NotApplicable) != 1 || s.NotApplicable[0].Count != 4 {
		t.Fatalf("%+v, %v", s, err)
	}
	made := map[string]int{}
	err = boss.Desk.EachChain(t.Context(), "", func(c desk.ListedChain) error {
		if c.Origin != nil && c.Origin.Run == s.Run {
			made[c.Origin.Model.Name+" "+c.Origin.Condition.Name()]++
		}
		return nil
	})
	if err != nil || len(made) != 4 || made["random noop"] != 3 {
		t.Errorf("listed %v, %v", made, err)
	}
	doc, err := boss.Desk.Report(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := 0 // the recorded chains of the sample's own model are no part of it
	for _, m := range doc.Models {
		if m.Model == "random" && m.Chains == 3 && len(m.Conditions) == 1 && m.Conditions[0].Condition == "noop" && m.Conditions[0].Chains == 3 {
			found++
		}
	}
	if found != 1 {
		t.Errorf("the report tells of the run of the random control %d times, want once", found)
	}
	if after := boss.Open("case-01").View; len(after.Chains) != len(before.Chains) {
		t.Errorf("%d chains to read before the run, %d after it", len(before.Chains), len(after.Chains))
	}
	plans, err := boss.Desk.Runs(t.Context())
	if err != nil || len(plans) != 1 || !plans[0].Done || plans[0].Run != s.Run {
		t.Errorf("runs %+v, %v", plans, err)
	}
	if _, err := boss.Desk.Run(t.Context(), desk.RunOrder{Resume: true}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("resume with nothing left: %v", err)
	}
}

func TestRunIsTheCoordinators(t *testing.T) {
	ann := desktest.New(t).As("ann")
	order := desk.RunOrder{Models: []string{"text-only"}, Conditions: []string{"original"}}
	_, errEstimate := ann.Desk.EstimateRun(t.Context(), order)
	_, errRuns := ann.Desk.Runs(t.Context())
	for what, err := range map[string]error{"start": ann.Desk.StartRun(t.Context(), order), "estimate": errEstimate, "list": errRuns} {
		if fault.KindOf(err) != fault.Refused {
			t.Errorf("%s by a reader: %v, want it refused", what, err)
		}
	}
}

func TestRunThatCannotBegin(t *testing.T) {
	boss := desktest.New(t).Coordinator()
	for name, c := range map[string]struct {
		order desk.RunOrder
		want  fault.Kind
	}{
		"no such model":     {desk.RunOrder{Models: []string{"gpt"}, Conditions: []string{"original"}}, fault.NotFound},
		"no model":          {desk.RunOrder{Conditions: []string{"original"}}, fault.Usage},
		"no such condition": {desk.RunOrder{Models: []string{"random"}, Conditions: []string{"pink"}}, fault.Usage},
		"no condition":      {desk.RunOrder{Models: []string{"random"}}, fault.Usage},
		"no such case":      {desk.RunOrder{Models: []string{"random"}, Conditions: []string{"original"}, Cases: []string{"case-99"}}, fault.NotFound},
	} {
		if err := boss.Desk.StartRun(t.Context(), c.order); fault.KindOf(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if err := boss.Desk.PauseRun(t.Context(), true); fault.KindOf(err) != fault.NotFound {
		t.Errorf("pause before any run: %v", err)
	}
}

// A run that is cancelled can go on, as it was begun.
func TestRunGoesOnAfterItWasCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	d := newDesk(t, desk.Options{Tell: func(p review.Progress) {
		if strings.HasPrefix(p.Op, "run") {
			cancel() // after the first chain
		}
	}})
	if _, err := d.Import(t.Context(), smallDataset(t)); err != nil {
		t.Fatal(err)
	}
	order := desk.RunOrder{Models: []string{"random"}, Conditions: []string{"original", "noop"}, Concurrency: 1}
	first, err := d.Run(ctx, order)
	if fault.KindOf(err) != fault.Cancelled || first.Chains != 1 {
		t.Fatalf("cancelled: %+v, %v", first, err)
	}
	s, err := d.Run(t.Context(), desk.RunOrder{Resume: true})
	if err != nil || s.Run != first.Run || s.Kept != first.Answered || s.Answered != 12 || s.Chains != 6 {
		t.Errorf("%+v, %v", s, err)
	}
	if status, running, err := d.RunStatus(t.Context()); running || err != nil || status.Run != s.Run {
		t.Errorf("status %+v, running %v, %v", status, running, err)
	}
	if !slices.ContainsFunc(d.Conditions(), func(n review.ConditionName) bool { return n.Name == "occ" }) {
		t.Error("occ is not among the conditions")
	}
}
