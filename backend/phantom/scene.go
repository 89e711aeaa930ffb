package phantom

import "slices"

// A Scene is one exam of a body.
type Scene struct {
	Body     *Body
	Contrast bool   // intravenous, in the vessels
	Upright  bool   // fluid falls towards the feet and air rises to the head; else the patient lies on the back
	Noise    uint64 // seed of the noise: it belongs to the exam and not to what is in it
	Findings []Finding
}

// The lattice of a CT exam. Frame 0 is the one nearest to the feet.
const (
	Columns, Rows, Frames = 256, 256, 40
	PixelMM               = 1.40625 // both ways: 360 mm in 256 pixels, exact in binary
	FrameMM               = 7.0
)

var ctGrid = grid{Columns, Rows, PixelMM, PixelMM}

// FrameZ gives the height of a frame in mm.
func FrameZ(frame int) float64 { return FrameMM*float64(frame) - FrameMM*(Frames-1)/2 }

// Origin gives the patient coordinates of the centre of a frame's first pixel.
func Origin(frame int) Point { return Point{ctGrid.x(0), ctGrid.y(0), FrameZ(frame)} }

// Without gives the scene with its finding i taken out and everything else, noise too, the same.
func (s *Scene) Without(i int) *Scene {
	t := *s
	t.Findings = append(append([]Finding{}, s.Findings[:i]...), s.Findings[i+1:]...)
	return &t
}

// With gives the scene with a finding put in and everything else, noise too, the same.
func (s *Scene) With(f Finding) *Scene {
	t := *s
	t.Findings = append(append([]Finding{}, s.Findings...), f)
	return &t
}

// HU bounds of what Frame gives.
const (
	MinHU = -1024
	MaxHU = 3071
)

// Frame renders one axial picture: Rows × Columns samples in Hounsfield units, row by row, the patient's right at the left.
func (s *Scene) Frame(n int) []int16 {
	with, _ := s.Pair(n, -1)
	return with
}

// Pair renders a frame with everything and once more without finding i, the same otherwise to the bit. An i of -1 asks for no second one.
func (s *Scene) Pair(n, i int) (with, without []int16) {
	c := s.newCanvas(ctGrid)
	c.paint(FrameZ(n))
	if i >= 0 && s.Findings[i].reaches(c.z) {
		bare := *c
		bare.hu = slices.Clone(c.hu)
		s.drawFindings(&bare, i)
		without = s.expose(&bare, uint64(n))
	}
	s.drawFindings(c, -1)
	with = s.expose(c, uint64(n))
	if i >= 0 && without == nil {
		without = with
	}
	return with, without
}

// drawFindings lays all findings but one over a painted canvas.
func (s *Scene) drawFindings(c *canvas, but int) {
	for i := range s.Findings {
		if i != but {
			s.Findings[i].draw(c, s.Upright)
		}
	}
}

// expose blurs a canvas as a scanner does and adds the noise of the frame.
func (s *Scene) expose(c *canvas, n uint64) []int16 {
	sharp := c.hu
	grain := noise(s.Noise, n, c.columns, c.rows)
	out := make([]int16, len(sharp))
	for row := range c.rows {
		up, down := max(row-1, 0)*c.columns, min(row+1, c.rows-1)*c.columns
		here := row * c.columns
		for x := range c.columns {
			l, r := max(x-1, 0), min(x+1, c.columns-1)
			cross := sharp[up+x] + sharp[down+x] + sharp[here+l] + sharp[here+r]
			corner := sharp[up+l] + sharp[up+r] + sharp[down+l] + sharp[down+r]
			v := (16*sharp[here+x] + 4*cross + corner) / 36
			out[here+x] = int16(max(MinHU, min(MaxHU, v+grain[here+x])))
		}
	}
	return out
}

// noise gives about normal noise of some 11 HU, a little joined between neighbours, from the place of each pixel alone.
func noise(seed, frame uint64, columns, rows int) []int32 {
	raw := make([]int32, columns*rows)
	key := scramble(seed ^ scramble(frame+0x51ED))
	for i := 0; i < len(raw); i += 4 {
		h := scramble(key + uint64(i))
		for j := i; j < min(i+4, len(raw)); j++ { // the sum of four numbers of 0–15 has a deviation of 9.2
			raw[j] = int32(h&15 + h>>4&15 + h>>8&15 + h>>12&15)
			h >>= 16
		}
	}
	out := make([]int32, len(raw))
	for row := range rows {
		for x := range columns {
			i := row*columns + x
			next := raw[row*columns+min(x+1, columns-1)] + raw[min(row+1, rows-1)*columns+x]
			out[i] = (2*raw[i]+next)/2 - 60
		}
	}
	return out
}
