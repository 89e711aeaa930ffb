package dcm

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"plumbline/backend/fault"
)

const rleUID = "1.2.840.10008.1.2.5"

// rleFile is a file of three RLE frames of 2×2 pixels.
func rleFile() (*made, [][]byte) {
	m := make10(rleUID).image(2, 2, 1, 8, 8, false, "MONOCHROME2").text(tagNumberOfFrames, "IS", "3")
	var frames [][]byte
	for i := range 3 {
		frames = append(frames, packRLE([]byte{byte(i), 1, 2, 3}, 1, 1))
	}
	return m, frames
}

func TestFramesAreFoundInTheirFragments(t *testing.T) {
	m, f := rleFile()
	size := uint32(len(f[0]))
	half := len(f[0]) / 2 &^ 1 // a fragment has an even length
	tests := []struct {
		name string
		file *made
	}{
		{"one fragment each, no table", m.item().same(m).packed(nil, f...)},
		{"one fragment each, table", m.item().same(m).packed([]uint32{0, 8 + size, 16 + 2*size}, f...)},
		{"wrong table", m.item().same(m).packed([]uint32{0, 3, 5}, f...)},
		{"two fragments each, table", m.item().same(m).packed([]uint32{0, 16 + size, 32 + 2*size},
			f[0][:half], f[0][half:], f[1][:half], f[1][half:], f[2][:half], f[2][half:])},
		{"extended table", m.item().same(m).put(tagExtendedOffsets, "OV", offsets64(0, 16+uint64(size), 32+2*uint64(size))).
			packed(nil, f[0][:half], f[0][half:], f[1][:half], f[1][half:], f[2][:half], f[2][half:])},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			file := c.file.load(t)
			for _, n := range []int{2, 0, 1} {
				if got := frame(t, file, n); !bytes.Equal(got, []byte{byte(n), 1, 2, 3}) {
					t.Errorf("frame %d is %v", n, got)
				}
			}
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
			if got := frame(t, file, 1); got[0] != 1 {
				t.Error("the file cannot be used again after Close")
			}
		})
	}
}

// same gives m the elements of another.
func (m *made) same(o *made) *made {
	m.elements = append([]byte(nil), o.elements...)
	return m
}

func offsets64(v ...uint64) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b
}

func TestCodestreamsWithoutATableEndAtTheirMark(t *testing.T) {
	m := make10("1.2.840.10008.1.2.4.90").image(2, 2, 1, 8, 8, false, "MONOCHROME2").text(tagNumberOfFrames, "IS", "2")
	m.packed(nil, []byte{1, 2}, []byte{3, 0xFF, 0xD9, 0}, []byte{4, 5}, []byte{6, 7}, []byte{0xFF, 0xD9})
	file := m.load(t)
	source := memory(m.bytes())
	pieces, err := file.dicom.assemble(source)
	if err != nil {
		t.Fatal(err)
	}
	if len(pieces) != 2 || len(pieces[0]) != 2 || len(pieces[1]) != 3 {
		t.Fatalf("pieces %v", pieces)
	}
	got, err := join(source, pieces[0])
	if err != nil || !bytes.Equal(got, []byte{1, 2, 3, 0xFF, 0xD9, 0}) {
		t.Errorf("joined %v, %v", got, err)
	}
}

func TestFragmentsThatDoNotFit(t *testing.T) {
	m, f := rleFile()
	tests := []struct {
		name  string
		bytes []byte
		words string
	}{
		{"too few", m.item().same(m).packed(nil, f[0], f[1]).bytes(), "fragments do not make 3 frames"},
		{"none", m.item().same(m).packed(nil).bytes(), "no pixel data"},
		{"no end", func() []byte { b := m.item().same(m).packed(nil, f...).bytes(); return b[:len(b)-8] }(), "cut short"},
		{"native", m.item().same(m).native("OB", make([]byte, 12)).bytes(), "not in fragments"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			file, err := Load(writeFile(t, "x", c.bytes))
			if err != nil {
				t.Fatal(err)
			}
			_, err = file.Samples(context.Background(), 2)
			if fault.KindOf(err) != fault.Damaged || !strings.Contains(err.Error(), c.words) {
				t.Errorf("got %v, want %q", err, c.words)
			}
		})
	}
}

func TestDeflatedFramesAndEncapsulatedNative(t *testing.T) {
	want := words(binary.LittleEndian, 1, 2, 3, 4)
	for _, uid := range []string{"1.2.840.10008.1.2.8.1", "1.2.840.10008.1.2.1.98"} {
		packed := want
		if uid == "1.2.840.10008.1.2.8.1" {
			packed = deflated(want)
		}
		m := make10(uid).image(2, 2, 1, 16, 16, false, "MONOCHROME2").packed(nil, packed)
		if got := frame(t, m.load(t), 0); !bytes.Equal(got, want) {
			t.Errorf("%s: samples %v", uid, got)
		}
	}
}

func TestASyntaxWithoutACodecIsSaidInTheHeader(t *testing.T) {
	f := make10("1.2.840.10008.1.2.4.102").image(2, 2, 3, 8, 8, false, "YBR_FULL").packed(nil, []byte{1, 2}).load(t)
	if p := f.Header().Frames[0].Problem; !strings.Contains(p, "MPEG-4") {
		t.Errorf("problem %q", p)
	}
	if _, err := f.Samples(context.Background(), 0); fault.KindOf(err) != fault.Invalid {
		t.Errorf("decoding gave %v", err)
	}
}

func TestABuildWithoutCodecsNamesTheBuildStep(t *testing.T) {
	_, err := noCodecs{}.decode(context.Background(), codecJPEG, nil, pixelSpec{})
	if err = loadFault("decode frame", "x", err); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "./build/deps") {
		t.Errorf("got %v", err)
	}
}
