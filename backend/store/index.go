package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"go.etcd.io/bbolt"

	"plumbline/backend/fault"
)

// An Index keeps what can be found out again from the files of a dataset: bytes by key in named buckets. It may be deleted at any time.
type Index struct{ *file }

// indexVersions counts the layouts that an index has had; one of another version is thrown away, not migrated.
const indexVersion = 1

// OpenIndex opens or makes the index at path. One that is damaged or of another version is deleted and begun anew: fresh says that
// nothing is in it. Faults: Busy, IO.
func OpenIndex(path string) (ix *Index, fresh bool, err error) {
	want := layout{noun: fmt.Sprintf("index-%d", indexVersion)}
	_, statErr := os.Stat(path)
	f, err := openFile(path, want)
	if k := fault.KindOf(err); k == fault.Damaged || k == fault.Invalid {
		if err := os.Remove(path); err != nil {
			return nil, false, fault.In("begin index anew", path, err)
		}
		f, err = openFile(path, want)
		statErr = os.ErrNotExist
	}
	if err != nil {
		return nil, false, err
	}
	return &Index{f}, errors.Is(statErr, os.ErrNotExist), nil
}

// Get gives the bytes of a key, or nil.
func (ix *Index) Get(bucket, key string) (value []byte, err error) {
	err = ix.view("look up in index", func(tx *bbolt.Tx) error {
		if b := tx.Bucket(named(bucket)); b != nil {
			value = bytes.Clone(b.Get([]byte(key)))
		}
		return nil
	})
	return value, err
}

// Each hands the keys that begin with prefix, in order of their bytes, to fn until fn fails. The value is valid during the call only.
func (ix *Index) Each(bucket, prefix string, fn func(key string, value []byte) error) error {
	return ix.view("walk index", func(tx *bbolt.Tx) error {
		b := tx.Bucket(named(bucket))
		if b == nil {
			return nil
		}
		c := b.Cursor()
		for k, v := c.Seek([]byte(prefix)); bytes.HasPrefix(k, []byte(prefix)) && k != nil; k, v = c.Next() {
			if err := fn(string(k), v); err != nil {
				return err
			}
		}
		return nil
	})
}

// A Batch is a set of changes to an Index that become true together.
type Batch struct{ tx *bbolt.Tx }

// Update makes the changes of fn in one transaction; when fn fails, none.
func (ix *Index) Update(fn func(*Batch) error) error {
	return ix.update("change index", func(tx *bbolt.Tx) error { return fn(&Batch{tx}) })
}

// Put keeps value under key.
func (b *Batch) Put(bucket, key string, value []byte) error {
	in, err := b.tx.CreateBucketIfNotExists(named(bucket))
	if err != nil {
		return err
	}
	return in.Put([]byte(key), value)
}

// Delete forgets a key, if it is there.
func (b *Batch) Delete(bucket, key string) error {
	if in := b.tx.Bucket(named(bucket)); in != nil {
		return in.Delete([]byte(key))
	}
	return nil
}

// Drop forgets a whole bucket, if it is there.
func (b *Batch) Drop(bucket string) error {
	if b.tx.Bucket(named(bucket)) == nil {
		return nil
	}
	return b.tx.DeleteBucket(named(bucket))
}

// named keeps the names of an index apart from the file's own bucket.
func named(bucket string) []byte { return []byte("ix " + bucket) }

// Discard closes the index and deletes it.
func (ix *Index) Discard() error {
	if err := ix.Close(); err != nil {
		return err
	}
	return fault.In("delete index", ix.path, os.Remove(ix.path))
}
