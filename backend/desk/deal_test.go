package desk

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"plumbline/backend/review"
)

// Whatever is asked for, shares differ by one at most, every case has its reads, repeats keep their distance; and dealing in two goes,
// with cases added between them, changes nothing of the first.
func TestDeal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := review.DefaultProtocol()
		p.Seed = rapid.Uint64Range(1, 1<<53-1).Draw(t, "seed")
		readers := rapid.IntRange(1, 6).Draw(t, "readers")
		for i := range readers {
			p.Readers = append(p.Readers, review.ProtocolReader{Code: review.ReaderID(fmt.Sprintf("R%d", i)), Role: review.RoleReader})
		}
		p.Design, p.ReadsPerCase = review.Split, rapid.IntRange(1, readers).Draw(t, "reads")
		p.Sessions = rapid.IntRange(1, 3).Draw(t, "sessions")
		if rapid.Bool().Draw(t, "repeated") {
			p.Repeats = &review.Repeats{Share: rapid.Float64Range(0, .3).Draw(t, "share"), MinDistance: rapid.IntRange(1, 4).Draw(t, "distance")}
		}
		some, all := rapid.IntRange(0, 30).Draw(t, "cases before"), rapid.IntRange(30, 60).Draw(t, "cases after")
		deal := func(n int, dealt []review.Assignment) []review.Assignment {
			d := dealer{protocol: p, study: "s", dealt: dealt}
			for i := range n {
				d.cases = append(d.cases, matter{id: review.CaseID(fmt.Sprint(i))})
			}
			fresh, err := d.all()
			if err != nil {
				t.Skip("repeats that cannot keep their distance: ", err)
			}
			again, err := dealer{protocol: p, study: "s", dealt: slices.Concat(dealt, fresh), cases: d.cases}.all()
			if err != nil || len(again) > 0 {
				t.Fatalf("dealt again: %v, %v", again, err)
			}
			return slices.Concat(dealt, fresh)
		}
		dealt := deal(all, deal(some, nil))
		checkDeal(t, p, dealt, all)
	})
}

func checkDeal(t *rapid.T, p review.Protocol, dealt []review.Assignment, cases int) {
	ids := map[review.AssignmentID]bool{}
	list := map[string][]review.Assignment{}
	reads, load := map[review.CaseID]map[review.ReaderID]bool{}, map[review.ReaderID]map[review.CaseID]bool{}
	for _, a := range dealt {
		if ids[a.ID] {
			t.Fatalf("%s twice", a.ID)
		}
		ids[a.ID] = true
		key := string(a.Reader) + " " + a.Session
		list[key] = append(list[key], a)
		if reads[a.Case] == nil {
			reads[a.Case] = map[review.ReaderID]bool{}
		}
		if load[a.Reader] == nil {
			load[a.Reader] = map[review.CaseID]bool{}
		}
		reads[a.Case][a.Reader], load[a.Reader][a.Case] = true, true
	}
	for id, by := range reads {
		if len(by) != p.ReadsPerCase {
			t.Fatalf("case %s has %d readers", id, len(by))
		}
	}
	least, most := cases, 0
	for _, r := range p.Readers {
		least, most = min(least, len(load[r.Code])), max(most, len(load[r.Code]))
	}
	if len(reads) != cases || most-least > 1 {
		t.Fatalf("%d cases, shares from %d to %d", len(reads), least, most)
	}
	for key, reads := range list {
		slices.SortFunc(reads, inReadingOrder)
		at, repeats := map[review.CaseID]int{}, 0
		for i, a := range reads {
			if before, twice := at[a.Case]; twice {
				if repeats++; p.Repeats == nil || i-before < p.Repeats.MinDistance {
					t.Fatalf("%s: case %s stands at %d and %d", key, a.Case, before, i)
				}
			}
			at[a.Case] = i
		}
		if p.Repeats != nil && float64(repeats) > p.Repeats.Share*float64(len(at))+.5 {
			t.Fatalf("%s: %d repeats of %d", key, repeats, len(at))
		}
	}
}
