package dcm

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The SOP classes that Write is used with.
const (
	CTImageStorage = "1.2.840.10008.5.1.4.1.1.2"
	CRImageStorage = "1.2.840.10008.5.1.4.1.1.1"
)

// WriteTag is one attribute for Write: group<<16|element, its value representation, and its value as text. Several values are joined by a
// backslash, as DICOM does; US and SS values are written as decimal numbers. An empty value writes an empty element.
//
// A sequence (SQ) has Items in place of a value; OW, FD and FL have Raw: their bytes, little-endian. A sequence without items is empty.
type WriteTag struct {
	Tag   uint32
	VR    string
	Value string
	Items [][]WriteTag
	Raw   []byte
}

// WriteImage is a single-frame image of one 16-bit sample a pixel.
//
// Tags hold every attribute outside the meta header and the pixels, in ascending order of tag; Pixels are the samples row by row,
// little-endian. SOP class and instance UID are written from here and must not stand in Tags.
type WriteImage struct {
	SOPClass, InstanceUID string
	Tags                  []WriteTag
	Pixels                []byte
}

// UID makes a unique identifier that is the same for the same parts on every machine: the root 2.25 (ISO/IEC 9834-8, as DICOM PS3.5 B.2
// allows) and 128 bits of a hash.
func UID(parts ...string) string {
	h := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	h[6], h[8] = h[6]&0x0f|0x80, h[8]&0x3f|0x80 // a UUID of version 8, variant 1
	return "2.25." + new(big.Int).SetBytes(h[:16]).String()
}

const (
	explicitLittle    = "1.2.840.10008.1.2.1"
	implementationUID = "2.25.299823447012357093911126412093475712561"
	sopClassTag       = 0x00080016
	sopInstanceTag    = 0x00080018
	pixelDataTag      = 0x7FE00010
)

// Write writes p as a DICOM Part 10 file in Explicit VR Little Endian (PS3.10 section 7.1). Tags out of order, a value that does not fit its
// representation, and pixels of an odd length are errors; nothing is written then.
func Write(w io.Writer, p WriteImage) error {
	if len(p.Pixels)%2 != 0 {
		return fmt.Errorf("write DICOM: pixels of 16 bits need an even number of bytes")
	}
	return writeElements(w, p, pixelDataTag, "OW")
}

// writeElements writes a file whose pixels stand under a tag and representation; without a tag it has none.
func writeElements(w io.Writer, p WriteImage, pixelTag uint32, pixelVR string) error {
	var meta bytes.Buffer
	for _, t := range []WriteTag{
		{Tag: 0x00020002, VR: "UI", Value: p.SOPClass}, {Tag: 0x00020003, VR: "UI", Value: p.InstanceUID}, {Tag: 0x00020010, VR: "UI", Value: explicitLittle},
		{Tag: 0x00020012, VR: "UI", Value: implementationUID}, {Tag: 0x00020013, VR: "SH", Value: "PLUMBLINE"},
	} {
		if err := writeTag(&meta, t); err != nil {
			return err
		}
	}
	body, err := dataSet(withSOP(p))
	if err != nil {
		return err
	}
	head := make([]byte, 128, 160)
	head = append(head, "DICM"...)
	head = appendShort(head, 0x00020000, "UL", 4)
	head = binary.LittleEndian.AppendUint32(head, uint32(meta.Len()+14)) // and the version element that follows
	head = appendLong(head, 0x00020001, "OB", 2)
	head = append(head, 0, 1)
	var tail []byte
	if pixelTag != 0 {
		tail = appendLong(nil, pixelTag, pixelVR, len(p.Pixels)+len(p.Pixels)%2)
	}
	for _, part := range [][]byte{head, meta.Bytes(), body, tail, p.Pixels, make([]byte, len(p.Pixels)%2)} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// WriteObject writes a file that is no image of samples: a report, or with bits a segmentation, whose pixels are one bit each, packed without
// a gap between frames (PS3.5 8.1.1). Tags are as in WriteImage.
func WriteObject(w io.Writer, class, uid string, tags []WriteTag, bits []byte) error {
	p := WriteImage{SOPClass: class, InstanceUID: uid, Tags: tags, Pixels: bits}
	if bits == nil {
		return writeElements(w, p, 0, "")
	}
	return writeElements(w, p, pixelDataTag, "OB")
}

// dataSet writes tags in ascending order.
func dataSet(tags []WriteTag) ([]byte, error) {
	var body bytes.Buffer
	last := uint32(0)
	for _, t := range tags {
		if t.Tag <= last || t.Tag >= pixelDataTag {
			return nil, fmt.Errorf("write DICOM: tag %08X does not follow %08X", t.Tag, last)
		}
		last = t.Tag
		if err := writeTag(&body, t); err != nil {
			return nil, err
		}
	}
	return body.Bytes(), nil
}

// withSOP puts SOP class and instance at their place among the tags.
func withSOP(p WriteImage) []WriteTag {
	sop := []WriteTag{{Tag: sopClassTag, VR: "UI", Value: p.SOPClass}, {Tag: sopInstanceTag, VR: "UI", Value: p.InstanceUID}}
	tags := make([]WriteTag, 0, len(p.Tags)+len(sop))
	i := 0
	for i < len(p.Tags) && p.Tags[i].Tag < sopClassTag {
		i++
	}
	return append(append(append(tags, p.Tags[:i]...), sop...), p.Tags[i:]...)
}

// longest gives the most characters of one value, per representation (PS3.5 table 6.2-1).
var longest = map[string]int{
	"AE": 16, "AS": 4, "CS": 16, "DA": 8, "DS": 16, "DT": 26, "IS": 12, "LO": 64, "LT": 10240, "PN": 64, "SH": 16, "ST": 1024, "TM": 14, "UI": 64,
}

// writeTag appends one element.
func writeTag(b *bytes.Buffer, t WriteTag) error {
	var value []byte
	switch most, text := longest[t.VR]; {
	case t.VR == "SQ" && (len(t.Items) > 0 || t.Value == ""):
		return writeSequence(b, t)
	case t.VR == "FD" && len(t.Raw)%8 == 0, t.VR == "FL" && len(t.Raw)%4 == 0:
		if value = t.Raw; len(value) > 0xFFFF {
			return fmt.Errorf("write DICOM: %08X %s: %d bytes are more than one element holds", t.Tag, t.VR, len(value))
		}
	case t.VR == "UT":
		text := t.Value + " "[:len(t.Value)%2]
		b.Write(appendLong(nil, t.Tag, t.VR, len(text)))
		b.WriteString(text)
		return nil
	case t.VR == "UL" || t.VR == "AT":
		var err error
		if value, err = longs(t); err != nil {
			return err
		}
	case t.VR == "OW" && len(t.Raw)%2 == 0:
		b.Write(appendLong(nil, t.Tag, t.VR, len(t.Raw)))
		b.Write(t.Raw)
		return nil
	case t.VR == "US" || t.VR == "SS":
		for part := range strings.SplitSeq(t.Value, `\`) {
			n, err := strconv.ParseInt(part, 10, 32)
			if err != nil || t.VR == "US" && (n < 0 || n > 0xFFFF) || t.VR == "SS" && (n < -0x8000 || n > 0x7FFF) {
				return fmt.Errorf("write DICOM: %08X %s: %q is no number of 16 bits", t.Tag, t.VR, part)
			}
			value = binary.LittleEndian.AppendUint16(value, uint16(n))
		}
	case !text:
		return fmt.Errorf("write DICOM: %08X: representation %q is not written", t.Tag, t.VR)
	default:
		for part := range strings.SplitSeq(t.Value, `\`) {
			if utf8.RuneCountInString(part) > most {
				return fmt.Errorf("write DICOM: %08X %s: %q is longer than %d characters", t.Tag, t.VR, part, most)
			}
		}
		value = []byte(t.Value)
	}
	if len(value)%2 != 0 {
		pad := byte(' ')
		if t.VR == "UI" {
			pad = 0
		}
		value = append(value, pad)
	}
	b.Write(appendShort(nil, t.Tag, t.VR, len(value)))
	b.Write(value)
	return nil
}

// longs gives the numbers of a UL, or the tag of an AT, as bytes: a tag is its group and its element, 16 bits each.
func longs(t WriteTag) (value []byte, err error) {
	for part := range strings.SplitSeq(t.Value, `\`) {
		base := 10
		if t.VR == "AT" {
			base = 16
		}
		n, err := strconv.ParseUint(part, base, 32)
		if err != nil {
			return nil, fmt.Errorf("write DICOM: %08X %s: %q is no number of 32 bits", t.Tag, t.VR, part)
		}
		if t.VR == "AT" {
			n = n>>16 | n<<16&0xFFFF0000
		}
		value = binary.LittleEndian.AppendUint32(value, uint32(n))
	}
	return value, nil
}

// writeSequence appends a sequence whose items say how long they are.
func writeSequence(b *bytes.Buffer, t WriteTag) error {
	var items []byte
	for _, item := range t.Items {
		value, err := dataSet(item)
		if err != nil {
			return err
		}
		items = binary.LittleEndian.AppendUint16(items, 0xFFFE)
		items = binary.LittleEndian.AppendUint16(items, 0xE000)
		items = binary.LittleEndian.AppendUint32(items, uint32(len(value)))
		items = append(items, value...)
	}
	b.Write(appendLong(nil, t.Tag, t.VR, len(items)))
	b.Write(items)
	return nil
}

func appendShort(b []byte, tag uint32, vr string, n int) []byte {
	b = binary.LittleEndian.AppendUint16(b, uint16(tag>>16))
	b = binary.LittleEndian.AppendUint16(b, uint16(tag))
	b = append(b, vr...)
	return binary.LittleEndian.AppendUint16(b, uint16(n))
}

func appendLong(b []byte, tag uint32, vr string, n int) []byte {
	b = appendShort(b, tag, vr, 0)
	return binary.LittleEndian.AppendUint32(b, uint32(n))
}
