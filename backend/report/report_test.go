package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/fault"
	"plumbline/backend/report"
	"plumbline/backend/review"
)

var update = flag.Bool("update", false, "write the golden files anew")

func ptr[T any](v T) *T { return &v }

// study builds inputs the way a study grows.
type study struct {
	report.Input
	event int
}

// newStudy makes n cases of n/2 patients with three stages of one question each, gold "A" throughout.
func newStudy(n int) *study {
	s := &study{Input: report.Input{Dataset: review.Dataset{Name: "Trial", ClusterKey: "patient", StagePack: review.StagePack{Stages: []review.Stage{
		{K: 1, Name: "anatomy"}, {K: 2, Name: "findings"}, {K: 3, Name: "impression"}}}},
		Clusters: map[review.CaseID]string{}, Version: "test", At: "2026-01-02T03:04:05Z", Seed: 7, Resamples: 500, Frames: 40 * n, Synthetic: true}}
	for i := range n {
		id := review.CaseID(fmt.Sprintf("c%02d", i))
		c := review.Case{ID: id, Patient: review.PatientID(fmt.Sprintf("p%02d", i/2)), Images: []review.Image{{ID: "i", Path: fmt.Sprintf("images/%02d", i/2)}}}
		for k := 1; k <= 3; k++ {
			q := review.QuestionID(fmt.Sprintf("q%d", k))
			c.Questions = append(c.Questions, review.Question{ID: q, K: k, Options: []review.Option{{Letter: "A", Text: "yes"}, {Letter: "B", Text: "no"}}})
			s.Truth = append(s.Truth, review.Truth{Case: id, Question: q, Gold: ptr("A")})
		}
		s.Cases = append(s.Cases, c)
		s.Clusters[id] = fmt.Sprintf("c%02d", i/2*2)
	}
	return s
}

// chain adds a chain with an answer a stage ("A", "B", or "-" for unparsed) and a step an answer.
func (s *study) chain(model string, of int, answers string) *study {
	id := review.ChainID(fmt.Sprintf("%s-%02d", model, of))
	c := review.Chain{ID: id, Case: s.Cases[of].ID, Digest: review.Digest("sha256:" + string(id))}
	for i, a := range answers {
		answer := review.Answer{Question: review.QuestionID(fmt.Sprintf("q%d", i+1)), Answer: ptr(string(a)), Parse: review.ParseOK,
			Steps: []review.Step{{ID: review.StepID(fmt.Sprintf("s%d", i+1)), Text: ptr("a claim")}}}
		if a == '-' {
			answer.Answer, answer.Parse = nil, review.Unparsed
		}
		c.Answers = append(c.Answers, answer)
	}
	s.Chains = append(s.Chains, c)
	s.Origins = append(s.Origins, review.Origin{Chain: id, Model: review.ModelInfo{Name: model}})
	return s
}

func (s *study) add(e review.Event) review.EventID {
	s.event++
	e.ID = review.EventID(fmt.Sprintf("e%06d", s.event))
	e.Seq = uint64(s.event)
	s.Events = append(s.Events, e)
	return e.ID
}

// read rates the steps of one chain (one grade a step) and signs where asked.
func (s *study) read(reader, model string, of int, grades []review.Support, sign bool) {
	id := review.ChainID(fmt.Sprintf("%s-%02d", model, of))
	a := review.AssignmentID(fmt.Sprintf("%s/%s/%02d", reader, model, of))
	c := s.Cases[of].ID
	base := review.Event{Reader: review.ReaderID(reader), Assignment: a, Case: c, Chain: id, ChainDigest: review.Digest("sha256:" + string(id)), Machine: "m", Rubric: review.GRD().Ref()}
	look := base
	look.Kind, look.Key, look.Chain, look.ChainDigest = review.KindLook, review.EventKey(a, review.KindLook, "", "q1"), "", ""
	look.Body.Look = &review.Look{Question: "q1", Answer: "A", Confidence: 2}
	s.add(look)
	for i, g := range grades {
		step := review.StepID(fmt.Sprintf("s%d", i+1))
		e := base
		e.Kind, e.Key = review.KindRating, review.EventKey(a, review.KindRating, id, string(step))
		e.Body.Rating = &review.Rating{Step: step, Support: g, Confidence: 2, BuildsOnError: "no"}
		s.add(e)
	}
	whole := base
	whole.Kind, whole.Key = review.KindChainRating, review.EventKey(a, review.KindChainRating, id, "chain")
	whole.Body.ChainRating = &review.ChainRating{Answer: "correct", Radpeer: "1", Follows: "yes"}
	s.add(whole)
	if sign {
		e := base
		e.Kind, e.Key = review.KindSign, review.EventKey(a, review.KindSign, "", "")
		s.add(e)
	}
}

func (s *study) make(t *testing.T) report.Document {
	t.Helper()
	d, err := report.Make(context.Background(), s.Input)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func is(t *testing.T, what string, n report.Number, want float64, rows int) {
	t.Helper()
	if n.Value == nil {
		t.Errorf("%s: not estimable: %s", what, n.Reason)
		return
	}
	if math.Abs(*n.Value-want) > 1e-9 || n.N != rows {
		t.Errorf("%s = %v of %d rows, want %v of %d", what, *n.Value, n.N, want, rows)
	}
}

func isNot(t *testing.T, what string, n report.Number) {
	t.Helper()
	if n.Value != nil || n.Estimable || n.Reason == "" || n.Interval != nil {
		t.Errorf("%s: %+v, want not estimable with a reason", what, n)
	}
}

// The four chains, by hand: AAA, ABA, BAA and A-B, in two clusters.
func TestAccuracyByHand(t *testing.T) {
	s := newStudy(4).chain("m", 0, "AAA").chain("m", 1, "ABA").chain("m", 2, "BAA").chain("m", 3, "A-B")
	a := s.make(t).Models[0].Accuracy
	is(t, "chain", a.Chain, .25, 4)
	is(t, "stage 1", a.Stages[0].Number, .75, 4)
	is(t, "stage 2", a.Stages[1].Number, .5, 4)
	is(t, "stage 3", a.Stages[2].Number, .75, 4)
	is(t, "prefix 1", a.Prefix[0].Number, .75, 4)
	is(t, "prefix 2", a.Prefix[1].Number, .25, 4)
	is(t, "prefix 3", a.Prefix[2].Number, .25, 4)
	is(t, "stage 2 given right", a.GivenRight[0].Number, 1.0/3, 3)
	is(t, "stage 2 given wrong", a.GivenWrong[0].Number, 1, 1)
	is(t, "stage 2 difference", a.Difference[0].Number, 1.0/3-1, 4)
	is(t, "stage 3 given right", a.GivenRight[1].Number, 1, 1)
	is(t, "stage 3 given wrong", a.GivenWrong[1].Number, 2.0/3, 3)
	is(t, "lift", a.Lift, .25/(.75*.5*.75), 4)
	is(t, "first error 1", a.FirstError[0].Number, .25, 4)
	is(t, "first error 2", a.FirstError[1].Number, .5, 4)
	is(t, "first error 3", a.FirstError[2].Number, 0, 4)
	is(t, "final right, chain wrong", a.FinalRightWrongChain, 2.0/3, 3)
	if n := a.Chain; n.Patients != 2 || n.Images != 2 || n.Clusters != 2 || n.Interval != nil || !strings.Contains(n.Reason, "no interval") {
		t.Errorf("counts of chain accuracy: %+v", n)
	}
	for _, c := range a.Parse {
		if want := map[string]int{"ok": 11, "unparsed": 1}[c.Label]; c.N != want {
			t.Errorf("parse %s: %d, want %d", c.Label, c.N, want)
		}
	}
}

func TestAnswersByLetterAndText(t *testing.T) {
	s := newStudy(1).chain("m", 0, "AAA")
	s.Chains[0].Answers[0].Answer = ptr(" YES ")
	s.Chains[0].Answers[1].Answer = ptr("a")
	s.Truth[2].Gold = ptr("yes")
	is(t, "chain", s.make(t).Models[0].Accuracy.Chain, 1, 1)
}

func TestMissingAnswerIsWrongAndMissingGoldIsNothing(t *testing.T) {
	s := newStudy(2).chain("m", 0, "AA").chain("m", 1, "AAA")
	s.Truth = slices.DeleteFunc(s.Truth, func(v review.Truth) bool { return v.Case == "c01" && v.Question == "q2" })
	a := s.make(t).Models[0].Accuracy
	is(t, "stage 3", a.Stages[2].Number, .5, 2)
	is(t, "stage 2", a.Stages[1].Number, 1, 1)
	is(t, "chain", a.Chain, 0, 1)
}

func TestParentsOfAQuestion(t *testing.T) {
	s := newStudy(1).chain("m", 0, "BAA")
	s.Cases[0].Questions[2].Parents = []review.QuestionID{"q2"}
	a := s.make(t).Models[0].Accuracy
	is(t, "stage 3 given its own parent", a.GivenRight[1].Number, 1, 1)
	isNot(t, "stage 3 given wrong", a.GivenWrong[1].Number)
}

func TestGroundingByHand(t *testing.T) {
	s := newStudy(2).chain("m", 0, "AAB").chain("m", 1, "AAA")
	s.read("R1", "m", 0, []review.Support{review.Supported, review.Partly, review.Contradicted}, true)
	s.read("R2", "m", 0, []review.Support{review.Unsupported, review.NotVisual, review.Supported}, true)
	s.read("R1", "m", 1, []review.Support{review.CannotAssess, review.Supported, review.Supported}, false) // not signed
	m := s.make(t).Models[0]
	g := m.GroundingHuman
	is(t, "strict", g.Strict, 2.0/5, 5)
	is(t, "lenient", g.Lenient, 3.0/5, 5)
	is(t, "stage 1 strict", g.Stages[0].Strict, .5, 2)
	is(t, "stage 2 lenient", g.Stages[1].Lenient, 1, 1)
	is(t, "right for the wrong reason", g.RWR, 1.0/3, 3)
	if g.Ratings != 6 || g.Steps != 3 || g.Of != 6 || g.Readers != 2 {
		t.Errorf("counts: %+v", g)
	}
	is(t, "chain accuracy is not touched", m.Accuracy.Chain, .5, 2)
	for _, c := range m.Labels.Support {
		want := map[string]int{"supported": 2, "partly": 1, "unsupported": 1, "contradicted": 1, "not_visual": 1}[c.Label]
		if c.N != want {
			t.Errorf("%s: %d, want %d", c.Label, c.N, want)
		}
	}
}

func TestLastRevisionCounts(t *testing.T) {
	s := newStudy(1).chain("m", 0, "AAA")
	s.read("R1", "m", 0, []review.Support{review.Supported, review.Supported, review.Supported}, true)
	first := s.Events[1]
	again := first
	again.Supersedes, again.Reason = first.ID, "looked again"
	again.Body.Rating = &review.Rating{Step: "s1", Support: review.Contradicted}
	s.add(again)
	s.Events = append(s.Events, first) // the same event once more, as a merged bundle may bring it
	slices.Reverse(s.Events)
	d := s.make(t)
	is(t, "strict", d.Models[0].GroundingHuman.Strict, 2.0/3, 3)
	if r := d.Readers[0]; r.Revisions != 1 || r.Signed != 1 {
		t.Errorf("reader %+v", r)
	}
}

func TestAssigned(t *testing.T) {
	s := newStudy(5).chain("m", 0, "AAA")
	s.read("R1", "m", 0, []review.Support{review.Supported}, true)
	if r := s.make(t).Readers[0]; r.Assigned != 5 || r.Signed != 1 {
		t.Errorf("nothing handed out: %d assigned, %d signed, want all 5 cases and 1", r.Assigned, r.Signed)
	}
	for _, of := range []review.AssignmentID{"R1/m/00", "R1/m/01"} {
		s.add(review.Event{Kind: review.KindAssign, Reader: "boss", Body: review.Body{Assign: &review.Assignment{ID: of, Reader: "R1"}}})
	}
	if d := s.make(t); len(d.Readers) != 1 || d.Readers[0].Assigned != 2 {
		t.Errorf("two handed out: %+v", d.Readers)
	}
}

func TestRatingOfAnotherVersionOfAChainIsLeftOut(t *testing.T) {
	s := newStudy(1).chain("m", 0, "AAA")
	s.read("R1", "m", 0, []review.Support{review.Supported}, true)
	s.Chains[0].Digest = "sha256:another"
	d := s.make(t)
	isNot(t, "strict", d.Models[0].GroundingHuman.Strict)
	if !strings.Contains(strings.Join(d.Notes, "\n"), "another version of a chain") {
		t.Errorf("notes: %q", d.Notes)
	}
}

func TestEmptyStudies(t *testing.T) {
	for _, c := range []struct {
		name string
		s    *study
		note string
	}{
		{"no case", newStudy(0), "no case"},
		{"no chain", newStudy(3), "no chain"},
		{"no truth", func() *study { s := newStudy(1).chain("m", 0, "AAA"); s.Truth = nil; return s }(), "no known right answer"},
		{"no reading", newStudy(1).chain("m", 0, "AAA"), "No reading is signed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := c.s.make(t)
			if !strings.Contains(strings.Join(d.Notes, "\n"), c.note) {
				t.Errorf("notes: %q", d.Notes)
			}
			for _, m := range d.Models {
				isNot(t, "strict", m.GroundingHuman.Strict)
				isNot(t, "rwr", m.GroundingHuman.RWR)
			}
			if b, err := report.HTML(d); err != nil || !bytes.Contains(b, []byte("</html>")) {
				t.Errorf("page: %v", err)
			}
			noNull(t, d)
		})
	}
}

// noNull fails on a list that is null: only intervals and numbers may be.
func noNull(t *testing.T, d report.Document) {
	t.Helper()
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(at+"."+k, x)
			}
		case []any:
			for _, x := range v {
				walk(at, x)
			}
		case nil:
			name := at[strings.LastIndex(at, ".")+1:]
			if !slices.Contains([]string{"value", "deff", "n_eff", "interval", "low", "high", "kappa", "confidence", "accuracy", "p", "p_holm", "mcnemar_exact"}, name) {
				t.Errorf("%s is null", at)
			}
		}
	}
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	walk("", v)
}

func TestChainWithoutOriginIsUnknown(t *testing.T) {
	s := newStudy(2).chain("m", 0, "AAA").chain("m", 1, "AAA")
	s.Origins = s.Origins[:1]
	d := s.make(t)
	if len(d.Models) != 2 || d.Models[0].Model != "m" || d.Models[1].Model != "unknown" {
		t.Errorf("models %+v", d.Models)
	}
}

func TestConditionsStandApart(t *testing.T) {
	s := newStudy(2).chain("m", 0, "AAA").chain("m", 1, "BBB")
	s.Origins[1].Condition = review.Condition{Image: "occ", Fill: "remove", Given: "given", GivenFrom: "orig", Cue: "suggest-wrong", CueStage: "S4"}
	d := s.make(t)
	if len(d.Models) != 1 || d.Models[0].Condition != "original" || len(d.Models[0].Conditions) != 1 {
		t.Fatalf("models %+v", d.Models)
	}
	c := d.Models[0].Conditions[0]
	if c.Condition != "occ/remove+given:orig+suggest-wrong@S4" || !strings.Contains(c.Difference.Reason, "image, given, cue differ") {
		t.Errorf("condition %q: %q", c.Condition, c.Difference.Reason)
	}
	is(t, "chain accuracy of the original", d.Models[0].Accuracy.Chain, 1, 1)
	is(t, "chain accuracy of the condition", c.Chain, 0, 1)
}

func TestIntervalsNeedClusters(t *testing.T) {
	few := newStudy(24) // 12 clusters
	many := newStudy(60)
	for i := range 24 {
		few.chain("m", i, []string{"AAA", "ABA", "AAB"}[i%3])
	}
	for i := range 60 {
		many.chain("m", i, []string{"AAA", "ABA", "AAB"}[i%3])
	}
	if n := few.make(t).Models[0].Accuracy.Chain; len(n.Interval) != 2 || !strings.Contains(n.Method, "few clusters") || n.Clusters != 12 || n.Patients != 12 {
		t.Errorf("12 clusters: %+v", n)
	}
	if n := many.make(t).Models[0].Accuracy.Chain; len(n.Interval) != 2 || !strings.Contains(n.Method, "bootstrap") {
		t.Errorf("30 clusters: %+v", n)
	}
}

// Clusters that each hold one right and one wrong chain even each other out: neither a design effect under 1 nor an interval without width.
func TestClustersThatEvenOut(t *testing.T) {
	s := newStudy(24)
	for i := range 24 {
		s.chain("m", i, []string{"AAA", "ABA"}[i%2])
	}
	a := s.make(t).Models[0].Accuracy
	for what, n := range map[string]report.Number{"chain": a.Chain, "lift": a.Lift} {
		if n.DEFF != nil && *n.DEFF < 1 || n.Interval != nil || !strings.Contains(n.Reason, "do not differ") {
			t.Errorf("%s: %+v", what, n)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := report.Make(ctx, newStudy(1).chain("m", 0, "AAA").Input); fault.KindOf(err) != fault.Cancelled {
		t.Errorf("err = %v, want cancelled", err)
	}
}

func TestPageEscapesForeignText(t *testing.T) {
	const evil = `<script>alert(1)</script><img src=x onerror=alert(2)>`
	s := newStudy(1)
	s.Dataset.Name, s.Dataset.StagePack.Stages[0].Name = evil, evil
	s.chain(evil, 0, "AAA")
	s.read(evil, evil, 0, []review.Support{evil}, true)
	b, err := report.HTML(s.make(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "<img"} {
		if bytes.Contains(b, []byte(bad)) {
			t.Errorf("the page holds %s", bad)
		}
	}
	if !bytes.Contains(b, []byte("&lt;script&gt;")) {
		t.Error("the text is not there at all")
	}
}

// The whole report of a study of two models and two readers.
func TestGolden(t *testing.T) {
	s := newStudy(24)
	for i := range 24 {
		s.chain("oracle", i, []string{"AAA", "AAA", "AAA", "AAB", "AAA"}[i*i%5]).chain("guesser", i, []string{"AAA", "ABA", "BAB", "AA-", "ABB", "AAB", "BBA"}[i*i%11%7])
		for r, reader := range []string{"R1", "R2"} {
			g := []review.Support{review.Supported, []review.Support{review.Supported, review.Partly, review.Unsupported}[(i*i+r)%7%3], review.Supported}
			s.read(reader, "oracle", i, g, true)
			s.read(reader, "guesser", i, []review.Support{review.Unsupported, review.Contradicted, []review.Support{review.NotVisual, review.Partly}[i*i%5%2]}, i%5 != 0)
		}
	}
	d := s.make(t)
	noNull(t, d)
	j, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	h, err := report.HTML(d)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]byte{"report.json": append(j, '\n'), "report.html": h} {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from the golden file; look at the difference after go test -update", name)
		}
	}
}

func BenchmarkMake(b *testing.B) {
	s := newStudy(1000)
	for i := range 1000 {
		s.chain("m", i, []string{"AAA", "ABA", "BAB", "AA-"}[i%4])
		s.read("R1", "m", i, []review.Support{review.Supported, review.Partly, review.Unsupported}, true)
	}
	s.Resamples = 2000
	for b.Loop() {
		if _, err := report.Make(context.Background(), s.Input); err != nil {
			b.Fatal(err)
		}
	}
}

// What a reader said of the same step again, in a repeat or a later session, counts once: as it was said in the read signed first. Training
// cases and other rubrics count nowhere, and the report says how many there were.
func TestFirstReadsCount(t *testing.T) {
	s := newStudy(3).chain("m", 0, "AAA").chain("m", 1, "AAA").chain("m", 2, "AAA")
	s.read("R1", "m", 0, []review.Support{review.Supported, review.Supported, review.Supported}, true)
	first := len(s.Events)
	s.read("R1", "m", 0, []review.Support{review.Contradicted, review.Contradicted, review.Contradicted}, true)
	for i := first; i < len(s.Events); i++ {
		e := &s.Events[i]
		e.Assignment = "again"
		e.Key = review.EventKey("again", e.Kind, e.Chain, string(e.ID))
	}
	s.read("R1", "m", 1, []review.Support{review.Unsupported, review.Unsupported, review.Unsupported}, true)
	s.Training = []review.CaseID{s.Cases[1].ID}
	other := len(s.Events)
	s.read("R1", "m", 2, []review.Support{review.Partly, review.Partly, review.Partly}, true)
	for i := other; i < len(s.Events); i++ {
		s.Events[i].Rubric.Version = "1-strict"
	}
	d := s.make(t)
	is(t, "strict", d.Models[0].GroundingHuman.Strict, 1, 3)
	if d.Readers[0].Ratings != 3 || d.Readers[0].Looks != 2 || d.Readers[0].ChainRatings != 1 {
		t.Errorf("reader %+v", d.Readers[0])
	}
	for _, want := range []string{
		"5 answers in repeated reads and later sessions left out: of each reader the first read counts.",
		"5 answers in training cases left out.", "4 ratings under another rubric than GRD version 1 left out.",
	} {
		if !slices.Contains(d.Notes, want) {
			t.Errorf("%q is missing in %q", want, d.Notes)
		}
	}
}

// What was not as planned is said: reads after their reader saw what is hidden, and answers changed after signing.
func TestDeviationsAreSaid(t *testing.T) {
	s := newStudy(2).chain("m", 0, "AAA").chain("m", 1, "AAA")
	g := []review.Support{review.Supported, review.Supported, review.Supported}
	s.read("R1", "m", 0, g, true)
	s.read("R2", "m", 0, g, true)
	last := s.Events[len(s.Events)-1]
	s.Events = append(s.Events, review.Event{ID: last.ID + "x", Kind: review.KindUnblinded, Reader: "R1"})
	s.read("R1", "m", 1, g, true) // S03: known for a read after the reference was seen
	for i := range s.Events {
		if e := s.Events[i]; e.Kind == review.KindRating && e.Reader == "R2" {
			e.ID, e.Supersedes = review.EventID(fmt.Sprintf("z%03d", i)), e.ID
			s.Events = append(s.Events, e)
			break
		}
	}
	d := s.make(t)
	for _, want := range []string{
		"1 read in which something was said after the reader saw what is hidden from readers.",
		"1 answer changed after signing, each with a reason in the ledger; the last revision counts.",
	} {
		if !slices.Contains(d.Notes, want) {
			t.Errorf("%q is missing in %q", want, d.Notes)
		}
	}
	topics := []string{}
	for _, i := range d.Checklist {
		topics = append(topics, i.Topic)
		if len(i.Says) == 0 || slices.Contains(i.Says, "") {
			t.Errorf("%s says %q", i.Topic, i.Says)
		}
	}
	for _, want := range []string{"Data", "Flow", "Reference standard", "Models", "Interventions", "Readers", "Training of readers", "Blinding and order", "Analysis", "Exclusions and deviations"} {
		if !slices.Contains(topics, want) {
			t.Errorf("no item %q among %q", want, topics)
		}
	}
}

func TestPageShowsAgreement(t *testing.T) {
	s := newStudy(2).chain("m", 0, "AAA")
	s.Agreement = []report.Agreement{
		{Dimension: "support", Scale: "ordinal", Ratings: 6, Items: 3, Pairable: 3, Readers: 2, Percent: ptr(.5), Alpha: ptr(.25), AC1: ptr(.4), Kappa: ptr(.2), KappaQuadratic: ptr(.3), Estimable: true, Interval: []float64{.1, .4}, Method: "percentile", Seed: 9, TwoWay: &report.TwoWay{Readers: 2, Clusters: 4, Mean: ptr(2.5), SE: ptr(.1), VarReader: ptr(0.), VarCase: ptr(.3), VarError: ptr(.02), ICC: ptr(.9)}},
		{Dimension: "radpeer", Scale: "nominal", Ratings: 2, LeftOut: 3, Reason: "no variation"},
		{Dimension: "cue_ack", Scale: "nominal", Reason: "two readers needed, found 0"},
		{Dimension: "support", Scale: "ordinal", Stage: "findings", K: 2, Ratings: 2, Alpha: ptr(-.5), Estimable: true, Reason: "no interval: at least 10 clusters needed, found 1"},
		{Dimension: "support", Scale: "ordinal", Reader: "R1", Ratings: 2, Alpha: ptr(1.), Estimable: true},
	}
	s.Overturns = []report.Overturn{{Dimension: "support", Items: 20, Overturned: 5, NoMajority: 2, Rate: ptr(.25), Interval: []float64{.12, .43}, Method: "percentile"}, {Dimension: "radpeer", Reader: "R1", Interval: []float64{}, Reason: "nothing was decided"}}
	d := s.make(t)
	if len(d.Agreement) != 5 {
		t.Fatalf("%+v", d.Agreement)
	}
	page, err := report.HTML(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"alpha 0.25 (ordinal)", "2 readers × 4 clusters: mean 2.50 (SE 0.10), ICC(2,1) 0.90", "0.10 – 0.40<", "not estimable: no variation", "3 answers left out", "S2 findings", "alpha −0.50", "R1: support", "no interval: at least 10", "0.12 – 0.43", "majority of the first reads", "nothing was decided"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(string(page), "cue_ack</td>") {
		t.Error("the page lists what nobody answered")
	}
}
