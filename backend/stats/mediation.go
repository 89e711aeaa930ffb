package stats

// Cells are the four runs of a 2×2: Y of each question, with the image original (first digit 1) or occluded (0), and the earlier answers
// those given under the original (second digit 1) or the occluded image (0). All four are of the same questions.
type Cells struct {
	Y11 []float64 `json:"y11"`
	Y00 []float64 `json:"y00"`
	Y10 []float64 `json:"y10"`
	Y01 []float64 `json:"y01"`
}

// Effects split what the image does into what it does directly and what it does through earlier answers. TE = NDE + NIE.
type Effects struct {
	TE   Estimate `json:"te"`
	NDE  Estimate `json:"nde"`
	NIE  Estimate `json:"nie"`
	PNIE Estimate `json:"pnie"`
	TNDE Estimate `json:"tnde"`
	INT  Estimate `json:"int"`
}

// Mediate computes the effects of measurement.md, 21 (after Pearl, UAI 2001). It describes behaviour and says nothing of mechanism.
func Mediate(c Cells) Effects {
	if len(c.Y11) == 0 {
		none := missing("no question was run in all four cells")
		return Effects{none, none, none, none, none, none}
	}
	mean := func(y []float64) float64 { return total(y) / float64(len(y)) }
	y11, y00, y10, y01 := mean(c.Y11), mean(c.Y00), mean(c.Y10), mean(c.Y01)
	return Effects{
		TE: known(y11 - y00), NDE: known(y10 - y00), NIE: known(y11 - y10),
		PNIE: known(y01 - y00), TNDE: known(y11 - y01), INT: known((y11 - y10) - (y01 - y00)),
	}
}
