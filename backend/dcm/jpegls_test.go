package dcm

import (
	"bytes"
	"encoding/hex"
	"testing"
)

// example is the worked example of ITU-T T.87 annex H.3: 4×4 pixels of 8 bits.
const example = "ffd8fff7000b080004000401011100ffda0008010100000000" +
	"c000006c80208e01c0000057400000" + "6ee6000001bc180000" + "05d800009160ffd9"

func TestJPEGLSOfTheStandard(t *testing.T) {
	b, err := hex.DecodeString(example)
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeJPEGLS(b, pixelSpec{rows: 4, columns: 4, samples: 1, allocated: 8})
	want := []byte{0, 0, 90, 74, 68, 50, 43, 205, 64, 145, 145, 145, 100, 145, 145, 145}
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestJPEGLSThatIsDamagedEnds(t *testing.T) {
	b, err := hex.DecodeString(example)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		bend func([]byte) []byte
	}{
		{"cut in the header", func(b []byte) []byte { return b[:20] }},
		{"cut in the scan", func(b []byte) []byte { return b[:32] }},
		{"no scan", func(b []byte) []byte { return append(b[:15], 0xFF, 0xD9) }},
		{"near beyond half", func(b []byte) []byte { b[22] = 200; return b }},
		{"two components", func(b []byte) []byte { b[19] = 2; return b }},
		{"mapping table", func(b []byte) []byte {
			return append(append(append([]byte(nil), b[:15]...), 0xFF, 0xF8, 0, 5, 2, 1, 1), b[15:]...)
		}},
		{"restart interval", func(b []byte) []byte {
			return append(append(append([]byte(nil), b[:15]...), 0xFF, 0xDD, 0, 4, 0, 1), b[15:]...)
		}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			if _, err := decodeJPEGLS(c.bend(append([]byte(nil), b...)), pixelSpec{rows: 4, columns: 4, samples: 1, allocated: 8}); err == nil {
				t.Error("it gave a picture")
			}
		})
	}
	// A small stream that claims the largest picture: the bits end long before the pixels do.
	large := append([]byte(nil), b...)
	copy(large[7:], []byte{0x27, 0x10, 0x27, 0x10})
	if _, err := decodeJPEGLS(large, pixelSpec{rows: 10000, columns: 10000, samples: 1, allocated: 8}); err == nil {
		t.Error("it gave a picture")
	}
}
