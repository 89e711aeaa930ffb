package desk

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/pixels"
	"plumbline/backend/review"
)

// Frame gives frame n (0-based) of an image of a case, decoded, in a form that the viewer takes: colour as RGB of 8 bits. Faults: NotFound, Invalid and Damaged from the
// decoder, IO, Cancelled.
func (d *Desk) Frame(ctx context.Context, caseID, image string, n int) (f review.Frame, s review.Samples, err error) {
	err = d.within("show frame", func(r *room) error {
		set, err := r.data("show frame")
		if err != nil {
			return err
		}
		id, err := r.caseNamed("show frame", caseID)
		if err != nil {
			return err
		}
		if f, s, err = set.Samples(ctx, id, review.ImageID(image), n); err != nil {
			return err
		}
		r.shown.note(id, fmt.Sprintf("%d/%d", set.Place(id, review.ImageID(image)), n), s)
		s, err = pixels.Screen(f, s)
		return fault.In("show frame", caseID, err)
	})
	return f, s, err
}

// Thumb gives a frame as a PNG of at most side pixels a side, through its first window.
func (d *Desk) Thumb(ctx context.Context, caseID, image string, n, side int) (png []byte, err error) {
	err = d.within("show thumbnail", func(r *room) error {
		set, err := r.data("show thumbnail")
		if err != nil {
			return err
		}
		id, err := r.caseNamed("show thumbnail", caseID)
		if err != nil {
			return err
		}
		f, s, err := set.Samples(ctx, id, review.ImageID(image), n)
		if err != nil {
			return err
		}
		picture, err := pixels.Thumbnail(f, s, side)
		if err != nil {
			return fault.In("show thumbnail", caseID, err)
		}
		var out bytes.Buffer
		err = pixels.PNG(&out, picture)
		png = out.Bytes()
		return err
	})
	return png, err
}

// shownPixels remembers the digests of the frames that were handed out for showing, so that an answer can say on which pixels it rests.
type shownPixels struct {
	views  changedViews // those of conditions, which no answer rests on
	groups groups
	mu     sync.Mutex
	cases  map[review.CaseID]map[string]review.Digest // by case, then "image/frame", both as numbers: an image may be called otherwise elsewhere
}

// note remembers a frame as decoded, once.
func (p *shownPixels) note(id review.CaseID, frame string, s review.Samples) {
	p.mu.Lock()
	_, known := p.cases[id][frame]
	p.mu.Unlock()
	if known {
		return
	}
	digest := dcm.Digest(s)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cases == nil {
		p.cases = map[review.CaseID]map[string]review.Digest{}
	}
	if p.cases[id] == nil {
		p.cases[id] = map[string]review.Digest{}
	}
	p.cases[id][frame] = digest
}

// digest hashes the frames of a case that were handed out since the workspace was opened, one line "image/frame digest" for each, the image by its
// place in the case from 1, the frame from 0, in order of their bytes; "" where there were none (a reading from a file).
func (p *shownPixels) digest(id review.CaseID) review.Digest {
	p.mu.Lock()
	defer p.mu.Unlock()
	frames := p.cases[id]
	if len(frames) == 0 {
		return ""
	}
	var lines strings.Builder
	for _, frame := range slices.Sorted(maps.Keys(frames)) {
		fmt.Fprintf(&lines, "%s %s\n", frame, frames[frame])
	}
	return review.DigestOf([]byte(lines.String()))
}
