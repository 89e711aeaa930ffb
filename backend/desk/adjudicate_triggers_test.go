package desk_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/review"
)

// panelOf gives a study of n cases with these readers and the adjudicator ADJ1.
func panelOf(t *testing.T, n int, readers ...review.ReaderID) *desktest.Person {
	t.Helper()
	rules := desktest.Rules(readers...)
	rules.Readers = append(rules.Readers, review.ProtocolReader{Code: "ADJ1", Role: review.RoleAdjudicator})
	boss := desktest.Many(t, n).Coordinator().Set(rules)
	boss.Assign()
	return boss
}

// sit takes the seat of a code.
func sit(t *testing.T, boss *desktest.Person, code string) *desk.Desk {
	t.Helper()
	if _, err := boss.Desk.SetReader(t.Context(), code); err != nil {
		t.Fatal(err)
	}
	return boss.Desk
}

// reads lets a reader give case n, changed.
func reads(t *testing.T, boss *desktest.Person, code string, n int, change func(*review.ReadingFile)) {
	t.Helper()
	f := steadily(n, review.Supported)
	if change != nil {
		change(&f)
	}
	if _, err := sit(t, boss, code).RateFile(t.Context(), f, ""); err != nil {
		t.Fatal(err)
	}
}

// step changes the rating of a step.
func step(at string, r review.Rating) func(*review.ReadingFile) {
	return func(f *review.ReadingFile) {
		r.Confidence = 2
		if !slices.Contains([]review.Support{review.Supported, review.NotVisual, review.CannotAssess}, r.Support) && len(r.Error) == 0 {
			r.Error = []string{"false_finding"}
		}
		f.Steps[at] = r
	}
}

func chainOf(id review.ChainID, change func(*review.ChainRating)) func(*review.ReadingFile) {
	return func(f *review.ReadingFile) {
		whole := desktest.FullChain()
		change(&whole)
		f.Chains[id] = whole
	}
}

func listed(t *testing.T, d *desk.Desk) desk.Disagreements {
	t.Helper()
	list, err := d.Disagreements(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Each trigger of measurement.md, and what just misses it. The readers beside those named read everything as supported and correct.
func TestAdjudicationTriggers(t *testing.T) {
	bad := func(s review.Support, significance string) review.Rating {
		return review.Rating{Support: s, Significance: significance}
	}
	missed := func(significance string) func(*review.ReadingFile) {
		return chainOf("x001", func(c *review.ChainRating) {
			c.Missed = []review.Missed{{Text: "a fracture", Significance: significance}}
		})
	}
	two := []string{"R1", "R2"}
	three := []string{"R1", "R2", "R3"}
	for _, c := range []struct {
		name    string
		readers []string
		say     map[string]func(*review.ReadingFile)
		want    string // "on kinds fields", or "" for none
	}{
		{"all the same", two, nil, ""},
		{"support two apart", two, map[string]func(*review.ReadingFile){"R2": step("x001/s1", bad(review.Unsupported, "a"))}, "step support support,error,significance"},
		{"support three apart", two, map[string]func(*review.ReadingFile){"R1": step("x001/s1", bad(review.Contradicted, "a"))}, "step support support,error,significance"},
		{"support one apart", two, map[string]func(*review.ReadingFile){"R2": step("x001/s1", bad(review.Partly, "a"))}, ""},
		{"two apart, one between", three, map[string]func(*review.ReadingFile){"R2": step("x001/s1", bad(review.Partly, "a")), "R3": step("x001/s1", bad(review.Unsupported, "a"))}, "step support support,error,significance"},
		{"what cannot be judged is no grade", two, map[string]func(*review.ReadingFile){"R2": step("x001/s1", bad(review.NotVisual, ""))}, ""},
		{"b by one only", two, map[string]func(*review.ReadingFile){"R2": step("x001/s1", bad(review.Partly, "b"))}, "step significance support,error,significance"},
		{"b by one of three", three, map[string]func(*review.ReadingFile){"R1": step("x001/s1", bad(review.Partly, "b")), "R2": step("x001/s1", bad(review.Partly, "a"))}, "step significance support,error,significance"},
		{"b by two of three", three, map[string]func(*review.ReadingFile){"R1": step("x001/s1", bad(review.Partly, "b")), "R2": step("x001/s1", bad(review.Partly, "b"))}, ""},
		{"b by both", two, map[string]func(*review.ReadingFile){"R1": step("x001/s1", bad(review.Partly, "b")), "R2": step("x001/s1", bad(review.Partly, "b"))}, ""},
		{"new and inherited, two apart", two, map[string]func(*review.ReadingFile){
			"R1": step("x001/s2", review.Rating{Support: review.Partly, Significance: "b", BuildsOnError: "yes"}),
			"R2": step("x001/s2", review.Rating{Support: review.Partly, Significance: "a", BuildsOnError: "no"}),
		}, "step significance,origin builds_on_error,significance"},
		{"new and inherited, alike else", two, map[string]func(*review.ReadingFile){
			"R1": step("x001/s2", review.Rating{Support: review.Partly, Significance: "a", BuildsOnError: "yes"}),
			"R2": step("x001/s2", review.Rating{Support: review.Partly, Significance: "a", BuildsOnError: "no"}),
		}, ""},
		{"missed by one only", two, map[string]func(*review.ReadingFile){"R1": missed("a")}, "chain omission missed"},
		{"missed by one only, b", two, map[string]func(*review.ReadingFile){"R1": missed("b")}, "chain significance,omission missed"},
		{"missed by both, one b", two, map[string]func(*review.ReadingFile){"R1": missed("a"), "R2": missed("b")}, "chain significance missed"},
		{"missed by both", two, map[string]func(*review.ReadingFile){"R1": missed("a"), "R2": missed("a")}, ""},
		{"missed by two of three", three, map[string]func(*review.ReadingFile){"R1": missed("a"), "R2": missed("a")}, ""},
		{"another answer", two, map[string]func(*review.ReadingFile){"R1": chainOf("x001", func(c *review.ChainRating) { c.Answer = "partly" })}, "chain answer answer"},
		{"another radpeer", two, map[string]func(*review.ReadingFile){"R1": chainOf("x001", func(c *review.ChainRating) { c.Radpeer = "2a" })}, ""},
		{"another own answer", two, map[string]func(*review.ReadingFile){"R1": func(f *review.ReadingFile) { f.Look[0].Answer = "B" }}, "question own_answer answer"},
		{"not so sure", two, map[string]func(*review.ReadingFile){"R1": func(f *review.ReadingFile) { f.Look[0].Confidence = 1 }}, ""},
		{"not signed", two, map[string]func(*review.ReadingFile){"R1": func(f *review.ReadingFile) { step("x001/s1", bad(review.Contradicted, "b"))(f); f.Sign = false }}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			orders := [][]string{c.readers}
			if len(c.readers) > 2 { // the order of readers changes nothing
				orders = append(orders, reversed(c.readers))
			}
			for _, order := range orders {
				boss := panelOf(t, 1, "R1", "R2", "R3")
				for _, code := range order {
					reads(t, boss, code, 1, c.say[code])
				}
				got := []string{}
				for _, line := range listed(t, sit(t, boss, "ADJ1")).Items {
					got = append(got, fmt.Sprintf("%s %s %s", line.On, strings.Join(line.Kinds, ","), strings.Join(line.Fields, ",")))
				}
				if strings.Join(got, "; ") != c.want {
					t.Errorf("%v: %q, want %q", order, got, c.want)
				}
			}
		})
	}
}

func reversed(s []string) []string {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}

// wrong_side needs a region that the model cites, which the small study has.
func TestAdjudicationTriggerPlace(t *testing.T) {
	place := func(r1, r2 string) []string {
		study := desktest.New(t)
		rules := desktest.Rules("R1", "R2")
		rules.Readers = append(rules.Readers, review.ProtocolReader{Code: "ADJ1", Role: review.RoleAdjudicator})
		boss := study.Coordinator().Set(rules)
		for code, said := range map[string]string{"R1": r1, "R2": r2} {
			r := judge(t, boss, code, "case-01", nil)
			full, _ := desktest.Full(r.View, "x11", "s2", review.Partly)
			full.ModelPlace = said
			if _, err := boss.Desk.Rate(t.Context(), r.View.Assignment, "x11", full, ""); err != nil {
				t.Fatal(err)
			}
			boss.Open("case-01").Sign()
		}
		kinds := []string{}
		for _, line := range listed(t, sit(t, boss, "ADJ1")).Items {
			kinds = append(kinds, line.Kinds...)
		}
		return kinds
	}
	for _, c := range []struct {
		r1, r2 string
		want   []string
	}{
		{"wrong_side", "correct", []string{"place"}}, {"wrong_site", "correct", []string{}}, {"wrong_side", "wrong_side", []string{}},
	} {
		if got := place(c.r1, c.r2); !slices.Equal(got, c.want) {
			t.Errorf("%s and %s: %v, want %v", c.r1, c.r2, got, c.want)
		}
	}
}

// A hidden repeat is not a second opinion: of each reader the first read counts. It is waited for like every assigned read.
func TestAdjudicationLeavesRepeatsOut(t *testing.T) {
	rules := desktest.Rules("R1", "R2")
	rules.Repeats = &review.Repeats{Share: .5, MinDistance: 1}
	rules.Readers = append(rules.Readers, review.ProtocolReader{Code: "ADJ1", Role: review.RoleAdjudicator})
	boss := desktest.Many(t, 2).Coordinator().Set(rules)
	boss.Assign()
	sit(t, boss, "R2")
	for _, row := range boss.Worklist() {
		boss.Open(row.ID).Sign()
	}
	sit(t, boss, "R1")
	rows := boss.Worklist()
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	of, seen, again := map[string]review.CaseID{}, map[review.CaseID]bool{}, ""
	err := boss.Desk.EachReading(t.Context(), "", func(e review.Event, _ []byte) error {
		if a := e.Body.Assign; a != nil {
			of[string(a.ID)] = a.Case
		}
		return nil
	})
	for _, row := range rows {
		if seen[of[row.Assignment]] {
			again = row.ID
			continue
		}
		seen[of[row.Assignment]] = true
		boss.Open(row.ID).Sign()
	}
	if err != nil || again == "" {
		t.Fatalf("no repeat in %+v, %v", rows, err)
	}
	if list := listed(t, sit(t, boss, "ADJ1")); list.Unanimous != 10 {
		t.Errorf("a repeat is not signed yet: %+v", list)
	}
	sit(t, boss, "R1")
	boss.Open(again).LookAll().Rate("s1", review.Contradicted).Sign()
	list := listed(t, sit(t, boss, "ADJ1"))
	if len(list.Items) != 0 || list.Unanimous != 20 || list.Waiting != 0 {
		t.Errorf("%+v", list)
	}
}
