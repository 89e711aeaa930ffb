package dcm

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

// tableRows reads a tab-separated file with a line of names.
func tableRows(t testing.TB, path string) []map[string]string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	names := strings.Split(lines[0], "\t")
	var out []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, cell := range strings.Split(line, "\t") {
			row[names[i]] = strings.TrimSpace(cell)
		}
		out = append(out, row)
	}
	return out
}

// allSamples decodes every frame of a file, one after another.
func allSamples(t testing.TB, f *File) ([]byte, error) {
	t.Helper()
	var all []byte
	for i := range f.Header().Frames {
		s, err := f.Samples(context.Background(), i)
		if err != nil {
			return nil, err
		}
		all = append(all, s.Data...)
	}
	return all, nil
}

func TestEveryImageOfTheCorpusDecodesToItsDigest(t *testing.T) {
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
			got, err := allSamples(t, f)
			if err != nil {
				t.Fatal(err)
			}
			checkShape(t, f.Header().Frames, row)
			sum := sha256.Sum256(got)
			if hex.EncodeToString(sum[:]) == row["samples_sha256"] {
				return
			}
			if row["max_abs_diff"] == "0" {
				t.Fatalf("%s %s: samples differ from %s", row["ts"], row["photometric"], row["ref"])
			}
			closeTo(t, got, filepath.Join(dir, row["ref_samples"]), f.Header().Frames[0])
		})
	}
}

// checkShape compares the frames with the manifest.
func checkShape(t *testing.T, frames []review.Frame, row map[string]string) {
	t.Helper()
	f := frames[0]
	for name, got := range map[string]int{"rows": f.Rows, "cols": f.Columns, "frames": len(frames), "spp": f.Samples, "bits_alloc": f.BitsAllocated} {
		if want := row[name]; want != "" && want != strconv.Itoa(got) {
			t.Errorf("%s is %d, want %s", name, got, want)
		}
	}
}

// closeTo compares lossy samples with those of the reference decoder, one apart at most.
func closeTo(t *testing.T, got []byte, path string, f review.Frame) {
	t.Helper()
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	want, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d bytes, want %d", len(got), len(want))
	}
	at := func(b []byte, i int) int {
		switch {
		case f.BitsAllocated <= 8:
			return int(b[i])
		case f.Signed:
			return int(int16(uint16(b[2*i]) | uint16(b[2*i+1])<<8))
		}
		return int(b[2*i]) | int(b[2*i+1])<<8
	}
	worst, differ := 0, 0
	for i := range len(got) / max(1, f.BitsAllocated/8) {
		if d := at(got, i) - at(want, i); d != 0 {
			worst, differ = max(worst, max(d, -d)), differ+1
		}
	}
	if worst > 1 {
		t.Errorf("%d samples differ, by up to %d", differ, worst)
	}
}
