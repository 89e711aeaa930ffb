package dataset

import (
	"context"
	"fmt"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// isCounterpart tells the supplied pair of an image: the same image without its finding, or with one put in. It is for conditions alone: no
// reader and no model is shown it beside the image that it belongs to.
func isCounterpart(m review.Image) bool {
	return m.DerivedFrom != "" && (m.Intervention == review.Removed || m.Intervention == review.Inserted)
}

// checkCounterparts says which counterparts cannot stand in for their image, and lets go of them. It is called once the files are known.
func (s *Set) checkCounterparts(t *troubles) error {
	for _, id := range s.order {
		e := s.cases[id]
		seen := map[string]bool{}
		for i := range e.Images {
			m := &e.Images[i]
			if m.Pair == "" {
				continue
			}
			wrong, err := s.unpaired(e, *m)
			if err != nil {
				return err
			}
			if key := m.Pair + "\x00" + string(m.Of); seen[key] && wrong == "" {
				wrong = "there is another; the first is used"
			} else if wrong == "" {
				seen[key] = true
			}
			if wrong != "" {
				t.addf(id, casesFile, e.At.Line, "images", "case %s: image %s, counterpart of image %s: %s", id, m.ID, m.Of, wrong)
				m.Stack = ""
			}
		}
	}
	return nil
}

// unpaired says why a counterpart cannot stand in for its image; "" where it can, or where its own files are a problem already.
func (s *Set) unpaired(e *entry, m imageEntry) (string, error) {
	of := -1
	for i, o := range e.Images {
		if o.ID == m.Of && o.Pair == "" {
			of = i
		}
	}
	switch {
	case of < 0:
		return "that is no image of this case that is shown", nil
	case m.Stack == "" || e.Images[of].Stack == "":
		return "", nil
	}
	with, err := s.stack(m.Stack)
	if err != nil {
		return "", err
	}
	own, err := s.stack(e.Images[of].Stack)
	if err != nil {
		return "", err
	}
	return unlike(own.Stack, with.Stack), nil
}

// unlike says in what a stack's samples cannot stand in for another's; "" where they can.
func unlike(own, with review.Stack) string {
	if len(own.Frames) != len(with.Frames) {
		return fmt.Sprintf("%d frames expected, found %d", len(own.Frames), len(with.Frames))
	}
	for n, a := range own.Frames {
		b := with.Frames[n]
		switch {
		case a.Rows != b.Rows || a.Columns != b.Columns:
			return fmt.Sprintf("frame %d: %d × %d pixels expected, found %d × %d", n, a.Columns, a.Rows, b.Columns, b.Rows)
		case a.Samples != b.Samples || a.BitsAllocated != b.BitsAllocated || a.Signed != b.Signed:
			return fmt.Sprintf("frame %d: %d samples of %d bits expected (signed: %v), found %d of %d (%v)", n, a.Samples, a.BitsAllocated, a.Signed, b.Samples, b.BitsAllocated, b.Signed)
		case a.Photometric != b.Photometric || a.Slope != b.Slope || a.Intercept != b.Intercept || a.ExifOrientation != b.ExifOrientation:
			return fmt.Sprintf("frame %d: its stored values mean something else (photometric, slope, intercept or orientation)", n)
		}
	}
	return ""
}

// Without gives the frames of an image without its finding, as stored, from the pair that the dataset supplies: an image of the case with
// "derived_from" this one and the intervention "remove". Faults: NotFound where none is supplied, Invalid and Damaged where it cannot be
// decoded, IO, Cancelled.
func (s *Set) Without(ctx context.Context, id review.CaseID, image review.ImageID) ([][]byte, error) {
	return s.counterpart(ctx, id, image, review.Removed)
}

// With gives the frames of every image of a case into which the dataset supplies a finding put in (intervention "insert"), by image. What is
// then right, and where the finding lies, stands in truth.jsonl ("inserted") and is not given here. Faults as for Without.
func (s *Set) With(ctx context.Context, id review.CaseID) (frames map[review.ImageID][][]byte, right map[review.QuestionID]string, at []review.Region, err error) {
	e := s.cases[id]
	if e == nil {
		return nil, nil, nil, fault.New(fault.NotFound, "open counterpart", string(id), "no such case in the dataset")
	}
	frames = map[review.ImageID][][]byte{}
	for _, m := range e.Images {
		if m.Pair != review.Inserted || m.Stack == "" || frames[m.Of] != nil {
			continue
		}
		if frames[m.Of], err = s.counterpart(ctx, id, m.Of, review.Inserted); err != nil {
			return nil, nil, nil, err
		}
	}
	if len(frames) == 0 {
		return nil, nil, nil, fault.New(fault.NotFound, "open counterpart", string(id), "none is supplied")
	}
	return frames, nil, nil, nil
}

// counterpart decodes the frames of a counterpart.
func (s *Set) counterpart(ctx context.Context, id review.CaseID, image review.ImageID, kind string) ([][]byte, error) {
	const op = "open counterpart"
	if e := s.cases[id]; e != nil {
		for _, m := range e.Images {
			if m.Pair != kind || m.Of != image || m.Stack == "" {
				continue
			}
			out := make([][]byte, 0, m.Frames)
			for n := range m.Frames {
				_, samples, err := s.Samples(ctx, id, m.ID, n)
				if err != nil {
					return nil, fault.In(op, string(id), err)
				}
				out = append(out, samples.Data)
			}
			return out, nil
		}
	}
	return nil, fault.New(fault.NotFound, op, string(id)+"/"+string(image), "none is supplied")
}
