package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

func TestSecondOpenerIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "readings.db")
	openTested(t, path)
	if _, err := OpenLedger(path); fault.KindOf(err) != fault.Busy || !strings.Contains(err.Error(), path) {
		t.Errorf("second opener: %v", err)
	}
}

// migrating opens path as a program would whose ledger layout has these steps.
func migrating(path string, steps ...func(*bbolt.Tx) error) error {
	l := ledgerLayout()
	l.steps = append(l.steps, steps...)
	f, err := openFile(path, l)
	if err != nil {
		return err
	}
	return f.Close()
}

func TestVersions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "readings.db")
	l, err := OpenLedger(path)
	if err != nil {
		t.Fatal(err)
	}
	mustAppend(t, l, rated("R1", "a1", "s1", review.Supported))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}

	failing := func(*bbolt.Tx) error { return os.ErrInvalid }
	if err := migrating(path, failing); err == nil {
		t.Error("a failed step is reported")
	}
	old, err := OpenLedger(path)
	if err != nil {
		t.Fatalf("after a failed migration the file is as it was: %v", err)
	}
	mustHold(t, old)
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}

	step := func(tx *bbolt.Tx) error { _, err := tx.CreateBucket([]byte("new")); return err }
	if err := migrating(path, step); err != nil {
		t.Fatal(err)
	}
	backup, err := OpenLedger(path + ".v1.backup")
	if err != nil {
		t.Fatal(err)
	}
	if v := mustHold(t, backup); v.Events != 1 {
		t.Errorf("the backup holds %d events", v.Events)
	}
	if err := backup.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLedger(path); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "newer Plumbline (plumbline/ledger/2)") {
		t.Errorf("newer: %v", err)
	}
	if err := migrating(path, step); err != nil {
		t.Errorf("today's is not migrated again: %v", err)
	}
}

func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	runs, err := OpenRuns(filepath.Join(dir, "runs.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := runs.Close(); err != nil {
		t.Fatal(err)
	}
	foreign, err := bbolt.Open(filepath.Join(dir, "foreign.db"), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := foreign.Update(func(tx *bbolt.Tx) error { _, err := tx.CreateBucket([]byte("theirs")); return err }); err != nil {
		t.Fatal(err)
	}
	if err := foreign.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "text.db"), bytes.Repeat([]byte("no database "), 4000))
	write(t, filepath.Join(dir, "short.db"), []byte("x"))
	write(t, filepath.Join(dir, "file"), nil)
	for name, want := range map[string]fault.Kind{
		"runs.db": fault.Invalid, "foreign.db": fault.Invalid, "text.db": fault.Damaged, "short.db": fault.Damaged, ".": fault.Invalid,
		"missing/readings.db": fault.IO, "file/readings.db": fault.IO,
	} {
		path := filepath.Join(dir, name)
		if _, err := OpenLedger(path); fault.KindOf(err) != want || !strings.Contains(fmt.Sprint(err), path) {
			t.Errorf("%s: want %s, got %v", name, want, err)
		}
	}
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// filled writes a ledger of n events and gives its bytes.
func filled(t *testing.T, path string, n int) []byte {
	t.Helper()
	l, err := OpenLedger(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		mustAppend(t, l, rated("R1", "a1", fmt.Sprint("s", i%7), review.Supported))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A file that was cut or overwritten anywhere gives a fault or a named break, and never ends the program.
func TestDamagedFiles(t *testing.T) {
	dir := t.TempDir()
	whole := filled(t, filepath.Join(dir, "readings.db"), 60)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		b := bytes.Clone(whole)
		if i%2 == 0 {
			b = b[:random.IntN(len(b))]
		} else {
			at := random.IntN(len(b))
			for j := at; j < min(at+300, len(b)); j++ {
				b[j] = byte(random.Uint32())
			}
		}
		path := filepath.Join(dir, fmt.Sprint(i, ".db"))
		write(t, path, b)
		l, err := OpenLedger(path)
		if err != nil {
			if k := fault.KindOf(err); k != fault.Damaged && k != fault.Invalid {
				t.Errorf("%d: %v", i, err)
			}
			continue
		}
		if _, err := l.Check(); err != nil && fault.KindOf(err) != fault.Damaged {
			t.Errorf("%d: %v", i, err)
		}
		l.db.Close() // its error on a damaged file says nothing new
	}
}

// Check finds what somebody changed with another program.
func TestCheckFindsTampering(t *testing.T) {
	position := func(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }
	for name, c := range map[string]struct {
		change func(tx *bbolt.Tx) error
		want   string
		seq    uint64
	}{
		"an answer changed": {func(tx *bbolt.Tx) error {
			b := tx.Bucket(eventsBucket)
			return b.Put(position(2), bytes.Replace(b.Get(position(2)), []byte("supported"), []byte("partly"), 1))
		}, "is not what it was", 3},
		"the last answer changed": {func(tx *bbolt.Tx) error {
			b := tx.Bucket(eventsBucket)
			return b.Put(position(5), bytes.Replace(b.Get(position(5)), []byte("supported"), []byte("partly"), 1))
		}, "the chain ends with", 5},
		"an event taken out": {func(tx *bbolt.Tx) error { return tx.Bucket(eventsBucket).Delete(position(3)) }, "cannot be read", 0},
		"an index entry taken out": {func(tx *bbolt.Tx) error {
			c := tx.Bucket(keysBucket).Cursor()
			k, _ := c.First()
			return tx.Bucket(keysBucket).Delete(k)
		}, "the index does not lead", 1},
		"a stray index entry": {func(tx *bbolt.Tx) error { return tx.Bucket(idsBucket).Put([]byte("x"), position(1)) }, "entries in index", 0},
		"the tail cut off": {func(tx *bbolt.Tx) error {
			e, err := load(tx, position(5))
			if err != nil {
				return err
			}
			for bucket, key := range map[string][]byte{"events": position(5), "ids": []byte(e.ID), "keys": keyEntry(e), "order": orderEntry(e)} {
				if err := tx.Bucket([]byte(bucket)).Delete(key); err != nil {
					return err
				}
			}
			return nil
		}, "the chain ends with seq 4 after 4 events; seq 5 after 5 was written", 4},
	} {
		path := filepath.Join(t.TempDir(), "readings.db")
		filled(t, path, 5)
		l, err := OpenLedger(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.db.Update(c.change); err != nil {
			t.Fatal(err)
		}
		v, err := l.Check()
		if err != nil || v.FirstBreak == nil || !strings.Contains(v.FirstBreak.Text, c.want) || c.seq != 0 && v.FirstBreak.Seq != c.seq {
			t.Errorf("%s: %+v, %v", name, v.FirstBreak, err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestRuns(t *testing.T) {
	r, err := OpenRuns(filepath.Join(t.TempDir(), "runs.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, seed := range []int64{1, 2} { // the second import replaces the first
		if err := r.Put([]review.Origin{{Schema: review.OriginSchema, Chain: "c2", Seed: seed}, {Schema: review.OriginSchema, Chain: "c1", Seed: seed}}, []review.Problem{{File: "truth.jsonl", Line: int(seed)}}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := r.Origins()
	if err != nil || len(got) != 2 || got[0].Chain != "c1" || got[1].Seed != 2 {
		t.Errorf("origins = %+v, %v", got, err)
	}
	problems, err := r.Problems()
	if err != nil || len(problems) != 1 || problems[0].Line != 2 {
		t.Errorf("problems = %+v, %v", problems, err)
	}
}

func TestIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	ix, fresh, err := OpenIndex(path)
	if err != nil || !fresh {
		t.Fatalf("fresh %v, %v", fresh, err)
	}
	fill := func(b *Batch) error {
		for _, k := range []string{"b1", "a2", "a1"} {
			if err := b.Put("cases", k, []byte("<"+k+">")); err != nil {
				return err
			}
		}
		return b.Delete("cases", "b1")
	}
	if err := ix.Update(fill); err != nil {
		t.Fatal(err)
	}
	if err := ix.Update(func(b *Batch) error { _ = b.Put("cases", "a3", nil); return os.ErrInvalid }); err == nil {
		t.Error("a failed update says so")
	}
	var keys []string
	err = ix.Each("cases", "a", func(k string, v []byte) error { keys = append(keys, k+string(v)); return nil })
	if err != nil || fmt.Sprint(keys) != "[a1<a1> a2<a2>]" {
		t.Errorf("keys %v, %v", keys, err)
	}
	if v, err := ix.Get("cases", "b1"); v != nil || err != nil {
		t.Errorf("deleted key: %q, %v", v, err)
	}
	if _, _, err := OpenIndex(path); fault.KindOf(err) != fault.Busy {
		t.Errorf("second opener: %v", err)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(){
		"kept":    func() {},
		"cut":     func() { write(t, path, []byte("garbage")) },
		"old":     func() { _ = os.Remove(path); oldIndex(t, path) },
		"deleted": func() { _ = os.Remove(path) },
	} {
		spoil()
		ix, fresh, err := OpenIndex(path)
		if err != nil || fresh != (name != "kept") {
			t.Fatalf("%s: fresh %v, %v", name, fresh, err)
		}
		if v, err := ix.Get("cases", "a1"); (v == nil) != fresh || err != nil {
			t.Errorf("%s: %q, %v", name, v, err)
		}
		if err := ix.Update(func(b *Batch) error { _ = b.Drop("none"); return fill(b) }); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	}
}

func oldIndex(t *testing.T, path string) {
	t.Helper()
	f, err := openFile(path, layout{noun: "index-0"})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
