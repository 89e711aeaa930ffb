package store

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"plumbline/backend/fault"
)

// L08: a failed save leaves the old file, and nothing beside it.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "workspace.json")
	for _, text := range []string{"old", "new"} {
		if err := Replace(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if b, _ := os.ReadFile(path); string(b) != text {
			t.Errorf("%q expected, found %q", text, b)
		}
	}
	if err := Replace(filepath.Join(dir, "missing", "x"), nil); fault.KindOf(err) != fault.IO {
		t.Errorf("a folder that is not there: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Replace(filepath.Join(dir, "folder"), nil); fault.KindOf(err) != fault.IO {
		t.Errorf("a folder in the way: %v", err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}

// Two folders take each other's place in one step, or nothing changes.
func TestExchange(t *testing.T) {
	home := t.TempDir()
	a, b := filepath.Join(home, "a"), filepath.Join(home, "b")
	for _, dir := range []string{a, b} {
		if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "name"), []byte(filepath.Base(dir)), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	want := "b"
	switch err := Exchange(a, b); {
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.EINVAL): // of a system, or a disk, that has no such step
		want = "a"
	case err != nil:
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(a, "name")); err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	if err := Exchange(a, filepath.Join(home, "none")); err == nil {
		t.Error("exchanged with nothing")
	}
}
