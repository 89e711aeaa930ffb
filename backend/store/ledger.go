package store

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// A Ledger holds what people said: events that are added and never changed or deleted. Its methods may be called from several goroutines.
//
// Inside readings.db, besides meta:
//
//	events  position (8 bytes, big-endian, from 1) → the event's JSON, as it will always be
//	ids     event id → position
//	keys    key NUL event id → position: the revisions of a key in order, the current one last
//	order   reader NUL machine NUL seq (8 bytes) event id → position
//	heads   reader NUL machine → count (8 bytes) and head digest
type Ledger struct {
	*file
	now func() time.Time
}

var (
	eventsBucket = []byte("events")
	idsBucket    = []byte("ids")
	keysBucket   = []byte("keys")
	orderBucket  = []byte("order")
	headsBucket  = []byte("heads")
)

func ledgerLayout() layout {
	return layout{noun: "ledger", buckets: []string{"events", "ids", "keys", "order", "heads"}}
}

// OpenLedger opens or makes the ledger at path. Faults: Busy (another program has it), Invalid (made by a newer program, or no ledger),
// Damaged, IO. An older ledger is brought forward after a copy named path.vN.backup.
func OpenLedger(path string) (*Ledger, error) {
	f, err := openFile(path, ledgerLayout())
	if err != nil {
		return nil, err
	}
	return &Ledger{file: f, now: time.Now}, nil
}

// UseClock lets now tell the time from here on.
func (l *Ledger) UseClock(now func() time.Time) { l.now = now }

// timeFormat is RFC 3339 UTC to the millisecond.
const timeFormat = "2006-01-02T15:04:05.000Z07:00"

// Append adds what e says as one transaction and gives the event as it now lies on the disk, with its bytes synced. The ledger fills in
// schema, id, seq, prev, supersedes (the current event of the same key) and at. When the clock goes back, at says what the clock says
// while ids and seq go on in order.
func (l *Ledger) Append(e review.Event) (review.Event, error) {
	events := []review.Event{e}
	err := l.AppendAll(events)
	return events[0], err
}

// AppendAll is Append for several events in one transaction: all of them or none. The events are filled in where they stand.
func (l *Ledger) AppendAll(events []review.Event) error {
	const op = "add to ledger"
	return l.update(op, func(tx *bbolt.Tx) error {
		for i := range events {
			if err := l.append(tx, op, &events[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// append adds one event inside a transaction.
func (l *Ledger) append(tx *bbolt.Tx, op string, e *review.Event) error {
	if e.ID != "" || e.Seq != 0 || e.Prev != "" || e.Supersedes != "" {
		return fault.New(fault.Internal, op, l.path, "id, seq, prev and supersedes are the ledger's to give")
	}
	now := l.now().UTC()
	last, _ := tx.Bucket(idsBucket).Cursor().Last()
	id, err := nextID(now, string(last))
	if err != nil {
		return err
	}
	h := head(tx, e.Reader, e.Machine)
	e.Schema, e.ID, e.At = review.EventSchema, id, now.Format(timeFormat)
	e.Seq, e.Prev = h.Count+1, h.Head
	e.Supersedes, _ = current(tx, e.Key)
	if err := wellFormed(*e); err != nil {
		return fault.New(fault.Invalid, op, l.path, "%w", err)
	}
	raw, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if len(raw) > review.MaxRecord {
		return fault.New(fault.Invalid, op, l.path, "an event has at most %d bytes, this one %d", review.MaxRecord, len(raw))
	}
	return put(tx, *e, raw)
}

// Add takes over events of other ledgers, byte for byte, in one transaction, and counts those that were new. An event that is here
// already with the same bytes is the same event; with other bytes the whole call fails with fault Damaged and nothing is added.
func (l *Ledger) Add(events ...[]byte) (added int, err error) {
	const op = "add to ledger"
	err = l.update(op, func(tx *bbolt.Tx) error {
		added, err = l.take(tx, op, events)
		return err
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

// Decode reads the bytes of one event and checks that it can stand in a ledger.
func Decode(raw []byte) (review.Event, error) {
	e, err := review.RestoreEvent(raw)
	if err != nil {
		return e, err
	}
	return e, wellFormed(e)
}

// wellFormed says in words why e cannot stand in a ledger.
func wellFormed(e review.Event) error {
	id, err := uuid.Parse(string(e.ID))
	if err != nil || id.Version() != 7 || id.String() != string(e.ID) {
		return fmt.Errorf("id: a UUIDv7 expected, found %q", e.ID)
	}
	for _, f := range []struct{ name, value string }{
		{"reader", string(e.Reader)}, {"machine", string(e.Machine)}, {"key", e.Key}, {"kind", string(e.Kind)},
	} {
		if f.value == "" || strings.ContainsFunc(f.value, unicode.IsControl) {
			return fmt.Errorf("%s: words without control characters expected, found %q", f.name, f.value)
		}
	}
	if strings.Contains(string(e.Assignment), "/") || !strings.HasPrefix(e.Key, string(e.Assignment)+"/"+string(e.Kind)+"/") {
		return fmt.Errorf("key: %q does not begin with its assignment and kind", e.Key)
	}
	if e.Seq == 0 || (e.Seq == 1) != (e.Prev == "") {
		return fmt.Errorf("seq: %d does not go with prev %q", e.Seq, e.Prev)
	}
	if at, err := time.Parse(time.RFC3339, e.At); err != nil || at.Location() != time.UTC {
		return fmt.Errorf("at: a time of the form 2026-01-31T12:00:00Z expected, found %q", e.At)
	}
	return nil
}

// nextID makes a UUIDv7 for now that sorts after last: where the clock stands still or went back, a millisecond after last's own.
func nextID(now time.Time, last string) (review.EventID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", err
	}
	setMillis(&id, uint64(now.UnixMilli()))
	if id.String() <= last {
		before, err := uuid.Parse(last)
		if err != nil {
			return "", err
		}
		setMillis(&id, millis(before)+1)
	}
	if id.String() <= last {
		return "", fmt.Errorf("no event id left after %s", last)
	}
	return review.EventID(id.String()), nil
}

func millis(id uuid.UUID) uint64 { return binary.BigEndian.Uint64(id[:8]) >> 16 }

func setMillis(id *uuid.UUID, ms uint64) {
	low := binary.BigEndian.Uint16(id[6:])
	binary.BigEndian.PutUint64(id[:8], ms<<16|uint64(low))
}

// put writes a new event and its index entries.
func put(tx *bbolt.Tx, e review.Event, raw []byte) error {
	events := tx.Bucket(eventsBucket)
	events.FillPercent = 1 // positions only grow
	n, err := events.NextSequence()
	if err != nil {
		return err
	}
	at := binary.BigEndian.AppendUint64(nil, n)
	h := head(tx, e.Reader, e.Machine)
	h.Count++
	if e.Seq >= h.Seq {
		h.Seq, h.Head = e.Seq, review.DigestOf(raw)
	}
	for _, entry := range []struct {
		bucket     *bbolt.Bucket
		key, value []byte
	}{
		{events, at, raw},
		{tx.Bucket(idsBucket), []byte(e.ID), at},
		{tx.Bucket(keysBucket), keyEntry(e), at},
		{tx.Bucket(orderBucket), orderEntry(e), at},
		{tx.Bucket(headsBucket), chainName(e.Reader, e.Machine), h.encode()},
	} {
		if err := entry.bucket.Put(entry.key, entry.value); err != nil {
			return err
		}
	}
	return nil
}

func keyEntry(e review.Event) []byte { return []byte(e.Key + "\x00" + string(e.ID)) }

func chainName(r review.ReaderID, m review.MachineID) []byte {
	return []byte(string(r) + "\x00" + string(m))
}

func orderEntry(e review.Event) []byte {
	b := append(chainName(e.Reader, e.Machine), 0)
	return append(binary.BigEndian.AppendUint64(b, e.Seq), e.ID...)
}

// HashChain is where the events of one reader on one machine stand: printed, so that a tail that was cut off is seen.
type HashChain struct {
	Reader  review.ReaderID  `json:"reader"`
	Machine review.MachineID `json:"machine"`
	Count   uint64           `json:"count"`
	Seq     uint64           `json:"seq"`  // of the head
	Head    review.Digest    `json:"head"` // hash of the last event's bytes
}

func (h HashChain) encode() []byte {
	b := binary.BigEndian.AppendUint64(nil, h.Count)
	return append(binary.BigEndian.AppendUint64(b, h.Seq), h.Head...)
}

// head reads where a chain stands; the zero counts where it has not begun.
func head(tx *bbolt.Tx, r review.ReaderID, m review.MachineID) HashChain {
	return decodeHead(r, m, tx.Bucket(headsBucket).Get(chainName(r, m)))
}

func decodeHead(r review.ReaderID, m review.MachineID, b []byte) HashChain {
	h := HashChain{Reader: r, Machine: m}
	if len(b) >= 16 {
		h.Count, h.Seq, h.Head = binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:]), review.Digest(b[16:])
	}
	return h
}
