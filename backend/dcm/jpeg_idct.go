package dcm

// The inverse transform and upsampling of the Independent JPEG Group's library (jidctint.c, jdsample.c of version 6b), so that samples are
// those of every decoder built on it.

// Constants of the transform: 13 fraction bits.
const (
	idctBits = 13
	fix0298  = 2446
	fix0390  = 3196
	fix0541  = 4433
	fix0765  = 6270
	fix0899  = 7373
	fix1175  = 9633
	fix1501  = 12299
	fix1847  = 15137
	fix1961  = 16069
	fix2053  = 16819
	fix2562  = 20995
	fix3072  = 25172
)

// even and odd are the two halves of the one-dimensional transform (Loeffler, Ligtenberg and Moschytz).
func idctEven(c0, c2, c4, c6 int) (t10, t11, t12, t13 int) {
	z1 := (c2 + c6) * fix0541
	t2, t3 := z1-c6*fix1847, z1+c2*fix0765
	t0, t1 := (c0+c4)<<idctBits, (c0-c4)<<idctBits
	return t0 + t3, t1 + t2, t1 - t2, t0 - t3
}

func idctOdd(c1, c3, c5, c7 int) (t0, t1, t2, t3 int) {
	z1, z2, z3, z4 := c7+c1, c5+c3, c7+c3, c5+c1
	z5 := (z3 + z4) * fix1175
	z1, z2, z3, z4 = -z1*fix0899, -z2*fix2562, z5-z3*fix1961, z5-z4*fix0390
	return c7*fix0298 + z1 + z3, c5*fix2053 + z2 + z4, c3*fix3072 + z2 + z3, c1*fix1501 + z1 + z4
}

// inverse turns coefficients, already multiplied by their quantisation, into samples.
func inverse(in *[64]int32, out []uint16, stride, precision int) {
	pass := 2 // fraction bits kept between the passes
	if precision > 8 {
		pass = 1
	}
	var work [64]int
	shift := idctBits - pass
	half := 1 << (shift - 1)
	for x := range 8 {
		t10, t11, t12, t13 := idctEven(int(in[x]), int(in[16+x]), int(in[32+x]), int(in[48+x]))
		t0, t1, t2, t3 := idctOdd(int(in[8+x]), int(in[24+x]), int(in[40+x]), int(in[56+x]))
		work[x], work[56+x] = (t10+t3+half)>>shift, (t10-t3+half)>>shift
		work[8+x], work[48+x] = (t11+t2+half)>>shift, (t11-t2+half)>>shift
		work[16+x], work[40+x] = (t12+t1+half)>>shift, (t12-t1+half)>>shift
		work[24+x], work[32+x] = (t13+t0+half)>>shift, (t13-t0+half)>>shift
	}
	shift = idctBits + pass + 3
	half = 1<<(shift-1) + 1<<(precision-1+shift) // rounding, and the middle of the range
	top := 1<<precision - 1
	for y := range 8 {
		w, o := work[8*y:8*y+8:8*y+8], out[y*stride:y*stride+8:y*stride+8]
		t10, t11, t12, t13 := idctEven(w[0], w[2], w[4], w[6])
		t0, t1, t2, t3 := idctOdd(w[1], w[3], w[5], w[7])
		o[0], o[7] = within((t10+t3+half)>>shift, top), within((t10-t3+half)>>shift, top)
		o[1], o[6] = within((t11+t2+half)>>shift, top), within((t11-t2+half)>>shift, top)
		o[2], o[5] = within((t12+t1+half)>>shift, top), within((t12-t1+half)>>shift, top)
		o[3], o[4] = within((t13+t0+half)>>shift, top), within((t13-t0+half)>>shift, top)
	}
}

// fillBlock is inverse for a block that has no coefficient but the first.
func fillBlock(out []uint16, stride int, dc int32, precision int) {
	v := within((int(dc)+4)>>3+1<<(precision-1), 1<<precision-1)
	for y := range 8 {
		o := out[y*stride : y*stride+8 : y*stride+8]
		for x := range o {
			o[x] = v
		}
	}
}

func within(v, top int) uint16 { return uint16(max(0, min(v, top))) }

// full gives row y of a component at full size; line is room for it. Of half the width, or half of both, the samples are drawn smoothly, each
// weighing three quarters and its neighbour one; of other ratios they are repeated.
func (c *dctComponent) full(y, across, down int, line []uint16) []uint16 {
	row := func(y int) []uint16 {
		y = max(0, min(y, c.rows-1))
		return c.plane[y*c.stride : y*c.stride+c.columns]
	}
	switch {
	case across == 1 && down == 1:
		return row(y)
	case across == 2 && down == 1 && c.columns > 2:
		return smooth(line, row(y), nil)
	case across == 2 && down == 2 && c.columns > 2:
		near := y/2 - 1
		if y%2 == 1 {
			near = y/2 + 1
		}
		return smooth(line, row(y/2), row(near))
	}
	in := row(y / down)
	for x := range line {
		line[x] = in[min(x/across, len(in)-1)]
	}
	return line
}

// smooth doubles the width of a row; near is the neighbouring row where the height is doubled too.
func smooth(line, in, near []uint16) []uint16 {
	at := func(x int) int { return int(in[x]) }
	shift, low, high := 2, 1, 2 // rounded down on the left and up on the right, in turn
	if near != nil {
		at = func(x int) int { return 3*int(in[x]) + int(near[x]) }
		shift, low, high = 4, 8, 7
	}
	last := len(in) - 1
	before, this := at(0), at(0)
	for x := range in {
		after := this
		if x < last {
			after = at(x + 1)
		}
		line[2*x], line[2*x+1] = uint16((3*this+before+low)>>shift), uint16((3*this+after+high)>>shift)
		before, this = this, after
	}
	return line
}
