package phantom

import (
	"math"
	"slices"
)

// The lattice of a film: the sum of the scene along the back–front direction.
const (
	FilmColumns, FilmRows = 384, 320
	FilmMM                = .9375 // both ways, exact in binary
	FilmBits              = 12
)

var filmGrid = grid{FilmColumns, 112, FilmMM, 2.5}

// FilmZ gives the height of a row of the film: the head is at the top.
func FilmZ(row int) float64 { return mul(FilmRows-1-2*float64(row), FilmMM/2) }

// Film renders a frontal radiograph: FilmRows × FilmColumns samples of FilmBits bits, row by row, the patient's right at the left. A high
// value is much radiation, so the picture is of photometric interpretation MONOCHROME1: the lowest value is shown white.
func (s *Scene) Film() []uint16 {
	with, _ := s.FilmPair(-1)
	return with
}

// FilmPair renders the film with everything and once more without finding i, the same otherwise to the bit. An i of -1 asks for no second
// one.
func (s *Scene) FilmPair(i int) (with, without []uint16) {
	const n = FilmColumns * FilmRows
	path, bare := make([]float64, n), make([]float64, n)
	c := s.newCanvas(filmGrid)
	for row := range FilmRows {
		c.paint(FilmZ(row))
		if i >= 0 {
			b := *c
			b.hu = slices.Clone(c.hu)
			s.drawFindings(&b, i)
			s.project(&b, bare[row*FilmColumns:][:FilmColumns])
		}
		s.drawFindings(c, -1)
		s.project(c, path[row*FilmColumns:][:FilmColumns])
	}
	if i >= 0 {
		without = s.develop(bare)
	}
	return s.develop(path), without
}

// project adds up the attenuation along y of every column of the canvas, in units of millimetres of water.
func (s *Scene) project(c *canvas, path []float64) {
	for row := range c.rows {
		if c.y(row) > 120 { // a standing patient has no couch
			break
		}
		for column := range c.columns {
			hu := float64(c.hu[row*c.columns+column])
			density := max(0, 1+hu/1000)
			if hu > 120 { // bone takes more of the beam than its density tells
				density += mul(.55, (hu-120)/1000)
			}
			path[column] += mul(density, c.dy)
		}
	}
}

// develop turns path lengths into the film's samples: a smooth response like a screen's, a little blur, and noise.
func (s *Scene) develop(path []float64) []uint16 {
	grain := noise(s.Noise, 1<<32, FilmColumns, FilmRows)
	out := make([]uint16, len(path))
	at := func(row, column int) float64 {
		return path[max(0, min(FilmRows-1, row))*FilmColumns+max(0, min(FilmColumns-1, column))]
	}
	for row := range FilmRows {
		for column := range FilmColumns {
			near := at(row-1, column) + at(row+1, column) + at(row, column-1) + at(row, column+1)
			water := mul(.5, at(row, column)) + mul(.125, near)
			t := (118 - water) / 62
			response := t / math.Sqrt(1+sq(t)) // -1 … 1
			v := 2048 + mul(1800, response) + mul(1.1, float64(grain[row*FilmColumns+column]))
			out[row*FilmColumns+column] = uint16(clamp(v, 0, 1<<FilmBits-1))
		}
	}
	return out
}
