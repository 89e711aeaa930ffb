package experiment

import (
	"context"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/pixels"
	"plumbline/backend/review"
)

// inserted is the images of a case with a finding put in where there is none.
type inserted struct {
	frames  map[review.ImageID][][]byte
	right   map[review.QuestionID]string // the right answers that this makes
	regions []review.Region
	wrong   string // why what was supplied cannot be used; "": it can
}

// insertedInto puts a finding into the images of a case that has none; nil where that cannot be done.
func (s Study) insertedInto(ctx context.Context, u *subject) (*inserted, error) {
	i, can := s.Bare.(Inserter)
	if !can {
		return nil, nil
	}
	frames, right, at, err := i.With(ctx, u.ID)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		return nil, nil
	case unusable(err):
		return &inserted{wrong: err.Error()}, nil
	case err != nil:
		return nil, err
	}
	if right == nil {
		right, at = u.supplied()
	}
	return &inserted{frames: frames, right: right, regions: at}, nil
}

// supplied gives the right answers and the places that the truth has for the case with a finding put in.
func (u *subject) supplied() (right map[review.QuestionID]string, at []review.Region) {
	right = map[review.QuestionID]string{}
	seen := map[string]bool{}
	for _, q := range u.questions {
		with := u.truth[q.ID].Inserted
		if with == nil {
			continue
		}
		if letter, known := goldFor(q, with.Gold); known {
			right[q.ID] = letter
		}
		for _, r := range with.Evidence {
			if key := regionKey([]review.Region{r}); !seen[key] {
				seen[key] = true
				at = append(at, r)
			}
		}
	}
	return right, at
}

// unusable says whether an error tells of a supplied image that cannot be used: a matter of that image, which fails no run.
func unusable(err error) bool {
	kind := fault.KindOf(err)
	return err != nil && (kind == fault.Invalid || kind == fault.Damaged || kind == fault.NotFound)
}

// insert puts the finding into one image of the case; one without a counterpart stays as it is beside another that has one.
func insert(w wanted, image review.ImageID, c *pixels.Changeable, p *picture) error {
	with := w.of.inserted
	if with == nil {
		return unfit("no finding can be put into this image: no phantom and no supplied pair")
	}
	if with.wrong != "" {
		return unfit("the supplied pair cannot be used: %s", with.wrong)
	}
	frames := with.frames[image]
	if frames == nil {
		return nil
	}
	if len(frames) != c.Frames() {
		return unfit("the supplied pair cannot be used: %d frames expected, found %d", c.Frames(), len(frames))
	}
	p.recipe.Fill, p.recipe.Regions = "insert", append(p.recipe.Regions, ofImage(with.regions, image)...)
	if _, err := replaceAll(c, frames); err != nil {
		return unfit("the supplied pair cannot be used: %v", err)
	}
	return nil
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
