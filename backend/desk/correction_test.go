package desk_test

import (
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// corrections gives what a reader would have said in place of the steps of a chain.
func corrections(t *testing.T, v desk.CaseView, chain string) []review.OwnAnswer {
	t.Helper()
	for _, c := range v.Chains {
		if c.ID == chain {
			return c.OwnAnswers
		}
	}
	t.Fatalf("no chain %s is open", chain)
	return nil
}

func TestOwnAnswer(t *testing.T) {
	ann := desktest.New(t).As("ann")
	v := ann.Open("case-01").View
	say := func(own review.OwnAnswer, reason string) (desk.Saved, error) {
		return ann.Desk.OwnAnswer(t.Context(), v.Assignment, "x11", own, reason)
	}
	_, err := say(review.OwnAnswer{Step: "s2", Answer: "B"}, "")
	refused(t, err, fault.Refused, "q1 is not")
	ann.Open("case-01").LookAll()

	for _, c := range []struct {
		name  string
		own   review.OwnAnswer
		kind  fault.Kind
		words string
	}{
		{"an option that is not there", review.OwnAnswer{Step: "s2", Answer: "C"}, fault.Invalid, "one of the letters A, B expected"},
		{"nothing", review.OwnAnswer{Step: "s2"}, fault.Invalid, "an answer or the words of the step expected"},
		{"a region without an answer", review.OwnAnswer{Step: "s2", Evidence: []review.Region{{Image: "xr", Shape: review.Point, Coords: []float64{.5, .5}}}}, fault.Invalid, "expected"},
		{"another question", review.OwnAnswer{Step: "s2", Question: "q2", Answer: "A"}, fault.Invalid, "belongs to q1"},
		{"a confidence of 4", review.OwnAnswer{Step: "s2", Answer: "A", Confidence: 4}, fault.Invalid, "confidence"},
		{"another image", review.OwnAnswer{Step: "s2", Answer: "A", Evidence: []review.Region{{Image: "ct", Shape: review.Point, Coords: []float64{.5, .5}}}}, fault.Invalid, `no image "ct"`},
		{"another step", review.OwnAnswer{Step: "s9", Answer: "A"}, fault.NotFound, "no such step"},
	} {
		_, err := say(c.own, "")
		refused(t, err, c.kind, c.words)
	}

	first, err := say(review.OwnAnswer{Step: "s2", Answer: "B", Text: "There is no opacity.", Confidence: 3, Evidence: []review.Region{{Image: "xr", Shape: review.Box, Coords: []float64{.1, .2, .3, .4}}}}, "")
	if err != nil || first.Revision != 1 {
		t.Fatalf("%+v, %v", first, err)
	}
	if again, err := say(review.OwnAnswer{Step: "s2", Answer: "A", Text: "There is a small opacity."}, ""); err != nil || again.Revision != 2 {
		t.Errorf("a second time: %+v, %v", again, err)
	}
	r := ann.Restart().Open("case-01")
	if got := corrections(t, r.View, "x11"); len(got) != 1 || got[0].Answer != "A" || got[0].Question != "q1" || got[0].Text != "There is a small opacity." {
		t.Errorf("after a restart: %+v", got)
	}
	if p := ann.State().Resume; p.Step != "s2" || p.Chain != "x11" {
		t.Errorf("the program opens again at the step that was corrected: %+v", p)
	}
	if len(corrections(t, r.View, "x21")) != 0 {
		t.Error("the other chain has no correction")
	}

	r.Sign() // a correction is never asked for, and holds nothing up
	_, err = say(review.OwnAnswer{Step: "s3", Text: "The region shows the heart."}, "")
	refused(t, err, fault.Refused, "needs a reason")
	if s, err := say(review.OwnAnswer{Step: "s3", Text: "The region shows the heart."}, "seen later"); err != nil || s.Phase != "signed" {
		t.Errorf("with a reason: %+v, %v", s, err)
	}
	if s, err := say(review.OwnAnswer{Step: "s2"}, "taken back"); err != nil || s.Revision != 3 {
		t.Errorf("taken back: %+v, %v", s, err)
	}
	if got := corrections(t, ann.Open("case-01").View, "x11"); len(got) != 1 || got[0].Step != "s3" {
		t.Errorf("in the end: %+v", got)
	}
}

func TestOwnAnswersInAFile(t *testing.T) {
	ann := desktest.New(t).As("ann")
	v := ann.Open("case-01").LookAll().View
	file := review.ReadingFile{OwnAnswers: map[string]review.OwnAnswer{"x11/s1": {Text: "The picture is turned."}, "x21/s3": {Answer: "A"}}}
	saved, err := ann.Desk.RateFile(t.Context(), file, v.Assignment)
	if err != nil || len(saved) != 2 {
		t.Fatalf("%+v, %v", saved, err)
	}
	v = ann.Open("case-01").View
	if a, b := corrections(t, v, "x11"), corrections(t, v, "x21"); len(a) != 1 || a[0].Step != "s1" || len(b) != 1 || b[0].Question != "q2" {
		t.Errorf("%+v, %+v", a, b)
	}
	file.OwnAnswers = map[string]review.OwnAnswer{"s1": {Text: "which?"}}
	_, err = ann.Desk.RateFile(t.Context(), file, v.Assignment)
	refused(t, err, fault.Invalid, "several chains have this step")
}
