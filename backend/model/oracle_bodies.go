package model

import (
	"math"
	"slices"
)

// body is a connected set of voxels.
type body struct {
	bounds
	voxels      int
	sumX, sumY  int
	sumZ, sumV  int
	sizeMM      float64
	mean        float64
	margin      int   // pixels by which the search shrank it
	widestFrame int   // the frame with most of it
	perFrame    []int // pixels in each frame from z0 on
}

func (b *body) middle() (x, y, z float64) {
	n := float64(max(b.voxels, 1))
	return float64(b.sumX) / n, float64(b.sumY) / n, float64(b.sumZ) / n
}

// place gives the body's box, widened by what the search took off.
func (b *body) place(s *stack) Place {
	x0, y0 := max(0, b.x0-b.margin), max(0, b.y0-b.margin)
	x1, y1 := min(s.columns, b.x1+1+b.margin), min(s.rows, b.y1+1+b.margin)
	w, h := float64(s.columns), float64(s.rows)
	if x1 <= x0 || y1 <= y0 {
		return Place{From: 0, To: s.n - 1}
	}
	return Place{From: b.z0, To: b.z1, Box: [4]float64{float64(x0) / w, float64(y0) / h, float64(x1) / w, float64(y1) / h}}
}

// bodies finds the sets of marked voxels that are joined by faces; the marks are used up.
func (s *stack) bodies(marked []bool, least int) []body {
	size := s.columns * s.rows
	var found []body
	var queue []int32
	frames := make([]int, s.n)
	for start := range marked {
		if !marked[start] {
			continue
		}
		b := body{bounds: emptyBounds()}
		visit := func(i int) {
			if marked[i] {
				marked[i] = false
				queue = append(queue, int32(i))
			}
		}
		visit(start)
		for len(queue) > 0 {
			i := int(queue[len(queue)-1])
			queue = queue[:len(queue)-1]
			x, y, z := i%s.columns, i/s.columns%s.rows, i/size
			b.add(x, y, z)
			b.voxels++
			b.sumX, b.sumY, b.sumZ, b.sumV = b.sumX+x, b.sumY+y, b.sumZ+z, b.sumV+int(s.value[i])
			frames[z]++
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
			if z > 0 {
				visit(i - size)
			}
			if z < s.n-1 {
				visit(i + size)
			}
		}
		if b.voxels >= least {
			b.mean = float64(b.sumV) / float64(b.voxels)
			b.perFrame = slices.Clone(frames[b.z0 : b.z1+1])
			for z, n := range frames {
				if n > frames[b.widestFrame] {
					b.widestFrame = z
				}
			}
			found = append(found, b)
		}
		for z := b.z0; z <= b.z1; z++ {
			frames[z] = 0
		}
	}
	return found
}

// flat marks the voxels whose surroundings of 5 × 5 pixels are one even substance, no edge: pure air inside the body, and water density.
func (s *stack) flat(c *chest) (air, water []bool) {
	const n, spread = 25, 340
	const airHigh, waterLow, waterHigh = -962, -14, 27 // HU
	size := s.columns * s.rows
	air, water = make([]bool, len(s.value)), make([]bool, len(s.value))
	sums, squares := make([]int, s.columns), make([]int, s.columns)
	for z := range s.n {
		picture := s.value[z*size:][:size]
		for y := 2; y < s.rows-2; y++ {
			for x := range s.columns {
				sum, square := 0, 0
				for d := -2; d <= 2; d++ {
					v := int(picture[(y+d)*s.columns+x])
					sum, square = sum+v, square+v*v
				}
				sums[x], squares[x] = sum, square
			}
			for x := 2; x < s.columns-2; x++ {
				sum := sums[x-2] + sums[x-1] + sums[x] + sums[x+1] + sums[x+2]
				i := z*size + y*s.columns + x
				isAir, isWater := sum <= airHigh*n && c.air[i], sum >= waterLow*n && sum <= waterHigh*n && !c.air[i]
				if !isAir && !isWater {
					continue
				}
				square := squares[x-2] + squares[x-1] + squares[x] + squares[x+1] + squares[x+2]
				if square*n-sum*sum < spread*n*n {
					air[i], water[i] = isAir, isWater
				}
			}
		}
	}
	return air, water
}

// voxels turns millilitres into a number of voxels.
func (s *stack) voxels(ml float64) int {
	return int(ml * 1000 / (s.geometry.PixelMM * s.geometry.PixelMM * max(s.geometry.BetweenMM, .1)))
}

// largest gives the biggest body that keep accepts, or one of no voxels.
func largest(bodies []body, keep func(b *body) bool) body {
	var best body
	for i := range bodies {
		if b := &bodies[i]; b.voxels > best.voxels && keep(b) {
			best = *b
		}
	}
	return best
}

// depth measures the longest run of a body's pixels from front to back, in mm.
func (s *stack) depth(marked []bool, b *body) float64 {
	longest := 0
	for z := b.z0; z <= b.z1; z++ {
		for x := b.x0; x <= b.x1; x++ {
			run := 0
			for y := b.y0; y <= b.y1; y++ {
				if !marked[(z*s.rows+y)*s.columns+x] {
					run = 0
					continue
				}
				run++
				longest = max(longest, run)
			}
		}
	}
	return float64(longest+2*b.margin) * s.geometry.PixelMM
}

// aside finds the largest body of marked voxels, of so many millilitres at least, that lies beside the middle: free air there is not in the
// airways, and water not in the spinal canal.
func (s *stack) aside(c *chest, marked []bool, ml float64) body {
	const away = 22 // mm
	kept := slices.Clone(marked)
	b := largest(s.bodies(marked, s.voxels(ml)), func(b *body) bool {
		x, _, _ := b.middle()
		return math.Abs(x-c.middle)*s.geometry.PixelMM > away
	})
	b.margin = 2
	b.sizeMM = s.depth(kept, &b)
	return b
}

// denseBody finds a compact body of tissue that has aerated lung all around. Vessels may join it to others, so the tissue is shrunk until a
// body comes free, and the body is measured grown back.
func (s *stack) denseBody(c *chest) body {
	const most = 3 // pixels
	tissue := make([]bool, len(s.value))
	for i, v := range s.value {
		tissue[i] = v > tissueLimit && !c.air[i]
	}
	for margin := 1; margin <= most; margin++ {
		tissue = s.shrunk(tissue)
		b := largest(s.bodies(slices.Clone(tissue), 6), func(b *body) bool {
			b.margin = margin
			return b.voxels < s.voxels(60) && s.compact(b) && !s.atRoot(c, b) && s.surrounded(c, b)
		})
		if b.voxels > 0 { // the diameter of a disc with the area of the widest frame
			area := float64(b.perFrame[b.widestFrame-b.z0])
			b.sizeMM = 2 * (math.Sqrt(area/math.Pi) + float64(margin)) * s.geometry.PixelMM
			return b
		}
	}
	return body{}
}

// tissueLimit is the least density of a body in HU; its border is half lung.
const tissueLimit = -380

// shrunk takes the outermost pixels, in the frame, off everything marked.
func (s *stack) shrunk(marked []bool) []bool {
	size := s.columns * s.rows
	out := make([]bool, len(marked))
	for z := range s.n {
		for y := 1; y < s.rows-1; y++ {
			for i := z*size + y*s.columns + 1; i < z*size+(y+1)*s.columns-1; i++ {
				if !marked[i] || !marked[i-1] || !marked[i+1] {
					continue
				}
				up, down := marked[i-s.columns-1:][:3], marked[i+s.columns-1:][:3]
				out[i] = up[0] && up[1] && up[2] && down[0] && down[1] && down[2]
			}
		}
	}
	return out
}

// compact says whether a body is about as long as wide as high, and no brighter than a nodule gets.
func (s *stack) compact(b *body) bool {
	w, h := b.x1-b.x0+1+2*b.margin, b.y1-b.y0+1+2*b.margin // as before it was shrunk
	wide := float64(max(w, h)) * s.geometry.PixelMM
	high := float64(b.z1-b.z0+1) * s.geometry.BetweenMM
	most := b.perFrame[b.widestFrame-b.z0]
	filled := most*100 > 45*(b.x1-b.x0+1)*(b.y1-b.y0+1)
	return most >= 9 && 2*max(w, h) <= 3*min(w, h) && high < wide+float64(1.5*s.geometry.BetweenMM) && filled && b.mean < 105
}

// atRoot says whether a body lies near the root of a lung, where vessels are as thick as nodules.
func (s *stack) atRoot(c *chest, b *body) bool {
	const aside, behind, root = 28, 4, 40 // mm
	x, y, z := b.middle()
	all := c.whole()
	dx := math.Abs(x-c.middle)*s.geometry.PixelMM - aside
	dy := (y-float64(all.y0+all.y1)/2)*s.geometry.PixelMM - behind
	dz := (z - float64(all.z0+all.z1)/2) * s.geometry.BetweenMM
	return float64(dx*dx)+float64(dy*dy)+float64(dz*dz) < root*root
}

// surrounded says whether the frame around a body, in its widest picture, is nearly all air, and whether it ends within the frames.
func (s *stack) surrounded(c *chest, b *body) bool {
	air, all := 0, 0
	far := b.margin + 3
	for y := b.y0 - far; y <= b.y1+far; y++ {
		for x := b.x0 - far; x <= b.x1+far; x++ {
			edge := y == b.y0-far || y == b.y1+far || x == b.x0-far || x == b.x1+far
			if !edge || x < 0 || y < 0 || x >= s.columns || y >= s.rows {
				continue
			}
			all++
			if c.air[(b.widestFrame*s.rows+y)*s.columns+x] {
				air++
			}
		}
	}
	if air*100 < all*75 {
		return false
	}
	return b.z0 > 0 && b.z1 < s.n-1
}
