package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// openTested opens a ledger that is verified and closed when the test ends.
func openTested(t testing.TB, path string) *Ledger {
	t.Helper()
	l, err := OpenLedger(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		mustHold(t, l)
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// mustHold is the invariant of every ledger.
func mustHold(t testing.TB, l *Ledger) Verification {
	t.Helper()
	v, err := l.Check()
	if err != nil {
		t.Errorf("check: %v", err)
	}
	if v.FirstBreak != nil {
		t.Errorf("first break: %+v", *v.FirstBreak)
	}
	return v
}

// rated drafts the rating of a step.
func rated(reader, assignment, step string, s review.Support) review.Event {
	a := review.AssignmentID(assignment)
	return review.Event{
		Study: "study", Workspace: "ws", Machine: "m1", Reader: review.ReaderID(reader), Session: "1", Assignment: a, Kind: review.KindRating,
		Key: review.EventKey(a, review.KindRating, "c1", step), Case: "case-01", Chain: "c1",
		Body: review.Body{Rating: &review.Rating{Step: review.StepID(step), Support: s, Evidence: []review.Region{}, Error: []string{}}},
	}
}

func mustAppend(t testing.TB, l *Ledger, e review.Event) review.Event {
	t.Helper()
	saved, err := l.Append(e)
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

func TestAppendChainsAndSupersedes(t *testing.T) {
	l := openTested(t, filepath.Join(t.TempDir(), "readings.db"))
	first := mustAppend(t, l, rated("R1", "a1", "s1", review.Partly))
	other := mustAppend(t, l, rated("R2", "a2", "s1", review.Supported))
	second := mustAppend(t, l, rated("R1", "a1", "s1", review.Unsupported))
	raw := stored(t, l)

	if first.Seq != 1 || first.Prev != "" || first.Supersedes != "" {
		t.Errorf("first: seq %d prev %q supersedes %q", first.Seq, first.Prev, first.Supersedes)
	}
	if other.Seq != 1 || other.Prev != "" {
		t.Errorf("another reader's chain begins by itself: seq %d prev %q", other.Seq, other.Prev)
	}
	if second.Seq != 2 || second.Prev != review.DigestOf(raw[0]) || second.Supersedes != first.ID {
		t.Errorf("second: seq %d prev %q supersedes %q", second.Seq, second.Prev, second.Supersedes)
	}
	got, n, err := l.Current(first.Key)
	if err != nil || n != 2 || got.ID != second.ID || got.Body.Rating.Support != review.Unsupported {
		t.Errorf("current = %v (%d revisions), %v", got.ID, n, err)
	}
	if _, n, err := l.Current("a9/rating/c1/s1"); n != 0 || err != nil {
		t.Errorf("a key of which nothing was said: %d revisions, %v", n, err)
	}
	if b, err := l.Event(other.ID); err != nil || !bytes.Equal(b, raw[1]) {
		t.Errorf("event %s: %s, %v", other.ID, b, err)
	}
	if _, err := l.Event("none"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("an event that is not there: %v", err)
	}
	said, err := l.Has([]string{first.Key, "a1/rating/c1/s", other.Key})
	if err != nil || fmt.Sprint(said) != "[true false true]" {
		t.Errorf("has = %v, %v", said, err)
	}
	begun, err := l.Begun([]review.AssignmentID{"a", "a1", "a3", "a2"})
	if err != nil || fmt.Sprint(begun) != "[false true false true]" {
		t.Errorf("begun = %v, %v", begun, err)
	}
	v := mustHold(t, l)
	if v.Events != 3 || len(v.Chains) != 2 || v.Chains[0].Count != 2 || v.Chains[0].Head != review.DigestOf(raw[2]) {
		t.Errorf("verification = %+v", v)
	}
}

// L10: two readers rate the same step; neither overwrites the other.
func TestTwoReadersOneStep(t *testing.T) {
	l := openTested(t, filepath.Join(t.TempDir(), "readings.db"))
	mustAppend(t, l, rated("R1", "a1", "s1", review.Partly))
	mustAppend(t, l, rated("R2", "a2", "s1", review.Contradicted))
	mustAppend(t, l, rated("R1", "a1", "s1", review.Unsupported))
	for _, c := range []struct {
		assignment review.AssignmentID
		want       review.Support
		revisions  int
	}{{"a1", review.Unsupported, 1}, {"a2", review.Contradicted, 0}} {
		s, err := l.Assignment(c.assignment)
		if err != nil || len(s.Current) != 1 || s.Current[0].Body.Rating.Support != c.want || s.Revisions != c.revisions {
			t.Errorf("%s: %+v, %v", c.assignment, s, err)
		}
	}
}

// Kinds of which there may be many are passed over where nobody asks for them.
func TestAssignmentWithoutAKind(t *testing.T) {
	l := openTested(t, filepath.Join(t.TempDir(), "readings.db"))
	for _, kind := range []review.Kind{review.KindAdjudication, review.KindAssign, review.KindRating, review.KindChainRating} {
		for _, part := range []string{"s1", "s2", "s1"} {
			mustAppend(t, l, review.Event{Reader: "R1", Machine: "m1", Kind: kind, Key: review.EventKey("", kind, "c1", part)})
		}
	}
	for _, c := range []struct {
		but  []review.Kind
		want string
	}{
		{nil, "[adjudication adjudication assign assign chain-rating chain-rating rating rating] 4"},
		{[]review.Kind{review.KindAdjudication}, "[assign assign chain-rating chain-rating rating rating] 3"},
		{[]review.Kind{review.KindRating, review.KindAssign}, "[adjudication adjudication chain-rating chain-rating] 2"},
		{[]review.Kind{review.KindAdjudication, review.KindAssign, review.KindChainRating, review.KindRating}, "[] 0"},
	} {
		s, err := l.Assignment("", c.but...)
		kinds := []review.Kind{}
		for _, e := range s.Current {
			kinds = append(kinds, e.Kind)
		}
		if got := fmt.Sprint(kinds, s.Revisions); got != c.want || err != nil {
			t.Errorf("but %v: %s, %v, want %s", c.but, got, err, c.want)
		}
	}
}

func TestClockGoingBack(t *testing.T) {
	l := openTested(t, filepath.Join(t.TempDir(), "readings.db"))
	clock := time.Date(2026, 3, 29, 3, 0, 0, 0, time.UTC)
	l.now = func() time.Time { return clock }
	var ids []review.EventID
	for _, back := range []time.Duration{0, 0, time.Hour, 24 * 365 * time.Hour, -time.Minute} {
		clock = clock.Add(-back)
		e := mustAppend(t, l, rated("R1", "a1", "s1", review.Supported))
		if want := clock.Format(timeFormat); e.At != want {
			t.Errorf("at = %s, the clock said %s", e.At, want)
		}
		ids = append(ids, e.ID)
	}
	for i := 1; i < len(ids); i++ {
		if ids[i] <= ids[i-1] {
			t.Errorf("id %d: %s does not sort after %s", i, ids[i], ids[i-1])
		}
	}
	if e, n, _ := l.Current(review.EventKey("a1", review.KindRating, "c1", "s1")); n != 5 || e.ID != ids[4] {
		t.Errorf("current is %s of %d, want the last said", e.ID, n)
	}
}

func TestAddIsASetUnion(t *testing.T) {
	from := openTested(t, filepath.Join(t.TempDir(), "readings.db"))
	for i := range 6 {
		mustAppend(t, from, rated(fmt.Sprintf("R%d", i%2), fmt.Sprintf("a%d", i%2), "s1", review.Supported))
	}
	events := stored(t, from)
	to := openTested(t, filepath.Join(t.TempDir(), "readings.db"))
	for i, c := range []struct {
		events [][]byte
		want   int
	}{{[][]byte{events[5], events[1]}, 2}, {[][]byte{events[1], events[1]}, 0}, {events, 4}, {events, 0}} {
		if n, err := to.Add(c.events...); n != c.want || err != nil {
			t.Errorf("%d: added %d, want %d, %v", i, n, c.want, err)
		}
	}
	a, b := mustHold(t, from), mustHold(t, to)
	if fmt.Sprint(a.Chains) != fmt.Sprint(b.Chains) {
		t.Errorf("chains differ:\n%v\n%v", a.Chains, b.Chains)
	}
	got, n, err := to.Current(review.EventKey("a0", review.KindRating, "c1", "s1"))
	want, _, _ := from.Current(review.EventKey("a0", review.KindRating, "c1", "s1"))
	if err != nil || n != 3 || got.ID != want.ID {
		t.Errorf("current = %s of %d, want %s", got.ID, n, want.ID)
	}
}

func TestAddRefuses(t *testing.T) {
	l := openTested(t, filepath.Join(t.TempDir(), "readings.db"))
	mustAppend(t, l, rated("R1", "a1", "s1", review.Supported))
	good := stored(t, l)[0]
	change := func(f func(*review.Event)) []byte {
		e, err := Decode(good)
		if err != nil {
			t.Fatal(err)
		}
		f(&e)
		raw, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	for name, c := range map[string]struct {
		raw  []byte
		want fault.Kind
		text string
	}{
		"other bytes":      {bytes.Replace(good, []byte("supported"), []byte("partly"), 1), fault.Damaged, "other bytes"},
		"one space more":   {append(bytes.Clone(good), ' '), fault.Damaged, "other bytes"},
		"not JSON":         {[]byte("{"), fault.Invalid, "JSON"},
		"newer":            {bytes.Replace(good, []byte("event/1"), []byte("event/2"), 1), fault.Invalid, "newer Plumbline"},
		"no reader":        {change(func(e *review.Event) { e.Reader = "" }), fault.Invalid, "reader"},
		"NUL in machine":   {change(func(e *review.Event) { e.Machine = "a\x00b" }), fault.Invalid, "machine"},
		"a random id":      {change(func(e *review.Event) { e.ID = "5f6a5f0e-9d0c-4b7e-8c5d-111111111111" }), fault.Invalid, "UUIDv7"},
		"key of another":   {change(func(e *review.Event) { e.Assignment = "a2" }), fault.Invalid, "key"},
		"seq 0":            {change(func(e *review.Event) { e.Seq = 0 }), fault.Invalid, "seq"},
		"seq without prev": {change(func(e *review.Event) { e.Seq = 2 }), fault.Invalid, "seq"},
		"local time":       {change(func(e *review.Event) { e.At = "2026-01-01T10:00:00+02:00" }), fault.Invalid, "at:"},
	} {
		n, err := l.Add(c.raw)
		if n != 0 || fault.KindOf(err) != c.want || !strings.Contains(fmt.Sprint(err), c.text) {
			t.Errorf("%s: added %d, %v", name, n, err)
		}
	}
	if _, err := l.Append(review.Event{ID: "x"}); fault.KindOf(err) != fault.Internal {
		t.Errorf("an event with an id of its own: %v", err)
	}
}

func TestLastAndEvents(t *testing.T) {
	l := openTested(t, filepath.Join(t.TempDir(), "readings.db"))
	for _, r := range []string{"R1", "R10", "R1", "R2"} {
		mustAppend(t, l, rated(r, "a"+r, "s1", review.Supported))
	}
	for _, c := range []struct {
		reader review.ReaderID
		seq    uint64
	}{{"R1", 2}, {"R10", 1}, {"R3", 0}} {
		if e, err := l.Last(func(e review.Event) bool { return e.Reader == c.reader }); err != nil || e.Seq != c.seq {
			t.Errorf("last of %s: seq %d, %v; want seq %d", c.reader, e.Seq, err, c.seq)
		}
	}
	stop := errors.New("enough")
	n := 0
	err := l.Events(func(review.Event, []byte) error {
		if n++; n == 2 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || n != 2 {
		t.Errorf("walk: %d events, %v", n, err)
	}
}

// Any order of said things over any readers, machines and clocks leaves a ledger that holds, and merging it anywhere changes nothing.
func TestLedgerHoldsWhateverIsSaid(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		l := openTested(t, filepath.Join(dir, fmt.Sprint(n, ".db")))
		l.db.NoSync = true
		clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		l.now = func() time.Time { return clock }
		want := map[string]review.EventID{}
		for range rapid.IntRange(0, 12).Draw(rt, "events") {
			clock = clock.Add(time.Duration(rapid.Int64Range(-1e12, 1e12).Draw(rt, "step")))
			reader := rapid.SampledFrom([]string{"R1", "R2"}).Draw(rt, "reader")
			e := rated(reader, "a-"+reader, rapid.SampledFrom([]string{"s1", "s2", "s/3"}).Draw(rt, "step id"), review.Partly)
			e.Machine = review.MachineID(rapid.SampledFrom([]string{"m1", "m2"}).Draw(rt, "machine"))
			saved := mustAppend(t, l, e)
			if saved.Supersedes != want[e.Key] {
				rt.Fatalf("supersedes %q, want %q", saved.Supersedes, want[e.Key])
			}
			want[e.Key] = saved.ID
		}
		mustHold(t, l)
		if added, err := l.Add(stored(t, l)...); added != 0 || err != nil {
			rt.Fatalf("its own events again: %d added, %v", added, err)
		}
	})
}

func stored(t testing.TB, l *Ledger) (raw [][]byte) {
	t.Helper()
	if err := l.Events(func(_ review.Event, b []byte) error { raw = append(raw, b); return nil }); err != nil {
		t.Fatal(err)
	}
	return raw
}

func FuzzDecode(f *testing.F) {
	l := openTested(f, filepath.Join(f.TempDir(), "readings.db"))
	mustAppend(f, l, rated("R1", "a1", "s1", review.Supported))
	f.Add(stored(f, l)[0])
	f.Add([]byte(`{"schema":"plumbline/event/1","id":"019","body":{"look":{"evidence":[{"coords":null}]}}}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := Decode(raw)
		if err != nil {
			return
		}
		again, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := Decode(again); err != nil || back.ID != e.ID || back.Key != e.Key || back.Seq != e.Seq {
			t.Fatalf("%q does not come back: %v", raw, err)
		}
	})
}
