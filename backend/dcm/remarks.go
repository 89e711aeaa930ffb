package dcm

import (
	"encoding/binary"
	"errors"
)

// remarks is what a picture file says beside its picture.
type remarks struct {
	turn  int  // EXIF orientation, 1-8
	grey  bool // grey with alpha, which decodes as colour
	notes []string
}

// note keeps what a reader should know of how the picture is shown, once.
func (r *remarks) note(text string) {
	for _, n := range r.notes {
		if n == text {
			return
		}
	}
	r.notes = append(r.notes, text)
}

const (
	noteAlpha = "transparent pixels are shown over black"
	noteICC   = "the colour profile of the file is not applied"
	noteMoves = "the file is animated: its first picture alone is shown"
)

// maxChunks bounds how many chunks or segments before the picture are looked at.
const maxChunks = 4096

// lookIntoPNG reads the chunks of a PNG file before its pixels.
func lookIntoPNG(file *source) remarks {
	out := remarks{turn: 1}
	w := window{source: file, buffer: make([]byte, 32)}
	at := int64(8)
	for range maxChunks {
		b, err := w.peek(at, 8)
		if err != nil {
			return out
		}
		length := int64(binary.BigEndian.Uint32(b))
		switch string(b[4:]) {
		case "IHDR":
			if b, err = w.peek(at+8, 13); err != nil {
				return out
			}
			if b[9] == 4 || b[9] == 6 { // grey or colour with alpha
				out.grey = b[9] == 4
				out.note(noteAlpha)
			}
		case "tRNS":
			out.note(noteAlpha)
		case "iCCP":
			out.note(noteICC)
		case "acTL":
			out.note(noteMoves)
		case "eXIf":
			if length <= 1<<16 {
				if chunk, err := file.bytesAt(at+8, length); err == nil {
					out.turn = tiffOrientation(chunk)
				}
			}
		case "IDAT":
			return out
		}
		at += 12 + length
	}
	return out
}

// lookIntoJPEG reads the segments of a JPEG file before its scan.
func lookIntoJPEG(file *source) remarks {
	out := remarks{turn: 1}
	w := window{source: file, buffer: make([]byte, 32)}
	at, found := int64(2), false
	for range maxChunks {
		b, err := w.peek(at, 4)
		if err != nil || b[0] != 0xFF || b[1] == 0xDA {
			return out
		}
		if b[1] == 0xFF {
			at++
			continue
		}
		marker, length := b[1], int64(binary.BigEndian.Uint16(b[2:]))
		switch {
		case marker == 0xE1 && length > 8 && !found:
			segment, err := file.bytesAt(at+4, length-2)
			if err == nil && string(segment[:6]) == "Exif\x00\x00" {
				out.turn, found = tiffOrientation(segment[6:]), true
			}
		case marker == 0xE2 && length > 14:
			if b, err := w.peek(at+4, 11); err == nil && string(b) == "ICC_PROFILE" {
				out.note(noteICC)
			}
		}
		at += 2 + length
	}
	return out
}

// lookIntoWebP reads the chunks of a WebP file. An animated one has no single picture and is refused.
func lookIntoWebP(file *source) (remarks, error) {
	out := remarks{turn: 1}
	w := window{source: file, buffer: make([]byte, 32)}
	at := int64(12)
	for range maxChunks {
		b, err := w.peek(at, 8)
		if err != nil {
			return out, nil
		}
		length := int64(binary.LittleEndian.Uint32(b[4:]))
		switch string(b[:4]) {
		case "VP8X":
			if b, err = w.peek(at+8, 1); err != nil {
				return out, nil
			}
			if b[0]&2 != 0 {
				return out, invalid{errors.New("an animated WebP is not supported: one picture a file expected")}
			}
			if b[0]&0x10 != 0 {
				out.note(noteAlpha)
			}
		case "ICCP":
			out.note(noteICC)
		case "EXIF":
			if length <= 1<<16 {
				if chunk, err := file.bytesAt(at+8, length); err == nil {
					if len(chunk) > 6 && string(chunk[:6]) == "Exif\x00\x00" {
						chunk = chunk[6:]
					}
					out.turn = tiffOrientation(chunk)
				}
			}
		}
		at += 8 + length + length%2
	}
	return out, nil
}

// tiffOrientation reads tag 0x0112 of the first directory; 1 where there is none.
func tiffOrientation(b []byte) int {
	if len(b) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if string(b[:2]) == "MM" {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(b[4:]))
	if at < 8 || at+2 > int64(len(b)) {
		return 1
	}
	entries := order.Uint16(b[at:])
	for range entries {
		if at+14 > int64(len(b)) {
			return 1
		}
		if order.Uint16(b[at+2:]) == 0x0112 {
			if v := int(order.Uint16(b[at+10:])); v >= 1 && v <= 8 {
				return v
			}
			return 1
		}
		at += 12
	}
	return 1
}
