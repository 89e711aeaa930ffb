// Package store keeps what must outlive the program in three bbolt files of a workspace: the Ledger (readings.db, precious, only added to),
// the Runs (runs.db, what made each chain: the coordinator's alone) and the Index (index.db, may be deleted at any time).
//
// Nobody else has heard of bbolt. One process holds a file at a time; a second opener is told that it is busy.
package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"go.etcd.io/bbolt"
	bolterr "go.etcd.io/bbolt/errors"

	"plumbline/backend/fault"
)

// layout says how a kind of file is laid out inside. Its version is one more than the number of steps that bring older files forward.
type layout struct {
	noun    string // in "plumbline/<noun>/<version>", as stored in the file
	buckets []string
	steps   []func(*bbolt.Tx) error // step i brings version i+1 to i+2
}

func (l layout) version() int { return len(l.steps) + 1 }

func (l layout) schema() string { return fmt.Sprintf("plumbline/%s/%d", l.noun, l.version()) }

// file is an open bbolt file whose panics and memory faults on damaged pages have become errors.
type file struct {
	db   *bbolt.DB
	path string
	noun string
}

var (
	metaBucket = []byte("meta")
	schemaKey  = []byte("schema")
)

// lockWait is how long an opener waits for another program to let go.
const lockWait = time.Second

// openFile opens or makes the file at path and brings it to today's layout.
func openFile(path string, want layout) (_ *file, err error) {
	op := "open " + want.noun
	defer recoverDamage(op, path, &err)
	defer faultsPanic()()
	_, statErr := os.Stat(path)
	fresh := errors.Is(statErr, os.ErrNotExist)
	if err := whole(path); err != nil {
		return nil, err
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockWait, FreelistType: bbolt.FreelistMapType})
	if err != nil {
		return nil, opening(op, path, err)
	}
	f := &file{db: db, path: path, noun: want.noun}
	if err := f.prepare(want); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if fresh {
		if err := SyncFolder(filepath.Dir(path)); err != nil {
			return nil, errors.Join(fault.In(op, path, err), db.Close())
		}
	}
	return f, nil
}

// opening names the kind of a failure to open.
func opening(op, path string, err error) error {
	switch {
	case errors.Is(err, bolterr.ErrTimeout):
		return fault.New(fault.Busy, op, path, "in use by another program")
	case errors.Is(err, bolterr.ErrInvalid), errors.Is(err, bolterr.ErrChecksum), errors.Is(err, bolterr.ErrVersionMismatch):
		return fault.New(fault.Damaged, op, path, "not a whole database file (%w)", err)
	case os.IsNotExist(err):
		return fault.New(fault.IO, op, path, "%w", err)
	}
	if k := fault.KindOf(err); k != fault.Internal {
		return fault.In(op, path, err)
	}
	return fault.New(fault.IO, op, path, "%w", err)
}

// prepare makes the buckets of a new file, refuses a newer one and migrates an older one after a backup.
func (f *file) prepare(want layout) error {
	op := "open " + f.noun
	var found string
	var foreign bool
	err := f.view(op, func(tx *bbolt.Tx) error {
		if m := tx.Bucket(metaBucket); m != nil {
			found = string(m.Get(schemaKey))
		}
		first, _ := tx.Cursor().First()
		foreign = found == "" && first != nil
		return nil
	})
	if err != nil {
		return err
	}
	if foreign {
		return fault.New(fault.Invalid, op, f.path, "a database of another program")
	}
	if found == want.schema() {
		return nil
	}
	from := 0
	if found != "" {
		if from, err = f.olderVersion(found, want); err != nil {
			return err
		}
		if err := f.backup(fmt.Sprintf("%s.v%d.backup", f.path, from)); err != nil {
			return err
		}
	}
	return f.update(op, func(tx *bbolt.Tx) error { return migrate(tx, want, from) })
}

// olderVersion reads the version of a schema that is not today's.
func (f *file) olderVersion(found string, want layout) (int, error) {
	version, ok := strings.CutPrefix(found, "plumbline/"+want.noun+"/")
	n, err := strconv.Atoi(version)
	if !ok || err != nil || n < 1 {
		return 0, fault.New(fault.Invalid, "open "+f.noun, f.path, "%s expected, found %s", want.schema(), found)
	}
	if n > want.version() {
		return 0, fault.New(fault.Invalid, "open "+f.noun, f.path, "made by a newer Plumbline (%s); this one knows up to %s", found, want.schema())
	}
	return n, nil
}

// migrate brings a file of version from (0: empty) to today's in the transaction tx.
func migrate(tx *bbolt.Tx, want layout, from int) error {
	for _, name := range append([]string{string(metaBucket)}, want.buckets...) {
		if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	if from > 0 {
		for _, step := range want.steps[from-1:] {
			if err := step(tx); err != nil {
				return err
			}
		}
	}
	return tx.Bucket(metaBucket).Put(schemaKey, []byte(want.schema()))
}

// backup copies the file as it stands, under a temporary name until it is whole.
func (f *file) backup(to string) error {
	const op = "back up before migration"
	out, err := os.CreateTemp(filepath.Dir(to), ".backup-*")
	if err != nil {
		return fault.In(op, to, err)
	}
	defer os.Remove(out.Name()) // fails once renamed, as it should
	err = f.view(op, func(tx *bbolt.Tx) error {
		_, err := tx.WriteTo(out)
		return err
	})
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return fault.In(op, to, err)
	}
	if err := os.Rename(out.Name(), to); err != nil {
		return fault.In(op, to, err)
	}
	return fault.In(op, to, SyncFolder(filepath.Dir(to)))
}

// view runs fn in a reading transaction.
func (f *file) view(op string, fn func(*bbolt.Tx) error) (err error) {
	defer recoverDamage(op, f.path, &err)
	defer faultsPanic()()
	return f.located(op, f.db.View(fn))
}

// update runs fn in one transaction that is on the disk (fsync) when it returns nil, and has left no trace when it does not.
func (f *file) update(op string, fn func(*bbolt.Tx) error) (err error) {
	defer recoverDamage(op, f.path, &err)
	defer faultsPanic()()
	var said error
	err = f.db.Update(func(tx *bbolt.Tx) error {
		said = fn(tx)
		return said
	})
	if err != nil && said == nil && fault.KindOf(err) == fault.Internal {
		return fault.New(fault.IO, op, f.path, "%w", err) // bbolt passes some causes on as text only
	}
	return f.located(op, err)
}

// located adds the place to an error that has none yet.
func (f *file) located(op string, err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		return err
	}
	return fault.In(op, f.path, err)
}

// Close lets go of the file.
func (f *file) Close() error { return f.located("close "+f.noun, f.db.Close()) }

// recoverDamage turns a panic of bbolt on damaged pages, or the memory fault of a mapped file that was cut, into a fault. It must be
// deferred directly.
func recoverDamage(op, path string, err *error) {
	if p := recover(); p != nil {
		*err = fault.New(fault.Damaged, op, path, "damaged: %v", p)
	}
}

// faultsPanic makes a memory fault of this goroutine a panic until the function that it returns is called.
func faultsPanic() func() {
	before := debug.SetPanicOnFault(true)
	return func() { debug.SetPanicOnFault(before) }
}

// whole looks at the two meta pages of a bbolt file before bbolt maps it: a file shorter than its own page count would end the program
// with a memory fault later.
func whole(path string) error {
	const op = "open database"
	in, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fault.New(fault.IO, op, path, "%w", err)
	}
	defer in.Close()
	stat, err := in.Stat()
	if err != nil {
		return fault.New(fault.IO, op, path, "%w", err)
	}
	if stat.IsDir() {
		return fault.New(fault.Invalid, op, path, "a file expected, found a folder")
	}
	if stat.Size() == 0 {
		return nil
	}
	first, size := pagesOf(in, 0)
	second, _ := pagesOf(in, int64(size))
	pages := first.pages
	if second.transaction > first.transaction {
		pages = second.pages
	}
	if need := pages * uint64(size); uint64(stat.Size()) < need {
		return fault.New(fault.Damaged, op, path, "cut short: %d bytes expected, %d found", need, stat.Size())
	}
	return nil
}

// metaPage is what one of the two meta pages says of the file.
type metaPage struct{ pages, transaction uint64 }

// pagesOf reads the meta page at an offset and gives the page size it names; all is 0 where there is no valid one. Offsets are those of
// bbolt's page.go and meta.go: a page header of 16 bytes, then magic, version, page size, flags (4 bytes each), root (16), freelist,
// pages, transaction, checksum (8 each).
func pagesOf(in io.ReaderAt, at int64) (metaPage, uint32) {
	const header, length, magic = 16, 64, 0xED0CDAED
	b := make([]byte, header+length)
	if _, err := in.ReadAt(b, at); err != nil {
		return metaPage{}, 0
	}
	order, meta := binary.NativeEndian, b[header:]
	sum := fnv.New64a()
	sum.Write(meta[:56])
	if order.Uint32(meta) != magic || order.Uint64(meta[56:]) != sum.Sum64() {
		return metaPage{}, 0
	}
	return metaPage{pages: order.Uint64(meta[40:]), transaction: order.Uint64(meta[48:])}, order.Uint32(meta[8:])
}

// SyncFolder makes a new or renamed entry of a folder durable.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(ignoreUnsupported(d.Sync()), d.Close())
}
