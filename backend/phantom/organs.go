package phantom

import "math"

// spine draws vertebral bodies with discs between them, canal, arch and processes.
func (c *canvas) spine() {
	y := c.cy + mul(.72, c.cd)
	phase := mul(24, math.Abs(frac(c.z/24))) // 0 in the middle of a disc, 24 in the middle of a body
	rx, ry := 18.5, 14.5
	for _, s := range []float64{-1, 1} { // muscles beside the spine
		c.disc(mul(s, 25), y+34, 20, 12, muscleHU)
	}
	if phase < 5 {
		c.disc(0, y, rx-.5, ry-.5, 88)
	} else {
		c.disc(0, y, rx, ry, cortexHU-260)
		c.disc(0, y, rx-2, ry-2, 175)
	}
	c.disc(0, y+22, 13, 11, 430)
	c.disc(0, y+21, 8.5, 7.5, 22)
	c.disc(0, y+21, 5, 4.5, 40)
	if phase > 9 {
		c.disc(0, y+37, 3.4, 9, 420)
		for _, s := range []float64{-1, 1} {
			c.disc(mul(s, 24), y+17, 12, 4, 430)
			c.disc(mul(s, 24), y+17, 10, 2, 230)
		}
	}
}

// shoulders draws sternum, clavicles, and the blades and heads of the shoulders.
func (c *canvas) shoulders() {
	if front := c.cy - c.cd - 7; c.z > -62 && c.z < 78 {
		w := 15 + mul(7, bump((c.z-66)/24))
		c.disc(0, front, w, 5.4, 420)
		c.disc(0, front, w-2, 3.4, 190)
	}
	for _, s := range []float64{-1, 1} {
		clavicle := newSegment(Point{mul(s, 16), -52, 88}, Point{mul(s, 132), -2, 128}, 6.2, 5.4, 0)
		c.tube(&clavicle, 0, cortexHU-140)
		c.tube(&clavicle, -2.4, marrowHU)
		if c.z < -24 || c.z > 136 {
			continue
		}
		up := clamp((c.z+24)/120, 0, 1)
		inner, outer := Point{mul(s, 68+mul(22, up)), 84 - mul(6, up), c.z}, Point{mul(s, 116+mul(24, up)), 56 - mul(16, up), c.z}
		blade := newSegment(inner, outer, 2.6, 4.2+mul(3, up), 0)
		muscles := newSegment(blade.from, blade.to, 8, 13+mul(6, up), 0)
		c.outside(&muscles, muscleHU)
		c.tube(&blade, 0, cortexHU-120)
		c.tube(&blade, -1.7, marrowHU)
	}
}

// outside draws a tube only where the chest wall is not.
func (c *canvas) outside(s *segment, hu int32) {
	r := max(s.radius, s.end) + 2
	x0, x1, y0, y1 := min(s.from.X, s.to.X)-r, max(s.from.X, s.to.X)+r, min(s.from.Y, s.to.Y)-r, max(s.from.Y, s.to.Y)+r
	c.shape(x0, x1, y0, y1, hu, func(x, y float64) float64 {
		return max(s.distance(Point{x, y, c.z}), 13-c.cavity(x, y), c.skin(x, y)+6)
	})
}

// abdomen draws what lies under the domes of the diaphragm.
func (c *canvas) abdomen() {
	if c.z > -50 {
		return
	}
	left, right := span(-c.cw, c.cw, c.dx, c.columns)
	top, bottom := span(c.cy-c.cd, c.cy+c.cd, c.dy, c.rows)
	for row := top; row < bottom; row++ {
		y := c.y(row)
		for column := left; column < right; column++ {
			x := c.x(column)
			inside := c.cavity(x, y) + 3
			below := mul(.8, c.z-c.diaphragm(x, y))
			if max(inside, below) > 2 {
				continue
			}
			i := row*c.columns + column
			c.hu[i] = mix(c.hu[i], muscleHU, cover(max(inside, below+1.5), c.dx)) // the diaphragm itself
			edge := max(inside+2, below+4)
			liver := max(edge, mul(.8, x-18)+mul(.42, y), mul(.7, y-50)+mul(.5, x+22))
			c.hu[i] = mix(c.hu[i], fatHU, cover(edge, c.dx))
			c.hu[i] = mix(c.hu[i], liverHU+liverDose*c.dose, cover(liver, c.dx))
		}
	}
	for _, v := range []segment{ // veins of the liver
		newSegment(Point{-24, 4, -84}, Point{-78, -18, -122}, 5, 2.6, 0), newSegment(Point{-24, 4, -84}, Point{-34, -48, -118}, 4.6, 2.4, 0),
		newSegment(Point{-22, 6, -88}, Point{-84, 34, -120}, 4.6, 2.4, 0), newSegment(Point{-40, 2, -118}, Point{-90, 4, -104}, 4, 1.8, 0),
	} {
		c.tube(&v, 0, liverHU-16+70*c.dose)
	}
	c.ball(Point{80, 36, -112}, 31, 38, 38, spleenHU+spleenDose*c.dose)
	c.ball(Point{52, -26, -116}, 40, 38, 34, 46)
	c.ball(Point{50, -24, -116}, 34, 32, 29, 38)
}

// mediastinalOrgans draws heart, great vessels, gullet and airways.
func (c *canvas) mediastinalOrgans() {
	blood := int32(bloodHU + bloodDose*c.dose)
	y := c.cy + mul(.72, c.cd) - 20 // in front of the spine
	c.disc(8, y-5, 7, 5.5, 40)      // gullet
	c.disc(8, y-5, 2, 1.6, 5)
	if c.z > -118 && c.z < 26 {
		c.heart(blood)
	}
	vessels := []segment{
		newSegment(Point{-10, -22, -14}, Point{-13, -28, 22}, 15, 14.5, 0), // ascending aorta
		newSegment(Point{-13, -28, 22}, Point{0, -14, 43}, 14.5, 13, 0),    // arch
		newSegment(Point{0, -14, 43}, Point{21, 16, 43}, 13, 12.5, 0),
		newSegment(Point{21, 16, 43}, Point{23, y - 2, 22}, 12.5, 12, 0),
		newSegment(Point{23, y - 2, 22}, Point{17, y - 1, -140}, 12, 10, 0), // descending aorta
		newSegment(Point{-26, -10, 64}, Point{-28, -12, -8}, 8, 9, 0),       // superior caval vein
		newSegment(Point{-20, 2, -70}, Point{-24, 6, -140}, 10, 11, 0),      // inferior caval vein
		newSegment(Point{13, -34, -16}, Point{14, -26, 14}, 13, 13, 0),      // pulmonary trunk
		newSegment(Point{14, -26, 12}, Point{28, 2, 8}, 11, 9, 0),
		newSegment(Point{14, -22, 10}, Point{-28, 2, 2}, 10.5, 8.5, 0),
		newSegment(Point{-14, -12, 48}, Point{-20, -4, 120}, 6.5, 5, 0), // arteries and veins of the neck and arms
		newSegment(Point{0, -8, 52}, Point{14, 2, 120}, 4.6, 4, 0),
		newSegment(Point{14, 6, 52}, Point{26, 12, 116}, 5.4, 4.6, 0),
		newSegment(Point{-26, -16, 66}, Point{-32, -18, 100}, 7.5, 6.5, 0),
		newSegment(Point{-24, -22, 64}, Point{30, -22, 84}, 6.5, 6.2, 0),
	}
	for i := range vessels {
		c.tube(&vessels[i], 1.2, fatHU)
	}
	for i := range vessels {
		c.tube(&vessels[i], 0, blood)
	}
}

// heart draws the sac's fat, the muscle and the chambers.
func (c *canvas) heart(blood int32) {
	grown := func(grow float64) func(x, y float64) float64 {
		return func(x, y float64) float64 {
			return max(c.body.heartDistance(Point{x, y, c.z})-grow, c.cavity(x, y)+3)
		}
	}
	c.shape(-75, 100, -95, 55, fatHU, grown(3.5))
	c.shape(-75, 100, -95, 55, muscleHU-10, grown(2.2)) // the sac
	c.shape(-75, 100, -95, 55, fatHU, grown(1.2))
	c.shape(-75, 100, -95, 55, myocardHU+myocardDose*c.dose, grown(-2))
	c.ball(Point{34, -16, -56}, 27, 19, 28, blood)                                       // left ventricle
	c.ball(Point{42, -24, -62}, 5, 4, 12, myocardHU+myocardDose*c.dose)                  // a papillary muscle in it
	c.ball(Point{6, -44, -54}, 33, 14, 28, blood)                                        // right ventricle
	c.ball(Point{-22, -20, -42}, 18, 25, 28, blood)                                      // right atrium
	c.ball(Point{2, 10, -26}, 29, 13, 18, blood)                                         // left atrium
	c.ball(Point{22, -33, -56}, 22, 2.2, 20, (myocardHU+blood)/2+myocardDose*c.dose*2/5) // where the septum is thin
}

// vessels draws airways and the trees of both lungs.
func (c *canvas) vessels() {
	b := c.body
	for i := range b.bronchi {
		c.tube(&b.bronchi[i], b.bronchi[i].wallRadius, 10)
	}
	blood := int32(bloodHU + bloodDose*c.dose)
	for i := range b.trees {
		c.inLungTube(&b.trees[i], blood)
	}
	for i := range b.bronchi {
		c.tube(&b.bronchi[i], 0, airHU+10)
	}
}

// inLungTube draws a vessel without taking its place out of the pleural space: a finding there replaces it.
func (c *canvas) inLungTube(s *segment, hu int32) {
	if c.z < s.low-1 || c.z > s.high+1 {
		return
	}
	r := max(s.radius, s.end) + 1.5
	left, right := span(min(s.from.X, s.to.X)-r, max(s.from.X, s.to.X)+r, c.dx, c.columns)
	top, bottom := span(min(s.from.Y, s.to.Y)-r, max(s.from.Y, s.to.Y)+r, c.dy, c.rows)
	for row := top; row < bottom; row++ {
		for column := left; column < right; column++ {
			i := row*c.columns + column
			if k := cover(s.distance(Point{c.x(column), c.y(row), c.z}), c.dx); k > 0 && c.hu[i] < hu {
				c.hu[i] = mix(c.hu[i], hu, k)
			}
		}
	}
}
