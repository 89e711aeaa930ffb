package store

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"plumbline/backend/review"
)

// BenchmarkAppend is a click: rating → saved. Its measure is BenchmarkFsync, run beside it on the same disk.
func BenchmarkAppend(b *testing.B) {
	l := openTested(b, filepath.Join(b.TempDir(), "readings.db"))
	for i := 0; b.Loop(); i++ {
		mustAppend(b, l, rated("R1", fmt.Sprint("a", i/20), fmt.Sprint("s", i%20), review.Supported))
	}
}

// BenchmarkFsync writes as many bytes as an event and syncs them: the physical limit.
func BenchmarkFsync(b *testing.B) {
	f, err := os.Create(filepath.Join(b.TempDir(), "bare"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	event := make([]byte, 1000)
	for b.Loop() {
		if _, err := f.Write(event); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
	}
}

// large makes a ledger of 300,000 events in 15,000 assignments.
func large(b *testing.B) *Ledger {
	l, err := OpenLedger(filepath.Join(b.TempDir(), "readings.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { l.Close() })
	l.db.NoSync = true
	var batch [][]byte
	for i := range 300_000 {
		e := rated("R1", fmt.Sprintf("a%d", i/20), fmt.Sprint("s", i%20), review.Supported)
		e.Machine = review.MachineID(fmt.Sprint("m", i)) // a chain of its own, so that bytes can be made without a ledger
		e.Schema, e.Seq, e.At = review.EventSchema, 1, "2026-01-01T00:00:00.000Z"
		id, err := nextID(time.Now(), "")
		if err != nil {
			b.Fatal(err)
		}
		e.ID = id
		raw, err := json.Marshal(e)
		if err != nil {
			b.Fatal(err)
		}
		batch = append(batch, raw)
		if len(batch) == 10_000 {
			if _, err := l.Add(batch...); err != nil {
				b.Fatal(err)
			}
			batch = batch[:0]
		}
	}
	return l
}

func BenchmarkAssignmentOf300000(b *testing.B) {
	l := large(b)
	for i := 0; b.Loop(); i++ {
		if s, err := l.Assignment(review.AssignmentID(fmt.Sprint("a", i%15_000))); err != nil || len(s.Current) != 20 {
			b.Fatal(len(s.Current), err)
		}
	}
}

func BenchmarkCheckOf300000(b *testing.B) {
	l := large(b)
	for b.Loop() {
		if v, err := l.Check(); err != nil || v.FirstBreak != nil {
			b.Fatal(v.FirstBreak, err)
		}
	}
}
