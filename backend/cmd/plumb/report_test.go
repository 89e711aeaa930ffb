package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/report"
	"plumbline/backend/review"
)

// A poorStudy is a data set on disk that may lack what a report needs: cases of two stages with a question each, asked of a model under conditions.
type poorStudy struct {
	cases    int
	patients int                 // 0: one for each case
	gold     func(i int) *string // of both questions
	evidence bool
	arms     []string
	answer   func(i int, arm string) review.Answer
	readers  int
}

// sureOf is an answer with the probabilities of its options.
func sureOf(a string) review.Answer {
	return review.Answer{Answer: &a, Parse: review.ParseOK, Probs: map[string]float64{a: .8, "B": .1}}
}

// richStudy lacks nothing.
func richStudy() *poorStudy {
	a, b := "A", "B"
	return &poorStudy{
		cases: 12, evidence: true,
		gold: func(i int) *string {
			if i%2 == 0 {
				return &a
			}
			return &b
		},
		arms: []string{"original", "noop", "none", "occ+given:orig", "ctl+given:orig", "gold", "suggest-wrong", "none+suggest-right", "word:1",
			"swap", "mirror", "expert", "context:age=30", "early:1", "filler", "corrupt-side"},
		answer: func(i int, arm string) review.Answer {
			return sureOf([]string{"A", "B", "A"}[(i+len(arm))%3])
		},
	}
}

// written puts the study into a folder.
func (s *poorStudy) written(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]*bytes.Buffer{"cases.jsonl": {}, "truth.jsonl": {}, "chains/a.jsonl": {}, "chains/manifest.jsonl": {}}
	add := func(name string, record any) {
		b, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		files[name].Write(append(b, '\n'))
	}
	options := []review.Option{{Letter: "A", Text: "left"}, {Letter: "B", Text: "right"}, {Letter: "C", Text: "none"}}
	yes := true
	for i := range s.cases {
		id, patient := review.CaseID(fmt.Sprintf("c%02d", i)), i
		if s.patients > 0 {
			patient = i % s.patients
		}
		write(t, dir, fmt.Sprintf("%d.png", i), checked(t, 3+2*i))
		c := review.Case{Schema: review.CaseSchema, ID: id, Patient: review.PatientID(fmt.Sprint("p", patient)), Language: "en", FramesShown: []int{},
			Images: []review.Image{{ID: "xr", Path: fmt.Sprintf("%d.png", i), Kind: review.SingleImage, Modality: "DX"}}}
		for k, q := range []review.QuestionID{"q1", "q2"} {
			c.Questions = append(c.Questions, review.Question{ID: q, K: k + 1, Text: "Where?", Options: options, Parents: []review.QuestionID{}})
			v := review.Truth{Schema: review.TruthSchema, Case: id, Question: q, Gold: s.gold(i), Present: &yes, Implies: []review.Implication{}, Evidence: []review.Region{}}
			if s.evidence {
				v.Evidence = append(v.Evidence, review.Region{ID: "e", Image: "xr", Shape: review.Box, Coords: []float64{.1, .1, .3, .3}})
			}
			if v.Gold != nil || s.evidence {
				add("truth.jsonl", v)
			}
		}
		add("cases.jsonl", c)
		for _, arm := range s.arms {
			condition, err := review.ParseCondition(arm)
			if err != nil {
				t.Fatal(err)
			}
			chain := review.Chain{Schema: review.ChainSchema, ID: review.ChainID(string(id) + "/" + arm), Case: id, ImageDigests: []review.Digest{}}
			for k, q := range c.Questions {
				text := "It is seen."
				answer := s.answer(i+k, arm)
				answer.Question = q.ID
				for j := range 2 {
					answer.Steps = append(answer.Steps, review.Step{ID: review.StepID(fmt.Sprint("s", 2*k+j+1)), Text: &text, Regions: []review.Region{}})
				}
				chain.Answers = append(chain.Answers, answer)
			}
			add("chains/a.jsonl", chain)
			targets := map[review.QuestionID]string{"q1": "B", "q2": "B"}
			add("chains/manifest.jsonl", review.Origin{Schema: review.OriginSchema, Chain: chain.ID, Model: review.ModelInfo{Name: "m"}, Condition: condition, Targets: targets})
		}
	}
	write(t, dir, "dataset.json", `{"schema":"plumbline/dataset/1","name":"Poor","cluster_key":"patient","stage_pack":{"stages":[{"k":1,"name":"S1 Findings"},{"k":2,"name":"S2 Impression"}]}}`)
	for name, b := range files {
		write(t, dir, name, b.String())
	}
	return dir
}

// read has readers sign every case of a workspace.
func (s *poorStudy) read(t *testing.T, workspace string) {
	t.Helper()
	for r := range s.readers {
		for i := range s.cases {
			id := review.CaseID(fmt.Sprintf("c%02d", i))
			f := review.ReadingFile{Schema: review.ReadingSchema, Assignment: review.AssignmentID(id), Sign: true, Steps: map[string]review.Rating{}, Chains: map[review.ChainID]review.ChainRating{},
				Look: []review.Look{{Question: "q1", Answer: "A", Confidence: 2}, {Question: "q2", Answer: "B", Confidence: 2}}}
			for _, arm := range s.arms {
				chain := string(id) + "/" + arm
				for k := range 4 {
					f.Steps[chain+fmt.Sprint("/s", k+1)] = []review.Rating{
						{Support: review.Supported, Evidence: []review.Region{{Image: "xr", Shape: review.Point, Coords: []float64{.4, .4}}}, Confidence: 3},
						{Support: review.NotVisual, Confidence: 2},
					}[(i+k+r)%2]
					if (i+k)%3 == 0 {
						bad := review.Rating{Support: review.Unsupported, Error: []string{"false_finding"}, Significance: "a", Confidence: 2}
						if k > 0 {
							bad.BuildsOnError = "no"
						}
						f.Steps[chain+fmt.Sprint("/s", k+1)] = bad
					}
				}
				whole := desktest.FullChain()
				whole.FirstBadStep = "none"
				f.Chains[review.ChainID(chain)] = whole
			}
			plumb(t, 0, "rate", "--reader", fmt.Sprint("R", r+1), "--file", readingFile(t, f), "--workspace", workspace)
		}
	}
}

// Whatever a study lacks, the report is written, keeps to its schema, and each number that is none says why.
func TestReportOfPoorStudies(t *testing.T) {
	t.Setenv("PLUMBLINE_HOME", t.TempDir())
	for _, c := range []struct {
		name   string
		poorer func(s *poorStudy)
		exit   int      // of import
		none   []string // numbers of every model that are not estimable, below models, with a part of the reason
		some   []string // numbers of every model that are
	}{
		{"nothing lacks", func(s *poorStudy) { s.cases, s.readers = 5, 2 }, 0, nil, []string{"accuracy.chain", "grounding_human.strict", "image_reliance.net_necessity", "image_reliance.swap_follow",
			"image_reliance.mirror_follow", "grounding_causal.rwr_causal", "calibration.auroc", "calibration.gain", "origin.gold_gain", "origin.corrupt_follow", "cues.guess", "cues.rows.0.follow",
			"consistency.dangerous", "consistency.levels.0.all_same", "text.early.0", "text.aoc", "text.flips.0", "context.rows.0.sensitivity"}},
		{"no case", func(s *poorStudy) { s.cases = 0 }, fault.NotFound.Exit(), nil, nil},
		{"no chain", func(s *poorStudy) { s.arms = nil }, 0, nil, nil},
		{"nobody reads", func(*poorStudy) {}, 0, []string{"grounding_human.strict: no signed rating", "grounding_human.rwr_human: "}, []string{"accuracy.chain"}},
		{"one reader", func(s *poorStudy) { s.cases, s.readers = 3, 1 }, 0, nil, []string{"grounding_human.strict"}},
		{"one class", func(s *poorStudy) {
			a := "A"
			s.gold = func(int) *string { return &a }
			s.answer = func(int, string) review.Answer { return sureOf("A") }
		}, 0, []string{"calibration.auroc: ", "origin.recovery: "}, []string{"accuracy.chain", "image_reliance.net_necessity"}},
		{"no gold", func(s *poorStudy) { s.cases, s.readers, s.gold = 3, 1, func(int) *string { return nil } }, 0, []string{"accuracy.chain: no chain whose questions were all asked and all have a known right answer", "accuracy.lift: ", "origin.gold_gain: ", "calibration.brier: "}, []string{"grounding_human.strict"}},
		{"no evidence", func(s *poorStudy) { s.evidence = false }, 0, []string{"image_reliance.net_necessity: ", "grounding_causal.share: "}, []string{"accuracy.chain"}},
		{"only the original", func(s *poorStudy) { s.arms = s.arms[:1] }, 0, []string{"image_reliance.net_necessity: missing run", "origin.gold_gain: missing run: gold", "mediation.te: missing run", "cues.guess: missing run", "consistency.dangerous: "}, []string{"accuracy.chain"}},
		{"no original", func(s *poorStudy) { s.arms = s.arms[1:2] }, 0, []string{"image_reliance.net_necessity: missing run"}, []string{"accuracy.chain"}},
		{"one cluster", func(s *poorStudy) { s.patients = 1 }, 0, nil, []string{"accuracy.chain"}},
		{"one case", func(s *poorStudy) { s.cases = 1 }, 0, nil, []string{"accuracy.chain"}},
		{"all abstain", func(s *poorStudy) {
			s.answer = func(int, string) review.Answer { return review.Answer{Parse: review.Abstained} }
		}, 0, []string{"calibration.brier: ", "accuracy.final_right_wrong_chain: no chain with a right final answer"}, []string{"accuracy.chain"}},
		{"nothing readable", func(s *poorStudy) {
			s.answer = func(int, string) review.Answer { return review.Answer{Parse: review.Unparsed, Raw: "raw/x"} }
		}, 0, []string{"calibration.brier: "}, []string{"accuracy.chain"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := richStudy()
			c.poorer(s)
			workspace, out := filepath.Join(t.TempDir(), "w"), t.TempDir()
			plumb(t, c.exit, "import", "--quiet", "--workspace", workspace, s.written(t))
			if c.exit != 0 {
				return
			}
			s.read(t, workspace)
			plumb(t, 0, "report", "--quiet", "--workspace", workspace, "--out", out)
			doc := holds(t, out)
			for _, m := range doc["models"].([]any) {
				for _, want := range c.none {
					path, reason, _ := strings.Cut(want, ": ")
					n := numberAt(t, m, path)
					if why, _ := n["reason"].(string); n["value"] != nil || n["estimable"] == true || why == "" || !strings.Contains(why, reason) {
						t.Errorf("%s: %v, want not estimable: %s", path, n, reason)
					}
				}
				for _, path := range c.some {
					if n := numberAt(t, m, path); n["value"] == nil {
						t.Errorf("%s: %v", path, n)
					}
				}
			}
			if s.readers > 1 {
				human := numberAt(t, doc["models"].([]any)[0], "grounding_causal.human")
				if n := fmt.Sprint(human["n"]); n == "[[0 0] [0 0]]" || human["kappa"] == nil {
					t.Errorf("intervention × readers: %v", human)
				}
			}
			if (len(c.none)+len(c.some) > 0) != (len(doc["models"].([]any)) > 0) {
				t.Errorf("%d models", len(doc["models"].([]any)))
			}
			if s.patients == 1 || s.cases == 1 {
				noInterval(t, "report", doc)
			}
		})
	}
}

// holds checks what holds for every report: its schema, a reason wherever a number is none, and no NaN on the page.
func holds(t *testing.T, dir string) map[string]any {
	t.Helper()
	compiler := validator.NewCompiler()
	schema, err := validator.UnmarshalJSON(bytes.NewReader(report.JSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource("report.json", schema); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := validator.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.MustCompile("report.json").Validate(v); err != nil {
		t.Errorf("report.json: %v", err)
	}
	doc := decoded[map[string]any](t, string(b))
	reasoned(t, "report", doc)
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"NaN", "Inf", "&lt;nil&gt;", "%!", "not estimable: <", "not estimable: \""} {
		if bytes.Contains(page, []byte(bad)) {
			t.Errorf("the page holds %q", bad)
		}
	}
	return doc
}

// each calls a function with every number of a document.
func each(at string, v any, number func(at string, n map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		if _, is := v["estimable"]; is && v["definition"] != nil {
			number(at, v)
		}
		for k, x := range v {
			each(at+"."+k, x, number)
		}
	case []any:
		for i, x := range v {
			each(fmt.Sprintf("%s[%d]", at, i), x, number)
		}
	}
}

// reasoned fails on a number that is none, or has no interval, without a reason.
func reasoned(t *testing.T, from string, doc any) {
	t.Helper()
	count := 0
	each(from, doc, func(at string, n map[string]any) {
		count++
		none := n["value"] == nil || n["interval"] == nil
		if why, _ := n["reason"].(string); none && strings.TrimSpace(why) == "" || (n["value"] == nil) == (n["estimable"] == true) {
			t.Errorf("%s: %v", at, n)
		}
	})
	if models, _ := doc.(map[string]any)["models"].([]any); len(models) > 0 && count < 50 {
		t.Errorf("%d numbers", count)
	}
}

// noInterval fails on an interval of few clusters.
func noInterval(t *testing.T, from string, doc any) {
	t.Helper()
	each(from, doc, func(at string, n map[string]any) {
		if n["interval"] != nil {
			t.Errorf("%s has an interval: %v", at, n)
		}
	})
}

// numberAt gives the number at a path.
func numberAt(t *testing.T, of any, path string) map[string]any {
	t.Helper()
	for _, name := range strings.Split(path, ".") {
		if list, is := of.([]any); is {
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(list) {
				t.Fatalf("%s: no %s among %d", path, name, len(list))
			}
			of = list[i]
			continue
		}
		in, is := of.(map[string]any)
		if !is || in[name] == nil {
			t.Fatalf("%s: no %s among %v", path, name, keysIn(of))
		}
		of = in[name]
	}
	n, is := of.(map[string]any)
	if !is {
		t.Fatalf("%s is %v", path, of)
	}
	return n
}

func keysIn(v any) (out []string) {
	m, _ := v.(map[string]any)
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
