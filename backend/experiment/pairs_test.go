package experiment

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/review"
)

// supplied is a study whose dataset supplies pairs of its image: without the finding, and with one put in.
type supplied struct {
	without, with [][]byte
	err           error
}

func (s supplied) Without(_ context.Context, _ review.CaseID, image review.ImageID) ([][]byte, error) {
	if s.err == nil && (s.without == nil || image != "xr") {
		return nil, fault.New(fault.NotFound, "open counterpart", "", "none is supplied")
	}
	return s.without, s.err
}

func (s supplied) With(context.Context, review.CaseID) (map[review.ImageID][][]byte, map[review.QuestionID]string, []review.Region, error) {
	if s.err == nil && s.with == nil {
		return nil, nil, nil, fault.New(fault.NotFound, "open counterpart", "", "none is supplied")
	}
	return map[review.ImageID][][]byte{"xr": s.with}, nil, nil, s.err
}

// finding is where the picture of one differs from its pair: a square of 10 pixels.
var finding = box(30./side, 30./side, 40./side, 40./side)

func withSquare(t *testing.T, s one, value byte) []byte {
	t.Helper()
	_, data, err := s.Samples(t.Context(), "case-1", "xr", 0)
	if err != nil {
		t.Fatal(err)
	}
	out := bytes.Clone(data.Data)
	for y := 30; y < 40; y++ {
		for x := 30; x < 40; x++ {
			out[y*side+x] = value
		}
	}
	return out
}

// pairedCase is one case with a question of which the right answer asserts something, or nothing.
func pairedCase(present bool, evidence ...review.Region) one {
	gold := map[bool]string{true: "A", false: "B"}[present]
	q := review.Question{ID: "q1", K: 3, Stage: "S3", Text: "Which?", Options: options("AB")}
	truth := review.Truth{Case: "case-1", Question: "q1", Gold: &gold, Present: &present, Evidence: evidence}
	if a := "A"; !present {
		truth.Inserted = &review.InsertedGold{Gold: &a, Evidence: []review.Region{finding}}
	}
	return one{[]review.Question{q}, []review.Truth{truth}}
}

func seen(t *testing.T, s one, pairs Bare, condition string) (View, error) {
	t.Helper()
	c, err := review.ParseCondition(condition)
	if err != nil {
		t.Fatal(err)
	}
	return Study{Source: s, Truth: s.truth, Bare: pairs}.View(t.Context(), Sight{Case: "case-1", Question: "q1", Condition: c, Seed: 3})
}

func TestSuppliedPairWithoutTheFinding(t *testing.T) {
	s := pairedCase(true, finding)
	pair := withSquare(t, s, 139) // the tissue around, without its texture
	for _, condition := range []string{"occ", "occ/remove"} {
		v, err := seen(t, s, supplied{without: [][]byte{pair}}, condition)
		if err != nil || !bytes.Equal(v.Samples[0].Data, pair) || v.Recipe.Fill != "remove" || !slices.Equal(v.Recipe.Frames, []int{0}) || v.Recipe.Change <= 0 {
			t.Errorf("%s: %+v, %v", condition, v.Recipe, err)
		}
	}
	control, err := seen(t, s, supplied{without: [][]byte{pair}}, "ctl")
	if err != nil || control.Recipe.Fill != "remove" || len(control.Recipe.Regions) != 1 {
		t.Fatalf("%+v, %v", control.Recipe, err)
	}
	own, err := seen(t, s, nil, "original")
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for i, v := range control.Samples[0].Data {
		x, y := i%side, i/side
		if v != own.Samples[0].Data[i] {
			changed++
			if x >= 30 && x < 40 && y >= 30 && y < 40 {
				t.Fatal("the control changes the finding")
			}
		}
	}
	if changed == 0 {
		t.Error("the control changes nothing")
	}
	if v, err := seen(t, s, supplied{}, "occ"); err != nil || v.Recipe.Fill != "tissue" { // the best available: remove, else tissue
		t.Errorf("%+v, %v", v.Recipe, err)
	}
}

func TestSuppliedPairWithAFinding(t *testing.T) {
	s := pairedCase(false)
	pair := withSquare(t, s, 250)
	v, err := seen(t, s, supplied{with: [][]byte{pair}}, "insert")
	if err != nil || !bytes.Equal(v.Samples[0].Data, pair) || v.Recipe.Fill != "insert" || len(v.Recipe.Regions) != 1 {
		t.Fatalf("%+v, %v", v.Recipe, err)
	}
	plan, err := NewPlan([]string{"scripted"}, []review.CaseID{"case-1"}, []string{"insert"}, 1, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	book := newShelf()
	m := &scripted{answer: func(int, model.Request) (model.Reply, error) { return says("A"), nil }}
	study := Study{Source: s, Truth: s.truth, Bare: supplied{with: [][]byte{pair}}}
	if status, err := (Runner{Study: study, Models: m.models(1), Book: book, Now: time.Now}).Do(t.Context(), plan); err != nil || len(status.Failed)+len(status.NotApplicable) > 0 {
		t.Fatalf("%+v, %v", status, err)
	}
	for _, o := range book.made {
		if o.Targets["q1"] != "A" {
			t.Errorf("targets %v: the right answer once the finding is put in was expected", o.Targets)
		}
	}
	if len(book.made) != 1 {
		t.Errorf("%d chains", len(book.made))
	}
}

// A pair that cannot be used makes a condition not applicable, with the reason; where the fill is free, the next best is taken.
func TestBadPairs(t *testing.T) {
	broken := fault.New(fault.Damaged, "decode frame", "pair.png", "the picture ends early")
	for name, c := range map[string]struct {
		pairs           supplied
		remove, inserts string
	}{
		"none":           {supplied{}, "no phantom and no supplied pair", "no phantom and no supplied pair"},
		"undecodable":    {supplied{err: broken}, "the picture ends early", "the picture ends early"},
		"of more frames": {supplied{without: make([][]byte, 2), with: make([][]byte, 2)}, "2 frames", "found 2"},
		"of other size":  {supplied{without: [][]byte{{1, 2}}, with: [][]byte{{1, 2}}}, "bytes expected, found 2", "bytes expected, found 2"},
	} {
		yes := pairedCase(true, finding)
		for _, condition := range []string{"occ/remove", "ctl/remove"} {
			if _, err := seen(t, yes, c.pairs, condition); fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), c.remove) {
				t.Errorf("%s, %s: %v", name, condition, err)
			}
		}
		if name != "of other size" { // told apart only where the samples are put in
			if v, err := seen(t, yes, c.pairs, "occ"); err != nil || v.Recipe.Fill != "tissue" {
				t.Errorf("%s, occ: %+v, %v", name, v.Recipe, err)
			}
		}
		if _, err := seen(t, pairedCase(false), c.pairs, "insert"); fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), c.inserts) {
			t.Errorf("%s, insert: %v", name, err)
		}
	}
	if _, err := seen(t, pairedCase(true, finding), supplied{err: fault.New(fault.IO, "read", "", "disk gone")}, "occ/remove"); fault.KindOf(err) != fault.IO {
		t.Errorf("a disk that cannot be read: %v", err)
	}
}
