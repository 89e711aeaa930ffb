package dcm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// Our own JPEG-LS decoder (ITU-T T.87, by section numbers of its annex A): it does what the codec in the sandbox does not, needs no sandbox,
// and is quicker. Restart intervals and mapping tables, which no DICOM writer is known to use, are refused.

// maxStates is the number of regular contexts, signs merged.
const maxStates = 365

// runOrders is J, the order of the run length by run index (A.2.1).
var runOrders = [32]uint{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11, 12, 13, 14, 15}

var errJPEGLS = errors.New("JPEG-LS: the codestream is damaged")

// lsParameters are the coding parameters of a scan (C.2.4.1.1).
type lsParameters struct{ maxval, t1, t2, t3, reset int }

// lsState is a regular context: A, B, C and N of A.2.1.
type lsState struct{ a, b, c, n int32 }

// lsRun is a context of run interruption: A, N and Nn.
type lsRun struct{ a, n, nn int32 }

// lsScan decodes one scan.
type lsScan struct {
	in                lsBits
	maxval, near      int32
	modulus           int32 // RANGE·(2·NEAR+1)
	step              int32 // 2·NEAR+1
	reset             int32
	qbpp, limit       uint
	states            [maxStates]lsState
	runs              [2]lsRun
	quantised         []int8 // of a gradient, offset by maxval
	columns           int
	lines             [][2][]int32 // of each component: the line above and this one, with a pixel more at each end
	runIndex          []uint       // of each component
	interleavedPixels bool
}

// decodeJPEGLS gives the samples of a frame, interleaved, of one byte up to 8 bits and else of two, little-endian.
func decodeJPEGLS(b []byte, p pixelSpec) ([]byte, error) {
	head, err := jpegShape(b)
	if err != nil {
		return nil, err
	}
	if head.bits < 2 || head.bits > 16 {
		return nil, errJPEGLS
	}
	width := 1
	if head.bits > 8 {
		width = 2
	}
	out := make([]byte, p.rows*p.columns*p.samples*width)
	var parameters lsParameters
	done := 0
	for i := 2; done < p.samples; {
		if i+4 > len(b) || b[i] != 0xFF {
			return nil, errJPEGLS
		}
		length := int(binary.BigEndian.Uint16(b[i+2:]))
		if b[i+1] == 0xFF {
			i++
			continue
		}
		if length < 2 || i+2+length > len(b) {
			return nil, errJPEGLS
		}
		segment := b[i+4 : i+2+length]
		switch b[i+1] {
		case 0xF8:
			if parameters, err = lsPreset(segment); err != nil {
				return nil, err
			}
		case 0xE8:
			if len(segment) >= 5 && string(segment[:4]) == "mrfx" && segment[4] != 0 {
				return nil, invalid{errors.New("JPEG-LS with a colour transform of its own is not supported")}
			}
		case 0xDD:
			return nil, invalid{errors.New("JPEG-LS with restart intervals is not supported")}
		case 0xDA:
			n, used, err := lsScanOf(segment, b[i+2+length:], parameters, head.bits, done, width, out, p)
			if err != nil {
				return nil, err
			}
			done += n
			i += used
		}
		i += 2 + length
	}
	return out, nil
}

// lsPreset reads an LSE segment.
func lsPreset(b []byte) (lsParameters, error) {
	if len(b) < 1 || b[0] != 1 || len(b) < 11 {
		return lsParameters{}, invalid{errors.New("JPEG-LS with mapping tables is not supported")}
	}
	at := func(i int) int { return int(binary.BigEndian.Uint16(b[i:])) }
	return lsParameters{at(1), at(3), at(5), at(7), at(9)}, nil
}

// lsScanOf decodes the scan behind a scan header into the planes from first on. It gives how many components it held and the bytes it took.
func lsScanOf(head, data []byte, q lsParameters, depth, first, width int, out []byte, p pixelSpec) (components, used int, err error) {
	if len(head) < 1 || len(head) < 1+2*int(head[0])+3 {
		return 0, 0, errJPEGLS
	}
	n := int(head[0])
	near, interleave := int(head[1+2*n]), head[2+2*n]
	if n < 1 || first+n > p.samples || interleave > 2 || n > 1 && interleave == 0 {
		return 0, 0, errJPEGLS
	}
	s, err := newLSScan(data, q, depth, near, p.columns, n)
	if err != nil {
		return 0, 0, err
	}
	s.interleavedPixels = n > 1 && interleave == 2
	for y := range p.rows {
		for c := range n {
			s.begin(c)
		}
		if s.interleavedPixels {
			err = s.pixels()
		} else {
			for c := range n {
				if err = s.line(c); err != nil {
					break
				}
			}
		}
		if err != nil {
			return 0, 0, err
		}
		for c := range n {
			s.store(c, out[y*p.columns*p.samples*width:], first+c, p.samples, width)
		}
	}
	if s.in.empty > s.in.have {
		return 0, 0, fmt.Errorf("JPEG-LS: %w", errShort)
	}
	return n, s.in.end(), nil
}

// newLSScan sets up the parameters (C.2.4.1.1.1) and contexts (A.2.1) of a scan.
func newLSScan(data []byte, q lsParameters, depth, near, columns, components int) (*lsScan, error) {
	if q.maxval == 0 {
		q.maxval = 1<<depth - 1
	}
	if q.maxval < 1 || q.maxval > 65535 || near > min(255, q.maxval/2) {
		return nil, errJPEGLS
	}
	q.defaults(near)
	if q.t1 < near+1 || q.t2 < q.t1 || q.t3 < q.t2 || q.t3 > q.maxval || q.reset < 3 {
		return nil, errJPEGLS
	}
	step := 2*near + 1
	levels := (q.maxval+2*near)/step + 1
	bpp := max(2, bits.Len(uint(q.maxval)))
	s := &lsScan{
		in: lsBits{data: data}, maxval: int32(q.maxval), near: int32(near), modulus: int32(levels * step), step: int32(step), reset: int32(q.reset),
		qbpp: uint(bits.Len(uint(levels - 1))), limit: uint(2 * (bpp + max(8, bpp))), columns: columns,
		quantised: make([]int8, 2*q.maxval+1), lines: make([][2][]int32, components), runIndex: make([]uint, components),
	}
	a := int32(max(2, (levels+32)/64))
	for i := range s.states {
		s.states[i] = lsState{a: a, n: 1}
	}
	s.runs = [2]lsRun{{a: a, n: 1}, {a: a, n: 1}}
	for d := -q.maxval; d <= q.maxval; d++ {
		s.quantised[d+q.maxval] = q.quantise(d, near)
	}
	for c := range s.lines {
		s.lines[c] = [2][]int32{make([]int32, columns+2), make([]int32, columns+2)}
	}
	return s, nil
}

// defaults gives the thresholds that a stream leaves out.
func (q *lsParameters) defaults(near int) {
	clamp := func(v, low int) int {
		if v > q.maxval || v < low {
			return low
		}
		return v
	}
	t1, t2, t3 := 0, 0, 0
	if q.maxval >= 128 {
		f := (min(q.maxval, 4095) + 128) / 256
		t1 = clamp(f*(3-2)+2+3*near, near+1)
		t2 = clamp(f*(7-3)+3+5*near, t1)
		t3 = clamp(f*(21-4)+4+7*near, t2)
	} else {
		f := 256 / (q.maxval + 1)
		t1 = clamp(max(2, 3/f+3*near), near+1)
		t2 = clamp(max(3, 7/f+5*near), t1)
		t3 = clamp(max(4, 21/f+7*near), t2)
	}
	for _, set := range []struct {
		to *int
		v  int
	}{{&q.t1, t1}, {&q.t2, t2}, {&q.t3, t3}, {&q.reset, 64}} {
		if *set.to == 0 {
			*set.to = set.v
		}
	}
}

// quantise gives the region of a gradient (A.3.3).
func (q lsParameters) quantise(d, near int) int8 {
	size := max(d, -d)
	region := int8(4)
	switch {
	case size <= near:
		region = 0
	case size < q.t1:
		region = 1
	case size < q.t2:
		region = 2
	case size < q.t3:
		region = 3
	}
	if d < 0 {
		return -region
	}
	return region
}

// begin makes the line of a component the one above and readies its edges (A.2.1): left of a line stands the pixel above its first.
func (s *lsScan) begin(c int) {
	l := &s.lines[c]
	l[0], l[1] = l[1], l[0]
	above, line := l[0], l[1]
	above[s.columns+1] = above[s.columns]
	line[0] = above[1]
}

// store writes a line of a component into the frame.
func (s *lsScan) store(c int, out []byte, at, samples, width int) {
	line := s.lines[c][1][1 : s.columns+1]
	at *= width
	if width == 1 {
		for _, v := range line {
			out[at] = byte(v)
			at += samples
		}
		return
	}
	for _, v := range line {
		out[at], out[at+1] = byte(v), byte(v>>8)
		at += 2 * samples
	}
}

// gradients gives the context of pixel x: 0 begins a run.
func (s *lsScan) gradients(above, line []int32, x int) int32 {
	ra, rb, rc, rd := line[x-1], above[x], above[x-1], above[x+1]
	q, zero := s.quantised, s.maxval
	return 81*int32(q[rd-rb+zero]) + 9*int32(q[rb-rc+zero]) + int32(q[rc-ra+zero])
}

// line decodes a line of one component.
func (s *lsScan) line(c int) error {
	above, line := s.lines[c][0], s.lines[c][1]
	for x := 1; x <= s.columns; {
		context := s.gradients(above, line, x)
		if context != 0 {
			if err := s.regular(above, line, x, context); err != nil {
				return err
			}
			x++
			continue
		}
		n, whole, err := s.run(c, s.columns-x+1)
		if err != nil {
			return err
		}
		for ra := line[x-1]; n > 0; n-- {
			line[x] = ra
			x++
		}
		if whole {
			continue
		}
		if err := s.interrupt(c, above, line, x); err != nil {
			return err
		}
		x++
		s.runIndex[c] -= min(1, s.runIndex[c])
	}
	return nil
}

// pixels decodes a line whose components lie together: a run is one of whole pixels.
func (s *lsScan) pixels() error {
	contexts := make([]int32, len(s.lines))
	for x := 1; x <= s.columns; {
		any := int32(0)
		for c, l := range s.lines {
			contexts[c] = s.gradients(l[0], l[1], x)
			any |= contexts[c]
		}
		if any != 0 {
			for c, l := range s.lines {
				if err := s.regular(l[0], l[1], x, contexts[c]); err != nil {
					return err
				}
			}
			x++
			continue
		}
		n, whole, err := s.run(0, s.columns-x+1)
		if err != nil {
			return err
		}
		for ; n > 0; n-- {
			for _, l := range s.lines {
				l[1][x] = l[1][x-1]
			}
			x++
		}
		if whole {
			continue
		}
		for _, l := range s.lines {
			if err := s.interruptPixel(l[0], l[1], x); err != nil {
				return err
			}
		}
		x++
		s.runIndex[0] -= min(1, s.runIndex[0])
	}
	return nil
}

// regular decodes a pixel outside a run (A.4-A.6).
func (s *lsScan) regular(above, line []int32, x int, context int32) error {
	sign := context >> 31 // all ones for a negative context
	st := &s.states[(context^sign)-sign]
	ra, rb, rc := line[x-1], above[x], above[x-1]
	px := ra + rb - rc
	if low, high := min(ra, rb), max(ra, rb); rc >= high {
		px = low
	} else if rc <= low {
		px = high
	}
	px = max(0, min(px+((st.c^sign)-sign), s.maxval))
	k := uint(0)
	for n, a := int64(st.n), int64(st.a); n<<k < a; k++ {
	}
	coded, err := s.in.golomb(k, s.limit, s.qbpp)
	if err != nil {
		return err
	}
	e := int32(coded>>1) ^ -int32(coded&1)
	if k == 0 && s.near == 0 && 2*st.b <= -st.n {
		e = ^e
	}
	st.a += max(e, -e)
	st.b += e * s.step
	if st.n == s.reset {
		st.a, st.b, st.n = st.a>>1, st.b>>1, st.n>>1
	}
	st.n++
	if st.b <= -st.n {
		st.b = max(st.b+st.n, 1-st.n)
		st.c = max(st.c-1, -128)
	} else if st.b > 0 {
		st.b = min(st.b-st.n, 0)
		st.c = min(st.c+1, 127)
	}
	line[x] = s.value(px, (e^sign)-sign)
	return nil
}

// value adds a prediction error and brings the sum into range (A.5.2, A.8).
func (s *lsScan) value(px, e int32) int32 {
	v := px + e*s.step
	if v < -s.near {
		v += s.modulus
	} else if v > s.maxval+s.near {
		v -= s.modulus
	}
	return max(0, min(v, s.maxval))
}

// run decodes the length of a run (A.7.1); whole tells that it reaches the end of the line.
func (s *lsScan) run(c, left int) (n int, whole bool, err error) {
	for {
		order := runOrders[s.runIndex[c]]
		bit, err := s.in.get(1)
		if err != nil {
			return 0, false, err
		}
		if bit == 0 {
			rest, err := s.in.get(order)
			if err != nil {
				return 0, false, err
			}
			if n+int(rest) > left-1 {
				return 0, false, errJPEGLS
			}
			return n + int(rest), false, nil
		}
		if n+1<<order <= left {
			s.runIndex[c] = min(31, s.runIndex[c]+1)
		}
		if n = min(left, n+1<<order); n == left {
			return n, true, nil
		}
	}
}

// interrupt decodes the pixel that ends a run (A.7.2).
func (s *lsScan) interrupt(c int, above, line []int32, x int) error {
	ra, rb := line[x-1], above[x]
	if d := ra - rb; max(d, -d) <= s.near {
		e, err := s.runError(1, s.runIndex[c])
		line[x] = s.value(ra, e)
		return err
	}
	e, err := s.runError(0, s.runIndex[c])
	if ra > rb {
		e = -e
	}
	line[x] = s.value(rb, e)
	return err
}

// interruptPixel is interrupt for components that lie together: each is predicted from above.
func (s *lsScan) interruptPixel(above, line []int32, x int) error {
	ra, rb := line[x-1], above[x]
	e, err := s.runError(0, s.runIndex[0])
	if ra > rb {
		e = -e
	}
	line[x] = s.value(rb, e)
	return err
}

// runError decodes a prediction error after a run; kind is RItype.
func (s *lsScan) runError(kind int32, index uint) (int32, error) {
	r := &s.runs[kind]
	k := uint(0)
	for n, t := int64(r.n), int64(r.a+kind*(r.n>>1)); n<<k < t; k++ {
	}
	coded, err := s.in.golomb(k, s.limit-runOrders[index]-1, s.qbpp)
	if err != nil {
		return 0, err
	}
	t := int32(coded) + kind
	size := (t + t&1) / 2
	e := size
	if (k != 0 || 2*r.nn >= r.n) == (t&1 == 1) {
		e = -size
	}
	if e < 0 {
		r.nn++
	}
	r.a += (int32(coded) + 1 - kind) >> 1
	if r.n == s.reset {
		r.a, r.n, r.nn = r.a>>1, r.n>>1, r.nn>>1
	}
	r.n++
	return e, nil
}

// lsBits reads bits, highest first; after a byte FF the next has seven (A.1).
type lsBits struct {
	data  []byte
	at    int    // of the next byte
	cache uint64 // bits not yet used, at the top
	have  uint   // how many
	empty uint   // bits given beyond the end
}

// fill brings at least 48 bits into the cache. Behind the end of the data, or a marker, come zeros. A scan that used some
// of them is cut short; one that uses many stops at once.
func (b *lsBits) fill() error {
	for b.have <= 56 {
		n := uint(8)
		var v byte
		if b.at < len(b.data) {
			v = b.data[b.at]
			if b.at > 0 && b.data[b.at-1] == 0xFF {
				n = 7
			}
			if v == 0xFF && (b.at+1 >= len(b.data) || b.data[b.at+1] >= 0x80) || n == 7 && v >= 0x80 {
				v, n = 0, 8
				b.empty += 8
			} else {
				b.at++
			}
		} else {
			b.empty += 8
		}
		if b.empty > 512 {
			return fmt.Errorf("JPEG-LS: %w", errShort)
		}
		b.cache |= uint64(v) << (64 - n) >> b.have
		b.have += n
	}
	return nil
}

// get reads n (≤ 32) bits.
func (b *lsBits) get(n uint) (uint32, error) {
	if b.have < n {
		if err := b.fill(); err != nil {
			return 0, err
		}
	}
	v := uint32(b.cache >> 32 >> (32 - n))
	b.cache <<= n
	b.have -= n
	return v, nil
}

// golomb reads a code of order k that has at most limit bits (A.5.3).
func (b *lsBits) golomb(k, limit, qbpp uint) (uint32, error) {
	if b.have < 48 {
		if err := b.fill(); err != nil {
			return 0, err
		}
	}
	zeros := uint(bits.LeadingZeros64(b.cache))
	if zeros >= b.have || zeros >= limit-qbpp {
		return b.longGolomb(limit, qbpp)
	}
	b.cache <<= zeros + 1
	b.have -= zeros + 1
	if zeros == limit-qbpp-1 {
		v, err := b.get(qbpp)
		return v + 1, err
	}
	if k == 0 {
		return uint32(zeros), nil
	}
	v, err := b.get(k)
	return uint32(zeros)<<k | v, err
}

// longGolomb reads a code whose unary part has its full length or is damaged.
func (b *lsBits) longGolomb(limit, qbpp uint) (uint32, error) {
	for range limit - qbpp - 1 {
		bit, err := b.get(1)
		if err != nil {
			return 0, err
		}
		if bit == 1 {
			return 0, errJPEGLS
		}
	}
	if bit, err := b.get(1); err != nil || bit == 0 {
		return 0, errors.Join(errJPEGLS, err)
	}
	v, err := b.get(qbpp)
	return v + 1, err
}

// end gives how many bytes the scan took: up to the next marker.
func (b *lsBits) end() int {
	at := b.at
	for at+1 < len(b.data) && (b.data[at] != 0xFF || b.data[at+1] < 0x80) {
		at++
	}
	return at
}
