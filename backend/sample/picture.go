package sample

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/png"

	"plumbline/backend/model"
	"plumbline/backend/phantom"
)

// sent is an exam as a model gets it.
type sent struct {
	images   []model.Image
	geometry model.Geometry
}

// asPNG encodes a grey picture quickly: the images live in memory only.
func asPNG(columns, rows int, grey []uint8) (model.Image, error) {
	var b bytes.Buffer
	b.Grow(len(grey) + len(grey)/8)
	e := png.Encoder{CompressionLevel: png.NoCompression}
	if err := e.Encode(&b, &image.Gray{Pix: grey, Stride: columns, Rect: image.Rect(0, 0, columns, rows)}); err != nil {
		return model.Image{}, err
	}
	return model.Image{MIME: "image/png", Bytes: b.Bytes()}, nil
}

// window turns a value into grey as DICOM PS3.3 C.11.2.1.2.1 does, rounded.
func window(value, center, width int) uint8 {
	at := 2*value - (2*center - 1) // twice the distance from c − 0.5
	grey := (255*at + 255*(width-1) + (width - 1)) / (2 * (width - 1))
	return uint8(max(0, min(255, grey)))
}

func lungGrey(hu []int16) []uint8 {
	grey := make([]uint8, len(hu))
	for i, v := range hu {
		grey[i] = window(int(v), lungCenter, lungWidth)
	}
	return grey
}

// filmGrey shows a film: the lowest value white.
func filmGrey(v []uint16) []uint8 {
	grey := make([]uint8, len(v))
	for i, v := range v {
		grey[i] = 255 - window(int(v), filmCenter, filmWidth)
	}
	return grey
}

func storedCT(hu []int16) []byte {
	b := make([]byte, 0, 2*len(hu))
	for _, v := range hu {
		b = binary.LittleEndian.AppendUint16(b, uint16(v+storedOffset))
	}
	return b
}

func storedFilm(v []uint16) []byte {
	b := make([]byte, 0, 2*len(v))
	for _, v := range v {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return b
}

func ctGeometry() model.Geometry {
	return model.Geometry{Images: phantom.Frames, PixelMM: phantom.PixelMM, BetweenMM: phantom.FrameMM, Center: lungCenter, Width: lungWidth}
}

func filmGeometry() model.Geometry { return model.Geometry{Images: 1, PixelMM: phantom.FilmMM} }
