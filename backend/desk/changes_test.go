package desk_test

import (
	"os"
	"path/filepath"
	"testing"

	"plumbline/backend/desktest"
)

func TestChangesAreToldAndListed(t *testing.T) {
	study := desktest.New(t)
	ann := study.As("ann")
	before, err := ann.Desk.Problems(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ann.Desk.Changes(t.Context()); err != nil || got.All != 0 || got.Data == "" {
		t.Fatalf("%+v, %v", got, err)
	}
	cases := filepath.Join(study.Data, "cases.jsonl")
	b, err := os.ReadFile(cases)
	if err == nil {
		err = os.WriteFile(cases, append(b, '\n'), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	got, err := ann.Desk.Changes(t.Context())
	if err != nil || got.All != 1 || got.Named[0].File != "cases.jsonl" {
		t.Errorf("%+v, %v", got, err)
	}
	after, err := ann.Desk.Problems(t.Context())
	if err != nil || len(after) != len(before)+1 || after[len(before)].File != "cases.jsonl" {
		t.Errorf("%+v, %v", after, err)
	}
	if _, err := ann.Desk.Import(t.Context(), got.Data); err != nil {
		t.Fatal(err)
	}
	if again, err := ann.Desk.Changes(t.Context()); err != nil || again.All != 0 {
		t.Errorf("opened again: %+v, %v", again, err)
	}
	if after, err := ann.Desk.Problems(t.Context()); err != nil || len(after) != len(before) {
		t.Errorf("%+v, %v", after, err)
	}
}
