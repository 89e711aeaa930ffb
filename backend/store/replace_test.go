package store

import (
	"os"
	"path/filepath"
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
