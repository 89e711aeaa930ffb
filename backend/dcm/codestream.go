package dcm

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// shape is what a codestream says of its own picture. Zero bits: it does not say.
type shape struct{ rows, columns, samples, bits int }

var errNoCodestream = errors.New("the frame is not of its transfer syntax")

// checkCodestream compares the head of a codestream with the data set before any codec sees it: codecs trust one or the other for the size of
// their buffers. It gives the bits of a sample, 0 where the head does not say.
func checkCodestream(b []byte, p pixelSpec) (depth int, err error) {
	s, err := codestreamShape(b)
	if err != nil {
		return 0, err
	}
	switch {
	case s.rows != p.rows || s.columns != p.columns:
		return 0, fmt.Errorf("the codestream is %d×%d and the data set says %d×%d", s.columns, s.rows, p.columns, p.rows)
	case s.samples != 0 && s.samples != p.samples:
		return 0, fmt.Errorf("the codestream has %d components and the data set says %d", s.samples, p.samples)
	case s.bits > 8 && p.allocated <= 8:
		return 0, fmt.Errorf("the codestream has %d bits a sample and the data set allocates %d", s.bits, p.allocated)
	case s.bits > 8 && p.samples == 3 && isJPEG2000(b):
		return 0, invalid{fmt.Errorf("colour JPEG 2000 of %d bits is not supported", s.bits)}
	}
	return s.bits, nil
}

// codestreamShape reads the head of a JPEG, JPEG-LS, JPEG 2000 or JPEG XL codestream.
func codestreamShape(b []byte) (shape, error) {
	switch {
	case len(b) > 4 && b[0] == 0xFF && b[1] == 0xD8:
		return jpegShape(b)
	case isJPEG2000(b):
		return jpeg2000Shape(b)
	case len(b) > 12 && string(b[4:8]) == "jP  ":
		return boxed(b, "jp2c", jpeg2000Shape)
	case len(b) > 4 && b[0] == 0xFF && b[1] == 0x0A:
		return jpegXLShape(b)
	case len(b) > 12 && string(b[4:8]) == "JXL ":
		s, err := boxed(b, "jxlc", jpegXLShape)
		if err != nil {
			return boxed(b, "jxlp", func(b []byte) (shape, error) { return jpegXLShape(b[min(4, len(b)):]) })
		}
		return s, nil
	}
	return shape{}, errNoCodestream
}

// hasEnd tells whether a JPEG, JPEG-LS or JPEG 2000 codestream has its end mark FFD9; a byte of padding, 00 or FF, may follow. Without it a
// lenient codec would make up the rest of a picture that was cut short.
func hasEnd(b []byte) bool {
	for len(b) > 2 && (b[len(b)-1] == 0 || b[len(b)-1] == 0xFF) {
		b = b[:len(b)-1]
	}
	return len(b) >= 2 && b[len(b)-2] == 0xFF && b[len(b)-1] == 0xD9
}

func isJPEG2000(b []byte) bool { return len(b) > 4 && b[0] == 0xFF && b[1] == 0x4F && b[2] == 0xFF }

// jpegShape finds the frame header of a JPEG or JPEG-LS stream (ITU-T T.81 B.2.2, T.87 C.2.2).
func jpegShape(b []byte) (shape, error) {
	for i := 2; i+4 <= len(b); {
		switch m := b[i+1]; {
		case b[i] != 0xFF:
			return shape{}, errors.New("JPEG: a marker is missing")
		case m == 0xFF:
			i++
			continue
		case m == 0xDA || m == 0xD9:
			return shape{}, errors.New("JPEG: no frame header")
		case m == 0xF7 || m >= 0xC0 && m <= 0xCF && m != 0xC4 && m != 0xC8 && m != 0xCC:
			if i+10 > len(b) {
				return shape{}, errShort
			}
			be := binary.BigEndian
			return shape{bits: int(b[i+4]), rows: int(be.Uint16(b[i+5:])), columns: int(be.Uint16(b[i+7:])), samples: int(b[i+9])}, nil
		}
		i += 2 + int(binary.BigEndian.Uint16(b[i+2:]))
	}
	return shape{}, fmt.Errorf("JPEG: no frame header: %w", errShort)
}

// jpeg2000Shape reads the SIZ segment, which comes first (ITU-T T.800 A.5.1).
func jpeg2000Shape(b []byte) (shape, error) {
	if len(b) < 43 || b[3] != 0x51 {
		return shape{}, errors.New("JPEG 2000: no size segment")
	}
	at := func(i int) int64 { return int64(binary.BigEndian.Uint32(b[i:])) }
	x, y, x0, y0, tileX, tileY := at(8), at(12), at(16), at(20), at(24), at(28)
	if x <= x0 || y <= y0 || tileX == 0 || tileY == 0 {
		return shape{}, errors.New("JPEG 2000: the size segment is damaged")
	}
	if (x/tileX+1)*(y/tileY+1) > 65535 {
		return shape{}, errors.New("JPEG 2000: too many tiles")
	}
	return shape{columns: int(x - x0), rows: int(y - y0), samples: int(binary.BigEndian.Uint16(b[40:])), bits: int(b[42]&0x7F) + 1}, nil
}

// boxed finds a box of an ISO media file and reads the codestream in it.
func boxed(b []byte, kind string, read func([]byte) (shape, error)) (shape, error) {
	for len(b) >= 8 {
		size := int64(binary.BigEndian.Uint32(b))
		head := int64(8)
		switch size {
		case 0:
			size = int64(len(b))
		case 1:
			if len(b) < 16 {
				return shape{}, errShort
			}
			size, head = int64(binary.BigEndian.Uint64(b[8:])), 16
		}
		if size < head || size > int64(len(b)) {
			size = int64(len(b))
		}
		if string(b[4:8]) == kind {
			return read(b[min(head, int64(len(b))):])
		}
		b = b[size:]
	}
	return shape{}, fmt.Errorf("no box %q: %w", kind, errShort)
}

// jpegXLShape reads the size header (ISO/IEC 18181-1 D.2). Components and bits come later in it and are left to the codec.
func jpegXLShape(b []byte) (shape, error) {
	if len(b) < 12 || b[0] != 0xFF || b[1] != 0x0A {
		return shape{}, errors.New("JPEG XL: no size header")
	}
	bits, at := binary.LittleEndian.Uint64(b[2:]), 0
	extra := binary.LittleEndian.Uint16(b[10:])
	get := func(n int) int {
		v := bits >> at
		if at > 0 {
			v |= uint64(extra) << (64 - at)
		}
		at += n
		return int(v & (1<<n - 1))
	}
	small := get(1) == 1
	length := func() int {
		if small {
			return 8 * (get(5) + 1)
		}
		return get([]int{9, 13, 18, 30}[get(2)]) + 1
	}
	s := shape{rows: length()}
	switch ratio := get(3); ratio {
	case 0:
		s.columns = length()
	default:
		r := [][2]int{{1, 1}, {12, 10}, {4, 3}, {3, 2}, {16, 9}, {5, 4}, {2, 1}}[ratio-1]
		s.columns = s.rows * r[0] / r[1]
	}
	return s, nil
}
