package dcm

import (
	"math"

	"plumbline/backend/review"
)

// The concepts by which a region in a report gets its name (PS3.16 TID 1410, 1411).
const (
	conceptFinding  = "121071"
	conceptTracking = "112039"
)

// report draws the regions of a report by TID 1500 and its kin: every SCOORD that is selected from an image of the stack, every SCOORD3D of
// its frame of reference. What stands around it in the tree gives the name.
func (t *target) report(path string, n *node) {
	t.content(path, n.items[tagContent], "")
}

// content walks the items of a container; name is what those above said.
func (t *target) content(path string, items []*node, name string) {
	for _, c := range items {
		switch concept := c.first(tagConceptName); {
		case concept.text(tagCodeValue) == conceptTracking && c.text(tagText) != "" && name == "":
			name = c.text(tagText)
		case concept.text(tagCodeValue) == conceptFinding && c.first(tagConceptCode).text(tagCodeMeaning) != "":
			name = c.first(tagConceptCode).text(tagCodeMeaning)
		}
	}
	for _, c := range items {
		switch c.text(tagValueType) {
		case "SCOORD":
			t.graphic(path, c, named(name, c))
		case "SCOORD3D":
			t.graphic3D(path, c, named(name, c))
		default:
			below := name
			if c.text(tagValueType) == "CONTAINER" {
				below = "" // a group of its own
			}
			t.content(path, c.items[tagContent], below)
		}
	}
}

// named gives a region's label.
func named(name string, c *node) string {
	if name == "" {
		name = c.first(tagConceptName).text(tagCodeMeaning)
	}
	if name == "" {
		name = "region"
	}
	return name
}

// overlayOf gives the overlay of a report's label.
func (t *target) overlayOf(path, label string) *Overlay {
	for i := range t.out {
		if o := &t.out[i]; o.Kind == OverlayRegion && o.Path == path && o.Label == label {
			return o
		}
	}
	t.out = append(t.out, Overlay{Kind: OverlayRegion, Label: label, Regions: []review.Region{}, Path: path})
	return &t.out[len(t.out)-1]
}

// graphic draws an SCOORD: columns and rows, 0\0 the outer corner of the first pixel (PS3.3 C.18.6.1.1).
func (t *target) graphic(path string, c *node, label string) {
	v := c.numbers(tagGraphicData)
	var frames []int
	selected := false
	for _, image := range c.items[tagContent] {
		for _, r := range references(image.items[tagReferencedSOP]) {
			selected = true
			frames = append(frames, t.named(r.uid, r.frames)...)
		}
	}
	switch {
	case !selected:
		t.say(path, "%s: a region without the image it lies in", label)
		return
	case len(frames) == 0:
		return // of another series
	case len(v) < 2 || len(v)%2 != 0:
		t.say(path, "%s: a region of %d numbers; two for each point expected", label, len(v))
		return
	}
	for _, k := range frames {
		f := t.frames[k]
		points := make([]review.UnitPoint, len(v)/2)
		for i := range points {
			points[i] = review.Plane{Columns: f.Columns, Rows: f.Rows}.ToUnit(review.PixelPoint{X: v[2*i], Y: v[2*i+1]})
		}
		t.shape(path, c.text(tagGraphicType), label, k, points)
	}
}

// graphic3D draws an SCOORD3D, points of the patient.
func (t *target) graphic3D(path string, c *node, label string) {
	v := c.numbers(tagGraphicData)
	switch space := c.text(tagROIFrame); {
	case t.space == "" || space != t.space:
		return // of another series, or of none that is known
	case len(v) < 3 || len(v)%3 != 0:
		t.say(path, "%s: a region of %d numbers; three for each point expected", label, len(v))
		return
	}
	k := t.nearest([3]float64{v[0], v[1], v[2]})
	if k < 0 || t.frames[k].SpacingMM == nil {
		t.say(path, "%s: a region lies outside the frames of this series", label)
		return
	}
	points := make([]review.UnitPoint, len(v)/3)
	for i := range points {
		p := [3]float64{v[3*i], v[3*i+1], v[3*i+2]}
		if math.Abs(depthOf(t.frames[k], p)) > t.halfSlab()+sameDepth {
			t.say(path, "%s: a region that does not lie in a plane of this series is not shown", label)
			return
		}
		points[i] = unit(t.frames[k], p)
	}
	kind := c.text(tagGraphicType)
	if kind == "POLYGON" {
		kind = "POLYLINE"
		points = append(points, points[0])
	}
	t.shape(path, kind, label, k, points)
}

// shape adds a graphic of a report.
func (t *target) shape(path, kind, label string, frame int, points []review.UnitPoint) {
	f := t.frames[frame]
	o := t.overlayOf(path, label)
	closed := len(points) > 3 && points[0] == points[len(points)-1]
	switch {
	case kind == "POINT" || kind == "MULTIPOINT":
		for _, p := range points {
			t.region(o, frame, review.Point, []review.UnitPoint{p})
		}
	case kind == "POLYLINE" && closed:
		t.region(o, frame, review.Polygon, points[:len(points)-1])
	case kind == "CIRCLE" && len(points) == 2:
		t.region(o, frame, review.Polygon, ring(f, points[0], points[1], review.UnitPoint{}, false))
	case kind == "ELLIPSE" && len(points) == 4:
		centre := review.UnitPoint{X: (points[0].X + points[1].X) / 2, Y: (points[0].Y + points[1].Y) / 2}
		t.region(o, frame, review.Polygon, ring(f, centre, points[1], points[3], true))
	default:
		t.say(path, "%s: a graphic of type %q with %d points is not drawn", label, kind, len(points))
	}
}

// ring gives an ellipse as an outline: its centre, the end of one axis, and the end of the other; of a circle the other is worked out on square
// pixels.
func ring(f review.Frame, centre, end, other review.UnitPoint, ellipse bool) []review.UnitPoint {
	const corners = 72
	w, h := float64(f.Columns), float64(f.Rows)
	ax, ay := (end.X-centre.X)*w, (end.Y-centre.Y)*h
	bx, by := -ay, ax
	if ellipse {
		bx, by = (other.X-centre.X)*w, (other.Y-centre.Y)*h
	}
	out := make([]review.UnitPoint, corners)
	for i := range out {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		out[i] = review.UnitPoint{X: centre.X + (ax*cos+bx*sin)/w, Y: centre.Y + (ay*cos+by*sin)/h}
	}
	return out
}
