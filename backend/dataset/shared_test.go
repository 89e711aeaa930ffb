package dataset_test

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

// Every image of the corpus opens as part of a case, whatever lies among them; a malformed file gives a problem, is skipped, or shows a frame,
// and nothing stops the rest.
func TestCorpus(t *testing.T) {
	manifest, err := os.Open(testfiles.Shared(t, "dicom", "manifest.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer manifest.Close()
	kinds := map[string]string{}
	for in := bufio.NewScanner(manifest); in.Scan(); {
		if f := strings.Split(in.Text(), "\t"); len(f) > 1 && f[0] != "file" {
			kinds[f[0]] = f[1]
		}
	}
	s, problems := open(t, testfiles.Shared(t, "dicom", "files"), newIndex(t))
	told := map[string]string{}
	for _, p := range problems {
		told[p.File] = p.Text
	}
	shown := map[string]bool{}
	for _, id := range s.IDs() {
		stacks, _, err := s.Stacks(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range stacks[0].Frames {
			shown[filepath.Base(f.Path)] = true
		}
	}
	for file, kind := range kinds {
		switch {
		case kind == "image" && !shown[file] && !strings.HasPrefix(told[file], "a copy of another file"):
			t.Errorf("image %s is in no case: %s", file, told[file])
		case kind == "no-image" && (shown[file] || told[file] != ""):
			t.Errorf("%s holds no image and is not broken; shown %v, problem %q", file, shown[file], told[file])
		}
	}
	if n := s.Counts(); n.Cases != len(s.IDs()) || n.Frames < n.Images || n.Clusters > n.Cases {
		t.Errorf("counts %+v", n)
	}
	t.Logf("%+v, %d problems", s.Counts(), len(problems))
}

// The volumes' frames come in their order in space, whatever the files are called.
func TestCorpusVolumes(t *testing.T) {
	list, err := os.Open(testfiles.Shared(t, "dicom", "volumes.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	order := map[string][]string{} // volume -> files
	for in := bufio.NewScanner(list); in.Scan(); {
		if f := strings.Split(in.Text(), "\t"); len(f) > 2 && f[0] != "volume" {
			order[f[0]] = append(order[f[0]], filepath.Base(f[2]))
		}
	}
	for volume, files := range order {
		dir := testfiles.Shared(t, "dicom", "volumes", volume)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		s, _ := open(t, dir, nil)
		found := map[string]review.CaseID{}
		longest := review.Stack{}
		for _, id := range s.IDs() {
			stacks, _, err := s.Stacks(context.Background(), id)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range stacks[0].Frames {
				found[filepath.Base(f.Path)] = id
			}
			if len(stacks[0].Frames) > len(longest.Frames) {
				longest = stacks[0]
			}
		}
		if len(found) != len(files) {
			t.Errorf("%s: %d of %d files are in a case", volume, len(found), len(files))
		}
		if len(longest.Frames) != len(files) {
			t.Logf("%s: %d stacks of %d files", volume, len(s.IDs()), len(files))
			continue
		}
		for i, f := range longest.Frames {
			if filepath.Base(f.Path) != files[i] {
				t.Errorf("%s: frame %d is %s, want %s", volume, i, filepath.Base(f.Path), files[i])
				break
			}
		}
	}
}

// A malformed file beside a good series: a problem that names it, or it is passed over as no image; the series shows whole.
func TestMalformedFilesBesideAGoodSeries(t *testing.T) {
	dir := testfiles.Shared(t, "dicom")
	manifest, err := os.ReadFile(filepath.Join(dir, "manifest.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	silent := map[string]bool{ // they hold no image, or show
		"crafted__impl_unknown_undef_sq.dcm": true, "crafted__ob_undef_seq.dcm": true, "pydicom-data__bad_sequence.dcm": true, "pydicom__DICOMDIR-nooffset.dcm": true,
		"pydicom__ExplVR_BigEndNoMeta.dcm": true, "pydicom__ExplVR_LitEndNoMeta.dcm": true, "pydicom__UN_sequence.dcm": true, "pydicom__no_meta_group_length.dcm": true,
		"pydicom__empty_charset_LEI.dcm": true, "pydicom__priv_SQ.dcm": true, "pydicom__waveform_ecg.dcm": true,
	}
	// The header does not tell: decoding the frame does.
	atTheFrame := map[string]bool{"crafted__rle_bad_segments.dcm": true, "fo-dicom__genFile.dcm": true}
	looked := 0
	for line := range strings.Lines(string(manifest)) {
		row := strings.Split(line, "\t")
		if row[1] != "malformed" && row[1] != "no-image" {
			continue
		}
		looked++
		t.Run(row[0], func(t *testing.T) {
			bad, err := os.ReadFile(filepath.Join(dir, "files", row[0]))
			if err != nil {
				t.Fatal(err)
			}
			folder := t.TempDir()
			put(t, folder, row[0], bad)
			for n := range 3 {
				put(t, folder, string(rune('a'+n))+".dcm", slice(t, "P", "good", n, 1))
			}
			s, problems := open(t, folder, nil)
			for _, id := range s.IDs() {
				stacks, _, err := s.Stacks(context.Background(), id)
				if err != nil {
					t.Fatal(err)
				}
				good := filepath.Base(stacks[0].Frames[0].Path) == "a.dcm"
				if good && len(stacks[0].Frames) != 3 {
					t.Errorf("the series has %d frames", len(stacks[0].Frames))
				}
				for n := range stacks[0].Frames {
					_, _, err := s.Samples(context.Background(), id, "1", n)
					if good && err != nil || !good && atTheFrame[row[0]] && (err == nil || !strings.Contains(err.Error(), row[0])) {
						t.Errorf("%s frame %d: %v", id, n, err)
					}
				}
			}
			if named := len(problems) > 0 && problems[0].File == row[0] && problems[0].Text != ""; named == (silent[row[0]] || atTheFrame[row[0]]) {
				t.Errorf("problems %v; it should: %s", problems, row[24])
			}
		})
	}
	if looked < 30 {
		t.Errorf("only %d files", looked)
	}
}
