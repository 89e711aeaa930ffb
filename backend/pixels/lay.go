package pixels

import (
	"image"

	"plumbline/backend/review"
)

// Lay draws over a picture that Show made of frame f: data holds a byte for each stored pixel, row by row, 0 for nothing to 255 for all of a
// colour at an opacity of 0 to 1. Data of another size than the frame draw nothing.
func Lay(f review.Frame, img image.Image, data []byte, colour [3]uint8, opacity float64) *image.NRGBA {
	out, laid := img.(*image.NRGBA)
	b := img.Bounds()
	if !laid {
		out = image.NewNRGBA(b)
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				out.Set(x, y, img.At(x, y))
			}
		}
	}
	if len(data) != f.Rows*f.Columns {
		return out
	}
	for y := range b.Dy() {
		for x := range b.Dx() {
			column, row := StoredPixel(f, x, y)
			v := data[row*f.Columns+column]
			if v == 0 {
				continue
			}
			part := opacity * float64(v) / 255
			at := out.PixOffset(b.Min.X+x, b.Min.Y+y)
			for k := range 3 {
				out.Pix[at+k] = byte(float64(out.Pix[at+k])*(1-part) + float64(colour[k])*part + .5)
			}
		}
	}
	return out
}

// Outline gives the pixels at the edge of a region on frame n of so many, as Lay takes them; of a point, the pixel. Fault Invalid for a
// region that has no place in them.
func Outline(r review.Region, p review.Plane, n, frames int) ([]byte, error) {
	data := make([]byte, p.Columns*p.Rows)
	if r.Shape == review.Point && len(r.Coords) == 2 {
		at := p.ToPixel(review.UnitPoint{X: r.Coords[0], Y: r.Coords[1]})
		x, y := min(int(at.X), p.Columns-1), min(int(at.Y), p.Rows-1)
		if x >= 0 && y >= 0 && (r.Frame == nil || *r.Frame == n) {
			data[y*p.Columns+x] = 255
		}
		return data, nil
	}
	m, err := MaskOf([]review.Region{r}, p, frames)
	if err != nil {
		return nil, err
	}
	inside := func(x, y int) bool { return x >= 0 && y >= 0 && x < p.Columns && y < p.Rows && m.Has(n, y*p.Columns+x) }
	for y := range p.Rows {
		for x := range p.Columns {
			if inside(x, y) && !(inside(x-1, y) && inside(x+1, y) && inside(x, y-1) && inside(x, y+1)) {
				data[y*p.Columns+x] = 255
			}
		}
	}
	return data, nil
}
