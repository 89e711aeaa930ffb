package desk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"plumbline/backend/bundle"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"slices"
	"strings"
	"sync"
)

// unpacked is a package of work that was read to its end into a folder beside where it goes.
type unpacked struct {
	dir    string // with the dataset below dataFolder
	given  carried
	key    []byte // what is expected of the training cases
	cases  []record
	chains []record
}

// record is one line of a file, with whom it is about.
type record struct {
	id   review.CaseID
	line []byte
}

// unpack reads a package of work. Nothing outside its own folder is touched.
func unpack(ctx context.Context, b *bundle.Bundle, dir string, tell review.Tell) (*unpacked, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fault.New(fault.IO, "unpack", dir, "%w", err)
	}
	beside, err := os.MkdirTemp(dir, ".incoming-*")
	if err != nil {
		return nil, fault.New(fault.IO, "unpack", dir, "%w", err)
	}
	u := &unpacked{dir: beside}
	files, written := map[string][]byte{}, []string{}
	n := 0
	err = b.Each(func(f bundle.File, data []byte) error {
		tell(review.Progress{Op: "unpack", Done: n, Total: len(b.Manifest.Files), Of: f.Name})
		n++
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case strings.HasPrefix(f.Name, dataFolder+"/images/"):
			path := filepath.Join(beside, filepath.FromSlash(f.Name))
			written = append(written, path)
			return writeNew(path, data)
		case slices.Contains([]string{eventsFile, trainingFile, packedInfo, packedCases, packedChains}, f.Name):
			files[f.Name] = data
			return nil
		}
		return fault.New(fault.Invalid, "unpack", f.Name, "a package of work holds no such file")
	})
	if err != nil {
		return u, err
	}
	if err := u.check(files, b.Manifest); err != nil {
		return u, err
	}
	return u, syncFiles(written)
}

// syncFiles puts files on the disk, several at a time: one after another each would wait for the disk anew.
func syncFiles(paths []string) error {
	const atOnce = 8
	errs := make([]error, atOnce)
	var workers sync.WaitGroup
	for w := range atOnce {
		workers.Go(func() {
			for i := w; i < len(paths) && errs[w] == nil; i += atOnce {
				f, err := os.OpenFile(paths[i], os.O_WRONLY, 0)
				if err == nil {
					err = errors.Join(f.Sync(), f.Close())
				}
				if err != nil {
					errs[w] = fault.New(fault.IO, "unpack", paths[i], "%w", err)
				}
			}
		})
	}
	workers.Wait()
	return errors.Join(errs...)
}

// writeNew writes a file of a package.
func writeNew(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fault.New(fault.IO, "unpack", path, "%w", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fault.New(fault.IO, "unpack", path, "%w", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return fault.New(fault.IO, "unpack", path, "%w", err)
	}
	return nil
}

// check reads what was unpacked, as far as it must be whole before anything is changed.
func (u *unpacked) check(files map[string][]byte, m bundle.Manifest) (err error) {
	wrong := func(name string, err error) error { return fault.New(fault.Invalid, "unpack", name, "%w", err) }
	for _, name := range []string{eventsFile, packedInfo, packedCases, packedChains} {
		if _, there := files[name]; !there {
			return wrong(name, errors.New("it is missing"))
		}
	}
	if u.given, err = carry(files[eventsFile], m); err != nil {
		return &fault.Error{Op: "unpack", Of: eventsFile, Kind: fault.Damaged, Err: err}
	}
	for _, e := range u.given.events {
		if err := addressedTo(e, review.ReaderID(m.To)); err != nil && !saidBefore(e, review.ReaderID(m.To)) {
			return err
		}
	}
	if _, err := review.RestoreDataset(files[packedInfo]); err != nil {
		return wrong(packedInfo, err)
	}
	u.cases, err = recordsOf(files[packedCases], func(b []byte) (review.CaseID, error) {
		c, err := review.RestoreCase(b)
		if err == nil && (c.ID == "" || c.ID != review.CaseID(plainName(string(c.ID)))) {
			err = fmt.Errorf("id %q is none of a package", c.ID)
		}
		return c.ID, err
	})
	if err != nil {
		return wrong(packedCases, err)
	}
	u.chains, err = recordsOf(files[packedChains], func(b []byte) (review.CaseID, error) {
		c, err := review.RestoreChain(b)
		return c.Case, err
	})
	if err != nil {
		return wrong(packedChains, err)
	}
	if u.key = files[trainingFile]; u.key != nil {
		if _, err := review.RestoreTrainingKey(bytes.TrimSpace(u.key)); err != nil {
			return wrong(trainingFile, err)
		}
	}
	return writeNew(filepath.Join(u.dir, filepath.FromSlash(packedInfo)), files[packedInfo])
}

// recordsOf reads lines, each with its case.
func recordsOf(b []byte, of func([]byte) (review.CaseID, error)) ([]record, error) {
	all := []record{}
	for line := range bytes.Lines(b) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		id, err := of(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(all)+1, err)
		}
		all = append(all, record{id, line})
	}
	return all, nil
}

// saidBefore tells what this reader said at another machine, and comes along.
func saidBefore(e review.Event, own review.ReaderID) bool {
	rules := []review.Kind{review.KindProtocol, review.KindAssign, review.KindRubric, review.KindHandover, review.KindAdjudication}
	return e.Reader == own && !slices.Contains(rules, e.Kind)
}

// addressedTo refuses what is not from the coordinator to this reader.
func addressedTo(e review.Event, own review.ReaderID) error {
	about := protocolKey(own)
	if a := e.Body.Assign; e.Kind == review.KindAssign && a != nil && a.Reader == own {
		about = givenKey(a.ID)
	}
	if rubric := e.Body.Rubric; e.Kind == review.KindRubric && rubric != nil {
		about = rubricKey(own, rubric.Called())
	}
	if e.Reader != addressed(own) || e.Key != about {
		return fault.New(fault.Refused, "take over assignments", string(e.ID), "not for reader %s", own)
	}
	return nil
}
