package pixels

import (
	"fmt"
	"slices"

	"plumbline/backend/review"
)

// A Mask marks pixels of the frames of an image.
type Mask struct {
	Plane review.Plane
	on    [][]bool // by frame; nil: none marked
	n     int
	// All that is marked lies in columns [x0, x1) and rows [y0, y1): evidence is small, and what is done to it need not walk over whole frames.
	x0, y0, x1, y1 int
}

// NewMask marks nothing.
func NewMask(p review.Plane, frames int) Mask {
	return Mask{Plane: p, on: make([][]bool, frames), x0: p.Columns, y0: p.Rows}
}

// marked takes marks that were made by frame; nil: none in it.
func marked(p review.Plane, on [][]bool) Mask {
	m := Mask{Plane: p, on: on, x1: p.Columns, y1: p.Rows}
	for _, frame := range on {
		for _, in := range frame {
			if in {
				m.n++
			}
		}
	}
	return m
}

// MaskOf marks the pixels whose centres lie in any of the regions, whatever image those name. Points mark nothing. It fails for a region
// that is a file of its own, and for frames that are not there.
func MaskOf(regions []review.Region, p review.Plane, frames int) (Mask, error) {
	m := NewMask(p, frames)
	for _, r := range regions {
		if wrong := r.Fault(frames); wrong != "" {
			return m, fmt.Errorf("region %s: %s", r.ID, wrong)
		}
		if r.Shape == review.Mask {
			return m, fmt.Errorf("region %s is drawn in a file of its own, which cannot be used to change pixels", r.ID)
		}
		from, to := r.Span(frames)
		for row := range p.Rows {
			for column := range p.Columns {
				if !inside(r, p.ToUnit(p.Centre(column, row))) {
					continue
				}
				for n := from; n <= to; n++ {
					m.set(n, row*p.Columns+column)
				}
			}
		}
	}
	return m, nil
}

// inside says whether a point lies in a region's outline.
func inside(r review.Region, u review.UnitPoint) bool {
	c := r.Coords
	switch r.Shape {
	case review.Box:
		return u.X >= c[0] && u.X < c[2] && u.Y >= c[1] && u.Y < c[3]
	case review.Ellipse:
		x, y := (2*u.X-c[0]-c[2])/(c[2]-c[0]), (2*u.Y-c[1]-c[3])/(c[3]-c[1])
		return x*x+y*y <= 1
	case review.Polygon:
		in := false
		for i, j := 0, len(c)-2; i < len(c); i, j = i+2, i {
			if (c[i+1] > u.Y) != (c[j+1] > u.Y) && u.X < (c[j]-c[i])*(u.Y-c[i+1])/(c[j+1]-c[i+1])+c[i] {
				in = !in
			}
		}
		return in
	case review.Slab, review.WholeImage:
		return true
	}
	return false
}

func (m *Mask) set(n, i int) {
	if m.on[n] == nil {
		m.on[n] = make([]bool, m.Plane.Columns*m.Plane.Rows)
	}
	if !m.on[n][i] {
		m.on[n][i] = true
		m.n++
		column, row := i%m.Plane.Columns, i/m.Plane.Columns
		m.x0, m.y0, m.x1, m.y1 = min(m.x0, column), min(m.y0, row), max(m.x1, column+1), max(m.y1, row+1)
	}
}

// Has says whether pixel i (row × columns + column) of frame n is marked.
func (m Mask) Has(n, i int) bool { return n >= 0 && n < len(m.on) && m.on[n] != nil && m.on[n][i] }

// In says whether anything of frame n is marked.
func (m Mask) In(n int) bool {
	return n >= 0 && n < len(m.on) && slices.Contains(m.on[n], true)
}

// Pixels counts what is marked, over all frames.
func (m Mask) Pixels() int { return m.n }

// Add marks what other marks, too.
func (m *Mask) Add(other Mask) {
	other.each(func(n, column, row int) { m.set(n, row*m.Plane.Columns+column) })
}

// Not marks what m does not.
func (m Mask) Not() Mask {
	out := make([][]bool, len(m.on))
	for n, on := range m.on {
		out[n] = make([]bool, m.Plane.Columns*m.Plane.Rows)
		for i := range out[n] {
			out[n][i] = on == nil || !on[i]
		}
	}
	return marked(m.Plane, out)
}

// Widened marks everything within px pixels (a square) of what m marks, in its frames.
func (m Mask) Widened(px int) Mask {
	out := make([][]bool, len(m.on))
	columns, rows := m.Plane.Columns, m.Plane.Rows
	for n, on := range m.on {
		if on != nil {
			out[n] = near(near(on, columns, rows, 1, columns, px), rows, columns, columns, 1, px)
		}
	}
	return marked(m.Plane, out)
}

// near marks what has a mark within px along lines of length long; step leads along a line, next from line to line.
func near(on []bool, long, lines, step, next, px int) []bool {
	out := make([]bool, len(on))
	for l := range lines {
		last := -px - 1 // the latest mark, going forward
		for i := range long {
			if on[l*next+i*step] {
				last = i
			}
			out[l*next+i*step] = i-last <= px
		}
		last = long + px
		for i := long - 1; i >= 0; i-- {
			if on[l*next+i*step] {
				last = i
			}
			if last-i <= px {
				out[l*next+i*step] = true
			}
		}
	}
	return out
}

// overlaps says whether both mark a pixel.
func (m Mask) overlaps(other Mask) bool {
	for n := range m.on {
		if m.on[n] == nil || n >= len(other.on) || other.on[n] == nil {
			continue
		}
		for row := m.y0; row < m.y1; row++ {
			mine, others := m.row(n, row), other.on[n][row*m.Plane.Columns+m.x0:]
			for x, on := range mine {
				if on && others[x] {
					return true
				}
			}
		}
	}
	return false
}

// row gives the marks of a row of a frame that has some, from column x0 on.
func (m Mask) row(n, row int) []bool {
	return m.on[n][row*m.Plane.Columns+m.x0 : row*m.Plane.Columns+m.x1]
}

// each hands the marked pixels to fn.
func (m Mask) each(fn func(n, column, row int)) {
	for n := range m.on {
		if m.on[n] == nil {
			continue
		}
		for row := m.y0; row < m.y1; row++ {
			for x, on := range m.row(n, row) {
				if on {
					fn(n, m.x0+x, row)
				}
			}
		}
	}
}

// moved gives the mask moved by frames, columns and rows, left and right exchanged first about a column (in half columns) where mirror is
// set; false where a part would leave the image.
func (m Mask) moved(dn, dx, dy int, mirror bool, about int) (Mask, bool) {
	out, whole := NewMask(m.Plane, len(m.on)), true
	m.each(func(n, column, row int) {
		if mirror {
			column = about - column
		}
		n, column, row = n+dn, column+dx, row+dy
		if n < 0 || n >= len(m.on) || column < 0 || column >= m.Plane.Columns || row < 0 || row >= m.Plane.Rows {
			whole = false
			return
		}
		out.set(n, row*m.Plane.Columns+column)
	})
	return out, whole && out.n == m.n
}

// Mirrored exchanges left and right.
func (m Mask) Mirrored() Mask {
	out, _ := m.moved(0, 0, 0, true, m.Plane.Columns-1)
	return out
}

// Bounds gives the box around what is marked: columns [x0, x1), rows [y0, y1), frames from to to, both in it; false where nothing is.
func (m Mask) Bounds() (x0, y0, x1, y1, from, to int, ok bool) {
	m.each(func(n, column, row int) {
		if !ok {
			x0, y0, x1, y1, from, to, ok = column, row, column+1, row+1, n, n, true
		}
		x0, y0, x1, y1, from, to = min(x0, column), min(y0, row), max(x1, column+1), max(y1, row+1), min(from, n), max(to, n)
	})
	return
}
