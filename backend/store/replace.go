package store

import (
	"errors"
	"os"
	"path/filepath"

	"plumbline/backend/fault"
)

// Replace writes a small file whole: under a temporary name, synced, renamed. A failure or a crash leaves the old file or the new one,
// never a part.
func Replace(path string, data []byte) error {
	const op = "write"
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+"-*")
	if err != nil {
		return fault.New(fault.IO, op, path, "%w", err)
	}
	defer os.Remove(f.Name()) // fails once renamed, as it should
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		if err = os.Rename(f.Name(), path); err == nil {
			err = syncFolder(dir)
		}
	}
	if err != nil {
		return fault.New(fault.IO, op, path, "%w", err)
	}
	return nil
}
