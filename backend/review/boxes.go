package review

import "math"

// A BoxConvention says how somebody writes a box: the order of its four numbers and what they count. It is known of a source and never guessed
// from the numbers.
type BoxConvention struct {
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
func (c BoxConvention) Fault() string {
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
func (c BoxConvention) String() string {
	space, order := c.Space, c.Order
	if space == "" {
		space = SpaceUnit
	}
	if order == "" {
		order = "xyxy"
	}
	return space + " " + order
}

// Unit turns four numbers into x0,y0,x1,y1 in fractions of the stored picture, of a picture of this size that was turned by this EXIF
// orientation before (1–8; 0: as stored). It gives false where they are no box of the picture: not numbers, turned inside out, without an
// area, or outside by more than rounding does.
func (c BoxConvention) Unit(n [4]float64, columns, rows, turned int) ([4]float64, bool) {
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
		w, h = float64(columns), float64(rows)
	case SpacePadded:
		side := float64(max(columns, rows))
		left, above := (side-float64(columns))/2, (side-float64(rows))/2
		b = [4]float64{float64(b[0]*side) - left, float64(b[1]*side) - above, float64(b[2]*side) - left, float64(b[3]*side) - above}
		w, h = float64(columns), float64(rows)
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
	return asStored(b, turned), true
}

// asStored turns a box of a picture that was turned by its EXIF orientation back into the picture as stored (Exif 2.32, Orientation).
func asStored(b [4]float64, turned int) [4]float64 {
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
