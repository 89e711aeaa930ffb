package review

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func number(n int) *int { return &n }

func TestRegionFault(t *testing.T) {
	for _, c := range []struct {
		name   string
		region Region
		frames int
		ok     bool
	}{
		{"box", Region{Shape: Box, Coords: []float64{.1, .2, .3, .4}, Frame: number(39)}, 40, true},
		{"box turned round", Region{Shape: Box, Coords: []float64{.3, .2, .1, .4}}, 40, false},
		{"box without size", Region{Shape: Box, Coords: []float64{.1, .2, .1, .4}}, 40, false},
		{"box of three numbers", Region{Shape: Box, Coords: []float64{.1, .2, .3}}, 40, false},
		{"pixels instead of fractions", Region{Shape: Box, Coords: []float64{10, 20, 30, 40}}, 40, false},
		{"not a number", Region{Shape: Point, Coords: []float64{math.NaN(), .5}}, 40, false},
		{"frame beyond the end", Region{Shape: Point, Coords: []float64{.5, .5}, Frame: number(40)}, 40, false},
		{"frame before the start", Region{Shape: Point, Coords: []float64{.5, .5}, Frame: number(-1)}, 40, false},
		{"slab", Region{Shape: Slab, From: number(3), To: number(9)}, 40, true},
		{"slab backwards", Region{Shape: Slab, From: number(9), To: number(3)}, 40, false},
		{"half a range", Region{Shape: Slab, From: number(3)}, 40, false},
		{"polygon", Region{Shape: Polygon, Coords: []float64{0, 0, 1, 0, 1, 1}}, 0, true},
		{"polygon of two points", Region{Shape: Polygon, Coords: []float64{0, 0, 1, 0}}, 0, false},
		{"polygon with half a point", Region{Shape: Polygon, Coords: []float64{0, 0, 1, 0, 1, 1, .5}}, 0, false},
		{"whole image", Region{Shape: WholeImage}, 1, true},
		{"unknown shape", Region{Shape: "star"}, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.region.Fault(c.frames); (got == "") != c.ok {
				t.Errorf("got %q, want it to be right: %v", got, c.ok)
			}
		})
	}
}

// The centre of column c lies at (c+.5)/columns, 0 and 1 are the outer edges, and there and back changes nothing.
func TestPlane(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Plane{Columns: rapid.IntRange(1, 5000).Draw(t, "columns"), Rows: rapid.IntRange(1, 5000).Draw(t, "rows")}
		column, row := rapid.IntRange(0, p.Columns-1).Draw(t, "column"), rapid.IntRange(0, p.Rows-1).Draw(t, "row")
		u := p.ToUnit(p.Centre(column, row))
		if want := (float64(column) + .5) / float64(p.Columns); u.X != want {
			t.Fatalf("centre of column %d of %d is %v, want %v", column, p.Columns, u.X, want)
		}
		back := p.ToPixel(u)
		if math.Abs(back.X-float64(column)-.5) > 1e-9 || math.Abs(back.Y-float64(row)-.5) > 1e-9 {
			t.Fatalf("there and back: %v", back)
		}
	})
	edge := Plane{Columns: 7, Rows: 3}.ToPixel(UnitPoint{1, 1})
	if edge != (PixelPoint{7, 3}) {
		t.Errorf("the far corner is %v, want the outer edges 7,3", edge)
	}
}

// Ids with separators in them never make two keys one.
func TestEventKey(t *testing.T) {
	if EventKey("a/b", KindRating, "c", "d") == EventKey("a", KindRating, "b/c", "d") || EventKey("a", KindLook, "", "q/1") == EventKey("a", KindLook, "q", "1") {
		t.Error("two different things have the same key")
	}
}
