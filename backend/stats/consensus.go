package stats

import (
	"fmt"
	"reflect"
	"slices"

	"plumbline/backend/review"
)

// Consensus is where at least half of the readers marked (measurement.md, "Region consensus"), each reader's regions taken together; a
// reader who marked nothing counts as one. The area comes as boxes that do not overlap: exact for boxes and slabs, of curved shapes to
// about a hundredth of their extent. A point or a whole image is in it where at least half gave just that. What was adopted from a model
// and masks do not count, and there is none of more than 100 regions.
func Consensus(readers [][]review.Region) []review.Region {
	area, n := make([][]review.Region, len(readers)), 0
	for i, all := range readers {
		area[i] = slices.DeleteFunc(slices.Clone(all), noExtent)
		n += len(area[i])
	}
	out := []review.Region{}
	if n > mostRegions {
		return out
	}
	for _, image := range images(area...) {
		out = append(out, consensusOf(image, area)...)
	}
	out = append(out, sameMarks(readers)...)
	for i := range out {
		out[i].ID = review.RegionID(fmt.Sprintf("c%d", i+1))
	}
	return out
}

// consensusOf gives the consensus in one image, from frame to frame.
func consensusOf(image review.ImageID, area [][]review.Region) []review.Region {
	here, cuts, framed := make([][]review.Region, len(area)), []int{}, false
	for i, all := range area {
		for _, r := range all {
			if r.Image == image {
				from, to := frames(r)
				here[i], cuts = append(here[i], r), append(cuts, from, to)
				framed = framed || r.Frame != nil || r.From != nil
			}
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	out := []review.Region{}
	for i := range len(cuts) - 1 {
		by := make([][]review.Region, len(here))
		for j := range here {
			by[j] = inFrame(here[j], cuts[i])
		}
		for _, box := range shared(by) {
			r := review.Region{Image: image, Shape: review.Box, Coords: box[:]}
			switch from, to := cuts[i], cuts[i+1]-1; {
			case !framed:
			case from == to:
				r.Frame = &from
			default:
				r.From, r.To = &from, &to
			}
			out = append(out, r)
		}
	}
	return out
}

// shared gives the boxes of one frame that at least half of the readers marked: cells in a row are joined, then equal rows.
func shared(by [][]review.Region) [][4]float64 {
	all := slices.Concat(by...)
	if len(all) == 0 {
		return nil
	}
	xs, ys := cuts(all, 0), cuts(all, 1)
	done, open := [][4]float64{}, [][4]float64{}
	for j := range len(ys) - 1 {
		row := [][4]float64{}
		for i := range len(xs) - 1 {
			if !byHalf(by, (xs[i]+xs[i+1])/2, (ys[j]+ys[j+1])/2) {
				continue
			}
			if last := len(row) - 1; last >= 0 && row[last][2] == xs[i] {
				row[last][2] = xs[i+1]
				continue
			}
			row = append(row, [4]float64{xs[i], ys[j], xs[i+1], ys[j+1]})
		}
		for _, before := range open {
			at := slices.IndexFunc(row, func(r [4]float64) bool { return r[0] == before[0] && r[2] == before[2] })
			if at < 0 {
				done = append(done, before)
				continue
			}
			row[at][1] = before[1]
		}
		open = row
	}
	return append(done, open...)
}

// byHalf tells whether at least half of the readers marked a point.
func byHalf(by [][]review.Region, x, y float64) bool {
	n := 0
	for _, all := range by {
		if slices.ContainsFunc(all, func(r review.Region) bool { return encloses(r, x, y) }) {
			n++
		}
	}
	return 2*n >= len(by)
}

// sameMarks gives the points and whole images that at least half of the readers gave.
func sameMarks(readers [][]review.Region) []review.Region {
	out := []review.Region{}
	for _, all := range readers {
		for _, r := range all {
			r = review.Region{Image: r.Image, Frame: r.Frame, From: r.From, To: r.To, Shape: r.Shape, Coords: r.Coords, Adopted: r.Adopted}
			if r.Adopted || r.Shape != review.Point && r.Shape != review.WholeImage || slices.ContainsFunc(out, samePlace(r)) {
				continue
			}
			n := 0
			for _, other := range readers {
				if slices.ContainsFunc(other, samePlace(r)) {
					n++
				}
			}
			if 2*n >= len(readers) {
				out = append(out, r)
			}
		}
	}
	return out
}

// samePlace finds the regions that mark just what r does.
func samePlace(r review.Region) func(review.Region) bool {
	return func(other review.Region) bool {
		return !other.Adopted && other.Image == r.Image && other.Shape == r.Shape && slices.Equal(other.Coords, r.Coords) &&
			reflect.DeepEqual([]*int{other.Frame, other.From, other.To}, []*int{r.Frame, r.From, r.To})
	}
}
