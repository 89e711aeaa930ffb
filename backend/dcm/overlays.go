package dcm

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// OverlayKind says where an overlay came from.
type OverlayKind string

// The kinds of overlay.
const (
	OverlayPlaneKind OverlayKind = "plane"   // groups 60xx of the image's own file
	OverlaySegment   OverlayKind = "segment" // of a segmentation (SEG)
	OverlayContour   OverlayKind = "contour" // of a structure set (RTSTRUCT)
	OverlayRegion    OverlayKind = "region"  // of a report (SR)
)

// Overlay is something that files draw over a stack, to be shown and hidden as one. It is read only: nothing of it is anybody's answer.
type Overlay struct {
	Kind    OverlayKind     `json:"kind"`
	Label   string          `json:"label"`
	Colour  []int           `json:"colour"` // red, green, blue, 0-255, as the file wants it; or null
	Regions []review.Region `json:"regions"`
	// Borrowed tells what was drawn, in part at least, on another series whose places in the patient are those of this one.
	Borrowed bool           `json:"borrowed,omitempty"`
	Planes   []OverlayPlane `json:"-"`
	Path     string         `json:"-"` // the file it came from
}

// The SOP classes that draw over other images.
const (
	segClass       = "1.2.840.10008.5.1.4.1.1.66.4"
	structureClass = "1.2.840.10008.5.1.4.1.1.481.3"
	reportClasses  = "1.2.840.10008.5.1.4.1.1.88." // enhanced, comprehensive, comprehensive 3D, extensible SR and their kin
)

// Draws tells whether a file draws over other images: SEG, RTSTRUCT or SR.
func (h Header) Draws() bool {
	return h.SOPClass == segClass || h.SOPClass == structureClass || strings.HasPrefix(h.SOPClass, reportClasses)
}

// What overlays of one stack may hold.
const (
	maxRegions = 20_000
	maxPoints  = 4_000_000
	maxPlanes  = 256 << 20 // bytes
)

// Overlays gives what is drawn over a stack: by the files that its frames lie in, and by objects (those of the same study for which Draws
// holds) where they refer to its frames. images are the headers of the stack's files. Regions are in fractions of the stored frame, numbered as
// in the stack. What refers elsewhere, or cannot be drawn, is said; an object of another series of the study is no problem.
//
// Faults: Cancelled. Everything that is wrong in a file is a problem.
func Overlays(ctx context.Context, s review.Stack, images []Header, objects []string, open Opener) ([]Overlay, []review.Problem, error) {
	t := newTarget(s, images)
	if err := t.ownPlanes(ctx, open); err != nil {
		return nil, nil, err
	}
	for _, path := range objects {
		if ctx.Err() != nil {
			return nil, nil, fault.In("read overlays", path, ctx.Err())
		}
		t.object(ctx, path, open)
	}
	if t.out == nil {
		t.out = []Overlay{}
	}
	return t.out, t.problems, nil
}

// target is the stack that is drawn over.
type target struct {
	frames   []review.Frame
	byImage  map[string][]int // numbers of the frames of an instance, by their number in its file
	files    []string         // paths in the order of the frames
	space    string           // frame of reference
	out      []Overlay
	problems []review.Problem
	regions  int
	points   int
	bytes    int
}

func newTarget(s review.Stack, images []Header) *target {
	t := &target{frames: s.Frames, byImage: map[string][]int{}, problems: []review.Problem{}}
	byPath := map[string]*Header{}
	for i := range images {
		byPath[images[i].Path] = &images[i]
	}
	seen := map[string]bool{}
	for i, f := range s.Frames {
		h := byPath[f.Path]
		if h == nil {
			continue
		}
		if t.space == "" {
			t.space = h.FrameOfReference
		}
		if !seen[f.Path] {
			seen[f.Path] = true
			t.files = append(t.files, f.Path)
		}
		list := t.byImage[h.InstanceUID]
		for len(list) <= f.FileFrame {
			list = append(list, -1)
		}
		list[f.FileFrame] = i
		t.byImage[h.InstanceUID] = list
	}
	return t
}

// say notes what is wrong in a file, once.
func (t *target) say(path, format string, args ...any) {
	p := review.Problem{File: path, Text: fmt.Sprintf(format, args...)}
	if !slices.Contains(t.problems, p) && len(t.problems) < 1000 {
		t.problems = append(t.problems, p)
	}
}

// named gives the frames that a reference means: of an instance all, or those numbered (from 1). nil where it is no instance of the stack.
func (t *target) named(uid string, numbers []float64) []int {
	list := t.byImage[uid]
	var out []int
	if len(numbers) == 0 {
		for _, i := range list {
			if i >= 0 {
				out = append(out, i)
			}
		}
		return out
	}
	for _, n := range numbers {
		if k := int(n) - 1; k >= 0 && k < len(list) && list[k] >= 0 {
			out = append(out, list[k])
		}
	}
	return out
}

// nearest gives the frame in whose slab a point lies, -1 where it lies in none.
func (t *target) nearest(p [3]float64) int {
	best, at := math.Inf(1), -1
	for i, f := range t.frames {
		if !placedInSpace(f) {
			continue
		}
		if d := math.Abs(depthOf(f, p)); d < best {
			best, at = d, i
		}
	}
	if at < 0 || best > t.halfSlab()+sameDepth {
		return -1
	}
	return at
}

// halfSlab is half the distance of planes; of a single one, half a millimetre.
func (t *target) halfSlab() float64 {
	g := Measure(t.frames)
	if len(g.SpacingMM) == 3 && g.SpacingMM[2] > 0 {
		return g.SpacingMM[2] / 2
	}
	return .5
}

// depthOf is how far a point lies from the plane of a frame.
func depthOf(f review.Frame, p [3]float64) float64 {
	n := normal(f.Orientation)
	return n[0]*(p[0]-f.Position[0]) + n[1]*(p[1]-f.Position[1]) + n[2]*(p[2]-f.Position[2])
}

// unit gives where a point of the patient lies in a frame, in fractions of it: its position is the centre of the first pixel.
func unit(f review.Frame, p [3]float64) review.UnitPoint {
	var x, y float64
	for i := range 3 {
		x += (p[i] - f.Position[i]) * f.Orientation[i]
		y += (p[i] - f.Position[i]) * f.Orientation[3+i]
	}
	at := review.PixelPoint{X: x/f.SpacingMM[1] + .5, Y: y/f.SpacingMM[0] + .5}
	return review.Plane{Columns: f.Columns, Rows: f.Rows}.ToUnit(at)
}

// ownPlanes draws groups 60xx. Planes of one label are one overlay.
func (t *target) ownPlanes(ctx context.Context, open Opener) error {
	made := map[string]int{}
	for _, path := range t.files {
		if ctx.Err() != nil {
			return fault.In("read overlays", path, ctx.Err())
		}
		f, err := LoadFrom(path, open)
		if err != nil {
			t.say(path, "%v", innermost(err))
			continue
		}
		if f.header.OverlayGroups == 0 {
			continue
		}
		for k, i := range t.byImage[f.header.InstanceUID] {
			if i < 0 || t.frames[i].Path != path {
				continue
			}
			planes, labels, err := f.drawn60(ctx, k)
			if err != nil {
				t.say(path, "%v", innermost(err))
			}
			for j, p := range planes {
				at, known := made[labels[j]]
				if !known {
					at = len(t.out)
					made[labels[j]] = at
					t.out = append(t.out, Overlay{Kind: OverlayPlaneKind, Label: labels[j], Regions: []review.Region{}, Path: path})
				}
				p.Frame = i
				t.plane(&t.out[at], p)
			}
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// plane adds one drawing within the budget.
func (t *target) plane(o *Overlay, p OverlayPlane) {
	if p.Set == 0 {
		return
	}
	if t.bytes+len(p.Data) > maxPlanes {
		t.say(o.Path, "more than %d MiB of drawings over one image; the rest is left out", maxPlanes>>20)
		return
	}
	t.bytes += len(p.Data)
	o.Planes = append(o.Planes, p)
}

// region adds an outline of points to an overlay, as far as it lies in the frame; coordinates are fractions.
func (t *target) region(o *Overlay, frame int, shape review.Shape, points []review.UnitPoint) {
	if shape == review.Polygon {
		points = inside(points)
		if len(points) < 3 {
			t.say(o.Path, "%s: an outline lies outside the frame", o.Label)
			return
		}
	} else if p := points[0]; !(p.X >= 0 && p.X <= 1 && p.Y >= 0 && p.Y <= 1) {
		t.say(o.Path, "%s: a point lies outside the frame", o.Label)
		return
	}
	t.regions++
	t.points += len(points)
	if t.regions > maxRegions || t.points > maxPoints {
		t.say(o.Path, "more than %d outlines or %d points over one image; the rest is left out", maxRegions, maxPoints)
		return
	}
	r := review.Region{ID: review.RegionID(fmt.Sprintf("overlay-%d", t.regions)), Frame: &frame, Shape: shape, Label: o.Label}
	for _, p := range points {
		r.Coords = append(r.Coords, p.X, p.Y)
	}
	o.Regions = append(o.Regions, r)
}

// inside clips an outline to the frame (Sutherland and Hodgman 1974), edge by edge.
func inside(points []review.UnitPoint) []review.UnitPoint {
	for _, p := range points {
		if math.IsNaN(p.X+p.Y) || math.IsInf(p.X, 0) || math.IsInf(p.Y, 0) {
			return nil
		}
	}
	type edge struct {
		in  func(review.UnitPoint) bool
		cut func(a, b review.UnitPoint) review.UnitPoint
	}
	alongX := func(x float64) func(a, b review.UnitPoint) review.UnitPoint {
		return func(a, b review.UnitPoint) review.UnitPoint {
			return review.UnitPoint{X: x, Y: a.Y + (b.Y-a.Y)*(x-a.X)/(b.X-a.X)}
		}
	}
	alongY := func(y float64) func(a, b review.UnitPoint) review.UnitPoint {
		return func(a, b review.UnitPoint) review.UnitPoint {
			return review.UnitPoint{X: a.X + (b.X-a.X)*(y-a.Y)/(b.Y-a.Y), Y: y}
		}
	}
	for _, e := range []edge{
		{func(p review.UnitPoint) bool { return p.X >= 0 }, alongX(0)}, {func(p review.UnitPoint) bool { return p.X <= 1 }, alongX(1)},
		{func(p review.UnitPoint) bool { return p.Y >= 0 }, alongY(0)}, {func(p review.UnitPoint) bool { return p.Y <= 1 }, alongY(1)},
	} {
		var out []review.UnitPoint
		for i, b := range points {
			a := points[(i+len(points)-1)%len(points)]
			if e.in(a) != e.in(b) {
				out = append(out, e.cut(a, b))
			}
			if e.in(b) {
				out = append(out, b)
			}
		}
		points = out
	}
	for i, p := range points { // rounding
		points[i] = review.UnitPoint{X: min(1, max(0, p.X)), Y: min(1, max(0, p.Y))}
	}
	return points
}

// innermost gives the reason of a fault: the problem names the file already.
func innermost(err error) error {
	for {
		f, ok := err.(*fault.Error)
		if !ok || f.Err == nil {
			return err
		}
		err = f.Err
	}
}

// object reads one file that draws.
func (t *target) object(ctx context.Context, path string, open Opener) {
	n, f, err := loadObject(path, open)
	if err != nil {
		t.say(path, "%v", innermost(err))
		if n == nil {
			return
		}
	}
	defer f.Close() // it only lets go of memory
	switch h := f.header; {
	case h.SOPClass == segClass:
		t.segmentation(ctx, path, n, f)
	case h.SOPClass == structureClass:
		t.structures(path, n)
	case strings.HasPrefix(h.SOPClass, reportClasses):
		t.report(path, n)
	default:
		t.say(path, "neither a segmentation, a structure set nor a report")
	}
}

// loadObject reads a file with all that it draws. As far as it could be read it comes with an error.
func loadObject(path string, open Opener) (n *node, f *File, err error) {
	const op = "read overlay"
	defer func() {
		if p := recover(); p != nil {
			n, f, err = nil, nil, fault.New(fault.Damaged, op, path, "%v", p)
		}
	}()
	file, err := open.source(path)
	if err != nil {
		return nil, nil, loadFault(op, path, err)
	}
	defer file.close()
	if f, err = loadSource(path, file); f == nil {
		return nil, nil, loadFault(op, path, err)
	}
	f.open, f.header.open = open, open
	o, err := openPart10(newWindow(file))
	if err != nil {
		return nil, nil, loadFault(op, path, err)
	}
	w := walker{window: o.data, order: o.syntax.order, objects: true}
	found, err := w.dataSet(o.start, o.written())
	for t, v := range values(o.syntax.order, found.small) {
		found.root.values[t] = v
	}
	for _, k := range found.small { // what the library does not know by name
		if vr, ok := drawn(k.tag); ok {
			found.root.values[k.tag] = decode(o.syntax.order, representation(k.element, vr), k.bytes)
		}
	}
	if err != nil {
		err = loadFault(op, path, err)
	}
	return found.root, f, err
}
