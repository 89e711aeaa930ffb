package sample

import (
	"context"
	"fmt"
	"sync"

	"plumbline/backend/fault"
	"plumbline/backend/phantom"
	"plumbline/backend/review"
)

// A Study is the sample study of one seed, ready to be rendered again without its findings: the exact removal that no real image allows.
// It may be used by many goroutines at once.
type Study struct{ plan *plan }

// OpenStudy makes out whether a dataset is the sample study; false where it is not.
func OpenStudy(info review.Dataset) (*Study, bool) {
	var seed int64
	if info.Name != studyName {
		return nil, false
	}
	if _, err := fmt.Sscanf(info.Source, "plumb sample --seed %d", &seed); err != nil || info.Source != source(seed) {
		return nil, false
	}
	return &Study{newPlan(seed)}, true
}

// Without renders the frames of a case's one image without its finding, each as it is stored in the study's files: 16-bit samples,
// little-endian. It fails for a case without a finding (fault NotFound).
func (s *Study) Without(ctx context.Context, id review.CaseID, _ review.ImageID) ([][]byte, error) {
	const op = "render without the finding"
	for _, c := range s.plan.cases {
		if c.id != string(id) {
			continue
		}
		which := len(c.exam.scene.Findings) - 1
		if which < 0 {
			return nil, fault.New(fault.NotFound, op, string(id), "the case has no finding")
		}
		if c.exam.film {
			_, without := c.exam.scene.FilmPair(which)
			return [][]byte{storedFilm(without)}, nil
		}
		bare := c.exam.scene.Without(which)
		out, err := renderCT(ctx, bare)
		if err != nil {
			return nil, fault.In(op, string(id), err)
		}
		return out, nil
	}
	return nil, fault.New(fault.NotFound, op, string(id), "no such case in the study")
}

// With renders the frames of a case's image with a nodule put into it, as they are stored in the study's files, where it has no finding; with
// them the right answers that this makes, by question, and where the nodule lies. Only a CT has room for it: elsewhere, and for a case with a
// finding, fault NotFound.
func (s *Study) With(ctx context.Context, id review.CaseID) (frames map[review.ImageID][][]byte, right map[review.QuestionID]string, at []review.Region, err error) {
	const op = "render with a finding"
	for _, c := range s.plan.cases {
		if c.id != string(id) {
			continue
		}
		if len(c.exam.scene.Findings) > 0 || c.exam.film {
			return nil, nil, nil, fault.New(fault.NotFound, op, string(id), "a finding is put into a CT without one")
		}
		salt := number(s.plan.seed, "insert", c.exam.patient, c.exam.number)
		side := []phantom.Side{phantom.Right, phantom.Left}[salt%2]
		with := *c.exam
		with.scene = c.exam.scene.With(c.exam.scene.Body.NewNodule(side, phantom.LowerLobe, 22, false, salt))
		right = map[review.QuestionID]string{}
		for _, q := range c.questions(s.plan.seed) {
			if letter := q.letter(with.gold(q.ID)); letter != "" {
				right[q.ID] = letter
			}
		}
		made, err := renderCT(ctx, with.scene)
		if where, found := with.scene.Extent(0); found {
			at = append(at, *evidence(where, phantom.Columns, phantom.Rows, false))
		}
		return map[review.ImageID][][]byte{imageID: made}, right, at, fault.In(op, string(id), err)
	}
	return nil, nil, nil, fault.New(fault.NotFound, op, string(id), "no such case in the study")
}

// renderCT renders the frames of a scene as they are stored.
func renderCT(ctx context.Context, scene *phantom.Scene) ([][]byte, error) {
	out := make([][]byte, phantom.Frames)
	var group sync.WaitGroup
	for part := range 4 {
		group.Go(func() {
			for n := part; n < len(out) && ctx.Err() == nil; n += 4 {
				out[n] = storedCT(scene.Frame(n))
			}
		})
	}
	group.Wait()
	return out, ctx.Err()
}
