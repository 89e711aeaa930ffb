package desk_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/bundle"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// disputed has three readers who read two cases; of x001/s1 R1 said contradicted, R2 unsupported, R3 supported.
func disputed(t *testing.T) *desktest.Person {
	t.Helper()
	boss := panelOf(t, 2, "R1", "R2", "R3")
	for _, n := range []int{1, 2} {
		reads(t, boss, "R1", n, onlyFirst(n, step("x001/s1", review.Rating{Support: review.Contradicted, Significance: "b", Note: "opposite side"})))
		reads(t, boss, "R2", n, onlyFirst(n, step("x001/s1", review.Rating{Support: review.Unsupported, Significance: "a"})))
		reads(t, boss, "R3", n, onlyFirst(n, chainOf("y001", func(c *review.ChainRating) { c.Answer = "incorrect" })))
	}
	sit(t, boss, "ADJ1")
	return boss
}

func onlyFirst(n int, change func(*review.ReadingFile)) func(*review.ReadingFile) {
	if n == 1 {
		return change
	}
	return nil
}

// Nothing that the adjudicator is shown tells who read, when, under what assignment, what model or condition made the chain, or gold.
func TestAdjudicatorIsBlind(t *testing.T) {
	boss := disputed(t)
	shown := []any{boss.State()}
	list := listed(t, boss.Desk)
	shown = append(shown, list)
	for _, line := range list.Items {
		v, err := boss.Desk.OpenDisagreement(t.Context(), line.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Unnamed) != 3 || v.Unnamed[0].Number != 1 {
			t.Errorf("reads %+v", v.Unnamed)
		}
		shown = append(shown, v)
	}
	problems, err := boss.Desk.Problems(t.Context())
	shown = append(shown, problems, boss.Worklist())
	b, errJSON := json.Marshal(shown)
	if err != nil || errJSON != nil {
		t.Fatal(err, errJSON)
	}
	for _, word := range []string{`"R1"`, `"R2"`, `"R3"`, `"a-[0-9a-f]`, `[0-9]{4}-[0-9]{2}-[0-9]{2}T`, `[0-9a-f]{8}-[0-9a-f]{4}-7`, desktest.Canary, `"(reader|at|assignment|rests_on|probs|seconds)":"?[^"]`} {
		if found := regexp.MustCompile(word).FindIndex(b); found != nil && !strings.HasPrefix(string(b[found[0]:]), `"reader":"ADJ1"`) {
			t.Errorf("%s is in %q", word, b[max(0, found[0]-80):min(len(b), found[1]+40)])
		}
	}
	if boss.State().Adjudication != "decide" || len(boss.Worklist()) != 0 {
		t.Errorf("state %+v, %d on the worklist", boss.State(), len(boss.Worklist()))
	}
}

// Beside the disagreements there is nothing for an adjudicator, in the coordinator's workspace too.
func TestAdjudicatorSeesNothingElse(t *testing.T) {
	boss := disputed(t)
	d, ctx := boss.Desk, t.Context()
	for name, act := range map[string]func() error{
		"report":    func() error { _, err := d.Report(ctx); return err },
		"agreement": func() error { _, err := d.Agreement(ctx); return err },
		"overturns": func() error { _, err := d.Overturns(ctx); return err },
		"readings":  func() error { return d.EachReading(ctx, "", func(review.Event, []byte) error { return nil }) },
		"assign":    func() error { _, err := d.Assign(ctx); return err },
		"hand out":  func() error { _, err := d.MakeWork(ctx, "R1", "x", bundle.Lock{}); return err },
		"merge":     func() error { _, err := d.Merge(ctx, "x", "", ""); return err },
		"protocol":  func() error { _, err := d.SetProtocol(ctx, []byte("{}")); return err },
		"import":    func() error { _, err := d.Import(ctx, boss.State().Dataset); return err },
	} {
		if err := act(); fault.KindOf(err) != fault.Refused {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := d.OpenCase(ctx, "case-001"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a case to read: %v", err)
	}
	s, err := d.Progress(ctx)
	if err != nil || len(s.Readers) != 1 || s.Readers[0].Reader != "ADJ1" || s.Readers[0].Assigned != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	p, _, err := d.Protocol(ctx)
	if err != nil || len(p.Readers) != 1 || p.Seed != 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

// The reads stand in an order that stays, and that is not the readers' in every item.
func TestUnnamedOrder(t *testing.T) {
	boss := panelOf(t, 8, "R1", "R2", "R3")
	for n := range 8 {
		for i, s := range []review.Support{review.Contradicted, review.Unsupported, review.Supported} {
			r := review.Rating{Support: s}
			if s != review.Supported {
				r.Significance = "a"
			}
			reads(t, boss, fmt.Sprintf("R%d", i+1), n+1, step(fmt.Sprintf("x%03d/s1", n+1), r))
		}
	}
	orders := func() [][]review.Support {
		d := sit(t, boss, "ADJ1")
		out := [][]review.Support{}
		for _, line := range listed(t, d).Items {
			v, err := d.OpenDisagreement(t.Context(), line.ID)
			if err != nil {
				t.Fatal(err)
			}
			order := []review.Support{}
			for _, u := range v.Unnamed {
				order = append(order, u.Rating.Support)
			}
			out = append(out, order)
		}
		return out
	}
	before := orders()
	if len(before) != 8 || !slices.ContainsFunc(before, func(o []review.Support) bool { return !slices.Equal(o, before[0]) }) {
		t.Errorf("always the same order: %v", before)
	}
	boss.Restart()
	if after := orders(); !reflect.DeepEqual(before, after) {
		t.Errorf("after a restart %v, before %v", after, before)
	}
}
