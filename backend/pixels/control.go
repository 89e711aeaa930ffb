package pixels

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Body marks the body: in CT the largest part above -400 HU with its holes filled, elsewhere what is not background; where that finds next
// to nothing, the whole image.
func (c *Changeable) Body() Mask {
	if c.body == nil {
		m := c.findBody()
		c.body = &m
	}
	return *c.body
}

func (c *Changeable) findBody() Mask {
	border := c.low + c.scale/20
	if c.hounsfield() {
		border = -400
	}
	per, p := c.perPixel(), c.Plane()
	bodies := make([][]bool, len(c.frames))
	for n := range c.frames {
		if !c.Readable(n) {
			continue
		}
		on := make([]bool, p.Columns*p.Rows)
		for i := range on {
			v := c.value(n, i*per)
			on[i] = v > border
			if c.frames[c.first].Invert { // the background of such a film is its highest value
				on[i] = v < c.low+c.scale-c.scale/20
			}
		}
		if c.hounsfield() {
			on = largest(on, p.Columns, p.Rows)
		}
		bodies[n] = filled(on, p.Columns, p.Rows)
	}
	m := marked(p, bodies)
	if all := c.all(); m.Pixels() < all.Pixels()/50 {
		return all
	}
	return m
}

// spread marks in seen what is joined to the starts through pixels that are as on says, and counts what it marked.
func spread(seen []bool, starts []int, columns, rows int, on []bool, as bool) int {
	stack := make([]int32, 0, 256)
	visit := func(i int) {
		if !seen[i] && on[i] == as {
			seen[i] = true
			stack = append(stack, int32(i))
		}
	}
	for _, i := range starts {
		visit(i)
	}
	n := 0
	for len(stack) > 0 {
		i := int(stack[len(stack)-1])
		stack = stack[:len(stack)-1]
		n++
		if i%columns > 0 {
			visit(i - 1)
		}
		if i%columns < columns-1 {
			visit(i + 1)
		}
		if i >= columns {
			visit(i - columns)
		}
		if i < columns*(rows-1) {
			visit(i + columns)
		}
	}
	return n
}

// largest keeps the largest joined part; of several as large, the first.
func largest(on []bool, columns, rows int) []bool {
	seen, start, most := make([]bool, len(on)), -1, 0
	for i := range on {
		if on[i] && !seen[i] {
			if n := spread(seen, []int{i}, columns, rows, on, true); n > most {
				start, most = i, n
			}
		}
	}
	best := make([]bool, len(on))
	if start >= 0 {
		spread(best, []int{start}, columns, rows, on, true)
	}
	return best
}

// filled adds the holes: what is off and not joined to the border.
func filled(on []bool, columns, rows int) []bool {
	var border []int
	for x := range columns {
		border = append(border, x, (rows-1)*columns+x)
	}
	for y := range rows {
		border = append(border, y*columns, y*columns+columns-1)
	}
	out := make([]bool, len(on))
	spread(out, border, columns, rows, on, false)
	for i := range out {
		out[i] = !out[i]
	}
	return out
}

// Mean gives the mean of what is marked, over all channels.
func (c *Changeable) Mean(m Mask) float64 {
	per := c.perPixel()
	sum, count := 0.0, 0.0
	c.readable(m).each(func(n, column, row int) {
		for k := range per {
			sum, count = sum+c.value(n, (row*m.Plane.Columns+column)*per+k), count+1
		}
	})
	if count == 0 {
		return 0
	}
	return sum / count
}

// maxPlaces is how many places are looked at, maxTried how many of those in the right tissue are tried in full.
const (
	maxPlaces = 600
	maxTried  = 24
)

// Control finds a control region for the evidence: of the same shape and size, in the body, clear of all that avoid marks, in the same
// class of tissue (means within 100 HU, or a tenth of the range), the mirrored place first, then by nearness; alike says of a region in the
// right tissue whether it will do (its change is like the evidence's). False where there is none.
func (c *Changeable) Control(evidence, avoid Mask, seed uint64, alike func(Mask) bool) (Mask, bool) {
	body := c.Body()
	outside := body.Not()
	want := c.Mean(evidence)
	tried := 0
	for _, place := range c.places(evidence, body, seed) {
		m, whole := evidence.moved(place.dn, place.dx, place.dy, place.mirror, place.about)
		if !whole || m.overlaps(avoid) || m.overlaps(outside) || math.Abs(c.Mean(m)-want) > c.class() {
			continue
		}
		if alike(m) {
			return m, true
		}
		if tried++; tried == maxTried {
			break
		}
	}
	return Mask{}, false
}

type place struct {
	dn, dx, dy int
	mirror     bool
	about      int
	far        float64
}

// places lists where a control may lie: mirrored about the middle of the body with little moves, then moved.
func (c *Changeable) places(evidence, body Mask, seed uint64) []place {
	bx0, _, bx1, _, _, _, _ := body.Bounds()
	x0, y0, x1, y1, from, to, _ := evidence.Bounds()
	var out []place
	add := func(p place) {
		p.far = math.Hypot(float64(p.dx), float64(p.dy)) + 3*math.Abs(float64(p.dn))
		if !p.mirror {
			p.far += float64(c.Plane().Columns) // after every mirrored one
		}
		out = append(out, p)
	}
	// A frame that cannot be read between others takes no place: of a long volume few are sent.
	gap := func(dn int) bool {
		for n := from; n <= to; n++ {
			if at := n + dn; evidence.In(n) && at >= 0 && at < len(c.frames) && !c.Readable(at) {
				return true
			}
		}
		return false
	}
	for dn := -3; dn <= 3; dn++ {
		if gap(dn) {
			continue
		}
		for dy := -12; dy <= 12; dy += 4 {
			for dx := -12; dx <= 12; dx += 4 {
				add(place{dn, dx, dy, true, bx0 + bx1 - 1, 0})
			}
		}
	}
	p := c.Plane()
	stepX, stepY := max(2, (x1-x0)/3), max(2, (y1-y0)/3)
	for dn := -min(from, 8); dn <= min(len(c.frames)-1-to, 8); dn += 2 {
		if gap(dn) {
			continue
		}
		for dy := -(y0 / stepY) * stepY; dy+y1 <= p.Rows; dy += stepY {
			for dx := -(x0 / stepX) * stepX; dx+x1 <= p.Columns; dx += stepX {
				add(place{dn, dx, dy, false, 0, 0})
			}
		}
	}
	r := rand.New(rand.NewPCG(seed, 3))
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] }) // among equals by lot
	slices.SortStableFunc(out, func(a, b place) int { return cmp.Compare(a.far, b.far) })
	return out[:min(len(out), maxPlaces)]
}
