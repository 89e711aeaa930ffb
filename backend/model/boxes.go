package model

import (
	"math"

	"plumbline/backend/review"
)

// Convention says how a model writes a box: the order of its four numbers and what they count. It is a setting of a profile and never
// guessed from the numbers.
type Convention struct {
	Space string `json:"space,omitempty"` // see the Space constants; "": unit
	Order string `json:"order,omitempty"` // xyxy (the default), yxyx, xywh, cxcywh
}

// What the numbers of a box count.
const (
	SpaceUnit     = "unit"     // fractions of the picture, 0–1
	SpaceThousand = "thousand" // 0–1000: Qwen2-VL, Qwen3-VL, InternVL2, GLM-V; Gemini and MedGemma with yxyx
	SpaceLoc      = "loc1024"  // PaliGemma's <loc0000>–<loc1023>, mostly with yxyx
	SpacePixels   = "pixels"   // of the picture as sent: Qwen2.5-VL, Claude
	SpacePercent  = "percent"  // 0–100
	SpacePadded   = "padded"   // 0–1 of the square that the picture was padded to, in its middle: LLaVA
)

// Fault says what is wrong with a convention, or "".
func (c Convention) Fault() string {
	switch c.Space {
	case "", SpaceUnit, SpaceThousand, SpaceLoc, SpacePixels, SpacePercent, SpacePadded:
	default:
		return "space must be unit, thousand, loc1024, pixels, percent or padded"
	}
	switch c.Order {
	case "", "xyxy", "yxyx", "xywh", "cxcywh":
		return ""
	}
	return "order must be xyxy, yxyx, xywh or cxcywh"
}

// String names a convention as a region's source holds it: "thousand xyxy".
func (c Convention) String() string { return or(c.Space, SpaceUnit) + " " + or(c.Order, "xyxy") }

// ask tells a model in which numbers a box is expected.
func (c Convention) ask() string {
	order := map[string]string{"": "[x0,y0,x1,y1]", "xyxy": "[x0,y0,x1,y1]", "yxyx": "[y0,x0,y1,x1]", "xywh": "[x,y,width,height]", "cxcywh": "[centre x,centre y,width,height]"}[c.Order]
	space := map[string]string{
		"": "fractions of the picture from 0 to 1", SpaceUnit: "fractions of the picture from 0 to 1", SpaceThousand: "whole numbers from 0 to 1000",
		SpaceLoc: "whole numbers from 0 to 1023", SpacePixels: "pixels of the picture", SpacePercent: "percent of the picture",
		SpacePadded: "fractions of the square around the picture from 0 to 1",
	}[c.Space]
	return "A box is " + order + " in " + space + "."
}

// Sent is one picture as it was sent, and which of the case's pictures it was made from.
type Sent struct {
	Image    review.ImageID
	Frame    *int // of a volume, 0-based
	Whole    bool // the image has this one picture only
	Columns  int  // as sent
	Rows     int
	Turned   int    // EXIF orientation by which it was turned before it was sent, 1–8; 0: as stored
	Modality string // as the case says; may be empty
}

// unit turns four numbers into x0,y0,x1,y1 in fractions of the stored picture. It gives false where they are no box of the picture: not
// numbers, turned inside out, without an area, or outside by more than rounding does.
func (c Convention) unit(n [4]float64, s Sent) ([4]float64, bool) {
	for _, v := range n {
		if math.IsNaN(v) || math.Abs(v) > 1e6 {
			return [4]float64{}, false
		}
	}
	b := n
	switch c.Order {
	case "yxyx":
		b = [4]float64{n[1], n[0], n[3], n[2]}
	case "xywh":
		b = [4]float64{n[0], n[1], n[0] + n[2], n[1] + n[3]}
	case "cxcywh":
		b = [4]float64{n[0] - float64(n[2]/2), n[1] - float64(n[3]/2), n[0] + float64(n[2]/2), n[1] + float64(n[3]/2)}
	}
	w, h := 1., 1.
	switch c.Space {
	case SpaceThousand:
		w, h = 1000, 1000
	case SpaceLoc:
		w, h = 1024, 1024
	case SpacePercent:
		w, h = 100, 100
	case SpacePixels:
		w, h = float64(s.Columns), float64(s.Rows)
	case SpacePadded:
		side := float64(max(s.Columns, s.Rows))
		left, above := (side-float64(s.Columns))/2, (side-float64(s.Rows))/2
		b = [4]float64{float64(b[0]*side) - left, float64(b[1]*side) - above, float64(b[2]*side) - left, float64(b[3]*side) - above}
		w, h = float64(s.Columns), float64(s.Rows)
	}
	if w <= 0 || h <= 0 {
		return [4]float64{}, false
	}
	b = [4]float64{b[0] / w, b[1] / h, b[2] / w, b[3] / h}
	const slack = .02 // a box drawn around the whole picture is often a pixel too large
	for i, v := range b {
		if v < -slack || v > 1+slack {
			return [4]float64{}, false
		}
		b[i] = min(max(v, 0), 1)
	}
	if b[0] >= b[2] || b[1] >= b[3] {
		return [4]float64{}, false
	}
	return stored(b, s.Turned), true
}

// stored turns a box of a picture that was turned by its EXIF orientation back into the picture as stored (Exif 2.32, Orientation).
func stored(b [4]float64, turned int) [4]float64 {
	x0, y0, x1, y1 := b[0], b[1], b[2], b[3]
	switch turned {
	case 2:
		return [4]float64{1 - x1, y0, 1 - x0, y1}
	case 3:
		return [4]float64{1 - x1, 1 - y1, 1 - x0, 1 - y0}
	case 4:
		return [4]float64{x0, 1 - y1, x1, 1 - y0}
	case 5:
		return [4]float64{y0, x0, y1, x1}
	case 6: // shown turned by 90° clockwise: shown x = 1 − stored y, shown y = stored x
		return [4]float64{y0, 1 - x1, y1, 1 - x0}
	case 7:
		return [4]float64{1 - y1, 1 - x1, 1 - y0, 1 - x0}
	case 8: // by 90° counter-clockwise: shown x = stored y, shown y = 1 − stored x
		return [4]float64{1 - y1, x0, 1 - y0, x1}
	}
	return b
}
