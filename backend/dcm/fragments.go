package dcm

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// fragment is one piece of encapsulated pixel data: an item's value.
type fragment struct{ offset, length int64 }

// maxFragments bounds the pieces of one file.
const maxFragments = 1 << 20

var errNoFrame = errors.New("the frame has no pixel data")

// fragments lists the pieces of encapsulated pixel data; the first is the basic offset table, which may be empty.
func (d *dicomFile) fragments(data *source) ([]fragment, error) {
	if d.pixels.length != undefined {
		return nil, fmt.Errorf("pixel data of %s are not in fragments", d.syntax.name)
	}
	var out []fragment
	w := window{source: data, buffer: make([]byte, 64)}
	for at := d.pixels.offset; ; {
		b, err := w.peek(at, 8)
		if err != nil {
			return nil, fmt.Errorf("pixel data cut short after %d fragments: %w", max(0, len(out)-1), err)
		}
		t := tag(binary.LittleEndian.Uint16(b))<<16 | tag(binary.LittleEndian.Uint16(b[2:]))
		length := int64(binary.LittleEndian.Uint32(b[4:]))
		at += 8
		if t == tagSequenceEnd {
			return out, nil
		}
		if t != tagItem {
			return nil, fmt.Errorf("pixel data hold %s where a fragment was expected", t)
		}
		if length > data.size-at {
			return nil, fmt.Errorf("pixel data cut short: a fragment says it has %d bytes and the file has %d left", length, data.size-at)
		}
		if out = append(out, fragment{at, length}); len(out) > maxFragments {
			return nil, errors.New("too many fragments")
		}
		at += length
	}
}

// assemble gives the pieces of every frame: by the extended offset table, the basic one, one piece a frame, or where codestreams end.
func (d *dicomFile) assemble(data *source) ([][]fragment, error) {
	list, err := d.fragments(data)
	if err != nil {
		return nil, err
	}
	if len(list) < 2 {
		return nil, errNoFrame
	}
	table, list := list[0], list[1:]
	n := d.spec.frames
	if n == 1 {
		return [][]fragment{list}, nil
	}
	if offsets := d.extended(data, n); offsets != nil {
		if out := byOffset(list, offsets); out != nil {
			return out, nil
		}
	}
	if table.length == int64(4*n) {
		b, err := data.bytesAt(table.offset, table.length)
		if err != nil {
			return nil, err
		}
		offsets := make([]int64, n)
		for i := range offsets {
			offsets[i] = int64(binary.LittleEndian.Uint32(b[4*i:]))
		}
		if out := byOffset(list, offsets); out != nil {
			return out, nil
		}
	}
	if len(list) == n {
		out := make([][]fragment, n)
		for i := range out {
			out[i] = list[i : i+1]
		}
		return out, nil
	}
	return d.byEnd(data, list)
}

// extended reads the extended offset table; nil where there is none that fits.
func (d *dicomFile) extended(data *source, n int) []int64 {
	t := d.tables[0]
	if t.length != int64(8*n) {
		return nil
	}
	b, err := data.bytesAt(t.offset, t.length)
	if err != nil {
		return nil
	}
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return out
}

// byOffset cuts the pieces where a table says that frames begin: offsets count from the first item's head. nil where they do not fit.
func byOffset(list []fragment, offsets []int64) [][]fragment {
	first := list[0].offset - 8
	out := make([][]fragment, 0, len(offsets))
	at := 0
	for i, want := range offsets {
		if at >= len(list) || list[at].offset-8-first != want {
			return nil
		}
		end := at + 1
		for end < len(list) && (i+1 == len(offsets) || list[end].offset-8-first < offsets[i+1]) {
			end++
		}
		out = append(out, list[at:end])
		at = end
	}
	return out
}

// byEnd cuts the pieces after each that ends with the mark of its codestream's end: FFD9 in all of them that can be split.
func (d *dicomFile) byEnd(data *source, list []fragment) ([][]fragment, error) {
	n := d.spec.frames
	out := make([][]fragment, 0, n)
	begin := 0
	for i, f := range list {
		tail, err := data.bytesAt(max(f.offset, f.offset+f.length-4), min(f.length, 4))
		if err != nil {
			return nil, err
		}
		if hasEnd(tail) {
			out = append(out, list[begin:i+1])
			begin = i + 1
		}
	}
	if len(out) != n || begin != len(list) {
		return nil, fmt.Errorf("%d fragments do not make %d frames", len(list), n)
	}
	return out, nil
}

// join reads the pieces of a frame into one codestream.
func join(data *source, pieces []fragment) ([]byte, error) {
	if len(pieces) == 0 {
		return nil, errNoFrame
	}
	total := int64(0)
	for _, p := range pieces {
		total += p.length
	}
	out := make([]byte, total)
	at := int64(0)
	for _, p := range pieces {
		if _, err := data.ReadAt(out[at:at+p.length], p.offset); err != nil {
			return nil, fmt.Errorf("pixel data: %w", errShort)
		}
		at += p.length
	}
	return out, nil
}
