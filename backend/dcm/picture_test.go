package dcm

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"

	"plumbline/backend/fault"
)

func pngBytes(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// jpegWithOrientation is a 3×2 grey JPEG with an EXIF orientation.
func jpegWithOrientation(t testing.TB, turn byte) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 3, 2))
	for i := range img.Pix {
		img.Pix[i] = byte(40 * i)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 100}); err != nil {
		t.Fatal(err)
	}
	tiff := []byte{'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, turn, 0, 0, 0, 0, 0, 0}
	segment := append([]byte("Exif\x00\x00"), tiff...)
	out := append([]byte{0xFF, 0xD8, 0xFF, 0xE1}, binary.BigEndian.AppendUint16(nil, uint16(len(segment)+2))...)
	return append(append(out, segment...), b.Bytes()[2:]...)
}

func TestPicturesKeepTheirValues(t *testing.T) {
	grey16 := image.NewGray16(image.Rect(0, 0, 3, 1))
	for x, v := range []uint16{0, 588, 1176} {
		grey16.SetGray16(x, 0, color.Gray16{Y: v})
	}
	deep := image.NewNRGBA64(image.Rect(0, 0, 1, 1))
	deep.SetNRGBA64(0, 0, color.NRGBA64{R: 0x8000, G: 1, B: 0xFFFF, A: 0xFFFF})
	glass := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	glass.SetNRGBA(0, 0, color.NRGBA{R: 200, G: 100, B: 50, A: 255})
	glass.SetNRGBA(1, 0, color.NRGBA{R: 200, G: 100, B: 50, A: 0})
	few := image.NewPaletted(image.Rect(0, 0, 1, 1), color.Palette{color.RGBA{R: 1, G: 2, B: 3, A: 255}})
	tests := []struct {
		name          string
		img           image.Image
		samples, bits int
		want          []byte
	}{
		{"grey of 16 bits", grey16, 1, 16, words(binary.LittleEndian, 0, 588, 1176)},
		{"colour of 16 bits", deep, 3, 16, words(binary.LittleEndian, 0x8000, 1, 0xFFFF)},
		{"glass over black", glass, 3, 8, []byte{200, 100, 50, 0, 0, 0}},
		{"palette", few, 3, 8, []byte{1, 2, 3}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			f, err := Load(writeFile(t, "a.png", pngBytes(t, c.img)))
			if err != nil {
				t.Fatal(err)
			}
			fr := f.Header().Frames[0]
			if got := frame(t, f, 0); !bytes.Equal(got, c.want) || fr.Samples != c.samples || fr.BitsAllocated != c.bits {
				t.Errorf("samples %v of %+v, want %v", got, fr, c.want)
			}
		})
	}
}

func TestExifOrientationIsSaidAndChangesNoSample(t *testing.T) {
	upright, err := Load(writeFile(t, "a.jpg", jpegWithOrientation(t, 1)))
	if err != nil {
		t.Fatal(err)
	}
	want := frame(t, upright, 0)
	for turn := byte(0); turn <= 9; turn++ {
		f, err := Load(writeFile(t, "a.jpg", jpegWithOrientation(t, turn)))
		if err != nil {
			t.Fatal(err)
		}
		fr := f.Header().Frames[0]
		if got := frame(t, f, 0); !bytes.Equal(got, want) || fr.Rows != 2 {
			t.Errorf("orientation %d gives %v of %d rows", turn, got, fr.Rows)
		}
		marked := 0
		if turn >= 2 && turn <= 8 {
			marked = int(turn)
		}
		if fr.ExifOrientation != marked {
			t.Errorf("orientation %d is marked %d", turn, fr.ExifOrientation)
		}
	}
}

// pngClaiming is a PNG whose header says that it is large and that holds nothing.
func pngClaiming(width, height uint32) []byte {
	head := append([]byte("IHDR"), binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)...)
	head = append(head, 8, 2, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n"), binary.BigEndian.AppendUint32(nil, 13)...)
	return append(append(out, head...), binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(head))...)
}

func TestPicturesThatClaimTooMuch(t *testing.T) {
	tests := []struct {
		name  string
		bytes []byte
		want  fault.Kind
	}{
		{"huge", pngClaiming(60000, 60000), fault.Invalid},
		{"more than the file can hold", pngClaiming(5000, 5000), fault.Damaged},
		{"no data", append(pngClaiming(10, 10), make([]byte, 20)...), fault.Damaged},
		{"cut JPEG", jpegWithOrientation(t, 1)[:40], fault.Damaged},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			path := writeFile(t, "a.png", c.bytes)
			_, _, err := attempt(path)
			if fault.KindOf(err) != c.want {
				t.Errorf("got %v (%s), want %s", err, fault.KindOf(err), c.want)
			}
		})
	}
}
