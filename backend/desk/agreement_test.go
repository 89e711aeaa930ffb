package desk_test

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/report"
	"plumbline/backend/review"
	"plumbline/backend/stats"
	"plumbline/backend/store"
)

// judge lets the coordinator's desk read a case under a code: grades by chain/step, whatever is missing as supported.
func judge(t *testing.T, boss *desktest.Person, code, of string, grades map[string]review.Support) *desktest.Reading {
	t.Helper()
	if _, err := boss.Desk.SetReader(t.Context(), code); err != nil {
		t.Fatal(err)
	}
	r := boss.Open(of).LookAll()
	for at, s := range grades {
		regrade(t, boss, r, at, s, "")
	}
	return boss.Open(of)
}

func regrade(t *testing.T, boss *desktest.Person, r *desktest.Reading, at string, s review.Support, reason string) {
	t.Helper()
	chain, step, _ := strings.Cut(at, "/")
	full, ok := desktest.Full(r.View, chain, review.StepID(step), s)
	if !ok {
		t.Fatalf("no step %s", at)
	}
	if _, err := boss.Desk.Rate(t.Context(), r.View.Assignment, chain, full, reason); err != nil {
		t.Fatal(err)
	}
}

// agreement gives the rows of a dimension, by stage name and reader.
func agreement(t *testing.T, boss *desktest.Person, dimension string) map[string]report.Agreement {
	t.Helper()
	rows, err := boss.Desk.Agreement(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]report.Agreement{}
	for _, r := range rows {
		if r.Dimension == dimension {
			out[r.Stage+"/"+r.Reader] = r
		}
	}
	return out
}

// firstReads has two readers who signed case-01 and one who did not.
func firstReads(t *testing.T) *desktest.Person {
	boss := desktest.New(t).Coordinator()
	judge(t, boss, "R1", "case-01", map[string]review.Support{"x11/s2": review.Partly, "x11/s3": review.Contradicted}).Sign()
	judge(t, boss, "R2", "case-01", map[string]review.Support{"x11/s2": review.Unsupported, "x11/s3": review.Contradicted, "x21/s3": review.NotVisual}).Sign()
	judge(t, boss, "R3", "case-01", map[string]review.Support{"x11/s1": review.Contradicted})
	return boss
}

func close9(a *float64, b float64) bool { return a != nil && math.Abs(*a-b) < 1e-9 }

func TestAgreement(t *testing.T) {
	boss := firstReads(t)
	rows := agreement(t, boss, "support")
	all := rows["/"]
	if all.Items != 6 || all.Pairable != 5 || all.Readers != 2 || all.Ratings != 11 || all.Clusters != 1 || all.LeftOut != 0 {
		t.Errorf("counts %+v", all)
	}
	if !slices.Equal(all.Levels, []string{"contradicted", "unsupported", "partly", "supported"}) || all.Scale != "ordinal" {
		t.Errorf("levels %v, %s", all.Levels, all.Scale)
	}
	// the pairs: three times supported twice, partly and unsupported, contradicted twice
	same := stats.Ratings{Levels: 4, Values: []float64{0, 1, 2, 3}, By: [][]stats.Level{{4, 3, 1, 4, 4}, {4, 2, 1, 4, 4}}}
	if !close9(all.Percent, .8) || !close9(all.Alpha, stats.Alpha(same, stats.Ordinal).Value) || !close9(all.AlphaOrdinal, *all.Alpha) ||
		!close9(all.KappaQuadratic, stats.Cohen(same, stats.Quadratic).Value) || !all.Estimable {
		t.Errorf("numbers %+v", all)
	}
	if all.Fleiss != nil || !strings.Contains(all.Reasons["fleiss"], "same number") {
		t.Errorf("Fleiss with a missing rating: %v %q", all.Fleiss, all.Reasons["fleiss"])
	}
	if len(all.Interval) != 0 || all.Reason != "no interval: at least 10 clusters needed, found 1" || all.Seed == 0 {
		t.Errorf("interval %v %q, seed %d", all.Interval, all.Reason, all.Seed)
	}
	if one, two := rows["Findings/"], rows["Impression/"]; len(rows) != 3 || one.Items != 4 || two.Items != 2 || !close9(one.Percent, .75) || two.Estimable {
		t.Errorf("by stage: %+v and %+v", one, two)
	}
	own := agreement(t, boss, "own_answer")["/"]
	if own.Items != 2 || !close9(own.Percent, 1) || own.Alpha != nil || own.Estimable || !strings.Contains(own.Reason, "no variation") || own.AlphaOrdinal != nil {
		t.Errorf("own answers, all the same: %+v", own)
	}
	if v := agreement(t, boss, "answer")["/"]; v.Items != 2 || v.Readers != 2 || v.Scale != "nominal" {
		t.Errorf("verdicts %+v", v)
	}
	b, err := json.Marshal(all)
	if err != nil || strings.Contains(string(b), "NaN") {
		t.Errorf("%s, %v", b, err)
	}
}

func TestAgreementOfOneReaderAndOfNone(t *testing.T) {
	boss := desktest.New(t).Coordinator()
	for n := range 2 {
		rows, err := boss.Desk.Agreement(t.Context())
		if err != nil || len(rows) == 0 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		for _, r := range rows {
			if r.Estimable || r.Alpha != nil || r.Percent != nil || r.Readers > n || !strings.HasPrefix(r.Reason, "two readers needed, found ") {
				t.Errorf("%d readers: %+v", n, r)
			}
		}
		if n == 0 {
			judge(t, boss, "R1", "case-01", nil).Sign()
		}
	}
}

func TestAgreementIsTheCoordinators(t *testing.T) {
	_, err := desktest.New(t).As("ann").Desk.Agreement(t.Context())
	refused(t, err, fault.Refused, "the coordinator's")
}

// L12: a correction counts; one that was made after the chain was adjudicated does not.
func TestAgreementIsFromBeforeAdjudication(t *testing.T) {
	study := desktest.New(t)
	boss := study.Coordinator()
	judge(t, boss, "R1", "case-01", map[string]review.Support{"x11/s2": review.Contradicted}).Sign()
	r := judge(t, boss, "R2", "case-01", nil).Sign()
	percent := func() float64 { return *agreement(t, boss, "support")["/"].Percent }
	if got := percent(); math.Abs(got-5./6) > 1e-9 {
		t.Fatalf("at first %v", got)
	}
	regrade(t, boss, r, "x11/s1", review.Partly, "slip")
	if got := percent(); math.Abs(got-4./6) > 1e-9 {
		t.Errorf("after a correction %v", got)
	}
	add(t, study, boss, func(events []review.Event) []review.Event {
		e := copied(events[len(events)-1], "adjudicator", "verdict-1")
		e.Kind, e.Body, e.Reason = review.KindAdjudication, review.Body{}, "seen together"
		e.Key = review.EventKey(e.Assignment, e.Kind, e.Chain, "s2")
		return []review.Event{e}
	})
	boss.Restart()
	r = boss.Open("case-01")
	regrade(t, boss, r, "x11/s2", review.Contradicted, "the adjudicator is right")
	if got := percent(); math.Abs(got-4./6) > 1e-9 {
		t.Errorf("after a correction that knows the verdict %v", got)
	}
	regrade(t, boss, r, "x21/s2", review.Unsupported, "of another chain")
	if got := percent(); math.Abs(got-3./6) > 1e-9 {
		t.Errorf("after a correction of a chain without a verdict %v", got)
	}
}

// What a reader said of the same step twice is compared with itself, and counts once beside the others; a rating of another version of a
// chain counts for nothing.
func TestAgreementOfRepeats(t *testing.T) {
	study := desktest.New(t)
	boss := study.Coordinator()
	judge(t, boss, "R1", "case-01", map[string]review.Support{"x11/s2": review.Partly}).Sign()
	judge(t, boss, "R2", "case-01", map[string]review.Support{"x11/s2": review.Partly}).Sign()
	add(t, study, boss, func(events []review.Event) []review.Event {
		out := []review.Event{}
		for _, e := range events {
			if e.Reader != "R1" || e.Body.Rating == nil && e.Kind != review.KindSign {
				continue
			}
			again := copied(e, "R1", "repeat-1")
			if rating := e.Body.Rating; rating != nil {
				changed := *rating
				if e.Chain == "x11" && changed.Step == "s1" {
					changed.Support = review.Contradicted
				}
				again.Body.Rating = &changed
				again.Key = review.EventKey(again.Assignment, again.Kind, e.Chain, string(changed.Step))
				if e.Chain == "x21" && changed.Step == "s3" {
					again.ChainDigest = review.DigestOf([]byte("another version"))
				}
			}
			out = append(out, again)
		}
		return out
	})
	boss.Restart()
	rows := agreement(t, boss, "support")
	if all := rows["/"]; !close9(all.Percent, 1) || all.Ratings != 12 || all.LeftOut != 1 {
		t.Errorf("between readers: %+v", all)
	}
	if self, known := rows["/R1"]; !known || self.Readers != 1 || self.Pairable != 5 || !close9(self.Percent, .8) || !self.Estimable {
		t.Errorf("R1 with themself: %+v", self)
	}
	if _, known := rows["/R2"]; known {
		t.Error("R2 read nothing twice")
	}
}

// steadily reads a case of desktest.Many whole: its latent steps get this support.
func steadily(n int, latent review.Support) review.ReadingFile {
	f := review.ReadingFile{
		Schema: review.ReadingSchema, Assignment: review.AssignmentID(fmt.Sprintf("case-%03d", n)), Sign: true,
		Look:  []review.Look{{Question: "q1", Answer: "A", Confidence: 2}, {Question: "q2", Answer: "B", Confidence: 2}},
		Steps: map[string]review.Rating{}, Chains: map[review.ChainID]review.ChainRating{},
	}
	for _, name := range []string{"x", "y"} {
		chain := fmt.Sprintf("%s%03d", name, n)
		for _, step := range []string{"s1", "s2"} {
			f.Steps[chain+"/"+step] = review.Rating{Support: review.Supported, Confidence: 3}
		}
		f.Steps[chain+"/s3"] = review.Rating{Support: latent}
		f.Chains[review.ChainID(chain)] = desktest.FullChain()
	}
	return f
}

// From ten clusters on there is an interval, the same for the same seed; a training case counts for nothing.
func TestAgreementInterval(t *testing.T) {
	boss := desktest.Many(t, 21).Coordinator()
	grades := []review.Support{review.Supported, review.Partly, review.Unsupported, review.Contradicted}
	for reader, code := range []string{"R1", "R2"} {
		if _, err := boss.Desk.SetReader(t.Context(), code); err != nil {
			t.Fatal(err)
		}
		for n := range 21 {
			grade := grades[n%4]
			if reader == 1 && n%5 == 0 {
				grade = grades[(n+1)%4]
			}
			if _, err := boss.Desk.RateFile(t.Context(), steadily(n+1, grade), ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	first := agreement(t, boss, "support")
	all := first["/"]
	if all.Clusters != 11 || all.Items != 126 || all.Method != string(stats.FewClusters) || all.Reason != "" {
		t.Fatalf("%+v", all)
	}
	if len(all.Interval) != 2 || all.Interval[0] >= *all.Alpha || all.Interval[1] <= *all.Alpha || all.Interval[1] > 1 {
		t.Errorf("interval %v around %v", all.Interval, *all.Alpha)
	}
	if again := agreement(t, boss, "support"); !reflect.DeepEqual(again, first) {
		t.Errorf("another time another result: %+v and %+v", again, first)
	}
	rules := desktest.Rules("R1", "R2")
	rules.Training = []review.CaseID{"case-001", "case-002"}
	boss.Set(rules)
	if less := agreement(t, boss, "support")["/"]; less.Clusters != 10 || less.Items != 114 || less.LeftOut != 24 {
		t.Errorf("without training cases: %+v", less)
	}
}

// Several choices are a set: their order says nothing, and each is compared apart. A finding that one reader alone misses is a difference.
func TestAgreementOfSeveralChoices(t *testing.T) {
	boss := desktest.Many(t, 1).Coordinator()
	for code, errors := range map[string][]string{"R1": {"false_finding", "wrong_location"}, "R2": {"wrong_location", "false_finding"}} {
		f := steadily(1, review.Supported)
		f.Steps["x001/s1"] = review.Rating{Support: review.Contradicted, Confidence: 3, Significance: "a", Error: errors}
		f.Steps["y001/s1"] = review.Rating{Support: review.Contradicted, Confidence: 3, Significance: "b", Error: errors[:1]}
		if code == "R2" {
			whole := desktest.FullChain()
			whole.Missed = []review.Missed{{Text: "a fracture", Significance: "b"}}
			f.Chains["x001"] = whole
		}
		if _, err := boss.Desk.SetReader(t.Context(), code); err != nil {
			t.Fatal(err)
		}
		if _, err := boss.Desk.RateFile(t.Context(), f, ""); err != nil {
			t.Fatal(err)
		}
	}
	for dimension, want := range map[string]float64{"error.false_finding": .5, "error.wrong_location": .5, "error.wrong_technique": 1, "significance": 1, "missed": .5} {
		if a := agreement(t, boss, dimension)["/"]; a.Items != 2 || a.Ratings != 4 || !close9(a.Percent, want) {
			t.Errorf("%s: %+v, want %v", dimension, a, want)
		}
	}
}

// Regions of the same step are compared by IoU; one that was adopted from the model is not.
func TestAgreementOfRegions(t *testing.T) {
	boss := desktest.New(t).Coordinator()
	if none := agreement(t, boss, "evidence")["/"]; none.Estimable || none.Reason != "two readers needed, found 0" || none.IoU != nil {
		t.Errorf("of nobody: %+v", none)
	}
	for i, code := range []string{"R1", "R2"} {
		r := judge(t, boss, code, "case-01", nil)
		mark := func(step review.StepID, x float64, adopted bool) {
			full, _ := desktest.Full(r.View, "x11", step, review.Supported)
			full.Evidence = []review.Region{{ID: "e", Image: "xr", Shape: review.Box, Coords: []float64{x, .1, x + .4, .5}, Adopted: adopted}}
			if _, err := boss.Desk.Rate(t.Context(), r.View.Assignment, "x11", full, ""); err != nil {
				t.Fatal(err)
			}
		}
		mark("s1", .1+.2*float64(i), false)
		mark("s2", .2, i == 1)
		boss.Open("case-01").Sign()
	}
	all := agreement(t, boss, "evidence")["/"]
	if all.Readers != 2 || all.Pairable != 1 || !close9(all.IoU, 1./3) || !all.Estimable || !strings.HasPrefix(all.Reason, "no interval") || all.Percent != nil {
		t.Errorf("%+v", all)
	}
	if own := agreement(t, boss, "own_evidence")["/"]; own.Estimable || own.Readers != 0 {
		t.Errorf("nobody marked anything before the chains: %+v", own)
	}
}

// copied is an event to be said anew by a reader in another assignment.
func copied(e review.Event, who review.ReaderID, in review.AssignmentID) review.Event {
	e.ID, e.Seq, e.Prev, e.Supersedes, e.Reader, e.Assignment = "", 0, "", "", who, in
	e.Key = review.EventKey(in, e.Kind, "", "")
	return e
}

// add appends events to the coordinator's ledger, whose desk it closes.
func add(t *testing.T, study *desktest.Study, boss *desktest.Person, from func([]review.Event) []review.Event) {
	t.Helper()
	if err := boss.Desk.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := store.OpenLedger(filepath.Join(study.Folder("coordinator"), "readings.db"))
	if err != nil {
		t.Fatal(err)
	}
	events := []review.Event{}
	if err := l.Events(func(e review.Event, _ []byte) error { events = append(events, e); return nil }); err != nil {
		t.Fatal(err)
	}
	for _, e := range from(events) {
		if _, err := l.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// By hand: three patients, two readers of whom the second is one grade stricter in the second patient.
func TestTwoWayOfSupport(t *testing.T) {
	boss := desktest.Many(t, 6).Coordinator()
	for code, second := range map[string]review.Support{"R1": review.Supported, "R2": review.Contradicted} {
		if _, err := boss.Desk.SetReader(t.Context(), code); err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= 6; n++ {
			latent := review.Supported
			if (n+1)/2 == 2 {
				latent = second
			}
			if code == "R2" && (n+1)/2 == 3 {
				continue // the third patient is R1's alone
			}
			if _, err := boss.Desk.RateFile(t.Context(), steadily(n, latent), ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	rows := agreement(t, boss, "support")
	two := rows["/"].TwoWay
	// R1: 3, 3; R2: 3, (3+3+0)/3 = 2
	want := stats.TwoWay([][]float64{{3, 3}, {3, 2}})
	if two == nil || two.Readers != 2 || two.Clusters != 2 || !close9(two.Mean, 2.75) || !close9(two.SE, want.SE.Value) || !close9(two.VarError, want.VarError.Value) {
		t.Errorf("%+v, want %+v", two, want)
	}
	if rows["Findings/"].TwoWay != nil {
		t.Error("of one stage")
	}
}
