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
