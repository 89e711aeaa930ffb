package dcm

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// small is a complete image of 2 × 2 samples.
func small() WriteImage {
	return WriteImage{
		SOPClass: CTImageStorage, InstanceUID: UID("small", "1"),
		Tags: []WriteTag{
			{Tag: 0x00080005, VR: "CS", Value: "ISO_IR 100"}, {Tag: 0x00080060, VR: "CS", Value: "CT"}, {Tag: 0x00100020, VR: "LO", Value: "P1"},
			{Tag: 0x0020000D, VR: "UI", Value: UID("study")}, {Tag: 0x0020000E, VR: "UI", Value: UID("series")}, {Tag: 0x00200032, VR: "DS", Value: `-1.5\2\3`},
			{Tag: 0x00280002, VR: "US", Value: "1"}, {Tag: 0x00280004, VR: "CS", Value: "MONOCHROME2"}, {Tag: 0x00280010, VR: "US", Value: "2"}, {Tag: 0x00280011, VR: "US", Value: "2"},
			{Tag: 0x00280100, VR: "US", Value: "16"}, {Tag: 0x00280101, VR: "US", Value: "16"}, {Tag: 0x00280102, VR: "US", Value: "15"}, {Tag: 0x00280103, VR: "US", Value: "1"},
		},
		Pixels: []byte{1, 0, 0xFF, 0xFF, 0, 0x80, 0xFF, 0x7F},
	}
}

func TestWriteIsLoadedBack(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, small()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "small.dcm")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h := f.Header()
	if h.InstanceUID != small().InstanceUID || h.PatientID != "P1" || len(h.Frames) != 1 {
		t.Fatalf("loaded %+v", h)
	}
	s, err := f.Samples(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(s.Data, small().Pixels) || !s.Signed {
		t.Errorf("samples %v, signed %v; want %v, signed", s.Data, s.Signed, small().Pixels)
	}
}

func TestWriteRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(p *WriteImage)
		want   string
	}{
		{"tags out of order", func(p *WriteImage) { p.Tags[0], p.Tags[1] = p.Tags[1], p.Tags[0] }, "does not follow"},
		{"SOP class among the tags", func(p *WriteImage) { p.Tags[0] = WriteTag{Tag: 0x00080016, VR: "UI", Value: "1.2"} }, "does not follow"},
		{"a number too large", func(p *WriteImage) { p.Tags[8].Value = "65536" }, "no number of 16 bits"},
		{"no number", func(p *WriteImage) { p.Tags[8].Value = "two" }, "no number of 16 bits"},
		{"text too long", func(p *WriteImage) { p.Tags[1].Value = strings.Repeat("C", 17) }, "longer than 16"},
		{"another representation", func(p *WriteImage) { p.Tags[1].VR = "OV" }, "not written"},
		{"a sequence with a text", func(p *WriteImage) { p.Tags[1].VR = "SQ" }, "not written"},
		{"a long number too large", func(p *WriteImage) { p.Tags[1].VR, p.Tags[1].Value = "UL", "4294967296" }, "no number of 32 bits"},
		{"half a float", func(p *WriteImage) { p.Tags[1].VR, p.Tags[1].Raw = "FL", []byte{1, 2} }, "not written"},
		{"half a sample", func(p *WriteImage) { p.Pixels = p.Pixels[:3] }, "even number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := small()
			c.change(&p)
			var b bytes.Buffer
			err := Write(&b, p)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
			if b.Len() != 0 {
				t.Errorf("%d bytes were written", b.Len())
			}
		})
	}
}

func TestUID(t *testing.T) {
	const want = "2.25."
	a := UID("a", "b")
	if a != UID("a", "b") || !strings.HasPrefix(a, want) || len(a) > 64 {
		t.Errorf("UID = %q, want the same one each time, %s…, at most 64 characters", a, want)
	}
	for _, other := range []string{UID("ab"), UID("b", "a"), UID("a", "b", "")} {
		if other == a {
			t.Errorf("other parts give the same UID %q", a)
		}
	}
}
