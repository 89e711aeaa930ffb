package dcm

import (
	"fmt"
	"math"
	"strings"

	"plumbline/backend/review"
)

// Gap is a place in a volume where frames are missing, or closer than elsewhere.
type Gap struct {
	After      int     `json:"after"` // 0-based number of the frame before it
	ExpectedMM float64 `json:"expected_mm"`
	FoundMM    float64 `json:"found_mm"`
}

// Geometry is how the frames of a stack lie in space.
type Geometry struct {
	SpacingMM   []float64 `json:"spacing_mm"`  // [row, column, between planes along the normal], or null
	Orientation []float64 `json:"orientation"` // six cosines, or null
	TiltDeg     float64   `json:"tilt_deg"`    // between the normal and the way from frame to frame
	ShearMM     float64   `json:"shear_mm"`    // in-plane shift from frame to frame
	Gaps        []Gap     `json:"gaps"`
	MPR         bool      `json:"mpr"`     // planes across may be shown: even spacing, no gap, no tilt
	Reasons     []string  `json:"reasons"` // warnings, and why not
}

// What counts as equal, in mm or degrees: a header's decimals and a scanner's rounding stay below.
const (
	evenMM  = 0.01 // and 2 % of the spacing
	tiltDeg = 0.1
)

// normal is the cross product of the row and column direction.
func normal(o []float64) [3]float64 {
	return [3]float64{o[1]*o[5] - o[2]*o[4], o[2]*o[3] - o[0]*o[5], o[0]*o[4] - o[1]*o[3]}
}

// isPlane tells whether six cosines are two directions at right angles.
func isPlane(o []float64) bool {
	row := o[0]*o[0] + o[1]*o[1] + o[2]*o[2]
	column := o[3]*o[3] + o[4]*o[4] + o[5]*o[5]
	across := o[0]*o[3] + o[1]*o[4] + o[2]*o[5]
	return math.Abs(row-1) < .01 && math.Abs(column-1) < .01 && math.Abs(across) < .01
}

// along gives the distance of a frame from the origin along its normal.
func along(f review.Frame) float64 {
	n := normal(f.Orientation)
	return n[0]*f.Position[0] + n[1]*f.Position[1] + n[2]*f.Position[2]
}

// placed tells whether a frame has a place in space.
func placedInSpace(f review.Frame) bool { return len(f.Position) == 3 && len(f.Orientation) == 6 }

// ofOneFile tells whether all frames lie in one file, whose order is then theirs.
func ofOneFile(frames []review.Frame) bool {
	for _, f := range frames {
		if f.Path != frames[0].Path {
			return false
		}
	}
	return frames[0].Path != ""
}

// Measure gives the geometry of frames in their order. A stack that is no volume has the reasons.
func Measure(frames []review.Frame) Geometry {
	g := Geometry{Gaps: []Gap{}, Reasons: []string{}}
	if len(frames) == 0 {
		g.Reasons = append(g.Reasons, "there are no frames")
		return g
	}
	for _, f := range frames {
		if !placedInSpace(f) {
			switch {
			case f.DurationMS > 0: // a clip goes through time: nobody asks where its frames lie
			case len(frames) > 1 && ofOneFile(frames):
				g.Reasons = append(g.Reasons, "in the order of the file: position unknown")
			case len(frames) > 1:
				g.Reasons = append(g.Reasons, "ordered by instance number: position unknown")
			}
			return g
		}
	}
	first := frames[0]
	g.Orientation = first.Orientation
	if len(frames) < 2 {
		g.Reasons = append(g.Reasons, "a single frame is no volume")
		return g
	}
	if first.SpacingMM == nil {
		g.Reasons = append(g.Reasons, "pixel spacing unknown")
	}
	between := g.distances(frames)
	if first.SpacingMM != nil && between > 0 {
		g.SpacingMM = []float64{first.SpacingMM[0], first.SpacingMM[1], between}
	}
	g.tilt(frames)
	g.MPR = len(g.Reasons) == 0 && len(frames) > 2
	if len(frames) == 2 {
		g.Reasons = append(g.Reasons, "two frames are too few for planes across")
	}
	return g
}

// distances finds the usual distance of planes along the normal, the median, and every place that differs from it.
func (g *Geometry) distances(frames []review.Frame) float64 {
	all := make([]float64, len(frames)-1)
	for i := range all {
		all[i] = along(frames[i+1]) - along(frames[i])
	}
	usual, known := lowerMedian(all), len(g.Reasons)
	for i, d := range all {
		if !even(d, usual) {
			g.Gaps = append(g.Gaps, Gap{After: i, ExpectedMM: usual, FoundMM: d})
			if len(g.Gaps) == 1 {
				g.Reasons = append(g.Reasons, fmt.Sprintf("expected %.2f mm, found %.2f mm between frames %d and %d", usual, d, i+1, i+2))
			}
		}
	}
	if parts := runs(all); parts != nil {
		g.Reasons = append(g.Reasons[:known], "the distance of planes changes: "+strings.Join(parts, ", "))
	} else if len(g.Gaps) > 1 {
		g.Reasons = append(g.Reasons, fmt.Sprintf("%d gaps in all", len(g.Gaps)))
	}
	if usual <= 0 {
		g.Reasons = append(g.Reasons, "frames share a position")
	}
	return usual
}

// fewestOfRun is the fewest equal distances that make a part of a stack with a spacing of its own; fewer are gaps.
const fewestOfRun = 2

// runs says how a stack goes on with another distance of its planes, part by part; nil where it does not, or where frames are missing.
func runs(all []float64) []string {
	var out []string
	for at := 0; at < len(all); {
		end := at + 1
		for end < len(all) && even(all[end], all[at]) {
			end++
		}
		if end-at < fewestOfRun {
			return nil
		}
		out = append(out, fmt.Sprintf("%.2f mm in frames %d to %d", all[at], at+1, end+1))
		at = end
	}
	if len(out) < 2 || len(out) > 4 {
		return nil
	}
	return out
}

// lowerMedian is the median, of an even number the lower of the two in the middle: a distance that was really found.
func lowerMedian(v []float64) float64 {
	s := sorted(v)
	return s[(len(s)-1)/2]
}

// tilt finds how far the way from the first frame to the last leaves the normal: a tilted gantry.
func (g *Geometry) tilt(frames []review.Frame) {
	first, last := frames[0], frames[len(frames)-1]
	var way [3]float64
	for i := range way {
		way[i] = last.Position[i] - first.Position[i]
	}
	length := math.Sqrt(way[0]*way[0] + way[1]*way[1] + way[2]*way[2])
	depth := along(last) - along(first)
	if length == 0 {
		return
	}
	g.TiltDeg = math.Acos(min(1, math.Abs(depth)/length)) * 180 / math.Pi
	g.ShearMM = math.Sqrt(max(0, length*length-depth*depth)) / float64(len(frames)-1)
	if g.TiltDeg < tiltDeg {
		g.TiltDeg, g.ShearMM = 0, 0
		return
	}
	g.Reasons = append(g.Reasons, fmt.Sprintf("gantry tilt %.1f°: frames are shifted by %.2f mm each", g.TiltDeg, g.ShearMM))
}
