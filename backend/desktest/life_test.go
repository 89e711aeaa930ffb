package desktest

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/report"
	"plumbline/backend/review"
)

// The whole life of a study: a coordinator sets the rules and hands work out; three readers pass the training and read, far away, one of
// them on two laptops; the packages come back to two copies of the coordinator's desk in two orders and end in the same state; an
// adjudicator settles what differs; agreement stays that of the first reads, and every ledger holds.
func TestLifeOfAStudy(t *testing.T) {
	study := Many(t, 10)
	rules := Rules("R1", "R2", "R3")
	rules.Readers = append(rules.Readers, review.ProtocolReader{Code: "ADJ1", Role: review.RoleAdjudicator})
	rules.Repeats = &review.Repeats{Share: .2, MinDistance: 2}
	rules.Training = []review.CaseID{"case-001"}
	boss := study.Coordinator().Set(rules)
	if s := boss.Assign(); len(s.Readers) != 4 || s.Readers[0].Assigned != 11 || s.Readers[3].Assigned != 0 {
		t.Fatalf("9 cases and 2 repeats for each reader expected: %+v", s)
	}

	ann, cem := boss.HandTo(study.Away("R1")), boss.HandTo(study.Away("R3"))
	sofa, train := boss.HandTo(study.Laptop("R2", "sofa")), boss.HandTo(study.Laptop("R2", "train"))
	readAll(t, ann, nil)
	readAll(t, cem, map[string]review.Support{"case-002": review.Contradicted, "case-005": review.Unsupported})
	readAll(t, sofa, map[string]review.Support{"case-002": review.Partly})
	train.Open("case-001").Sign()
	train.Open("case-002").LookAll().Rate("s2", review.Contradicted).Sign()
	words := []string{ann.HandBack(), sofa.HandBack(), train.HandBack(), cem.HandBack()}

	other := study.CopyOf(boss, "coordinator-2")
	boss.TakeBack(words...)
	backwards := slices.Clone(words)
	slices.Reverse(backwards)
	other.TakeBack(append(backwards, words...)...)
	one, two := wholeState(t, boss), wholeState(t, other)
	for what, both := range map[string][2]any{
		"words": {one.events, two.events}, "progress": {one.progress, two.progress}, "conflicts": {one.conflicts, two.conflicts},
		"agreement": {one.agreement, two.agreement}, "disagreements": {one.disputes, two.disputes}, "readers of the report": {one.readers, two.readers},
	} {
		if !reflect.DeepEqual(both[0], both[1]) {
			t.Errorf("the orders end differently in the %s:\n%s\n%s", what, encode(t, both[0]), encode(t, both[1]))
		}
	}
	if len(one.conflicts) != 1 || one.conflicts[0].Case != "case-002" || one.conflicts[0].Reader != "R2" {
		t.Errorf("one step was said differently on two laptops: %+v", one.conflicts)
	}
	for _, r := range one.progress.Readers[:3] {
		if r.Assigned != 11 || r.Done != 11 || r.Extra != 0 || r.Training == nil || !r.Training.Passed {
			t.Errorf("%+v", r)
		}
	}
	settle(t, boss, one.agreement)
	for _, p := range []*Person{boss, other, ann, cem, sofa, train} {
		if v, err := p.Desk.Verify(t.Context()); err != nil || v.FirstBreak != nil {
			t.Errorf("%s: %+v, %v", p.name, v.FirstBreak, err)
		}
	}
}

// readAll passes the training and signs every read on the worklist; second steps get the grade that differs, where one is given.
func readAll(t *testing.T, p *Person, differs map[string]review.Support) {
	t.Helper()
	p.Open("case-001").Sign()
	for id, s := range differs {
		p.Open(id).LookAll().Rate("s2", s)
	}
	for _, row := range p.Worklist() {
		if !row.Training && row.State != "signed" {
			p.Open(row.ID).Sign()
		}
	}
	if s := p.State(); s.Signed != 11 || s.Assigned != 11 {
		t.Fatalf("%s signed %d of %d", p.name, s.Signed, s.Assigned)
	}
}

// state is everything that a coordinator sees of a study.
type state struct {
	events    []string // of readers; a coordinator also notes when which package came
	progress  desk.Standing
	conflicts []desk.Conflict
	agreement []report.Agreement
	disputes  desk.Disagreements
	readers   []byte // of the report
}

func wholeState(t *testing.T, p *Person) state {
	t.Helper()
	var s state
	var errs [6]error
	errs[0] = p.Desk.EachReading(t.Context(), "", func(e review.Event, raw []byte) error {
		if !strings.HasPrefix(string(e.Reader), desk.Coordinator) {
			s.events = append(s.events, string(raw))
		}
		return nil
	})
	slices.Sort(s.events) // each desk has them in the order in which they came
	s.progress, errs[1] = p.Desk.Progress(t.Context())
	s.conflicts, errs[2] = p.Desk.Conflicts(t.Context())
	s.agreement, errs[3] = p.Desk.Agreement(t.Context())
	s.disputes, errs[4] = p.Desk.Disagreements(t.Context())
	doc, err := p.Desk.Report(t.Context())
	if s.readers, errs[5] = json.Marshal(doc.Readers); err != nil {
		errs[5] = err
	}
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return s
}

// settle lets the adjudicator decide what differs and adopt the rest. Agreement stays as it was; L12.
func settle(t *testing.T, boss *Person, before []report.Agreement) {
	t.Helper()
	ctx, d := t.Context(), boss.Desk
	if _, err := d.SetReader(ctx, "ADJ1"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Report(ctx); fault.KindOf(err) != fault.Refused {
		t.Errorf("an adjudicator sees a report: %v", err)
	}
	list, err := d.Disagreements(ctx)
	if err != nil || list.Open == 0 || list.Waiting != 0 || list.Barred != 0 {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, item := range list.Items {
		v, err := d.OpenDisagreement(ctx, item.ID)
		if err != nil || len(v.Unnamed) != 3 {
			t.Fatalf("%+v, %v", v, err)
		}
		final := v.Unnamed[0].FinalValue
		if _, err := d.Decide(ctx, item.ID, final, "looked at it again"); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := d.AdoptUnanimous(ctx); err != nil || n != list.Unanimous {
		t.Errorf("%d adopted, %d unanimous, %v", n, list.Unanimous, err)
	}
	if _, err := d.SetReader(ctx, "R1"); err != nil {
		t.Fatal(err)
	}
	after, err := d.Agreement(ctx)
	if err != nil || !reflect.DeepEqual(before, after) {
		t.Errorf("agreement is of the first reads, whatever was decided: %v", err)
	}
	sum, err := d.Overturns(ctx)
	if err != nil || sum.Open != 0 || sum.Decided != len(list.Items) || sum.Adopted != list.Unanimous {
		t.Errorf("%+v, %v", sum, err)
	}
}
