package dcm

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"plumbline/backend/review"
)

// WritePicture writes the samples of a frame for which IsPicture holds as a PNG without anything beside them but how it is to be turned.
func WritePicture(w io.Writer, f review.Frame, s review.Samples) error {
	var b bytes.Buffer
	if err := png.Encode(&b, pictureOf(s)); err != nil {
		return err
	}
	const head = 8 + 12 + 13 // signature and IHDR
	parts := [][]byte{b.Bytes()[:head], nil, b.Bytes()[head:]}
	if f.ExifOrientation > 1 && f.ExifOrientation <= 8 {
		parts[1] = turned(byte(f.ExifOrientation))
	}
	for _, p := range parts {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}

// turned is an eXIf chunk that says one thing: the orientation.
func turned(orientation byte) []byte {
	body := []byte{'e', 'X', 'I', 'f', 'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0}
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)-4))
	chunk = append(chunk, body...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(body))
}

// pictureOf gives samples as the image that decodes to them.
func pictureOf(s review.Samples) image.Image {
	size := image.Rect(0, 0, s.Columns, s.Rows)
	wide := s.BitsAllocated == 16
	at := func(i int) uint16 {
		if wide {
			return binary.LittleEndian.Uint16(s.Data[2*i:])
		}
		return uint16(s.Data[i])
	}
	switch {
	case s.PerPixel == 1 && !wide:
		return &image.Gray{Pix: s.Data, Stride: s.Columns, Rect: size}
	case s.PerPixel == 1:
		img := image.NewGray16(size)
		for i := range s.Rows * s.Columns {
			img.SetGray16(i%s.Columns, i/s.Columns, color.Gray16{Y: at(i)})
		}
		return img
	case !wide:
		img := image.NewNRGBA(size)
		for i := range s.Rows * s.Columns {
			copy(img.Pix[4*i:], []byte{s.Data[3*i], s.Data[3*i+1], s.Data[3*i+2], 0xFF})
		}
		return img
	}
	img := image.NewNRGBA64(size)
	for i := range s.Rows * s.Columns {
		img.SetNRGBA64(i%s.Columns, i/s.Columns, color.NRGBA64{R: at(3 * i), G: at(3*i + 1), B: at(3*i + 2), A: 0xFFFF})
	}
	return img
}
