package experiment

import (
	"context"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/pixels"
	"plumbline/backend/review"
)

// inserted is the image of a case with a finding put in where there is none.
type inserted struct {
	frames  [][]byte
	right   map[review.QuestionID]string // the right answers that this makes
	regions []review.Region
}

// insertedInto renders a finding into the image of a case that has none; nil where that cannot be done.
func (s Study) insertedInto(ctx context.Context, u *subject) (*inserted, error) {
	i, can := s.Bare.(Inserter)
	if !can {
		return nil, nil
	}
	frames, right, at, err := i.With(ctx, u.ID)
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &inserted{frames, right, at}, nil
}

// insert puts the finding into the image.
func insert(w wanted, c *pixels.Changeable, p *picture) error {
	with := w.of.inserted
	if with == nil || len(with.frames) != c.Frames() {
		return unfit("no finding can be put into this image: no phantom and no supplied pair")
	}
	p.recipe.Fill, p.recipe.Regions = "insert", append(p.recipe.Regions, with.regions...)
	_, err := replaceAll(c, with.frames)
	return err
}

// mirroredOption gives the option that is right in an image with left and right exchanged; "" where the right answer names no side.
func (u *subject) mirroredOption(q review.Question) string {
	gold, known := u.gold(q)
	if !known {
		return ""
	}
	other := otherSide(optionText(q, gold))
	for _, o := range q.Options {
		if other != "" && strings.EqualFold(o.Text, other) {
			return o.Letter
		}
	}
	return ""
}

// sideways says why left and right of the patient cannot be exchanged by exchanging columns; "" where they can. Images without an orientation
// (films, pictures) are taken to be hung as usual.
func sideways(stacks []review.Stack) string {
	for _, s := range stacks {
		if len(s.Frames) == 0 {
			continue
		}
		f := s.Frames[0] // the frames of a stack lie alike
		if f.ExifOrientation >= 5 {
			return "the image is stored on its side: its columns do not run from one side of the patient to the other"
		}
		if o := f.Orientation; len(o) == 6 && o[0]*o[0] < .5 {
			return "the image is not seen from the front, the back, above or below: its columns do not run from one side of the patient to the other"
		}
		if p := f.PatientOrientation; len(p) == 2 && p[0] != "" && !strings.ContainsAny(p[0][:1], "LR") {
			return "the rows of the image do not run from one side of the patient to the other"
		}
	}
	return ""
}
