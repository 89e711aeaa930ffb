package model

import "math"

// searchCT looks for contrast, then for air, fluid and dense bodies where none belong.
func (s *stack) searchCT() sight {
	chest := s.chest()
	if all := chest.whole(); all.x1 < all.x0 {
		return sight{} // no chest in these pictures: nothing abnormal to be seen
	}
	found := sight{searched: []Place{chest.lung(s, 0), chest.lung(s, 1)}}
	found.enhanced, found.blood, found.vessels = s.contrast(chest)
	var best body
	air, water := s.flat(chest)
	if b := s.aside(chest, air, 4); b.voxels > 0 {
		found.finding, best = "pneumothorax", b
	} else if b := s.aside(chest, water, 8); b.voxels > 0 {
		found.finding, best = "effusion", b
	} else if b := s.denseBody(chest); b.voxels > 0 {
		found.finding, best = "nodule", b
	} else {
		return found
	}
	found.place, found.sizeMM, found.value = best.place(s), best.sizeMM, best.mean
	x, y, z := best.middle()
	found.side = "right"
	if x > chest.middle {
		found.side = "left"
	}
	if found.finding == "nodule" {
		found.lobe = chest.lobe(s, y, z)
	}
	return found
}

// chest is what the oracle finds out about the body before it looks for anything.
type chest struct {
	air    []bool // inside the body: lung, airways, free air
	middle float64
	bounds [2]bounds // of the air on the right and left
}

// bounds is a box of voxels; an empty one has x1 < x0.
type bounds struct{ x0, y0, z0, x1, y1, z1 int }

func emptyBounds() bounds {
	return bounds{math.MaxInt, math.MaxInt, math.MaxInt, -1, -1, -1}
}

func (b *bounds) add(x, y, z int) {
	b.x0, b.y0, b.z0 = min(b.x0, x), min(b.y0, y), min(b.z0, z)
	b.x1, b.y1, b.z1 = max(b.x1, x), max(b.y1, y), max(b.z1, z)
}

const airLimit = -400 // HU: below is air or lung, above tissue

// chest finds the air inside the body: what a flood from the picture's border does not reach.
func (s *stack) chest() *chest {
	c := &chest{air: make([]bool, len(s.value))}
	size := s.columns * s.rows
	all := emptyBounds()
	for z := range s.n {
		picture, air := s.value[z*size:][:size], c.air[z*size:][:size]
		outside := s.flood(picture)
		for i, v := range picture {
			if v < airLimit && !outside[i] {
				air[i] = true
				all.add(i%s.columns, i/s.columns, z)
			}
		}
	}
	c.middle = float64(all.x0+all.x1) / 2
	c.bounds = [2]bounds{emptyBounds(), emptyBounds()}
	for i, inside := range c.air {
		if inside {
			x := i % s.columns
			side := 0
			if float64(x) > c.middle {
				side = 1
			}
			c.bounds[side].add(x, i/s.columns%s.rows, i/size)
		}
	}
	return c
}

// flood marks the air that is joined to the border of one picture.
func (s *stack) flood(picture []int16) []bool {
	seen := make([]bool, len(picture))
	var queue []int32
	visit := func(i int) {
		if !seen[i] && picture[i] < airLimit {
			seen[i] = true
			queue = append(queue, int32(i))
		}
	}
	for x := range s.columns {
		visit(x)
		visit((s.rows-1)*s.columns + x)
	}
	for y := range s.rows {
		visit(y * s.columns)
		visit(y*s.columns + s.columns - 1)
	}
	for len(queue) > 0 {
		i := int(queue[len(queue)-1])
		queue = queue[:len(queue)-1]
		x, y := i%s.columns, i/s.columns
		if x > 0 {
			visit(i - 1)
		}
		if x < s.columns-1 {
			visit(i + 1)
		}
		if y > 0 {
			visit(i - s.columns)
		}
		if y < s.rows-1 {
			visit(i + s.columns)
		}
	}
	return seen
}

// whole is the box of the air of both sides.
func (c *chest) whole() bounds {
	a, b := c.bounds[0], c.bounds[1]
	return bounds{min(a.x0, b.x0), min(a.y0, b.y0), min(a.z0, b.z0), max(a.x1, b.x1), max(a.y1, b.y1), max(a.z1, b.z1)}
}

// lung is the box of one lung over all frames, as a place.
func (c *chest) lung(s *stack, side int) Place {
	b := body{bounds: c.bounds[side]}
	return b.place(s)
}

// lobe compares a place with the oblique fissure, which runs from high at the back to low at the front.
func (c *chest) lobe(s *stack, y, z float64) string {
	all := c.whole()
	high := float64(z-float64(all.z0+all.z1)/2) * s.geometry.BetweenMM
	behind := float64(y-float64(all.y0+all.y1)/2) * s.geometry.PixelMM
	if high > float64(.62*behind)-5 {
		return "upper"
	}
	return "lower"
}

// contrast asks how much of the middle of the chest, before the spine, is brighter than plain blood and is no bone.
func (s *stack) contrast(c *chest) (bool, float64, Place) {
	all := c.whole()
	wide := int(50 / s.geometry.PixelMM)
	b := bounds{
		x0: max(0, int(c.middle)-wide), x1: min(s.columns-1, int(c.middle)+wide),
		y0: all.y0 + (all.y1-all.y0)/6, y1: all.y0 + (all.y1-all.y0)*55/100, z0: all.z0 + (all.z1-all.z0)/4, z1: all.z0 + (all.z1-all.z0)*3/5,
	}
	bright, soft := 0, 0
	for z := b.z0; z <= b.z1; z++ {
		for y := b.y0; y <= b.y1; y++ {
			for x := b.x0; x <= b.x1; x++ {
				switch v := s.value[(z*s.rows+y)*s.columns+x]; {
				case v > 110:
					bright, soft = bright+1, soft+1
				case v > 0:
					soft++
				}
			}
		}
	}
	share := 100 * float64(bright) / float64(max(soft, 1))
	box := body{bounds: b}
	return share > 15, share, box.place(s)
}
