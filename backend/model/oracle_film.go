package model

// searchFilm compares the two sides of a frontal radiograph: fluid makes a base white, free air makes an apex black.
func (s *stack) searchFilm() sight {
	found := sight{film: true}
	window := func(x0, y0, x1, y1 float64) (mean float64, p Place) {
		sum, n := 0, 0
		for y := int(y0 * float64(s.rows)); y < int(y1*float64(s.rows)); y++ {
			for x := int(x0 * float64(s.columns)); x < int(x1*float64(s.columns)); x++ {
				sum += int(s.value[y*s.columns+x])
				n++
			}
		}
		return float64(sum) / float64(max(n, 1)), Place{Box: [4]float64{x0, y0, x1, y1}}
	}
	// The patient's right is at the left of the picture.
	rightApex, rightApexBox := window(.25, .15625, .34375, .28125)
	leftApex, leftApexBox := window(.65625, .15625, .75, .28125)
	rightBase, rightBaseBox := window(.1875, .625, .28125, .71875)
	leftBase, leftBaseBox := window(.71875, .625, .8125, .71875)
	found.searched = []Place{{Box: [4]float64{.125, .125, .46875, .8125}}, {Box: [4]float64{.53125, .125, .875, .8125}}}
	set := func(finding, side string, value float64, p Place) {
		found.finding, found.side, found.value, found.place = finding, side, value, p
	}
	const clear = 18 // grey values between the sides
	switch {
	case rightBase-leftBase > clear:
		set("effusion", "right", rightBase-leftBase, rightBaseBox)
	case leftBase-rightBase > clear:
		set("effusion", "left", leftBase-rightBase, leftBaseBox)
	case leftApex-rightApex > clear:
		set("pneumothorax", "right", leftApex-rightApex, rightApexBox)
	case rightApex-leftApex > clear:
		set("pneumothorax", "left", rightApex-leftApex, leftApexBox)
	}
	return found
}
