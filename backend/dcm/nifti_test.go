package dcm

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// niftiMade is a NIfTI file to write.
type niftiMade struct {
	order   binary.ByteOrder
	two     bool
	dim     []int
	kind    int
	step    [3]float64
	sform   [3][4]float64
	quatern [3]float64 // where not zero or qform: a qform in place of the sform
	qform   bool
	face    float64
	offset  [3]float64
	slope   float64
	inter   float64
	data    []byte
}

// bytes writes the file as nifti1.h and nifti2.h lay it out.
func (m niftiMade) bytes() []byte {
	o := m.order
	if o == nil {
		o = binary.LittleEndian
	}
	pix := [8]float64{1, m.step[0], m.step[1], m.step[2], 1}
	if m.face != 0 {
		pix[0] = m.face
	}
	put16 := func(b []byte, v int) { o.PutUint16(b, uint16(v)) }
	put32 := func(b []byte, v float64) { o.PutUint32(b, math.Float32bits(float32(v))) }
	put64 := func(b []byte, v float64) { o.PutUint64(b, math.Float64bits(v)) }
	sform, qform := 1, 0
	if m.qform {
		sform, qform = 0, 1
	}
	if m.step == [3]float64{} {
		sform = 0
	}
	if m.two {
		b := make([]byte, 544)
		o.PutUint32(b, 540)
		copy(b[4:], "n+2\x00\r\n\x1a\n")
		put16(b[12:], m.kind)
		o.PutUint64(b[16:], uint64(len(m.dim)))
		for i, d := range m.dim {
			o.PutUint64(b[24+8*i:], uint64(d))
		}
		for i, p := range pix {
			put64(b[104+8*i:], p)
		}
		o.PutUint64(b[168:], 544)
		put64(b[176:], m.slope)
		put64(b[184:], m.inter)
		o.PutUint32(b[344:], uint32(qform))
		o.PutUint32(b[348:], uint32(sform))
		for i := range 3 {
			put64(b[352+8*i:], m.quatern[i])
			put64(b[376+8*i:], m.offset[i])
			for j := range 4 {
				put64(b[400+32*i+8*j:], m.sform[i][j])
			}
		}
		o.PutUint32(b[500:], 2)
		return append(b, m.data...)
	}
	b := make([]byte, 352)
	o.PutUint32(b, 348)
	put16(b[40:], len(m.dim))
	for i, d := range m.dim {
		put16(b[42+2*i:], d)
	}
	put16(b[70:], m.kind)
	for i, p := range pix {
		put32(b[76+4*i:], p)
	}
	put32(b[108:], 352)
	put32(b[112:], m.slope)
	put32(b[116:], m.inter)
	b[123] = 2
	copy(b[148:], "made for a test")
	put16(b[252:], qform)
	put16(b[254:], sform)
	for i := range 3 {
		put32(b[256+4*i:], m.quatern[i])
		put32(b[268+4*i:], m.offset[i])
		for j := range 4 {
			put32(b[280+16*i+4*j:], m.sform[i][j])
		}
	}
	copy(b[344:], "n+1\x00")
	return append(b, m.data...)
}

func zipped(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// ras is a volume of 3×2×2 voxels of 1.5×2×3 mm whose axes run to the patient's right, front and head.
func ras() niftiMade {
	return niftiMade{dim: []int{3, 2, 2}, kind: 2, step: [3]float64{1.5, 2, 3}, slope: 1, data: []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
		sform: [3][4]float64{{1.5, 0, 0, 10}, {0, 2, 0, -20}, {0, 0, 3, 30}}}
}

func TestNIfTILiesRightInThePatient(t *testing.T) {
	flipped := ras() // the same, first axis to the left, planes toward the feet
	flipped.sform = [3][4]float64{{-1.5, 0, 0, 13}, {0, 2, 0, -20}, {0, 0, -3, 33}}
	quarter := ras() // a turn by 90° about the long axis: first axis to the front, second to the left
	quarter.qform, quarter.quatern, quarter.offset = true, [3]float64{0, 0, math.Sqrt(.5)}, [3]float64{10, -20, 30}
	mirrored := quarter
	mirrored.face = -1 // planes toward the feet
	sagittal := ras()
	sagittal.sform = [3][4]float64{{0, 0, 3, 10}, {-1.5, 0, 0, -20}, {0, 2, 0, 30}}
	tests := []struct {
		name        string
		made        niftiMade
		orientation []float64
		first       []float64 // position of the first frame in order
		fileFrame   int       // of it
		turn        int
	}{
		{"RAS", ras(), []float64{-1, 0, 0, 0, -1, 0}, []float64{-10, 20, 30}, 0, 3},
		{"LAI", flipped, []float64{1, 0, 0, 0, -1, 0}, []float64{-13, 20, 33}, 0, 4},
		{"ALS by quaternion", quarter, []float64{0, -1, 0, 1, 0, 0}, []float64{-10, 20, 30}, 0, 8},
		{"ALI by quaternion", mirrored, []float64{0, -1, 0, 1, 0, 0}, []float64{-10, 20, 27}, 1, 8},
		{"PSR", sagittal, []float64{0, 1, 0, 0, 0, 1}, []float64{-13, 20, 30}, 1, 4},
	}
	for _, c := range tests {
		for _, two := range []bool{false, true} {
			for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
				for _, packed := range []bool{false, true} {
					t.Run(fmt.Sprint(c.name, two, order, packed), func(t *testing.T) {
						c.made.two, c.made.order = two, order
						file := c.made.bytes()
						if packed {
							file = zipped(t, file)
						}
						f, err := Load(writeFile(t, "a.nii", file))
						if err != nil {
							t.Fatal(err)
						}
						s := Group([]Header{f.Header()})[0]
						fr := s.Frames[0]
						if s.Kind != review.Volume || !near(fr.Orientation, c.orientation) || !near(fr.Position, c.first) ||
							fr.FileFrame != c.fileFrame || fr.ExifOrientation != c.turn || !near(fr.SpacingMM, []float64{2, 1.5}) {
							t.Errorf("%s %+v", s.Kind, fr)
						}
						if d := along(s.Frames[1]) - along(fr); math.Abs(d-3) > 1e-5 {
							t.Errorf("planes are %g apart", d)
						}
						if got := frame(t, f, 1); !bytes.Equal(got, []byte{6, 7, 8, 9, 10, 11}) {
							t.Errorf("samples %v", got)
						}
					})
				}
			}
		}
	}
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-5 })
}

func TestNIfTIOfEveryType(t *testing.T) {
	for kind, want := range map[int]struct {
		bits          int
		signed, float bool
		samples       int
	}{2: {8, false, false, 1}, 4: {16, true, false, 1}, 8: {32, true, false, 1}, 16: {32, false, true, 1}, 64: {64, false, true, 1},
		128: {8, false, false, 3}, 256: {8, true, false, 1}, 512: {16, false, false, 1}, 768: {32, false, false, 1}, 1024: {64, true, false, 1},
		1280: {64, false, false, 1}} {
		width := want.bits / 8
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			m := niftiMade{order: order, dim: []int{2, 1}, kind: kind, slope: 2, inter: -3}
			var stored []byte // 1, 2, … as whole numbers of that width
			for v := range 2 * want.samples {
				b := make([]byte, width)
				if order == binary.LittleEndian {
					b[0] = byte(v + 1)
				} else {
					b[width-1] = byte(v + 1)
				}
				m.data, stored = append(m.data, b...), append(append(stored, byte(v+1)), make([]byte, width-1)...)
			}
			f, err := Load(writeFile(t, "a.nii", m.bytes()))
			if err != nil {
				t.Fatal(kind, err)
			}
			fr := f.Header().Frames[0]
			if fr.BitsAllocated != want.bits || fr.Signed != want.signed || fr.Float != want.float || fr.Samples != want.samples {
				t.Errorf("type %d: %+v", kind, fr)
			}
			if got := frame(t, f, 0); !bytes.Equal(got, stored) {
				t.Errorf("type %d %s: %v, want %v", kind, order, got, stored)
			}
			if grey := want.samples == 1; grey && (fr.Slope != 2 || fr.Intercept != -3) || !grey && fr.Slope != 1 {
				t.Errorf("type %d: slope %g, intercept %g", kind, fr.Slope, fr.Intercept)
			}
		}
	}
}

func TestSeveralNIfTIVolumesAreShownApart(t *testing.T) {
	m := ras()
	m.dim = []int{3, 2, 2, 3}
	m.data = make([]byte, 36)
	f, err := Load(writeFile(t, "a.nii", m.bytes()))
	if err != nil {
		t.Fatal(err)
	}
	stacks := Group([]Header{f.Header()})
	if len(stacks) != 3 || len(stacks[1].Frames) != 2 || !slices.Contains(stacks[1].Reasons, "one of 3 volumes of the same places: position in time 2") {
		t.Fatalf("%d stacks: %q", len(stacks), stacks[0].Reasons)
	}
	if stacks[1].Frames[0].FileFrame != 2 {
		t.Errorf("the second volume begins with frame %d", stacks[1].Frames[0].FileFrame)
	}
}

func TestNIfTIThatIsNotDone(t *testing.T) {
	bend := func(change func([]byte)) []byte {
		b := ras().bytes()
		change(b)
		return b
	}
	le := binary.LittleEndian
	huge := niftiMade{dim: []int{30000, 30000, 30000}, kind: 64}
	bomb := niftiMade{dim: []int{1000, 1000, 500}, kind: 2}
	for name, c := range map[string]struct {
		file []byte
		kind fault.Kind
		word string
	}{
		"complex":          {bend(func(b []byte) { le.PutUint16(b[70:], 32) }), fault.Invalid, "complex numbers"},
		"two files":        {bend(func(b []byte) { b[345] = 'i' }), fault.Invalid, "two files"},
		"no dimension":     {bend(func(b []byte) { le.PutUint16(b[40:], 0) }), fault.Damaged, "dimensions"},
		"negative size":    {bend(func(b []byte) { le.PutUint16(b[42:], 0xFFFF) }), fault.Damaged, "dimension 1"},
		"voxels in header": {bend(func(b []byte) { le.PutUint32(b[108:], math.Float32bits(8)) }), fault.Damaged, "begin at byte 8"},
		"header alone":     {ras().bytes()[:200], fault.Invalid, "no DICOM"},
		"cut short":        {ras().bytes()[:358], fault.Damaged, "6 of 12 bytes"},
		"cut short inside": {zipped(t, ras().bytes()[:358]), fault.Damaged, "6 of 12 bytes"},
		"cut archive":      {zipped(t, ras().bytes())[:60], fault.Damaged, ""},
		"huge":             {huge.bytes(), fault.Invalid, "larger than"},
		"bomb":             {zipped(t, bomb.bytes()), fault.Damaged, "too short"},
		"other gzip":       {zipped(t, []byte("case,answer\n")), fault.Invalid, "no DICOM"},
	} {
		_, _, err := attempt(writeFile(t, "a.nii", c.file))
		if fault.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.word) {
			t.Errorf("%s gave %v (%s)", name, err, fault.KindOf(err))
		}
	}
	plain := ras()
	plain.step = [3]float64{}
	f, err := Load(writeFile(t, "a.nii", plain.bytes()))
	if err != nil || f.Header().Frames[0].Orientation != nil || f.Header().Frames[0].SpacingMM != nil || len(f.Header().Notes) != 1 {
		t.Errorf("a file without a place gave %v", err)
	}
}

func TestTheRangeToShowIsAWindow(t *testing.T) {
	b := ras().bytes()
	binary.LittleEndian.PutUint32(b[124:], math.Float32bits(300))
	binary.LittleEndian.PutUint32(b[128:], math.Float32bits(100))
	f, err := Load(writeFile(t, "a.nii", b))
	if err != nil {
		t.Fatal(err)
	}
	fr := f.Header().Frames[0]
	if want := (review.Window{Center: 200.5, Width: 201, Explanation: "display range"}); fr.WindowComputed || len(fr.Windows) != 1 || fr.Windows[0] != want {
		t.Errorf("%+v", fr)
	}
}

func TestACompressedVolumeIsLetGo(t *testing.T) {
	f, err := Load(writeFile(t, "a.nii.gz", zipped(t, ras().bytes())))
	if err != nil {
		t.Fatal(err)
	}
	frame(t, f, 0)
	if f.Held() != 352+12 || f.nifti.packed == nil {
		t.Errorf("holds %d bytes", f.Held())
	}
	if err := f.Close(); err != nil || f.nifti.packed != nil {
		t.Errorf("still held: %v", err)
	}
	if got := frame(t, f, 0); len(got) != 6 {
		t.Errorf("%d samples once more", len(got))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f.Samples(ctx, 0); fault.KindOf(err) != fault.Cancelled {
		t.Errorf("cancelled: %v", err)
	}
}

// FuzzNIfTI bends NIfTI files of both versions and byte orders.
func FuzzNIfTI(f *testing.F) {
	m := ras()
	f.Add(m.bytes())
	m.two, m.order = true, binary.BigEndian
	f.Add(m.bytes())
	m.qform = true
	f.Add(zipped(f, m.bytes()))
	f.Fuzz(func(t *testing.T, b []byte) { loadBent(t, b) })
}

// What travels to a reader as a plain DICOM file is shown as the volume is: turned the same way, in the same place, of the same values.
func TestAVolumeTravelsAsItIsShown(t *testing.T) {
	m := ras()
	m.kind, m.slope, m.inter = 16, .5, -3
	m.data = nil
	for v := range 12 {
		m.data = binary.LittleEndian.AppendUint32(m.data, math.Float32bits(float32(v)/3))
	}
	f, err := Load(writeFile(t, "a.nii", m.bytes()))
	if err != nil {
		t.Fatal(err)
	}
	before, after, _ := rewritten(t, f)
	for i, s := range before {
		a, b := f.Header().Frames[i], after.Header().Frames[i]
		got, err := after.Samples(context.Background(), i)
		if err != nil || Digest(got) != Digest(s) || !got.Float {
			t.Fatalf("frame %d: %v", i, err)
		}
		if b.ExifOrientation != a.ExifOrientation || a.ExifOrientation != 3 || !near(a.Position, b.Position) || !near(a.Orientation, b.Orientation) ||
			!near(a.SpacingMM, b.SpacingMM) || b.Slope != .5 || b.Intercept != -3 || b.WindowComputed != a.WindowComputed {
			t.Errorf("frame %d:\n%+v\n%+v", i, a, b)
		}
	}
}
