package desk

import (
	"slices"
	"testing"

	"plumbline/backend/bundle"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// What comes in a package is taken only where every hash chain in it is whole and ends where the manifest says.
func FuzzCarry(f *testing.F) {
	first := `{"schema":"plumbline/event/1","id":"01990000-0000-7000-8000-000000000001","study":"s","workspace":"w","machine":"m","reader":"R1","session":"1",` +
		`"assignment":"","kind":"consent","key":"/consent//R1","seq":1,"prev":"","at":"2026-01-31T12:00:00Z","body":{}}`
	second := `{"schema":"plumbline/event/1","id":"01990000-0000-7000-8000-000000000002","study":"s","workspace":"w","machine":"m","reader":"R1","session":"1",` +
		`"assignment":"","kind":"consent","key":"/consent//R1","seq":2,"prev":"` + string(review.DigestOf([]byte(first))) + `","at":"2026-01-31T12:00:01Z","body":{}}`
	for _, lines := range []string{"", first + "\n", first + "\n" + second + "\n", second + "\n", "{}\n", first[:40]} {
		f.Add([]byte(lines), uint64(2), string(review.DigestOf([]byte(second))))
	}
	f.Fuzz(func(t *testing.T, lines []byte, count uint64, head string) {
		m := bundle.Manifest{Study: "s", Heads: []store.HashChain{{Reader: "R1", Machine: "m", Count: count, Seq: count, Head: review.Digest(head)}}}
		c, err := carry(lines, m)
		if err != nil {
			return
		}
		if uint64(len(c.events)) != count || len(c.raw) != len(c.events) || review.DigestOf(c.raw[slices.IndexFunc(c.events, func(e review.Event) bool { return e.Seq == count })]) != review.Digest(head) {
			t.Errorf("%d events of %d came through", len(c.events), count)
		}
	})
}
