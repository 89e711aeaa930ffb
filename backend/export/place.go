package export

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"plumbline/backend/fault"
)

// unfinished stands in the name of a folder that is being written, behind the name that it will have; before in that of one that makes place.
const (
	unfinished = ".plumb-"
	before     = "-before"
)

// mayReplace refuses a folder that holds anything but an earlier export.
func mayReplace(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fault.New(fault.IO, writeOp, dir, "%w", err)
	case len(entries) == 0:
		return nil
	}
	b, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	var m Manifest
	if err != nil || json.Unmarshal(b, &m) != nil || m.Schema != ManifestSchema {
		return fault.New(fault.Refused, writeOp, dir, "the folder holds something that is no export: name a new or empty one")
	}
	known := map[string]bool{ManifestFile: true, SignatureFile: true}
	for _, f := range m.Files {
		known[f.Path] = true
	}
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return fault.New(fault.IO, writeOp, path, "%w", err)
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return fault.New(fault.Internal, writeOp, path, "%w", err)
		}
		if e.IsDir() || known[filepath.ToSlash(rel)] || slices.Contains([]string{".DS_Store", "Thumbs.db", "desktop.ini"}, e.Name()) {
			return nil
		}
		return fault.New(fault.Refused, writeOp, dir, "the export that lies there is not alone: %s is none of its files; move it, or name another folder", rel)
	})
}

// idle is how long nothing was written to the rest of an export that ended in the middle: one under way writes all the time.
const idle = time.Hour

// recoverPlace sets right what a program that was killed left beside dir: the earlier export is put back where it had just made place, and what
// was half written goes.
func recoverPlace(dir string, now time.Time) error {
	parent, start := filepath.Dir(dir), "."+filepath.Base(dir)+unfinished
	entries, err := os.ReadDir(parent)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), start) {
			continue
		}
		at := filepath.Join(parent, e.Name())
		_, stands := os.Lstat(dir)
		switch {
		case strings.HasSuffix(e.Name(), before) && errors.Is(stands, os.ErrNotExist):
			err = errors.Join(err, os.Rename(at, dir))
		case now.Sub(touched(at)) > idle:
			err = errors.Join(err, os.RemoveAll(at))
		}
	}
	if err != nil {
		return fault.New(fault.IO, writeOp, dir, "%w", err)
	}
	return nil
}

// touched tells when a folder or a file in it was last written.
func touched(dir string) time.Time {
	var last time.Time
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error { // what cannot be read was touched at no time
		if err != nil {
			return nil
		}
		if info, err := e.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return nil
	})
	return last
}
