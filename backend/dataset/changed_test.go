package dataset_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"plumbline/backend/dataset"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

func TestChangedFilesAreNamed(t *testing.T) {
	later := time.Now().Add(time.Hour)
	folder := t.TempDir()
	put(t, folder, "a.png", picture(t, 1))
	put(t, folder, "b/b.png", picture(t, 2))
	mine := own(t, 2)
	for _, c := range []struct {
		name   string
		open   string
		change func() error
		want   string
	}{
		{"nothing", folder, func() error { return nil }, ""},
		{"a picture touched", folder, func() error { return os.Chtimes(filepath.Join(folder, "a.png"), later, later) }, "a.png changed"},
		{"a picture more", folder, func() error { return os.WriteFile(filepath.Join(folder, "b/c.png"), picture(t, 3), 0o600) }, "b/c.png came"},
		{"a picture gone", folder, func() error { return os.Remove(filepath.Join(folder, "b/b.png")) }, "b/b.png gone"},
		{"one file", filepath.Join(folder, "a.png"), func() error { return os.Remove(filepath.Join(folder, "a.png")) }, "a.png gone"},
		{"cases", mine, func() error { return os.WriteFile(filepath.Join(mine, "cases.jsonl"), jsonl(t, sheet(1)), 0o600) }, "cases.jsonl changed"},
		{"an image of a case", mine, func() error { return os.Remove(filepath.Join(mine, "images/1.png")) }, "images/1.png gone"},
	} {
		s, _ := open(t, c.open, nil)
		if got, all, err := s.Changed(t.Context()); err != nil || all != 0 || len(got) != 0 {
			t.Errorf("%s: before, %v, %v", c.name, got, err)
		}
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		got, all, err := s.Changed(t.Context())
		said := ""
		if all > 0 {
			said = fmt.Sprintf("%s %.*s", got[0].File, len(c.want)-len(got[0].File)-1, got[0].Text)
		}
		if err != nil || said != c.want || all != len(got) || all > 1 {
			t.Errorf("%s: %d, %+v, %v", c.name, all, got, err)
		}
	}
}

func TestManyChangedFilesAreCounted(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.png", picture(t, 1))
	s, _, err := dataset.Open(t.Context(), dir, nil, review.Quiet)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 150 {
		put(t, dir, fmt.Sprintf("n%d.png", i), nil)
	}
	if got, all, err := s.Changed(t.Context()); err != nil || all != 150 || len(got) != 100 {
		t.Errorf("%d of %d, %v", len(got), all, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.Changed(gone); fault.KindOf(fault.In("look", "", err)) != fault.Cancelled {
		t.Errorf("cancelled: %v", err)
	}
}
