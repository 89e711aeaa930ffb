package dcm

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"slices"
	"strconv"
	"testing"

	"plumbline/backend/fault"
	"plumbline/backend/testfiles"
)

// siz is the head of a JPEG 2000 codestream.
func siz(columns, rows, tile uint32, components uint16, bits byte) []byte {
	b := []byte{0xFF, 0x4F, 0xFF, 0x51, 0, 41, 0, 0}
	for _, v := range []uint32{columns, rows, 0, 0, tile, tile, 0, 0} {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	b = binary.BigEndian.AppendUint16(b, components)
	return append(b, bits-1, 1, 1)
}

// box wraps bytes as a box of an ISO media file.
func box(kind string, b []byte) []byte {
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(b))), kind...), b...)
}

func TestCodestreamShapes(t *testing.T) {
	sof := []byte{0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC3, 0, 11, 12, 0, 20, 0, 30, 1, 1, 0x11, 0}
	tests := []struct {
		name  string
		bytes []byte
		want  shape
	}{
		{"JPEG", sof, shape{20, 30, 1, 12}},
		{"JPEG-LS", []byte{0xFF, 0xD8, 0xFF, 0xF7, 0, 11, 16, 0, 20, 0, 30, 1, 1, 0x11, 0}, shape{20, 30, 1, 16}},
		{"JPEG 2000", siz(30, 20, 64, 3, 8), shape{20, 30, 3, 8}},
		{"JP2", append(box("jP  ", []byte{0x0D, 0x0A, 0x87, 0x0A}), box("jp2c", siz(30, 20, 64, 1, 14))...), shape{20, 30, 1, 14}},
		// small, 24 rows; ratio 0; 32 columns: bits 1, 00010, 000, 00011.
		{"JPEG XL", []byte{0xFF, 0x0A, 0b00000101, 0b00000110, 0, 0, 0, 0, 0, 0, 0, 0, 0}, shape{24, 32, 0, 0}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			got, err := codestreamShape(c.bytes)
			if err != nil || got != c.want {
				t.Errorf("got %+v %v, want %+v", got, err, c.want)
			}
		})
	}
}

func TestCodestreamsThatContradictTheDataSet(t *testing.T) {
	p := pixelSpec{rows: 20, columns: 30, samples: 1, allocated: 8}
	colour := pixelSpec{rows: 20, columns: 30, samples: 3, allocated: 16}
	var kind invalid
	tests := []struct {
		name    string
		bytes   []byte
		spec    pixelSpec
		invalid bool
	}{
		{"size", siz(30, 21, 64, 1, 8), p, false},
		{"components", siz(30, 20, 64, 3, 8), p, false},
		{"bits", siz(30, 20, 64, 1, 12), p, false},
		{"tiles", siz(30, 20, 0, 1, 8), p, false},
		{"no codestream", []byte("not an image at all"), p, false},
		{"deep colour", siz(30, 20, 64, 3, 16), colour, true},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			if _, err := checkCodestream(c.bytes, c.spec); err == nil || errors.As(err, &kind) != c.invalid {
				t.Errorf("got %v", err)
			}
		})
	}
	if depth, err := checkCodestream(siz(30, 20, 64, 1, 8), p); err != nil || depth != 8 {
		t.Errorf("a good one gave %d, %v", depth, err)
	}
}

func TestACodestreamWithoutItsEndIsCutShort(t *testing.T) {
	for _, c := range []struct {
		in   []byte
		want bool
	}{
		{[]byte{1, 0xFF, 0xD9}, true}, {[]byte{1, 0xFF, 0xD9, 0}, true}, {[]byte{1, 0xFF, 0xD9, 0xFF}, true},
		{[]byte{1, 2}, false}, {[]byte{0xFF}, false}, {nil, false}, {[]byte{0xFF, 0xD9, 1}, false},
	} {
		if got := hasEnd(c.in); got != c.want {
			t.Errorf("%v: %v", c.in, got)
		}
	}
	m := make10("1.2.840.10008.1.2.4.90").image(20, 30, 1, 8, 8, false, "MONOCHROME2").packed(nil, siz(30, 20, 64, 1, 8))
	if _, err := m.load(t).Samples(context.Background(), 0); !errors.Is(err, errShort) {
		t.Errorf("got %v", err)
	}
}

// needsCodecs skips a test in a build without them.
func needsCodecs(t testing.TB) {
	t.Helper()
	if !HasCodecs() {
		testfiles.Missing(t, "the codecs are not in this build: run ./build/codecs")
	}
}

func TestJPEGDecodesAsGoDoes(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 64, 48))
	for i := range img.Pix {
		img.Pix[i] = byte(i*7) ^ byte(i>>6)
	}
	var packed bytes.Buffer
	if err := jpeg.Encode(&packed, img, nil); err != nil {
		t.Fatal(err)
	}
	back, err := jpeg.Decode(bytes.NewReader(packed.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	want := back.(*image.Gray)
	m := make10("1.2.840.10008.1.2.4.50").image(48, 64, 1, 8, 8, false, "MONOCHROME2").packed(nil, packed.Bytes())
	got := frame(t, m.load(t), 0)
	for i, v := range got {
		if d := int(v) - int(want.Pix[i]); d < -1 || d > 1 {
			t.Fatalf("sample %d is %d, want %d", i, v, want.Pix[i])
		}
	}
}

// ramp is an 8×8 picture, value (29x+7y) mod 256, as a lossless JPEG 2000 codestream.
const ramp = "ff4fff510029000000000008000000080000000000000000000000080000000800000000000000000001070101" +
	"ff52000c00000001000104040001ff5c00074040484850ff640025000143726561746564206279204f70656e4a5045472076657273696f6e20322e352e30" +
	"ff90000a0000000000300001ff93df8088120bd59507ade0f392e99d8fa1c3d9507fc1f38480f84300221877be037e5fffd9"

// rampFile is a file of n frames of the ramp, and the samples of one.
func rampFile(t testing.TB, n int, bend func([]byte)) (*made, []byte) {
	t.Helper()
	packed, err := hex.DecodeString(ramp)
	if err != nil {
		t.Fatal(err)
	}
	bend(packed)
	m := make10("1.2.840.10008.1.2.4.90").image(8, 8, 1, 8, 8, false, "MONOCHROME2").text(tagNumberOfFrames, "IS", strconv.Itoa(n))
	var want []byte
	for i := range 64 {
		want = append(want, byte(29*(i%8)+7*(i/8)))
	}
	return m.packed(nil, slices.Repeat([][]byte{packed}, n)...), want
}

func TestCodecsSurviveDamage(t *testing.T) {
	needsCodecs(t)
	bad, _ := rampFile(t, 1, func(b []byte) { copy(b[50:], bytes.Repeat([]byte{0xEE}, 20)) })
	if _, err := bad.load(t).Samples(context.Background(), 0); fault.KindOf(err) != fault.Damaged {
		t.Errorf("a damaged frame gave %v", err)
	}
	good, want := rampFile(t, 1, func([]byte) {})
	if got := frame(t, good.load(t), 0); !bytes.Equal(got, want) {
		t.Errorf("after the damaged frame a good one gives %v", got)
	}
}

func TestFramesDecodeAtTheSameTime(t *testing.T) {
	needsCodecs(t)
	const n = 12
	m, want := rampFile(t, n, func([]byte) {})
	f := m.load(t)
	errs := make(chan error, n)
	for i := range n {
		go func() {
			s, err := f.Samples(context.Background(), i)
			if err == nil && !bytes.Equal(s.Data, want) {
				err = fmt.Errorf("frame %d is %v", i, s.Data)
			}
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}
