package desk_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

func decision(support review.Support) review.FinalValue {
	r := review.Rating{Support: support}
	if support != review.Supported {
		r.Error, r.Significance = []string{"wrong_location"}, "b"
	}
	return review.FinalValue{Rating: &r}
}

// find gives the item of a kind.
func find(t *testing.T, d *desk.Desk, kind string) desk.Disagreement {
	t.Helper()
	list := listed(t, d)
	i := slices.IndexFunc(list.Items, func(l desk.Disagreement) bool { return slices.Contains(l.Kinds, kind) })
	if i < 0 {
		t.Fatalf("no %s in %+v", kind, list.Items)
	}
	return list.Items[i]
}

// L12: what the reader said stays with reader and time, the final value stands beside it with author, reason and time, and agreement is still
// that of the first reads; a correction that the reader makes knowing the verdict changes nothing.
func TestDecide(t *testing.T) {
	boss := disputed(t)
	d := sit(t, boss, "R1")
	before := agreement(t, boss, "support")["/"]
	sit(t, boss, "ADJ1")
	item := find(t, d, "support")
	if item.State != "open" || item.Case != "case-001" || item.Step != 1 || item.Reads != 3 {
		t.Fatalf("%+v", item)
	}
	done, err := d.Decide(t.Context(), item.ID, decision(review.Contradicted), "the opacity is on the left")
	if err != nil || done.Revision != 1 || done.Open != 1 || done.Decided != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	if again, err := d.Decide(t.Context(), item.ID, decision(review.Contradicted), "the opacity is on the left"); err != nil || again.Event != done.Event {
		t.Errorf("the same again: %+v, %v", again, err)
	}
	second, err := d.Decide(t.Context(), item.ID, decision(review.Supported), "seen on the lateral view")
	if err != nil || second.Revision != 2 || second.Event == done.Event {
		t.Errorf("decided anew: %+v, %v", second, err)
	}
	v, err := d.OpenDisagreement(t.Context(), item.ID)
	if err != nil || v.Final.Rating.Support != review.Supported || v.Reason != "seen on the lateral view" || v.State != "decided" || v.Revisions != 2 {
		t.Errorf("%+v, %v", v, err)
	}
	sit(t, boss, "R1")
	if after := agreement(t, boss, "support")["/"]; !reflect.DeepEqual(before, after) {
		t.Errorf("agreement %+v, before %+v", after, before)
	}
	corrected := step("x001/s1", review.Rating{Support: review.Supported})
	f := steadily(1, review.Supported)
	corrected(&f)
	f.Reason = "the adjudicator is right"
	if _, err := d.RateFile(t.Context(), f, ""); err != nil {
		t.Fatal(err)
	}
	if after := agreement(t, boss, "support")["/"]; !reflect.DeepEqual(before, after) {
		t.Errorf("agreement after a correction that knows the verdict: %+v, before %+v", after, before)
	}
	history := map[review.Kind][]review.Event{}
	err = d.EachReading(t.Context(), "", func(e review.Event, _ []byte) error {
		if e.Kind == review.KindAdjudication || e.Reader == "R1" && e.Body.Rating != nil && e.Chain == "x001" && e.Body.Rating.Step == "s1" {
			history[e.Kind] = append(history[e.Kind], e)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	first, verdicts := history[review.KindRating][0], history[review.KindAdjudication]
	if first.Body.Rating.Support != review.Contradicted || first.At == "" || first.Body.Rating.Note != "opposite side" {
		t.Errorf("the first read is %+v", first.Body.Rating)
	}
	if len(verdicts) != 2 || verdicts[1].Supersedes != verdicts[0].ID || verdicts[0].Reader != "ADJ1" || verdicts[0].At == "" || verdicts[0].Assignment != "" {
		t.Fatalf("verdicts %+v", verdicts)
	}
	if a := verdicts[1].Body.Adjudication; len(a.RestsOn) != 3 || !slices.Contains(a.RestsOn, first.ID) || a.Part != "s1" || a.Unanimous || verdicts[1].Reason != "seen on the lateral view" {
		t.Errorf("%+v", a)
	}
	s, err := d.Progress(t.Context())
	for _, r := range s.Readers {
		if want := map[string]int{"ADJ1": 0}[r.Reader]; r.Role == review.RoleAdjudicator && (r.Assigned != want || r.Done+r.Started+r.Extra != 0) || err != nil {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

func TestDecideRefuses(t *testing.T) {
	boss := disputed(t)
	d, ctx := boss.Desk, t.Context()
	support, answer := find(t, d, "support").ID, find(t, d, "answer").ID
	rating := func(r review.Rating) review.FinalValue { return review.FinalValue{Rating: &r} }
	for _, c := range []struct {
		name, id, reason string
		value            review.FinalValue
		kind             fault.Kind
		text             string
	}{
		{"no reason", support, " ", decision(review.Supported), fault.Invalid, "a reason of"},
		{"an unknown item", "d-0", "so", decision(review.Supported), fault.NotFound, "no such disagreement"},
		{"another shape", support, "so", review.FinalValue{ChainRating: &review.ChainRating{}}, fault.Invalid, "of a step expected"},
		{"nothing said", support, "so", rating(review.Rating{}), fault.Invalid, "needs support"},
		{"half said", support, "so", rating(review.Rating{Support: review.Contradicted}), fault.Invalid, "needs error, significance"},
		{"no such grade", support, "so", rating(review.Rating{Support: "fine"}), fault.Invalid, "one of supported"},
		{"an error of what is supported", support, "so", rating(review.Rating{Support: review.Supported, Error: []string{"false_finding"}}), fault.Invalid, "asked only with"},
		{"a cue", support, "so", rating(review.Rating{Support: review.Supported, CueAck: "none"}), fault.Invalid, "cue"},
		{"another step", support, "so", rating(review.Rating{Step: "s2", Support: review.Supported}), fault.Invalid, "s1 expected"},
		{"a region of no image", support, "so", rating(review.Rating{Support: review.Supported, Evidence: []review.Region{{Image: "z", Shape: review.WholeImage}}}), fault.Invalid, "no image"},
		{"no answer", answer, "so", review.FinalValue{ChainRating: &review.ChainRating{}}, fault.Invalid, "needs answer"},
	} {
		if _, err := d.Decide(ctx, c.id, c.value, c.reason); fault.KindOf(err) != c.kind || !strings.Contains(fmt.Sprint(err), c.text) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	whole := review.FinalValue{ChainRating: &review.ChainRating{Answer: "partly"}} // the rest all reads say alike
	if _, err := d.Decide(ctx, answer, whole, "half of it"); err != nil {
		t.Fatal(err)
	}
	v, err := d.OpenDisagreement(ctx, answer)
	if err != nil || v.Final.ChainRating.Radpeer != "1" || v.Final.ChainRating.Answer != "partly" {
		t.Errorf("%+v, %v", v.Final, err)
	}
	sit(t, boss, "R2")
	for name, act := range map[string]func() error{
		"open":   func() error { _, err := d.OpenDisagreement(ctx, support); return err },
		"decide": func() error { _, err := d.Decide(ctx, support, decision(review.Supported), "so"); return err },
		"adopt":  func() error { _, err := d.AdoptUnanimous(ctx); return err },
	} {
		if err := act(); fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "R2 is none") {
			t.Errorf("the coordinator %ss: %v", name, err)
		}
	}
	if list := listed(t, d); list.May || list.Open != 1 || list.Decided != 1 {
		t.Errorf("the coordinator sees %+v", list)
	}
}

// Who read a case decides nothing of it, and nothing is decided before every assigned read is signed or the study is closed.
func TestWhoMayDecide(t *testing.T) {
	rules := desktest.Rules("R1", "R2", "R3")
	boss := desktest.Many(t, 2).Coordinator().Set(rules)
	boss.Assign()
	reads(t, boss, "R1", 1, step("x001/s1", review.Rating{Support: review.Contradicted, Significance: "b"}))
	reads(t, boss, "R2", 1, nil)
	for n := range 2 {
		rules.Readers = append(rules.Readers, review.ProtocolReader{Code: review.ReaderID(fmt.Sprintf("ADJ%d", n+1)), Role: review.RoleAdjudicator})
	}
	boss.Set(rules)
	d := sit(t, boss, "ADJ1")
	waiting := find(t, d, "support")
	if waiting.State != "waiting" {
		t.Errorf("%+v", waiting)
	}
	_, err := d.Decide(t.Context(), waiting.ID, decision(review.Supported), "so")
	refused(t, err, fault.Refused, "not every assigned read")
	_, err = d.OpenDisagreement(t.Context(), waiting.ID)
	refused(t, err, fault.Refused, "not every assigned read")
	if n, err := d.AdoptUnanimous(t.Context()); n != 0 || err != nil {
		t.Errorf("adopted %d, %v", n, err)
	}
	sit(t, boss, "R3")
	rules.Closed = true
	boss.Set(rules)
	sit(t, boss, "ADJ1")
	if _, err := d.Decide(t.Context(), waiting.ID, decision(review.Supported), "so"); err != nil {
		t.Errorf("in a closed study: %v", err)
	}
	sit(t, boss, "R3") // R1 becomes an adjudicator
	rules.Readers[0].Role, rules.Closed = review.RoleAdjudicator, true
	boss.Set(rules)
	sit(t, boss, "R1")
	_, err = d.OpenDisagreement(t.Context(), waiting.ID)
	refused(t, err, fault.Refused, "never a reader")
	_, err = d.Decide(t.Context(), waiting.ID, decision(review.Partly), "so")
	refused(t, err, fault.Refused, "never a reader")
}

// A seat of the adjudicator's own decides, and a reader's seat sees nothing.
func TestAdjudicatorsSeat(t *testing.T) {
	study := desktest.New(t)
	if err := study.As("ann").Desk.Close(); err != nil {
		t.Fatal(err)
	}
	ann := study.As("ann").Restart()
	_, err := ann.Desk.Disagreements(t.Context())
	refused(t, err, fault.Refused, "the adjudicator's")
	d := desk.New(study.Options(desk.Seat{Role: desk.Adjudicator, Reader: "ADJ1"}))
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	s, err := d.OpenWorkspace(t.Context(), study.Folder("adj"))
	if err != nil || s.Adjudication != "decide" || s.Role != "adjudicator" {
		t.Fatalf("%+v, %v", s, err)
	}
	if _, err := d.Import(t.Context(), study.Data); err != nil {
		t.Fatal(err)
	}
	rows, err := d.Cases(t.Context())
	if list := listed(t, d); err != nil || len(rows) != 0 || len(list.Items) != 0 || !list.May {
		t.Errorf("%v, %+v, %v", rows, list, err)
	}
}

// One action settles what all agree on, once, and only that.
func TestAdoptUnanimous(t *testing.T) {
	boss := disputed(t)
	d := boss.Desk
	list := listed(t, d)
	// two cases of two questions, two chains and six steps: of 20 items one step and one chain are disputed
	if list.Unanimous != 18 || list.Adopted != 0 || list.Open != 2 {
		t.Fatalf("%+v", list)
	}
	n, err := d.AdoptUnanimous(t.Context())
	if err != nil || n != 18 {
		t.Fatalf("%d, %v", n, err)
	}
	if list := listed(t, d); list.Unanimous != 0 || list.Adopted != 18 || list.Open != 2 {
		t.Errorf("%+v", list)
	}
	if n, err := d.AdoptUnanimous(t.Context()); n != 0 || err != nil {
		t.Errorf("again %d, %v", n, err)
	}
	sit(t, boss, "R1")
	verdicts := 0
	err = d.EachReading(t.Context(), "ADJ1", func(e review.Event, _ []byte) error {
		a := e.Body.Adjudication
		if a == nil {
			return nil
		}
		verdicts++
		if !a.Unanimous || e.Reason == "" || len(a.RestsOn) != 3 || a.FinalValue.On() != a.On || a.Rating != nil && (a.Rating.Support != review.Supported || a.Rating.Confidence != 0) {
			t.Errorf("%+v", a)
		}
		return nil
	})
	if err != nil || verdicts != 18 {
		t.Errorf("%d verdicts, %v", verdicts, err)
	}
}

// By hand: of x001/s1 (contradicted, unsupported, supported) there is no majority, and contradicted overturns R2 and R3; of y001 two of three
// said correct, and incorrect overturns them.
func TestOverturns(t *testing.T) {
	boss := disputed(t)
	d, ctx := boss.Desk, t.Context()
	for kind, value := range map[string]review.FinalValue{
		"support": decision(review.Contradicted), "answer": {ChainRating: &review.ChainRating{Answer: "incorrect"}},
	} {
		if _, err := d.Decide(ctx, find(t, d, kind).ID, value, "so"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.AdoptUnanimous(ctx); err != nil {
		t.Fatal(err)
	}
	sit(t, boss, "R1")
	sum, err := d.Overturns(ctx)
	if err != nil || sum.Decided != 2 || sum.Open != 0 || sum.Adopted != 18 {
		t.Fatalf("%+v, %v", sum, err)
	}
	got := map[string]string{}
	for _, o := range sum.Overturns {
		got[o.Dimension+"/"+o.Reader] = fmt.Sprintf("%d of %d, %d without", o.Overturned, o.Items, o.NoMajority)
		if o.Items > 0 && (o.Rate == nil || len(o.Interval) != 0 || !strings.HasPrefix(o.Reason, "no interval")) || o.Items == 0 && o.Rate != nil {
			t.Errorf("%+v", o)
		}
	}
	for of, want := range map[string]string{
		"support/": "0 of 0, 1 without", "support/R1": "0 of 1, 0 without", "support/R2": "1 of 1, 0 without", "support/R3": "1 of 1, 0 without",
		"answer/": "1 of 1, 0 without", "answer/R1": "1 of 1, 0 without", "answer/R2": "1 of 1, 0 without", "answer/R3": "0 of 1, 0 without",
		"significance/": "0 of 0, 1 without", "significance/R1": "0 of 1, 0 without", "significance/R2": "1 of 1, 0 without",
	} {
		if got[of] != want {
			t.Errorf("%s: %s, want %s", of, got[of], want)
		}
	}
	if _, known := got["own_answer/"]; known {
		t.Error("no question was decided by a person")
	}
	if doc, err := d.Report(ctx); err != nil || !reflect.DeepEqual(doc.Overturns, sum.Overturns) {
		t.Errorf("the report says %+v, %v", doc.Overturns, err)
	}
}

// The regions of the reads are compared in pairs and joined where half of them marked.
func TestDisagreementRegions(t *testing.T) {
	rules := desktest.Rules("R1", "R2")
	rules.Readers = append(rules.Readers, review.ProtocolReader{Code: "ADJ1", Role: review.RoleAdjudicator})
	boss := desktest.New(t).Coordinator().Set(rules)
	for i, code := range []string{"R1", "R2"} {
		r := judge(t, boss, code, "case-01", nil)
		full, _ := desktest.Full(r.View, "x11", "s1", []review.Support{review.Supported, review.Contradicted}[i])
		x := .1 + .2*float64(i)
		full.Evidence = []review.Region{{ID: "e", Image: "xr", Shape: review.Box, Coords: []float64{x, .1, x + .4, .5}}}
		if _, err := boss.Desk.Rate(t.Context(), r.View.Assignment, "x11", full, ""); err != nil {
			t.Fatal(err)
		}
		boss.Open("case-01").Sign()
	}
	d := sit(t, boss, "ADJ1")
	v, err := d.OpenDisagreement(t.Context(), find(t, d, "support").ID)
	if err != nil || len(v.Pairs) != 1 || !close9(&v.Pairs[0].IoU, 1./3) || len(v.Consensus) != 1 {
		t.Fatalf("%+v, %+v, %v", v.Pairs, v.Consensus, err)
	}
	if c := v.Consensus[0].Coords; !close9(&c[0], .1) || !close9(&c[2], .7) || len(v.Answers) != 2 || v.Part != "s1" || len(v.Stacks) != 1 {
		t.Errorf("%+v", v)
	}
}

// The page lists, opens, decides and adopts from many goroutines: each decision is one, and the ledger holds (run with -race to see more).
func TestAdjudicateAtOnce(t *testing.T) {
	boss := disputed(t)
	d, ctx := boss.Desk, t.Context()
	support, answer := find(t, d, "support").ID, find(t, d, "answer").ID
	var all sync.WaitGroup
	for _, ask := range []func() error{
		func() error { _, err := d.Disagreements(ctx); return err },
		func() error { _, err := d.OpenDisagreement(ctx, support); return err },
		func() error { _, err := d.Decide(ctx, support, decision(review.Contradicted), "so"); return err },
		func() error {
			_, err := d.Decide(ctx, answer, review.FinalValue{ChainRating: &review.ChainRating{Answer: "correct"}}, "so")
			return err
		},
		func() error {
			_, err := d.AdoptUnanimous(ctx)
			for fault.KindOf(err) == fault.Busy {
				_, err = d.AdoptUnanimous(ctx)
			}
			return err
		},
		func() error { _, err := d.State(ctx); return err },
	} {
		all.Go(func() {
			for range 4 {
				if err := ask(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	sit(t, boss, "R1")
	verdicts := map[string]int{}
	err := d.EachReading(ctx, "ADJ1", func(e review.Event, _ []byte) error {
		if e.Kind == review.KindAdjudication {
			verdicts[e.Key]++
		}
		return nil
	})
	if err != nil || len(verdicts) != 20 {
		t.Errorf("%d verdicts, %v", len(verdicts), err)
	}
	for key, n := range verdicts {
		if n != 1 {
			t.Errorf("%s was decided %d times", key, n)
		}
	}
}
