package main

import (
	"context"
	"image"
	"maps"
	"path/filepath"
	"slices"

	"plumbline/backend/dcm"
	"plumbline/backend/pixels"
	"plumbline/backend/review"
)

// overlayRow is an overlay as `plumb frames` lists it: outlines whole, drawings by their extent.
type overlayRow struct {
	dcm.Overlay
	File   string     `json:"file"`
	Planes []planeRow `json:"planes"`
}

// planeRow is a drawing over one frame.
type planeRow struct {
	Frame int   `json:"frame"`
	Set   int   `json:"set"` // pixels
	Box   []int `json:"box"` // the pixels that are set: first column, first row, last column, last row, from 0
}

// overlaysOf gives what a file draws over its own frames, and what others do. Problems name files without their folders.
func overlaysOf(ctx context.Context, path string, over []string) (review.Stack, []dcm.Overlay, []review.Problem, error) {
	file, err := dcm.Load(path)
	if err != nil {
		return review.Stack{}, nil, nil, err
	}
	defer file.Close()
	h := file.Header()
	stack := review.Stack{Frames: make([]review.Frame, len(h.Frames))}
	for i, f := range h.Frames {
		f.Path, f.FileFrame = h.Path, i
		stack.Frames[i] = f
	}
	list, problems, err := dcm.Overlays(ctx, stack, []dcm.Header{h}, over, dcm.OpenFile)
	for i := range problems {
		problems[i].File = filepath.Base(problems[i].File)
	}
	return stack, list, problems, err
}

// draw adds what the file draws over its own frames, and what others do.
func (r *framesResult) draw(ctx context.Context, over []string) error {
	_, list, problems, err := overlaysOf(ctx, r.File, over)
	if err != nil {
		return err
	}
	r.Problems = append(r.Problems, problems...)
	for _, o := range list {
		row := overlayRow{Overlay: o, File: filepath.Base(o.Path), Planes: []planeRow{}}
		for _, p := range o.Planes {
			row.Planes = append(row.Planes, planeRow{p.Frame, p.Set, p.Box()})
		}
		r.Overlays = append(r.Overlays, row)
	}
	return partly("draw overlays", r.File, problems)
}

// laidRow is an overlay in a few words.
type laidRow struct {
	Kind  dcm.OverlayKind `json:"kind"`
	Label string          `json:"label"`
	File  string          `json:"file"`
	Value int             `json:"value,omitempty"` // at a probed pixel: 255 for all of it, or inside an outline
}

// overlayColours are those that the viewer gives what has none of its own, in its order.
var overlayColours = [...][3]uint8{{204, 121, 167}, {0, 158, 115}, {213, 94, 0}, {120, 150, 255}, {240, 228, 66}}

const overlayOpacity = .4

// lay draws overlays over a picture of frame n, and lists those that lie there.
func lay(stack review.Stack, list []dcm.Overlay, n int, img image.Image) (image.Image, []laidRow, error) {
	f, laid := stack.Frames[n], []laidRow{}
	for k, o := range list {
		colour := overlayColours[k%len(overlayColours)]
		if len(o.Colour) == 3 {
			colour = [3]uint8{uint8(o.Colour[0]), uint8(o.Colour[1]), uint8(o.Colour[2])}
		}
		here := false
		for _, p := range o.Planes {
			if p.Frame == n {
				img, here = pixels.Lay(f, img, p.Data, colour, overlayOpacity), true
			}
		}
		for _, r := range o.Regions {
			if r.Frame == nil || *r.Frame != n {
				continue
			}
			edge, err := pixels.Outline(r, review.Plane{Columns: f.Columns, Rows: f.Rows}, n, len(stack.Frames))
			if err != nil {
				return img, laid, err
			}
			img, here = pixels.Lay(f, img, edge, colour, 1), true
		}
		if here {
			laid = append(laid, laidRow{Kind: o.Kind, Label: o.Label, File: filepath.Base(o.Path)})
		}
	}
	return img, laid, nil
}

// overlaysAt lists the overlays that lie on a stored pixel of frame n.
func overlaysAt(stack review.Stack, list []dcm.Overlay, n, column, row int) ([]laidRow, error) {
	laid := []laidRow{}
	f := stack.Frames[n]
	for _, o := range list {
		value := 0
		for _, p := range o.Planes {
			if p.Frame == n {
				value = max(value, int(p.Data[row*p.Columns+column]))
			}
		}
		for _, r := range o.Regions {
			if r.Frame == nil || *r.Frame != n {
				continue
			}
			m, err := pixels.MaskOf([]review.Region{r}, review.Plane{Columns: f.Columns, Rows: f.Rows}, len(stack.Frames))
			if err != nil {
				return laid, err
			}
			if m.Has(n, row*f.Columns+column) {
				value = 255
			}
		}
		if value > 0 {
			laid = append(laid, laidRow{o.Kind, o.Label, filepath.Base(o.Path), value})
		}
	}
	return laid, nil
}

// volumeOverlay is what a file draws over a volume.
type volumeOverlay struct {
	laidRow
	Frames   []int `json:"frames"` // over which it lies, in order
	Borrowed bool  `json:"borrowed,omitempty"`
}

// overlays gives what files of the folder draw over each of its stacks; nothing is read where there is nothing of the kind.
func (r *volumeResult) overlays(ctx context.Context, stacks []review.Stack, headers []dcm.Header, objects []string) ([][]dcm.Overlay, error) {
	laid := make([][]dcm.Overlay, len(stacks))
	byPath := map[string]dcm.Header{}
	for _, h := range headers {
		byPath[h.Path] = h
	}
	for n, st := range stacks {
		var own []dcm.Header
		drawn, object := len(objects) > 0, false
		for i, f := range st.Frames {
			if h, known := byPath[f.Path]; known && (i == 0 || f.Path != st.Frames[i-1].Path) {
				own, drawn, object = append(own, h), drawn || h.OverlayGroups > 0, object || h.Draws()
			}
		}
		if !drawn || object { // a segmentation is drawn over others, and nothing over it
			continue
		}
		list, problems, err := dcm.Overlays(ctx, st, own, objects, dcm.OpenFile)
		if err != nil {
			return laid, err
		}
		laid[n] = list
		for _, p := range problems {
			p.File = filepath.Base(p.File)
			r.Problems = append(r.Problems, p)
		}
	}
	return laid, nil
}

// rowsOf lists overlays with the frames that they lie over.
func rowsOf(list []dcm.Overlay) []volumeOverlay {
	rows := []volumeOverlay{}
	for _, o := range list {
		over := map[int]bool{}
		for _, p := range o.Planes {
			over[p.Frame] = true
		}
		for _, r := range o.Regions {
			if r.Frame != nil {
				over[*r.Frame] = true
			}
		}
		row := volumeOverlay{laidRow: laidRow{Kind: o.Kind, Label: o.Label, File: filepath.Base(o.Path)}, Frames: slices.Sorted(maps.Keys(over)), Borrowed: o.Borrowed}
		rows = append(rows, row)
	}
	return rows
}
