package dcm

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plumbline/backend/fault"
)

// overlayPlane is one overlay group of a file: bits of their own, or the old way a bit of each pixel word.
type overlayPlane struct {
	group         tag
	rows, columns int
	frames, first int // it begins with frame first, counted from 1
	top, left     int // of its first bit, counted from 1; may lie outside the image
	label         string
	bits          element // zero: embedded
	position      int     // of the embedded bit
}

// planesOf reads the overlay groups of a header. notes say which are none.
func planesOf(h *header, order binary.ByteOrder, spec pixelSpec) (out []overlayPlane, notes []string) {
	groups := map[tag]bool{}
	for t := range h.planes {
		groups[t&^0xFFFF] = true
	}
	for t := range h.bitmaps {
		groups[t] = true
	}
	sorted := make([]tag, 0, len(groups))
	for g := range groups {
		sorted = append(sorted, g)
	}
	slices.Sort(sorted)
	for _, g := range sorted {
		p, wrong := planeOf(h, order, g)
		if wrong == "" {
			wrong = p.fault(spec)
		}
		if wrong != "" {
			notes = append(notes, fmt.Sprintf("overlay %04X is ignored: %s", uint32(g>>16), wrong))
			continue
		}
		out = append(out, p)
	}
	return out, notes
}

// planeOf reads one group.
func planeOf(h *header, order binary.ByteOrder, g tag) (overlayPlane, string) {
	short := func(element tag, n int) (int, bool) {
		b := h.planes[g|element]
		if len(b) < 2*n+2 {
			return 0, false
		}
		return int(order.Uint16(b[2*n:])), true
	}
	text := func(element tag) string {
		return strings.TrimSpace(strings.ToValidUTF8(strings.Trim(string(h.planes[g|element]), " \x00"), "\uFFFD"))
	}
	p := overlayPlane{group: g, frames: 1, first: 1, top: 1, left: 1, label: text(overlayLabel), bits: h.bitmaps[g]}
	var ok, ok2 bool
	p.rows, ok = short(overlayRows, 0)
	p.columns, ok2 = short(overlayColumns, 0)
	if !ok || !ok2 || p.rows == 0 || p.columns == 0 {
		return p, "it has no rows or columns"
	}
	if v, err := strconv.Atoi(text(overlayFrames)); err == nil && v > 0 {
		p.frames = v
	}
	if v, ok := short(overlayFirst, 0); ok && v > 0 {
		p.first = v
	}
	if v, ok := short(overlayOrigin, 0); ok {
		p.top = int(int16(v))
	}
	if v, ok := short(overlayOrigin, 1); ok {
		p.left = int(int16(v))
	}
	p.position, _ = short(overlayPosition, 0)
	if p.label == "" {
		p.label = text(overlayDescription)
	}
	if p.label == "" {
		p.label = fmt.Sprintf("overlay %04X", uint32(g>>16))
	}
	return p, ""
}

// fault says why a plane cannot be drawn, or "". The embedded way takes a bit that the picture does not use.
func (p overlayPlane) fault(spec pixelSpec) string {
	if p.bits.tag != 0 {
		need := (int64(p.rows)*int64(p.columns)*int64(p.frames) + 7) / 8
		if p.bits.length < need {
			return fmt.Sprintf("its data are cut short: %d of %d bytes", p.bits.length, need)
		}
		return ""
	}
	low := spec.high - spec.stored + 1
	switch {
	case p.position >= low && p.position <= spec.high:
		return fmt.Sprintf("bit %d, where it is said to lie, belongs to the picture", p.position)
	case p.position >= spec.allocated:
		return fmt.Sprintf("bit %d is not in a word of %d", p.position, spec.allocated)
	case p.rows != spec.rows || p.columns != spec.columns:
		return "its size is not that of the picture whose bits it takes"
	case spec.samples != 1 || spec.allocated < 8:
		return "it lies in the bits of a picture that is not grey"
	}
	return ""
}

// OverlayPlane is a drawing over one frame, of the frame's size: one byte a pixel, 0 for nothing to 255 for all.
type OverlayPlane struct {
	Frame         int // 0-based: of the file, or of the stack where it was made for one
	Rows, Columns int
	Data          []byte
	Set           int // pixels that are not 0
}

// Box gives the pixels that are set: first column, first row, last column, last row, from 0; nil where there are none.
func (p OverlayPlane) Box() []int {
	x0, y0, x1, y1 := p.Columns, p.Rows, -1, -1
	for i, v := range p.Data {
		if v != 0 {
			x, y := i%p.Columns, i/p.Columns
			x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
		}
	}
	if x1 < 0 {
		return nil
	}
	return []int{x0, y0, x1, y1}
}

// drawn60 draws the overlay groups of frame n (0-based) of a file, each with its label. Faults as Samples.
func (f *File) drawn60(ctx context.Context, n int) (planes []OverlayPlane, labels []string, err error) {
	const op = "draw overlays"
	d := f.dicom
	if d == nil || len(d.planes) == 0 || n < 0 || n >= len(f.header.Frames) {
		return nil, nil, nil
	}
	switch {
	case ctx.Err() != nil:
		return nil, nil, fault.In(op, f.header.Path, ctx.Err())
	case d.spec.size() > maxFrame:
		return nil, nil, fault.New(fault.Invalid, op, f.header.Path, "a frame of %d MiB is larger than supported", d.spec.size()>>20)
	}
	file, err := f.open.source(f.header.Path)
	if err != nil {
		return nil, nil, loadFault(op, f.header.Path, err)
	}
	defer file.close()
	data, _, err := d.locate(file, n)
	if err != nil && !d.syntax.encapsulated {
		return nil, nil, loadFault(op, f.header.Path, err)
	}
	if err != nil || data == nil {
		data = file
	}
	for _, p := range d.planes {
		k := n + 1 - p.first
		if p.bits.tag != 0 && (k < 0 || k >= p.frames) {
			continue
		}
		out := OverlayPlane{Frame: n, Rows: d.spec.rows, Columns: d.spec.columns, Data: make([]byte, d.spec.rows*d.spec.columns)}
		if p.bits.tag != 0 {
			err = p.own(data, k, &out)
		} else if !d.syntax.encapsulated {
			err = d.embedded(data, p, n, &out)
		} else {
			continue // the codec threw such bits away
		}
		if err != nil {
			return planes, labels, loadFault(op, f.header.Path, err)
		}
		planes, labels = append(planes, out), append(labels, p.label)
	}
	return planes, labels, nil
}

// own draws bits that lie in their own element: they run on across rows and frames, the least significant first.
func (p overlayPlane) own(data *source, k int, out *OverlayPlane) error {
	size := int64(p.rows) * int64(p.columns)
	from, to := int64(k)*size, int64(k+1)*size
	b, err := data.bytesAt(p.bits.offset+from/8, (to+7)/8-from/8)
	if err != nil {
		return err
	}
	for i := range size {
		bit := from%8 + i
		if b[bit/8]>>(bit%8)&1 == 0 {
			continue
		}
		y, x := p.top-1+int(i)/p.columns, p.left-1+int(i)%p.columns
		if y >= 0 && y < out.Rows && x >= 0 && x < out.Columns {
			out.Data[y*out.Columns+x] = 255
			out.Set++
		}
	}
	return nil
}

// embedded draws a bit of every word of native pixel data.
func (d *dicomFile) embedded(data *source, p overlayPlane, n int, out *OverlayPlane) error {
	if d.frameEnd(n) > d.available(data) {
		return errShort
	}
	width := int64(d.spec.allocated / 8)
	size := int64(d.spec.rows) * int64(d.spec.columns) * width
	b, err := data.bytesAt(d.pixels.offset+int64(n)*size, size)
	if err != nil {
		return err
	}
	at := int64(p.position / 8) // of the byte that holds the bit, counted from the least
	if d.syntax.order == binary.BigEndian {
		at = width - 1 - at
	}
	for i := range out.Data {
		if b[int64(i)*width+at]>>(p.position%8)&1 != 0 {
			out.Data[i] = 255
			out.Set++
		}
	}
	return nil
}
