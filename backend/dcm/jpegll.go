package dcm

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Our own decoder of lossless JPEG (ITU-T T.81 annex H, process 14): Huffman, all seven predictors, point transform, restarts. The other
// processes go to the codecs.

var (
	errLossless = errors.New("lossless JPEG: the codestream is damaged")
	errHuffman  = errors.New("JPEG: a Huffman table is damaged")
)

// jpegProcess gives the marker of the first frame header of a JPEG stream, which names its process: C0 baseline, C1 extended, C3 lossless; 0
// where there is none.
func jpegProcess(b []byte) byte {
	for i := 2; i+4 <= len(b) && b[i] == 0xFF; {
		switch m := b[i+1]; {
		case m == 0xFF:
			i++
			continue
		case m == 0xDA:
			return 0
		case m >= 0xC0 && m <= 0xCF && m != 0xC4 && m != 0xC8 && m != 0xCC:
			return m
		}
		i += 2 + int(binary.BigEndian.Uint16(b[i+2:]))
	}
	return 0
}

// huffman gives, for the next 16 bits, the length of the code in its upper and its symbol in its lower byte; 0 is no code.
type huffman []uint16

// llDecoder holds what the segments before a scan said.
type llDecoder struct {
	tables     [4]*llTable
	components []byte // identifiers in frame order
	precision  int
	restart    int // MCUs between restarts, 0: none
	p          pixelSpec
	width      int
	out        []byte
}

// llScan is one scan at work.
type llScan struct {
	in        llBits
	tables    []*llTable // of each component
	places    []int      // of each component in a pixel
	predictor byte
	shift     uint
}

// decodeLosslessJPEG gives the samples of a frame, interleaved, of one byte up to 8 bits and else of two, little-endian.
func decodeLosslessJPEG(b []byte, p pixelSpec) ([]byte, error) {
	d := llDecoder{p: p}
	for i, done := 2, 0; ; {
		marker, segment, next := jpegSegment(b, i)
		if next == 0 {
			return nil, errLossless
		}
		i = next
		var err error
		switch marker {
		case 0xC3:
			err = d.frame(segment)
		case 0xC4:
			err = d.huffman(segment)
		case 0xDD:
			if len(segment) >= 2 {
				d.restart = int(binary.BigEndian.Uint16(segment))
			}
		case 0xDA:
			var n, used int
			if n, used, err = d.scan(segment, b[i:]); err == nil {
				i += used
				if done += n; done >= p.samples {
					return d.out, nil
				}
			}
		}
		if err != nil {
			return nil, err
		}
	}
}

// frame reads SOF3: every component has the full size.
func (d *llDecoder) frame(b []byte) error {
	if len(b) < 6 || len(b) < 6+3*int(b[5]) || int(b[5]) != d.p.samples || d.out != nil {
		return errLossless
	}
	d.precision = int(b[0])
	if d.precision < 2 || d.precision > 16 {
		return errLossless
	}
	for c := range d.p.samples {
		d.components = append(d.components, b[6+3*c])
		if b[7+3*c] != 0x11 && d.p.samples > 1 {
			return invalid{errors.New("lossless JPEG with components of different size is not supported")}
		}
	}
	d.width = 1
	if d.precision > 8 {
		d.width = 2
	}
	d.out = make([]byte, d.p.rows*d.p.columns*d.p.samples*d.width)
	return nil
}

// huffman reads a DHT segment.
func (d *llDecoder) huffman(b []byte) error {
	return huffmanTables(b, func(_, id byte, t huffman) {
		d.tables[id] = newLLTable(t)
	})
}

// huffmanTables reads the tables of a DHT segment (B.2.4.2): class is 0 for DC or lossless, 1 for AC, id 0-3.
func huffmanTables(b []byte, put func(class, id byte, t huffman)) error {
	for len(b) >= 17 {
		class, id, counts, total := b[0]>>4, b[0]&0x0F, b[1:17], 0
		for _, n := range counts {
			total += int(n)
		}
		if class > 1 || id > 3 || total > 256 || len(b) < 17+total {
			return errHuffman
		}
		t := make(huffman, 1<<16)
		at, next := 0, 0
		for length := 1; length <= 16; length++ {
			for range counts[length-1] {
				span := 1 << (16 - length)
				if at+span > len(t) {
					return errHuffman
				}
				for j := range span {
					t[at+j] = uint16(length)<<8 | uint16(b[17+next])
				}
				at += span
				next++
			}
		}
		put(class, id, t)
		b = b[17+total:]
	}
	return nil
}

// scan decodes one scan; it gives how many components it held and the bytes it took.
func (d *llDecoder) scan(head, data []byte) (components, used int, err error) {
	if d.out == nil || len(head) < 1 || len(head) < 4+2*int(head[0]) {
		return 0, 0, errLossless
	}
	n := int(head[0])
	s := llScan{in: llBits{data: data}, predictor: head[1+2*n], shift: uint(head[3+2*n] & 0x0F)}
	if n < 1 || n > d.p.samples || s.predictor < 1 || s.predictor > 7 || int(s.shift) >= d.precision {
		return 0, 0, errLossless
	}
	for i := range n {
		place := -1
		for c, id := range d.components {
			if id == head[1+2*i] {
				place = c
			}
		}
		table := d.tables[head[2+2*i]>>4&3]
		if place < 0 || table == nil {
			return 0, 0, errLossless
		}
		s.places, s.tables = append(s.places, place), append(s.tables, table)
	}
	if d.restart > 0 && d.restart%d.p.columns != 0 {
		return 0, 0, errLossless
	}
	used, err = d.rows(&s)
	return n, used, err
}

// rows decodes every row of a scan and gives the bytes it took.
func (d *llDecoder) rows(s *llScan) (int, error) {
	above := make([][]int32, len(s.places))
	line := make([][]int32, len(s.places))
	for c := range above {
		above[c], line[c] = make([]int32, d.p.columns+1), make([]int32, d.p.columns+1)
	}
	first := int32(1) << (d.precision - int(s.shift) - 1)
	for y := range d.p.rows {
		begin := y == 0
		if d.restart > 0 && y > 0 && y*d.p.columns%d.restart == 0 {
			if err := s.in.resume(); err != nil {
				return 0, err
			}
			begin = true
		}
		if err := s.row(above, line, d.p.columns, first, begin); err != nil {
			return 0, err
		}
		for c, place := range s.places {
			d.store(y, place, line[c][1:], s.shift)
		}
		above, line = line, above
	}
	if s.in.empty > s.in.have {
		return 0, fmt.Errorf("lossless JPEG: %w", errShort)
	}
	return s.in.end(), nil
}

// row decodes a row; begin tells that it is the first, or the first after a restart (H.1.2.1).
func (s *llScan) row(above, line [][]int32, columns int, first int32, begin bool) error {
	if len(line) == 1 && !begin {
		return s.grey(above[0], line[0])
	}
	for x := 1; x <= columns; x++ {
		for c := range line {
			up, now := above[c], line[c]
			var prediction int32
			switch {
			case begin && x == 1:
				prediction = first
			case begin:
				prediction = now[x-1]
			case x == 1:
				prediction = up[1]
			default:
				prediction = s.predict(now[x-1], up[x], up[x-1])
			}
			difference, err := s.in.difference(s.tables[c])
			if err != nil {
				return err
			}
			now[x] = (prediction + difference) & 0xFFFF
		}
	}
	return nil
}

// grey decodes a row of one component that follows another.
func (s *llScan) grey(above, line []int32) error {
	table, left := s.tables[0], above[1]
	above = above[:len(line)]
	for x := 1; x < len(line); x++ {
		prediction := left
		if x > 1 {
			prediction = s.predict(left, above[x], above[x-1])
		}
		difference, err := s.in.difference(table)
		if err != nil {
			return err
		}
		left = (prediction + difference) & 0xFFFF
		line[x] = left
	}
	return nil
}

// predict is Px of table H.1 from the neighbours left, above and above left.
func (s *llScan) predict(a, b, c int32) int32 {
	switch s.predictor {
	case 1:
		return a
	case 2:
		return b
	case 3:
		return c
	case 4:
		return a + b - c
	case 5:
		return a + (b-c)>>1
	case 6:
		return b + (a-c)>>1
	}
	return (a + b) >> 1
}

// store writes a row of one component.
func (d *llDecoder) store(y, place int, row []int32, shift uint) {
	at := (y*d.p.columns*d.p.samples + place) * d.width
	for _, v := range row {
		v <<= shift
		d.out[at] = byte(v)
		if d.width == 2 {
			d.out[at+1] = byte(v >> 8)
		}
		at += d.p.samples * d.width
	}
}
