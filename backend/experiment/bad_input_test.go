package experiment

import (
	"context"
	"strings"
	"testing"
	"time"

	"plumbline/backend/model"
	"plumbline/backend/review"
)

// one is a study of one case with one grey picture: a light body on black.
type one struct {
	questions []review.Question
	truth     []review.Truth
}

const side = 96

func (s one) Case(id review.CaseID) (review.Case, error) {
	return review.Case{ID: id, Images: []review.Image{{ID: "xr", Kind: review.SingleImage, Modality: "OT"}}, Questions: s.questions}, nil
}

func (s one) frame() review.Frame {
	return review.Frame{Rows: side, Columns: side, Samples: 1, BitsAllocated: 8, BitsStored: 8, Photometric: "MONOCHROME2", Slope: 1, Windows: []review.Window{{Center: 128, Width: 256}}, VOIFunction: "LINEAR"}
}

func (s one) Stacks(context.Context, review.CaseID) ([]review.Stack, []review.Problem, error) {
	return []review.Stack{{Image: "xr", Kind: review.SingleImage, Modality: "OT", Frames: []review.Frame{s.frame()}}}, nil, nil
}

func (s one) Samples(context.Context, review.CaseID, review.ImageID, int) (review.Frame, review.Samples, error) {
	data := make([]byte, side*side)
	for y := 8; y < side-8; y++ {
		for x := 8; x < side-8; x++ {
			data[y*side+x] = byte(120 + (x*7+y*13)%40)
		}
	}
	return s.frame(), review.Samples{Rows: side, Columns: side, PerPixel: 1, BitsAllocated: 8, Data: data}, nil
}

// asked runs conditions over the case with a model that says A.
func (s one) asked(t *testing.T, conditions ...string) (Status, *shelf) {
	t.Helper()
	plan, err := NewPlan([]string{"scripted"}, []review.CaseID{"case-1"}, conditions, 1, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.truth {
		s.truth[i].Case = "case-1"
	}
	book := newShelf()
	m := &scripted{answer: func(int, model.Request) (model.Reply, error) { return says("A"), nil }}
	status, err := Runner{Study: Study{Source: s, Truth: s.truth}, Models: m.models(1), Book: book, Now: time.Now}.Do(t.Context(), plan)
	if err != nil || len(status.Failed) > 0 {
		t.Fatalf("%+v, %v", status, err)
	}
	return status, book
}

func options(letters string) []review.Option {
	var out []review.Option
	for _, l := range letters {
		out = append(out, review.Option{Letter: string(l), Text: "Text " + string(l)})
	}
	return out
}

func box(x0, y0, x1, y1 float64) review.Region {
	return review.Region{ID: "e", Image: "xr", Shape: review.Box, Coords: []float64{x0, y0, x1, y1}}
}

// What is wrong in the data makes a condition not applicable, with the reason; it never fails a run and never makes up an answer.
func TestBadData(t *testing.T) {
	yes, a, z := true, "A", "Z"
	frame := 7
	elsewhere := box(.3, .3, .4, .4)
	elsewhere.Frame = &frame
	for name, c := range map[string]struct {
		options    string
		gold       *string
		evidence   []review.Region
		conditions []string
		says       string // "": they apply
	}{
		"a question with one option":            {"A", &a, nil, []string{"suggest-wrong", "suggest-right"}, "no question of the case can be cued so"},
		"one option can be asked":               {"A", &a, nil, []string{"original", "none"}, ""},
		"gold that is no option":                {"AB", &z, nil, []string{"suggest-right", "leak", "corrupt-side"}, "can"},
		"no gold":                               {"AB", nil, nil, []string{"suggest-right"}, "no question of the case can be cued so"},
		"evidence on a frame that is not there": {"AB", &a, []review.Region{elsewhere}, []string{"occ/tissue", "ctl/tissue", "box-right"}, "frame"},
		"a region larger than the body":         {"AB", &a, []review.Region{box(0, 0, 1, 1)}, []string{"occ/tissue", "ctl/tissue", "only", "onlyctl"}, "more than a quarter of the body"},
		"no evidence":                           {"AB", &a, nil, []string{"occ/tissue", "ctl/tissue"}, "no local evidence"},
		"a small region":                        {"AB", &a, []review.Region{box(.3, .3, .4, .4)}, []string{"occ/tissue", "only/mean"}, ""},
	} {
		q := review.Question{ID: "q1", K: 2, Stage: "S2", Text: "Which?", Options: options(c.options)}
		last := review.Question{ID: "q2", K: 4, Stage: "S4", Text: "And?", Options: options(c.options)}
		s := one{[]review.Question{q, last}, []review.Truth{{Question: "q1", Gold: c.gold, Present: &yes, Evidence: c.evidence}}}
		status, book := s.asked(t, c.conditions...)
		for _, n := range status.NotApplicable {
			if c.says == "" || !strings.Contains(n.Kind, c.says) {
				t.Errorf("%s: %q", name, n.Kind)
			}
		}
		if (c.says == "") != (len(book.chains) == len(c.conditions)) {
			t.Errorf("%s: %d chains of %d conditions, %v", name, len(book.chains), len(c.conditions), status.NotApplicable)
		}
	}
}

// Of two findings the one that a question rests on is covered, and the other is left as it is; a control keeps clear of both.
func TestOneOfTwoFindingsIsCovered(t *testing.T) {
	yes, a := true, "A"
	first, second := box(.2, .2, .3, .3), box(.6, .6, .7, .7)
	s := one{
		[]review.Question{{ID: "q1", K: 3, Text: "Left?", Options: options("AB")}, {ID: "q2", K: 3, Text: "Right?", Options: options("AB")}},
		[]review.Truth{{Question: "q1", Gold: &a, Present: &yes, Evidence: []review.Region{first}}, {Question: "q2", Gold: &a, Present: &yes, Evidence: []review.Region{second}}},
	}
	for i := range s.truth {
		s.truth[i].Case = "case-1"
	}
	study := Study{Source: s, Truth: s.truth}
	_, before, err := s.Samples(t.Context(), "case-1", "xr", 0)
	if err != nil {
		t.Fatal(err)
	}
	for condition, inFirst := range map[string]bool{"occ/mean": true, "ctl/mean": false} {
		c, err := review.ParseCondition(condition)
		if err != nil {
			t.Fatal(err)
		}
		v, err := study.View(t.Context(), Sight{Case: "case-1", Question: "q1", Condition: c, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		changed := func(r review.Region) (n int) {
			for y := range side {
				for x := range side {
					u, w := (float64(x)+.5)/side, (float64(y)+.5)/side
					if in := u >= r.Coords[0] && u < r.Coords[2] && w >= r.Coords[1] && w < r.Coords[3]; in && v.Samples[0].Data[y*side+x] != before.Data[y*side+x] {
						n++
					}
				}
			}
			return n
		}
		if (changed(first) > 0) != inFirst || changed(second) > 0 {
			t.Errorf("%s changes %d pixels of the first finding and %d of the second", condition, changed(first), changed(second))
		}
	}
}

// A condition that cannot be made for one question of a case is made for the others, where no later one is told its answer; it is counted and
// said why, also by a run that takes the chain over.
func TestQuestionsAreLeftOut(t *testing.T) {
	yes, a := true, "A"
	small, large := box(.3, .3, .4, .4), box(.1, .1, .9, .9)
	s := one{
		[]review.Question{{ID: "q1", K: 2, Text: "Where?", Options: options("AB")}, {ID: "q2", K: 3, Text: "What?", Options: options("AB")}},
		[]review.Truth{
			{Case: "case-1", Question: "q1", Gold: &a, Present: &yes, Evidence: []review.Region{large}},
			{Case: "case-1", Question: "q2", Gold: &a, Present: &yes, Evidence: []review.Region{small}},
		},
	}
	status, book := s.asked(t, "original", "occ/mean", "occ/mean+given:original")
	const why = "the evidence covers more than a quarter of the body: it is not local"
	check := func(status Status) {
		t.Helper()
		if len(status.NotApplicable) != 1 || status.NotApplicable[0] != (Count{why, 1}) || len(status.LeftOut) != 1 || status.LeftOut[0] != (Count{why, 1}) {
			t.Errorf("not applicable %v, left out %v", status.NotApplicable, status.LeftOut)
		}
	}
	check(status)
	if len(book.chains) != 2 {
		t.Fatalf("%d chains", len(book.chains))
	}
	for id, o := range book.made {
		if o.Condition.Image != "occ" {
			continue
		}
		if c := book.chains[id]; len(c.Answers) != 1 || c.Answers[0].Question != "q2" || o.LeftOut["q1"] != why || len(o.LeftOut) != 1 {
			t.Errorf("answers %v, left out %v", c.Answers, o.LeftOut)
		}
	}
	m := &scripted{answer: func(int, model.Request) (model.Reply, error) { return says("A"), nil }}
	again, err := Runner{Study: Study{Source: s, Truth: s.truth}, Models: m.models(1), Book: book, Now: time.Now}.Do(t.Context(), book.plan)
	if err != nil || len(m.asked) > 0 {
		t.Errorf("%d questions were asked again, %v", len(m.asked), err)
	}
	check(again)
}
