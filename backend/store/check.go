package store

import (
	"bytes"
	"fmt"

	"go.etcd.io/bbolt"

	"plumbline/backend/review"
)

// Verification is what a walk over a whole ledger found.
type Verification struct {
	Events     int         `json:"events"`
	Chains     []HashChain `json:"chains"`
	FirstBreak *Break      `json:"first_break"` // null: none
}

// Break names the first place where a ledger is not what was written.
type Break struct {
	Reader  review.ReaderID  `json:"reader"`
	Machine review.MachineID `json:"machine"`
	Seq     uint64           `json:"seq"`
	Event   review.EventID   `json:"event"`
	Text    string           `json:"text"`
}

// Check walks the whole ledger: every event can be read, every hash chain holds over the bytes as stored and has no gap, every superseded
// event is there, and index and counts agree with the events. The error says that the walk itself failed.
func (l *Ledger) Check() (Verification, error) {
	v := Verification{Chains: []HashChain{}}
	err := l.view("verify ledger", func(tx *bbolt.Tx) error {
		c := checker{tx: tx, v: &v}
		c.chains()
		c.counts()
		for err := range tx.Check() { // bbolt's own pages; drained to the end, since it sends until done
			c.broken(review.Event{}, "database pages: %v", err)
		}
		return nil
	})
	return v, err
}

// checker gathers a Verification inside one transaction.
type checker struct {
	tx *bbolt.Tx
	v  *Verification
}

// broken notes the first break.
func (c *checker) broken(e review.Event, format string, args ...any) {
	if c.v.FirstBreak == nil {
		c.v.FirstBreak = &Break{Reader: e.Reader, Machine: e.Machine, Seq: e.Seq, Event: e.ID, Text: fmt.Sprintf(format, args...)}
	}
}

// chains walks each hash chain in order of seq. Every event stands in exactly one chain: counts finds those that do not.
func (c *checker) chains() {
	var chain HashChain
	events := c.tx.Bucket(eventsBucket)
	cursor := c.tx.Bucket(orderBucket).Cursor()
	for k, at := cursor.First(); k != nil; k, at = cursor.Next() {
		raw := events.Get(at)
		e, err := Decode(raw)
		if raw == nil || err != nil {
			c.broken(e, "the event at position %x cannot be read: %v", at, err)
			continue
		}
		if e.Reader != chain.Reader || e.Machine != chain.Machine {
			c.end(chain)
			chain = HashChain{Reader: e.Reader, Machine: e.Machine}
		}
		switch {
		case e.Seq == chain.Seq && chain.Count > 0:
			c.broken(e, "two events with seq %d", e.Seq)
		case e.Seq != chain.Seq+1:
			c.broken(e, "seq %d expected, found %d", chain.Seq+1, e.Seq)
		case e.Prev != chain.Head:
			c.broken(e, "the event before it is not what it was: its hash is %s, this event says %s", chain.Head, e.Prev)
		}
		c.entries(e, k, at)
		chain.Count++
		chain.Seq, chain.Head = e.Seq, review.DigestOf(raw)
	}
	c.end(chain)
}

// entries compares an event with the index entries that lead to it and with what it supersedes.
func (c *checker) entries(e review.Event, order, at []byte) {
	ids, keys := c.tx.Bucket(idsBucket), c.tx.Bucket(keysBucket)
	switch {
	case !bytes.Equal(order, orderEntry(e)), !bytes.Equal(ids.Get([]byte(e.ID)), at), !bytes.Equal(keys.Get(keyEntry(e)), at):
		c.broken(e, "the index does not lead to this event")
	case e.Supersedes != "" && ids.Get([]byte(e.Supersedes)) == nil:
		c.broken(e, "supersedes event %s, which is not there", e.Supersedes)
	case e.Supersedes != "" && keys.Get([]byte(e.Key+"\x00"+string(e.Supersedes))) == nil:
		c.broken(e, "supersedes event %s of another key", e.Supersedes)
	}
}

// end closes a hash chain and compares it with the head that was kept.
func (c *checker) end(chain HashChain) {
	if chain.Count == 0 {
		return
	}
	if kept := head(c.tx, chain.Reader, chain.Machine); kept != chain {
		c.broken(review.Event{Reader: chain.Reader, Machine: chain.Machine, Seq: chain.Seq},
			"the chain ends with seq %d after %d events; seq %d after %d was written", chain.Seq, chain.Count, kept.Seq, kept.Count)
	}
	c.v.Chains = append(c.v.Chains, chain)
}

// counts finds index entries that lead nowhere and events that are gone or stand in no chain.
func (c *checker) counts() {
	c.v.Events = c.tx.Bucket(eventsBucket).Stats().KeyN
	if n := c.tx.Bucket(eventsBucket).Sequence(); n != uint64(c.v.Events) {
		c.broken(review.Event{}, "%d events were written, %d are there", n, c.v.Events)
	}
	for _, name := range [][]byte{idsBucket, keysBucket, orderBucket} {
		if n := c.tx.Bucket(name).Stats().KeyN; n != c.v.Events {
			c.broken(review.Event{}, "%d entries in index %q for %d events", n, name, c.v.Events)
		}
	}
	if n := c.tx.Bucket(headsBucket).Stats().KeyN; n != len(c.v.Chains) {
		c.broken(review.Event{}, "%d heads for %d hash chains", n, len(c.v.Chains))
	}
}
