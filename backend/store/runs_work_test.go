package store

import (
	"path/filepath"
	"testing"

	"plumbline/backend/review"
)

func TestRunsKeepTheirWork(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.db")
	r, err := OpenRuns(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.SavePlan("run-1", []byte(`{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	for run, keys := range map[string][]string{"run-1": {"a", "b"}, "run-10": {"c"}} {
		for _, k := range keys {
			if err := r.Note(run, map[string][]byte{k: []byte(run + k)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, id := range []review.ChainID{"ch-2", "ch-1"} {
		c := review.Chain{Schema: review.ChainSchema, ID: id, Case: "case-1"}
		if err := r.Finish("run-1", "unit "+string(id), []byte("done"), c, review.Origin{Schema: review.OriginSchema, Chain: id, Run: "run-1"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if r, err = OpenRuns(path); err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	notes, err := r.Noted("run-1")
	if err != nil || len(notes) != 4 || string(notes["b"]) != "run-1b" || string(notes["unit ch-1"]) != "done" {
		t.Errorf("notes of run-1: %q, %v", notes, err)
	}
	for of, want := range map[review.CaseID]int{"case-1": 2, "case": 0, "": 2} {
		n := 0
		if err := r.Made(of, func(c review.Chain) error { n++; return nil }); err != nil || n != want {
			t.Errorf("chains of %q: %d, %v; want %d", of, n, err, want)
		}
	}
	if origins, err := r.Origins(); err != nil || len(origins) != 2 || origins[0].Chain != "ch-1" || origins[0].Run != "run-1" {
		t.Errorf("origins %+v, %v", origins, err)
	}
	plans := 0
	if err := r.Plans(func(run string, plan []byte) error { plans++; return nil }); err != nil || plans != 1 {
		t.Errorf("%d plans, %v", plans, err)
	}
}
