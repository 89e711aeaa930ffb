package pixels

import (
	"encoding/binary"
	"math"

	"plumbline/backend/review"
)

// Stored gives sample i of s as a number, i counting samples and not pixels.
func Stored(s review.Samples, i int) float64 {
	le := binary.LittleEndian
	switch {
	case s.Float && s.BitsAllocated == 32:
		return float64(math.Float32frombits(le.Uint32(s.Data[4*i:])))
	case s.Float:
		return math.Float64frombits(le.Uint64(s.Data[8*i:]))
	case s.BitsAllocated <= 8 && s.Signed:
		return float64(int8(s.Data[i]))
	case s.BitsAllocated <= 8:
		return float64(s.Data[i])
	case s.BitsAllocated == 16 && s.Signed:
		return float64(int16(le.Uint16(s.Data[2*i:])))
	case s.BitsAllocated == 16:
		return float64(le.Uint16(s.Data[2*i:]))
	case s.BitsAllocated == 32 && s.Signed:
		return float64(int32(le.Uint32(s.Data[4*i:])))
	case s.BitsAllocated == 32:
		return float64(le.Uint32(s.Data[4*i:]))
	case s.Signed:
		return float64(int64(le.Uint64(s.Data[8*i:])))
	}
	return float64(le.Uint64(s.Data[8*i:]))
}

// Value gives the modality value of a stored one, in f.Unit (PS3.3 C.11.1).
func Value(f review.Frame, stored float64) float64 {
	if f.ModalityLUT != nil {
		return float64(entry(*f.ModalityLUT, stored))
	}
	return stored*f.Slope + f.Intercept
}

// entry looks a value up; outside the table its first or last entry stands.
func entry(l review.LUT, v float64) uint16 {
	i := int(math.Floor(v)) - l.First
	return l.Data[max(0, min(i, len(l.Data)-1))]
}

// IsColour tells whether a frame is shown in colour: it then has no modality value and no window.
func IsColour(f review.Frame) bool { return f.Samples == 3 || f.Palette != nil }

// isPadding tells whether a stored value stands for no image (PS3.3 C.7.5.1.1.2).
func isPadding(f review.Frame, stored float64) bool {
	if f.Padding == nil {
		return false
	}
	low, high := *f.Padding, *f.Padding
	if f.PaddingLimit != nil {
		low, high = min(low, *f.PaddingLimit), max(high, *f.PaddingLimit)
	}
	return stored >= low && stored <= high
}

// Range gives the least and greatest modality value of the frame without its padding and without what is no number; ok is false where nothing is left.
func Range(f review.Frame, s review.Samples) (low, high float64, ok bool) {
	least, greatest := math.Inf(1), math.Inf(-1)
	for i := range s.Rows * s.Columns * s.PerPixel {
		v := Stored(s, i)
		if math.IsNaN(v) || math.IsInf(v, 0) || isPadding(f, v) {
			continue
		}
		if f.ModalityLUT != nil {
			v = Value(f, v)
		}
		least, greatest = min(least, v), max(greatest, v)
	}
	if least > greatest {
		return 0, 0, false
	}
	if f.ModalityLUT == nil {
		least, greatest = Value(f, least), Value(f, greatest)
	}
	return min(least, greatest), max(least, greatest), true
}
