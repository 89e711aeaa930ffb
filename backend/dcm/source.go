package dcm

import (
	"bytes"
	"io"
)

// source is a file, or the inflated bytes of one, of known size.
type source struct {
	io.ReaderAt
	size  int64
	close func() error
}

// memory is a source of bytes already read.
func memory(b []byte) *source {
	return &source{ReaderAt: bytes.NewReader(b), size: int64(len(b)), close: func() error { return nil }}
}

// bytesAt reads n bytes at an offset; the caller has checked n against a budget.
func (s *source) bytesAt(offset, n int64) ([]byte, error) {
	if offset < 0 || n < 0 || offset > s.size-n {
		return nil, errShort
	}
	b := make([]byte, n)
	if _, err := s.ReadAt(b, offset); err != nil {
		if err == io.EOF {
			err = errShort
		}
		return nil, err
	}
	return b, nil
}

// windowSize is how much of a header is read at once: most headers need one read.
const windowSize = 16 << 10

// window gives small pieces of a source without a system call each.
type window struct {
	*source
	buffer []byte
	offset int64
	filled int
}

// newWindow opens a window at no place yet.
func newWindow(s *source) window { return window{source: s, buffer: make([]byte, windowSize)} }

// peek gives n (≤ windowSize) bytes at an offset; they are valid until the next call.
func (w *window) peek(offset int64, n int) ([]byte, error) {
	if offset < 0 || offset > w.size-int64(n) {
		return nil, errShort
	}
	if offset < w.offset || offset+int64(n) > w.offset+int64(w.filled) {
		got, err := w.ReadAt(w.buffer, offset)
		if err != nil && err != io.EOF {
			return nil, err
		}
		w.offset, w.filled = offset, got
		if got < n {
			return nil, errShort
		}
	}
	at := offset - w.offset
	return w.buffer[at : at+int64(n)], nil
}
