package desktest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/review"
)

// dealt gives a reader's assignments as the coordinator's ledger has them, by id.
func dealt(t *testing.T, boss *Person, reader review.ReaderID) map[string]review.Assignment {
	t.Helper()
	all := map[string]review.Assignment{}
	err := boss.Desk.EachReading(t.Context(), "", func(e review.Event, _ []byte) error {
		if a := e.Body.Assign; a != nil && a.Reader == reader && e.Reader == desk.Coordinator {
			if _, twice := all[string(a.ID)]; twice {
				t.Errorf("assignment %s was made twice", a.ID)
			}
			all[string(a.ID)] = *a
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// order gives the assignments of a worklist as they stand.
func order(p *Person) []string {
	ids := []string{}
	for _, row := range p.Worklist() {
		ids = append(ids, row.Assignment)
	}
	return ids
}

// sameOrder tells whether all of few stand in many in the same order.
func sameOrder(few, many []string) bool {
	at := 0
	for _, id := range many {
		if at < len(few) && few[at] == id {
			at++
		}
	}
	return at == len(few)
}

func TestOrderOfEachReader(t *testing.T) {
	study := Many(t, 12)
	boss := study.Coordinator().Set(Rules("R1", "R2", "R3"))
	if s := boss.Assign(); s.Added != 36 || len(s.Readers) != 3 || s.Readers[2].Assigned != 12 {
		t.Fatalf("%+v", s)
	}
	if s := boss.Assign(); s.Added != 0 {
		t.Errorf("assigned again: %+v", s)
	}
	people := []*Person{boss, study.Away("R2"), study.Away("R3")}
	before := map[string][]string{}
	seen := map[string]bool{}
	for _, p := range people {
		if p != boss {
			boss.HandTo(p)
		}
		cases := []string{}
		for _, row := range p.Worklist() {
			cases = append(cases, row.ID)
		}
		b, err := json.Marshal(cases)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Sort(cases); len(slices.Compact(cases)) != 12 || seen[string(b)] {
			t.Errorf("%s reads %s", p.name, b)
		}
		seen[string(b)] = true
		before[p.name] = order(p)
		if again := order(p.Restart()); !slices.Equal(again, before[p.name]) {
			t.Errorf("%s after a restart: %v, before: %v", p.name, again, before[p.name])
		}
	}
	study.Grow(18)
	if s := boss.Restart().Assign(); s.Added != 18 {
		t.Fatalf("6 more cases: %+v", s)
	}
	for _, p := range people {
		if p != boss {
			boss.HandTo(p.Restart())
		}
		now := order(p)
		if len(now) != 18 || !sameOrder(before[p.name], now) {
			t.Errorf("%s with more cases: %v, before: %v", p.name, now, before[p.name])
		}
	}
}

// S07: what one reader finishes stays on the other's list.
func TestSplit(t *testing.T) {
	study := Many(t, 10)
	rules := Rules("R1", "R2", "R3", "R4")
	rules.Design, rules.ReadsPerCase = review.Split, 2
	rules.Readers = append(rules.Readers, review.ProtocolReader{Code: "A1", Role: review.RoleAdjudicator})
	boss := study.Coordinator().Set(rules)
	first := boss.Assign()
	for _, r := range first.Readers {
		if want := map[string]int{review.RoleReader: 5}[r.Role]; r.Assigned != want {
			t.Errorf("%+v, want %d", r, want)
		}
	}
	study.Grow(13)
	second := boss.Restart().Assign()
	least, most, reads := 100, 0, map[review.CaseID]int{}
	for _, r := range second.Readers[:4] {
		least, most = min(least, r.Assigned), max(most, r.Assigned)
		for _, a := range dealt(t, boss, review.ReaderID(r.Reader)) {
			reads[a.Case]++
		}
	}
	if second.Added != 6 || most-least > 1 || len(reads) != 13 {
		t.Errorf("%+v, %v", second, reads)
	}
	for id, n := range reads {
		if n != 2 {
			t.Errorf("%s is read %d times", id, n)
		}
	}
	done := boss.Worklist()[0]
	boss.Open(done.ID).Sign()
	for _, r := range []string{"R2", "R3", "R4"} {
		p := boss.HandTo(study.Away(r))
		if i := slices.IndexFunc(p.Worklist(), func(row desk.CaseRow) bool { return row.ID == done.ID }); i >= 0 && p.Worklist()[i].State != "new" {
			t.Errorf("%s finds %+v", r, p.Worklist()[i])
		}
	}
}

// S09 and trust.md promise 5: a repeat stands at its distance, is blank, is stored as a read of its own, and nothing in the reader's files
// or views calls it one.
func TestSecondReads(t *testing.T) {
	study := Many(t, 20)
	rules := Rules("R1", "R2")
	rules.Repeats = &review.Repeats{Share: .2, MinDistance: 5}
	boss := study.Coordinator().Set(rules)
	if s := boss.Assign(); s.Added != 48 || s.Readers[0].Assigned != 24 {
		t.Fatalf("%+v", s)
	}
	bob := boss.HandTo(study.Away("R2"))
	before := order(bob)
	pair := keepsDistance(t, dealt(t, boss, "R2"), before, 5, 4)
	for _, row := range bob.Worklist() {
		if row.ID == row.Assignment || row.State != "new" || row.Required != 10 {
			t.Errorf("every line goes by a code of its own: %+v", row)
		}
	}
	first := bob.Open(pair[0]).Sign()
	second := bob.Open(pair[1])
	if v := second.View; v.Phase != "look" || v.Done != 0 || len(v.Looks) != 0 || v.Assignment != pair[1] || v.Case.Questions[0].ID != questionCalled(v, "q1") {
		t.Fatalf("the second time is blank: %+v", v)
	}
	if place := bob.State().Resume; place.Case == string(first.View.Case.ID) {
		t.Errorf("goes on at %+v", place)
	}
	second.LookAll().Rate("s2", review.Contradicted).Sign()
	if s := bob.State(); s.Signed != 2 || s.Assigned != 24 {
		t.Errorf("two reads are two: %+v", s)
	}
	if r := bob.Open(pair[0]).View.Chains[0].Ratings[1]; r.Support != review.Supported || first.View.Phase != "signed" {
		t.Errorf("the first read is as it was: %+v", r)
	}
	shown, err := json.Marshal([]any{bob.Worklist(), second.View, second.Saved, bob.State()})
	if err != nil {
		t.Fatal(err)
	}
	if err := bob.Desk.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"readings.db", "workspace.json", "index.db"} {
		b, err := os.ReadFile(filepath.Join(study.Folder("R2"), name))
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, b...)
	}
	hidden := []string{"repeat", "Repeat", `"seed":7`, `"R1"`, "coordinator:R1"}
	for id := range dealt(t, boss, "R1") {
		hidden = append(hidden, id)
	}
	for _, word := range hidden {
		if bytes.Contains(shown, []byte(word)) {
			i := bytes.Index(shown, []byte(word))
			t.Errorf("R2 has %q: %q", word, shown[max(0, i-60):min(len(shown), i+60)])
		}
	}
	bob = bob.Restart()
	study.Grow(30)
	if s := boss.Restart().Assign(); s.Readers[1].Assigned != 36 {
		t.Fatalf("%+v", s)
	}
	now := order(boss.HandTo(bob.Restart()))
	if !sameOrder(before, now) {
		t.Errorf("with more cases: %v, before: %v", now, before)
	}
	keepsDistance(t, dealt(t, boss, "R2"), now, 5, 6)
}

// keepsDistance checks that n cases stand twice in a reader's order, at least so far apart, and gives the assignments of one of them.
func keepsDistance(t *testing.T, all map[string]review.Assignment, order []string, least, n int) (pair [2]string) {
	t.Helper()
	at := map[review.CaseID]int{}
	for i, id := range order {
		a, known := all[id]
		if !known {
			t.Fatalf("%s was not assigned", id)
		}
		if before, twice := at[a.Case]; twice {
			if n--; i-before < least {
				t.Errorf("%s stands at %d and %d", a.Case, before, i)
			}
			pair = [2]string{order[before], id}
		}
		at[a.Case] = i
	}
	if n != 0 || len(order) != len(all) {
		t.Errorf("%d repeats too few; %d of %d assignments on the worklist", n, len(order), len(all))
	}
	return pair
}
