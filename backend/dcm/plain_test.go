package dcm

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

// rewritten writes the frames of a file plainly and loads what was written.
func rewritten(t *testing.T, f *File) (before []review.Samples, after *File, raw []byte) {
	t.Helper()
	for i := range f.Header().Frames {
		s, err := f.Samples(context.Background(), i)
		if err != nil {
			t.Fatal(err)
		}
		before = append(before, s)
	}
	h := f.Header()
	var b bytes.Buffer
	var err error
	if IsPicture(h.Frames[0]) {
		err = WritePicture(&b, h.Frames[0], before[0])
	} else {
		p := Plain{Modality: h.Modality, StudyUID: UID("st"), SeriesUID: UID("se"), InstanceUID: UID("i"), FrameOfReference: UID("f"), Number: 1, Synthetic: h.Synthetic}
		err = WritePlain(&b, p, h.Frames, before)
	}
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if after, err = Load(path); err != nil {
		t.Fatal(err)
	}
	return before, after, b.Bytes()
}

// shows gives what a frame looks like, without how it is written: numbers to 9 digits, names of windows left out, YBR_ICT and YBR_RCT as the
// RGB that they are, chroma of pairs as chroma of each.
func shows(t *testing.T, f review.Frame) string {
	t.Helper()
	f.TransferSyntax, f.Path, f.Photometric = "", "", plainPhotometric(f)
	if f.SpacingSource == "" {
		f.SpacingMM = nil
	}
	f.Unit = listed(f.Unit, units)
	for i := range f.Windows {
		f.Windows[i].Explanation = ""
	}
	for i := range f.VOILUTs {
		f.VOILUTs[i].Explanation = ""
	}
	for _, list := range [][]float64{f.Position, f.Orientation, f.SpacingMM} {
		for i, v := range list {
			list[i] = math.Round(v*1e9) / 1e9
		}
	}
	b, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Every image that can be shown shows the same once it is written plainly, and nothing of who it is of comes along.
func TestPlainShowsTheSame(t *testing.T) {
	dir := testfiles.Shared(t, "dicom")
	if !HasCodecs() {
		testfiles.Missing(t, "the codecs are not in this build: run ./build/codecs")
	}
	for _, row := range tableRows(t, filepath.Join(dir, "manifest.tsv")) {
		if row["kind"] != "image" {
			continue
		}
		t.Run(row["file"], func(t *testing.T) {
			f, err := Load(filepath.Join(dir, "files", row["file"]))
			if err != nil {
				t.Fatal(err)
			}
			before, after, raw := rewritten(t, f)
			h, was := after.Header(), f.Header()
			if len(h.Frames) != len(before) {
				t.Fatalf("%d frames of %d", len(h.Frames), len(before))
			}
			for i, s := range before {
				got, err := after.Samples(context.Background(), i)
				if err != nil {
					t.Fatal(err)
				}
				if Digest(got) != Digest(s) || got.Signed != s.Signed || got.Float != s.Float || got.BitsAllocated != s.BitsAllocated {
					t.Fatalf("frame %d has other samples", i)
				}
				a, b := was.Frames[i], h.Frames[i]
				if IsPicture(a) {
					b.Lossy = a.Lossy // a PNG cannot say that a JPEG lay before it
				}
				if x, y := shows(t, a), shows(t, b); x != y {
					t.Errorf("frame %d:\n%s\n%s", i, x, y)
				}
			}
			for _, secret := range []string{was.PatientName, was.PatientID, was.StudyUID, was.SeriesUID, was.InstanceUID, was.FrameOfReference, was.Description, was.StudyDate} {
				if len(secret) > 3 && bytes.Contains(raw, []byte(secret)) {
					t.Errorf("%q came along", secret)
				}
			}
		})
	}
}

// A file whose every word is a canary: none of them comes along, and a value that only looks like a number of the file does not either.
func TestPlainTakesNoWords(t *testing.T) {
	const canary = "CANARY"
	img := small()
	img.Tags = []WriteTag{
		{Tag: 0x00080050, VR: "SH", Value: canary}, {Tag: 0x00080060, VR: "CS", Value: "CT"}, {Tag: 0x0008103E, VR: "LO", Value: canary},
		{Tag: 0x00090010, VR: "LO", Value: canary}, {Tag: 0x00091001, VR: "LO", Value: canary},
		{Tag: 0x00100010, VR: "PN", Value: canary + "^A"}, {Tag: 0x00100020, VR: "LO", Value: canary}, {Tag: 0x00100030, VR: "DA", Value: "19010203"},
		{Tag: 0x0020000D, VR: "UI", Value: "1.2.3.4.5.6.7"}, {Tag: 0x0020000E, VR: "UI", Value: "1.2.3.4.5.6.8"}, {Tag: 0x00200020, VR: "CS", Value: `LCANARY\F`},
		{Tag: 0x00280002, VR: "US", Value: "1"}, {Tag: 0x00280004, VR: "CS", Value: "MONOCHROME2"}, {Tag: 0x00280010, VR: "US", Value: "2"}, {Tag: 0x00280011, VR: "US", Value: "2"},
		{Tag: 0x00280100, VR: "US", Value: "16"}, {Tag: 0x00280101, VR: "US", Value: "16"}, {Tag: 0x00280102, VR: "US", Value: "15"}, {Tag: 0x00280103, VR: "US", Value: "1"},
		{Tag: 0x00281050, VR: "DS", Value: `40\50`}, {Tag: 0x00281051, VR: "DS", Value: `400\500`}, {Tag: 0x00281052, VR: "DS", Value: "-7"},
		{Tag: 0x00281053, VR: "DS", Value: "2"}, {Tag: 0x00281054, VR: "LO", Value: canary}, {Tag: 0x00281055, VR: "LO", Value: "SOFT TISSUE\\" + canary},
	}
	var b bytes.Buffer
	if err := Write(&b, img); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), canary+".dcm")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	_, after, raw := rewritten(t, f)
	for _, secret := range []string{canary, "19010203", "1.2.3.4.5", img.InstanceUID} {
		if bytes.Contains(raw, []byte(secret)) {
			t.Errorf("%q came along", secret)
		}
	}
	if w := after.Header().Frames[0]; w.Windows[0].Explanation != "SOFT TISSUE" || w.Windows[1].Explanation != "" || w.Slope != 2 || w.Intercept != -7 {
		t.Errorf("%+v", w)
	}
}

// A photograph that is stored lying is shown standing, before and after, on the samples as stored; its EXIF stays behind.
func TestPlainPictureKeepsItsTurn(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 6, 4))
	for i := range 24 {
		img.SetNRGBA(i%6, i/6, color.NRGBA{uint8(10 * i), uint8(255 - 10*i), 9, 255})
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	exif := append([]byte("Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00"), "CANARY"...)
	app1 := binary.BigEndian.AppendUint16([]byte{0xFF, 0xE1}, uint16(len(exif)+2))
	whole := append(append(append([]byte{0xFF, 0xD8}, app1...), exif...), b.Bytes()[2:]...)
	path := filepath.Join(t.TempDir(), "turned.jpg")
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	before, after, raw := rewritten(t, f)
	got, err := after.Samples(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if h := after.Header().Frames[0]; h.ExifOrientation != 6 || Digest(got) != Digest(before[0]) || bytes.Contains(raw, []byte("CANARY")) {
		t.Errorf("%+v", h)
	}
}

// Frames that could not be decoded cannot be shown in the plain file either, and keep their place.
func TestPlainWithoutPixels(t *testing.T) {
	var b bytes.Buffer
	f := review.Frame{Rows: 4, Columns: 4, Samples: 1, BitsAllocated: 16, BitsStored: 12, Photometric: "MONOCHROME2", Slope: 1}
	if err := WritePlain(&b, Plain{Modality: "CT", InstanceUID: UID("1"), SeriesUID: UID("2")}, []review.Frame{f}, nil); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "empty.dcm")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	loaded, err := Load(path)
	if err != nil || len(loaded.Header().Frames) != 1 || !strings.Contains(loaded.Header().Frames[0].Problem, "cut short") {
		t.Errorf("%+v, %v", loaded, err)
	}
}
