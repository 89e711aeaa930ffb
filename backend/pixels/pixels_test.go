package pixels

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/png"
	"math"
	"testing"

	"pgregory.net/rapid"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// grey16 is one row of signed 16-bit values.
func grey16(v ...int) (review.Frame, review.Samples) {
	f := review.Frame{Rows: 1, Columns: len(v), Samples: 1, BitsAllocated: 16, BitsStored: 16, Signed: true, Photometric: "MONOCHROME2", Slope: 1, VOIFunction: "LINEAR"}
	s := review.Samples{Rows: 1, Columns: len(v), PerPixel: 1, BitsAllocated: 16, Signed: true}
	for _, x := range v {
		s.Data = binary.LittleEndian.AppendUint16(s.Data, uint16(x))
	}
	return f, s
}

// colour is one row of 8-bit pixels.
func colour(photometric string, v ...byte) (review.Frame, review.Samples) {
	n := len(v) / 3
	return review.Frame{Rows: 1, Columns: n, Samples: 3, BitsAllocated: 8, BitsStored: 8, Photometric: photometric, Slope: 1},
		review.Samples{Rows: 1, Columns: n, PerPixel: 3, BitsAllocated: 8, Data: v}
}

// The numbers of PS3.3 C.11.2 as worked out by an independent implementation, and those of pydicom's own tests.
func TestGrey(t *testing.T) {
	tests := []struct {
		name   string
		tone   Tone
		values []float64
		want   []float64
	}{
		{"LINEAR", Tone{Window: review.Window{Center: 40, Width: 400}, Function: "LINEAR"},
			[]float64{-161, -160, -159, 0, 39, 40, 239, 240}, []float64{0, 0, .64, 102.26, 127.18, 127.82, 255, 255}}, // D01: the formula takes half off the centre and one off the width
		{"LINEAR of pydicom", Tone{Window: review.Window{Center: 254, Width: 128}, Function: "LINEAR"},
			[]float64{0, 1, 128, 254, 255}, []float64{0, 0, 0, 128.5, 130.5}},
		{"LINEAR_EXACT of pydicom", Tone{Window: review.Window{Center: 254, Width: 128}, Function: "LINEAR_EXACT"},
			[]float64{0, 1, 128, 254, 255}, []float64{0, 0, 0, 127.5, 129.5}},
		{"SIGMOID of pydicom", Tone{Window: review.Window{Center: 254, Width: 128}, Function: "SIGMOID"},
			[]float64{0, 1, 128, 254, 255}, []float64{.1, .1, 4.9, 127.5, 129.5}},
		{"width 1 is a threshold", Tone{Window: review.Window{Center: 127.5, Width: 1}, Function: "LINEAR"}, []float64{126, 127, 128}, []float64{0, 0, 255}}, // D02: no grey between
		{"width below 1", Tone{Window: review.Window{Center: .5, Width: .4}, Function: "LINEAR"}, []float64{.3, .5, .7}, []float64{0, 127.5, 255}},           // D04: never NaN
		{"inverted after the window", Tone{Window: review.Window{Center: 254, Width: 128}, Function: "LINEAR", Invert: true},
			[]float64{0, 1, 128, 254, 255}, []float64{255, 255, 255, 126.5, 124.5}}, // D05: inverted after the window, once
		{"table", Tone{LUT: &review.LUT{First: 10, Bits: 8, Data: []uint16{0, 51, 255}}}, []float64{0, 10, 11, 12, 99}, []float64{0, 0, 51, 255, 255}},
		{"table of 12 bits inverted", Tone{LUT: &review.LUT{Bits: 12, Data: []uint16{0, 4095}}, Invert: true}, []float64{0, 1}, []float64{255, 0}},
		{"no width", Tone{Function: "LINEAR"}, []float64{math.NaN(), 3}, []float64{0, 0}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			for i, v := range c.values {
				if got := c.tone.Grey(v); math.Abs(got-c.want[i]) > .1 {
					t.Errorf("%g becomes %.2f, want %.2f", v, got, c.want[i])
				}
			}
		})
	}
}

func TestGreyRisesAndStaysInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tone := Tone{
			Window:   review.Window{Center: rapid.Float64Range(-2000, 2000).Draw(t, "center"), Width: rapid.Float64Range(.01, 4000).Draw(t, "width")},
			Function: rapid.SampledFrom([]string{"LINEAR", "LINEAR_EXACT", "SIGMOID"}).Draw(t, "function"),
		}
		a, b := rapid.Float64Range(-5000, 5000).Draw(t, "a"), rapid.Float64Range(-5000, 5000).Draw(t, "b")
		low, high := tone.Grey(min(a, b)), tone.Grey(max(a, b))
		if low > high || low < 0 || high > 255 {
			t.Fatalf("%g and %g become %g and %g", min(a, b), max(a, b), low, high)
		}
		tone.Invert = true
		if got := tone.Grey(min(a, b)); math.Abs(got+low-255) > 1e-9 {
			t.Fatalf("inverted %g and not %g", got, 255-low)
		}
	})
}

func TestValues(t *testing.T) {
	f, s := grey16(0, 128, -5)
	f.Slope, f.Intercept = -10, 3000
	for i, want := range []float64{3000, 1720, 3050} { // D07: a slope below zero
		if got := Value(f, Stored(s, i)); got != want {
			t.Errorf("value %d is %g, want %g", i, got, want)
		}
	}
	f.ModalityLUT = &review.LUT{First: 0, Bits: 16, Data: []uint16{7, 8}}
	for i, want := range []float64{7, 8, 7} {
		if got := Value(f, Stored(s, i)); got != want {
			t.Errorf("table value %d is %g, want %g", i, got, want)
		}
	}
}

func TestStoredReadsEverySort(t *testing.T) {
	tests := []struct {
		name string
		s    review.Samples
		want float64
	}{
		{"bit", review.Samples{BitsAllocated: 1, Data: []byte{1}}, 1},
		{"byte", review.Samples{BitsAllocated: 8, Data: []byte{255}}, 255},
		{"signed byte", review.Samples{BitsAllocated: 8, Signed: true, Data: []byte{255}}, -1},
		{"word", review.Samples{BitsAllocated: 16, Data: []byte{0xFE, 0xFF}}, 65534},
		{"signed word", review.Samples{BitsAllocated: 16, Signed: true, Data: []byte{0xFE, 0xFF}}, -2},
		{"32 bits", review.Samples{BitsAllocated: 32, Data: []byte{0, 0, 0, 0x80}}, 1 << 31},
		{"32 bits signed", review.Samples{BitsAllocated: 32, Signed: true, Data: []byte{0, 0, 0, 0x80}}, -(1 << 31)},
		{"float", review.Samples{BitsAllocated: 32, Float: true, Data: binary.LittleEndian.AppendUint32(nil, math.Float32bits(1.5))}, 1.5},
		{"double", review.Samples{BitsAllocated: 64, Float: true, Data: binary.LittleEndian.AppendUint64(nil, math.Float64bits(-2.25))}, -2.25},
		{"64 bits", review.Samples{BitsAllocated: 64, Data: []byte{0, 0, 0, 0, 1, 0, 0, 0}}, 1 << 32},
		{"64 bits signed", review.Samples{BitsAllocated: 64, Signed: true, Data: bytes.Repeat([]byte{255}, 8)}, -1},
	}
	for _, c := range tests {
		if got := Stored(c.s, 0); got != c.want {
			t.Errorf("%s is %g, want %g", c.name, got, c.want)
		}
	}
}

func TestAutoWindowShowsEverythingButPadding(t *testing.T) { // D11
	f, s := grey16(-2000, 100, 600, 1100)
	padding := -2000.0
	f.Padding = &padding
	shown := Windowed(f, s)
	if !shown.WindowComputed || shown.Windows[0].Center != 600.5 || shown.Windows[0].Width != 1001 {
		t.Fatalf("window %+v", shown.Windows)
	}
	tone, err := ToneOf(f, s, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 0, 127.5, 255} {
		if got := tone.Grey(Value(f, Stored(s, i))); math.Abs(got-want) > 1e-9 {
			t.Errorf("sample %d becomes %g, want %g", i, got, want)
		}
	}
	limit := 100.0
	f.PaddingLimit = &limit
	if w := AutoWindow(f, s); w.Center != 850.5 {
		t.Errorf("with a range of padding the window is %+v", w)
	}
	empty, none := grey16(-2000)
	empty.Padding = &padding
	if w := AutoWindow(empty, none); w.Width != 2 {
		t.Errorf("a frame of padding alone has window %+v", w)
	}
}

func TestWindowsAreChosenByNumber(t *testing.T) {
	f, s := grey16(642)
	f.Windows = []review.Window{{Center: 450, Width: 790}, {Center: 200, Width: 443}}
	f.VOILUTs = []review.LUT{{First: 642, Bits: 8, Data: []uint16{51}}}
	for n, want := range []float64{189.71, 255, 51} { // D10: the first is the default, the second can be chosen
		tone, err := ToneOf(f, s, n)
		if err != nil {
			t.Fatal(err)
		}
		if got := tone.Grey(642); math.Abs(got-want) > .01 {
			t.Errorf("window %d gives %.2f, want %.2f", n, got, want)
		}
	}
	for _, n := range []int{-1, 3} {
		if _, err := ToneOf(f, s, n); fault.KindOf(err) != fault.Usage {
			t.Errorf("window %d gave %v", n, err)
		}
	}
}

func TestColourBecomesRGB(t *testing.T) {
	tests := []struct {
		photometric string
		in, want    []byte
	}{
		{"YBR_FULL", []byte{76, 85, 255, 166, 106, 193, 29, 255, 107, 64, 128, 128}, []byte{254, 0, 0, 255, 127, 127, 0, 0, 254, 64, 64, 64}}, // C01: within one
		{"YBR_FULL_422", []byte{150, 46, 20}, []byte{0, 255, 5}},
		{"YBR_PARTIAL_422", []byte{16, 128, 128, 235, 128, 128}, []byte{0, 0, 0, 255, 255, 255}},
		{"YBR_RCT", []byte{1, 2, 3}, []byte{1, 2, 3}},
		{"RGB", []byte{1, 2, 3}, []byte{1, 2, 3}},
	}
	for _, c := range tests {
		t.Run(c.photometric, func(t *testing.T) {
			f, s := colour(c.photometric, c.in...)
			got, err := RGB(f, s)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range got.Data {
				if d := int(v) - int(c.want[i]); d < -1 || d > 1 {
					t.Fatalf("got %v, want %v", got.Data, c.want)
				}
			}
		})
	}
	f, s := colour("CMYK", 1, 2, 3)
	if _, err := RGB(f, s); fault.KindOf(err) != fault.Invalid {
		t.Errorf("CMYK gave %v", err)
	}
}

func TestColourOf16BitsKeepsItsUpperByte(t *testing.T) {
	f, _ := colour("RGB")
	f.BitsAllocated, f.BitsStored = 16, 16
	s := review.Samples{Rows: 1, Columns: 1, PerPixel: 3, BitsAllocated: 16, Data: []byte{0, 0, 0, 0x80, 0xFF, 0xFF}} // C05: 16 bits a channel
	got, err := RGB(f, s)
	if err != nil || !bytes.Equal(got.Data, []byte{0, 128, 255}) {
		t.Errorf("got %v, %v", got.Data, err)
	}
}

func TestTheScreenGetsWhatItTakes(t *testing.T) {
	dose := review.Samples{Rows: 1, Columns: 2, PerPixel: 1, BitsAllocated: 32, Data: []byte{1, 0, 0, 0, 0, 0, 0, 0x80}}
	got, err := Screen(review.Frame{Samples: 1, Photometric: "MONOCHROME2"}, dose)
	if err != nil || !got.Float || got.BitsAllocated != 32 || Stored(got, 0) != 1 || Stored(got, 1) != 1<<31 {
		t.Errorf("a dose becomes %+v, %v", got, err)
	}
	f, s := grey16(1, 2)
	if got, err := Screen(f, s); err != nil || got.BitsAllocated != 16 {
		t.Errorf("words become %+v, %v", got, err)
	}
	f, s = colour("YBR_FULL", 76, 85, 255)
	if got, err := Screen(f, s); err != nil || got.Data[0] != 254 {
		t.Errorf("colour becomes %+v, %v", got, err)
	}
}

func TestPaletteColours(t *testing.T) {
	lut := func(first int, v ...uint16) review.LUT { return review.LUT{First: first, Bits: 16, Data: v} }
	f := review.Frame{Samples: 1, Photometric: "PALETTE COLOR", Palette: &review.Palette{
		Red: lut(1, 0xFF00, 0x8000), Green: lut(1, 0x8000, 0), Blue: lut(1, 0x00FF, 0x0100)}}
	s := review.Samples{Rows: 1, Columns: 4, PerPixel: 1, BitsAllocated: 8, Data: []byte{0, 1, 2, 200}}
	got, err := RGB(f, s)
	if want := []byte{255, 128, 0, 255, 128, 0, 128, 0, 1, 128, 0, 1}; err != nil || !bytes.Equal(got.Data, want) { // C04: the high byte; below the first index its entry
		t.Errorf("got %v, %v, want %v", got.Data, err, want)
	}
	small := lut(0, 1, 200)
	f.Palette = &review.Palette{Red: small, Green: small, Blue: small}
	if got, err = RGB(f, s); err != nil || got.Data[3] != 200 {
		t.Errorf("a table of bytes that says 16 bits gives %v, %v", got.Data, err)
	}
	f.Palette = nil
	if _, err := RGB(f, s); fault.KindOf(err) != fault.Damaged {
		t.Errorf("no palette gave %v", err)
	}
}

func TestShowDrawsWhatGreySays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, s := grey16(rapid.SliceOfN(rapid.IntRange(-32768, 32767), 1, 50).Draw(t, "values")...)
		f.Invert = rapid.Bool().Draw(t, "invert")
		tone := WindowTone(f, review.Window{Center: rapid.Float64Range(-100, 100).Draw(t, "c"), Width: rapid.Float64Range(1, 3000).Draw(t, "w")})
		img, err := Show(f, s, tone)
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range img.(*image.Gray).Pix {
			if want := byte(tone.Grey(Value(f, Stored(s, i))) + .5); got != want {
				t.Fatalf("pixel %d is %d, want %d", i, got, want)
			}
		}
	})
}

func TestPicturesComeBackFromPNG(t *testing.T) {
	f, s := colour("RGB", 1, 2, 3, 4, 5, 6)
	img, err := ShowDefault(f, s)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := PNG(&b, img); err != nil {
		t.Fatal(err)
	}
	back, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if r, g, bl, _ := back.At(1, 0).RGBA(); r>>8 != 4 || g>>8 != 5 || bl>>8 != 6 {
		t.Errorf("pixel %d %d %d", r>>8, g>>8, bl>>8)
	}
}

func TestFitDrawsMillimetresSquare(t *testing.T) {
	f, _ := grey16(0)
	img := image.NewGray(image.Rect(0, 0, 100, 100))
	tests := []struct {
		name          string
		frame         review.Frame
		px            int
		width, height int
	}{
		{"as stored", f, 0, 100, 100},
		{"smaller", f, 50, 50, 50},
		{"tall pixels", review.Frame{SpacingMM: []float64{2, 1}}, 200, 100, 200},
		{"wide pixels", review.Frame{PixelAspect: []float64{1, 2}}, 0, 100, 50},
	}
	for _, c := range tests {
		b := Fit(c.frame, img, c.px).Bounds()
		if b.Dx() != c.width || b.Dy() != c.height {
			t.Errorf("%s: %d×%d, want %d×%d", c.name, b.Dx(), b.Dy(), c.width, c.height)
		}
	}
	frame, s := grey16(1, 2, 3, 4)
	thumb, err := Thumbnail(frame, s, 2)
	if err != nil || thumb.Bounds().Dx() != 2 {
		t.Errorf("thumbnail %v, %v", thumb, err)
	}
}

func TestExifOrientationTurnsThePicture(t *testing.T) {
	f, s := grey16(0, 1, 2, 3, 4, 5)
	f.Rows, f.Columns, s.Rows, s.Columns = 2, 3, 2, 3
	f.Windows = []review.Window{{Center: 128, Width: 256}}
	for orientation, want := range map[int][]byte{
		0: {0, 1, 2, 3, 4, 5}, 2: {2, 1, 0, 5, 4, 3}, 3: {5, 4, 3, 2, 1, 0}, 4: {3, 4, 5, 0, 1, 2},
		5: {0, 3, 1, 4, 2, 5}, 6: {3, 0, 4, 1, 5, 2}, 7: {5, 2, 4, 1, 3, 0}, 8: {2, 5, 1, 4, 0, 3},
	} {
		f.ExifOrientation = orientation
		img, err := ShowDefault(f, s)
		if err != nil {
			t.Fatal(err)
		}
		columns, rows := ShownSize(f)
		if g := img.(*image.Gray); !bytes.Equal(g.Pix, want) || g.Rect.Dx() != columns || g.Rect.Dy() != rows {
			t.Errorf("orientation %d shows %v as %v", orientation, g.Pix, g.Rect)
		}
	}
	// A pixel shown at 39,30 of a picture stored 400×300 with orientation 6 is the stored 30,260.
	big := review.Frame{Rows: 300, Columns: 400, ExifOrientation: 6}
	if c, r := StoredPixel(big, 39, 30); c != 30 || r != 260 {
		t.Errorf("stored pixel %d,%d", c, r)
	}
}
