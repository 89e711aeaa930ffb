package dcm

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"strings"
)

// Opened is a file that was opened: bytes at any place, how many there are, and how to let go of it.
type Opened struct {
	io.ReaderAt
	Size  int64
	Close func() error
}

// Opener opens what a path names: a file, or one inside an archive. It is called anew for every header and frame, from any goroutine.
type Opener func(path string) (Opened, error)

// OpenFile is the Opener of plain files. What is no regular file is ErrNotImage.
func OpenFile(path string) (Opened, error) {
	f, err := os.Open(path)
	if err != nil {
		return Opened{}, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return Opened{}, err
	}
	if !info.Mode().IsRegular() {
		f.Close()
		return Opened{}, errNoImage
	}
	return Opened{f, info.Size(), f.Close}, nil
}

// source opens a path.
func (open Opener) source(path string) (*source, error) {
	o, err := open(path)
	if err != nil {
		return nil, err
	}
	return &source{ReaderAt: o.ReaderAt, size: o.Size, close: o.Close}, nil
}

// Directory lists the files that a DICOMDIR names, in its order, each as a path relative to it with forward slashes, in the letters that stand
// there. Faults: Invalid for a file that is none, Damaged, NotFound, IO.
func Directory(path string, open Opener) (files []string, err error) {
	const op = "read DICOMDIR"
	file, err := open.source(path)
	if err != nil {
		return nil, loadFault(op, path, err)
	}
	defer file.close()
	files, err = directoryOf(file)
	if err != nil {
		return files, loadFault(op, path, err)
	}
	return files, nil
}

// directoryOf reads the records of a DICOMDIR (PS3.3 F.3).
func directoryOf(file *source) ([]string, error) {
	w := walker{window: newWindow(file), order: binary.LittleEndian}
	b, err := w.peek(0, 132)
	if err != nil || string(b[128:]) != "DICM" {
		return nil, invalid{errors.New("no DICOMDIR")}
	}
	uid, class, start, err := w.meta(132)
	if err != nil {
		return nil, err
	}
	if class != directoryUID {
		return nil, invalid{errors.New("no DICOMDIR")}
	}
	s, err := lookupSyntax(uid)
	if err != nil {
		return nil, err
	}
	o := opened{syntax: s, data: w.window, start: start}
	found, err := w.dataSet(start, o.written())
	var out []string
	for _, item := range found.root.items[tagRecords] {
		if parts := item.values[tagReferencedFile].texts; len(parts) > 0 {
			out = append(out, strings.Join(parts, "/"))
		}
	}
	return out, err
}
