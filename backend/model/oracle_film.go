package model

// Where a film is compared, in mm from its middle (x to a side, z to the head): beside the base of the lung, where fluid gathers, and over its
// apex, where air does.
var (
	baseWindow = [4]float64{84, -66, 106, -48} // x0, z0, x1, z1
	apexWindow = [4]float64{36, 66, 62, 90}
)

// clear is how many grey values of 255 the sides must differ.
const clear = 10

// searchFilm compares the two sides of a frontal radiograph: fluid makes a base white, free air makes an apex dark. It looks for nothing else.
func (s *stack) searchFilm() sight {
	found := sight{film: true, searched: []Place{s.mirrored(baseWindow, -1), s.mirrored(baseWindow, 1), s.mirrored(apexWindow, -1), s.mirrored(apexWindow, 1)}}
	base := s.mean(found.searched[0]) - s.mean(found.searched[1])
	apex := s.mean(found.searched[2]) - s.mean(found.searched[3])
	switch { // the patient's right is at the left of the picture
	case base > clear:
		found.finding, found.side, found.value, found.place = "effusion", "right", base, found.searched[0]
	case base < -clear:
		found.finding, found.side, found.value, found.place = "effusion", "left", -base, found.searched[1]
	case apex < -clear:
		found.finding, found.side, found.value, found.place = "pneumothorax", "right", -apex, found.searched[2]
	case apex > clear:
		found.finding, found.side, found.value, found.place = "pneumothorax", "left", apex, found.searched[3]
	}
	return found
}

// mirrored gives a window on one side (-1: the left half of the picture) as a place, on whole pixels.
func (s *stack) mirrored(w [4]float64, side float64) Place {
	pixel := max(s.geometry.PixelMM, .1)
	column := func(mm float64) int { return max(0, min(s.columns, int(float64(s.columns)/2+mm/pixel))) }
	row := func(mm float64) int { return max(0, min(s.rows, int(float64(s.rows)/2-mm/pixel))) }
	x0, x1 := column(w[0]), column(w[2])
	if side < 0 {
		x0, x1 = s.columns-x1, s.columns-x0
	}
	width, height := float64(s.columns), float64(s.rows)
	return Place{Box: [4]float64{float64(x0) / width, float64(row(w[3])) / height, float64(x1) / width, float64(row(w[1])) / height}}
}

// mean gives the mean grey value of a place in the first picture.
func (s *stack) mean(p Place) float64 {
	sum, n := 0, 0
	for y := int(p.Box[1] * float64(s.rows)); y < int(p.Box[3]*float64(s.rows)); y++ {
		for x := int(p.Box[0] * float64(s.columns)); x < int(p.Box[2]*float64(s.columns)); x++ {
			sum += int(s.value[y*s.columns+x])
			n++
		}
	}
	return float64(sum) / float64(max(n, 1))
}
