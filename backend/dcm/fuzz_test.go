package dcm

import (
	"bytes"
	"context"
	"encoding/hex"
	"image"
	"image/color"
	"image/jpeg"
	"testing"
)

// seeds are small good files of every sort of syntax; fuzzing bends them.
func seeds(f testing.TB) [][]byte {
	var out [][]byte
	for _, uid := range []string{implicitLittleUID, explicitLittleUID, explicitBigUID, deflatedUID} {
		m := make10(uid).image(2, 3, 1, 16, 12, true, "MONOCHROME2").text(tagWindowCenter, "DS", "1").text(tagWindowWidth, "DS", "2")
		m.sequence(tagVOILUT, m.item().us(tagLUTDescriptor, 2, 0, 8).put(tagLUTData, "OW", words(m.order, 0, 255)))
		out = append(out, m.native("OW", words(m.order, 1, 2, 3, 4, 5, 6)).bytes())
	}
	rle, frames := rleFile()
	out = append(out, rle.packed(nil, frames...).bytes())
	m := make10(explicitLittleUID).image(1, 1, 1, 8, 8, false, "PALETTE COLOR")
	for _, d := range []tag{tagRedDescriptor, tagGreenDescriptor, tagBlueDescriptor} {
		m.us(d, 8, 0, 16)
	}
	for _, d := range []tag{tagRedSegmented, tagGreenSegmented, tagBlueSegmented} {
		m.put(d, "OW", words(m.order, 0, 2, 1, 2, 1, 4, 10, 2, 1, 0, 0))
	}
	out = append(out, m.native("OB", []byte{1, 0}).bytes())
	nested := m.item().image(1, 1, 1, 8, 8, false, "MONOCHROME2").text(tagNumberOfFrames, "IS", "2")
	nested.sequence(tagPerFrameGroups, m.item().sequence(tagPlanePosition, m.item().text(tagPosition, "DS", `0\0\1`)), m.item())
	out = append(out, nested.native("OB", []byte{1, 2}).bytes())
	return append(out, jpegWithOrientation(f, 6), pngBytes(f, image.NewGray16(image.Rect(0, 0, 3, 2))), pngClaiming(60000, 60000))
}

// FuzzLoad bends whole files: header, description, frames and samples. Any error will do; a panic, a hang or a frame of the wrong size will not.
func FuzzLoad(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, b []byte) { loadBent(t, b) })
}

// loadBent loads a file and decodes its first frames.
func loadBent(t *testing.T, b []byte) {
	source := memory(b)
	file, err := loadSource("x", source)
	if err != nil || !file.Header().HasPixels {
		return
	}
	for i := range min(3, len(file.Header().Frames)) {
		if d := file.dicom; d != nil && d.syntax.encapsulated && d.syntax.codec.entry() != "" {
			return // see FuzzCodestream
		}
		s, err := file.decodeFrom(context.Background(), source, i)
		if err != nil {
			continue
		}
		if fr := file.Header().Frames[i]; len(s.Data) != s.Rows*s.Columns*s.PerPixel*s.Width() || s.Rows != fr.Rows || s.PerPixel != fr.Samples {
			t.Fatalf("%d bytes for %d×%d×%d", len(s.Data), s.Rows, s.Columns, s.PerPixel)
		}
	}
}

// FuzzRLE bends RLE frames.
func FuzzRLE(f *testing.F) {
	f.Add(packRLE([]byte{1, 2, 3, 4, 5, 5, 5, 5}, 1, 2), 2, 2, uint8(2))
	f.Add(packRLE([]byte{1, 2, 3}, 3, 1), 1, 1, uint8(3))
	f.Fuzz(func(t *testing.T, b []byte, rows, columns int, shape uint8) {
		p := pixelSpec{rows: max(1, rows&63), columns: max(1, columns&63), samples: 1 + 2*int(shape&1), allocated: []int{8, 16, 32, 1}[shape>>1&3]}
		if p.allocated == 1 {
			p.samples = 1
		}
		got, err := unpackRLE(b, p)
		if err == nil && int64(len(got)) != p.size() {
			t.Fatalf("%d bytes, want %d", len(got), p.size())
		}
	})
}

// FuzzCodestream bends codestreams: their head is checked, and what passes goes through the decoder of its kind.
func FuzzCodestream(f *testing.F) {
	img := image.NewGray(image.Rect(0, 0, 8, 8))
	for i := range img.Pix {
		img.SetGray(i%8, i/8, color.Gray{Y: byte(i * 3)})
	}
	var packed bytes.Buffer
	if err := jpeg.Encode(&packed, img, nil); err != nil {
		f.Fatal(err)
	}
	f.Add(packed.Bytes(), uint8(0))
	f.Add(siz(8, 8, 8, 1, 8), uint8(2))
	whole, err := hex.DecodeString(ramp)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole, uint8(2))
	f.Add([]byte{0xFF, 0xD8, 0xFF, 0xF7, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0, 1, 2, 3, 4}, uint8(1))
	f.Add(packLossless(make([]uint16, 64), 8, 8, 1, 8, 1, 0, 16), uint8(0))
	f.Add([]byte{0xFF, 0x0A, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, uint8(4))
	uids := []string{"4.50", "4.80", "4.90", "4.201", "4.110"}
	f.Fuzz(func(t *testing.T, b []byte, kind uint8) {
		s, err := lookupSyntax(implicitLittleUID + "." + uids[int(kind)%len(uids)])
		if err != nil {
			t.Fatal(err)
		}
		p := pixelSpec{rows: 8, columns: 8, samples: 1, frames: 1, allocated: 8, stored: 8, high: 7, photometric: "MONOCHROME2"}
		d := dicomFile{syntax: s, spec: p}
		if out, err := d.unpack(context.Background(), b); err == nil && int64(len(out.Data)) != p.size() {
			t.Fatalf("%d bytes", len(out.Data))
		}
	})
}
