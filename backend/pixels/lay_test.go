package pixels

import (
	"image"
	"testing"

	"plumbline/backend/review"
)

func TestLayTintsWhatIsDrawn(t *testing.T) {
	f := review.Frame{Rows: 1, Columns: 3}
	grey := image.NewGray(image.Rect(0, 0, 3, 1))
	grey.Pix = []byte{100, 100, 100}
	got := Lay(f, grey, []byte{0, 255, 128}, [3]uint8{200, 0, 100}, .5)
	for x, want := range [][3]uint8{{100, 100, 100}, {150, 50, 100}, {125, 75, 100}} {
		if c := got.NRGBAAt(x, 0); [3]uint8{c.R, c.G, c.B} != want || c.A != 255 {
			t.Errorf("pixel %d is %v, want %v", x, c, want)
		}
	}
	if again := Lay(f, got, []byte{255}, [3]uint8{}, 1); again.NRGBAAt(0, 0).R != 100 {
		t.Error("data of another size are drawn")
	}
	// A picture that is shown turned: what is drawn turns with it.
	turned := review.Frame{Rows: 1, Columns: 2, ExifOrientation: 6}
	got = Lay(turned, image.NewGray(image.Rect(0, 0, 1, 2)), []byte{255, 0}, [3]uint8{9, 9, 9}, 1)
	column, row := StoredPixel(turned, 0, 0)
	if want := uint8(9 * (1 - column - row)); got.NRGBAAt(0, 0).R != want || got.NRGBAAt(0, 1).R != 9-want {
		t.Errorf("turned: %v %v", got.NRGBAAt(0, 0), got.NRGBAAt(0, 1))
	}
}

func TestOutlineIsTheEdge(t *testing.T) {
	one := 1
	box := review.Region{Shape: review.Box, Frame: &one, Coords: []float64{.2, .2, .8, .8}}
	got, err := Outline(box, review.Plane{Columns: 5, Rows: 5}, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		x, y := i%5, i/5
		want := x >= 1 && x <= 3 && y >= 1 && y <= 3 && (x != 2 || y != 2)
		if (v != 0) != want {
			t.Errorf("pixel %d,%d is %d", x, y, v)
		}
	}
	if got, err = Outline(box, review.Plane{Columns: 5, Rows: 5}, 0, 2); err != nil || got[6] != 0 {
		t.Errorf("another frame: %v, %v", got, err)
	}
	point := review.Region{Shape: review.Point, Frame: &one, Coords: []float64{1, .5}}
	if got, err = Outline(point, review.Plane{Columns: 4, Rows: 4}, 1, 2); err != nil || got[4*2+3] != 255 {
		t.Errorf("a point: %v, %v", got, err)
	}
	if _, err = Outline(review.Region{Shape: "spiral"}, review.Plane{Columns: 4, Rows: 4}, 0, 1); err == nil {
		t.Error("no shape, no outline")
	}
}
