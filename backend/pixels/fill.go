package pixels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Fill replaces what m marks. Fills: "tissue" draws each pixel from the ring around, of its commonest tissue; "blur" smooths with a sigma
// of at least half the short side; "mean" puts the mean of the ring; "black" puts the least value, and is refused for CT, where black is
// air. The same seed gives the same pixels.
func (c *Changeable) Fill(m Mask, fill string, seed uint64) error {
	if m = c.readable(m); m.Pixels() == 0 {
		return fmt.Errorf("there is no pixel to replace")
	}
	switch fill {
	case "tissue":
		return c.each(m, seed, c.tissue)
	case "mean":
		return c.each(m, seed, func(ring []float64, _ *rand.Rand) func() float64 {
			v := mean(ring)
			return func() float64 { return v }
		})
	case "black":
		if c.hounsfield() {
			return fmt.Errorf("black is air on a CT, a finding of its own: another fill expected")
		}
		v := c.low
		if c.frames[c.first].Invert {
			v = c.low + c.scale
		}
		c.everywhere(m, func() float64 { return v })
		return nil
	case "blur":
		c.blur(m)
		return nil
	}
	return fmt.Errorf("%q is no fill of pixels: tissue, blur, mean or black expected", fill)
}

// Even makes every pixel of every frame the mean of the image.
func (c *Changeable) Even() {
	all := c.all()
	v := c.Mean(all)
	c.everywhere(all, func() float64 { return v })
}

// Mirror exchanges left and right of every frame.
func (c *Changeable) Mirror() {
	p, per := c.Plane(), c.perPixel()
	for n := range c.frames {
		if !c.Readable(n) {
			continue
		}
		for row := range p.Rows {
			for x := range p.Columns / 2 {
				for k := range per {
					i, j := (row*p.Columns+x)*per+k, (row*p.Columns+p.Columns-1-x)*per+k
					a, b := c.value(n, i), c.value(n, j)
					c.put(n, i, b)
					c.put(n, j, a)
				}
			}
		}
	}
}

// Jitter gives every marked pixel the value of one within two pixels of it that is marked too: the tissue stays what it is, and no pixel
// stays where it was.
func (c *Changeable) Jitter(m Mask, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 2))
	p, per := m.Plane, c.perPixel()
	before := c.snapshot(c.readable(m))
	at := map[[2]int]int{}
	for k, b := range before {
		at[[2]int{b.n, b.i}] = k
	}
	for _, b := range before {
		column, row := b.i%p.Columns, b.i/p.Columns
		for range 8 {
			x, y := column+r.IntN(5)-2, row+r.IntN(5)-2
			k, in := at[[2]int{b.n, y*p.Columns + x}]
			if !in || x < 0 || x >= p.Columns || x == column && y == row {
				continue
			}
			for j := range per {
				c.put(b.n, b.i*per+j, before[k].v[j])
			}
			break
		}
	}
}

// pixelValue is the value of one marked pixel before a change.
type pixelValue struct {
	n, i int
	v    [3]float64
}

func (c *Changeable) snapshot(m Mask) []pixelValue {
	out := make([]pixelValue, 0, m.Pixels())
	per := c.perPixel()
	m.each(func(n, column, row int) {
		s := pixelValue{n: n, i: row*m.Plane.Columns + column}
		for j := range min(per, 3) {
			s.v[j] = c.value(n, s.i*per+j)
		}
		out = append(out, s)
	})
	return out
}

func (c *Changeable) everywhere(m Mask, v func() float64) {
	per := c.perPixel()
	m.each(func(n, column, row int) {
		for k := range per {
			c.put(n, (row*m.Plane.Columns+column)*per+k, v())
		}
	})
}

// each fills every channel of every frame by what draw makes of the ring around the marked pixels of that frame.
func (c *Changeable) each(m Mask, seed uint64, draw func(ring []float64, r *rand.Rand) func() float64) error {
	r := rand.New(rand.NewPCG(seed, 1))
	per := c.perPixel()
	x0, y0, x1, y1, _, _, _ := m.Bounds()
	around := m.Widened(max(3, min(x1-x0, y1-y0)/4))
	for n := range m.on {
		if m.on[n] == nil {
			continue
		}
		for k := range per {
			var ring []float64
			for i := range m.on[n] {
				if around.Has(n, i) && !m.on[n][i] {
					ring = append(ring, c.value(n, i*per+k))
				}
			}
			if len(ring) == 0 { // the whole frame is marked: it is its own surrounding
				for i := range m.on[n] {
					ring = append(ring, c.value(n, i*per+k))
				}
			}
			next := draw(ring, r)
			for i, on := range m.on[n] {
				if on {
					c.put(n, i*per+k, next())
				}
			}
		}
	}
	return nil
}

// tissue draws from the values of the ring around its middle one.
func (c *Changeable) tissue(ring []float64, r *rand.Rand) func() float64 {
	slices.Sort(ring)
	middle, reach := ring[len(ring)/2], c.class()
	low, _ := slices.BinarySearch(ring, middle-reach)
	high, _ := slices.BinarySearch(ring, math.Nextafter(middle+reach, math.Inf(1)))
	same := ring[low:high]
	return func() float64 { return same[r.IntN(len(same))] }
}

// class is how far two means of the same tissue may be apart: 100 HU, or a tenth of the range (measurement.md, Conditions).
func (c *Changeable) class() float64 {
	if c.hounsfield() {
		return 100
	}
	return c.scale / 10
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// blur smooths the marked pixels: three box filters make a Gaussian of at least the sigma wanted.
func (c *Changeable) blur(m Mask) {
	x0, y0, x1, y1, _, _, _ := m.Bounds()
	sigma := float64(min(x1-x0, y1-y0)) / 2
	radius := max(1, int(math.Ceil((math.Sqrt(4*sigma*sigma+1)-1)/2))) // of a box filter, three of which give sigma
	p, per := m.Plane, c.perPixel()
	for n := range m.on {
		if m.on[n] == nil {
			continue
		}
		for k := range per {
			v := make([]float64, p.Columns*p.Rows)
			for i := range v {
				v[i] = c.value(n, i*per+k)
			}
			for range 3 {
				v = smooth(v, p.Columns, p.Rows, 1, p.Columns, radius)
				v = smooth(v, p.Rows, p.Columns, p.Columns, 1, radius)
			}
			for i, on := range m.on[n] {
				if on {
					c.put(n, i*per+k, v[i])
				}
			}
		}
	}
}

// smooth runs a box filter along lines of length long; step leads along a line, next from line to line. The border repeats.
func smooth(v []float64, long, lines, step, next, radius int) []float64 {
	out := make([]float64, len(v))
	for l := range lines {
		at := func(i int) float64 { return v[l*next+max(0, min(long-1, i))*step] }
		sum := 0.0
		for i := -radius; i <= radius; i++ {
			sum += at(i)
		}
		for i := range long {
			out[l*next+i*step] = sum / float64(2*radius+1)
			sum += at(i+radius+1) - at(i-radius)
		}
	}
	return out
}
