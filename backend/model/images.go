package model

import (
	"bytes"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"

	scale "golang.org/x/image/draw"

	"plumbline/backend/fault"
)

// The types of a picture that every server takes.
const (
	pngType  = "image/png"
	jpegType = "image/jpeg"
)

const (
	mostImagePixels = 64 << 20
	mostImages      = 2048 // of one request
)

// Fit checks a picture by decoding all of it, brings it to the form's size and type, and says its size as sent. A picture that already has
// both is passed on byte for byte. Servers crash on a broken picture and resize one behind our back, so neither is left to them.
func (f ImageForm) Fit(i Image) (fit Image, columns, rows int, err error) {
	bad := func(format string, args ...any) (Image, int, int, error) {
		return Image{}, 0, 0, fault.New(fault.Invalid, "prepare image", "", format, args...)
	}
	size, kind, err := image.DecodeConfig(bytes.NewReader(i.Bytes))
	if err != nil {
		return bad("it is no PNG or JPEG that can be read: %w", err)
	}
	if size.Width < 1 || size.Height < 1 || size.Width*size.Height > mostImagePixels {
		return bad("%d × %d pixels are none or too many", size.Width, size.Height)
	}
	picture, _, err := image.Decode(bytes.NewReader(i.Bytes))
	if err != nil {
		return bad("it is damaged: %w", err)
	}
	columns, rows = f.Size(size.Width, size.Height)
	mime := or(f.MIME, pngType)
	if columns == size.Width && rows == size.Height && mime == "image/"+kind {
		return Image{MIME: mime, Bytes: i.Bytes}, columns, rows, nil
	}
	if columns != size.Width || rows != size.Height {
		picture = resized(picture, columns, rows)
	}
	var b bytes.Buffer
	if mime == jpegType {
		err = jpeg.Encode(&b, picture, &jpeg.Options{Quality: or(f.Quality, 92)})
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, picture)
	}
	if err != nil {
		return bad("it cannot be written as %s: %w", mime, err)
	}
	return Image{MIME: mime, Bytes: b.Bytes()}, columns, rows, nil
}

// Size is the one that a picture of so many columns and rows is sent in: its long side bounded, its sides whole multiples.
func (f ImageForm) Size(columns, rows int) (int, int) {
	if long := max(columns, rows); f.LongSide > 0 && long > f.LongSide {
		columns, rows = max(1, (columns*f.LongSide+long/2)/long), max(1, (rows*f.LongSide+long/2)/long)
	}
	if m := f.Multiple; m > 1 {
		columns, rows = max(m, (columns+m/2)/m*m), max(m, (rows+m/2)/m*m)
		if f.LongSide > 0 { // rounding must not exceed the bound
			most := f.LongSide / m * m
			columns, rows = min(columns, most), min(rows, most)
		}
	}
	return columns, rows
}

// resized draws a picture in another size; grey stays grey.
func resized(picture image.Image, columns, rows int) image.Image {
	to := image.Rect(0, 0, columns, rows)
	var out draw.Image = image.NewNRGBA(to)
	if _, grey := picture.(*image.Gray); grey {
		out = image.NewGray(to)
	}
	scale.CatmullRom.Scale(out, to, picture, picture.Bounds(), draw.Src, nil)
	return out
}
