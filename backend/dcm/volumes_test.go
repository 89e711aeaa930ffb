package dcm

import (
	"path/filepath"
	"strconv"
	"testing"

	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

func TestVolumesOfTheCorpusAreInOrder(t *testing.T) {
	dir := testfiles.Shared(t, "dicom")
	want := map[string][]string{} // volume → files in order
	for _, row := range tableRows(t, filepath.Join(dir, "volumes.tsv")) {
		order, err := strconv.Atoi(row["order"])
		if err != nil || order != len(want[row["volume"]]) {
			t.Fatalf("order %q of %s", row["order"], row["file"])
		}
		want[row["volume"]] = append(want[row["volume"]], filepath.Join(dir, row["file"]))
	}
	stacks := map[string]int{"ct_ge_28_jls": 1, "mr_ge_fmri": 4}
	for name, files := range want {
		t.Run(name, func(t *testing.T) {
			shuffled, err := filepath.Glob(filepath.Join(dir, "volumes", name, "*.dcm"))
			if err != nil {
				t.Fatal(err)
			}
			var headers []Header
			for _, path := range shuffled {
				f, err := Load(path)
				if err != nil {
					t.Fatal(err)
				}
				headers = append(headers, f.Header())
			}
			got := Group(headers)
			if len(got) != stacks[name] {
				t.Fatalf("%d stacks, want %d", len(got), stacks[name])
			}
			i := 0
			for _, s := range got {
				if s.Kind != review.Volume {
					t.Errorf("%s is a %s", s.Image, s.Kind)
				}
				for _, f := range s.Frames {
					if f.Path != files[i] {
						t.Fatalf("frame %d is %s, want %s", i, f.Path, files[i])
					}
					i++
				}
			}
			if i != len(files) {
				t.Errorf("%d frames, want %d", i, len(files))
			}
		})
	}
}
