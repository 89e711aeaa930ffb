package pixels

import (
	"encoding/binary"
	"math"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Converts tells whether RGB changes the values of a frame beyond their bits: YBR or a palette.
func Converts(f review.Frame) bool {
	switch f.Photometric {
	case "YBR_FULL", "YBR_FULL_422", "YBR_PARTIAL_422", "YBR_PARTIAL_420":
		return true
	}
	return f.Palette != nil
}

// RGB gives colour samples as RGB of 8 bits. YBR_ICT and YBR_RCT are RGB already: their codestream undid them. More than 8 bits are cut to the
// upper 8.
func RGB(f review.Frame, s review.Samples) (review.Samples, error) {
	const op = "convert colour"
	pixels := s.Rows * s.Columns
	out := review.Samples{Rows: s.Rows, Columns: s.Columns, PerPixel: 3, BitsAllocated: 8, Data: make([]byte, 3*pixels)}
	if f.Photometric == "PALETTE COLOR" {
		if f.Palette == nil {
			return out, fault.New(fault.Damaged, op, "", "the palette is missing or damaged")
		}
		lookUp(out.Data, s, f.Palette)
		return out, nil
	}
	if s.PerPixel != 3 {
		return out, fault.New(fault.Invalid, op, "", "%s with %d samples is no colour", f.Photometric, s.PerPixel)
	}
	upper(out.Data, s, f.BitsStored)
	switch f.Photometric {
	case "RGB", "YBR_ICT", "YBR_RCT":
	case "YBR_FULL", "YBR_FULL_422":
		fullToRGB(out.Data)
	case "YBR_PARTIAL_422", "YBR_PARTIAL_420":
		partialToRGB(out.Data)
	default:
		return out, fault.New(fault.Invalid, op, "", "photometric interpretation %q is not supported", f.Photometric)
	}
	return out, nil
}

// Screen gives samples in a form that a viewer takes: colour as RGB of 8 bits, and what is wider than 16 bits (a dose, a parametric map of
// doubles) as 32-bit floats, exact to 24 bits. Everything else stays as it is.
func Screen(f review.Frame, s review.Samples) (review.Samples, error) {
	switch {
	case IsColour(f):
		return RGB(f, s)
	case s.BitsAllocated <= 16 || s.Float && s.BitsAllocated == 32:
		return s, nil
	}
	out := review.Samples{Rows: s.Rows, Columns: s.Columns, PerPixel: s.PerPixel, BitsAllocated: 32, Float: true}
	for i := range s.Rows * s.Columns * s.PerPixel {
		out.Data = binary.LittleEndian.AppendUint32(out.Data, math.Float32bits(float32(Stored(s, i))))
	}
	return out, nil
}

// upper copies the upper 8 of the stored bits of each sample.
func upper(out []byte, s review.Samples, stored int) {
	down := max(0, stored-8)
	switch s.BitsAllocated {
	case 8:
		copy(out, s.Data)
	case 16:
		for i := range out {
			out[i] = byte(binary.LittleEndian.Uint16(s.Data[2*i:]) >> down)
		}
	case 32:
		for i := range out {
			out[i] = byte(binary.LittleEndian.Uint32(s.Data[4*i:]) >> down)
		}
	default:
		for i := range out {
			out[i] = byte(uint64(Stored(s, i)) >> down)
		}
	}
}

// lookUp colours every pixel by its stored value (PS3.3 C.7.6.3.1.5): 16-bit entries count by their upper byte. Some writers say 16 bits and
// store 8; a table that never reaches 256 is read so.
func lookUp(out []byte, s review.Samples, p *review.Palette) {
	for channel, l := range []review.LUT{p.Red, p.Green, p.Blue} {
		down := max(0, l.Bits-8)
		if l.Bits == 16 && below256(p.Red) && below256(p.Green) && below256(p.Blue) {
			down = 0
		}
		for i := range s.Rows * s.Columns {
			out[3*i+channel] = byte(entry(l, Stored(s, i)) >> down)
		}
	}
}

func below256(l review.LUT) bool {
	for _, v := range l.Data {
		if v > 255 {
			return false
		}
	}
	return true
}

// fullToRGB converts in place with the integers of libjpeg (JFIF 1.02): 16 fraction bits, rounded.
func fullToRGB(b []byte) {
	const (
		half = 1 << 15
		rCr  = 91881  // 1.40200
		bCb  = 116130 // 1.77200
		gCr  = 46802  // 0.71414
		gCb  = 22554  // 0.34414
	)
	for ; len(b) >= 3; b = b[3:] {
		y, cb, cr := int(b[0]), int(b[1])-128, int(b[2])-128
		b[0] = clamp(y + (rCr*cr+half)>>16)
		b[1] = clamp(y + (-gCb*cb-gCr*cr+half)>>16)
		b[2] = clamp(y + (bCb*cb+half)>>16)
	}
}

// partialToRGB converts in place from the range 16-235 (Y) and 16-240 of CCIR 601 (PS3.3 C.7.6.3.1.2).
func partialToRGB(b []byte) {
	for ; len(b) >= 3; b = b[3:] {
		y, cb, cr := 1.1644*(float64(b[0])-16), float64(b[1])-128, float64(b[2])-128
		b[0] = clamp(int(y + 1.5960*cr + .5))
		b[1] = clamp(int(y - .3917*cb - .8130*cr + .5))
		b[2] = clamp(int(y + 2.0173*cb + .5))
	}
}

func clamp(v int) byte { return byte(max(0, min(255, v))) }
