package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"plumbline/backend/fault"
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

// gap is a study of one case with six frames, of which frame 1 (from 0) cannot be read.
type gap struct{ one }

func (s gap) Case(id review.CaseID) (review.Case, error) {
	return review.Case{ID: id, Images: []review.Image{{ID: "xr", Kind: review.Volume, Modality: "OT"}}, Questions: s.questions}, nil
}

func (s gap) Stacks(context.Context, review.CaseID) ([]review.Stack, []review.Problem, error) {
	stack := review.Stack{Image: "xr", Kind: review.Volume, Modality: "OT"}
	for n := range 6 {
		f := s.frame()
		if n == 1 {
			f = review.Frame{Problem: "its pixel data ends early"}
		}
		f.Index = n
		stack.Frames = append(stack.Frames, f)
	}
	return []review.Stack{stack}, nil, nil
}

func (s gap) Samples(ctx context.Context, id review.CaseID, image review.ImageID, n int) (review.Frame, review.Samples, error) {
	f, data, err := s.one.Samples(ctx, id, image, n)
	if n == 1 {
		return f, data, errors.New("the frame that cannot be read was asked for")
	}
	f.Index = n
	return f, data, err
}

// A frame that cannot be read keeps its number: what is done to the others is done where the evidence lies.
func TestFrameThatCannotBeRead(t *testing.T) {
	for _, c := range []struct {
		condition string
		evidence  int
		sent      string
		changed   string
		why       string
	}{
		{"original", 3, "[0 2 3 4 5]", "[]", ""},
		{"occ/mean", 0, "[0 2 3 4 5]", "[0]", ""},
		{"occ/mean", 3, "[0 2 3 4 5]", "[3]", ""},
		{"occ/tissue", 5, "[0 2 3 4 5]", "[5]", ""},
		{"occ/mean", 1, "", "", "no pixel of a frame that can be read"},
		{"occ/mean", 6, "", "", "frame"},
		{"ctl/mean", 3, "[0 2 3 4 5]", "[3]", ""},
		{"only/mean", 3, "[0 2 3 4 5]", "[0 2 3 4 5]", ""},
		{"blank", 3, "[0 2 3 4 5]", "[0 2 3 4 5]", ""},
		{"mirror", 3, "[0 2 3 4 5]", "[0 2 3 4 5]", ""},
		{"box-right", 4, "[0 2 3 4 5]", "[4]", ""},
		{"box-right", 1, "", "", "no pixel of a frame that can be read"},
		{"key", 4, "[4]", "[]", ""},
		{"key", 1, "", "", "no pixel of a frame that can be read"},
		{"drop", 4, "[0 2 3 5]", "[]", ""},
		{"slab-occ", 2, "[0 2 3 4 5]", "[2]", ""},
		{"slab-ctl", 2, "[0 2 3 4 5]", "[3]", ""},
		{"slab-ctl", 5, "[0 2 3 4 5]", "[4]", ""},
		{"slab-ctl", 0, "[0 2 3 4 5]", "[2]", ""},
		{"slices:0-3", 3, "[0 2 3]", "[]", ""},
		{"slices:1-1", 3, "", "", "no frame is left"},
	} {
		r := box(.3, .3, .4, .4)
		r.Frame = &c.evidence
		yes, gold := true, "A"
		s := gap{one{
			questions: []review.Question{{ID: "q1", K: 3, Text: "Left?", Options: []review.Option{{Letter: "A", Text: "left"}, {Letter: "B", Text: "right"}}}},
			truth:     []review.Truth{{Case: "case-1", Question: "q1", Gold: &gold, Present: &yes, Side: "left", Evidence: []review.Region{r}}},
		}}
		condition, err := review.ParseCondition(c.condition)
		if err != nil {
			t.Fatalf("%s: %v", c.condition, err)
		}
		v, err := Study{Source: s, Truth: s.truth}.View(t.Context(), Sight{Case: "case-1", Question: "q1", Condition: condition, Seed: 1})
		if c.why != "" {
			if fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%s with evidence on frame %d: %v, want %q", c.condition, c.evidence, err, c.why)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s with evidence on frame %d: %v", c.condition, c.evidence, err)
			continue
		}
		_, before, _ := s.Samples(t.Context(), "case-1", "xr", 0)
		hit := []int{}
		for k, n := range v.Sent {
			if v.Frames[k].Index != n {
				t.Errorf("%s: frame %d was sent as %d", c.condition, v.Frames[k].Index, n)
			}
			if !bytes.Equal(v.Samples[k].Data, before.Data) {
				hit = append(hit, n)
			}
		}
		if fmt.Sprint(v.Sent) != c.sent || fmt.Sprint(hit) != c.changed || fmt.Sprint(v.Recipe.Frames) != c.changed {
			t.Errorf("%s with evidence on frame %d: sent %v, changed %v, recipe %v; want %s and %s", c.condition, c.evidence, v.Sent, hit, v.Recipe.Frames, c.sent, c.changed)
		}
	}
}

// A control changes as much as the evidence, within a quarter, in tissue like its own; elsewhere there is none.
func TestControlChangesAsMuch(t *testing.T) {
	yes, gold, found := true, "A", 0
	for _, fill := range []string{"mean", "tissue", "blur"} {
		for _, at := range [][2]float64{{.3, .3}, {.2, .6}, {.55, .45}, {.12, .12}, {.02, .4}} {
			evidence := box(at[0], at[1], at[0]+.1, at[1]+.15)
			s := one{
				questions: []review.Question{{ID: "q1", K: 3, Text: "Left?", Options: options("AB")}},
				truth:     []review.Truth{{Case: "case-1", Question: "q1", Gold: &gold, Present: &yes, Evidence: []review.Region{evidence}}},
			}
			change := map[string]review.Recipe{}
			for _, image := range []string{"occ", "ctl"} {
				v, err := Study{Source: s, Truth: s.truth}.View(t.Context(), Sight{Case: "case-1", Question: "q1", Condition: review.Condition{Image: image, Fill: fill}, Seed: 1})
				if err != nil && (image == "occ" || !strings.Contains(err.Error(), "no control")) {
					t.Fatalf("%s/%s at %v: %v", image, fill, at, err)
				}
				if err == nil {
					change[image] = v.Recipe
				}
			}
			if len(change) < 2 {
				continue
			}
			found++
			if a, b := change["occ"].Change, change["ctl"].Change; math.Abs(a-b) > a/4 {
				t.Errorf("%s at %v: the evidence changes by %g, its control by %g", fill, at, a, b)
			}
			if c := change["ctl"].Regions[0].Coords; c[0] < at[0]+.1 && c[2] > at[0] && c[1] < at[1]+.15 && c[3] > at[1] {
				t.Errorf("%s at %v: the control %v lies on the evidence", fill, at, c)
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d controls were found", found)
	}
}
