package dataset_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
)

func TestHeatmapsLieBelowTheDataset(t *testing.T) {
	dir := own(t, 1)
	outside := filepath.Join(t.TempDir(), "secret.npy")
	values := dcm.Heat{Frames: 1, Rows: 1, Columns: 2, Values: []float32{1, 2}}.WriteNPY()
	if err := os.WriteFile(outside, values, 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "heat/a.npy", values)
	put(t, dir, "heat/words.npy", []byte("no array"))
	if err := os.Symlink(outside, filepath.Join(dir, "heat", "link.npy")); err != nil {
		t.Fatal(err)
	}
	c := chainOf("h1", 1)
	c.Answers[0].Steps[0].Heatmap = "heat/none.npy"
	c.Answers[1].Steps[0].Heatmap = "heat/a.npy"
	put(t, dir, "chains/b.jsonl", jsonl(t, c))
	s, problems := open(t, dir, nil)
	expect(t, problems, want{File: "chains/b.jsonl", Line: 1, Field: "answers[0].steps[0].heatmap", Text: "heat/none.npy: file not found"})
	if h, err := s.Heat(context.Background(), "heat/a.npy"); err != nil || h.Columns != 2 || h.Values[1] != 2 {
		t.Errorf("%+v, %v", h, err)
	}
	for name, kind := range map[string]fault.Kind{
		"heat/none.npy": fault.NotFound, "heat/words.npy": fault.Invalid, "heat": fault.NotFound, "heat/link.npy": fault.NotFound, outside: fault.NotFound,
		"../" + filepath.Base(filepath.Dir(outside)) + "/secret.npy": fault.NotFound, "": fault.NotFound,
	} {
		if _, err := s.Heat(context.Background(), name); fault.KindOf(err) != kind {
			t.Errorf("%s: %v, want %s", name, err, kind)
		}
	}
}
