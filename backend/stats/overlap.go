package stats

import (
	"fmt"
	"slices"

	"plumbline/backend/review"
)

// Overlap is the IoU of two people's regions of the same case, each taken together (measurement.md, 39): of areas, and over frames of volumes.
// A region without a frame lies in the first; a slab is all of its frames. Points, masks, the whole image and what was adopted from a model
// do not count. Boxes are exact; ellipses and polygons are so to about a hundredth.
func Overlap(a, b []review.Region) Estimate {
	both, either, why := extentOf(a, b)
	switch {
	case why != "":
		return missing("%s", why)
	case either == 0:
		return missing("the regions enclose nothing")
	}
	return known(both / either)
}

// Precision is the share of what is cited that lies in the reference, in area and over frames as in Overlap; above .5 it counts as spatially
// entailed (measurement.md, 39; RadFact).
func Precision(cited, reference []review.Region) Estimate {
	both, _, why := extentOf(cited, reference)
	if why != "" {
		return missing("%s", why)
	}
	marked := slices.DeleteFunc(slices.Clone(cited), noExtent)
	_, all, _ := extentOf(marked, marked[:1]) // of the union: what is cited twice counts once
	if all == 0 {
		return missing("the regions enclose nothing")
	}
	return known(both / all)
}

// FrameDice is twice the frames that are in both ranges over the frames of either, added up (measurement.md, 39): how well a citation finds
// the place along a volume. Regions without a frame lie in the first.
func FrameDice(a, b []review.Region) Estimate {
	count := func(list []review.Region) map[review.ImageID]map[int]bool {
		out := map[review.ImageID]map[int]bool{}
		for _, r := range list {
			if out[r.Image] == nil {
				out[r.Image] = map[int]bool{}
			}
			from, to := frames(r)
			for f := from; f < min(to, from+mostFrames); f++ {
				out[r.Image][f] = true
			}
		}
		return out
	}
	inA, inB := count(a), count(b)
	all, both := 0.0, 0.0
	for _, list := range []map[review.ImageID]map[int]bool{inA, inB} {
		for _, frames := range list {
			all += float64(len(frames))
		}
	}
	for image, frames := range inA {
		for f := range frames {
			if inB[image][f] {
				both++
			}
		}
	}
	if len(inA) == 0 || len(inB) == 0 || all == 0 {
		return missing("no region on one of the sides")
	}
	return known(2 * both / all)
}

// mostFrames is as long as a range of frames is believed to be.
const mostFrames = 1 << 16

// Inside tells whether a point of a frame of an image lies in one of the regions (measurement.md, 39: the pointing game).
func Inside(list []review.Region, image review.ImageID, frame int, x, y float64) bool {
	return slices.ContainsFunc(list, func(r review.Region) bool {
		from, to := frames(r)
		return r.Image == image && !noExtent(r) && frame >= from && frame < to && encloses(r, x, y)
	})
}

// Centre is the middle of a region's extent: frame, x and y; not ok where it has none.
func Centre(r review.Region) (frame int, x, y float64, ok bool) {
	if noExtent(r) && r.Shape != review.Point || r.Shape != review.Slab && len(r.Coords) < 2 {
		return 0, 0, 0, false
	}
	from, to := frames(r)
	x0, x1 := extent(r, 0)
	y0, y1 := extent(r, 1)
	return (from + to - 1) / 2, (x0 + x1) / 2, (y0 + y1) / 2, true
}

// extentOf gives what lies in both and in either of two sets of regions, areas in fractions of a frame times frames, or why it cannot be said.
func extentOf(a, b []review.Region) (both, either float64, why string) {
	a, b = slices.DeleteFunc(slices.Clone(a), noExtent), slices.DeleteFunc(slices.Clone(b), noExtent)
	if len(a) == 0 || len(b) == 0 {
		return 0, 0, "no region with an area on both sides"
	}
	if len(a)+len(b) > mostRegions {
		return 0, 0, fmt.Sprintf("more than %d regions of one thing", mostRegions)
	}
	for _, image := range images(a, b) {
		cuts := []int{}
		ofImage := func(all []review.Region) (here []review.Region) {
			for _, r := range all {
				if r.Image == image {
					from, to := frames(r)
					here, cuts = append(here, r), append(cuts, from, to)
				}
			}
			return here
		}
		inA, inB := ofImage(a), ofImage(b)
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		for i := range len(cuts) - 1 {
			shared, union := planeOverlap(inFrame(inA, cuts[i]), inFrame(inB, cuts[i]))
			thick := float64(cuts[i+1] - cuts[i])
			both, either = both+shared*thick, either+union*thick
		}
	}
	return both, either, ""
}

// mostRegions is as many as are compared: time grows with the third power.
const mostRegions = 100

// noExtent tells which regions cannot overlap.
func noExtent(r review.Region) bool {
	return r.Adopted || !slices.Contains([]review.Shape{review.Box, review.Ellipse, review.Polygon, review.Slab}, r.Shape)
}

// images lists the images that regions lie in, in order, so that sums are the same every time.
func images(lists ...[]review.Region) []review.ImageID {
	out := []review.ImageID{}
	for _, list := range lists {
		for _, r := range list {
			out = append(out, r.Image)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// frames gives the first frame of a region and the one after its last.
func frames(r review.Region) (from, to int) {
	switch {
	case r.From != nil && r.To != nil:
		return *r.From, *r.To + 1
	case r.Frame != nil:
		return *r.Frame, *r.Frame + 1
	}
	return 0, 1
}

func inFrame(all []review.Region, frame int) []review.Region {
	return slices.DeleteFunc(slices.Clone(all), func(r review.Region) bool {
		from, to := frames(r)
		return frame < from || frame >= to
	})
}

// finest is into how many parts the extent of curved regions is cut, each way.
const finest = 100

// planeOverlap gives the area in both and in either of two sets of regions of one frame, in fractions of the frame. The plane is cut at every
// edge of a box, and more finely where something is curved; a cell counts by its centre.
func planeOverlap(a, b []review.Region) (both, either float64) {
	all := slices.Concat(a, b)
	if len(all) == 0 {
		return 0, 0
	}
	xs, ys := cuts(all, 0), cuts(all, 1)
	for i := range len(xs) - 1 {
		for j := range len(ys) - 1 {
			x, y := (xs[i]+xs[i+1])/2, (ys[j]+ys[j+1])/2
			inside := func(r review.Region) bool { return encloses(r, x, y) }
			inA, inB := slices.ContainsFunc(a, inside), slices.ContainsFunc(b, inside)
			cell := (xs[i+1] - xs[i]) * (ys[j+1] - ys[j])
			if inA && inB {
				both += cell
			}
			if inA || inB {
				either += cell
			}
		}
	}
	return both, either
}

// cuts lists where the plane is cut along one axis (0: x, 1: y).
func cuts(all []review.Region, axis int) []float64 {
	out, curved := []float64{}, false
	for _, r := range all {
		low, high := extent(r, axis)
		out = append(out, low, high)
		curved = curved || r.Shape == review.Ellipse || r.Shape == review.Polygon
	}
	low, high := slices.Min(out), slices.Max(out)
	if curved {
		for i := range finest {
			out = append(out, low+(high-low)*float64(i)/finest)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// extent is from where to where a region reaches along an axis.
func extent(r review.Region, axis int) (low, high float64) {
	if r.Shape == review.Slab {
		return 0, 1
	}
	low, high = r.Coords[axis], r.Coords[axis]
	for i := axis; i < len(r.Coords); i += 2 {
		low, high = min(low, r.Coords[i]), max(high, r.Coords[i])
	}
	return low, high
}

// encloses tells whether a point lies in a region.
func encloses(r review.Region, x, y float64) bool {
	c := r.Coords
	switch r.Shape {
	case review.Box:
		return x > c[0] && x < c[2] && y > c[1] && y < c[3]
	case review.Ellipse:
		dx, dy := (2*x-c[0]-c[2])/(c[2]-c[0]), (2*y-c[1]-c[3])/(c[3]-c[1])
		return dx*dx+dy*dy < 1
	case review.Polygon: // a ray to the left crosses the edges an odd number of times
		odd := false
		for i := 0; i < len(c); i += 2 {
			j := (i + len(c) - 2) % len(c)
			if (c[i+1] > y) != (c[j+1] > y) && x < c[i]+(y-c[i+1])/(c[j+1]-c[i+1])*(c[j]-c[i]) {
				odd = !odd
			}
		}
		return odd
	}
	return r.Shape == review.Slab
}
