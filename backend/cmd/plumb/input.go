package main

import (
	"io"
	"os"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// loadInput loads a file of at most review.MaxRecord bytes for op; - is standard input.
func loadInput(op, path string) ([]byte, error) {
	if path != "-" {
		b, err := desk.LoadText(path)
		if err != nil {
			return nil, fault.In(op, path, err)
		}
		return b, nil
	}
	b, err := io.ReadAll(io.LimitReader(os.Stdin, review.MaxRecord+1))
	if err != nil {
		return nil, fault.New(fault.IO, op, path, "%w", err)
	}
	if len(b) > review.MaxRecord {
		return nil, fault.New(fault.Invalid, op, path, "at most %d bytes expected", review.MaxRecord)
	}
	return b, nil
}
