package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"plumbline/backend/desktest"
)

// What goes out as records of another system comes back as the same: exported, imported and exported again, every question, answer and box of
// GEMeX is as it was; only the names of cases and pictures are new.
func TestRecordsOfOthersComeBack(t *testing.T) {
	for _, name := range []string{"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(name, t.TempDir())
	}
	dir := t.TempDir()
	desktest.WriteDataset(t, filepath.Join(dir, "study"))
	rows := func(from, name string) []map[string]any {
		workspace, out := filepath.Join(dir, name+"-workspace"), filepath.Join(dir, name)
		plumb(t, 0, "--workspace", workspace, "--quiet", "import", from)
		plumb(t, 0, "--workspace", workspace, "--quiet", "export", "gemex", "--split", "none", "--out", out)
		b, err := os.ReadFile(filepath.Join(out, "gemex.all.json"))
		if err != nil {
			t.Fatal(err)
		}
		all := object[[]map[string]any](t, string(b))
		for _, row := range all {
			delete(row, "row_id")
			delete(row, "image")
		}
		return all
	}
	first := rows(filepath.Join(dir, "study"), "first")
	again := rows(filepath.Join(dir, "first"), "again")
	if len(first) == 0 || len(again) != len(first) {
		t.Fatalf("%d rows, then %d", len(first), len(again))
	}
	for i := range first {
		a, err := json.Marshal(first[i])
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(again[i])
		if err != nil || string(a) != string(b) {
			t.Errorf("row %d was %s, is %s, %v", i, a, b, err)
		}
	}
}
