package dcm

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"plumbline/backend/fault"
)

// frame decodes frame n and fails the test where it cannot.
func frame(t testing.TB, f *File, n int) []byte {
	t.Helper()
	s, err := f.Samples(context.Background(), n)
	if err != nil {
		t.Fatal(err)
	}
	return s.Data
}

func TestNativeSamplesAreTheSameInEverySyntax(t *testing.T) {
	want := words(binary.LittleEndian, 1, 2, 3, 0xFFFF, 5, 6)
	for _, uid := range []string{implicitLittleUID, explicitLittleUID, explicitBigUID, deflatedUID} {
		t.Run(uid, func(t *testing.T) {
			m := make10(uid).image(2, 3, 1, 16, 16, true, "MONOCHROME2")
			f := m.native("OW", words(m.order, 1, 2, 3, 0xFFFF, 5, 6)).load(t)
			if got := frame(t, f, 0); !bytes.Equal(got, want) {
				t.Errorf("samples %v, want %v", got, want)
			}
			h := f.Header()
			if fr := h.Frames[0]; h.Modality != "CT" || h.SeriesUID != "1.2.3" || fr.Rows != 2 || fr.Columns != 3 || !fr.Signed {
				t.Errorf("header %+v", h)
			}
		})
	}
}

func TestAFileThatIsNotInTheFormItSays(t *testing.T) {
	for says, is := range map[string]string{explicitLittleUID: implicitLittleUID, implicitLittleUID: explicitLittleUID} {
		m := make10(is).image(1, 2, 1, 16, 16, false, "MONOCHROME2")
		m.native("OW", words(m.order, 7, 8))
		m.uid = says
		if got := frame(t, m.load(t), 0); !bytes.Equal(got, words(binary.LittleEndian, 7, 8)) {
			t.Errorf("says %s, is %s: samples %v", says, is, got)
		}
	}
}

func TestBitsAreMaskedAndExtended(t *testing.T) {
	tests := []struct {
		name                    string
		allocated, stored, high int
		signed                  bool
		in, want                []int
	}{
		{"12 of 16 signed", 16, 12, 11, true, []int{0x0FFF, 0x0800, 0x07FF, 0x1FFF}, []int{0xFFFF, 0xF800, 0x07FF, 0xFFFF}},
		{"12 of 16 unsigned", 16, 12, 11, false, []int{0xFFFF, 0x8000, 0, 0x0FFF}, []int{0x0FFF, 0, 0, 0x0FFF}},
		{"upper 12", 16, 12, 15, false, []int{0xFFFF, 0x8000, 0x0010, 0x000F}, []int{0x0FFF, 0x0800, 1, 0}},
		{"upper 12 signed", 16, 12, 15, true, []int{0xFFF0, 0x8000, 0x0010, 0x7FF0}, []int{0xFFFF, 0xF800, 1, 0x07FF}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			m := make10(explicitLittleUID).image(2, 2, 1, c.allocated, c.stored, c.signed, "MONOCHROME2").us(tagHighBit, c.high)
			got := frame(t, m.native("OW", words(m.order, c.in...)).load(t), 0)
			if want := words(binary.LittleEndian, c.want...); !bytes.Equal(got, want) {
				t.Errorf("samples %x, want %x", got, want)
			}
		})
	}
}

func TestColourSamplesLieTogether(t *testing.T) {
	t.Run("planes", func(t *testing.T) {
		m := make10(explicitLittleUID).image(1, 2, 3, 8, 8, false, "RGB").us(tagPlanar, 1)
		got := frame(t, m.native("OB", []byte{255, 0, 0, 255, 0, 0}).load(t), 0)
		if want := []byte{255, 0, 0, 0, 255, 0}; !bytes.Equal(got, want) {
			t.Errorf("samples %v, want %v", got, want)
		}
	})
	t.Run("shared chroma", func(t *testing.T) {
		m := make10(explicitLittleUID).image(1, 2, 3, 8, 8, false, "YBR_FULL_422")
		got := frame(t, m.native("OB", []byte{10, 20, 100, 200}).load(t), 0)
		if want := []byte{10, 100, 200, 20, 100, 200}; !bytes.Equal(got, want) {
			t.Errorf("samples %v, want %v", got, want)
		}
	})
	t.Run("bytes swapped in words", func(t *testing.T) {
		m := make10(explicitBigUID).image(1, 3, 1, 8, 8, false, "MONOCHROME2").text(tagNumberOfFrames, "IS", "2")
		f := m.native("OW", []byte{2, 1, 4, 3, 6, 5}).load(t)
		if got := slices.Concat(frame(t, f, 0), frame(t, f, 1)); !bytes.Equal(got, []byte{1, 2, 3, 4, 5, 6}) {
			t.Errorf("samples %v", got)
		}
	})
}

func TestSingleBitsRunOnAcrossRowsAndFrames(t *testing.T) {
	m := make10(explicitLittleUID).image(2, 10, 1, 1, 1, false, "MONOCHROME2").text(tagNumberOfFrames, "IS", "2")
	// Pixels 0 and 10 of frame 0, then pixel 0 and 19 of frame 1: bits 0, 10, 20, 39.
	f := m.native("OB", []byte{0x01, 0x04, 0x10, 0x00, 0x80}).load(t)
	for n, want := range [][]int{{0, 10}, {0, 19}} {
		got := frame(t, f, n)
		var set []int
		for i, v := range got {
			if v == 1 {
				set = append(set, i)
			}
		}
		if len(got) != 20 || !slices.Equal(set, want) {
			t.Errorf("frame %d has pixels %v, want %v", n, set, want)
		}
	}
}

func TestFloatPixelData(t *testing.T) {
	m := make10(explicitLittleUID).image(1, 2, 1, 32, 32, false, "MONOCHROME2")
	var b []byte
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(1.5))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(-2))
	m.pixels = m.element(tagFloatPixels, "OF", b)
	f := m.load(t)
	if got := frame(t, f, 0); !bytes.Equal(got, b) || !f.Header().Frames[0].Float {
		t.Errorf("samples %v, frame %+v", got, f.Header().Frames[0])
	}
}

func TestDataCutShortIsSaidInTheHeader(t *testing.T) {
	m := make10(explicitLittleUID).image(2, 2, 1, 16, 16, false, "MONOCHROME2").text(tagNumberOfFrames, "IS", "3")
	m.native("OW", words(m.order, 1, 2, 3, 4, 5, 6, 7, 8, 9))
	f := m.load(t)
	frames := f.Header().Frames
	if frames[0].Problem != "" || frames[1].Problem != "" || frames[2].Problem != "pixel data cut short: 18 of 24 bytes" {
		t.Errorf("problems %q %q %q", frames[0].Problem, frames[1].Problem, frames[2].Problem)
	}
	frame(t, f, 1)
	if _, err := f.Samples(context.Background(), 2); fault.KindOf(err) != fault.Damaged {
		t.Errorf("decoding gave %v", err)
	}
}

func TestFaultsHaveTheirKind(t *testing.T) {
	picture := func() *made { return make10(explicitLittleUID).image(1, 1, 1, 8, 8, false, "MONOCHROME2") }
	tests := []struct {
		name  string
		bytes []byte
		want  fault.Kind
		words string
	}{
		{"text", []byte("case,answer\n1,yes\n"), fault.Invalid, "no DICOM, NIfTI, PNG, JPEG, WebP, BMP or TIFF"},
		{"empty", nil, fault.Invalid, "no DICOM"},
		{"unknown syntax", bytes.Replace(picture().native("OB", []byte{1, 0}).bytes(), []byte(explicitLittleUID), []byte("1.2.840.10008.9.9.9"), 1), fault.Invalid, "not supported"},
		{"12 bits", make10(explicitLittleUID).image(1, 1, 1, 12, 12, false, "MONOCHROME2").native("OW", []byte{1, 0}).bytes(), fault.Invalid, "12 bits"},
		{"no rows", make10(explicitLittleUID).image(0, 1, 1, 8, 8, false, "MONOCHROME2").native("OW", []byte{1, 0}).bytes(), fault.Invalid, "no image"},
		{"too many frames", picture().text(tagNumberOfFrames, "IS", "2000000000").native("OB", []byte{1, 0}).bytes(), fault.Invalid, "frames"},
		{"header cut", picture().bytes()[:200], fault.Damaged, "cut short"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			_, err := Load(writeFile(t, "x", c.bytes))
			if fault.KindOf(err) != c.want || !strings.Contains(err.Error(), c.words) {
				t.Errorf("got %v (%s), want %s with %q", err, fault.KindOf(err), c.want, c.words)
			}
		})
	}
	if _, err := Load("there/is/none.dcm"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a missing file gave %v", err)
	}
	f := make10(explicitLittleUID).text(tagModality, "CS", "SR").load(t)
	if _, err := f.Samples(context.Background(), 0); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a report gave %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := picture().native("OB", []byte{1, 0}).load(t).Samples(ctx, 0); fault.KindOf(err) != fault.Cancelled {
		t.Errorf("a cancelled decode gave %v", err)
	}
}

func TestAFileWithoutMetaHeaderIsGuessed(t *testing.T) {
	for _, uid := range []string{implicitLittleUID, explicitLittleUID, explicitBigUID} {
		m := make10(uid).image(1, 2, 1, 16, 16, false, "MONOCHROME2")
		m.native("OW", words(m.order, 7, 8))
		f, err := Load(writeFile(t, "x", append(append([]byte(nil), m.elements...), m.pixels...)))
		if err != nil {
			t.Errorf("%s: %v", uid, err)
			continue
		}
		if got := frame(t, f, 0); !bytes.Equal(got, words(binary.LittleEndian, 7, 8)) {
			t.Errorf("%s: samples %v", uid, got)
		}
	}
}

func TestADeflateBombStops(t *testing.T) {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(make([]byte, 1<<20))
	w.Close()
	if _, err := inflate(bytes.NewReader(packed.Bytes()), 1<<20-1); err == nil {
		t.Error("more than the limit was inflated")
	}
	if got, err := inflate(bytes.NewReader(packed.Bytes()), 1<<20); err != nil || len(got) != 1<<20 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestRLERoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := rapid.SampledFrom([]int{1, 3}).Draw(t, "samples")
		width := rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "width")
		p := pixelSpec{rows: rapid.IntRange(1, 12).Draw(t, "rows"), columns: rapid.IntRange(1, 12).Draw(t, "columns"), samples: samples, allocated: 8 * width}
		n := p.rows * p.columns * samples * width
		data := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 0, 0, 1, 255}), n, n).Draw(t, "data")
		got, err := unpackRLE(packRLE(data, samples, width), p)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, data) {
			t.Fatalf("got %v, want %v", got, data)
		}
	})
}

func TestAStrangeCharacterSetCostsNoPicture(t *testing.T) {
	m := make10(explicitLittleUID).text(tagCharacterSet, "UN", "ISO 2022 IR 999").text(tagPatientName, "PN", "A^B")
	m.image(1, 1, 1, 8, 8, false, "MONOCHROME2").native("OB", []byte{9, 0})
	f := m.load(t)
	if got := frame(t, f, 0); !bytes.Equal(got, []byte{9}) {
		t.Errorf("samples %v", got)
	}
	japanese := make10(explicitLittleUID).text(tagCharacterSet, "CS", "ISO_IR 192").text(tagPatientName, "PN", "山田^太郎").text(tagModality, "CS", "CT")
	if got := japanese.load(t).Header().PatientName; got != "山田^太郎" {
		t.Errorf("patient name %q", got)
	}
	latin := make10(explicitLittleUID).text(tagCharacterSet, "CS", "ISO_IR 100").text(tagPatientName, "PN", "M\xfcller").text(tagModality, "CS", "CT")
	if got := latin.load(t).Header().PatientName; got != "Müller" {
		t.Errorf("patient name %q", got)
	}
}
