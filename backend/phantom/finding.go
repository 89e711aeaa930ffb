package phantom

import "math"

// Kind is a sort of finding.
type Kind string

// The findings that the phantom can have.
const (
	Nodule       Kind = "nodule"
	Effusion     Kind = "effusion"
	Pneumothorax Kind = "pneumothorax"
)

// Lobe is a lobe of the lung, as far as the phantom tells them apart.
type Lobe string

// The lobes; "" for a finding of the pleural space.
const (
	UpperLobe Lobe = "upper"
	LowerLobe Lobe = "lower"
)

// A Finding is something abnormal of known place and size.
type Finding struct {
	Kind      Kind
	Side      Side
	Lobe      Lobe    // of a nodule
	At        Point   // middle of a nodule
	SizeMM    float64 // a nodule's diameter; the greatest depth of fluid or air, front to back (upright: from the bottom or top)
	Spiculate bool    // a nodule with spicules, else smooth
	Salt      uint64  // shape of the spicules and lobules
}

// draw lays the finding over a painted canvas; it never leaves the pleural space.
func (f *Finding) draw(c *canvas, upright bool) {
	switch f.Kind {
	case Nodule:
		f.nodule(c)
	case Effusion:
		f.layer(c, f.fluid(c, upright), 7, -220)
	case Pneumothorax:
		f.layer(c, f.air(c, upright), airHU, -330)
	}
}

// nodule is a lobulated ball, with spicules or without.
func (f *Finding) nodule(c *canvas) {
	r := f.SizeMM / 2
	reach := r + 1.5
	var spicules []segment
	rnd := newChance(f.Salt, 7)
	if f.Spiculate {
		reach = mul(1.55, r) + 3
		for range 11 {
			d := rnd.direction()
			tip := f.At.plus(d.scale(mul(rnd.between(1.25, 1.5), r) + 1.5))
			spicules = append(spicules, newSegment(f.At.plus(d.scale(mul(.7, r))), tip, .9, .35, 0))
		}
	}
	if math.Abs(c.z-f.At.Z) > reach {
		return
	}
	a, b := rnd.direction(), rnd.direction()
	f.inSpace(c, f.At.X-reach, f.At.X+reach, f.At.Y-reach, f.At.Y+reach, 42+28*c.dose, func(x, y float64) float64 {
		p := Point{x, y, c.z}
		d := p.minus(f.At)
		n := max(d.norm(), 1e-6)
		lobules := mul(.07, sq(d.dot(a)/n)) - mul(.07, sq(d.dot(b)/n))
		distance := n - mul(r, 1+lobules)
		for i := range spicules {
			distance = min(distance, spicules[i].distance(p))
		}
		return distance
	})
}

// inSpace mixes hu into the pleural space within a box by the signed distance to a surface.
func (f *Finding) inSpace(c *canvas, x0, x1, y0, y1 float64, hu int32, distance func(x, y float64) float64) {
	left, right := span(x0, x1, c.dx, c.columns)
	top, bottom := span(y0, y1, c.dy, c.rows)
	for row := top; row < bottom; row++ {
		y := c.y(row)
		for column := left; column < right; column++ {
			i := row*c.columns + column
			if c.lung[i] == 0 {
				continue
			}
			if k := cover(distance(c.x(column), y), c.dx); k > 0 {
				c.hu[i] = mix(c.hu[i], hu, k*c.lung[i]/256)
			}
		}
	}
}

// layer fills a part of the pleural space and draws the surface of the lung against it, 1.6 mm thick.
func (f *Finding) layer(c *canvas, inside func(x, y float64) float64, hu, surface int32) {
	if inside == nil {
		return
	}
	x0, x1 := -c.cw-4, 0.0
	if f.Side == Left {
		x0, x1 = 0, c.cw+4
	}
	y0, y1 := c.cy-c.cd-4, c.cy+c.cd+4
	f.inSpace(c, x0, x1, y0, y1, surface, func(x, y float64) float64 { return inside(x, y) - 1.6 })
	f.inSpace(c, x0, x1, y0, y1, hu, inside)
}

// fluid gives the signed distance to free fluid at the canvas's height, or nil where there is none. Lying, it is a crescent along the back
// that thins out towards the head; upright, it fills the base and climbs the side wall.
func (f *Finding) fluid(c *canvas, upright bool) func(x, y float64) float64 {
	if upright {
		bottom := c.domeLeft - 52
		if f.Side == Right {
			bottom = c.domeRight - 52
		}
		return func(x, y float64) float64 {
			rim := clamp(1+c.cavity(x, y)/26, 0, 1) // 1 at the wall
			return c.z - (bottom + f.SizeMM + mul(30, sq(rim)))
		}
	}
	depth := mul(f.SizeMM, clamp((FluidTop-c.z)/95, 0, 1))
	if depth < 3 {
		return nil
	}
	return func(x, y float64) float64 {
		return -ring(x, y-(c.cy-depth), c.cw, c.cd, c.rounded) - 2
	}
}

// Heights in mm: free fluid of a lying patient ends at FluidTop; free air reaches from AirLow to AirTop.
const (
	FluidTop = 45.0
	AirLow   = -95.0
	AirTop   = 75.0
)

// air gives the signed distance to free air, or nil. Lying, it is a crescent along the front; upright, a cap over the apex.
func (f *Finding) air(c *canvas, upright bool) func(x, y float64) float64 {
	if upright {
		const base, anchor = -110, 15.0 // the lung falls towards its base and the mediastinum
		high := 1 - f.SizeMM/225
		wide := 1 - mul(f.SizeMM/210, clamp((c.z+90)/170, 0, 1))
		full := c.body.level(base + (c.z-base)/high) // the lung's own shape, before it fell
		return func(x, y float64) float64 {
			x = math.Abs(x)
			return -mul(wide, full.lung(mul(f.Side.Sign(), anchor+(x-anchor)/wide), y))
		}
	}
	depth := mul(f.SizeMM, clamp((c.z-AirLow)/40, 0, 1))
	depth = mul(depth, clamp((AirTop-c.z)/60, 0, 1))
	if depth < 3 {
		return nil
	}
	return func(x, y float64) float64 {
		return -ring(x, y-(c.cy+depth), c.cw, c.cd, c.rounded) - 2
	}
}
