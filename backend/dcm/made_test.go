package dcm

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// made is a DICOM file put together by a test.
type made struct {
	uid      string
	order    binary.ByteOrder
	implicit bool
	elements []byte
	pixels   []byte // the element of the pixel data, whole
}

func make10(uid string) *made {
	s, err := lookupSyntax(uid)
	if err != nil {
		panic(err)
	}
	return &made{uid: uid, order: s.order, implicit: s.implicit}
}

// put appends an element of any length.
func (m *made) put(t tag, vr string, v []byte) *made {
	m.elements = append(m.elements, m.element(t, vr, v)...)
	return m
}

func (m *made) element(t tag, vr string, v []byte) []byte {
	if len(v)%2 == 1 {
		v = append(append([]byte(nil), v...), 0)
	}
	head := appendUint16(m.order, nil, uint16(t>>16))
	head = appendUint16(m.order, head, uint16(t))
	switch {
	case m.implicit || t>>16 == 0xFFFE:
		head = appendUint32(m.order, head, uint32(len(v)))
	case longForm(vr):
		head = appendUint32(m.order, append(append(head, vr...), 0, 0), uint32(len(v)))
	default:
		head = appendUint16(m.order, append(head, vr...), uint16(len(v)))
	}
	return append(head, v...)
}

func (m *made) text(t tag, vr, s string) *made { return m.put(t, vr, []byte(s)) }

func (m *made) us(t tag, v ...int) *made {
	var b []byte
	for _, x := range v {
		b = appendUint16(m.order, b, uint16(x))
	}
	return m.put(t, "US", b)
}

// sequence appends a sequence; each item is a made of which only the elements count.
func (m *made) sequence(t tag, items ...*made) *made {
	var b []byte
	for _, item := range items {
		b = append(b, m.element(tagItem, "", item.elements)...)
	}
	return m.put(t, "SQ", b)
}

// item begins an item in the syntax of m.
func (m *made) item() *made { return &made{uid: m.uid, order: m.order, implicit: m.implicit} }

// image appends the usual description of pixels.
func (m *made) image(rows, columns, samples, allocated, stored int, signed bool, photometric string) *made {
	m.text(tagSOPClass, "UI", "1.2.840.10008.5.1.4.1.1.2").text(tagInstanceUID, "UI", "1.2.3.4").text(tagModality, "CS", "CT")
	m.text(tagSeriesUID, "UI", "1.2.3")
	representation := 0
	if signed {
		representation = 1
	}
	return m.us(tagSamples, samples).text(tagPhotometric, "CS", photometric).us(tagRows, rows).us(tagColumns, columns).
		us(tagBitsAllocated, allocated).us(tagBitsStored, stored).us(tagHighBit, stored-1).us(tagPixelRepresentation, representation)
}

// native sets native pixel data.
func (m *made) native(vr string, b []byte) *made {
	m.pixels = m.element(tagPixels, vr, b)
	return m
}

// packed sets encapsulated pixel data: a basic offset table and fragments.
func (m *made) packed(table []uint32, fragments ...[]byte) *made {
	b := []byte{0xE0, 0x7F, 0x10, 0, 'O', 'B', 0, 0, 0xFF, 0xFF, 0xFF, 0xFF}
	var offsets []byte
	for _, o := range table {
		offsets = binary.LittleEndian.AppendUint32(offsets, o)
	}
	b = append(b, m.element(tagItem, "", offsets)...)
	for _, f := range fragments {
		b = append(b, m.element(tagItem, "", f)...)
	}
	m.pixels = append(b, m.element(tagSequenceEnd, "", nil)...)
	return m
}

// bytes gives the file.
func (m *made) bytes() []byte {
	var b bytes.Buffer
	b.Write(make([]byte, 128))
	b.WriteString("DICM")
	uid := m.uid
	if len(uid)%2 == 1 {
		uid += "\x00"
	}
	writeElement(&b, binary.LittleEndian, 0x00020000, "UL", binary.LittleEndian.AppendUint32(nil, uint32(8+len(uid))))
	writeElement(&b, binary.LittleEndian, 0x00020010, "UI", []byte(uid))
	body := append(append([]byte(nil), m.elements...), m.pixels...)
	if m.uid == deflatedUID {
		w, err := flate.NewWriter(&b, flate.BestSpeed)
		if err != nil {
			panic(err)
		}
		w.Write(body)
		w.Close()
		return b.Bytes()
	}
	b.Write(body)
	return b.Bytes()
}

// write puts the file into a temporary folder.
func (m *made) write(t testing.TB) string { return writeFile(t, "a.dcm", m.bytes()) }

func writeFile(t testing.TB, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// load loads the file.
func (m *made) load(t testing.TB) *File {
	t.Helper()
	f, err := Load(m.write(t))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// words gives 16-bit values as bytes in an order.
func words(order binary.ByteOrder, v ...int) []byte {
	var b []byte
	for _, x := range v {
		b = appendUint16(order, b, uint16(x))
	}
	return b
}

// packBytes is a PackBits encoder of literal runs and repeats.
func packBytes(in []byte) []byte {
	var out []byte
	for len(in) > 0 {
		n := 1
		for n < len(in) && n < 128 && in[n] == in[0] {
			n++
		}
		if n > 1 {
			out, in = append(out, byte(257-n), in[0]), in[n:]
			continue
		}
		for n < len(in) && n < 128 && in[n] != in[n-1] {
			n++
		}
		out, in = append(append(out, byte(n-1)), in[:n]...), in[n:]
	}
	return out
}

// packRLE packs little-endian samples as an RLE frame.
func packRLE(data []byte, samples, width int) []byte {
	segments := samples * width
	head := make([]byte, 64)
	binary.LittleEndian.PutUint32(head, uint32(segments))
	out := head
	for s := range segments {
		binary.LittleEndian.PutUint32(out[4+4*s:], uint32(len(out)))
		var plane []byte
		for at := (s/width)*width + width - 1 - s%width; at < len(data); at += segments {
			plane = append(plane, data[at])
		}
		packed := packBytes(plane)
		if len(packed)%2 == 1 {
			packed = append(packed, 0x80)
		}
		out = append(out, packed...)
	}
	return out
}

// deflated packs bytes as a raw deflate stream.
func deflated(b []byte) []byte {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		panic(err)
	}
	w.Write(b)
	w.Close()
	return out.Bytes()
}
