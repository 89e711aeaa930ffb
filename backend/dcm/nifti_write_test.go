package dcm

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// written writes frames whose samples count up from 0.
func written(t testing.TB, frames []review.Frame) ([]byte, error) {
	t.Helper()
	var b bytes.Buffer
	next := 0
	err := WriteNIfTI(&b, frames, func(i int) (review.Samples, error) {
		f := frames[i]
		s := review.Samples{Rows: f.Rows, Columns: f.Columns, PerPixel: f.Samples, BitsAllocated: f.BitsAllocated, Signed: f.Signed, Float: f.Float}
		for range f.Rows * f.Columns * f.Samples * s.Width() {
			s.Data = append(s.Data, byte(next))
			next++
		}
		return s, nil
	})
	return b.Bytes(), err
}

// placed gives frames of planes: 4 rows, 3 columns, rows .5954 mm and columns .5454 mm apart.
func placed(z ...float64) (out []review.Frame) {
	for _, at := range z {
		out = append(out, review.Frame{Rows: 4, Columns: 3, Samples: 1, BitsAllocated: 16, BitsStored: 12, Signed: true, Photometric: "MONOCHROME2", Slope: 2, Intercept: -1024,
			SpacingMM: []float64{.5954, .5454}, Position: []float64{-100, 40, at}, Orientation: axial})
	}
	return out
}

// G02: the spacing of a NIfTI file is columns first: x (between columns) 0.5454, y (between rows) 0.5954.
func TestAVolumeIsWrittenAsNIfTI(t *testing.T) {
	frames := placed(10, 12.5, 15)
	b, err := written(t, frames)
	if err != nil {
		t.Fatal(err)
	}
	pixdim := func(i int) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[76+4*i:]))) }
	for i, want := range map[int]float64{1: .5454, 2: .5954, 3: 2.5} {
		if math.Abs(pixdim(i)-want) > 1e-6 {
			t.Errorf("pixdim[%d] is %g, want %g", i, pixdim(i), want)
		}
	}
	for name, file := range map[string][]byte{"a.nii": b, "a.nii.gz": zipped(t, b)} {
		f, err := Load(writeFile(t, name, file))
		if err != nil {
			t.Fatal(err)
		}
		got := f.Header().Frames
		for i, want := range frames {
			if !near32(got[i].Position, want.Position) || !near32(got[i].Orientation, want.Orientation) || !near32(got[i].SpacingMM, want.SpacingMM) ||
				got[i].Slope != 2 || got[i].Intercept != -1024 || !got[i].Signed {
				t.Errorf("frame %d lies %v, %v, %v", i, got[i].Position, got[i].Orientation, got[i].SpacingMM)
			}
		}
		if s := frame(t, f, 1); len(s) != 24 || s[0] != 24 || s[23] != 47 {
			t.Errorf("samples of the middle plane %v", s)
		}
	}
}

// near32 compares numbers that went through 32 bits.
func near32(a, b []float64) bool {
	for i := range a {
		if len(a) != len(b) || math.Abs(a[i]-b[i]) > 1e-4 {
			return false
		}
	}
	return true
}

func TestWhatNIfTIDoesNotHoldIsRefusedInWords(t *testing.T) {
	with := func(change func(f []review.Frame)) []review.Frame {
		f := placed(0, 5, 10, 15)
		change(f)
		return f
	}
	for word, frames := range map[string][]review.Frame{
		"no frames":        nil,
		"evenly spaced":    placed(0, 5, 15, 20),
		"another size":     with(func(f []review.Frame) { f[2].Rows = 5 }),
		"another scale":    with(func(f []review.Frame) { f[1].Slope = 3 }),
		"by a table":       with(func(f []review.Frame) { f[0].ModalityLUT = &review.LUT{} }),
		"cut short":        with(func(f []review.Frame) { f[3].Problem = "pixel data cut short" }),
		"more than 32767":  with(func(f []review.Frame) { f[0].Rows = 40000; f[1].Rows = 40000; f[2].Rows = 40000; f[3].Rows = 40000 }),
		"colours as YBR":   {{Rows: 1, Columns: 1, Samples: 3, BitsAllocated: 8, Photometric: "YBR_FULL"}},
		"samples of 24":    {{Rows: 1, Columns: 1, Samples: 1, BitsAllocated: 24}},
		"PALETTE with 8 b": {{Rows: 1, Columns: 1, Samples: 1, BitsAllocated: 8, Photometric: "PALETTE", Palette: &review.Palette{}}},
	} {
		if _, err := written(t, frames); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v", word, err)
		}
	}
}

func TestEveryTypeOfSampleIsWritten(t *testing.T) {
	for _, f := range []review.Frame{
		{BitsAllocated: 1}, {BitsAllocated: 8}, {BitsAllocated: 8, Signed: true}, {BitsAllocated: 16}, {BitsAllocated: 32}, {BitsAllocated: 32, Signed: true},
		{BitsAllocated: 32, Float: true}, {BitsAllocated: 64, Float: true}, {BitsAllocated: 8, Samples: 3, Photometric: "RGB"},
	} {
		f.Rows, f.Columns, f.Samples, f.Slope = 2, 2, max(1, f.Samples), 1
		b, err := written(t, []review.Frame{f})
		if err != nil {
			t.Fatal(err)
		}
		file, err := Load(writeFile(t, "a.nii", b))
		if err != nil {
			t.Fatal(err)
		}
		got := file.Header().Frames[0]
		if got.BitsAllocated != max(8, f.BitsAllocated) || got.Signed != f.Signed || got.Float != f.Float || got.Samples != f.Samples || got.Position != nil {
			t.Errorf("%+v came back as %+v", f, got)
		}
		if s := frame(t, file, 0); s[0] != 0 || int(s[len(s)-1]) != len(s)-1 {
			t.Errorf("samples %v", s)
		}
	}
}
