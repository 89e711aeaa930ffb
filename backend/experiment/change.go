package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"plumbline/backend/fault"
	"plumbline/backend/pixels"
	"plumbline/backend/review"
)

// mostOfBody is the share of the body up to which evidence is local (measurement.md, "Image reliance").
const mostOfBody = .25

// xrays are the modalities of radiographs, on which black is air as on a CT.
var xrays = []string{"CR", "DX", "RG", "RF", "IO", "PX"}

// margin is how many pixels around the evidence stay in "only".
const margin = 4

// change does to one image what a picture wants, and notes it in the recipe. id is that of the case's image, which a donor's may stand for.
// Where evidence lies and where a cue is drawn is found on the image as it is; what is done to the whole of it comes before the cue.
func (s Study) change(ctx context.Context, w wanted, id review.ImageID, stack review.Stack, c *pixels.Changeable, p *picture) error {
	if w.fill == "black" && slices.Contains(xrays, stack.Modality) {
		return unfit("black is air on a radiograph, a finding of its own")
	}
	regions := ofImage(w.regions, id)
	if !w.local() {
		regions = nil
	}
	var evidence, avoid, at pixels.Mask
	if len(regions) > 0 {
		var err error
		if evidence, err = c.Marked(regions); err != nil {
			return unfit("%v", err)
		}
		if evidence.Pixels() == 0 && w.changes() {
			return unfit("the evidence marks no pixel of a frame that is sent")
		}
		if avoid, err = c.Marked(ofImage(w.of.allEvidence(), id)); err != nil {
			return unfit("%v", err)
		}
		share := float64(evidence.Pixels()) / float64(max(1, c.Body().Pixels()))
		p.recipe.Share = max(p.recipe.Share, share)
		if share > mostOfBody && w.replaces() {
			return unfit("the evidence covers more than a quarter of the body: it is not local")
		}
		if at = evidence; w.cue != "" && !w.right {
			found := false
			if at, found = c.Control(evidence, avoid, w.seed, anyPlace); !found {
				return unfit("no control place to draw the cue at")
			}
			regions = []review.Region{boxOf(at, id, c)}
		}
	}
	switch w.image {
	case "blank":
		c.Even()
	case "mirror":
		c.Mirror()
		if len(regions) > 0 && w.cue != "" {
			at = at.Mirrored()
			regions = []review.Region{boxOf(at, id, c)}
		}
	case "insert":
		if err := insert(w, stack.Image, c, p); err != nil {
			return err
		}
	}
	if len(regions) == 0 {
		return nil
	}
	var err error
	switch w.image {
	case "occ":
		err = s.occlude(ctx, w, stack, c, evidence, p)
	case "only":
		p.recipe.Fill = outer(w.fill)
		err = c.Fill(evidence.Widened(margin).Not(), p.recipe.Fill, w.seed)
	case "ctl", "onlyctl":
		var control pixels.Mask
		if control, err = s.control(ctx, w, stack, c, evidence, avoid, p); err == nil && w.cue == "" {
			regions = []review.Region{boxOf(control, id, c)}
		}
	}
	if err == nil && (w.volume == "slab-occ" || w.volume == "slab-ctl") {
		err = slab(c, evidence, avoid, w)
	}
	if err == nil && w.cue != "" {
		err = c.DrawCue(at, w.cue)
	}
	if err != nil && !isUnfit(err) && fault.KindOf(err) == fault.Internal { // what pixels say of a fill that cannot be
		return unfit("%v", err)
	}
	p.recipe.Regions = append(p.recipe.Regions, regions...)
	return err
}

// anyPlace takes every control region that lies in the right tissue.
func anyPlace(pixels.Mask) bool { return true }

// outer is the fill of everything around: the finding cannot be taken out of there.
func outer(fill string) string {
	if fill == "" || fill == "remove" {
		return "mean"
	}
	return fill
}

// bare gives the image's frames without the finding, where the fill asks for that or leaves the choice; nil where another fill is to be used.
func (s Study) bare(ctx context.Context, w wanted, image review.ImageID, c *pixels.Changeable) ([][]byte, error) {
	if w.fill != "" && w.fill != "remove" {
		return nil, nil
	}
	why := "no phantom and no supplied pair"
	if s.Bare != nil {
		frames, err := s.Bare.Without(ctx, w.of.ID, image)
		switch {
		case err != nil && !unusable(err):
			return nil, err
		case err == nil && len(frames) == c.Frames():
			return frames, nil
		case err == nil:
			why = fmt.Sprintf("the supplied pair has %d frames, not %d", len(frames), c.Frames())
		case fault.KindOf(err) != fault.NotFound:
			why = "the supplied pair cannot be used: " + err.Error()
		}
	}
	if w.fill == "remove" {
		return nil, unfit("the finding cannot be taken out of this image: %s", why)
	}
	return nil, nil
}

// occlude takes the evidence away.
func (s Study) occlude(ctx context.Context, w wanted, stack review.Stack, c *pixels.Changeable, evidence pixels.Mask, p *picture) error {
	bare, err := s.bare(ctx, w, stack.Image, c)
	if err != nil {
		return err
	}
	if bare == nil {
		p.recipe.Fill = orTissue(w.fill)
		return c.Fill(evidence, p.recipe.Fill, w.seed)
	}
	p.recipe.Fill = "remove"
	_, err = replaceAll(c, bare)
	return err
}

func replaceAll(c *pixels.Changeable, frames [][]byte) (pixels.Mask, error) {
	all := pixels.NewMask(c.Plane(), c.Frames())
	for n, data := range frames {
		m, err := c.Replace(n, data)
		if err != nil {
			return all, err
		}
		all.Add(m)
	}
	return all, nil
}

func orTissue(fill string) string {
	if fill == "" {
		return "tissue"
	}
	return fill
}

// control finds the control region of a picture and does to it what is done to the evidence. Where the finding is taken out exactly, there is
// nothing to take out of a control: a region of the shape of what the removal changes, in the tissue that lies under the finding, has its
// texture stirred, which leaves the tissue what it is. Its change is then smaller than the evidence's; the recipe tells both.
func (s Study) control(ctx context.Context, w wanted, stack review.Stack, c *pixels.Changeable, evidence, avoid pixels.Mask, p *picture) (at pixels.Mask, err error) {
	if w.image == "onlyctl" {
		at, found := c.Control(evidence, avoid, w.seed, anyPlace)
		if !found {
			return at, unfit("no control: no region of this shape lies in the same tissue clear of the evidence")
		}
		p.recipe.Fill = outer(w.fill)
		return at, c.Fill(at.Widened(margin).Not(), p.recipe.Fill, w.seed)
	}
	trial := c.Copy()
	bare, err := s.bare(ctx, w, stack.Image, c)
	if err != nil {
		return at, err
	}
	found := false
	if bare != nil {
		p.recipe.Fill = "remove"
		changed, err := replaceAll(trial, bare)
		if err != nil {
			return at, err
		}
		avoid.Add(changed)
		at, found = trial.Control(changed, avoid, w.seed, anyPlace)
	} else {
		p.recipe.Fill = orTissue(w.fill)
		if err := trial.Fill(evidence, p.recipe.Fill, w.seed); err != nil {
			return at, err
		}
		at, found = c.Control(evidence, avoid, w.seed, func(m pixels.Mask) bool {
			other := c.Copy()
			return other.Fill(m, p.recipe.Fill, w.seed) == nil && math.Abs(other.Change()-trial.Change()) <= trial.Change()/4
		})
	}
	if !found {
		return at, unfit("no control: no region of this shape lies in the same tissue clear of the evidence and changes as much")
	}
	if bare != nil {
		c.Jitter(at, w.seed)
		return at, nil
	}
	return at, c.Fill(at, p.recipe.Fill, w.seed)
}

// boxOf is the box around a mask as a region.
func boxOf(m pixels.Mask, image review.ImageID, c *pixels.Changeable) review.Region {
	x0, y0, x1, y1, from, to, _ := m.Bounds()
	plane := c.Plane()
	a := plane.ToUnit(review.PixelPoint{X: float64(x0), Y: float64(y0)})
	b := plane.ToUnit(review.PixelPoint{X: float64(x1), Y: float64(y1)})
	r := review.Region{ID: "control", Image: image, Shape: review.Box, Coords: []float64{a.X, a.Y, b.X, b.Y}}
	if c.Frames() > 1 {
		r.From, r.To = &from, &to
	}
	return r
}

// slab replaces whole frames: those with evidence, or as many others that are sent and hold none, the nearest first.
func slab(c *pixels.Changeable, evidence, avoid pixels.Mask, w wanted) error {
	_, _, _, _, from, to, ok := evidence.Bounds()
	if !ok {
		return fmt.Errorf("the evidence holds no pixel")
	}
	if w.volume == "slab-ctl" {
		n := to - from + 1
		clear := func(from int) bool {
			for k := range n {
				if !c.Readable(from+k) || evidence.In(from+k) || avoid.In(from+k) {
					return false
				}
			}
			return true
		}
		at := -1
		for d := 1; d < c.Frames() && at < 0; d++ {
			switch {
			case clear(to + d):
				at = to + d
			case clear(from - n + 1 - d):
				at = from - n + 1 - d
			}
		}
		if at < 0 {
			return unfit("no control: no other %d frames in a row are clear of the evidence", n)
		}
		from, to = at, at+n-1
	}
	m, err := c.Marked([]review.Region{{Shape: review.Slab, From: &from, To: &to, Coords: []float64{}}})
	if err != nil {
		return err
	}
	return c.Fill(m, outer(w.fill), w.seed)
}
