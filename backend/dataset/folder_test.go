package dataset_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/dataset"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

func TestFolderOfImages(t *testing.T) {
	dir := t.TempDir()
	for n := range 6 { // one series over two folders
		put(t, dir, fmt.Sprintf("%d/%d.dcm", n%2, 9-n), slice(t, "Jane Canary", "one", n, 3))
	}
	for n := range 2 {
		put(t, dir, fmt.Sprintf("two%d", n), slice(t, "Jane Canary", "two", n, 4)) // no ending
	}
	put(t, dir, "pictures/a.png", picture(t, 1))
	put(t, dir, "pictures/b.png", picture(t, 2))
	put(t, dir, "README", []byte("read me"))
	put(t, dir, "notes.tsv", []byte("a\tb"))
	put(t, dir, "old.gz", []byte("\x1f\x8b"))
	put(t, dir, "report.dcm", noImage(t))
	put(t, dir, ".hidden/c.png", picture(t, 3))
	put(t, dir, "._d.png", []byte("resource fork"))
	s, problems := open(t, dir, nil)
	expect(t, problems)
	want := dataset.Counts{Cases: 4, Patients: 1, Images: 4, Frames: 10, Clusters: 3, Skipped: 4}
	if s.Counts() != want || s.Format() != dataset.Images {
		t.Errorf("counts %+v, want %+v", s.Counts(), want)
	}
	if s.Info().ClusterKey != "image" {
		t.Errorf("pictures without a patient: cluster key %q, want image", s.Info().ClusterKey)
	}
	for _, id := range s.IDs() {
		c, err := s.Case(id)
		if err != nil || len(c.Questions) != 0 || len(c.Images) != 1 {
			t.Fatalf("case %+v, %v", c, err)
		}
		stacks, _, err := s.Stacks(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		for n := range stacks[0].Frames {
			if _, _, err := s.Samples(context.Background(), id, c.Images[0].ID, n); err != nil {
				t.Errorf("%s frame %d: %v", id, n, err)
			}
		}
		if strings.Contains(fmt.Sprintf("%+v", c), "Canary") {
			t.Errorf("the identity in the file shows in case %+v", c)
		}
	}
	if s.Cluster("pictures/a") == s.Cluster("pictures/b") {
		t.Error("two different pictures are one cluster")
	}
	truth, _, err := s.Truth(context.Background())
	if err != nil || len(truth) != 0 {
		t.Errorf("truth of images: %v, %v", truth, err)
	}
}

func TestBadFilesAmongGoodOnes(t *testing.T) {
	dir := t.TempDir()
	whole := slice(t, "P", "one", 0, 1)
	put(t, dir, "good.dcm", whole)
	put(t, dir, "good.png", picture(t, 1))
	put(t, dir, "cut.dcm", slice(t, "P", "cut", 0, 1)[:len(whole)-100])
	put(t, dir, "early.dcm", whole[:200])
	put(t, dir, "noise.dcm", []byte(strings.Repeat("noise ", 400)))
	put(t, dir, "empty.png", nil)
	put(t, dir, "cut.png", picture(t, 2)[:20])
	put(t, dir, "scan.tiff", []byte("II*\x00"))
	put(t, dir, "noise.bin", []byte(strings.Repeat("noise ", 400)))
	s, problems := open(t, dir, nil)
	if n := s.Counts(); n.Cases != 2 || n.Skipped != 1 {
		t.Errorf("counts %+v, want the 2 good cases and 1 skipped", n)
	}
	told := map[string]string{}
	for _, p := range problems {
		if told[p.File] != "" || p.Text == "" || strings.Contains(p.Text, dir) {
			t.Errorf("problem %+v", p)
		}
		told[p.File] = p.Text
	}
	for _, f := range []string{"cut.dcm", "early.dcm", "noise.dcm", "empty.png", "cut.png", "scan.tiff"} {
		if told[f] == "" {
			t.Errorf("%s: no problem", f)
		}
	}
	if len(told) != 6 {
		t.Errorf("problems %v", problems)
	}
}

// Of two copies of a file the whole one is shown, whichever comes first.
func TestACutCopyDoesNotHideTheWholeFile(t *testing.T) {
	dir := t.TempDir()
	for n := range 3 {
		put(t, dir, fmt.Sprintf("m%d.dcm", n), slice(t, "P", "one", n, 1))
	}
	whole := slice(t, "P", "one", 1, 1)
	put(t, dir, "a-cut.dcm", whole[:len(whole)-100])
	put(t, dir, "z-again.dcm", whole)
	s, problems := open(t, dir, nil)
	expect(t, problems, want{File: "a-cut.dcm", Text: "a copy of another file"}, want{File: "z-again.dcm", Text: "a copy of another file"})
	if n := s.Counts(); n.Cases != 1 || n.Frames != 3 {
		t.Fatalf("counts %+v", n)
	}
	for n := range 3 {
		if _, _, err := s.Samples(context.Background(), s.IDs()[0], "1", n); err != nil {
			t.Errorf("frame %d: %v", n, err)
		}
	}
}

func TestNothingToOpen(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "empty/README", []byte("nothing here"))
	put(t, dir, "broken/a.dcm", []byte(strings.Repeat("noise ", 400)))
	whole := slice(t, "P", "one", 0, 1)
	put(t, dir, "one/cut.dcm", whole[:len(whole)-100])
	put(t, dir, "one/noise.png", []byte("noise"))
	put(t, dir, "one/report.dcm", noImage(t))
	for _, c := range []struct {
		path     string
		kind     fault.Kind
		problems int
	}{
		{"empty", fault.NotFound, 0},
		{"broken", fault.NotFound, 1},
		{"missing", fault.NotFound, 0},
		{"one/cut.dcm", fault.Damaged, 1},
		{"one/noise.png", fault.Invalid, 0},
		{"one/report.dcm", fault.NotFound, 0},
	} {
		t.Run(c.path, func(t *testing.T) {
			_, problems, err := dataset.Open(context.Background(), filepath.Join(dir, c.path), nil, review.Quiet)
			if fault.KindOf(err) != c.kind || len(problems) != c.problems {
				t.Errorf("%v (%s) with %d problems, want %s with %d", err, fault.KindOf(err), len(problems), c.kind, c.problems)
			}
		})
	}
}

func TestSingleFile(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.png", picture(t, 1))
	put(t, dir, "b.png", picture(t, 2))
	s, problems := open(t, filepath.Join(dir, "a.png"), nil)
	expect(t, problems)
	if n := s.Counts(); n.Cases != 1 || n.Images != 1 || s.IDs()[0] != "a" {
		t.Errorf("counts %+v, cases %v", n, s.IDs())
	}
	set := own(t, 2)
	if s, _ = open(t, filepath.Join(set, "cases.jsonl"), nil); s.Format() != dataset.Plumbline || s.Counts().Cases != 2 {
		t.Errorf("cases.jsonl itself: format %s, %+v", s.Format(), s.Counts())
	}
}

// What lies in the dataset is the same after as before, and a folder that cannot be written serves as well.
func TestNothingIsWrittenIntoADataset(t *testing.T) {
	dir := own(t, 2)
	list := func() (out string) {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			out += fmt.Sprintln(path, info.Size(), info.ModTime(), info.Mode())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, name := range []string{"images", "chains", "."} {
		if err := os.Chmod(filepath.Join(dir, name), 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(filepath.Join(dir, name), 0o755) })
	}
	before := list()
	ix := newIndex(t)
	for range 2 {
		s, problems := open(t, dir, ix)
		expect(t, problems)
		if _, _, err := s.Samples(context.Background(), "c1", "i", 0); err != nil {
			t.Error(err)
		}
	}
	if after := list(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

func TestClusters(t *testing.T) {
	same, other, black := picture(t, 9), picture(t, 10), picture(t, 0)
	for _, c := range []struct {
		name   string
		change func(a, b *review.Case)
		a, b   []byte
		linked bool
	}{
		{"nothing shared", func(a, b *review.Case) {}, same, other, false},
		{"a patient", func(a, b *review.Case) { b.Patient = a.Patient }, same, other, true},
		{"a study", func(a, b *review.Case) { a.Study, b.Study = "s", "s" }, same, other, true},
		{"a file", func(a, b *review.Case) { b.Images[0].Path = a.Images[0].Path }, same, other, true},
		{"the same pixels", func(a, b *review.Case) {}, same, same, true},
		{"the same black", func(a, b *review.Case) {}, black, black, false},
		{"an intervention's output", func(a, b *review.Case) { b.Images[0].Intervention = "occ" }, same, same, false},
		{"no patient on either side", func(a, b *review.Case) { a.Patient, b.Patient = "", "" }, same, other, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := own(t, 2)
			put(t, dir, "images/1.png", c.a)
			put(t, dir, "images/2.png", c.b)
			a, b := sheet(1), sheet(2)
			c.change(&a, &b)
			put(t, dir, "cases.jsonl", jsonl(t, a, b))
			s, _ := open(t, dir, nil)
			if got := s.Cluster("c1") == s.Cluster("c2"); got != c.linked {
				t.Errorf("linked %v, want %v", got, c.linked)
			}
			if n := map[bool]int{true: 1, false: 2}[c.linked]; s.Counts().Clusters != n {
				t.Errorf("%d clusters, want %d", s.Counts().Clusters, n)
			}
		})
	}
}

func TestSeriesOfTheSamePixelsLink(t *testing.T) {
	dir := t.TempDir()
	for n := range 4 {
		put(t, dir, fmt.Sprintf("a/%d.dcm", n), slice(t, "P1", "a", n, 5))
		put(t, dir, fmt.Sprintf("b/%d.dcm", n), slice(t, "P2", "b", n, 5))
		seed := uint64(5)
		if n == 0 {
			seed = 6 // the middle frames are the same, the first ones differ
		}
		put(t, dir, fmt.Sprintf("c/%d.dcm", n), slice(t, "P3", "c", n, seed))
	}
	s, problems := open(t, dir, nil)
	expect(t, problems)
	ids := s.IDs()
	if s.Cluster(ids[0]) != s.Cluster(ids[1]) || s.Cluster(ids[0]) == s.Cluster(ids[2]) || s.Counts().Clusters != 2 {
		t.Errorf("clusters %s %s %s", s.Cluster(ids[0]), s.Cluster(ids[1]), s.Cluster(ids[2]))
	}
}

func TestClusterOfManyPatientsIsShown(t *testing.T) {
	dir := own(t, 3)
	for n := 1; n <= 3; n++ {
		put(t, dir, fmt.Sprintf("images/%d.png", n), picture(t, 5))
	}
	s, problems := open(t, dir, nil)
	expect(t, problems, want{File: "cases.jsonl", Line: 1, Field: "patient", Text: "a shared image joins 3 patients into one cluster"})
	if s.Counts().Clusters != 1 {
		t.Errorf("%d clusters", s.Counts().Clusters)
	}
}

func TestSharedImagesAndVariantsAreCountedOnce(t *testing.T) {
	dir := own(t, 2)
	a, b := sheet(1), sheet(2)
	b.Images = append(b.Images, review.Image{ID: "earlier", Path: "images/1.png", Kind: review.SingleImage},
		review.Image{ID: "v", Path: "images/v.png", Kind: review.SingleImage, DerivedFrom: "i", Intervention: "occ"})
	put(t, dir, "images/v.png", picture(t, 44))
	put(t, dir, "cases.jsonl", jsonl(t, a, b))
	s, problems := open(t, dir, nil)
	expect(t, problems)
	if n := s.Counts(); n.Images != 3 || n.Variants != 1 || n.Frames != 3 || n.Clusters != 1 {
		t.Errorf("counts %+v", n)
	}
}

// D23: of a series of 20 the one slice that is cut short is marked; a report and a document are no images, and not broken.
func TestACutSliceAmongTwentyIsMarked(t *testing.T) {
	dir := t.TempDir()
	for n := range 20 {
		b := slice(t, "P", "one", n, 3)
		if n == 7 {
			b = b[:len(b)-100]
		}
		put(t, dir, fmt.Sprintf("%02d.dcm", n), b)
	}
	put(t, dir, "report.dcm", drawn(t, "1.2.840.10008.5.1.4.1.1.88.33", "one"))
	put(t, dir, "document.dcm", drawn(t, "1.2.840.10008.5.1.4.1.1.104.1", "one"))
	s, problems := open(t, dir, nil)
	expect(t, problems, want{File: "07.dcm", Text: "pixel data cut short: 412 of 512 bytes"})
	if n := s.Counts(); n.Cases != 1 || n.Frames != 20 || n.Skipped != 2 {
		t.Errorf("counts %+v", n)
	}
	good := 0
	for n := range 20 {
		f, _, err := s.Samples(context.Background(), s.IDs()[0], "1", n)
		if err == nil {
			good++
		} else if f.Problem == "" {
			t.Errorf("frame %d: %v", n, err)
		}
	}
	if good != 19 {
		t.Errorf("%d slices are shown, want 19", good)
	}
}

func TestResearchFilesAreCases(t *testing.T) {
	dir := t.TempDir()
	head := make([]byte, 352)
	binary.LittleEndian.PutUint32(head, 348)
	for i, v := range []uint16{3, 4, 4, 5} {
		binary.LittleEndian.PutUint16(head[40+2*i:], v)
	}
	binary.LittleEndian.PutUint16(head[70:], 4)
	binary.LittleEndian.PutUint16(head[254:], 1) // an sform: voxels of 1 mm, axes to the patient's right, front and head
	for i := range 3 {
		binary.LittleEndian.PutUint32(head[280+20*i:], math.Float32bits(1))
	}
	binary.LittleEndian.PutUint32(head[108:], math.Float32bits(352))
	copy(head[344:], "n+1")
	volume := append(head, make([]byte, 4*4*5*2)...)
	put(t, dir, "brain.nii", volume)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(append(volume[:len(volume):len(volume)], 1)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	put(t, dir, "sub/brain.nii.gz", packed.Bytes())
	put(t, dir, "table.gz", []byte{0x1f, 0x8b})
	put(t, dir, "broken.nii.gz", []byte{0x1f, 0x8b, 8})
	s, problems := open(t, dir, nil)
	expect(t, problems, want{File: "broken.nii.gz", Text: "supported kind"})
	if n := s.Counts(); n.Cases != 2 || n.Frames != 10 || n.Skipped != 1 {
		t.Errorf("counts %+v, %v", n, s.IDs())
	}
	stacks, _, err := s.Stacks(context.Background(), "sub/brain")
	if err != nil || stacks[0].Kind != review.Volume || stacks[0].Frames[0].ExifOrientation != 3 {
		t.Errorf("%+v, %v", stacks, err)
	}
	if len(samplesOf(t, s)) != 2*4*4*5*2 {
		t.Error("samples are missing")
	}
}
