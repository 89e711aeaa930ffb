package desk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"plumbline/backend/bundle"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// Opened says what a package of work brought.
type Opened struct {
	Workspace   string           `json:"workspace"` // folder, open now
	Reader      string           `json:"reader"`
	Fingerprint string           `json:"fingerprint"` // of the coordinator's key, to be compared by telephone
	First       bool             `json:"first"`       // the first package of this workspace: from now on only this key is accepted
	New         int              `json:"new"`         // cases that were not here
	Kept        int              `json:"kept"`        // cases that were here, and stay as they are
	EventsNew   int              `json:"events_new"`
	Problems    []review.Problem `json:"problems"`
}

// OpenWork makes a reader's workspace of a package of work, or adds a later package to it, and opens it: it needs nothing else, and no
// network. What was said stays; a case that is here stays as it is, so that nothing changes under a reader's hands. dir "" is the workspace
// that has this work already, or a free folder named after the study.
//
// Faults: as bundle.Open; Refused for a package of another kind, or for another seat or study than that of dir, or signed by another key than
// the first one; Invalid and Damaged for what is in it. Then the workspace is as it was.
func (d *Desk) OpenWork(ctx context.Context, path, dir, passphrase string) (o Opened, err error) {
	const op = "open package"
	d.bringing.Lock()
	defer d.bringing.Unlock()
	keys, err := d.options.Folders.keys()
	if err != nil {
		return o, err
	}
	b, err := bundle.Open(path, keys, passphrase)
	if err != nil {
		return o, err
	}
	defer b.Close()
	m := b.Manifest
	if m.Kind != bundle.Work || m.From != Coordinator {
		return o, fault.New(fault.Refused, op, path, "it holds what reader %s said, for the coordinator: merge it there", m.From)
	}
	if dir == "" {
		dir, err = d.folderForWork(m)
	} else {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return o, fault.In(op, path, err)
	}
	made, err := mayOpenWork(op, dir, m)
	if err != nil {
		return o, err
	}
	unpacked, err := unpack(ctx, b, dir, d.options.Tell)
	defer func() {
		if unpacked != nil {
			_ = os.RemoveAll(unpacked.dir)
		}
		if err != nil && made {
			_ = os.Remove(dir) // only where nothing else lies in it
		}
	}()
	if err != nil {
		return o, fault.In(op, path, err)
	}
	o = Opened{Workspace: dir, Reader: m.To, Fingerprint: bundle.Fingerprint(m.Key), First: made}
	if err := d.settle(ctx, unpacked, m, made, &o); err != nil {
		return o, fault.In(op, path, err)
	}
	return o, nil
}

// mayOpenWork refuses a workspace that is not the one of a package; made tells that there is none yet.
func mayOpenWork(op, dir string, m bundle.Manifest) (made bool, err error) {
	seat := Seat{Role: Reader, Reader: review.ReaderID(m.To)}
	w, err := loadWorkspace(dir)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		return true, mayCreate(dir, seat)
	case err != nil:
		return false, err
	case w.Seat != seat:
		return false, fault.New(fault.Refused, op, dir, "the package is for reader %s; this workspace is the seat of %s %s", m.To, w.Seat.Role, w.Seat.Reader)
	case w.Package == nil:
		return false, fault.New(fault.Refused, op, dir, "this workspace did not begin with a package: name another folder")
	case w.Study != m.Study:
		return false, fault.New(fault.Refused, op, dir, "the package is of another study (%s) than this workspace (%s)", m.Study, w.Study)
	case w.Package.Key != m.Key:
		return false, fault.New(fault.Refused, op, dir, "the package is signed by another key (%s) than the first one of this workspace (%s): ask the coordinator",
			bundle.Fingerprint(m.Key), bundle.Fingerprint(w.Package.Key))
	}
	return false, nil
}

// folderForWork finds the workspace of a package, or a free folder for one.
func (d *Desk) folderForWork(m bundle.Manifest) (string, error) {
	for _, dir := range d.options.Folders.recent() {
		if w, err := loadWorkspace(dir); err == nil && w.Study == m.Study && w.Package != nil && string(w.Seat.Reader) == m.To {
			return dir, nil
		}
	}
	name := plainName("work-" + m.To)
	for n := 1; n < 10_000; n++ {
		dir := filepath.Join(d.options.Folders.Data, "workspaces", name)
		if n > 1 {
			dir = fmt.Sprintf("%s-%d", dir, n)
		}
		w, err := loadWorkspace(dir)
		switch {
		case fault.KindOf(err) == fault.NotFound:
			if entries, err := os.ReadDir(dir); errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
				return dir, nil
			}
		case err == nil && w.Study == m.Study && w.Package != nil && string(w.Seat.Reader) == m.To:
			return dir, nil
		}
	}
	return "", fault.New(fault.IO, "open package", d.options.Folders.Data, "no free folder for a workspace")
}

// settle puts what was unpacked into its workspace and opens it. bringing is held.
func (d *Desk) settle(ctx context.Context, u *unpacked, m bundle.Manifest, made bool, o *Opened) (err error) {
	dir := o.Workspace
	if made {
		from := &sender{Key: m.Key, ReplyTo: m.ReplyTo}
		if err := createStudy(dir, Seat{Role: Reader, Reader: review.ReaderID(m.To)}, m.Study, from); err != nil {
			return err
		}
	}
	r, opened := d.room, false
	if r == nil || r.dir != dir {
		if r, err = d.openRoom(ctx, dir); err != nil {
			return errors.Join(err, undo(dir, made))
		}
		opened = true
	}
	if err = r.takeWork(u, o); err == nil {
		var in Imported
		in, err = d.bringIn(ctx, r, filepath.Join(dir, dataFolder), nil)
		o.Problems = list(in.Problems)
	}
	if err != nil || !opened {
		if opened {
			err = errors.Join(err, r.close(), undo(dir, made))
		}
		return err
	}
	return d.swap(r)
}

// undo removes a workspace that was made for a package that could not be taken over.
func undo(dir string, made bool) error {
	if !made {
		return nil
	}
	for _, name := range []string{workspaceFile, ledgerFile, indexFile, trainingFile} {
		_ = os.Remove(filepath.Join(dir, name))
	}
	return os.RemoveAll(filepath.Join(dir, dataFolder))
}

// takeWork adds what was unpacked to this workspace: first the events, which are checked against those that are here, then images, chains and
// last the cases, so that at no time a case is there without what belongs to it.
func (r *room) takeWork(u *unpacked, o *Opened) error {
	r.acting.Lock()
	defer r.acting.Unlock()
	shorter, err := u.given.continues(r.ledger)
	if err != nil {
		return err
	}
	older := false
	for id := range shorter {
		older = older || id.reader == addressed(r.w.Seat.Reader)
	}
	if o.EventsNew, err = r.ledger.Add(u.given.raw...); err != nil {
		return err
	}
	r.forget()
	if err := r.learnRules(); err != nil {
		return err
	}
	data := filepath.Join(r.dir, dataFolder)
	if err := os.MkdirAll(filepath.Join(data, "chains"), 0o700); err != nil {
		return fault.New(fault.IO, "take over work", data, "%w", err)
	}
	known, cases, err := fileRecords(filepath.Join(data, "cases.jsonl"), review.RestoreCase, func(c review.Case) review.CaseID { return c.ID })
	if err != nil {
		return err
	}
	_, chains, err := fileRecords(filepath.Join(data, "chains", "all.jsonl"), review.RestoreChain, func(c review.Chain) review.CaseID { return c.Case })
	if err != nil {
		return err
	}
	for _, c := range u.cases {
		if known[c.id] {
			o.Kept++
			continue
		}
		o.New++
		cases = append(cases, c)
		if err := moveImages(u.dir, r.dir, c.id); err != nil {
			return err
		}
	}
	for _, c := range u.chains {
		if !known[c.id] {
			chains = append(chains, c)
		}
	}
	if err := store.Replace(filepath.Join(data, "chains", "all.jsonl"), linesOf(chains)); err != nil {
		return err
	}
	if err := store.Replace(filepath.Join(data, "cases.jsonl"), linesOf(cases)); err != nil {
		return err
	}
	if older {
		return nil // a later package said already what else there is to say
	}
	if u.key != nil {
		if err := store.Replace(filepath.Join(r.dir, trainingFile), u.key); err != nil {
			return err
		}
	}
	info, err := os.ReadFile(filepath.Join(u.dir, filepath.FromSlash(packedInfo)))
	if err != nil {
		return fault.New(fault.IO, "take over work", packedInfo, "%w", err)
	}
	return store.Replace(filepath.Join(data, "dataset.json"), info)
}

// moveImages moves the images of a case from where they were unpacked to where they are looked for. What an earlier attempt left there goes.
func moveImages(from, to string, id review.CaseID) error {
	source, target := filepath.Join(from, dataFolder, "images", string(id)), filepath.Join(to, dataFolder, "images", string(id))
	if _, err := os.Stat(source); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	err := os.MkdirAll(filepath.Dir(target), 0o700)
	if err = errors.Join(err, os.RemoveAll(target)); err == nil {
		err = os.Rename(source, target)
	}
	if err != nil {
		return fault.New(fault.IO, "take over work", target, "%w", err)
	}
	return nil
}

// fileRecords reads a file of records; none where there is no file.
func fileRecords[T any](path string, restore func([]byte) (T, error), of func(T) review.CaseID) (known map[review.CaseID]bool, all []record, err error) {
	known = map[review.CaseID]bool{}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return known, nil, nil
	}
	if err != nil {
		return nil, nil, fault.New(fault.IO, "take over work", path, "%w", err)
	}
	all, err = recordsOf(b, func(b []byte) (review.CaseID, error) {
		v, err := restore(b)
		known[of(v)] = true
		return of(v), err
	})
	if err != nil {
		return nil, nil, fault.New(fault.Damaged, "take over work", path, "%w", err)
	}
	return known, all, nil
}

func linesOf(all []record) []byte {
	var b bytes.Buffer
	for _, r := range all {
		b.Write(append(bytes.Clone(r.line), '\n'))
	}
	return b.Bytes()
}
