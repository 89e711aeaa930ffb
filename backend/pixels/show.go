package pixels

import (
	"image"
	"image/png"
	"io"

	"golang.org/x/image/draw"

	"plumbline/backend/review"
)

// Show draws a frame as it is seen: grey through a tone, or colour (the tone is then not used), turned by its EXIF orientation. The result is
// an *image.Gray or an *image.NRGBA of the size that ShownSize says.
func Show(f review.Frame, s review.Samples, t Tone) (image.Image, error) {
	img, err := drawStored(f, s, t)
	if err != nil {
		return nil, err
	}
	return turn(f, img), nil
}

// drawStored draws a frame as it is stored.
func drawStored(f review.Frame, s review.Samples, t Tone) (image.Image, error) {
	if IsColour(f) {
		rgb, err := RGB(f, s)
		if err != nil {
			return nil, err
		}
		img := image.NewNRGBA(image.Rect(0, 0, s.Columns, s.Rows))
		for i := range s.Rows * s.Columns {
			copy(img.Pix[4*i:], rgb.Data[3*i:3*i+3])
			img.Pix[4*i+3] = 255
		}
		return img, nil
	}
	img := image.NewGray(image.Rect(0, 0, s.Columns, s.Rows))
	grey := func(stored float64) byte { return byte(t.Grey(Value(f, stored)) + .5) }
	if s.Float || s.BitsAllocated > 16 {
		for i := range img.Pix {
			img.Pix[i] = grey(Stored(s, i))
		}
		return img, nil
	}
	// Few values, many pixels: each is worked out once.
	var table [65536]byte
	var known [65536]bool
	for i := range img.Pix {
		v := Stored(s, i)
		k := uint16(int(v))
		if !known[k] {
			table[k], known[k] = grey(v), true
		}
		img.Pix[i] = table[k]
	}
	return img, nil
}

// ShowDefault draws a frame through its first window.
func ShowDefault(f review.Frame, s review.Samples) (image.Image, error) {
	if IsColour(f) {
		return Show(f, s, Tone{})
	}
	t, err := ToneOf(f, s, 0)
	if err != nil {
		return nil, err
	}
	return Show(f, s, t)
}

// Fit scales a picture that Show made of frame f so that its longer side has px pixels, with pixels drawn as long and wide as they are. px 0 keeps the longer side.
func Fit(f review.Frame, img image.Image, px int) image.Image {
	width, height := float64(img.Bounds().Dx()), float64(img.Bounds().Dy())
	if f.SpacingMM != nil {
		height *= f.SpacingMM[0] / f.SpacingMM[1]
	} else if f.PixelAspect != nil {
		height *= f.PixelAspect[0] / f.PixelAspect[1]
	}
	longest := max(width, height)
	if px == 0 {
		px = max(img.Bounds().Dx(), img.Bounds().Dy())
	}
	w, h := max(1, int(width/longest*float64(px)+.5)), max(1, int(height/longest*float64(px)+.5))
	if w == img.Bounds().Dx() && h == img.Bounds().Dy() {
		return img
	}
	var out draw.Image = image.NewNRGBA(image.Rect(0, 0, w, h))
	if _, ok := img.(*image.Gray); ok {
		out = image.NewGray(image.Rect(0, 0, w, h))
	}
	draw.CatmullRom.Scale(out, out.Bounds(), img, img.Bounds(), draw.Src, nil)
	return out
}

// Thumbnail draws a frame through its first window with at most px pixels on a side.
func Thumbnail(f review.Frame, s review.Samples, px int) (image.Image, error) {
	img, err := ShowDefault(f, s)
	if err != nil {
		return nil, err
	}
	return Fit(f, img, min(px, max(s.Rows, s.Columns))), nil
}

// PNG writes a picture, quickly rather than small.
func PNG(w io.Writer, img image.Image) error {
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	return e.Encode(w, img)
}
