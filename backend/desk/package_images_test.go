package desk_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"plumbline/backend/dcm"
	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/review"
	"plumbline/backend/sample"
	"plumbline/backend/testfiles"
)

// There and back: what a reader sees of an image at a workstation of their own is what the coordinator sees.
func comparesImages(t *testing.T, study *desktest.Study, boss, reader *desktest.Person) (frames int) {
	t.Helper()
	for _, row := range boss.Worklist() {
		ours, theirs := boss.Open(row.ID).View, reader.Open(row.ID).View
		if len(ours.Stacks) != len(theirs.Stacks) {
			t.Fatalf("%s: %d images here, %d there", row.ID, len(ours.Stacks), len(theirs.Stacks))
		}
		for i, a := range ours.Stacks {
			b := theirs.Stacks[i]
			if len(a.Frames) != len(b.Frames) || a.Kind != b.Kind || a.Modality != b.Modality || a.Synthetic != b.Synthetic {
				t.Errorf("%s: %d frames (%s, %s) here, %d (%s, %s) there; %v, %v", row.ID, len(a.Frames), a.Kind, a.Modality, len(b.Frames), b.Kind, b.Modality, a.Reasons, b.Reasons)
				continue
			}
			for j := range i {
				here, there := a.Space != "" && a.Space == ours.Stacks[j].Space, b.Space != "" && b.Space == theirs.Stacks[j].Space
				if here != there {
					t.Errorf("%s: images %d and %d share a space here: %v, there: %v", row.ID, j+1, i+1, here, there)
				}
			}
			if a.Space != "" && a.Space == b.Space {
				t.Errorf("%s: the frame of reference of image %d came along", row.ID, i+1)
			}
			for n := 0; n < len(a.Frames); n += 1 + len(a.Frames)/6 { // dcm tries every frame of every file
				fa, sa, errA := boss.Desk.Frame(t.Context(), row.ID, string(a.Image), n)
				fb, sb, errB := reader.Desk.Frame(t.Context(), string(theirs.Case.ID), string(b.Image), n)
				if errA != nil || errB != nil {
					if (errA == nil) != (errB == nil) {
						t.Errorf("%s frame %d: %v here, %v there", row.ID, n, errA, errB)
					}
					continue
				}
				if dcm.Digest(sa) != dcm.Digest(sb) || looks(fa) != looks(fb) {
					t.Fatalf("%s frame %d differs:\n%s\n%s", row.ID, n, looks(fa), looks(fb))
				}
				frames++
			}
		}
	}
	return frames
}

// looks gives what a frame is shown by: numbers to 6 digits.
func looks(f review.Frame) string {
	round := func(v []float64) []float64 {
		out := slices.Clone(v)
		for i := range out {
			out[i] = math.Round(out[i]*1e6) / 1e6
		}
		return out
	}
	widths := []float64{}
	for _, w := range f.Windows {
		widths = append(widths, w.Center, w.Width)
	}
	return fmt.Sprint(f.Rows, f.Columns, f.Samples, f.BitsStored, f.Signed, f.Float, f.Slope, f.Intercept, widths, f.VOIFunction, round(f.SpacingMM), round(f.Position),
		round(f.Orientation), f.Invert, f.ExifOrientation, f.PixelAspect, f.ModalityLUT != nil, len(f.VOILUTs), f.DurationMS)
}

// pictures makes a dataset of one case an image, each with a question, and gives it to R2.
func pictures(t *testing.T, fill func(dir string) []review.Image) (*desktest.Study, *desktest.Person, *desktest.Person) {
	t.Helper()
	study := desktest.Many(t, 1)
	if err := os.RemoveAll(study.Data); err != nil {
		t.Fatal(err)
	}
	var cases bytes.Buffer
	for i, image := range fill(study.Data) {
		image.ID = "the image"
		c := review.Case{
			Schema: review.CaseSchema, ID: review.CaseID(fmt.Sprintf("case-%03d", i+1)), Images: []review.Image{image}, FramesShown: []int{},
			Questions: []review.Question{{ID: "q", K: 1, Stage: "Findings", Text: "Anything? (q)", Options: []review.Option{{Letter: "A", Text: "yes"}}, Parents: []review.QuestionID{}}},
		}
		line, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		cases.Write(append(line, '\n'))
	}
	if err := os.WriteFile(filepath.Join(study.Data, "cases.jsonl"), cases.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	boss := study.Coordinator().Set(desktest.Rules("R1", "R2"))
	boss.Assign()
	return study, boss, boss.HandTo(study.Away("R2"))
}

// Every image file of the shared ones, series by series, is the same there and here; none of who it is of comes along.
func TestEveryImageInAPackage(t *testing.T) {
	dir := testfiles.Shared(t, "dicom", "files")
	if !dcm.HasCodecs() {
		testfiles.Missing(t, "the codecs are not in this build: run ./build/codecs")
	}
	secrets := map[string]bool{}
	study, boss, two := pictures(t, func(to string) []review.Image {
		headers := []dcm.Header{}
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if f, err := dcm.Load(path); err == nil && len(f.Header().Frames) > 0 {
				h := f.Header()
				headers = append(headers, h)
				for _, s := range []string{h.PatientName, h.PatientID, h.StudyUID, h.SeriesUID, h.InstanceUID, h.FrameOfReference, filepath.Base(path)} {
					if len(s) > 5 {
						secrets[s] = true
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		images := []review.Image{}
		for i, st := range dcm.Group(headers) {
			name := fmt.Sprintf("images/%03d", i)
			for _, f := range st.Frames {
				b, err := os.ReadFile(f.Path)
				if err != nil {
					t.Fatal(err)
				}
				file := filepath.Join(to, filepath.FromSlash(name), filepath.Base(f.Path))
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			images = append(images, review.Image{Path: name, Kind: st.Kind, Modality: st.Modality})
		}
		return images
	})
	if n := comparesImages(t, study, boss, two); n < 150 {
		t.Errorf("only %d frames were compared", n)
	}
	heads := heads(t, filepath.Join(two.Folder(), "data"))
	for s := range secrets {
		if bytes.Contains(heads, []byte(s)) {
			t.Errorf("%q came along", s)
		}
	}
}

// heads gives the begin of every file, where all is that is no picture.
func heads(t *testing.T, dir string) []byte {
	t.Helper()
	var all bytes.Buffer
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		all.WriteString(path)
		all.Write(b[:min(len(b), 4096)])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.Bytes()
}

// X09: the canary patient, in a DICOM file and in its name, is nowhere in a package.
func TestCanaryPatientStaysHere(t *testing.T) {
	const canary = "CANARYPATIENT"
	_, boss, two := pictures(t, func(to string) []review.Image {
		var b bytes.Buffer
		tag := func(tag uint32, vr, value string) dcm.WriteTag { return dcm.WriteTag{Tag: tag, VR: vr, Value: value} }
		err := dcm.Write(&b, dcm.WriteImage{SOPClass: dcm.CTImageStorage, InstanceUID: "1.2.999.1", Tags: []dcm.WriteTag{
			tag(0x00080050, "SH", canary), tag(0x00080060, "CS", "CT"), tag(0x0008103E, "LO", canary), tag(0x00091001, "LO", canary), tag(0x00100010, "PN", canary+"^A"),
			tag(0x00100020, "LO", canary), tag(0x00100030, "DA", "19010203"), tag(0x0020000D, "UI", "1.2.999.2"), tag(0x0020000E, "UI", "1.2.999.3"),
			tag(0x00280002, "US", "1"), tag(0x00280004, "CS", "MONOCHROME2"), tag(0x00280010, "US", "2"), tag(0x00280011, "US", "2"),
			tag(0x00280100, "US", "16"), tag(0x00280101, "US", "16"), tag(0x00280102, "US", "15"), tag(0x00280103, "US", "0"), tag(0x00281055, "LO", canary),
		}, Pixels: make([]byte, 8)})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(to, "images", canary, canary+".dcm")
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return []review.Image{{Path: "images/" + canary + "/" + canary + ".dcm", Kind: review.SingleImage}}
	})
	two.Open(two.Worklist()[0].ID).LookAll()
	if err := two.Desk.Close(); err != nil {
		t.Fatal(err)
	}
	files := everything(t, two.Folder())
	for _, secret := range []string{canary, "19010203", "1.2.999."} {
		if i := bytes.Index(files, []byte(secret)); i >= 0 {
			t.Errorf("%q came along: %q", secret, files[max(0, i-60):min(len(files), i+60)])
		}
	}
	if at := regexp.MustCompile(`P-[0-9a-f]{10}`).FindIndex(files); at != nil { // the stand-in of a patient's identity
		t.Errorf("%q came along", files[at[0]:at[1]])
	}
	if !bytes.Contains(everything(t, filepath.Join(boss.Folder())), []byte("case-001")) {
		t.Error("what is looked for would not be found")
	}
	two.Restart()
}

// The sample study: volumes keep their frames, order and place, films their spacing and inversion; no reader has its models or truth.
func TestSampleStudyInAPackage(t *testing.T) {
	study := desktest.Many(t, 1)
	if err := os.RemoveAll(study.Data); err != nil {
		t.Fatal(err)
	}
	if _, err := sample.Write(t.Context(), study.Data, 1, review.Quiet); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(study.Data, "cases.jsonl")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	some := [][]byte{} // volumes and films
	for i, line := range bytes.SplitAfter(b, []byte("\n")) {
		if i%6 == 0 {
			some = append(some, line)
		}
	}
	if err := os.WriteFile(path, bytes.Join(some, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	boss := study.Coordinator().Set(desktest.Rules("R1", "R2"))
	boss.Assign()
	two := boss.HandTo(study.Away("R2"))
	if n := comparesImages(t, study, boss, two); n < 15 {
		t.Errorf("only %d frames were compared", n)
	}
	files := heads(t, filepath.Join(two.Folder(), "data"))
	for _, secret := range []string{"oracle", "text-only", "cue-follower", "SYN-P", "SYNTHETIC^", "truth", "P01"} {
		if i := bytes.Index(files, []byte(secret)); i >= 0 {
			t.Errorf("%q came along: %q", secret, files[max(0, i-60):min(len(files), i+60)])
		}
	}
	if _, err := two.Desk.Report(t.Context()); err == nil {
		t.Error("a reader makes no report")
	}
	if s := two.State(); s.Problems != 0 || !s.Synthetic || s.Role != desk.Reader {
		t.Errorf("%+v", s)
	}
}
