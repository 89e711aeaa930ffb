package store

import (
	"bytes"
	"slices"

	"go.etcd.io/bbolt"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Current gives the event that holds for a key now and how many events the key has in all; 0 when nothing was said yet.
func (l *Ledger) Current(key string) (e review.Event, revisions int, err error) {
	err = l.view("look up "+key, func(tx *bbolt.Tx) error {
		id, n := current(tx, key)
		if revisions = n; n == 0 {
			return nil
		}
		e, err = load(tx, tx.Bucket(idsBucket).Get([]byte(id)))
		return err
	})
	return e, revisions, err
}

// Event gives the bytes of an event as stored: fault NotFound where there is none.
func (l *Ledger) Event(id review.EventID) (raw []byte, err error) {
	op := "look up event " + string(id)
	err = l.view(op, func(tx *bbolt.Tx) error {
		at := tx.Bucket(idsBucket).Get([]byte(id))
		if at == nil {
			return fault.New(fault.NotFound, op, l.path, "no such event")
		}
		raw = bytes.Clone(tx.Bucket(eventsBucket).Get(at))
		return nil
	})
	return raw, err
}

// Has tells for each key whether anything was said of it.
func (l *Ledger) Has(keys []string) (said []bool, err error) {
	said = make([]bool, len(keys))
	err = l.view("look up keys", func(tx *bbolt.Tx) error {
		c := tx.Bucket(keysBucket).Cursor()
		for i, key := range keys {
			prefix := []byte(key + "\x00")
			k, _ := c.Seek(prefix)
			said[i] = bytes.HasPrefix(k, prefix)
		}
		return nil
	})
	return said, err
}

// Begun tells for each assignment whether anything was said under it.
func (l *Ledger) Begun(assignments []review.AssignmentID) (begun []bool, err error) {
	begun = make([]bool, len(assignments))
	err = l.view("look up assignments", func(tx *bbolt.Tx) error {
		c := tx.Bucket(keysBucket).Cursor()
		for i, id := range assignments {
			prefix := []byte(string(id) + "/")
			k, _ := c.Seek(prefix)
			begun[i] = bytes.HasPrefix(k, prefix)
		}
		return nil
	})
	return begun, err
}

// Said is everything that was said under one assignment.
type Said struct {
	Current   []review.Event // what holds now: the last event of each key, in order of key
	Revisions int            // events that supersede another
	Last      review.Event   // the newest of all; zero where there is none
}

// Assignment gathers what was said under an assignment, without walking the rest of the ledger; events of the kinds in but are passed over.
func (l *Ledger) Assignment(id review.AssignmentID, but ...review.Kind) (Said, error) {
	s := Said{Current: []review.Event{}}
	err := l.view("look up assignment "+string(id), func(tx *bbolt.Tx) error {
		prefix := []byte(string(id) + "/")
		c := tx.Bucket(keysBucket).Cursor()
		k, at := c.Seek(prefix)
		for bytes.HasPrefix(k, prefix) {
			if kind, _, _ := bytes.Cut(k[len(prefix):], []byte("/")); slices.Contains(but, review.Kind(kind)) {
				k, at = c.Seek(slices.Concat(prefix, kind, []byte{'/' + 1})) // the first key after those of the kind
				continue
			}
			key, _, _ := bytes.Cut(k, []byte{0})
			next, nextAt := c.Next()
			if bytes.HasPrefix(next, key) && len(next) > len(key) && next[len(key)] == 0 {
				s.Revisions++ // only what holds now is decoded: a step may have been said a thousand times
			} else {
				e, err := load(tx, at)
				if err != nil {
					return err
				}
				s.Current = append(s.Current, e)
				if e.ID > s.Last.ID {
					s.Last = e
				}
			}
			k, at = next, nextAt
		}
		return nil
	})
	return s, err
}

// Last gives the event that came in last among those for which want says yes, or a zero event.
func (l *Ledger) Last(want func(review.Event) bool) (found review.Event, err error) {
	err = l.view("look up the last event", func(tx *bbolt.Tx) error {
		c := tx.Bucket(eventsBucket).Cursor()
		for at, _ := c.Last(); at != nil; at, _ = c.Prev() {
			e, err := load(tx, at)
			if err != nil {
				return err
			}
			if want(e) {
				found = e
				return nil
			}
		}
		return nil
	})
	return found, err
}

// Events hands each event with its bytes as stored to fn, in the order in which they came in, until fn fails. The bytes are fn's to keep.
func (l *Ledger) Events(fn func(e review.Event, raw []byte) error) error {
	return l.view("walk ledger", func(tx *bbolt.Tx) error {
		return tx.Bucket(eventsBucket).ForEach(func(_, raw []byte) error {
			e, err := review.RestoreEvent(raw)
			if err != nil {
				return fault.New(fault.Damaged, "walk ledger", l.path, "%w", err)
			}
			return fn(e, bytes.Clone(raw))
		})
	})
}

// current finds the last revision of a key, and how many there are.
func current(tx *bbolt.Tx, key string) (id review.EventID, n int) {
	prefix := []byte(key + "\x00")
	c := tx.Bucket(keysBucket).Cursor()
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		id = review.EventID(k[len(prefix):])
		n++
	}
	return id, n
}

// load reads the event at a position.
func load(tx *bbolt.Tx, at []byte) (review.Event, error) {
	raw := tx.Bucket(eventsBucket).Get(at)
	if raw == nil {
		return review.Event{}, fault.New(fault.Damaged, "look up event", "", "the index names an event that is not there")
	}
	e, err := review.RestoreEvent(raw)
	if err != nil {
		return e, fault.New(fault.Damaged, "look up event", "", "%w", err)
	}
	return e, nil
}
