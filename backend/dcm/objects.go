package dcm

import (
	"context"
	"math"
	"slices"
	"strconv"

	"plumbline/backend/review"
)

// reference is where an item of an object points: instances and their frames.
type reference struct {
	uid    string
	frames []float64 // from 1; empty: all
}

func references(items []*node) (out []reference) {
	for _, n := range items {
		if uid := n.text(tagReferencedInstance); uid != "" {
			out = append(out, reference{uid, n.numbers(tagReferencedFrame)})
		}
	}
	return out
}

// segmentation draws the frames of a SEG: by what they refer to, else by their place. Each segment is an overlay, so that overlapping ones
// keep all of their pixels.
func (t *target) segmentation(ctx context.Context, path string, n *node, f *File) {
	if f.dicom == nil || len(f.header.Frames) == 0 {
		t.say(path, "the segmentation has no frames")
		return
	}
	segments := map[int]*node{}
	for _, s := range n.items[tagSegments] {
		segments[s.integer(tagSegmentNumber, 0)] = s
	}
	greatest := 1.0
	if n.text(tagSegmentationType) == "FRACTIONAL" {
		if v, ok := n.number(tagFractionalMaximum); ok && v > 0 {
			greatest = v
		}
	}
	made := map[int]*Overlay{}
	var order []int
	elsewhere, lost := 0, 0
	shared := n.first(tagSharedGroups)
	perFrame := n.items[tagPerFrameGroups]
	for i := range f.header.Frames {
		g := newNode(n.order)
		if i < len(perFrame) {
			g = perFrame[i]
		}
		frames, ours, borrowed := t.segmentFrames(f.header, i, g, shared)
		if !ours {
			elsewhere++
			continue
		}
		if len(frames) == 0 {
			lost++
			continue
		}
		number := group(g, shared, tagSegmentIdentity).integer(tagSegmentReference, 1)
		o := made[number]
		if o == nil {
			o = &Overlay{Kind: OverlaySegment, Label: labelOf(segments[number], number), Colour: segmentColour(segments[number]), Regions: []review.Region{}, Path: path}
			made[number] = o
			order = append(order, number)
		}
		o.Borrowed = o.Borrowed || borrowed
		t.segmentPlane(ctx, f, i, frames, greatest, o)
	}
	if elsewhere > 0 && elsewhere < len(f.header.Frames) {
		t.say(path, "%d of %d frames refer to images that are not in this series", elsewhere, len(f.header.Frames))
	}
	if lost > 0 {
		t.say(path, "%d of %d frames lie where this series has no frame of the same place, size and frame of reference", lost, len(f.header.Frames))
	}
	slices.Sort(order)
	for _, k := range order {
		t.out = append(t.out, *made[k])
	}
}

// group gives a functional group: of the frame, else what all share.
func group(frame, shared *node, of tag) *node {
	if len(frame.items[of]) > 0 {
		return frame.first(of)
	}
	return shared.first(of)
}

func labelOf(s *node, number int) string {
	if s != nil && s.text(tagSegmentLabel) != "" {
		return s.text(tagSegmentLabel)
	}
	return "segment " + strconv.Itoa(number)
}

// segmentFrames gives the frames of the stack that frame i of a segmentation lies over. ours is false where it refers to other images and
// none of these is the same place; borrowed is true where one is.
func (t *target) segmentFrames(h Header, i int, g, shared *node) (frames []int, ours, borrowed bool) {
	var refs []reference
	for _, d := range groupItems(g, shared, tagDerivation) {
		refs = append(refs, references(d.items[tagSourceImages])...)
	}
	for _, r := range refs {
		frames = append(frames, t.named(r.uid, r.frames)...)
	}
	place := h.Frames[i]
	if len(refs) > 0 && len(frames) == 0 { // made for another series: over this one where its frames are the same places
		if placedInSpace(place) && t.space != "" && h.FrameOfReference == t.space {
			if at := t.nearest([3]float64{place.Position[0], place.Position[1], place.Position[2]}); at >= 0 && sameGrid(t.frames[at], place) {
				return []int{at}, true, true
			}
		}
		return nil, false, false
	}
	if len(frames) == 0 { // by its place alone
		if !placedInSpace(place) || t.space == "" || h.FrameOfReference != t.space {
			return nil, h.FrameOfReference == t.space && t.space != "", false
		}
		at := t.nearest([3]float64{place.Position[0], place.Position[1], place.Position[2]})
		if at < 0 {
			return nil, true, false
		}
		frames = []int{at}
	}
	return slices.DeleteFunc(frames, func(k int) bool { return !sameGrid(t.frames[k], place) }), true, false
}

// groupItems gives all items of a functional group.
func groupItems(frame, shared *node, of tag) []*node {
	if items := frame.items[of]; len(items) > 0 {
		return items
	}
	return shared.items[of]
}

// sameGrid tells whether a frame's pixels lie on those of another. Where neither says its place, the size has to do.
func sameGrid(a, b review.Frame) bool {
	if a.Rows != b.Rows || a.Columns != b.Columns {
		return false
	}
	if !placedInSpace(a) || !placedInSpace(b) {
		return true
	}
	for i := range 6 {
		if math.Abs(a.Orientation[i]-b.Orientation[i]) > .01 {
			return false
		}
	}
	if a.SpacingMM == nil || b.SpacingMM == nil {
		return true
	}
	p := unit(a, [3]float64{b.Position[0], b.Position[1], b.Position[2]})
	return math.Abs(a.SpacingMM[0]-b.SpacingMM[0]) < .01 && math.Abs(a.SpacingMM[1]-b.SpacingMM[1]) < .01 &&
		math.Abs(p.X*float64(a.Columns)-.5) < .1 && math.Abs(p.Y*float64(a.Rows)-.5) < .1
}

// segmentPlane draws one frame of a segmentation.
func (t *target) segmentPlane(ctx context.Context, f *File, i int, frames []int, greatest float64, o *Overlay) {
	s, err := f.Samples(ctx, i)
	if err != nil {
		t.say(o.Path, "frame %d: %v", i+1, innermost(err))
		return
	}
	if s.BitsAllocated > 8 || s.PerPixel != 1 {
		t.say(o.Path, "a segmentation of %d bits is not supported: 1 or 8 expected", s.BitsAllocated)
		return
	}
	for _, k := range frames {
		p := OverlayPlane{Frame: k, Rows: s.Rows, Columns: s.Columns, Data: make([]byte, len(s.Data))}
		for j, v := range s.Data {
			if v != 0 {
				p.Data[j] = byte(max(1, min(255, float64(v)/greatest*255+.5)))
				p.Set++
			}
		}
		t.plane(o, p)
	}
}

// segmentColour turns the recommended CIELab colour (PS3.3 C.10.7.1.1, white point D50) into sRGB; nil where there is none.
func segmentColour(s *node) []int {
	if s == nil {
		return nil
	}
	v := s.words(tagSegmentColour)
	if len(v) != 3 {
		return nil
	}
	l, a, b := float64(v[0])/65535*100, float64(v[1])/65535*255-128, float64(v[2])/65535*255-128
	back := func(t float64) float64 {
		if t > 6./29 {
			return t * t * t
		}
		return 3 * (6. / 29) * (6. / 29) * (t - 4./29)
	}
	y := (l + 16) / 116
	X, Y, Z := .9642*back(y+a/500), back(y), .8249*back(y-b/200)
	out := []int{}
	for _, m := range [3][3]float64{{3.1338561, -1.6168667, -.4906146}, {-.9787684, 1.9161415, .0334540}, {.0719453, -.2289914, 1.4052427}} {
		c := m[0]*X + m[1]*Y + m[2]*Z // Bradford-adapted (Lindbloom)
		if c <= .0031308 {
			c *= 12.92
		} else {
			c = 1.055*math.Pow(c, 1/2.4) - .055
		}
		out = append(out, int(max(0, min(255, c*255+.5))))
	}
	return out
}

// structures draws the contours of a structure set: each region of interest is an overlay.
func (t *target) structures(path string, n *node) {
	type roi struct{ name, space string }
	rois := map[int]roi{}
	for _, r := range n.items[tagROIs] {
		rois[r.integer(tagROINumber, 0)] = roi{r.text(tagROIName), r.text(tagROIFrame)}
	}
	for _, c := range n.items[tagROIContours] {
		number := c.integer(tagContourROI, 0)
		o := Overlay{Kind: OverlayContour, Label: rois[number].name, Regions: []review.Region{}, Path: path}
		if o.Label == "" {
			o.Label = "region " + strconv.Itoa(number)
		}
		if v := c.numbers(tagROIColour); len(v) == 3 {
			o.Colour = []int{int(v[0]) & 255, int(v[1]) & 255, int(v[2]) & 255}
		}
		space := rois[number].space
		if space != "" && t.space != "" && space != t.space {
			t.elsewhere(path, o.Label, c)
			continue
		}
		for _, contour := range c.items[tagContours] {
			t.contour(&o, contour, space)
		}
		if len(o.Regions) > 0 {
			t.out = append(t.out, o)
		}
	}
}

// elsewhere says that contours are of another frame of reference, where they refer to images of this stack nevertheless.
func (t *target) elsewhere(path, label string, c *node) {
	for _, contour := range c.items[tagContours] {
		for _, r := range references(contour.items[tagContourImages]) {
			if len(t.byImage[r.uid]) > 0 {
				t.say(path, "%s is drawn in another frame of reference than this series and is not shown", label)
				return
			}
		}
	}
}

// through gives the frame in whose slab all of a contour lies that was drawn on another series of the same frame of reference; -1: none. Seen
// from planes of another tilt it is no outline.
func (t *target) through(space string, v []float64) int {
	if space == "" || space != t.space {
		return -1
	}
	at := t.nearest([3]float64{v[0], v[1], v[2]})
	if at < 0 || t.frames[at].SpacingMM == nil {
		return -1
	}
	for i := 0; i+2 < len(v); i += 3 {
		if math.Abs(depthOf(t.frames[at], [3]float64{v[i], v[i+1], v[i+2]})) > t.halfSlab()+sameDepth {
			return -1
		}
	}
	return at
}

// contour draws one contour on the frame it refers to, else on the one it lies in.
func (t *target) contour(o *Overlay, c *node, space string) {
	v := c.numbers(tagContourData)
	if len(v) < 3 || len(v)%3 != 0 {
		t.say(o.Path, "%s: a contour of %d numbers; three for each point expected", o.Label, len(v))
		return
	}
	first := [3]float64{v[0], v[1], v[2]}
	refs := references(c.items[tagContourImages])
	at := -1
	for _, r := range refs {
		if frames := t.named(r.uid, r.frames); len(frames) > 0 {
			at = frames[0]
		}
	}
	if at < 0 && len(refs) > 0 {
		if at = t.through(space, v); at < 0 { // drawn on another series of the study, and it meets none of these frames
			return
		}
		o.Borrowed = true
	}
	if at < 0 {
		if at = t.nearest(first); at < 0 {
			t.say(o.Path, "%s: a contour lies outside the frames of this series", o.Label)
			return
		}
	}
	f := t.frames[at]
	if !placedInSpace(f) || f.SpacingMM == nil {
		t.say(o.Path, "%s cannot be placed: the series does not say where its frames lie", o.Label)
		return
	}
	if d := math.Abs(depthOf(f, first)); d > t.halfSlab()+sameDepth {
		t.say(o.Path, "%s: a contour lies %.1f mm away from the frame it refers to and is not shown", o.Label, d)
		return
	}
	points := []review.UnitPoint{}
	for i := 0; i+2 < len(v); i += 3 {
		points = append(points, unit(f, [3]float64{v[i], v[i+1], v[i+2]}))
	}
	switch kind := c.text(tagContourType); {
	case kind == "POINT":
		t.region(o, at, review.Point, points[:1])
	case kind == "CLOSED_PLANAR" || kind == "CLOSEDPLANAR_XOR":
		t.region(o, at, review.Polygon, points)
	default:
		t.say(o.Path, "%s: a contour of type %q is not drawn: POINT or CLOSED_PLANAR expected", o.Label, kind)
	}
}
