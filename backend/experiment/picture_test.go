package experiment

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/review"
)

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
		{"occ/mean", 1, "", "", "no pixel of a frame that is sent"},
		{"occ/mean", 6, "", "", "frame"},
		{"ctl/mean", 3, "[0 2 3 4 5]", "[3]", ""},
		{"only/mean", 3, "[0 2 3 4 5]", "[0 2 3 4 5]", ""},
		{"blank", 3, "[0 2 3 4 5]", "[0 2 3 4 5]", ""},
		{"mirror", 3, "[0 2 3 4 5]", "[0 2 3 4 5]", ""},
		{"box-right", 4, "[0 2 3 4 5]", "[4]", ""},
		{"box-right", 1, "", "", "no pixel of a frame that is sent"},
		{"key", 4, "[4]", "[]", ""},
		{"key", 1, "", "", "no frame of the image is sent"},
		{"drop", 4, "[0 2 3 5]", "[]", ""},
		{"slab-occ", 2, "[0 2 3 4 5]", "[2]", ""},
		{"slab-ctl", 2, "[0 2 3 4 5]", "[3]", ""},
		{"slab-ctl", 5, "[0 2 3 4 5]", "[4]", ""},
		{"slab-ctl", 0, "[0 2 3 4 5]", "[2]", ""},
		{"slices:0-3", 3, "[0 2 3]", "[]", ""},
		{"slices:1-1", 3, "", "", "no frame of the image is sent"},
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

// long is a study of one case with 253 frames, of which every fourth is sent.
type long struct{ gap }

func (s long) Stacks(context.Context, review.CaseID) ([]review.Stack, []review.Problem, error) {
	stack := review.Stack{Image: "xr", Kind: review.Volume, Modality: "OT"}
	for n := range 4*(mostSent-1) + 1 {
		f := s.frame()
		f.Index = n
		stack.Frames = append(stack.Frames, f)
	}
	return []review.Stack{stack}, nil, nil
}

func (s long) Samples(ctx context.Context, id review.CaseID, image review.ImageID, n int) (review.Frame, review.Samples, error) {
	f, data, err := s.one.Samples(ctx, id, image, n)
	f.Index = n
	return f, data, err
}

// Of a long volume some frames are sent. What lies between them is not shown, so nothing is tested by changing it, and no control lies there.
func TestEvidenceThatIsNotSent(t *testing.T) {
	for _, c := range []struct {
		from, to int
		fits     bool
	}{{40, 40, true}, {41, 43, false}, {41, 45, true}, {0, 0, true}, {252, 252, true}} {
		yes, gold := true, "A"
		evidence := box(.3, .3, .4, .4)
		evidence.From, evidence.To = &c.from, &c.to
		s := long{gap{one{
			questions: []review.Question{{ID: "q1", K: 3, Text: "Left?", Options: options("AB")}},
			truth:     []review.Truth{{Case: "case-1", Question: "q1", Gold: &gold, Present: &yes, Evidence: []review.Region{evidence}}},
		}}}
		for _, image := range []string{"occ", "ctl", "only", "onlyctl"} {
			at := Sight{Case: "case-1", Question: "q1", Condition: review.Condition{Image: image, Fill: "mean"}, Seed: 1}
			v, err := Study{Source: s, Truth: s.truth}.View(t.Context(), at)
			if !c.fits {
				if fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), "no pixel of a frame that is sent") {
					t.Errorf("%s on frames %d to %d: %v", image, c.from, c.to, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s on frames %d to %d: %v", image, c.from, c.to, err)
				continue
			}
			if len(v.Sent) != mostSent || len(v.Recipe.Frames) == 0 {
				t.Errorf("%s on frames %d to %d: %d frames sent, %v changed", image, c.from, c.to, len(v.Sent), v.Recipe.Frames)
			}
			for _, n := range v.Recipe.Frames {
				if n%4 != 0 {
					t.Errorf("%s on frames %d to %d: frame %d was changed and not sent", image, c.from, c.to, n)
				}
			}
		}
	}
}

// Shuffled frames of a long volume are those that are sent in order otherwise.
func TestShuffledFramesAreTheSame(t *testing.T) {
	s := long{gap{one{questions: []review.Question{{ID: "q1", K: 3, Text: "Left?", Options: options("AB")}}}}}
	sent := func(c review.Condition) []int {
		v, err := Study{Source: s}.View(t.Context(), Sight{Case: "case-1", Question: "q1", Condition: c, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return v.Sent
	}
	plain, shuffled := sent(review.Condition{}), sent(review.Condition{Volume: "shuffle"})
	if slices.Equal(plain, shuffled) || !slices.Equal(plain, slices.Sorted(slices.Values(shuffled))) {
		t.Errorf("in order %v, shuffled %v", plain, shuffled)
	}
}

// A drawn cue lies around the place that the recipe tells, which is the evidence, its mirror image, or elsewhere; also on an image that is changed
// as a whole.
func TestCueIsDrawnWhereTheRecipeSays(t *testing.T) {
	yes, gold := true, "A"
	evidence := box(.25, .3, .35, .4)
	s := one{
		questions: []review.Question{{ID: "q1", K: 3, Text: "Left?", Options: []review.Option{{Letter: "A", Text: "left"}, {Letter: "B", Text: "right"}}}},
		truth:     []review.Truth{{Case: "case-1", Question: "q1", Gold: &gold, Present: &yes, Side: "left", Evidence: []review.Region{evidence}}},
	}
	view := func(condition review.Condition) (View, error) {
		return Study{Source: s, Truth: s.truth}.View(t.Context(), Sight{Case: "case-1", Question: "q1", Condition: condition, Seed: 1})
	}
	mirrored := []float64{.65, .3, .75, .4}
	for _, c := range []struct {
		image, cue string
		want       []float64 // about; nil: anywhere clear of the evidence
	}{
		{"", "box-right", evidence.Coords}, {"", "box-wrong", nil}, {"", "highlight", evidence.Coords}, {"blank", "box-right", evidence.Coords}, {"blank", "box-wrong", nil},
		{"mirror", "box-right", mirrored}, {"mirror", "box-wrong", nil},
	} {
		plain, err := view(review.Condition{Image: c.image})
		if err != nil {
			t.Fatal(err)
		}
		cued, err := view(review.Condition{Image: c.image, Cue: c.cue})
		if err != nil {
			t.Errorf("%s+%s: %v", c.image, c.cue, err)
			continue
		}
		x0, y0, x1, y1 := side, side, 0, 0
		for i, v := range cued.Samples[0].Data {
			if v != plain.Samples[0].Data[i] {
				x0, y0, x1, y1 = min(x0, i%side), min(y0, i/side), max(x1, i%side+1), max(y1, i/side+1)
			}
		}
		if x1 == 0 || len(cued.Recipe.Regions) != 1 {
			t.Errorf("%s+%s: nothing is drawn, or not told: %v", c.image, c.cue, cued.Recipe.Regions)
			continue
		}
		told := cued.Recipe.Regions[0].Coords
		const line = 4. / side // a box is drawn around its place
		for i, v := range []int{x0, y0, x1, y1} {
			if math.Abs(float64(v)/side-told[i]) > line || c.want != nil && math.Abs(told[i]-c.want[i]) > 2./side {
				t.Errorf("%s+%s: drawn in %d %d to %d %d, told %v, want %v", c.image, c.cue, x0, y0, x1, y1, told, c.want)
				break
			}
		}
		avoid := evidence.Coords
		if c.image == "mirror" {
			avoid = mirrored
		}
		if c.want == nil && told[0] < avoid[2] && told[2] > avoid[0] && told[1] < avoid[3] && told[3] > avoid[1] {
			t.Errorf("%s+%s: the wrong place %v is the right one", c.image, c.cue, told)
		}
	}
	if _, err := view(review.Condition{Image: "none", Cue: "box-right"}); err == nil || !strings.Contains(err.Error(), "no image is sent") {
		t.Errorf("a cue drawn into no image: %v", err)
	}
}

// even is a study of one case whose picture is the same everywhere but for one pixel.
type even struct{ one }

func (s even) Samples(context.Context, review.CaseID, review.ImageID, int) (review.Frame, review.Samples, error) {
	data := bytes.Repeat([]byte{100}, side*side)
	data[0] = 0
	return s.frame(), review.Samples{Rows: side, Columns: side, PerPixel: 1, BitsAllocated: 8, Data: data}, nil
}

// Where a fill leaves every pixel what it was nothing is tested, and the condition does not apply.
func TestNothingIsChanged(t *testing.T) {
	yes, a := true, "A"
	questions := []review.Question{{ID: "q1", K: 3, Text: "Left?", Options: options("AB")}}
	truth := []review.Truth{{Case: "case-1", Question: "q1", Gold: &a, Present: &yes, Evidence: []review.Region{box(.3, .3, .4, .4)}}}
	plan, err := NewPlan([]string{"scripted"}, []review.CaseID{"case-1"}, []string{"original", "occ/mean", "ctl/mean", "box-right", "blank"}, 1, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	m := &scripted{answer: func(int, model.Request) (model.Reply, error) { return says("A"), nil }}
	study := Study{Source: even{one{questions: questions, truth: truth}}, Truth: truth}
	status, err := Runner{Study: study, Models: m.models(1), Book: newShelf(), Now: time.Now}.Do(t.Context(), plan)
	if err != nil || status.Chains != 3 || len(status.NotApplicable) != 1 || status.NotApplicable[0] != (Count{"nothing that is sent would be changed", 2}) {
		t.Errorf("%+v, %v", status, err)
	}
}

// several is a study of one case with a volume of four frames, a film and a picture that cannot be read.
type several struct{ gap }

func (s several) Stacks(context.Context, review.CaseID) ([]review.Stack, []review.Problem, error) {
	f := s.frame()
	volume := review.Stack{Image: "ct", Kind: review.Volume, Modality: "CT"}
	for n := range 4 {
		f.Index = n
		volume.Frames = append(volume.Frames, f)
	}
	f.Index = 0
	film := review.Stack{Image: "film", Kind: review.SingleImage, Modality: "DX", Frames: []review.Frame{f}}
	lost := review.Stack{Image: "lost", Kind: review.SingleImage, Modality: "OT", Frames: []review.Frame{{Problem: "its pixel data ends early"}}}
	return []review.Stack{volume, film, lost}, nil, nil
}

func (s several) Samples(ctx context.Context, id review.CaseID, image review.ImageID, n int) (review.Frame, review.Samples, error) {
	f, data, err := s.one.Samples(ctx, id, image, n)
	if image == "lost" {
		err = errors.New("the picture that cannot be read was asked for")
	}
	f.Index = n
	return f, data, err
}

// Of several images that is changed in which the evidence lies; where that cannot be read, nothing is tested.
func TestEvidenceInOneOfSeveralImages(t *testing.T) {
	frame := 2
	for _, c := range []struct {
		condition, image string
		sent             int
		frames           string
		why              string
	}{
		{"occ/mean", "ct", 5, "[2]", ""},
		{"occ/mean", "film", 5, "[0]", ""},
		{"occ/mean", "lost", 0, "", "the evidence lies in no image that is sent"},
		{"box-right", "lost", 0, "", "the evidence lies in no image that is sent"},
		{"occ/black", "film", 0, "", "black is air on a radiograph"},
		{"only/black", "film", 0, "", "black is air on a radiograph"},
		{"key", "ct", 2, "[]", ""},
		{"drop", "ct", 4, "[]", ""},
		{"slices:1-2", "ct", 3, "[]", ""},
		{"slices:7-9", "ct", 1, "[]", ""},
		{"mirror", "ct", 5, "[0 1 2 3 0]", ""},
	} {
		yes, gold := true, "A"
		evidence := box(.3, .3, .4, .4)
		evidence.Image = review.ImageID(c.image)
		if c.image == "ct" {
			evidence.Frame = &frame
		}
		s := several{gap{one{
			questions: []review.Question{{ID: "q1", K: 3, Text: "Left?", Options: options("AB")}},
			truth:     []review.Truth{{Case: "case-1", Question: "q1", Gold: &gold, Present: &yes, Side: "left", Evidence: []review.Region{evidence}}},
		}}}
		condition, err := review.ParseCondition(c.condition)
		if err != nil {
			t.Fatal(err)
		}
		study := Study{Source: s, Truth: s.truth}
		l, err := newLibrary(t.Context(), study, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		u, err := l.get(t.Context(), "case-1")
		if err != nil {
			t.Fatal(err)
		}
		w, err := u.want(condition, u.questions[0], 1)
		if err != nil {
			t.Fatal(err)
		}
		p, err := study.make(t.Context(), w)
		if c.why != "" {
			if !isUnfit(err) || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%s with evidence in %s: %v, want %q", c.condition, c.image, err, c.why)
			}
			continue
		}
		if err != nil || len(p.images) != c.sent || len(p.sent) != c.sent || fmt.Sprint(p.recipe.Frames) != c.frames {
			t.Errorf("%s with evidence in %s: %d images, changed %v, %v", c.condition, c.image, len(p.images), p.recipe.Frames, err)
		}
		byImage := map[string]string{"occ/mean in ct": "map[ct:[2]]", "occ/mean in film": "map[film:[0]]", "mirror in ct": "map[ct:[0 1 2 3] film:[0]]"}[c.condition+" in "+c.image]
		if got := fmt.Sprint(p.recipe.ByImage); got != cmp.Or(byImage, "map[]") {
			t.Errorf("%s with evidence in %s: by image %s, want %s", c.condition, c.image, got, byImage)
		}
		for _, at := range p.sent {
			if (at.Image == "film") != at.Whole || at.Whole == (at.Frame != nil) {
				t.Errorf("%s: sent %+v", c.condition, at)
			}
		}
	}
}
