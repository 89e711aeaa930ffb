package dcm

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/fault"
)

// arrayOf writes an array as numpy does.
func arrayOf(version byte, descr, order, shape string, data ...byte) []byte {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }\n", descr, order, shape)
	out := append([]byte(npyMark), version, 0)
	if version == 1 {
		out = binary.LittleEndian.AppendUint16(out, uint16(len(text)))
	} else {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(text)))
	}
	return append(append(out, text...), data...)
}

// inMemory opens bytes whatever the path.
func inMemory(b []byte) Opener {
	return func(string) (Opened, error) {
		return Opened{bytes.NewReader(b), int64(len(b)), func() error { return nil }}, nil
	}
}

func TestHeatmapsOfArrays(t *testing.T) {
	whole := Heat{Frames: 2, Rows: 1, Columns: 2, Values: []float32{0, -1.5, float32(math.Inf(1)), 4}}
	for _, c := range []struct {
		name  string
		file  []byte
		want  Heat
		kind  fault.Kind
		words string
	}{
		{name: "bytes", file: arrayOf(1, "|u1", "False", "1, 3", 0, 7, 255), want: Heat{1, 1, 3, []float32{0, 7, 255}}},
		{name: "signed bytes of frames", file: arrayOf(1, "|i1", "False", "2, 1, 1", 0xFF, 1), want: Heat{2, 1, 1, []float32{-1, 1}}},
		{name: "truth", file: arrayOf(1, "|b1", "False", "1, 2,", 1, 0), want: Heat{1, 1, 2, []float32{1, 0}}},
		{name: "big endian, long header", file: arrayOf(2, ">u2", "False", "1, 1", 1, 2), want: Heat{1, 1, 1, []float32{258}}},
		{name: "signed", file: arrayOf(1, "<i2", "False", "1, 1", 0xFE, 0xFF), want: Heat{1, 1, 1, []float32{-2}}},
		{name: "four bytes", file: arrayOf(1, "<u4", "False", "1, 1", 1, 0, 0, 0), want: Heat{1, 1, 1, []float32{1}}},
		{name: "double", file: arrayOf(1, "<f8", "False", "1, 1", binary.LittleEndian.AppendUint64(nil, math.Float64bits(.25))...), want: Heat{1, 1, 1, []float32{.25}}},
		{name: "as written here", file: whole.WriteNPY(), want: whole},
		{name: "cut short", file: arrayOf(1, "<f4", "False", "1, 2", 0, 0, 0, 0), kind: fault.Damaged},
		{name: "cut in its header", file: arrayOf(1, "<f4", "False", "1, 2")[:30], kind: fault.Damaged},
		{name: "column order", file: arrayOf(1, "<f4", "True", "1, 1", 0, 0, 0, 0), kind: fault.Invalid, words: "column order"},
		{name: "objects", file: arrayOf(1, "|O8", "False", "1, 1"), kind: fault.Invalid, words: "plain numbers"},
		{name: "complex", file: arrayOf(1, "<c8", "False", "1, 1"), kind: fault.Invalid, words: "type c8"},
		{name: "one line", file: arrayOf(1, "|u1", "False", "3,", 1, 2, 3), kind: fault.Invalid, words: "rows and columns"},
		{name: "nothing", file: arrayOf(1, "|u1", "False", "0, 3"), kind: fault.Invalid, words: "no heatmap"},
		{name: "too large", file: arrayOf(1, "|u1", "False", "60000000, 60000000, 60000000"), kind: fault.Invalid, words: "more than"},
		{name: "no array", file: []byte("not an array"), kind: fault.Invalid},
		{name: "empty", file: nil, kind: fault.Invalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := LoadHeat(context.Background(), "map", inMemory(c.file))
			if c.kind != "" {
				if fault.KindOf(err) != c.kind || !strings.Contains(fmt.Sprint(err), c.words) {
					t.Errorf("%v, want %s with %q", err, c.kind, c.words)
				}
				return
			}
			if err != nil || got.Frames != c.want.Frames || got.Rows != c.want.Rows || got.Columns != c.want.Columns || !slices.Equal(got.Values, c.want.Values) {
				t.Errorf("%+v, %v, want %+v", got, err, c.want)
			}
		})
	}
}

func TestHeatmapsOfPictures(t *testing.T) {
	encoded := func(img image.Image) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	eight, sixteen := image.NewGray(image.Rect(0, 0, 2, 1)), image.NewGray16(image.Rect(0, 0, 1, 2))
	eight.SetGray(1, 0, color.Gray{200})
	sixteen.SetGray16(0, 1, color.Gray16{513})
	for _, c := range []struct {
		file []byte
		want Heat
	}{
		{encoded(eight), Heat{1, 1, 2, []float32{0, 200}}},
		{encoded(sixteen), Heat{1, 2, 1, []float32{0, 513}}}, // all sixteen bits
	} {
		got, err := LoadHeat(context.Background(), "map.png", inMemory(c.file))
		if err != nil || got.Rows != c.want.Rows || got.Columns != c.want.Columns || !slices.Equal(got.Values, c.want.Values) {
			t.Errorf("%+v, %v, want %+v", got, err, c.want)
		}
	}
	_, err := LoadHeat(context.Background(), "map.png", inMemory(encoded(image.NewNRGBA(image.Rect(0, 0, 2, 2)))))
	if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "grey") {
		t.Errorf("in colour: %v", err)
	}
}

// FuzzHeat bends arrays.
func FuzzHeat(f *testing.F) {
	f.Add(Heat{1, 2, 2, []float32{1, 2, 3, 4}}.WriteNPY())
	f.Add(arrayOf(2, ">u2", "False", "2, 1, 1", 1, 2, 3, 4))
	f.Add(arrayOf(1, "<f8", "False", "9999, 9999"))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := LoadHeat(context.Background(), "map", inMemory(append([]byte(npyMark), b...)))
		if err == nil && (len(h.Values) != h.Frames*h.Rows*h.Columns || len(h.Values) == 0 || len(h.Values) > maxHeat) {
			t.Fatalf("%d values of %d × %d × %d", len(h.Values), h.Frames, h.Rows, h.Columns)
		}
	})
}
