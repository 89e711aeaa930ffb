package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"plumbline/backend/review"
)

func at(frame int) *int { return &frame }

func TestConsensus(t *testing.T) {
	box := func(c ...float64) review.Region { return review.Region{Image: "i", Shape: review.Box, Coords: c} }
	slab := func(from, to int) review.Region {
		return review.Region{Image: "v", Shape: review.Slab, Coords: []float64{}, From: &from, To: &to}
	}
	point := review.Region{Image: "i", Shape: review.Point, Coords: []float64{.5, .5}}
	adopted := box(0, 0, 1, 1)
	adopted.Adopted = true
	for _, c := range []struct {
		name string
		by   [][]review.Region
		want []review.Region
	}{
		{"nobody", nil, nil},
		{"of two, each is half", [][]review.Region{{box(0, 0, .5, .5)}, {box(.6, 0, 1, .5)}}, []review.Region{box(0, 0, .5, .5), box(.6, 0, 1, .5)}},
		{"two of three", [][]review.Region{{box(0, 0, .5, 1)}, {box(.25, 0, .75, 1)}, {box(.9, .9, 1, 1)}}, []review.Region{box(.25, 0, .5, 1)}},
		{"one who marked nothing counts", [][]review.Region{{box(0, 0, 1, 1)}, {}, {}}, nil},
		{"one reader's own regions are one", [][]review.Region{{box(0, 0, .5, 1), box(0, 0, .5, 1)}, {}, {}}, nil},
		{"adopted is nobody's", [][]review.Region{{adopted}, {adopted}}, nil},
		{"frames", [][]review.Region{{slab(0, 4)}, {slab(3, 6)}, {slab(9, 9)}}, []review.Region{{Image: "v", Shape: review.Box, Coords: []float64{0, 0, 1, 1}, From: at(3), To: at(4)}}},
		{"a point", [][]review.Region{{point}, {point}, {}}, []review.Region{point}},
	} {
		got := Consensus(c.by)
		same := slices.EqualFunc(got, c.want, func(a, b review.Region) bool { return samePlace(a)(b) })
		if !same {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// An ellipse that all drew is the consensus, to about a hundredth.
func TestConsensusOfEllipses(t *testing.T) {
	e := review.Region{Image: "i", Shape: review.Ellipse, Coords: []float64{.1, .2, .6, .9}}
	sum := 0.0
	for _, r := range Consensus([][]review.Region{{e}, {e}, {e}}) {
		sum += (r.Coords[2] - r.Coords[0]) * (r.Coords[3] - r.Coords[1])
	}
	if want := math.Pi * .25 * .35; math.Abs(sum-want) > .01*want {
		t.Errorf("area %v, want %v", sum, want)
	}
}

// Readers have no order, boxes of a consensus do not overlap, and with one reader it is what that reader marked.
func TestConsensusProperties(t *testing.T) {
	boxes := rapid.Custom(func(t *rapid.T) review.Region {
		x, y := rapid.IntRange(0, 8).Draw(t, "x"), rapid.IntRange(0, 8).Draw(t, "y")
		w, h := rapid.IntRange(1, 2).Draw(t, "w"), rapid.IntRange(1, 2).Draw(t, "h")
		return review.Region{Image: "i", Shape: review.Box, Coords: []float64{float64(x) / 10, float64(y) / 10, float64(x+w) / 10, float64(y+h) / 10}}
	})
	rapid.Check(t, func(t *rapid.T) {
		by := rapid.SliceOfN(rapid.SliceOfN(boxes, 0, 3), 1, 4).Draw(t, "by")
		got := Consensus(by)
		for i, a := range got {
			for _, b := range got[:i] {
				if Overlap([]review.Region{a}, []review.Region{b}).Value > 0 {
					t.Fatalf("%v and %v overlap", a.Coords, b.Coords)
				}
			}
		}
		turned := slices.Clone(by)
		slices.Reverse(turned)
		if again := Consensus(turned); !slices.EqualFunc(got, again, func(a, b review.Region) bool { return samePlace(a)(b) }) {
			t.Fatalf("%v and, turned round, %v", got, again)
		}
		if alone := Consensus(by[:1]); len(by[0]) > 0 && math.Abs(Overlap(alone, by[0]).Value-1) > 1e-9 {
			t.Fatalf("one reader: %v of %v", alone, by[0])
		}
	})
}
