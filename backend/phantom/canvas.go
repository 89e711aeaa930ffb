package phantom

import "math"

// grid is the lattice of one axial picture: pixel (0,0)'s centre lies at (-half the width).
type grid struct {
	columns, rows int
	dx, dy        float64 // mm
}

func (g grid) x(column int) float64 { return mul(float64(2*column-g.columns+1), g.dx/2) }
func (g grid) y(row int) float64    { return mul(float64(2*row-g.rows+1), g.dy/2) }

// span gives the pixels whose centres may lie within [low, high] along an axis of n pixels of size d.
func span(low, high, d float64, n int) (int, int) {
	first := int(math.Floor(low/d + float64(n)/2 - 1))
	last := int(math.Ceil(high/d + float64(n)/2))
	return max(0, min(n, first)), max(0, min(n, last+1))
}

// canvas is one axial picture while it is painted.
type canvas struct {
	grid
	level
	body *Body
	dose int32   // 1 with intravenous contrast
	hu   []int32 // Hounsfield units
	lung []int32 // share of pleural space not covered by anything else, in 256ths
}

func (s *Scene) newCanvas(g grid) *canvas {
	n := g.columns * g.rows
	c := &canvas{grid: g, body: s.Body, hu: make([]int32, n), lung: make([]int32, n)}
	if s.Contrast {
		c.dose = 1
	}
	return c
}

// paint draws everything at one height except the findings.
func (c *canvas) paint(z float64) {
	c.level = c.body.level(z)
	for row := range c.rows {
		y := c.y(row)
		for column := range c.columns {
			i := row*c.columns + column
			c.hu[i], c.lung[i] = c.tissue(c.x(column), y)
		}
	}
	c.spine()
	c.shoulders()
	c.abdomen()
	c.mediastinalOrgans()
	c.vessels()
}

// Hounsfield units of what the body is made of, without contrast and what contrast adds.
const (
	airHU, fatHU, skinHU, muscleHU, bloodHU       = -1000, -98, 25, 54, 43
	cortexHU, marrowHU, cartilageHU               = 760, 260, 125
	liverHU, spleenHU, myocardHU                  = 60, 50, 46
	bloodDose, myocardDose, liverDose, spleenDose = 165, 62, 45, 60
)

// tissue gives what lies at a point of the wall or the cavity before organs are laid over it, and the share of it that is pleural space.
func (c *canvas) tissue(x, y float64) (hu, lung int32) {
	if math.Abs(x) > c.bw+mul(2, c.dx) || math.Abs(y-c.by) > c.bd+mul(2, c.dx) {
		return c.couch(x, y), 0
	}
	skin := c.skin(x, y)
	if skin > c.dx {
		return c.couch(x, y), 0
	}
	wall := c.cavity(x, y)
	switch {
	case wall > 13:
		hu = c.softWall(x, y, -skin, wall)
	case wall > -c.dx:
		hu = c.chestWall(x, y, wall)
	default:
		hu = fatHU
	}
	if skin > -4 {
		hu = mix(hu, skinHU, cover(-skin-2, c.dx))
		hu = mix(airHU, hu, cover(skin, c.dx))
		return hu, 0
	}
	if wall < c.dx {
		lung = cover(c.level.lung(x, y), c.dx)
		if lung > 0 {
			hu = mix(hu, aerated(x, y, c.z)+c.fissures(x, y), lung)
		}
	}
	return hu, lung
}

// aerated is lung without its vessels: denser towards the back, where the patient lies on it, with a smooth mottle.
func aerated(x, y, z float64) int32 {
	g := -866 + mul(.4, clamp(y, -90, 90))
	g += mul(9, bump(frac(mul(x, .061)+mul(y, .023)))-.4)
	g += mul(9, bump(frac(mul(y, .071)-mul(x, .019)+mul(z, .05)))-.4)
	return int32(g)
}

// fissures adds the thin lines between the lobes: the oblique ones, and the horizontal one of the right lung.
func (c *canvas) fissures(x, y float64) int32 {
	arch := mul(.0022, sq(math.Abs(x)-62)) // it bulges
	hu := mul(150, bump((c.z-Fissure(y)-7+arch)/1.5))
	if x < 0 && c.z < Fissure(y) {
		return int32(hu)
	}
	if x < 0 && y < 5 {
		hu = max(hu, mul(50, bump((c.z-16-mul(.05, x))/4)))
	}
	return int32(hu)
}

// frac maps a number to [-1, 1) with period 1.
func frac(v float64) float64 { return mul(2, v-math.Floor(v)) - 1 }

// couch is the table that the patient lies on: two thin shells.
func (c *canvas) couch(x, y float64) int32 {
	top := 126 - mul(.00045, sq(x))
	if math.Abs(x) < 172 {
		if d := math.Abs(y - top - 2); d < 3 {
			return mix(airHU, -180, cover(d-1.2, c.dy))
		}
		if d := math.Abs(y - top - 30); d < 3 {
			return mix(airHU, -180, cover(d-1.2, c.dy))
		}
	}
	return airHU
}

// softWall is fat under the skin and muscle under that, with a sheet of fat between two layers of muscle and fat in the armpit.
func (c *canvas) softWall(x, y, depth, wall float64) int32 {
	side := math.Abs(x) / c.bw
	fat := mul(c.body.fat, .75+mul(.55, bump(side-.95))-mul(.3, bump((y-70)/60)))
	if y < -40 && c.z < 30 { // the front is thinner in muscle below the pectorals
		fat += mul(.5, c.body.fat)
	}
	hu := int32(fatHU)
	muscle := cover(fat-depth, c.dx)
	hu = mix(hu, muscleHU+4*c.dose, muscle)
	between := (wall - 13) / max(wall-13+depth-fat, 1) // 0 at the ribs, 1 under the fat
	if math.Abs(x) > 34 {
		hu = mix(hu, fatHU, mul32(muscle, mul(210, bump((between-.46)/.17))))
	}
	if c.z > 0 {
		pit := math.Sqrt(sq((math.Abs(x)-c.cw-30)/26)+sq((y-8)/34)+sq((c.z-66)/60)) - 1
		hu = mix(hu, fatHU, cover(mul(pit, 24), c.dx))
	}
	return hu
}

func mul32(a int32, f float64) int32 { return int32(mul(float64(a), f/256)) }

// chestWall is the shell around the cavity: intercostal muscle and the ribs that run forward and down through it.
func (c *canvas) chestWall(x, y, wall float64) int32 {
	hu := mix(muscleHU, fatHU, mul32(200, mul(256, bump((wall-11.5)/3))))
	hu = mix(hu, fatHU, mul32(170, mul(256, bump((wall-1)/1.6))))
	u, v := math.Abs(x)/c.cw, (y-c.cy)/c.cd
	t := (1 - v/max(u+math.Abs(v), 1e-6)) / 2 // 0 at the spine, 1 at the sternum
	ease := mul(t, t) * (3 - mul(2, t))
	for i := range 12 {
		drop := min(44+mul(5, float64(i)), 84)
		height := c.body.ribs - mul(23.5, float64(i)) - mul(drop, ease)
		dz := c.z - height
		if dz > 9 || dz < -9 || i > 9 && t > .62-mul(.12, float64(i-9)) || t < .09 {
			continue
		}
		e := math.Sqrt(sq((wall-6.4)/3.9)+sq(dz/6.6)) - 1
		bone := cover(mul(3.6, e), c.dx)
		if t > .8 {
			hu = mix(hu, cartilageHU, bone)
			continue
		}
		hu = mix(hu, cortexHU, bone)
		hu = mix(hu, marrowHU, cover(mul(3.6, e)+2, c.dx))
	}
	return hu
}

// shape lays hu over every pixel of a box by the signed distance to a surface; what it covers is no lung.
func (c *canvas) shape(x0, x1, y0, y1 float64, hu int32, distance func(x, y float64) float64) {
	left, right := span(x0, x1, c.dx, c.columns)
	top, bottom := span(y0, y1, c.dy, c.rows)
	for row := top; row < bottom; row++ {
		y := c.y(row)
		for column := left; column < right; column++ {
			if k := cover(distance(c.x(column), y), c.dx); k > 0 {
				i := row*c.columns + column
				c.hu[i] = mix(c.hu[i], hu, k)
				c.lung[i] = c.lung[i] * (256 - k) / 256
			}
		}
	}
}

// disc is an ellipse in the plane.
func (c *canvas) disc(x, y, rx, ry float64, hu int32) {
	c.shape(x-rx-2, x+rx+2, y-ry-2, y+ry+2, hu, func(px, py float64) float64 {
		return mul(math.Sqrt(sq((px-x)/rx)+sq((py-y)/ry))-1, min(rx, ry))
	})
}

// ball is an ellipsoid.
func (c *canvas) ball(at Point, rx, ry, rz float64, hu int32) {
	cut := sq((c.z - at.Z) / rz)
	if cut >= 1.2 {
		return
	}
	c.shape(at.X-rx-2, at.X+rx+2, at.Y-ry-2, at.Y+ry+2, hu, func(x, y float64) float64 {
		return mul(math.Sqrt(sq((x-at.X)/rx)+sq((y-at.Y)/ry)+cut)-1, min(rx, ry, rz))
	})
}

// tube is a segment; grow widens it.
func (c *canvas) tube(s *segment, grow float64, hu int32) {
	if c.z < s.low-grow-2 || c.z > s.high+grow+2 {
		return
	}
	r := max(s.radius, s.end) + grow + 2
	c.shape(min(s.from.X, s.to.X)-r, max(s.from.X, s.to.X)+r, min(s.from.Y, s.to.Y)-r, max(s.from.Y, s.to.Y)+r, hu,
		func(x, y float64) float64 { return s.distance(Point{x, y, c.z}) - grow })
}
