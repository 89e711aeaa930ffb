package dcm

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// What a header may cost, whatever the file claims.
const (
	maxDepth    = 64      // nested sequences
	maxWalked   = 4 << 20 // elements looked at
	maxKept     = 1 << 20 // elements kept
	maxKeptSize = 64 << 20
	maxSmall    = 1024        // bytes of an element that the library gets
	maxNested   = 4096        // bytes of an element inside a sequence
	maxTable    = 2 * 65536   // bytes of a lookup table
	undefined   = 0xFFFFFFFF  // length of a sequence or fragments that end with a mark
	padding     = tag(0xFFFC) // group of trailing padding
)

var (
	errShort = errors.New("the file is cut short")
	errDeep  = fmt.Errorf("sequences nested deeper than %d", maxDepth)
	errMany  = errors.New("too many elements for a header")
)

// element is the head of a data element: its value starts at offset.
type element struct {
	tag    tag
	vr     string
	offset int64
	length int64 // undefined, or checked against the size of the file
}

// kept is a small element in its file's own bytes.
type kept struct {
	element
	bytes []byte // of the value
}

// walker goes over a data set without believing it. It keeps what the dictionary names and steps over the rest.
type walker struct {
	window
	order   binary.ByteOrder
	walked  int
	objects bool  // keep what objects without pixels draw, too
	count   int   // kept
	size    int64 // kept
}

// header is what a walk finds.
type header struct {
	small   []kept // top level, file order
	root    *node  // sequences and tables; small elements only once they are parsed
	pixels  element
	tables  [2]element      // extended offset table and its lengths
	planes  map[tag][]byte  // small elements of the overlay groups
	bitmaps map[tag]element // and where their bits lie
	profile bool            // an ICC profile
}

// next reads the head of the element at an offset.
func (w *walker) next(at int64, implicit bool) (element, error) {
	if w.walked++; w.walked > maxWalked {
		return element{}, errMany
	}
	b, err := w.peek(at, 8)
	if err != nil {
		return element{}, err
	}
	e := element{tag: tag(w.order.Uint16(b))<<16 | tag(w.order.Uint16(b[2:])), offset: at + 8}
	switch {
	case e.tag>>16 == 0xFFFE:
		e.length = int64(w.order.Uint32(b[4:]))
	case implicit:
		e.vr, _ = w.representation(e.tag)
		e.length = int64(w.order.Uint32(b[4:]))
	default:
		e.vr = string(b[4:6])
		if !isVR(b[4]) || !isVR(b[5]) {
			return e, fmt.Errorf("element %s has no value representation", e.tag)
		}
		if longForm(e.vr) {
			if b, err = w.peek(at, 12); err != nil {
				return e, err
			}
			e.offset, e.length = at+12, int64(w.order.Uint32(b[8:]))
		} else {
			e.length = int64(w.order.Uint16(b[6:]))
		}
	}
	return e, nil
}

func isVR(b byte) bool { return b >= 'A' && b <= 'Z' }

func (t tag) String() string { return fmt.Sprintf("(%04X,%04X)", uint32(t>>16), uint32(t&0xFFFF)) }

// within checks the length of an element against the file.
func (w *walker) within(e element) error {
	if e.length != undefined && e.length > w.source.size-e.offset {
		return fmt.Errorf("element %s says it has %d bytes and the file has %d left: %w", e.tag, e.length, w.source.size-e.offset, errShort)
	}
	return nil
}

// dataSet walks from an offset to the pixel data or the end of the file. The header holds what was found even when err is not nil.
func (w *walker) dataSet(at int64, implicit bool) (*header, error) {
	h := &header{root: newNode(w.order)}
	for at < w.source.size {
		e, err := w.next(at, implicit)
		if err != nil {
			return h, err
		}
		switch e.tag {
		case tagPixels, tagFloatPixels, tagDoublePixels:
			h.pixels = e // its length is judged when frames are wanted
			return h, nil
		case tagICC:
			h.profile = e.length > 0
		case tagExtendedOffsets:
			h.tables[0] = e
		case tagExtendedLengths:
			h.tables[1] = e
		}
		if e.tag>>16 == padding {
			return h, nil
		}
		if e.tag>>16 == 0xFFFE { // a stray end mark
			at = e.offset
			continue
		}
		if err := w.within(e); err != nil {
			return h, err
		}
		if at, err = w.take(e, implicit, h); err != nil {
			return h, err
		}
	}
	return h, nil
}

// take keeps or steps over one element of the top level and gives the offset after it.
func (w *walker) take(e element, implicit bool, h *header) (int64, error) {
	vr, known := w.representation(e.tag)
	if isOverlay(e.tag) && e.length != undefined {
		return e.offset + e.length, w.overlay(e, h)
	}
	if known && vr == "SQ" || e.length == undefined {
		return w.sequence(e, implicit, 1, h.root)
	}
	switch {
	case known && isTable(e.tag) && e.length <= maxTable:
		b, err := w.keep(e)
		if err != nil {
			return 0, err
		}
		h.root.values[e.tag] = value{raw: b}
	case known && e.length <= maxSmall:
		b, err := w.keep(e)
		if err != nil {
			return 0, err
		}
		h.small = append(h.small, kept{e, b})
	}
	return e.offset + e.length, nil
}

// keep copies the value of an element, within the budget of a header.
func (w *walker) keep(e element) ([]byte, error) {
	w.count++
	w.size += e.length
	if w.count > maxKept || w.size > maxKeptSize {
		return nil, errMany
	}
	if e.length <= maxNested {
		b, err := w.peek(e.offset, int(e.length))
		return append([]byte(nil), b...), err
	}
	return w.bytesAt(e.offset, e.length)
}

// sequence walks the items of a sequence and keeps those of a known one in parent. It gives the offset after it.
//
// A value of undefined length that is no sequence holds items too: fragments, or, in one of VR UN, implicit little endian (PS3.5 6.2.2).
func (w *walker) sequence(e element, implicit bool, depth int, parent *node) (int64, error) {
	if depth > maxDepth {
		return 0, errDeep
	}
	vr, _ := w.representation(e.tag)
	known := parent != nil && vr == "SQ"
	if e.length != undefined && !known {
		return e.offset + e.length, nil
	}
	if e.vr != "SQ" && e.vr != "" {
		implicit = true
	}
	end := e.offset + e.length
	at := e.offset
	for e.length == undefined || at < end {
		item, err := w.next(at, implicit)
		if err != nil {
			return 0, err
		}
		switch {
		case item.tag == tagSequenceEnd:
			return item.offset, nil
		case item.tag != tagItem:
			return 0, fmt.Errorf("sequence %s holds %s where an item was expected", e.tag, item.tag)
		}
		if err := w.within(item); err != nil {
			return 0, err
		}
		var child *node
		if known {
			child = newNode(w.order)
			if w.count++; w.count > maxKept {
				return 0, errMany
			}
			parent.items[e.tag] = append(parent.items[e.tag], child)
		}
		if at, err = w.item(item, implicit, depth, child); err != nil {
			return 0, err
		}
	}
	if at != end {
		return 0, fmt.Errorf("sequence %s has the wrong length", e.tag)
	}
	return at, nil
}

// item walks one item, keeps what the dictionary names in n (nil: nothing) and gives the offset after it.
func (w *walker) item(e element, implicit bool, depth int, n *node) (int64, error) {
	end := e.offset + e.length
	if e.length != undefined && n == nil {
		return end, nil
	}
	at := e.offset
	for e.length == undefined || at < end {
		inner, err := w.next(at, implicit)
		if err != nil {
			return 0, err
		}
		if inner.tag == tagItemEnd {
			return inner.offset, nil
		}
		if err := w.within(inner); err != nil {
			return 0, err
		}
		vr, known := w.representation(inner.tag)
		switch {
		case inner.length == undefined || vr == "SQ":
			if at, err = w.sequence(inner, implicit, depth+1, n); err != nil {
				return 0, err
			}
			continue
		case n != nil && known && (inner.length <= maxNested || isTable(inner.tag) && inner.length <= maxTable || isDrawing(inner.tag)):
			b, err := w.keep(inner)
			if err != nil {
				return 0, err
			}
			n.values[inner.tag] = decode(w.order, representation(inner, vr), b)
		}
		at = inner.offset + inner.length
	}
	if at != end {
		return 0, fmt.Errorf("an item of %d bytes ends elsewhere", e.length)
	}
	return at, nil
}

// representation is the value representation to decode by: the file's own, or the dictionary's where it gives none.
func representation(e element, dictionary string) string {
	if e.vr == "" || e.vr == "UN" {
		return dictionary
	}
	return e.vr
}
