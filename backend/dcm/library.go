package dcm

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/suyashkumar/dicom"
)

// values reads the small elements of a header: the library knows value representations and character sets. Where it stumbles over one, the
// bytes are read plainly as what the dictionary says, so that a strange patient name does not cost a picture.
func values(order binary.ByteOrder, small []kept) map[tag]value {
	out, err := libraryValues(order, small)
	if err == nil {
		return out
	}
	out = map[tag]value{}
	for _, k := range small {
		out[k.tag] = decode(order, representation(k.element, dictionary[k.tag]), k.bytes)
	}
	return out
}

// libraryValues hands the elements to suyashkumar/dicom behind a meta header of our own with a transfer syntax that it knows. Everything it
// gets is small and of checked length, there is no pixel data and no sequence; a panic ends as an error.
func libraryValues(order binary.ByteOrder, small []kept) (out map[tag]value, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("parser: %v", p)
		}
	}()
	file := part10(order, small)
	set, err := dicom.Parse(bytes.NewReader(file), int64(len(file)), nil, dicom.AllowUnknownSpecificCharacterSet())
	if err != nil {
		return nil, err
	}
	out = make(map[tag]value, len(set.Elements))
	for _, e := range set.Elements {
		var v value
		switch x := e.Value.GetValue().(type) {
		case []string:
			if len(x) > 1 || len(x) == 1 && x[0] != "" {
				v.texts = x
			}
		case []int:
			v.ints = x
		case []float64:
			v.floats = x
		case []byte:
			v.raw = x
		}
		out[tag(e.Tag.Group)<<16|tag(e.Tag.Element)] = v
	}
	return out, nil
}

// part10 writes elements as a file of explicit byte order.
func part10(order binary.ByteOrder, small []kept) []byte {
	uid := explicitLittleUID + "\x00"
	if order == binary.BigEndian {
		uid = explicitBigUID + "\x00"
	}
	var b bytes.Buffer
	b.Write(make([]byte, 128))
	b.WriteString("DICM")
	length := binary.LittleEndian.AppendUint32(nil, uint32(8+len(uid)))
	writeElement(&b, binary.LittleEndian, 0x00020000, "UL", length)
	writeElement(&b, binary.LittleEndian, 0x00020010, "UI", []byte(uid))
	for _, k := range small {
		writeElement(&b, order, k.tag, representation(k.element, dictionary[k.tag]), k.bytes)
	}
	return b.Bytes()
}

// writeElement writes one explicit element of at most 65,534 bytes; an odd value gets a zero.
func writeElement(b *bytes.Buffer, order binary.ByteOrder, t tag, vr string, v []byte) {
	n := len(v) + len(v)%2
	head := make([]byte, 0, 12)
	head = appendUint16(order, head, uint16(t>>16))
	head = appendUint16(order, head, uint16(t))
	head = append(head, vr...)
	if longForm(vr) {
		head = append(head, 0, 0)
		head = appendUint32(order, head, uint32(n))
	} else {
		head = appendUint16(order, head, uint16(n))
	}
	b.Write(head)
	b.Write(v)
	if len(v)%2 == 1 {
		b.WriteByte(0)
	}
}

func appendUint16(order binary.ByteOrder, b []byte, v uint16) []byte {
	var x [2]byte
	order.PutUint16(x[:], v)
	return append(b, x[:]...)
}

func appendUint32(order binary.ByteOrder, b []byte, v uint32) []byte {
	var x [4]byte
	order.PutUint32(x[:], v)
	return append(b, x[:]...)
}
