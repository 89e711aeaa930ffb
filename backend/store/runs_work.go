package store

import (
	"bytes"

	"go.etcd.io/bbolt"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

var (
	plansBucket = []byte("plans") // of runs, by run
	notesBucket = []byte("notes") // of a run's work, by run, 0 and key
	madeBucket  = []byte("made")  // chains, by case, 0 and chain
)

func joined(a, b string) []byte { return append(append([]byte(a), 0), b...) }

// SavePlan keeps what a run is to do, as its owner writes it, in place of what was kept for it before.
func (r *Runs) SavePlan(run string, plan []byte) error {
	return r.update("keep plan of run", func(tx *bbolt.Tx) error { return tx.Bucket(plansBucket).Put([]byte(run), plan) })
}

// Plans hands every plan to fn in order of run. The bytes are good until fn returns.
func (r *Runs) Plans(fn func(run string, plan []byte) error) error {
	return r.view("look up runs", func(tx *bbolt.Tx) error {
		return tx.Bucket(plansBucket).ForEach(func(k, v []byte) error { return fn(string(k), v) })
	})
}

// Note keeps notes of a run's work by their keys, all in one transaction that is on the disk when it answers.
func (r *Runs) Note(run string, notes map[string][]byte) error {
	return r.update("note work of run", func(tx *bbolt.Tx) error {
		for key, v := range notes {
			if err := tx.Bucket(notesBucket).Put(joined(run, key), v); err != nil {
				return err
			}
		}
		return nil
	})
}

// Noted gives the notes of a run by their keys.
func (r *Runs) Noted(run string) (map[string][]byte, error) {
	all := map[string][]byte{}
	err := r.view("look up work of run", func(tx *bbolt.Tx) error {
		prefix := joined(run, "")
		c := tx.Bucket(notesBucket).Cursor()
		for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
			all[string(k[len(prefix):])] = bytes.Clone(v)
		}
		return nil
	})
	return all, err
}

// NoteCount counts the notes of a run whose keys begin so.
func (r *Runs) NoteCount(run, keys string) (n int, err error) {
	err = r.view("count work of run", func(tx *bbolt.Tx) error {
		prefix := joined(run, keys)
		c := tx.Bucket(notesBucket).Cursor()
		for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
			n++
		}
		return nil
	})
	return n, err
}

// Finish keeps a chain that a run made, with what made it and a note that it is done, in one transaction.
func (r *Runs) Finish(run, key string, note []byte, c review.Chain, o review.Origin) error {
	return r.update("keep chain of run", func(tx *bbolt.Tx) error {
		if err := putJSON(tx.Bucket(madeBucket), joined(string(c.Case), string(c.ID)), c); err != nil {
			return err
		}
		if err := keepOrigin(tx, o); err != nil {
			return err
		}
		return tx.Bucket(notesBucket).Put(joined(run, key), note)
	})
}

// Made hands the chains that runs made of a case to fn, or with "" those of every case, in order of case and chain.
func (r *Runs) Made(of review.CaseID, fn func(review.Chain) error) error {
	return r.view("look up chains of runs", func(tx *bbolt.Tx) error {
		prefix := joined(string(of), "")
		if of == "" {
			prefix = nil
		}
		c := tx.Bucket(madeBucket).Cursor()
		for k, raw := c.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, raw = c.Next() {
			chain, err := review.RestoreChain(raw)
			if err != nil {
				return fault.New(fault.Damaged, "look up chains of runs", r.path, "%w", err)
			}
			if err := fn(chain); err != nil {
				return err
			}
		}
		return nil
	})
}

// roomForWork is the step from the first layout: the buckets of runs are made with it.
func roomForWork(*bbolt.Tx) error { return nil }
