package desk

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Overlays is what may be laid over the images of a case, as far as this seat may see it now. The drawings themselves are asked for one by one.
type Overlays struct {
	Layers   []Layer          `json:"layers"`
	Problems []review.Problem `json:"problems"` // what is not shown, and why
}

// Layer is something to show and hide as one: planes of a file (60xx), a segment, contours, regions of a report, or the heatmap of a step.
type Layer struct {
	ID       string          `json:"id"`   // by which OverlayFrame knows it
	Kind     string          `json:"kind"` // plane, segment, contour, region, heatmap; sent: the picture as a model was sent it, in place of the greys
	Image    string          `json:"image"`
	Label    string          `json:"label"`
	Note     string          `json:"note"`   // what else to know of it, or ""
	Colour   []int           `json:"colour"` // red, green, blue, 0-255, as the file wants it; none: ours to choose
	Regions  []review.Region `json:"regions"`
	Frames   []int           `json:"frames"`  // 0-based, of the image: those that have a drawing of pixels
	Every    bool            `json:"every"`   // the one drawing lies over every frame
	Rows     int             `json:"rows"`    // of a drawing; a heatmap may be coarser than the picture that it lies over
	Columns  int             `json:"columns"` //
	Low      float64         `json:"low"`     // the least and greatest value of a heatmap, all frames together
	High     float64         `json:"high"`
	Borrowed bool            `json:"borrowed"` // made on another series, whose places in the patient are the same
	Chain    string          `json:"chain"`    // whose heatmap it is
	Step     string          `json:"step"`
}

const heatKind = "heatmap"

// Overlays lists what may be laid over the images of an open case.
//
// Drawings that came with the images may be somebody's reading, or the gold. So a reader sees them only where the protocol says so
// (review.OverlayRule): planes of the image files from the look on, annotation objects (SEG, RTSTRUCT, SR) never before every question is
// locked. The coordinator sees all of them outside of a blind reading of their own: where a case asks nothing, or where it is signed and
// nothing of it is hidden any more. Heatmaps are what a chain says: they come with the chains.
func (d *Desk) Overlays(ctx context.Context, name string) (o Overlays, err error) {
	err = d.overlaid(ctx, "list overlays", name, func(all []laid, problems []review.Problem) error {
		o.Layers, o.Problems = []Layer{}, list(problems)
		for _, l := range all {
			o.Layers = append(o.Layers, l.Layer)
		}
		return nil
	})
	return o, err
}

// OverlayFrame gives what a layer draws over frame n (0-based) of its image: one byte a pixel, 0 for nothing to 255 for all; of a heatmap
// 4-byte numbers, of a picture as sent its greys or RGB. Faults: NotFound also for what this seat may not see now.
func (d *Desk) OverlayFrame(ctx context.Context, name, layer string, n int) (s review.Samples, err error) {
	const op = "show overlay"
	err = d.overlaid(ctx, op, name, func(all []laid, _ []review.Problem) error {
		i := slices.IndexFunc(all, func(l laid) bool { return l.ID == layer })
		if i < 0 || !all[i].Every && !slices.Contains(all[i].Frames, n) {
			return fault.New(fault.NotFound, op, layer, "nothing is drawn over frame %d", n)
		}
		s, err = all[i].draw(ctx, n)
		return fault.In(op, name, err)
	})
	return s, err
}

// laid is a layer with the way to its drawings.
type laid struct {
	Layer
	draw func(ctx context.Context, n int) (review.Samples, error)
}

// overlaid runs fn with the layers of an open case that this seat may see now. Reading files keeps nobody from rating meanwhile.
func (d *Desk) overlaid(ctx context.Context, op, name string, fn func([]laid, []review.Problem) error) error {
	return d.within(op, func(r *room) error {
		rd, see, err := r.maySee(ctx, op, name)
		if err != nil {
			return err
		}
		var all []laid
		problems := []review.Problem{}
		if see.planes || see.objects {
			drawn, said, err := r.shelf.of(ctx, r.set, rd.material)
			if err != nil {
				return err
			}
			for _, l := range drawn {
				if l.Kind == string(dcm.OverlayPlaneKind) && see.planes || l.Kind != string(dcm.OverlayPlaneKind) && see.objects {
					all = append(all, l)
				}
			}
			if see.objects {
				problems = append(problems, said...)
			}
		}
		if see.chains {
			hot, said, err := r.shelf.heatmaps(ctx, r.set, rd)
			if err != nil {
				return err
			}
			all, problems = append(all, hot...), append(problems, said...)
		}
		if see.sent {
			sent, said, err := r.sentLayers(rd)
			if err != nil {
				return err
			}
			all, problems = append(all, sent...), append(problems, said...)
		}
		if !r.leads() {
			for i := range problems {
				problems[i].File = "" // names of files tell
			}
		}
		return fn(all, problems)
	})
}

// seen says which overlays a seat may see of a case.
type seen struct{ planes, objects, chains, sent bool }

// maySee gives a reading of this seat's reader and which overlays may be seen in it now.
func (r *room) maySee(ctx context.Context, op, name string) (*reading, seen, error) {
	r.acting.Lock()
	defer r.acting.Unlock()
	d, err := r.duty(op, name)
	if err != nil {
		return nil, seen{}, err
	}
	if err := r.mayOpen(op, r.list, r.list.ids[d.ID]); err != nil {
		return nil, seen{}, err
	}
	rd, err := r.reading(ctx, d)
	if err != nil {
		return nil, seen{}, err
	}
	p, known := r.rules.protocol.Reader(r.w.Seat.Reader)
	reads := r.rules.set && known && p.Role == review.RoleReader
	open := rd.nothingToRead()
	if rd.phase() == phaseSigned {
		hidden, err := r.hiddenNow(ctx, rd)
		if err != nil {
			return nil, seen{}, err
		}
		open = !hidden
	}
	looking, rule := rd.phase() == phaseLook, r.rules.protocol.Overlays
	see := seen{planes: rule != review.NoOverlays, objects: rule == review.EveryOverlay && !looking, chains: !looking}
	if r.leads() {
		see.planes, see.objects = see.planes || open, see.objects || open
		see.sent = see.chains && (open || !reads)
	}
	return rd, see, nil
}

// heatmaps gives the layers of the heatmaps of a reading's chains, and in words which cannot be shown.
func (s *shelf) heatmaps(ctx context.Context, set heatSource, rd *reading) (all []laid, problems []review.Problem, err error) {
	for n, c := range rd.chains {
		for i, step := range steps(c) {
			if step.Heatmap == "" {
				continue
			}
			l := laid{Layer: Layer{
				ID: fmt.Sprintf("heat-%d-%d", n+1, i+1), Kind: heatKind, Label: fmt.Sprintf("chain %s, step %d", letter(n), i+1), Colour: []int{},
				Regions: []review.Region{}, Frames: []int{}, Chain: string(c.ID), Step: string(step.ID),
			}}
			wrong := "it names no image, and the case has several"
			if stack, named := imageOf(rd.stacks, step); named {
				h, err := s.heatOf(ctx, set, step.Heatmap)
				if err != nil {
					return nil, nil, err
				}
				wrong = l.over(stack, step, h)
			}
			if wrong != "" {
				problems = append(problems, review.Problem{File: step.Heatmap, Text: fmt.Sprintf("the heatmap of %s is not shown: %s", l.Label, wrong)})
				continue
			}
			l.draw = func(ctx context.Context, n int) (review.Samples, error) { return s.warm(ctx, set, step.Heatmap, n) }
			all = append(all, l)
		}
	}
	return all, problems, nil
}

// imageOf finds the image that a step is about: that of its first region, else the only one.
func imageOf(stacks []review.Stack, step review.Step) (review.Stack, bool) {
	for _, st := range stacks {
		if len(step.Regions) > 0 && st.Image == step.Regions[0].Image || len(step.Regions) == 0 && len(stacks) == 1 {
			return st, true
		}
	}
	return review.Stack{}, false
}

// over lays a heatmap over an image, or says why it does not fit: it is never stretched out of its proportions.
func (l *laid) over(st review.Stack, step review.Step, h heat) (wrong string) {
	l.Image, l.Rows, l.Columns, l.Low, l.High = string(st.Image), h.Rows, h.Columns, h.low, h.high
	switch {
	case h.wrong != "":
		return h.wrong
	case h.Frames == 1 && len(step.Regions) > 0 && step.Regions[0].Frame != nil:
		l.Frames = append(l.Frames, *step.Regions[0].Frame)
	case h.Frames == 1:
		l.Every = true
	case h.Frames != len(st.Frames):
		return fmt.Sprintf("it has %d frames and the image %d", h.Frames, len(st.Frames))
	}
	for i, f := range st.Frames {
		if l.Every || h.Frames > 1 {
			l.Frames = append(l.Frames, i)
		}
		// Its height, once its width is that of the picture, may be off by less than one of its cells.
		if d := h.Columns*f.Rows - h.Rows*f.Columns; slices.Contains(l.Frames, i) && (d >= f.Columns || d <= -f.Columns) {
			return fmt.Sprintf("%d × %d values have not the proportions of the picture, %d × %d pixels, and whether it was squeezed or cut is not known",
				h.Columns, h.Rows, f.Columns, f.Rows)
		}
	}
	if h.low == h.high {
		return "all its values are the same"
	}
	return ""
}

// drawnLayers makes layers of what files draw over the n-th image (from 1) of a case.
func drawnLayers(n int, image review.ImageID, overlays []dcm.Overlay) (all []laid) {
	for i, o := range overlays {
		l := laid{Layer: Layer{
			ID: fmt.Sprintf("file-%d-%d", n, i+1), Kind: string(o.Kind), Image: string(image), Label: o.Label, Colour: list(o.Colour),
			Regions: list(o.Regions), Frames: []int{}, Borrowed: o.Borrowed,
		}}
		packed := map[int][]byte{}
		for _, p := range o.Planes {
			l.Rows, l.Columns = p.Rows, p.Columns
			if _, twice := packed[p.Frame]; !twice {
				l.Frames = append(l.Frames, p.Frame)
			}
			packed[p.Frame] = pack(p.Data, packed[p.Frame])
		}
		slices.Sort(l.Frames)
		rows, columns := l.Rows, l.Columns
		l.draw = func(_ context.Context, n int) (review.Samples, error) {
			data, err := unpackDrawing(packed[n], rows*columns)
			return review.Samples{Rows: rows, Columns: columns, PerPixel: 1, BitsAllocated: 8, Data: data}, err
		}
		all = append(all, l)
	}
	return all
}

// named gives problems with the names of their files alone.
func named(problems []review.Problem) []review.Problem {
	for i := range problems {
		problems[i].File = filepath.Base(problems[i].File)
	}
	return problems
}
