package desk_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/model"
)

// What the Experiment and Compare screens show is the coordinator's: a reader's seat gets none of it.
func TestExperimentsAreTheCoordinators(t *testing.T) {
	ann := desktest.New(t).As("ann").Desk
	ctx := t.Context()
	_, errModels := ann.Models(ctx)
	_, errSave := ann.SaveModel(ctx, "{}")
	_, errProbe := ann.ProbeModel(ctx, "near")
	_, errCases := ann.AnyCases(ctx)
	_, errPast := ann.PastRuns(ctx)
	_, errArms := ann.Arms(ctx)
	_, errPairs := ann.PairsOf(ctx, desk.PairName{Model: "random", Before: "original", After: "noop"})
	for what, err := range map[string]error{
		"models": errModels, "save": errSave, "probe": errProbe, "cases": errCases, "past runs": errPast, "arms": errArms, "pairs": errPairs,
	} {
		if fault.KindOf(err) != fault.Refused {
			t.Errorf("%s: %v, want it refused", what, err)
		}
	}
}

// A comparison changes one field: what differs in more stands alone, with the reason and what would stand beside it.
func TestConditionsThatCanBeCompared(t *testing.T) {
	d := newDesk(t, desk.Options{})
	for _, c := range []struct {
		asked, of string
		with, add []string
		alone     bool
		trouble   string
	}{
		{asked: "original occ", of: "occ", with: []string{"original image"}},
		{asked: "original none+suggest-right", of: "none+suggest-right", alone: true, add: []string{"suggest-right", "none"}},
		{asked: "original none none+suggest-right", of: "none+suggest-right", with: []string{"none cue"}},
		{asked: "original occ+given:orig", of: "occ+given:orig", with: []string{"original image"}},
		{asked: "none+suggest-right", of: "none+suggest-right"},
		{asked: "original occ+ctl", of: "occ+ctl", trouble: "both change the image"},
	} {
		all, err := d.CheckConditions(t.Context(), strings.Fields(c.asked))
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(all, func(v desk.CheckedCondition) bool { return v.Asked == c.of })
		got := all[at]
		with := []string{}
		for _, w := range got.With {
			with = append(with, w.Name+" "+w.Field)
		}
		if !slices.Equal(with, append([]string{}, c.with...)) || got.Alone != "" != c.alone || !slices.Equal(got.Add, append([]string{}, c.add...)) {
			t.Errorf("%s among %s: with %v, alone %q, add %v", c.of, c.asked, with, got.Alone, got.Add)
		}
		if !strings.Contains(got.Trouble, c.trouble) || (c.trouble == "") != (got.Trouble == "") {
			t.Errorf("%s: trouble %q, want %q", c.of, got.Trouble, c.trouble)
		}
	}
}

// Chains of two arms stand beside each other by case, of one run where one has both; arms that differ in two fields are not paired.
func TestPairsOfArms(t *testing.T) {
	boss := desktest.New(t).Coordinator().Desk
	ctx := t.Context()
	for range 2 {
		order := desk.RunOrder{Models: []string{"random"}, Conditions: []string{"original", "noop", "none+suggest-right"}}
		if _, err := boss.Run(ctx, order); err != nil {
			t.Fatal(err)
		}
	}
	arms, err := boss.Arms(ctx)
	if err != nil || !slices.Contains(arms, desk.ArmName{Model: "random", Condition: "noop", Chains: 6}) {
		t.Errorf("arms %v, %v", arms, err)
	}
	got, err := boss.PairsOf(ctx, desk.PairName{Model: "random", Before: "original", After: "noop"})
	if err != nil || got.Unfair != "" || !slices.Equal(got.Differs, []string{"image"}) || len(got.Pairs) != 3 {
		t.Fatalf("pairs %+v, %v", got, err)
	}
	for _, p := range got.Pairs {
		c, err := boss.CompareChains(ctx, p.Case, p.Before, p.After)
		if err != nil {
			t.Fatal(err)
		}
		a, b := c.Arms[0].Origin, c.Arms[1].Origin
		if a.Run != b.Run || c.Arms[0].Condition != "original" || c.Arms[1].Condition != "noop" || c.Changed != p.Changed || p.Of != 2 {
			t.Errorf("%s: runs %s and %s, %s beside %s, %d changed, the list says %d of %d",
				p.Case, a.Run, b.Run, c.Arms[0].Condition, c.Arms[1].Condition, c.Changed, p.Changed, p.Of)
		}
	}
	alone, err := boss.PairsOf(ctx, desk.PairName{Model: "random", Before: "noop", After: "noop"})
	if err != nil || len(alone.Pairs) != 3 || alone.Pairs[0].Before != alone.Pairs[0].After || alone.Pairs[0].Changed != 0 {
		t.Errorf("one arm alone: %+v, %v", alone, err)
	}
	unfair, err := boss.PairsOf(ctx, desk.PairName{Model: "random", Before: "original", After: "none+suggest-right"})
	if err != nil || !strings.Contains(unfair.Unfair, "image, cue") || len(unfair.Pairs) != 0 {
		t.Errorf("two fields: %+v, %v", unfair, err)
	}
	if _, err := boss.PairsOf(ctx, desk.PairName{Model: "random", Before: "pink", After: "noop"}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("no condition: %v", err)
	}
}

// A run stops at its budget, tells how each model fared, is listed as unfinished, and goes on by its name without asking anything twice.
func TestBudgetOfARun(t *testing.T) {
	boss := desktest.New(t).Coordinator().Desk
	ctx := t.Context()
	order := desk.RunOrder{Models: []string{"text-only", "random"}, Conditions: []string{"original"}, Concurrency: 1, Budget: 5}
	before, err := boss.EstimateRun(ctx, order)
	if err != nil || before.Seconds != 0 || len(before.Unpaced) != 2 || before.Bytes <= 0 {
		t.Errorf("estimate before anything was asked: %+v, %v", before, err)
	}
	s, err := boss.Run(ctx, order)
	if err != nil || s.Requests != 5 || len(s.Failed) != 1 || !strings.Contains(s.Failed[0].Kind, "budget") || len(s.Missed) != s.Failed[0].Count {
		t.Fatalf("%+v, %v", s, err)
	}
	asked := 0
	for _, m := range s.Models {
		asked += m.Requests
		if m.Units != m.Of || m.Chains+m.NotApplicable+m.Failed != m.Units {
			t.Errorf("%+v does not add up", m)
		}
	}
	past, err := boss.PastRuns(ctx)
	if err != nil || asked != 5 || len(past) != 1 || past[0].Done || past[0].Running || past[0].Status == nil || past[0].Chains != s.Chains {
		t.Fatalf("asked %d, past runs %+v, %v", asked, past, err)
	}
	if _, err := boss.Run(ctx, desk.RunOrder{Resume: true, Run: "run-none"}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("resume of a run that is not there: %v", err)
	}
	s, err = boss.Run(ctx, desk.RunOrder{Resume: true, Run: past[0].Run})
	if err != nil || s.Kept != 5 || s.Requests != 12-5 || len(s.Failed) > 0 {
		t.Errorf("gone on: %+v, %v", s, err)
	}
	after, err := boss.EstimateRun(ctx, order)
	if err != nil || len(after.Unpaced) != 0 {
		t.Errorf("estimate after: %+v, %v", after, err)
	}
}

// A profile is kept, probed, allowed and removed by acts; a consent in what is saved is never taken over, and goes when the host does.
func TestModelsAtTheDesk(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/models") {
			io.WriteString(w, `{"data":[{"id":"m"}]}`)
			return
		}
		io.WriteString(w, `{"choices":[{"message":{"content":"word"},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()
	boss := desktest.New(t).Coordinator().Desk
	ctx := t.Context()
	profile := func(name, url string) string {
		b, err := json.Marshal(model.Profile{
			Schema: model.ProfileSchema, Name: name, BaseURL: url, Model: "m", Consent: &model.Consent{Host: "203.0.113.5", Sends: []string{"text", "images"}, By: "x"},
		})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	row := func(all desk.Models, err error, name string) desk.ModelRow {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(all.Models, func(m desk.ModelRow) bool { return m.Name == name })
		if at < 0 {
			t.Fatalf("%s is not among %v", name, all.Models)
		}
		return all.Models[at]
	}
	all, err := boss.SaveModel(ctx, profile("near", server.URL+"/v1"))
	if near := row(all, err, "near"); near.Control || near.Reach != model.Loopback || near.Why != "" || near.Consent != nil || near.Can != nil {
		t.Errorf("near %+v", near)
	}
	all, err = boss.ProbeModel(ctx, "near")
	if near := row(all, err, "near"); near.Can == nil || !near.Can.ModelKnown {
		t.Errorf("probed %+v", near)
	}
	all, err = boss.SaveModel(ctx, profile("far", "https://203.0.113.5/v1"))
	if far := row(all, err, "far"); far.Reach != model.Public || !strings.Contains(far.Why, "203.0.113.5") || !strings.Contains(far.Sends, "images") {
		t.Errorf("far %+v", far)
	}
	all, err = boss.AllowModel(ctx, "far", "203.0.113.5", "Ann", true)
	if far := row(all, err, "far"); far.Why != "" || far.Consent == nil || far.Consent.By != "Ann" {
		t.Errorf("allowed %+v", far)
	}
	all, err = boss.SaveModel(ctx, profile("far", "https://203.0.113.5/v2"))
	if far := row(all, err, "far"); far.Consent != nil {
		t.Errorf("a consent outlived a change of address: %+v", far.Consent)
	}
	all, err = boss.AllowModel(ctx, "far", "203.0.113.5", "Ann", true)
	row(all, err, "far")
	all, err = boss.AllowModel(ctx, "far", "", "", false)
	if far := row(all, err, "far"); far.Consent != nil || far.Why == "" {
		t.Errorf("taken back: %+v", far)
	}
	if all, err = boss.RemoveModel(ctx, "far"); err != nil || len(all.Models) != len(model.Controls())+1 {
		t.Errorf("removed: %v, %v", all, err)
	}
	for what, c := range map[string]struct {
		profile string
		want    fault.Kind
	}{
		"a control's name": {profile("random", server.URL), fault.Refused},
		"no address":       {profile("x", "here"), fault.Invalid},
		"no JSON":          {"{", fault.Invalid},
	} {
		if _, err := boss.SaveModel(ctx, c.profile); fault.KindOf(err) != c.want {
			t.Errorf("%s: %v, want %s", what, err, c.want)
		}
	}
	if _, err := boss.RemoveModel(ctx, "far"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("removed twice: %v", err)
	}
}
