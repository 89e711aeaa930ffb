package phantom

import "math"

// mul multiplies and rounds: the conversion forbids fusing the product with a following addition (Go specification, floating-point
// operators), which would round differently on processors that have such an instruction.
func mul(a, b float64) float64 { return float64(a * b) }

func sq(a float64) float64 { return float64(a * a) }

func clamp(v, low, high float64) float64 { return max(low, min(high, v)) }

// bump is 1 at 0 and falls smoothly to 0 at ±1.
func bump(t float64) float64 {
	if t <= -1 || t >= 1 {
		return 0
	}
	return sq(1 - sq(t))
}

// table interpolates linearly between knots (position, value), sorted by position, and is flat outside them.
type table [][2]float64

func (t table) at(z float64) float64 {
	if z <= t[0][0] {
		return t[0][1]
	}
	for i := 1; i < len(t); i++ {
		if a, b := t[i-1], t[i]; z < b[0] {
			f := (z - a[0]) / (b[0] - a[0])
			f = mul(f, f) * (3 - mul(2, f)) // eased, so that no knot shows as an edge
			return a[1] + mul(f, b[1]-a[1])
		}
	}
	return t[len(t)-1][1]
}

// cover turns a signed distance (mm, negative inside) into the share of a pixel of this size that is covered, in 256ths.
func cover(distance, pixel float64) int32 {
	switch half := pixel / 2; {
	case distance >= half:
		return 0
	case distance <= -half:
		return 256
	}
	return int32(mul(256, .5-distance/pixel))
}

// mix lays value over under by cover in 256ths.
func mix(under, value, cover int32) int32 { return under + (value-under)*cover/256 }

// chance is a small stream of random numbers (splitmix64, Steele et al. 2014): the same for the same seed everywhere.
type chance struct{ state uint64 }

func newChance(parts ...uint64) *chance {
	c := &chance{0x243F6A8885A308D3}
	for _, p := range parts {
		c.state = scramble(c.state ^ p)
	}
	return c
}

func scramble(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

func (c *chance) next() uint64 {
	c.state += 0x9E3779B97F4A7C15
	return scramble(c.state)
}

// between draws a number in [low, high) in steps that are exact in binary.
func (c *chance) between(low, high float64) float64 {
	return low + mul(high-low, float64(c.next()>>40)/(1<<24))
}

// direction draws a unit vector.
func (c *chance) direction() Point {
	for {
		p := Point{c.between(-1, 1), c.between(-1, 1), c.between(-1, 1)}
		if n := p.norm(); n > .2 && n <= 1 {
			return p.scale(1 / n)
		}
	}
}

// Point is a place or a vector in the patient, in mm.
type Point struct{ X, Y, Z float64 }

func (p Point) plus(q Point) Point    { return Point{p.X + q.X, p.Y + q.Y, p.Z + q.Z} }
func (p Point) minus(q Point) Point   { return Point{p.X - q.X, p.Y - q.Y, p.Z - q.Z} }
func (p Point) dot(q Point) float64   { return mul(p.X, q.X) + mul(p.Y, q.Y) + mul(p.Z, q.Z) }
func (p Point) norm() float64         { return math.Sqrt(p.dot(p)) }
func (p Point) scale(f float64) Point { return Point{mul(p.X, f), mul(p.Y, f), mul(p.Z, f)} }
