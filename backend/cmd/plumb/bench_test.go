package main

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// The command measures what it says and leaves nothing behind: times are printed, never judged.
func TestBenchGivesRowsAndLeavesNothing(t *testing.T) {
	study, on := filepath.Join(t.TempDir(), "study"), t.TempDir()
	plumb(t, 0, "sample", study, "--quiet")
	out := plumb(t, 0, "bench", filepath.Join(study, "images"), "--on", on, "--json", "--quiet")
	var got benchResult
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Processors < 1 || len(got.Rows) < 5 { // two of the ledger, two of the index, one for each transfer syntax
		t.Fatalf("%+v", got)
	}
	for _, r := range got.Rows {
		if r.Items < 1 || r.Runs < 1 || r.Median <= 0 || r.P95 < r.Median || r.LimitMS <= 0 || r.Limit == "" {
			t.Errorf("%+v", r)
		}
	}
	if left, err := filepath.Glob(filepath.Join(on, "*")); err != nil || len(left) != 0 {
		t.Error("left behind:", left, err)
	}
}
