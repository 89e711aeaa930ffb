package pixels

import (
	"fmt"
	"math"
)

// DrawCue draws a cue for the place that m marks into the frames that it marks: "box" an outline just outside, "arrow" one that points at
// its middle, "heatmap" a soft glow over it, "highlight" makes it stand out from what is around. Lines are as bright as the brightest tissue, or as
// dark as the darkest where it is bright around: a white box on a white heart would be no cue.
func (c *Changeable) DrawCue(m Mask, cue string) error {
	x0, y0, x1, y1, from, to, ok := c.readable(m).Bounds()
	if !ok {
		return fmt.Errorf("there is no place to draw a %s at", cue)
	}
	top, part := c.low+c.scale, c.scale/4
	bottom := c.low
	if c.frames[c.first].Invert {
		top, bottom, part = bottom, top, -part
	}
	bright := (top + bottom) / 2 // from there on a line of the brightest tissue is lost
	if c.hounsfield() {
		top, bottom, part, bright = 400, -1000, 250, 200
	}
	p, per := c.Plane(), c.perPixel()
	wide := max(2, min(p.Columns, p.Rows)/256) // of a line, in pixels
	outside := func(x, y, by int) bool { return x < x0-by || x >= x1+by || y < y0-by || y >= y1+by }
	ring := func(x, y int) bool { return outside(x, y, 1) && !outside(x, y, 1+wide) }
	line := top
	if cue == "box" || cue == "arrow" {
		around := c.meanOver([2]int{x0 - 1 - wide, y0 - 1 - wide}, [2]int{x1 + 1 + wide, y1 + 1 + wide}, from, to, ring)
		if (around-bright)*(top-bottom) > 0 {
			line = bottom
		}
	}
	cx, cy := float64(x0+x1)/2, float64(y0+y1)/2
	var draw func(x, y int, v float64) float64
	switch cue {
	case "box":
		draw = func(x, y int, v float64) float64 {
			if ring(x, y) {
				return line
			}
			return v
		}
	case "arrow":
		tipX, tipY := float64(x0)-2, float64(y0)-2 // from the upper left, or from the lower right where there is no room
		sign := 1.0
		if tipX < 26 || tipY < 26 {
			tipX, tipY, sign = float64(x1)+2, float64(y1)+2, -1
		}
		draw = func(x, y int, v float64) float64 {
			dx, dy := sign*(tipX-float64(x)), sign*(tipY-float64(y)) // back along the shaft
			along, across := (dx+dy)/math.Sqrt2, math.Abs(dx-dy)/math.Sqrt2
			if along >= 0 && (along < 10 && across < along*.6 || along < 32 && across < float64(wide)*.8) {
				return line
			}
			return v
		}
	case "heatmap":
		sx, sy := max(3, float64(x1-x0)/2), max(3, float64(y1-y0)/2)
		draw = func(x, y int, v float64) float64 {
			dx, dy := (float64(x)+.5-cx)/sx, (float64(y)+.5-cy)/sy
			if d := dx*dx + dy*dy; d < 9 {
				return v + part*math.Exp(-d/2)
			}
			return v
		}
	case "highlight":
		draw = func(x, y int, v float64) float64 {
			if x >= x0 && x < x1 && y >= y0 && y < y1 {
				return v + part
			}
			return v
		}
	default:
		return fmt.Errorf("%q is no drawn cue: box, arrow, heatmap or highlight expected", cue)
	}
	for n := from; n <= to; n++ {
		if !c.Readable(n) {
			continue
		}
		for i := range p.Columns * p.Rows {
			for k := range per {
				v := c.value(n, i*per+k)
				if now := draw(i%p.Columns, i/p.Columns, v); now != v {
					c.put(n, i*per+k, now)
				}
			}
		}
	}
	return nil
}

// meanOver is the mean value of frames from one corner to before another where a pixel is wanted; the lowest where none is.
func (c *Changeable) meanOver(low, high [2]int, from, to int, want func(x, y int) bool) float64 {
	p, per := c.Plane(), c.perPixel()
	sum, of := 0., 0.
	for n := from; n <= to; n++ {
		if !c.Readable(n) {
			continue
		}
		for y := max(0, low[1]); y < min(p.Rows, high[1]); y++ {
			for x := max(0, low[0]); x < min(p.Columns, high[0]); x++ {
				if !want(x, y) {
					continue
				}
				for k := range per {
					sum, of = sum+c.value(n, (y*p.Columns+x)*per+k), of+1
				}
			}
		}
	}
	if of == 0 {
		return c.low
	}
	return sum / of
}
