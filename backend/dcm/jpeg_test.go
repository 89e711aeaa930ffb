package dcm

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"
)

// colourJPEG is a picture of odd size with chroma at half the width and height, as Go writes it, and as Go decodes it.
func colourJPEG(t testing.TB) ([]byte, *image.YCbCr) {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 45, 37))
	for y := range 37 {
		for x := range 45 {
			img.Set(x, y, color.RGBA{R: byte(5 * x), G: byte(6 * y), B: byte(3*x + 2*y), A: 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	back, err := jpeg.Decode(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), back.(*image.YCbCr)
}

func TestColourJPEGKeepsItsComponents(t *testing.T) {
	packed, want := colourJPEG(t)
	got, err := decodeJPEG(packed, pixelSpec{rows: 37, columns: 45, samples: 3, allocated: 8})
	if err != nil {
		t.Fatal(err)
	}
	near := func(a, b byte, by int) bool { return int(a)-int(b) <= by && int(b)-int(a) <= by }
	for y := range 37 {
		for x := range 45 {
			at := 3 * (y*45 + x)
			c := want.COffset(x, y)
			// Luma to the transform's rounding; chroma, smoothed here and repeated there, to the step of a slow ramp.
			if !near(got[at], want.Y[want.YOffset(x, y)], 1) || !near(got[at+1], want.Cb[c], 8) || !near(got[at+2], want.Cr[c], 8) {
				t.Fatalf("pixel %d,%d is %v", x, y, got[at:at+3])
			}
		}
	}
}

func TestJPEGThatIsDamagedEnds(t *testing.T) {
	packed, _ := colourJPEG(t)
	p := pixelSpec{rows: 37, columns: 45, samples: 3, allocated: 8}
	for n := range len(packed) - 20 {
		if _, err := decodeJPEG(packed[:n], p); err == nil {
			t.Fatalf("the first %d bytes gave a picture", n)
		}
	}
	if _, err := decodeJPEG(packed, pixelSpec{rows: 8000, columns: 8000, samples: 3, allocated: 8}); err == nil {
		t.Error("too few blocks gave a picture")
	}
}

func TestSmoothUpsampling(t *testing.T) {
	// By hand from jdsample.c: edges as they are, 3/4 and 1/4 between, rounded down and up in turn.
	line := make([]uint16, 8)
	if got := smooth(line, []uint16{0, 10, 20}, nil); got[0] != 0 || got[1] != 3 || got[2] != 7 || got[3] != 13 || got[4] != 17 || got[5] != 20 {
		t.Errorf("wide: %v", got)
	}
	if got := smooth(line, []uint16{0, 10, 20}, []uint16{0, 10, 20}); got[0] != 0 || got[1] != 2 || got[2] != 8 || got[5] != 20 {
		t.Errorf("wide and high: %v", got)
	}
}
