package desk_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"plumbline/backend/bundle"
	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
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

// disputed has three readers who read two cases; of x001/s1 R1 said contradicted, R2 unsupported, R3 supported.
func disputed(t *testing.T) *desktest.Person {
	t.Helper()
	boss := panelOf(t, 2, "R1", "R2", "R3")
	for _, n := range []int{1, 2} {
		reads(t, boss, "R1", n, onlyFirst(n, step("x001/s1", review.Rating{Support: review.Contradicted, Significance: "b", Note: "opposite side"})))
		reads(t, boss, "R2", n, onlyFirst(n, step("x001/s1", review.Rating{Support: review.Unsupported, Significance: "a"})))
		reads(t, boss, "R3", n, onlyFirst(n, chainOf("y001", func(c *review.ChainRating) { c.Answer = "incorrect" })))
	}
	sit(t, boss, "ADJ1")
	return boss
}

func onlyFirst(n int, change func(*review.ReadingFile)) func(*review.ReadingFile) {
	if n == 1 {
		return change
	}
	return nil
}

// Nothing that the adjudicator is shown tells who read, when, under what assignment, what model or condition made the chain, or gold.
func TestAdjudicatorIsBlind(t *testing.T) {
	boss := disputed(t)
	shown := []any{boss.State()}
	list := listed(t, boss.Desk)
	shown = append(shown, list)
	for _, line := range list.Items {
		v, err := boss.Desk.OpenDisagreement(t.Context(), line.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Unnamed) != 3 || v.Unnamed[0].Number != 1 {
			t.Errorf("reads %+v", v.Unnamed)
		}
		shown = append(shown, v)
	}
	problems, err := boss.Desk.Problems(t.Context())
	shown = append(shown, problems, boss.Worklist())
	b, errJSON := json.Marshal(shown)
	if err != nil || errJSON != nil {
		t.Fatal(err, errJSON)
	}
	for _, word := range []string{`"R1"`, `"R2"`, `"R3"`, `"a-[0-9a-f]`, `[0-9]{4}-[0-9]{2}-[0-9]{2}T`, `[0-9a-f]{8}-[0-9a-f]{4}-7`, desktest.Canary, `"(reader|at|assignment|rests_on|probs|seconds)":"?[^"]`} {
		if found := regexp.MustCompile(word).FindIndex(b); found != nil && !strings.HasPrefix(string(b[found[0]:]), `"reader":"ADJ1"`) {
			t.Errorf("%s is in %q", word, b[max(0, found[0]-80):min(len(b), found[1]+40)])
		}
	}
	if boss.State().Adjudication != "decide" || len(boss.Worklist()) != 0 {
		t.Errorf("state %+v, %d on the worklist", boss.State(), len(boss.Worklist()))
	}
}

// Beside the disagreements there is nothing for an adjudicator, in the coordinator's workspace too.
func TestAdjudicatorSeesNothingElse(t *testing.T) {
	boss := disputed(t)
	d, ctx := boss.Desk, t.Context()
	for name, act := range map[string]func() error{
		"report":    func() error { _, err := d.Report(ctx); return err },
		"agreement": func() error { _, err := d.Agreement(ctx); return err },
		"overturns": func() error { _, err := d.Overturns(ctx); return err },
		"readings":  func() error { return d.EachReading(ctx, "", func(review.Event, []byte) error { return nil }) },
		"assign":    func() error { _, err := d.Assign(ctx); return err },
		"hand out":  func() error { _, err := d.MakeWork(ctx, "R1", "x", bundle.Lock{}); return err },
		"merge":     func() error { _, err := d.Merge(ctx, "x", "", ""); return err },
		"protocol":  func() error { _, err := d.SetProtocol(ctx, []byte("{}")); return err },
		"import":    func() error { _, err := d.Import(ctx, boss.State().Dataset); return err },
	} {
		if err := act(); fault.KindOf(err) != fault.Refused {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := d.OpenCase(ctx, "case-001"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a case to read: %v", err)
	}
	s, err := d.Progress(ctx)
	if err != nil || len(s.Readers) != 1 || s.Readers[0].Reader != "ADJ1" || s.Readers[0].Assigned != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	p, _, err := d.Protocol(ctx)
	if err != nil || len(p.Readers) != 1 || p.Seed != 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

// The reads stand in an order that stays, and that is not the readers' in every item.
func TestUnnamedOrder(t *testing.T) {
	boss := panelOf(t, 8, "R1", "R2", "R3")
	for n := range 8 {
		for i, s := range []review.Support{review.Contradicted, review.Unsupported, review.Supported} {
			r := review.Rating{Support: s}
			if s != review.Supported {
				r.Significance = "a"
			}
			reads(t, boss, fmt.Sprintf("R%d", i+1), n+1, step(fmt.Sprintf("x%03d/s1", n+1), r))
		}
	}
	orders := func() [][]review.Support {
		d := sit(t, boss, "ADJ1")
		out := [][]review.Support{}
		for _, line := range listed(t, d).Items {
			v, err := d.OpenDisagreement(t.Context(), line.ID)
			if err != nil {
				t.Fatal(err)
			}
			order := []review.Support{}
			for _, u := range v.Unnamed {
				order = append(order, u.Rating.Support)
			}
			out = append(out, order)
		}
		return out
	}
	before := orders()
	if len(before) != 8 || !slices.ContainsFunc(before, func(o []review.Support) bool { return !slices.Equal(o, before[0]) }) {
		t.Errorf("always the same order: %v", before)
	}
	boss.Restart()
	if after := orders(); !reflect.DeepEqual(before, after) {
		t.Errorf("after a restart %v, before %v", after, before)
	}
}

func decision(support review.Support) review.FinalValue {
	r := review.Rating{Support: support}
	if support != review.Supported {
		r.Error, r.Significance = []string{"wrong_location"}, "b"
	}
	return review.FinalValue{Rating: &r}
}

// find gives the item of a kind.
func find(t *testing.T, d *desk.Desk, kind string) desk.Disagreement {
	t.Helper()
	list := listed(t, d)
	i := slices.IndexFunc(list.Items, func(l desk.Disagreement) bool { return slices.Contains(l.Kinds, kind) })
	if i < 0 {
		t.Fatalf("no %s in %+v", kind, list.Items)
	}
	return list.Items[i]
}

// L12: what the reader said stays with reader and time, the final value stands beside it with author, reason and time, and agreement is still
// that of the first reads; a correction that the reader makes knowing the verdict changes nothing.
func TestDecide(t *testing.T) {
	boss := disputed(t)
	d := sit(t, boss, "R1")
	before := agreement(t, boss, "support")["/"]
	sit(t, boss, "ADJ1")
	item := find(t, d, "support")
	if item.State != "open" || item.Case != "case-001" || item.Step != 1 || item.Reads != 3 {
		t.Fatalf("%+v", item)
	}
	done, err := d.Decide(t.Context(), item.ID, decision(review.Contradicted), "the opacity is on the left")
	if err != nil || done.Revision != 1 || done.Open != 1 || done.Decided != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	if again, err := d.Decide(t.Context(), item.ID, decision(review.Contradicted), "the opacity is on the left"); err != nil || again.Event != done.Event {
		t.Errorf("the same again: %+v, %v", again, err)
	}
	second, err := d.Decide(t.Context(), item.ID, decision(review.Supported), "seen on the lateral view")
	if err != nil || second.Revision != 2 || second.Event == done.Event {
		t.Errorf("decided anew: %+v, %v", second, err)
	}
	v, err := d.OpenDisagreement(t.Context(), item.ID)
	if err != nil || v.Final.Rating.Support != review.Supported || v.Reason != "seen on the lateral view" || v.State != "decided" || v.Revisions != 2 {
		t.Errorf("%+v, %v", v, err)
	}
	sit(t, boss, "R1")
	if after := agreement(t, boss, "support")["/"]; !reflect.DeepEqual(before, after) {
		t.Errorf("agreement %+v, before %+v", after, before)
	}
	corrected := step("x001/s1", review.Rating{Support: review.Supported})
	f := steadily(1, review.Supported)
	corrected(&f)
	f.Reason = "the adjudicator is right"
	if _, err := d.RateFile(t.Context(), f, ""); err != nil {
		t.Fatal(err)
	}
	if after := agreement(t, boss, "support")["/"]; !reflect.DeepEqual(before, after) {
		t.Errorf("agreement after a correction that knows the verdict: %+v, before %+v", after, before)
	}
	history := map[review.Kind][]review.Event{}
	err = d.EachReading(t.Context(), "", func(e review.Event, _ []byte) error {
		if e.Kind == review.KindAdjudication || e.Reader == "R1" && e.Body.Rating != nil && e.Chain == "x001" && e.Body.Rating.Step == "s1" {
			history[e.Kind] = append(history[e.Kind], e)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	first, verdicts := history[review.KindRating][0], history[review.KindAdjudication]
	if first.Body.Rating.Support != review.Contradicted || first.At == "" || first.Body.Rating.Note != "opposite side" {
		t.Errorf("the first read is %+v", first.Body.Rating)
	}
	if len(verdicts) != 2 || verdicts[1].Supersedes != verdicts[0].ID || verdicts[0].Reader != "ADJ1" || verdicts[0].At == "" || verdicts[0].Assignment != "" {
		t.Fatalf("verdicts %+v", verdicts)
	}
	if a := verdicts[1].Body.Adjudication; len(a.RestsOn) != 3 || !slices.Contains(a.RestsOn, first.ID) || a.Part != "s1" || a.Unanimous || verdicts[1].Reason != "seen on the lateral view" {
		t.Errorf("%+v", a)
	}
	s, err := d.Progress(t.Context())
	for _, r := range s.Readers {
		if want := map[string]int{"ADJ1": 0}[r.Reader]; r.Role == review.RoleAdjudicator && (r.Assigned != want || r.Done+r.Started+r.Extra != 0) || err != nil {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

func TestDecideRefuses(t *testing.T) {
	boss := disputed(t)
	d, ctx := boss.Desk, t.Context()
	support, answer := find(t, d, "support").ID, find(t, d, "answer").ID
	rating := func(r review.Rating) review.FinalValue { return review.FinalValue{Rating: &r} }
	for _, c := range []struct {
		name, id, reason string
		value            review.FinalValue
		kind             fault.Kind
		text             string
	}{
		{"no reason", support, " ", decision(review.Supported), fault.Invalid, "a reason of"},
		{"an unknown item", "d-0", "so", decision(review.Supported), fault.NotFound, "no such disagreement"},
		{"another shape", support, "so", review.FinalValue{ChainRating: &review.ChainRating{}}, fault.Invalid, "of a step expected"},
		{"nothing said", support, "so", rating(review.Rating{}), fault.Invalid, "needs support"},
		{"half said", support, "so", rating(review.Rating{Support: review.Contradicted}), fault.Invalid, "needs error, significance"},
		{"no such grade", support, "so", rating(review.Rating{Support: "fine"}), fault.Invalid, "one of supported"},
		{"an error of what is supported", support, "so", rating(review.Rating{Support: review.Supported, Error: []string{"false_finding"}}), fault.Invalid, "asked only with"},
		{"a cue", support, "so", rating(review.Rating{Support: review.Supported, CueAck: "none"}), fault.Invalid, "cue"},
		{"another step", support, "so", rating(review.Rating{Step: "s2", Support: review.Supported}), fault.Invalid, "s1 expected"},
		{"a region of no image", support, "so", rating(review.Rating{Support: review.Supported, Evidence: []review.Region{{Image: "z", Shape: review.WholeImage}}}), fault.Invalid, "no image"},
		{"no answer", answer, "so", review.FinalValue{ChainRating: &review.ChainRating{}}, fault.Invalid, "needs answer"},
	} {
		if _, err := d.Decide(ctx, c.id, c.value, c.reason); fault.KindOf(err) != c.kind || !strings.Contains(fmt.Sprint(err), c.text) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	whole := review.FinalValue{ChainRating: &review.ChainRating{Answer: "partly"}} // the rest all reads say alike
	if _, err := d.Decide(ctx, answer, whole, "half of it"); err != nil {
		t.Fatal(err)
	}
	v, err := d.OpenDisagreement(ctx, answer)
	if err != nil || v.Final.ChainRating.Radpeer != "1" || v.Final.ChainRating.Answer != "partly" {
		t.Errorf("%+v, %v", v.Final, err)
	}
	sit(t, boss, "R2")
	for name, act := range map[string]func() error{
		"open":   func() error { _, err := d.OpenDisagreement(ctx, support); return err },
		"decide": func() error { _, err := d.Decide(ctx, support, decision(review.Supported), "so"); return err },
		"adopt":  func() error { _, err := d.AdoptUnanimous(ctx); return err },
	} {
		if err := act(); fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "R2 is none") {
			t.Errorf("the coordinator %ss: %v", name, err)
		}
	}
	if list := listed(t, d); list.May || list.Open != 1 || list.Decided != 1 {
		t.Errorf("the coordinator sees %+v", list)
	}
}

// Who read a case decides nothing of it, and nothing is decided before every assigned read is signed or the study is closed.
func TestWhoMayDecide(t *testing.T) {
	rules := desktest.Rules("R1", "R2", "R3")
	boss := desktest.Many(t, 2).Coordinator().Set(rules)
	boss.Assign()
	reads(t, boss, "R1", 1, step("x001/s1", review.Rating{Support: review.Contradicted, Significance: "b"}))
	reads(t, boss, "R2", 1, nil)
	for n := range 2 {
		rules.Readers = append(rules.Readers, review.ProtocolReader{Code: review.ReaderID(fmt.Sprintf("ADJ%d", n+1)), Role: review.RoleAdjudicator})
	}
	boss.Set(rules)
	d := sit(t, boss, "ADJ1")
	waiting := find(t, d, "support")
	if waiting.State != "waiting" {
		t.Errorf("%+v", waiting)
	}
	_, err := d.Decide(t.Context(), waiting.ID, decision(review.Supported), "so")
	refused(t, err, fault.Refused, "not every assigned read")
	_, err = d.OpenDisagreement(t.Context(), waiting.ID)
	refused(t, err, fault.Refused, "not every assigned read")
	if n, err := d.AdoptUnanimous(t.Context()); n != 0 || err != nil {
		t.Errorf("adopted %d, %v", n, err)
	}
	sit(t, boss, "R3")
	rules.Closed = true
	boss.Set(rules)
	sit(t, boss, "ADJ1")
	if _, err := d.Decide(t.Context(), waiting.ID, decision(review.Supported), "so"); err != nil {
		t.Errorf("in a closed study: %v", err)
	}
	sit(t, boss, "R3") // R1 becomes an adjudicator
	rules.Readers[0].Role, rules.Closed = review.RoleAdjudicator, true
	boss.Set(rules)
	sit(t, boss, "R1")
	_, err = d.OpenDisagreement(t.Context(), waiting.ID)
	refused(t, err, fault.Refused, "never a reader")
	_, err = d.Decide(t.Context(), waiting.ID, decision(review.Partly), "so")
	refused(t, err, fault.Refused, "never a reader")
}

// A seat of the adjudicator's own decides, and a reader's seat sees nothing.
func TestAdjudicatorsSeat(t *testing.T) {
	study := desktest.New(t)
	if err := study.As("ann").Desk.Close(); err != nil {
		t.Fatal(err)
	}
	ann := study.As("ann").Restart()
	_, err := ann.Desk.Disagreements(t.Context())
	refused(t, err, fault.Refused, "the adjudicator's")
	d := desk.New(study.Options(desk.Seat{Role: desk.Adjudicator, Reader: "ADJ1"}))
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	s, err := d.OpenWorkspace(t.Context(), study.Folder("adj"))
	if err != nil || s.Adjudication != "decide" || s.Role != "adjudicator" {
		t.Fatalf("%+v, %v", s, err)
	}
	if _, err := d.Import(t.Context(), study.Data); err != nil {
		t.Fatal(err)
	}
	rows, err := d.Cases(t.Context())
	if list := listed(t, d); err != nil || len(rows) != 0 || len(list.Items) != 0 || !list.May {
		t.Errorf("%v, %+v, %v", rows, list, err)
	}
}

// One action settles what all agree on, once, and only that.
func TestAdoptUnanimous(t *testing.T) {
	boss := disputed(t)
	d := boss.Desk
	list := listed(t, d)
	// two cases of two questions, two chains and six steps: of 20 items one step and one chain are disputed
	if list.Unanimous != 18 || list.Adopted != 0 || list.Open != 2 {
		t.Fatalf("%+v", list)
	}
	n, err := d.AdoptUnanimous(t.Context())
	if err != nil || n != 18 {
		t.Fatalf("%d, %v", n, err)
	}
	if list := listed(t, d); list.Unanimous != 0 || list.Adopted != 18 || list.Open != 2 {
		t.Errorf("%+v", list)
	}
	if n, err := d.AdoptUnanimous(t.Context()); n != 0 || err != nil {
		t.Errorf("again %d, %v", n, err)
	}
	sit(t, boss, "R1")
	verdicts := 0
	err = d.EachReading(t.Context(), "ADJ1", func(e review.Event, _ []byte) error {
		a := e.Body.Adjudication
		if a == nil {
			return nil
		}
		verdicts++
		if !a.Unanimous || e.Reason == "" || len(a.RestsOn) != 3 || a.FinalValue.On() != a.On || a.Rating != nil && (a.Rating.Support != review.Supported || a.Rating.Confidence != 0) {
			t.Errorf("%+v", a)
		}
		return nil
	})
	if err != nil || verdicts != 18 {
		t.Errorf("%d verdicts, %v", verdicts, err)
	}
}

// By hand: of x001/s1 (contradicted, unsupported, supported) there is no majority, and contradicted overturns R2 and R3; of y001 two of three
// said correct, and incorrect overturns them.
func TestOverturns(t *testing.T) {
	boss := disputed(t)
	d, ctx := boss.Desk, t.Context()
	for kind, value := range map[string]review.FinalValue{
		"support": decision(review.Contradicted), "answer": {ChainRating: &review.ChainRating{Answer: "incorrect"}},
	} {
		if _, err := d.Decide(ctx, find(t, d, kind).ID, value, "so"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.AdoptUnanimous(ctx); err != nil {
		t.Fatal(err)
	}
	sit(t, boss, "R1")
	sum, err := d.Overturns(ctx)
	if err != nil || sum.Decided != 2 || sum.Open != 0 || sum.Adopted != 18 {
		t.Fatalf("%+v, %v", sum, err)
	}
	got := map[string]string{}
	for _, o := range sum.Overturns {
		got[o.Dimension+"/"+o.Reader] = fmt.Sprintf("%d of %d, %d without", o.Overturned, o.Items, o.NoMajority)
		if o.Items > 0 && (o.Rate == nil || len(o.Interval) != 0 || !strings.HasPrefix(o.Reason, "no interval")) || o.Items == 0 && o.Rate != nil {
			t.Errorf("%+v", o)
		}
	}
	for of, want := range map[string]string{
		"support/": "0 of 0, 1 without", "support/R1": "0 of 1, 0 without", "support/R2": "1 of 1, 0 without", "support/R3": "1 of 1, 0 without",
		"answer/": "1 of 1, 0 without", "answer/R1": "1 of 1, 0 without", "answer/R2": "1 of 1, 0 without", "answer/R3": "0 of 1, 0 without",
		"significance/": "0 of 0, 1 without", "significance/R1": "0 of 1, 0 without", "significance/R2": "1 of 1, 0 without",
	} {
		if got[of] != want {
			t.Errorf("%s: %s, want %s", of, got[of], want)
		}
	}
	if _, known := got["own_answer/"]; known {
		t.Error("no question was decided by a person")
	}
}

// The regions of the reads are compared in pairs and joined where half of them marked.
func TestDisagreementRegions(t *testing.T) {
	rules := desktest.Rules("R1", "R2")
	rules.Readers = append(rules.Readers, review.ProtocolReader{Code: "ADJ1", Role: review.RoleAdjudicator})
	boss := desktest.New(t).Coordinator().Set(rules)
	for i, code := range []string{"R1", "R2"} {
		r := judge(t, boss, code, "case-01", nil)
		full, _ := desktest.Full(r.View, "x11", "s1", []review.Support{review.Supported, review.Contradicted}[i])
		x := .1 + .2*float64(i)
		full.Evidence = []review.Region{{ID: "e", Image: "xr", Shape: review.Box, Coords: []float64{x, .1, x + .4, .5}}}
		if _, err := boss.Desk.Rate(t.Context(), r.View.Assignment, "x11", full, ""); err != nil {
			t.Fatal(err)
		}
		boss.Open("case-01").Sign()
	}
	d := sit(t, boss, "ADJ1")
	v, err := d.OpenDisagreement(t.Context(), find(t, d, "support").ID)
	if err != nil || len(v.Pairs) != 1 || !close9(&v.Pairs[0].IoU, 1./3) || len(v.Consensus) != 1 {
		t.Fatalf("%+v, %+v, %v", v.Pairs, v.Consensus, err)
	}
	if c := v.Consensus[0].Coords; !close9(&c[0], .1) || !close9(&c[2], .7) || len(v.Answers) != 2 || v.Part != "s1" || len(v.Stacks) != 1 {
		t.Errorf("%+v", v)
	}
}

// The page lists, opens, decides and adopts from many goroutines: each decision is one, and the ledger holds (run with -race to see more).
func TestAdjudicateAtOnce(t *testing.T) {
	boss := disputed(t)
	d, ctx := boss.Desk, t.Context()
	support, answer := find(t, d, "support").ID, find(t, d, "answer").ID
	var all sync.WaitGroup
	for _, ask := range []func() error{
		func() error { _, err := d.Disagreements(ctx); return err },
		func() error { _, err := d.OpenDisagreement(ctx, support); return err },
		func() error { _, err := d.Decide(ctx, support, decision(review.Contradicted), "so"); return err },
		func() error {
			_, err := d.Decide(ctx, answer, review.FinalValue{ChainRating: &review.ChainRating{Answer: "correct"}}, "so")
			return err
		},
		func() error {
			_, err := d.AdoptUnanimous(ctx)
			for fault.KindOf(err) == fault.Busy {
				_, err = d.AdoptUnanimous(ctx)
			}
			return err
		},
		func() error { _, err := d.State(ctx); return err },
	} {
		all.Go(func() {
			for range 4 {
				if err := ask(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	sit(t, boss, "R1")
	verdicts := map[string]int{}
	err := d.EachReading(ctx, "ADJ1", func(e review.Event, _ []byte) error {
		if e.Kind == review.KindAdjudication {
			verdicts[e.Key]++
		}
		return nil
	})
	if err != nil || len(verdicts) != 20 {
		t.Errorf("%d verdicts, %v", len(verdicts), err)
	}
	for key, n := range verdicts {
		if n != 1 {
			t.Errorf("%s was decided %d times", key, n)
		}
	}
}
