package export

import (
	"reflect"
	"slices"

	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// consensus gives the evidence of reads that say the same: of one its own, of several where at least half of them marked (measurement.md,
// "Region consensus"), as the box around each connected part of it, since that is what trainers take. What was taken over from the model
// counts as a mark too. A label that all regions have in common stays.
func consensus(reads []Said, evidence func(Said) []review.Region) []review.Region {
	if len(reads) == 1 {
		return evidence(reads[0])
	}
	marks, label, same := make([][]review.Region, len(reads)), "", true
	for i, s := range reads {
		for _, r := range evidence(s) {
			if label == "" {
				label = r.Label
			}
			same = same && r.Label == label
			r.Adopted = false
			marks[i] = append(marks[i], r)
		}
	}
	out := connected(stats.Consensus(marks))
	for i := range out {
		if same {
			out[i].Label = label
		}
	}
	return out
}

// connected joins boxes that touch on the same frames into the box around them.
func connected(parts []review.Region) []review.Region {
	out := []review.Region{}
	for _, r := range parts {
		if r.Shape != review.Box {
			out = append(out, r)
			continue
		}
		r.Coords = slices.Clone(r.Coords)
		for { // what it grows to may touch another
			i := slices.IndexFunc(out, func(o review.Region) bool {
				return o.Shape == review.Box && samePlane(o, r) && touching(o.Coords, r.Coords)
			})
			if i < 0 {
				break
			}
			o := out[i].Coords
			r.Coords = []float64{min(o[0], r.Coords[0]), min(o[1], r.Coords[1]), max(o[2], r.Coords[2]), max(o[3], r.Coords[3])}
			r.ID = out[i].ID
			out = slices.Delete(out, i, i+1)
		}
		out = append(out, r)
	}
	return out
}

// samePlane tells whether two regions lie in the same frames of the same image.
func samePlane(a, b review.Region) bool {
	return a.Image == b.Image && reflect.DeepEqual([]*int{a.Frame, a.From, a.To}, []*int{b.Frame, b.From, b.To})
}

// touching tells whether two boxes have a point in common.
func touching(a, b []float64) bool {
	return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}
