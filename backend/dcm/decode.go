package dcm

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"plumbline/backend/review"
)

// maxFrame bounds one decoded frame: more than any modality's picture, and what the codecs are sized for.
const maxFrame = 512 << 20

// decode gives the canonical samples of frame n.
func (d *dicomFile) decode(ctx context.Context, file *source, n int) (review.Samples, error) {
	data, pieces, err := d.locate(file, n)
	if err != nil {
		return review.Samples{}, err
	}
	if !d.syntax.encapsulated && d.frameEnd(n) > d.available(data) {
		return review.Samples{}, fmt.Errorf("pixel data cut short: %d of %d bytes", d.available(data), d.frameEnd(d.spec.frames-1))
	}
	if d.spec.size() > maxFrame {
		return review.Samples{}, invalid{fmt.Errorf("a frame of %d MiB is larger than the %d that are supported", d.spec.size()>>20, maxFrame>>20)}
	}
	if !d.syntax.encapsulated {
		return d.native(data, n)
	}
	packed, err := join(data, pieces)
	if err != nil {
		return review.Samples{}, err
	}
	return d.unpack(ctx, packed)
}

// locate gives where the data set is and, of encapsulated pixel data, the pieces of frame n. Both are kept for the next frame.
func (d *dicomFile) locate(file *source, n int) (*source, []fragment, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	data := file
	if d.syntax.deflated {
		if d.inflated == nil {
			o, err := openPart10(newWindow(file))
			if err != nil {
				return nil, nil, err
			}
			d.inflated = o.data.source
		}
		data = d.inflated
	}
	if !d.syntax.encapsulated {
		return data, nil, nil
	}
	if d.pieces == nil && d.err == nil {
		d.pieces, d.err = d.assemble(data)
	}
	if d.err != nil {
		return nil, nil, d.err
	}
	if n >= len(d.pieces) {
		return nil, nil, errNoFrame
	}
	return data, d.pieces[n], nil
}

// unpack decodes one encapsulated frame.
func (d *dicomFile) unpack(ctx context.Context, packed []byte) (review.Samples, error) {
	p := d.spec
	switch d.syntax.codec {
	case codecNone:
		return review.Samples{}, invalid{fmt.Errorf("transfer syntax %s (%s) is not supported", d.syntax.name, d.syntax.uid)}
	case codecNative:
		return d.canonicalNative(packed)
	case codecDeflate:
		raw, err := inflate(bytes.NewReader(packed), p.bits()/8+64)
		if err != nil {
			return review.Samples{}, err
		}
		return d.canonicalNative(raw)
	case codecRLE:
		raw, err := unpackRLE(packed, p)
		if err != nil {
			return review.Samples{}, err
		}
		return p.canonical(raw), nil
	}
	depth, err := checkCodestream(packed, p)
	if err != nil {
		return review.Samples{}, err
	}
	if depth != 0 && depth <= p.stored {
		p.high = p.stored - 1 // a codestream holds values, wherever they would lie in a word
	}
	process := byte(0)
	if d.syntax.codec == codecJPEG {
		process = jpegProcess(packed)
	}
	var out unpacked
	switch {
	case d.syntax.codec == codecJPEGLS:
		out.data, err = decodeJPEGLS(packed, p)
	case process == 0xC3:
		out.data, err = decodeLosslessJPEG(packed, p)
	case process == 0xC0 || process == 0xC1:
		out.data, err = decodeJPEG(packed, p)
	case d.syntax.codec != codecJPEGXL && !hasEnd(packed):
		return review.Samples{}, fmt.Errorf("%s: the codestream has no end: %w", d.syntax.codec, errShort)
	default:
		out, err = codecs().decode(ctx, d.syntax.codec, packed, p)
	}
	if err != nil {
		return review.Samples{}, err
	}
	return p.fit(out)
}

// available gives the bytes of native pixel data that the file really has.
func (d *dicomFile) available(data *source) int64 {
	left := data.size - d.pixels.offset
	if d.pixels.length == undefined {
		return left
	}
	return min(left, d.pixels.length)
}

// frameEnd gives the offset after native frame n in its pixel data. Frames of single bits follow each other without a gap.
func (d *dicomFile) frameEnd(n int) int64 {
	return (int64(n+1)*d.spec.bits() + 7) / 8
}

// native reads one frame of native pixel data.
func (d *dicomFile) native(data *source, n int) (review.Samples, error) {
	p := d.spec
	begin, end := int64(n)*p.bits(), int64(n+1)*p.bits()
	from := begin / 8
	if p.padded {
		from &^= 1
	}
	to := min((end+7)/8+1, d.available(data)) // one more: the pair of a swapped last byte
	raw, err := data.bytesAt(d.pixels.offset+from, to-from)
	if err != nil {
		return review.Samples{}, err
	}
	if p.padded {
		for i := 0; i+1 < len(raw); i += 2 {
			raw[i], raw[i+1] = raw[i+1], raw[i]
		}
	}
	if p.allocated == 1 {
		return p.canonical(unpackBits(raw, int(begin-8*from), int(p.size()))), nil
	}
	raw = raw[begin/8-from:]
	raw = raw[:(end-begin)/8]
	if d.syntax.order == binary.BigEndian {
		swap(raw, p.width())
	}
	return p.canonical(p.spread(raw)), nil
}

// canonicalNative reads one frame that was packed as native little-endian pixel data.
func (d *dicomFile) canonicalNative(raw []byte) (review.Samples, error) {
	p := d.spec
	need := (p.bits() + 7) / 8
	if int64(len(raw)) < need {
		return review.Samples{}, fmt.Errorf("pixel data cut short: %d of %d bytes", len(raw), need)
	}
	if p.allocated == 1 {
		return p.canonical(unpackBits(raw, 0, int(p.size()))), nil
	}
	return p.canonical(p.spread(raw[:need])), nil
}

// unpackBits gives count bits from the first one on, lowest first, as bytes of 0 and 1.
func unpackBits(raw []byte, first, count int) []byte {
	out := make([]byte, count)
	for i := range out {
		at := first + i
		out[i] = raw[at>>3] >> (at & 7) & 1
	}
	return out
}

// swap reverses the bytes of every sample.
func swap(b []byte, width int) {
	for ; len(b) >= width; b = b[width:] {
		for i, j := 0, width-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
}

// spread makes samples of a pixel lie together: planes are interleaved, and chroma that two pixels share is given to both.
func (p pixelSpec) spread(raw []byte) []byte {
	switch {
	case p.photometric == "YBR_FULL_422" || p.photometric == "YBR_PARTIAL_422":
		return spread422(raw, p.width())
	case p.planar:
		return interleave(raw, p.samples, p.width())
	}
	return raw
}

// spread422 turns Y Y Cb Cr into Y Cb Cr Y Cb Cr.
func spread422(raw []byte, width int) []byte {
	out := make([]byte, 0, len(raw)/4*6+6*width)
	for ; len(raw) >= 4*width; raw = raw[4*width:] {
		chroma := raw[2*width : 4*width]
		out = append(append(out, raw[:width]...), chroma...)
		out = append(append(out, raw[width:2*width]...), chroma...)
	}
	return out
}

// interleave turns planes into pixels.
func interleave(raw []byte, samples, width int) []byte {
	out := make([]byte, len(raw))
	pixels := len(raw) / samples / width
	for s := range samples {
		plane := raw[s*pixels*width:]
		for i := range pixels {
			copy(out[(i*samples+s)*width:], plane[i*width:(i+1)*width])
		}
	}
	return out
}

// canonical takes little-endian samples of the right size, masks them at the high bit and extends their sign in place.
func (p pixelSpec) canonical(raw []byte) review.Samples {
	s := review.Samples{Rows: p.rows, Columns: p.columns, PerPixel: p.samples, BitsAllocated: p.allocated, Signed: p.signed && !p.float, Float: p.float, Data: raw}
	if p.float || p.allocated == 1 || p.stored == p.allocated {
		return s
	}
	up, down := p.allocated-p.high-1, p.allocated-p.stored // within the container
	switch p.allocated {
	case 8:
		for i, v := range raw {
			if v <<= up; p.signed {
				v = byte(int8(v) >> down)
			} else {
				v >>= down
			}
			raw[i] = v
		}
	case 16:
		for i := 0; i+1 < len(raw); i += 2 {
			v := binary.LittleEndian.Uint16(raw[i:]) << up
			if p.signed {
				v = uint16(int16(v) >> down)
			} else {
				v >>= down
			}
			binary.LittleEndian.PutUint16(raw[i:], v)
		}
	case 32:
		for i := 0; i+3 < len(raw); i += 4 {
			v := binary.LittleEndian.Uint32(raw[i:]) << up
			if p.signed {
				v = uint32(int32(v) >> down)
			} else {
				v >>= down
			}
			binary.LittleEndian.PutUint32(raw[i:], v)
		}
	case 64:
		for i := 0; i+7 < len(raw); i += 8 {
			v := binary.LittleEndian.Uint64(raw[i:]) << up
			if p.signed {
				v = uint64(int64(v) >> down)
			} else {
				v >>= down
			}
			binary.LittleEndian.PutUint64(raw[i:], v)
		}
	}
	return s
}
