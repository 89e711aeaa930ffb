package experiment

import (
	"context"
	"slices"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// A View is one image of a case as a model was sent it: its frames after the condition's change, in the order sent.
type View struct {
	Frames  []review.Frame
	Samples []review.Samples
	Sent    []int // for each, which frame of the image it is, 0-based
	Recipe  review.Recipe
}

// A Sight names the pictures of one question under a condition. The same sight of the same dataset gives the same pixels.
type Sight struct {
	Case      review.CaseID
	Question  review.QuestionID
	Condition review.Condition
	Seed      int64           // of the run
	Donor     review.CaseID   // whose image stands in for the case's; "": its own
	Image     int             // by its place in the case, from 0
	Regions   []review.Region // that a reader pointed to
}

// View makes the pictures of a sight, to be looked at. Faults: NotFound for a case, question or image that is not there and where the
// condition makes no sense for the case or sends no image.
func (s Study) View(ctx context.Context, at Sight) (View, error) {
	const op = "show pictures of a condition"
	if s.Wording.Schema == "" {
		s.Wording = DefaultWording()
	}
	l, err := newLibrary(ctx, s, nil, []review.Condition{{Image: at.Condition.Image}})
	if err != nil {
		return View{}, err
	}
	u, err := l.get(ctx, at.Case)
	if err != nil {
		return View{}, err
	}
	if at.Donor != "" && at.Donor != at.Case {
		if u.donor, err = l.load(ctx, at.Donor); err != nil {
			return View{}, err
		}
	}
	q := slices.IndexFunc(u.questions, func(q review.Question) bool { return q.ID == at.Question })
	if q < 0 {
		return View{}, fault.New(fault.NotFound, op, string(at.Question), "the case has no such question")
	}
	c := at.Condition
	if name, _ := drawn(c); name != "" {
		if _, cued := u.cueFor(c, u.questions[q], s.Wording); !cued {
			c.Cue = ""
		}
	}
	w, err := u.want(c, u.questions[q], at.Seed)
	if c.Cue == emphasisCue && len(at.Regions) > 0 {
		w.cue, w.right, w.regions = "box", true, at.Regions
	}
	if err == nil && w.image == "none" {
		err = unfit("no image is sent under this condition")
	}
	if err != nil {
		return View{}, seeable(op, at, err)
	}
	p := picture{recipe: w.recipe()}
	from := u
	if w.image == "swap" {
		from = u.donor
	}
	if at.Image < 0 || at.Image >= len(from.stacks) {
		return View{}, fault.New(fault.NotFound, op, string(at.Case), "there is no image %d", at.Image+1)
	}
	changed, sent, err := s.changed(ctx, w, from, at.Image, &p)
	if err != nil {
		return View{}, seeable(op, at, err)
	}
	v := View{Sent: sent, Recipe: p.recipe}
	if changed == nil {
		return v, fault.New(fault.NotFound, op, string(at.Case), "no frame of the image is sent")
	}
	for _, n := range sent {
		f, d := changed.Frame(n)
		v.Frames, v.Samples = append(v.Frames, f), append(v.Samples, d)
	}
	return v, nil
}

// seeable turns what makes a condition not applicable into a fault for a person.
func seeable(op string, at Sight, err error) error {
	if isUnfit(err) {
		return fault.New(fault.NotFound, op, string(at.Case), "%s", err.Error())
	}
	return err
}
