package stats_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// region makes a region of image "a"; frames: none, one, or from and to.
func region(shape review.Shape, coords []float64, frames ...int) review.Region {
	r := review.Region{Image: "a", Shape: shape, Coords: coords}
	switch len(frames) {
	case 1:
		r.Frame = &frames[0]
	case 2:
		r.From, r.To = &frames[0], &frames[1]
	}
	return r
}

func box(x0, y0, x1, y1 float64, frames ...int) review.Region {
	return region(review.Box, []float64{x0, y0, x1, y1}, frames...)
}

func TestOverlap(t *testing.T) {
	other, adopted := box(.1, .1, .5, .5), box(.1, .1, .5, .5)
	other.Image, adopted.Adopted = "b", true
	circle := region(review.Ellipse, []float64{0, 0, 1, 1})
	for _, c := range []struct {
		name string
		a, b []review.Region
		want float64
		near float64
	}{
		{"as the golden boxes", []review.Region{box(.1, .1, .5, .5)}, []review.Region{box(.3, .3, .7, .7)}, 1. / 7, exact},
		{"the same twice is once", []review.Region{box(.1, .1, .5, .5), box(.1, .1, .5, .5)}, []review.Region{box(.1, .1, .5, .5)}, 1, exact},
		{"two parts of one", []review.Region{box(0, 0, .2, .4), box(.2, 0, .4, .4)}, []review.Region{box(0, 0, .4, .4)}, 1, exact},
		{"apart", []review.Region{box(0, 0, .2, .2)}, []review.Region{box(.5, .5, .7, .7)}, 0, exact},
		{"in another image", []review.Region{box(.1, .1, .5, .5)}, []review.Region{other}, 0, exact},
		{"in another frame", []review.Region{box(.1, .1, .5, .5, 3)}, []review.Region{box(.1, .1, .5, .5, 4)}, 0, exact},
		{"without a frame is the first", []review.Region{box(.1, .1, .5, .5)}, []review.Region{box(.1, .1, .5, .5, 0)}, 1, exact},
		{"frames 2–5 and 4–7", []review.Region{box(.1, .1, .5, .5, 2, 5)}, []review.Region{box(.1, .1, .5, .5, 4, 7)}, 2. / 6, exact},
		{"a slab and half of it", []review.Region{region(review.Slab, nil, 1, 4)}, []review.Region{box(0, 0, .5, 1, 1, 4)}, .5, exact},
		{"a circle in its square", []review.Region{circle}, []review.Region{box(0, 0, 1, 1)}, math.Pi / 4, .01},
		{"a triangle in its square", []review.Region{region(review.Polygon, []float64{0, 0, 1, 0, 0, 1})}, []review.Region{box(0, 0, 1, 1)}, .5, .01},
	} {
		got := stats.Overlap(c.a, c.b)
		if !got.Estimable || math.Abs(got.Value-c.want) > c.near {
			t.Errorf("%s: %+v, want %v", c.name, got, c.want)
		}
	}
	some := []review.Region{box(.1, .1, .5, .5)}
	for name, none := range map[string][]review.Region{"nothing": nil, "adopted": {adopted}, "a point": {region(review.Point, []float64{.2, .2})},
		"the whole image": {region(review.WholeImage, nil)}} {
		isNone(t, name, stats.Overlap(some, none), "on both sides")
		isNone(t, name, stats.Overlap(none, some), "on both sides")
	}
	isNone(t, "too many", stats.Overlap(some, slices.Repeat(some, 100)), "more than 100 regions")
	flat := region(review.Polygon, []float64{.1, .1, .2, .2, .3, .3})
	isNone(t, "a line", stats.Overlap([]review.Region{flat}, []review.Region{flat}), "enclose nothing")
}

func TestOverlapProperties(t *testing.T) {
	regions := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) review.Region {
		x, y := rapid.Float64Range(0, .5).Draw(t, "x"), rapid.Float64Range(0, .5).Draw(t, "y")
		coords := []float64{x, y, x + rapid.Float64Range(.05, .5).Draw(t, "w"), y + rapid.Float64Range(.05, .5).Draw(t, "h")}
		return region(rapid.SampledFrom([]review.Shape{review.Box, review.Ellipse}).Draw(t, "shape"), coords, rapid.IntRange(0, 1).Draw(t, "frame"))
	}), 1, 3)
	rapid.Check(t, func(t *rapid.T) {
		a, b := regions.Draw(t, "a"), regions.Draw(t, "b")
		x, y := stats.Overlap(a, b), stats.Overlap(b, a)
		if x != y || x.Value < 0 || x.Value > 1 {
			t.Fatalf("%+v and %+v", x, y)
		}
		if self := stats.Overlap(a, a); math.Abs(self.Value-1) > exact {
			t.Fatalf("with itself %+v", self)
		}
	})
}
