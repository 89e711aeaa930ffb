package model

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// write adds a line to the shard that is open, or opens one.
func (w *BatchWriter) write(line []byte) error {
	if w.shard == nil {
		f, err := os.CreateTemp(w.dir, ".shard-*")
		if err != nil {
			return err
		}
		h := sha256.New()
		w.shard, w.hash, w.buffer, w.lines, w.bytes = f, h, bufio.NewWriterSize(io.MultiWriter(f, h), 1<<20), 0, 0
	}
	n, err := w.buffer.Write(line)
	w.lines, w.bytes = w.lines+1, w.bytes+int64(n)
	return err
}

// endShard brings the open shard to the disk and gives it its name.
func (w *BatchWriter) endShard() error {
	name := fmt.Sprintf("requests-%04d.jsonl", len(w.batch.Files)+1)
	f := w.shard
	w.shard = nil
	err := w.buffer.Flush()
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(w.dir, name))
	}
	if err != nil {
		os.Remove(f.Name())
		return fault.In("write batch", filepath.Join(w.dir, name), err)
	}
	w.batch.Files = append(w.batch.Files, BatchFile{Path: name, Requests: w.lines, Bytes: w.bytes, SHA256: review.Digest("sha256:" + hex.EncodeToString(w.hash.Sum(nil)))})
	return nil
}

// Close ends the last shard and writes the manifest; the batch counts from then on.
func (w *BatchWriter) Close() (Batch, error) {
	if w.shard != nil {
		if err := w.endShard(); err != nil {
			return Batch{}, err
		}
	}
	if len(w.batch.Requests) == 0 {
		return Batch{}, fault.New(fault.NotFound, "write batch", w.dir, "there is nothing to ask")
	}
	err := writeWhole(filepath.Join(w.dir, batchManifest), func(f *os.File) error {
		e := json.NewEncoder(f)
		e.SetIndent("", " ")
		return e.Encode(w.batch)
	})
	return w.batch, fault.In("write batch", w.dir, err)
}

// Abort removes an unfinished shard; files that were ended stay, without a manifest.
func (w *BatchWriter) Abort() {
	if w.shard != nil {
		w.shard.Close()
		os.Remove(w.shard.Name())
		w.shard = nil
	}
}
