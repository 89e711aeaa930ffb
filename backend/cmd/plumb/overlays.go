package main

import (
	"context"
	"path/filepath"

	"plumbline/backend/dcm"
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

// draw adds what the file draws over its own frames, and what others do.
func (r *framesResult) draw(ctx context.Context, over []string) error {
	file, err := dcm.Load(r.File)
	if err != nil {
		return err
	}
	defer file.Close()
	h := file.Header()
	stack := review.Stack{Frames: make([]review.Frame, len(h.Frames))}
	for i, f := range h.Frames {
		f.Path, f.FileFrame = h.Path, i
		stack.Frames[i] = f
	}
	list, problems, err := dcm.Overlays(ctx, stack, []dcm.Header{h}, over, dcm.OpenFile)
	if err != nil {
		return err
	}
	for _, p := range problems {
		p.File = filepath.Base(p.File)
		r.Problems = append(r.Problems, p)
	}
	for _, o := range list {
		row := overlayRow{Overlay: o, File: filepath.Base(o.Path), Planes: []planeRow{}}
		for _, p := range o.Planes {
			row.Planes = append(row.Planes, planeRow{p.Frame, p.Set, p.Box()})
		}
		r.Overlays = append(r.Overlays, row)
	}
	return partly("draw overlays", r.File, problems)
}
