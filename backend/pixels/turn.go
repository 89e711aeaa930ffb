package pixels

import (
	"image"
	"image/draw"

	"plumbline/backend/review"
)

// ShownSize gives the columns and rows of a frame as it is shown: they change places where its EXIF orientation lays it on its side.
func ShownSize(f review.Frame) (columns, rows int) {
	if f.ExifOrientation >= 5 {
		return f.Rows, f.Columns
	}
	return f.Columns, f.Rows
}

// StoredPixel gives the stored pixel that is shown at x, y, all from 0 (EXIF 2.32, tag 0x0112).
func StoredPixel(f review.Frame, x, y int) (column, row int) {
	right, bottom := f.Columns-1, f.Rows-1
	switch f.ExifOrientation {
	case 2:
		return right - x, y
	case 3:
		return right - x, bottom - y
	case 4:
		return x, bottom - y
	case 5:
		return y, x
	case 6:
		return y, bottom - x
	case 7:
		return right - y, bottom - x
	case 8:
		return right - y, x
	}
	return x, y
}

// turn gives a picture of frame f as it is shown.
func turn(f review.Frame, img image.Image) image.Image {
	if f.ExifOrientation < 2 {
		return img
	}
	columns, rows := ShownSize(f)
	var out draw.Image = image.NewNRGBA(image.Rect(0, 0, columns, rows))
	if _, ok := img.(*image.Gray); ok {
		out = image.NewGray(image.Rect(0, 0, columns, rows))
	}
	for y := range rows {
		for x := range columns {
			out.Set(x, y, img.At(StoredPixel(f, x, y)))
		}
	}
	return out
}
