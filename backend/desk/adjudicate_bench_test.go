package desk_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"plumbline/backend/desktest"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// BenchmarkDisagreements measures the list of a large study: 11,000 cases that three readers signed, with a disagreement in every tenth;
// first from the ledger, then again, then one decision.
func BenchmarkDisagreements(b *testing.B) {
	study := desktest.Many(b, 11_000)
	rules := desktest.Rules("R1", "R2", "R3")
	rules.Readers = append(rules.Readers, review.ProtocolReader{Code: "ADJ1", Role: review.RoleAdjudicator})
	boss := study.Coordinator().Set(rules)
	boss.Assign()
	assigned := []review.Assignment{}
	err := boss.Desk.EachReading(b.Context(), "", func(e review.Event, _ []byte) error {
		if e.Body.Assign != nil {
			assigned = append(assigned, *e.Body.Assign)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := boss.Desk.Close(); err != nil {
		b.Fatal(err)
	}
	signAll(b, filepath.Join(study.Folder("coordinator"), "readings.db"), assigned)
	boss.Restart()
	if _, err := boss.Desk.SetReader(b.Context(), "ADJ1"); err != nil {
		b.Fatal(err)
	}
	id := ""
	list := func(b *testing.B) {
		got, err := boss.Desk.Disagreements(b.Context())
		if err != nil || len(got.Items) != 2200 || got.Unanimous != 107_800 {
			b.Fatalf("%d items, %d unanimous, %v", len(got.Items), got.Unanimous, err)
		}
		id = got.Items[0].ID
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			boss.Restart()
			list(b)
		}
	})
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			list(b)
		}
	})
	b.Run("decide", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			if _, err := boss.Desk.Decide(b.Context(), id, decision(review.Contradicted), fmt.Sprint(n)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("adopt", func(b *testing.B) {
		for b.Loop() {
			if _, err := boss.Desk.AdoptUnanimous(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("restart with all settled", func(b *testing.B) {
		for b.Loop() {
			boss.Restart()
		}
	})
}

// signAll writes whole signed readings of assignments into a ledger.
func signAll(b *testing.B, path string, assigned []review.Assignment) {
	b.Helper()
	l, err := store.OpenLedger(path)
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	rubric := review.GRD().Ref()
	batch := []review.Event{}
	for n, a := range assigned {
		say := func(kind review.Kind, chain review.ChainID, part string, body review.Body) {
			batch = append(batch, review.Event{
				Kind: kind, Assignment: a.ID, Reader: a.Reader, Machine: "m1", Case: a.Case, Chain: chain, Rubric: rubric, Body: body,
				Key: review.EventKey(a.ID, kind, chain, part),
			})
		}
		for _, q := range []review.QuestionID{"q1", "q2"} {
			say(review.KindLook, "", string(q), review.Body{Look: &review.Look{Question: q, Answer: "A", Confidence: 3}})
		}
		for _, c := range a.Chains {
			for _, s := range []review.StepID{"s1", "s2", "s3"} {
				r := review.Rating{Step: s, Support: review.Supported, Confidence: 2}
				if a.Reader == "R2" && s == "s1" && a.Case[len(a.Case)-1] == '0' {
					r.Support, r.Error, r.Significance = review.Contradicted, []string{"false_finding"}, "a"
				}
				say(review.KindRating, c, string(s), review.Body{Rating: &r})
			}
			whole := desktest.FullChain()
			say(review.KindChainRating, c, "", review.Body{ChainRating: &whole})
		}
		say(review.KindSign, "", "", review.Body{})
		if len(batch) > 20_000 || n == len(assigned)-1 {
			if err := l.AppendAll(batch); err != nil {
				b.Fatal(err)
			}
			batch = batch[:0]
		}
	}
}
