package desk

import (
	"io"
	"os"

	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// LoadText loads a protocol, a rubric or the like: a file of at most review.MaxRecord bytes. Faults: NotFound, IO, Invalid for a larger one.
func LoadText(path string) ([]byte, error) {
	const op = "load file"
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.In(op, path, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, review.MaxRecord+1))
	switch {
	case err != nil:
		return nil, fault.New(fault.IO, op, path, "%w", err)
	case len(b) > review.MaxRecord:
		return nil, fault.New(fault.Invalid, op, path, "at most %d bytes expected", review.MaxRecord)
	}
	return b, nil
}

// SaveText writes a file whole, or not at all. Fault IO.
func SaveText(path string, text []byte) error { return store.Replace(path, text) }
