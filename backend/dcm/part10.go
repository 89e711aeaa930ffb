package dcm

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrNotImage marks a fault about a file that is no image file at all, or a DICOMDIR: to be passed over rather than complained of.
var ErrNotImage = errors.New("not an image file")

var errNoImage = fmt.Errorf("%w: no DICOM, NIfTI, PNG, JPEG, WebP, BMP or TIFF", ErrNotImage)

// maxInflated bounds a deflated data set: a bomb of a megabyte would else fill the memory.
const maxInflated = 256 << 20

// opened is a DICOM file ready for its data set to be walked.
type opened struct {
	syntax  syntax
	data    window // on the file, or on its inflated data set
	start   int64  // of the data set in data
	guessed bool   // nothing but its first element says that this is DICOM
}

// openPart10 finds the transfer syntax and the start of the data set. A file without the 128-byte preamble, or without a meta header, is
// taken for DICOM where its first element looks like one.
func openPart10(file window) (opened, error) {
	w := walker{window: file, order: binary.LittleEndian}
	at := int64(0)
	if b, err := w.peek(0, 132); err == nil && string(b[128:]) == "DICM" {
		at = 132
	}
	uid, class, start, err := w.meta(at)
	if err != nil {
		return opened{}, err
	}
	if class == directoryUID {
		return opened{}, fmt.Errorf("%w: a DICOMDIR", ErrNotImage)
	}
	if uid == "" {
		if uid = guess(&w.window, start); uid == "" {
			if at == 0 {
				return opened{}, errNoImage
			}
			return opened{}, errors.New("no transfer syntax is named and the data set starts like none")
		}
	}
	s, err := lookupSyntax(uid)
	if err != nil {
		return opened{}, err
	}
	o := opened{syntax: s, data: w.window, start: start, guessed: start == 0}
	if s.deflated {
		inflated, err := inflate(io.NewSectionReader(file, start, file.source.size-start), maxInflated)
		if err != nil {
			return opened{}, err
		}
		o.data, o.start = newWindow(memory(inflated)), 0
	}
	return o, nil
}

// written tells whether a little-endian data set is in implicit form, by its first element: some files say one and are the other.
func (o *opened) written() bool {
	b, err := o.data.peek(o.start, 8)
	if err != nil || o.syntax.order != binary.LittleEndian {
		return o.syntax.implicit
	}
	return !isVR(b[4]) || !isVR(b[5])
}

// meta walks the meta header: group 0002, always explicit little endian. It gives the transfer syntax, the SOP class and where the data
// set starts. A header whose length contradicts its elements is corrupt: what else of it is wrong cannot be known.
func (w *walker) meta(at int64) (uid, class string, start int64, err error) {
	var end int64
	for at < w.source.size {
		b, err := w.peek(at, 8)
		if err != nil || w.order.Uint16(b) != 2 {
			break
		}
		e, err := w.next(at, false)
		if err != nil {
			return "", "", at, fmt.Errorf("meta header: %w", err)
		}
		if err := w.within(e); err != nil || e.length == undefined {
			return "", "", at, fmt.Errorf("meta header: element %s reaches beyond the file: %w", e.tag, errShort)
		}
		if e.length <= 64 {
			b, err := w.peek(e.offset, int(e.length))
			if err != nil {
				return "", "", at, err
			}
			switch text := strings.TrimRight(string(b), " \x00"); e.tag {
			case 0x00020000:
				if len(b) == 4 {
					end = e.offset + 4 + int64(w.order.Uint32(b))
				}
			case 0x00020010:
				uid = text
			case 0x00020002:
				class = text
			}
		}
		at = e.offset + e.length
	}
	if end != 0 && end != at {
		return "", "", at, fmt.Errorf("the meta header says that it ends at byte %d and ends at %d", end, at)
	}
	return uid, class, at, nil
}

// guess looks at the first element of a data set without a meta header: it must be of group 0008 (or an old group length of 0000-0008) in
// one of the three plain syntaxes. It gives the syntax's UID, or "".
func guess(w *window, at int64) string {
	b, err := w.peek(at, 8)
	if err != nil {
		return ""
	}
	explicit := isVR(b[4]) && isVR(b[5])
	switch {
	case binary.LittleEndian.Uint16(b) == 8 && explicit:
		return explicitLittleUID
	case binary.BigEndian.Uint16(b) == 8 && explicit:
		return explicitBigUID
	case binary.LittleEndian.Uint16(b) == 8 && int64(binary.LittleEndian.Uint32(b[4:])) <= w.source.size-at-8:
		return implicitLittleUID
	}
	return ""
}

// inflate reads a deflated stream to its end and refuses more than limit bytes. A zlib header, which some writers put, is passed over.
func inflate(r io.Reader, limit int64) ([]byte, error) {
	head := make([]byte, 2)
	n, err := io.ReadFull(r, head)
	if err != nil {
		return nil, fmt.Errorf("deflated data: %w", errShort)
	}
	if !(head[0] == 0x78 && (uint(head[0])<<8|uint(head[1]))%31 == 0) {
		r = io.MultiReader(bytes.NewReader(head[:n]), r)
	}
	var out bytes.Buffer
	got, err := io.Copy(&out, io.LimitReader(flate.NewReader(r), limit+1))
	if got > limit {
		return nil, fmt.Errorf("deflated data hold more than %d MiB", limit>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("deflated data are damaged: %w", err)
	}
	return out.Bytes(), nil
}
