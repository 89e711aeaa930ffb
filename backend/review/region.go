package review

import "math"

// A UnitPoint lies in an image as stored (before any EXIF turning), in fractions of it: 0 and 1 are the outer pixel edges.
type UnitPoint struct{ X, Y float64 }

// A PixelPoint lies in an image as stored, in pixels: (0,0) is the outer corner of the first pixel, whose centre is (.5,.5).
type PixelPoint struct{ X, Y float64 }

// A Plane is the size of a stored image in pixels; the one way between fractions and pixels goes through it.
type Plane struct{ Columns, Rows int }

// ToPixel turns fractions into pixels.
func (p Plane) ToPixel(u UnitPoint) PixelPoint {
	return PixelPoint{u.X * float64(p.Columns), u.Y * float64(p.Rows)}
}

// ToUnit turns pixels into fractions.
func (p Plane) ToUnit(x PixelPoint) UnitPoint {
	return UnitPoint{x.X / float64(p.Columns), x.Y / float64(p.Rows)}
}

// Centre gives the middle of a pixel; column and row count from 0.
func (p Plane) Centre(column, row int) PixelPoint {
	return PixelPoint{float64(column) + .5, float64(row) + .5}
}

// Shape says how Coords are meant.
type Shape string

// The shapes; coords in fractions of the stored image.
const (
	Box        Shape = "box"         // x0,y0,x1,y1
	Polygon    Shape = "polygon"     // x,y,x,y,…
	Ellipse    Shape = "ellipse"     // the box around it
	Point      Shape = "point"       // x,y
	Slab       Shape = "slab"        // none: all of frames From..To
	Mask       Shape = "mask"        // an image file
	WholeImage Shape = "whole_image" // none
)

// A Region is a place in an image that carries, or is said to carry, a statement.
type Region struct {
	ID      RegionID      `json:"id"`
	Image   ImageID       `json:"image"`
	Frame   *int          `json:"frame,omitempty"` // 0-based
	From    *int          `json:"from,omitempty"`  // a range of frames, both ends in it
	To      *int          `json:"to,omitempty"`
	Shape   Shape         `json:"shape"`
	Coords  []float64     `json:"coords"`
	Source  *RegionSource `json:"source,omitempty"`
	Adopted bool          `json:"adopted,omitempty"` // taken over from the model: left out of region agreement
	Label   string        `json:"label,omitempty"`
}

// RegionSource keeps the coordinates as they came.
type RegionSource struct {
	Coords     []float64 `json:"coords"`
	Convention string    `json:"convention"`
	RefSize    []int     `json:"ref_size"`
}

// Span gives the first and the last frame of an image that a region lies on, of as many as it has: all, where it names none.
func (r Region) Span(frames int) (from, to int) {
	switch {
	case r.Frame != nil:
		return *r.Frame, *r.Frame
	case r.From != nil && r.To != nil:
		return *r.From, *r.To
	}
	return 0, frames - 1
}

// Fault says in words why r is not a region of an image with this many frames, or "" when it is.
func (r Region) Fault(frames int) string {
	want := map[Shape]int{Box: 4, Ellipse: 4, Point: 2, Slab: 0, WholeImage: 0, Mask: 0}
	n, known := want[r.Shape]
	switch {
	case r.Shape == Polygon && (len(r.Coords) < 6 || len(r.Coords)%2 != 0):
		return "a polygon has at least three x,y pairs"
	case r.Shape != Polygon && !known:
		return "shape is one of box, polygon, ellipse, point, slab, mask, whole_image"
	case known && len(r.Coords) != n:
		return "wrong number of coordinates for a " + string(r.Shape)
	}
	for _, c := range r.Coords {
		if math.IsNaN(c) || c < 0 || c > 1 {
			return "coordinates are fractions of the image, 0 to 1"
		}
	}
	if (r.Shape == Box || r.Shape == Ellipse) && (r.Coords[0] >= r.Coords[2] || r.Coords[1] >= r.Coords[3]) {
		return "a " + string(r.Shape) + " is x0,y0,x1,y1 with x0 < x1 and y0 < y1"
	}
	for _, f := range []*int{r.Frame, r.From, r.To} {
		if f != nil && (*f < 0 || frames > 0 && *f >= frames) {
			return "the frame is not in the image"
		}
	}
	if (r.From == nil) != (r.To == nil) || r.From != nil && *r.From > *r.To {
		return "from and to stand together, from ≤ to"
	}
	return ""
}
