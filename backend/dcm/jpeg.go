package dcm

import (
	"encoding/binary"
	"errors"
)

// Our own decoder of sequential JPEG (ITU-T T.81, processes 1, 2 and 4: Huffman, 8 or 12 bits), to the last bit that of the Independent JPEG
// Group: its integer transform and its smooth upsampling of chroma. Progressive and arithmetic streams go to the codecs.

var errJPEG = errors.New("JPEG: the codestream is damaged")

// dctComponent is one component of a frame, decoded into a plane of whole blocks.
type dctComponent struct {
	id, table     byte
	h, v          int // sampling factors
	columns, rows int // of samples that count
	stride        int // of the plane
	plane         []uint16
	dc, ac        huffman
	last          int32 // DC of the block before
}

// dctDecoder holds what the segments of a stream said.
type dctDecoder struct {
	p            pixelSpec
	precision    int
	hMax, vMax   int
	components   []dctComponent
	quantisation [4]*[64]int32 // in the order of coefficients
	dc, ac       [4]huffman
	restart      int
	in           llBits
}

// zigzag gives the place in a block of each coefficient as coded (figure A.6).
var zigzag = [64]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// jpegSegment gives the marker at b[i:], what its segment holds, and where the next marker is: 0 where there is no whole segment.
func jpegSegment(b []byte, i int) (marker byte, segment []byte, next int) {
	for i+4 <= len(b) && b[i] == 0xFF && b[i+1] == 0xFF { // fill bytes
		i++
	}
	if i+4 > len(b) || b[i] != 0xFF {
		return 0, nil, 0
	}
	next = i + 2 + int(binary.BigEndian.Uint16(b[i+2:]))
	if next < i+4 || next > len(b) {
		return 0, nil, 0
	}
	return b[i+1], b[i+4 : next], next
}

// decodeJPEG gives the samples of a frame, interleaved, components as stored: of one byte for 8 bits and two for 12, little-endian.
func decodeJPEG(b []byte, p pixelSpec) ([]byte, error) {
	d := dctDecoder{p: p}
	for i, done := 2, 0; ; {
		marker, segment, next := jpegSegment(b, i)
		if next == 0 {
			return nil, errJPEG
		}
		i = next
		var err error
		switch marker {
		case 0xC0, 0xC1:
			err = d.frame(segment)
		case 0xC4:
			err = huffmanTables(segment, func(class, id byte, t huffman) {
				if class == 0 {
					d.dc[id] = t
				} else {
					d.ac[id] = t
				}
			})
		case 0xDB:
			err = d.quantise(segment)
		case 0xDD:
			if len(segment) >= 2 {
				d.restart = int(binary.BigEndian.Uint16(segment))
			}
		case 0xDA:
			var n, used int
			if n, used, err = d.scan(segment, b[i:]); err == nil {
				i += used
				if done += n; done >= len(d.components) {
					return d.collect(), nil
				}
			}
		}
		if err != nil {
			return nil, err
		}
	}
}

// frame reads the frame header (B.2.2) and makes the planes.
func (d *dctDecoder) frame(b []byte) error {
	if len(b) < 6 || len(b) < 6+3*int(b[5]) || int(b[5]) != d.p.samples || d.components != nil {
		return errJPEG
	}
	if d.precision = int(b[0]); d.precision != 8 && d.precision != 12 {
		return errJPEG
	}
	for c := range d.p.samples {
		f := b[6+3*c:]
		h, v := int(f[1]>>4), int(f[1]&0x0F)
		if h < 1 || h > 4 || v < 1 || v > 4 || f[2] > 3 {
			return errJPEG
		}
		d.hMax, d.vMax = max(d.hMax, h), max(d.vMax, v)
		d.components = append(d.components, dctComponent{id: f[0], table: f[2], h: h, v: v})
	}
	for i := range d.components {
		c := &d.components[i]
		if d.hMax%c.h != 0 || d.vMax%c.v != 0 {
			return invalid{errors.New("JPEG with sampling factors that do not divide is not supported")}
		}
		c.columns = up(d.p.columns*c.h, d.hMax)
		c.rows = up(d.p.rows*c.v, d.vMax)
		c.stride = up(d.p.columns, 8*d.hMax) * 8 * c.h
		c.plane = make([]uint16, c.stride*up(d.p.rows, 8*d.vMax)*8*c.v)
	}
	return nil
}

// up divides and rounds up.
func up(a, b int) int { return (a + b - 1) / b }

// quantise reads a DQT segment (B.2.4.1).
func (d *dctDecoder) quantise(b []byte) error {
	for len(b) > 0 {
		wide, id := b[0]>>4, b[0]&0x0F
		size := 64 << wide
		if wide > 1 || id > 3 || len(b) < 1+size {
			return errJPEG
		}
		var t [64]int32
		for i := range t {
			if wide == 1 {
				t[zigzag[i]] = int32(binary.BigEndian.Uint16(b[1+2*i:]))
			} else {
				t[zigzag[i]] = int32(b[1+i])
			}
		}
		d.quantisation[id] = &t
		b = b[1+size:]
	}
	return nil
}

// scan decodes one scan; it gives how many components it held and the bytes it took.
func (d *dctDecoder) scan(head, data []byte) (components, used int, err error) {
	if d.components == nil || len(head) < 1 || len(head) < 4+2*int(head[0]) {
		return 0, 0, errJPEG
	}
	n := int(head[0])
	if n < 1 || n > len(d.components) {
		return 0, 0, errJPEG
	}
	var chosen []*dctComponent
	for i := range n {
		for c := range d.components {
			if d.components[c].id == head[1+2*i] {
				chosen = append(chosen, &d.components[c])
			}
		}
		if len(chosen) != i+1 {
			return 0, 0, errJPEG
		}
		c := chosen[i]
		c.dc, c.ac = d.dc[head[2+2*i]>>4&3], d.ac[head[2+2*i]&3]
		if c.dc == nil || c.ac == nil || d.quantisation[c.table] == nil {
			return 0, 0, errJPEG
		}
	}
	d.in = llBits{data: data}
	if err := d.units(chosen); err != nil {
		return 0, 0, err
	}
	if d.in.empty > d.in.have {
		return 0, 0, errShort
	}
	return n, d.in.end(), nil
}

// units decodes the minimum coded units of a scan (A.2): of a single component they are its blocks, one by one.
func (d *dctDecoder) units(chosen []*dctComponent) error {
	across, down := up(d.p.columns, 8*d.hMax), up(d.p.rows, 8*d.vMax)
	if len(chosen) == 1 {
		across, down = up(chosen[0].columns, 8), up(chosen[0].rows, 8)
	}
	for unit := range across * down {
		if unit == 0 || d.restart > 0 && unit%d.restart == 0 {
			if unit > 0 {
				if err := d.in.resume(); err != nil {
					return err
				}
			}
			for _, c := range chosen {
				c.last = 0
			}
		}
		x, y := unit%across, unit/across
		for _, c := range chosen {
			h, v := c.h, c.v
			if len(chosen) == 1 {
				h, v = 1, 1
			}
			for block := range h * v {
				at := (y*v+block/h)*8*c.stride + (x*h+block%h)*8
				if err := d.block(c, c.plane[at:]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// block decodes the coefficients of a block (F.2.2) and writes its samples.
func (d *dctDecoder) block(c *dctComponent, out []uint16) error {
	var coefficients [64]int32
	q := d.quantisation[c.table]
	difference, err := d.in.long(c.dc)
	if err != nil {
		return err
	}
	c.last += difference
	coefficients[0] = int32(int16(c.last)) * q[0]
	flat := true
	for k := 1; k < 64; k++ {
		symbol, err := d.in.symbol(c.ac)
		if err != nil {
			return err
		}
		run, size := symbol>>4, symbol&0x0F
		if size == 0 {
			if run != 15 {
				break
			}
			k += 15
			continue
		}
		if k += int(run); k > 63 {
			return errJPEG
		}
		at := zigzag[k]
		coefficients[at] = d.in.signed(size) * q[at]
		flat = false
	}
	if flat {
		fillBlock(out, c.stride, coefficients[0], d.precision)
	} else {
		inverse(&coefficients, out, c.stride, d.precision)
	}
	return nil
}

// collect brings every component to full size and the samples of a pixel together.
func (d *dctDecoder) collect() []byte {
	width := 1
	if d.precision > 8 {
		width = 2
	}
	pixel := d.p.samples * width
	out := make([]byte, d.p.rows*d.p.columns*pixel)
	line := make([]uint16, d.p.columns+2*d.hMax)
	for i := range d.components {
		c := &d.components[i]
		for y := range d.p.rows {
			row := c.full(y, d.hMax/c.h, d.vMax/c.v, line)
			at := y*d.p.columns*pixel + i*width
			for _, v := range row[:d.p.columns] {
				out[at] = byte(v)
				if width == 2 {
					out[at+1] = byte(v >> 8)
				}
				at += pixel
			}
		}
	}
	return out
}
