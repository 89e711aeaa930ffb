package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"plumbline/backend/dataset"
	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

const (
	benchRuns = 5
	// headerBytes is how much of each file the limit of indexing reads.
	headerBytes = 16 << 10
	// benchFrames and benchBytes bound what is decoded of a transfer syntax in one run.
	benchFrames = 200
	benchBytes  = 256 << 20
)

func processors() int { return runtime.GOMAXPROCS(0) }

// benchPictures measures the index of a folder and the decoding of its frames, a row for each transfer syntax.
func benchPictures(ctx context.Context, path, dir string, tell review.Tell) ([]benchRow, error) {
	var files []string
	err := filepath.WalkDir(path, func(file string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files = append(files, file)
		}
		return err
	})
	if err != nil {
		return nil, fault.In("list files", path, err)
	}
	rows, err := benchIndex(ctx, path, dir, files, tell)
	if err != nil {
		return nil, err
	}
	more, err := benchDecode(ctx, files, tell)
	return append(rows, more...), err
}

func benchIndex(ctx context.Context, path, dir string, files []string, tell review.Tell) ([]benchRow, error) {
	n := 0
	open := func(name string) error {
		ix, _, err := store.OpenIndex(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		defer ix.Close()
		_, _, err = dataset.Open(ctx, path, ix, tell)
		return err
	}
	read := func() error {
		head := make([]byte, headerBytes)
		for _, name := range files {
			file, err := os.Open(name)
			if err != nil {
				return err
			}
			_, err = io.ReadFull(file, head)
			file.Close()
			if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
				return err
			}
		}
		return nil
	}
	row := benchRow{Items: len(files), Runs: benchRuns, Limit: "a read of 16 KiB of each"}
	row.Work = "index the folder, the first time"
	first, err := race(ctx, row, func() error { n++; return open(fmt.Sprint("index", n)) }, read)
	if err != nil {
		return nil, err
	}
	row.Work = "open it again, unchanged"
	again, err := race(ctx, row, func() error { return open("index1") }, read)
	return []benchRow{first, again}, err
}

// picture is a frame to decode.
type picture struct {
	file  *dcm.File
	frame int
}

func benchDecode(ctx context.Context, files []string, tell review.Tell) ([]benchRow, error) {
	of, size := map[string][]picture{}, map[string]int64{}
	for i, name := range files {
		tell(review.Progress{Op: "read headers", Done: i, Total: len(files)})
		file, err := dcm.Load(name)
		if err != nil || !file.Header().HasPixels {
			continue // what is no picture is not measured
		}
		defer file.Close()
		syntax := file.Header().TransferSyntax
		for i, frame := range file.Header().Frames {
			bytes := int64(frame.Rows) * int64(frame.Columns) * int64(frame.Samples*frame.BitsAllocated) / 8
			if len(of[syntax]) == benchFrames || size[syntax]+bytes > benchBytes {
				break
			}
			if _, err := file.Samples(ctx, i); err != nil {
				break // what cannot be decoded is not measured
			}
			of[syntax], size[syntax] = append(of[syntax], picture{file, i}), size[syntax]+bytes
		}
	}
	var rows []benchRow
	for _, syntax := range slices.Sorted(maps.Keys(of)) {
		tell(review.Progress{Op: "decode " + syntax})
		row := benchRow{
			Work: fmt.Sprintf("decode %s, %d processors", syntax, processors()), Items: len(of[syntax]), Runs: benchRuns, Limit: "one processor",
		}
		row, err := race(ctx, row, func() error { return decode(ctx, of[syntax], processors()) }, func() error { return decode(ctx, of[syntax], 1) })
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// decode decodes pictures with so many workers.
func decode(ctx context.Context, pictures []picture, workers int) error {
	errs := make([]error, workers)
	var done sync.WaitGroup
	for w := range workers {
		done.Go(func() {
			for i := w; i < len(pictures) && errs[w] == nil; i += workers {
				_, errs[w] = pictures[i].file.Samples(ctx, pictures[i].frame)
			}
		})
	}
	done.Wait()
	return errors.Join(errs...)
}
