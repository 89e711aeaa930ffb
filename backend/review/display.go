package review

// A Display is a reader's check of the screen at the beginning of a session: whether a patch of 5 % stands out from black and one of 95 %
// from white. Either answer is an answer: what was read on a poor screen is kept, and known for it.
type Display struct {
	Columns int     `json:"columns"`     // of the screen, in CSS pixels
	Rows    int     `json:"rows"`        // of the screen, in CSS pixels
	Ratio   float64 `json:"pixel_ratio"` // device pixels per CSS pixel
	Depth   int     `json:"depth"`       // bits of a pixel's colour
	Dark    bool    `json:"dark_seen"`   // the 5 % patch was seen
	Bright  bool    `json:"bright_seen"` // the 95 % patch was seen
}
