package store

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"plumbline/backend/fault"
)

// Replace writes a small file whole: under a temporary name, synced, renamed. A failure or a crash leaves the old file or the new one,
// never a part.
func Replace(path string, data []byte) error {
	return ReplaceWith(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// ReplaceWith is Replace for a file that write writes; what write fails with is passed on with its kind.
func ReplaceWith(path string, write func(io.Writer) error) error {
	const op = "write"
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+"-*")
	if err != nil {
		return fault.New(fault.IO, op, path, "%w", err)
	}
	defer os.Remove(f.Name()) // fails once renamed, as it should
	err = write(f)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		if err = os.Rename(f.Name(), path); err == nil {
			err = SyncFolder(dir)
		}
	}
	var known *fault.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	}
	return fault.New(fault.IO, op, path, "%w", err)
}
