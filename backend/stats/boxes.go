package stats

// A Rectangle is x0, y0, x1, y1 in any unit, with x0 < x1 and y0 < y1.
type Rectangle [4]float64

// Area is 0 where the corners are not in order.
func (r Rectangle) Area() float64 { return max(0, r[2]-r[0]) * max(0, r[3]-r[1]) }

// shared is the area in both.
func (r Rectangle) shared(o Rectangle) float64 {
	return Rectangle{max(r[0], o[0]), max(r[1], o[1]), min(r[2], o[2]), min(r[3], o[3])}.Area()
}

const noArea = "the box encloses nothing: x0 < x1 and y0 < y1 expected"

// IoU is the area in both boxes over that in either (measurement.md, 39).
func IoU(a, b Rectangle) Estimate {
	both := a.shared(b)
	union := a.Area() + b.Area() - both
	if union == 0 {
		return missing(noArea)
	}
	return known(both / union)
}

// PixelPrecision is the share of a cited box that lies in the reference; above .5 it counts as spatially entailed (measurement.md, 39;
// RadFact).
func PixelPrecision(cited, reference Rectangle) Estimate {
	if cited.Area() == 0 {
		return missing(noArea)
	}
	return known(cited.shared(reference) / cited.Area())
}
