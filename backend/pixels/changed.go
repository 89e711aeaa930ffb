package pixels

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"plumbline/backend/review"
)

// A Changeable is the frames of one image whose samples may be changed; what it was made of stays as it is. Frames have one size; one that
// cannot be read has its number and no samples, and nothing is done to it. It is for one goroutine at a time.
type Changeable struct {
	frames  []review.Frame
	samples []review.Samples
	copied  []bool // whose samples are its own
	changed []bool
	first   int // that has samples
	change  float64
	scale   float64 // the range of values, for what is relative to it
	low     float64
	body    *Mask // as long as nothing is changed; nil: not looked for
}

// NewChangeable takes all frames of an image in order with their samples, which are not touched: without Data where a frame cannot be read.
// It fails where none can, or where they are of several sizes.
func NewChangeable(frames []review.Frame, samples []review.Samples) (*Changeable, error) {
	if len(frames) == 0 || len(frames) != len(samples) {
		return nil, fmt.Errorf("%d frames with %d sets of samples; as many of each expected, and one at least", len(frames), len(samples))
	}
	first := slices.IndexFunc(samples, func(s review.Samples) bool { return s.Data != nil })
	if first < 0 {
		return nil, fmt.Errorf("none of %d frames can be read", len(frames))
	}
	c := &Changeable{frames: frames, samples: append([]review.Samples{}, samples...), copied: make([]bool, len(frames)), changed: make([]bool, len(frames)), first: first}
	low, high := math.Inf(1), math.Inf(-1)
	for i, s := range samples {
		if s.Data == nil {
			continue
		}
		if f := samples[first]; s.Rows != f.Rows || s.Columns != f.Columns || s.PerPixel != f.PerPixel {
			return nil, fmt.Errorf("frame %d is of another size than frame %d", i+1, first+1)
		}
		if a, b, ok := Range(frames[i], s); ok {
			low, high = min(low, a), max(high, b)
		}
	}
	if low <= high {
		c.low, c.scale = low, high-low
	}
	return c, nil
}

// Frames gives how many there are, with those that cannot be read.
func (c *Changeable) Frames() int { return len(c.frames) }

// Readable says whether there is a frame n that can be read.
func (c *Changeable) Readable(n int) bool {
	return n >= 0 && n < len(c.samples) && c.samples[n].Data != nil
}

// First gives the first frame that can be read.
func (c *Changeable) First() int { return c.first }

// Plane gives the size of a frame.
func (c *Changeable) Plane() review.Plane {
	return review.Plane{Columns: c.samples[c.first].Columns, Rows: c.samples[c.first].Rows}
}

// perPixel gives the samples of a pixel.
func (c *Changeable) perPixel() int { return c.samples[c.first].PerPixel }

// Marked marks the pixels of regions in the frames that can be read. Errors as for MaskOf.
func (c *Changeable) Marked(regions []review.Region) (Mask, error) {
	m, err := MaskOf(regions, c.Plane(), len(c.frames))
	return c.readable(m), err
}

// readable leaves of a mask what lies in frames that can be read.
func (c *Changeable) readable(m Mask) Mask {
	gaps := false
	for n, on := range m.on {
		gaps = gaps || on != nil && !c.Readable(n)
	}
	if !gaps {
		return m
	}
	out := m // with its box: what is marked is small
	out.on, out.n = make([][]bool, len(m.on)), 0
	for n := range out.on {
		if c.Readable(n) {
			out.on[n] = m.on[n]
		}
	}
	out.each(func(int, int, int) { out.n++ })
	return out
}

// all marks every pixel that can be read.
func (c *Changeable) all() Mask { return c.readable(NewMask(c.Plane(), len(c.frames)).Not()) }

// Copy gives the frames as they now are, to be changed apart.
func (c *Changeable) Copy() *Changeable {
	samples := append([]review.Samples{}, c.samples...)
	for n, own := range c.copied {
		if own {
			samples[n].Data = slices.Clone(samples[n].Data)
		}
	}
	return &Changeable{frames: c.frames, samples: samples, copied: make([]bool, len(c.frames)), changed: make([]bool, len(c.frames)), first: c.first, low: c.low, scale: c.scale, body: c.body}
}

// Frame gives frame n as it now is.
func (c *Changeable) Frame(n int) (review.Frame, review.Samples) { return c.frames[n], c.samples[n] }

// Changed lists the frames of which a value was changed, from 0; never nil.
func (c *Changeable) Changed() []int {
	out := []int{}
	for n, changed := range c.changed {
		if changed {
			out = append(out, n)
		}
	}
	return out
}

// Change gives the sum of the absolute changes so far, in modality units.
func (c *Changeable) Change() float64 { return c.change }

// hounsfield says whether values are Hounsfield units.
func (c *Changeable) hounsfield() bool { return c.frames[c.first].Unit == "HU" }

// value gives sample i of frame n in modality units; of a colour image the stored value.
func (c *Changeable) value(n, i int) float64 {
	v := Stored(c.samples[n], i)
	if IsColour(c.frames[n]) {
		return v
	}
	return Value(c.frames[n], v)
}

// put stores a modality value, as near as the samples can hold it.
func (c *Changeable) put(n, i int, value float64) {
	f := c.frames[n]
	stored := value
	if !IsColour(f) {
		if f.ModalityLUT != nil { // a table has no way back: the nearest entry is looked for
			stored = nearest(*f.ModalityLUT, value)
		} else if f.Slope != 0 {
			stored = (value - f.Intercept) / f.Slope
		}
	}
	before := c.value(n, i)
	c.body = nil
	if !c.copied[n] {
		c.samples[n].Data = append([]byte{}, c.samples[n].Data...)
		c.copied[n] = true
	}
	store(c.samples[n], i, stored, f.BitsStored)
	if d := math.Abs(c.value(n, i) - before); d > 0 {
		c.change, c.changed[n] = c.change+d, true
	}
}

func nearest(l review.LUT, value float64) float64 {
	best, at := math.Inf(1), l.First
	for k, v := range l.Data {
		if d := math.Abs(float64(v) - value); d < best {
			best, at = d, l.First+k
		}
	}
	return float64(at)
}

// store writes a stored value, rounded and kept within what bits allow (0: all that are allocated).
func store(s review.Samples, i int, v float64, bits int) {
	le := binary.LittleEndian
	if s.Float {
		if s.BitsAllocated == 32 {
			le.PutUint32(s.Data[4*i:], math.Float32bits(float32(v)))
		} else {
			le.PutUint64(s.Data[8*i:], math.Float64bits(v))
		}
		return
	}
	if bits <= 0 || bits > s.BitsAllocated {
		bits = s.BitsAllocated
	}
	low, high := 0.0, math.Ldexp(1, bits)-1
	if s.Signed {
		low, high = -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)-1
	}
	k := int64(math.Round(max(low, min(high, v))))
	switch {
	case s.BitsAllocated <= 8:
		s.Data[i] = byte(k)
	case s.BitsAllocated == 16:
		le.PutUint16(s.Data[2*i:], uint16(k))
	case s.BitsAllocated == 32:
		le.PutUint32(s.Data[4*i:], uint32(k))
	default:
		le.PutUint64(s.Data[8*i:], uint64(k))
	}
}

// Replace puts other samples in the place of a frame's, as stored, and gives the mask of what that changed in it: nothing in one that cannot
// be read. It fails where they are not of the same layout.
func (c *Changeable) Replace(n int, data []byte) (Mask, error) {
	s := c.samples[n]
	if !c.Readable(n) {
		return NewMask(c.Plane(), len(c.frames)), nil
	}
	if len(data) != len(s.Data) {
		return Mask{}, fmt.Errorf("frame %d: %d bytes expected, found %d", n+1, len(s.Data), len(data))
	}
	m := NewMask(c.Plane(), len(c.frames))
	other := s
	other.Data = data
	for i := range s.Rows * s.Columns * s.PerPixel {
		if v := Stored(other, i); v != Stored(s, i) {
			if !IsColour(c.frames[n]) {
				v = Value(c.frames[n], v)
			}
			m.set(n, i/s.PerPixel)
			c.put(n, i, v)
		}
	}
	return m, nil
}
