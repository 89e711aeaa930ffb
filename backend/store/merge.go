package store

import (
	"bytes"

	"go.etcd.io/bbolt"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Merge takes over events of another ledger as Add does, and appends own ones as AppendAll does, all in one transaction. The own events are
// left out where nothing was new and skip says so.
func (l *Ledger) Merge(taken [][]byte, own []review.Event, skip bool) (added int, err error) {
	const op = "merge into ledger"
	err = l.update(op, func(tx *bbolt.Tx) error {
		if added, err = l.take(tx, op, taken); err != nil || added == 0 && skip {
			return err
		}
		for i := range own {
			if err := l.append(tx, op, &own[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

// take adds events byte for byte inside a transaction, and counts those that were new.
func (l *Ledger) take(tx *bbolt.Tx, op string, events [][]byte) (added int, err error) {
	for _, raw := range events {
		e, err := Decode(raw)
		if err != nil {
			return 0, fault.New(fault.Invalid, op, l.path, "%w", err)
		}
		if at := tx.Bucket(idsBucket).Get([]byte(e.ID)); at != nil {
			if !bytes.Equal(tx.Bucket(eventsBucket).Get(at), raw) {
				return 0, fault.New(fault.Damaged, op, l.path, "event %s is here already with other bytes", e.ID)
			}
			continue
		}
		if err := put(tx, e, bytes.Clone(raw)); err != nil {
			return 0, err
		}
		added++
	}
	return added, nil
}

// Chain lists the events of a reader on a machine by seq, 1 first; none where the chain has not begun.
func (l *Ledger) Chain(reader review.ReaderID, machine review.MachineID) (ids []review.EventID, err error) {
	err = l.view("look up hash chain", func(tx *bbolt.Tx) error {
		prefix := append(chainName(reader, machine), 0)
		c := tx.Bucket(orderBucket).Cursor()
		for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix) && len(k) > len(prefix)+8; k, _ = c.Next() {
			ids = append(ids, review.EventID(k[len(prefix)+8:]))
		}
		return nil
	})
	return ids, err
}

// Heads lists where every hash chain stands, by reader and machine.
func (l *Ledger) Heads() (heads []HashChain, err error) {
	heads = []HashChain{}
	err = l.view("look up hash chains", func(tx *bbolt.Tx) error {
		return tx.Bucket(headsBucket).ForEach(func(k, v []byte) error {
			reader, machine, _ := bytes.Cut(k, []byte{0})
			heads = append(heads, decodeHead(review.ReaderID(reader), review.MachineID(machine), v))
			return nil
		})
	})
	return heads, err
}
