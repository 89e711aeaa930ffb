package dcm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"

	"plumbline/backend/review"
)

// picture is a PNG or JPEG file.
type picture struct {
	kind          string // the media type
	rows, columns int    // as stored
	samples, bits int
	turn          int // EXIF orientation, 1-8
}

const (
	kindPNG  = "image/png"
	kindJPEG = "image/jpeg"
)

// pictureKind tells a PNG or JPEG file by its first bytes; "" is neither.
func pictureKind(head []byte) string {
	switch {
	case len(head) >= 8 && string(head[:8]) == "\x89PNG\r\n\x1a\n":
		return kindPNG
	case len(head) >= 3 && head[0] == 0xFF && head[1] == 0xD8 && head[2] == 0xFF:
		return kindJPEG
	}
	return ""
}

// maxPicture bounds the decoded samples of a PNG or JPEG file, in bytes.
const maxPicture = 256 << 20

// loadPicture reads the size and colour of a PNG or JPEG file.
func loadPicture(path, kind string, file *source) (*File, error) {
	whole := io.NewSectionReader(file, 0, file.size)
	var config image.Config
	var err error
	if kind == kindPNG {
		config, err = png.DecodeConfig(whole)
	} else {
		config, err = jpeg.DecodeConfig(whole)
	}
	if err != nil {
		var unsupported jpeg.UnsupportedError
		if errors.As(err, &unsupported) {
			return nil, invalid{err}
		}
		return nil, err
	}
	p := &picture{kind: kind, rows: config.Height, columns: config.Width, samples: 3, bits: 8}
	switch config.ColorModel {
	case color.GrayModel:
		p.samples = 1
	case color.Gray16Model:
		p.samples, p.bits = 1, 16
	case color.RGBA64Model, color.NRGBA64Model:
		p.bits = 16
	}
	if err := p.check(file.size); err != nil {
		return nil, err
	}
	p.turn = 1
	switch kind {
	case kindJPEG:
		p.turn = exifOrientation(file)
	case kindPNG:
		p.turn = chunkOrientation(file)
	}
	h := Header{Path: path, Size: file.size, TransferSyntax: kind, HasPixels: true, Frames: []review.Frame{p.frame()}}
	return &File{header: h, picture: p}, nil
}

// check refuses a size that is too large, or that so small a file cannot hold: both compress at most about a thousandfold.
func (p *picture) check(fileSize int64) error {
	pixels := int64(p.rows) * int64(p.columns)
	switch {
	case pixels == 0:
		return errors.New("the image has no pixels")
	case pixels*8 > maxPicture:
		return invalid{fmt.Errorf("an image of %d×%d is larger than supported", p.columns, p.rows)}
	case pixels > 1100*fileSize*8:
		return fmt.Errorf("the file is too short for %d×%d pixels", p.columns, p.rows)
	}
	return nil
}

// frame describes the picture as stored; its EXIF orientation is for those who show it.
func (p *picture) frame() review.Frame {
	f := review.Frame{
		Rows: p.rows, Columns: p.columns, Samples: p.samples, BitsAllocated: p.bits, BitsStored: p.bits, Photometric: "RGB",
		TransferSyntax: p.kind, Lossy: p.kind == kindJPEG, Slope: 1, Windows: []review.Window{}, VOIFunction: "LINEAR",
	}
	if p.turn != 1 {
		f.ExifOrientation = p.turn
	}
	if p.samples == 1 {
		f.Photometric = "MONOCHROME2"
		if p.bits == 8 {
			f.Windows = []review.Window{{Center: 128, Width: 256, Explanation: "FULL"}} // as it is
		}
		f.WindowComputed = p.bits == 16
	}
	return f
}

// decode gives the samples as stored. Transparent pixels are laid over black: a picture has one look for everybody.
func (p *picture) decode(file *source) (review.Samples, error) {
	whole := io.NewSectionReader(file, 0, file.size)
	var img image.Image
	var err error
	if p.kind == kindPNG {
		img, err = png.Decode(whole)
	} else {
		img, err = jpeg.Decode(whole)
	}
	if err != nil {
		return review.Samples{}, err
	}
	if b := img.Bounds(); b.Dx() != p.columns || b.Dy() != p.rows {
		return review.Samples{}, errors.New("the image changed on disk")
	}
	return review.Samples{Rows: p.rows, Columns: p.columns, PerPixel: p.samples, BitsAllocated: p.bits, Data: p.bytes(img)}, nil
}

// bytes gives the samples in stored order, little-endian.
func (p *picture) bytes(img image.Image) []byte {
	pixel := p.samples * p.bits / 8
	out := make([]byte, 0, p.rows*p.columns*pixel)
	at := img.Bounds().Min
	for y := range p.rows {
		for x := range p.columns {
			switch c := img.(type) {
			case *image.Gray:
				out = append(out, c.GrayAt(at.X+x, at.Y+y).Y)
			case *image.Gray16:
				out = binary.LittleEndian.AppendUint16(out, c.Gray16At(at.X+x, at.Y+y).Y)
			default:
				r, g, b, _ := img.At(at.X+x, at.Y+y).RGBA() // already multiplied by alpha: over black
				if p.bits == 16 {
					out = binary.LittleEndian.AppendUint16(out, uint16(r))
					out = binary.LittleEndian.AppendUint16(out, uint16(g))
					out = binary.LittleEndian.AppendUint16(out, uint16(b))
				} else {
					out = append(out, byte(r>>8), byte(g>>8), byte(b>>8))
				}
			}
		}
	}
	return out
}

// exifOrientation finds the orientation in a JPEG file's APP1 segment; 1 where there is none.
func exifOrientation(file *source) int {
	w := window{source: file, buffer: make([]byte, 16)}
	for at := int64(2); ; {
		b, err := w.peek(at, 4)
		if err != nil || b[0] != 0xFF || b[1] == 0xDA {
			return 1
		}
		if b[1] == 0xFF {
			at++
			continue
		}
		marker, length := b[1], int64(binary.BigEndian.Uint16(b[2:]))
		if marker == 0xE1 && length > 8 {
			segment, err := file.bytesAt(at+4, length-2)
			if err == nil && string(segment[:6]) == "Exif\x00\x00" {
				return tiffOrientation(segment[6:])
			}
		}
		at += 2 + length
	}
}

// chunkOrientation finds the orientation in a PNG file's eXIf chunk before the picture; 1 where there is none.
func chunkOrientation(file *source) int {
	w := window{source: file, buffer: make([]byte, 16)}
	for at := int64(8); ; {
		b, err := w.peek(at, 8)
		if err != nil {
			return 1
		}
		length, kind := int64(binary.BigEndian.Uint32(b)), string(b[4:])
		switch {
		case kind == "IDAT":
			return 1
		case kind == "eXIf" && length <= 1<<16:
			if chunk, err := file.bytesAt(at+8, length); err == nil {
				return tiffOrientation(chunk)
			}
			return 1
		}
		at += 12 + length
	}
}

// tiffOrientation reads tag 0x0112 of the first directory.
func tiffOrientation(b []byte) int {
	if len(b) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if string(b[:2]) == "MM" {
		order = binary.BigEndian
	}
	at := int(order.Uint32(b[4:]))
	if at < 8 || at+2 > len(b) {
		return 1
	}
	for range order.Uint16(b[at:]) {
		if at+14 > len(b) {
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
