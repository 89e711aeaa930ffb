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

// Without renders the frames of a case's image without its finding, each as it is stored in the study's files: 16-bit samples,
// little-endian. It fails for a case without a finding (fault NotFound).
func (s *Study) Without(ctx context.Context, id review.CaseID) ([][]byte, error) {
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
		out := make([][]byte, phantom.Frames)
		var group sync.WaitGroup
		for part := range 4 {
			group.Go(func() {
				for n := part; n < len(out) && ctx.Err() == nil; n += 4 {
					out[n] = storedCT(bare.Frame(n))
				}
			})
		}
		group.Wait()
		return out, fault.In(op, string(id), ctx.Err())
	}
	return nil, fault.New(fault.NotFound, op, string(id), "no such case in the study")
}
