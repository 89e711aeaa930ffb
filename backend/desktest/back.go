package desktest

import (
	"path/filepath"

	"plumbline/backend/review"
	"plumbline/backend/store"
)

// Folder gives the person's workspace folder.
func (p *Person) Folder() string { return p.study.Folder(p.name) }

// Said gives what a reader said, as stored.
func (p *Person) Said() [][]byte {
	p.study.T.Helper()
	raw := [][]byte{}
	err := p.Desk.EachReading(p.study.T.Context(), string(p.seat.Reader), func(_ review.Event, b []byte) error {
		raw = append(raw, b)
		return nil
	})
	if err != nil {
		p.study.T.Fatal(err)
	}
	return raw
}

// Add puts events of others into this person's ledger, and starts the program again.
func (p *Person) Add(events [][]byte) *Person {
	t := p.study.T
	t.Helper()
	if err := p.Desk.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := store.OpenLedger(filepath.Join(p.Folder(), "readings.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = l.Add(events...); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return p.Restart()
}
