package dcm

import (
	"encoding/binary"
	"fmt"
	"io"
)

// unpackRLE decodes a frame of RLE segments (PS3.5 annex G): one segment for each byte of a sample, the highest first.
func unpackRLE(packed []byte, p pixelSpec) ([]byte, error) {
	width, bits := p.width(), p.allocated == 1
	pixels := p.rows * p.columns
	plane := pixels
	if bits {
		plane = (pixels + 7) / 8
	}
	if len(packed) < 64 {
		return nil, fmt.Errorf("RLE: %w", errShort)
	}
	segments := p.samples * width
	if n := binary.LittleEndian.Uint32(packed); int64(n) != int64(segments) {
		return nil, fmt.Errorf("RLE: %d segments where %d were expected", n, segments)
	}
	const mostly = 64 // bytes that one packed byte can become
	if segments*plane > mostly*len(packed) {
		return nil, fmt.Errorf("RLE: %w", errShort)
	}
	out := make([]byte, segments*plane)
	buffer := make([]byte, plane)
	for s := range segments {
		begin := int64(binary.LittleEndian.Uint32(packed[4+4*s:]))
		end := int64(len(packed))
		if s+1 < segments {
			end = int64(binary.LittleEndian.Uint32(packed[8+4*s:]))
		}
		if begin < 64 || end > int64(len(packed)) || begin > end {
			return nil, fmt.Errorf("RLE: segment %d lies outside the frame", s)
		}
		if err := unpackBytes(buffer, packed[begin:end]); err != nil {
			return nil, fmt.Errorf("RLE: segment %d: %w", s, err)
		}
		if bits {
			return unpackBits(buffer, 0, pixels), nil
		}
		sample, place := s/width, width-1-s%width
		at := sample*width + place
		for _, b := range buffer {
			out[at] = b
			at += segments
		}
	}
	return out, nil
}

// unpackBytes decodes PackBits until out is full.
func unpackBytes(out, in []byte) error {
	at := 0
	for at < len(out) {
		if len(in) == 0 {
			return io.ErrUnexpectedEOF
		}
		n := int(int8(in[0]))
		in = in[1:]
		switch {
		case n >= 0:
			if len(in) < n+1 {
				return io.ErrUnexpectedEOF
			}
			at += copy(out[at:], in[:n+1])
			in = in[n+1:]
		case n > -128:
			if len(in) == 0 {
				return io.ErrUnexpectedEOF
			}
			for end := min(len(out), at+1-n); at < end; at++ {
				out[at] = in[0]
			}
			in = in[1:]
		}
	}
	return nil
}
