package report_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"plumbline/backend/report"
	"plumbline/backend/review"
)

// A recorded chain and a run of the same model are two entries, even under one condition; a filter leaves one part in.
func TestRunsStandApart(t *testing.T) {
	s := causalStudy(2).chain("m", 0, "AAA").chain("m", 1, "AAA")
	s.arm(t, "original", 0, "BBB", nil).arm(t, "original", 1, "BBB", nil)
	d := s.make(t)
	if len(d.Models) != 2 || d.Models[0].Run != "" || d.Models[1].Run != "r1" || d.Models[0].Key == d.Models[1].Key {
		t.Fatalf("models %+v", d.Models)
	}
	is(t, "recorded", d.Models[0].Accuracy.Chain, 1, 2)
	is(t, "run", d.Models[1].Accuracy.Chain, 0, 2)
	c := d.Comparisons[0]
	is(t, "difference", c.Number, 1, 6)
	if c.P != nil || c.McNemar != nil {
		t.Errorf("one cluster and several rows of a patient have a test: %+v", c)
	}
	s.Filter = report.Filter{Stages: []int{2}}
	d = s.make(t)
	is(t, "stage 1, filtered", d.Comparisons[0].Number, 1, 2)
	isNot(t, "stage 1", d.Models[0].Accuracy.Stages[0].Number)
	is(t, "whole chains are not filtered by question", d.Models[0].Accuracy.Chain, 1, 2)
	s.Filter = report.Filter{Models: []string{"nobody"}}
	if d = s.make(t); len(d.Models) != 0 {
		t.Errorf("models %+v", d.Models)
	}
}

// McNemar's exact test is given with one row per patient; Holm adjusts over the pairs of one measure.
func TestComparisonsOfPatients(t *testing.T) {
	s := causalStudy(24)
	for i := range 24 {
		s.Cases[i].Patient = review.PatientID(s.Cases[i].ID)
		s.Clusters[s.Cases[i].ID] = string(s.Cases[i].ID)
		s.chain("a", i, "AAA").chain("b", i, map[bool]string{true: "AAA", false: "BAA"}[i < 12]).chain("c", i, map[bool]string{true: "AAA", false: "BBB"}[i < 20])
	}
	for _, c := range s.make(t).Comparisons {
		if c.What != "chain accuracy" {
			continue
		}
		if c.McNemar == nil || c.P == nil || c.PHolm == nil || *c.PHolm < *c.P {
			t.Errorf("%s – %s: %+v", c.A, c.B, c)
		}
		if c.A == "a" && c.B == "b" && math.Abs(*c.McNemar-2*math.Pow(.5, 12)) > 1e-9 {
			t.Errorf("McNemar %v", *c.McNemar)
		}
	}
	list, err := report.Compare(s.Input, report.Pair{A: "a · original", B: "b · original"})
	if err != nil || len(list) < 5 || list[1].Value == nil || math.Abs(*list[1].Value-.5) > 1e-9 {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := report.Compare(s.Input, report.Pair{A: "a · original", B: "nobody"}); err == nil {
		t.Error("a model that is not there was compared")
	}
}

// A difference of shares is at most 1, and so is its interval, which few clusters make wide.
func TestIntervalsOfDifferencesStayWithinReach(t *testing.T) {
	s := causalStudy(11)
	for i := range 11 {
		s.Cases[i].Patient, s.Clusters[s.Cases[i].ID] = review.PatientID(s.Cases[i].ID), string(s.Cases[i].ID)
		s.chain("a", i, "AAA").chain("b", i, map[bool]string{true: "AAA", false: "BBB"}[i < 1])
	}
	for _, c := range s.make(t).Comparisons {
		if c.What == "chain accuracy" && (len(c.Interval) != 2 || c.Interval[1] != 1 || c.Interval[0] < .5) {
			t.Errorf("%+v", c)
		}
	}
}

// By held-out split each part has its own numbers.
func TestSplits(t *testing.T) {
	s := causalStudy(4).chain("m", 0, "AAA").chain("m", 1, "AAA").chain("m", 2, "ABA").chain("m", 3, "ABA")
	s.Splits = map[review.CaseID]string{"c00": "train", "c01": "train", "c02": "test", "c03": "test"}
	d := s.make(t)
	if len(d.Splits) != 2 || d.Splits[0].Name != "test" || d.Splits[1].Cases != 2 {
		t.Fatalf("%+v", d.Splits)
	}
	is(t, "test", d.Splits[0].Models[0].Accuracy.Chain, 0, 2)
	is(t, "train", d.Splits[1].Models[0].Accuracy.Chain, 1, 2)
	if d.Splits[0].Models[0].Accuracy.Chain.Definition != "2 chain accuracy" {
		t.Error("numbers of a split have no definition")
	}
}

// Facts say of each answer what the bars count, and add up to them.
func TestFactsAddUp(t *testing.T) {
	s := causalStudy(2)
	for condition, answers := range map[string]string{"original": "ABB", "noop": "ABB", "occ+given:orig": "BBB", "ctl+given:orig": "ABB", "gold": "AAA"} {
		s.arm(t, condition, 0, answers, nil).arm(t, condition, 1, answers, nil)
	}
	m := only(t, s)
	facts, err := report.Behind(s.Input, m.Key)
	if err != nil || len(facts) != 6 {
		t.Fatal(facts, err)
	}
	got := map[string]int{}
	for _, f := range facts {
		got[f.Origin]++
		if f.FirstError != (f.Question == "q2") || (f.Grounded == "grounded") != (f.Question == "q1") {
			t.Errorf("%+v", f)
		}
	}
	for _, c := range m.Origin.Counts {
		if got[c.Label] != c.N {
			t.Errorf("%s: %d facts, %d counted", c.Label, got[c.Label], c.N)
		}
	}
	if _, err := report.Behind(s.Input, "nobody"); err == nil {
		t.Error("facts of nobody")
	}
}

// Bad input: whatever is missing, each number says why it is none; there is no NaN, no null list and no crash, in JSON and on the page.
func TestWhateverIsMissing(t *testing.T) {
	full := func() *study {
		s := causalStudy(3)
		for _, c := range append(review.StandardConditions(), "word:1", "mirror", "context:age=30", "early:1", "expert", "box-wrong", "suggest-wrong+mitigate:plain") {
			for i := range 3 {
				s.arm(t, c, i, []string{"AAA", "ABC", "-?!"}[i], map[review.QuestionID]string{"q1": "B", "q3": "B"})
			}
		}
		s.read("R1", "m", 0, []review.Support{review.Supported, review.Partly, review.Contradicted}, true)
		return s
	}
	for name, change := range map[string]func(*study){
		"everything": func(*study) {},
		"no gold":    func(s *study) { s.Truth = nil },
		"no evidence": func(s *study) {
			for i := range s.Truth {
				s.Truth[i].Evidence = nil
			}
		},
		"nothing present": func(s *study) {
			for i := range s.Truth {
				s.Truth[i].Present = nil
			}
		},
		"no chains":  func(s *study) { s.Chains = nil },
		"no origins": func(s *study) { s.Origins = nil },
		"no cases":   func(s *study) { s.Cases = nil },
		"no questions": func(s *study) {
			for i := range s.Cases {
				s.Cases[i].Questions = nil
			}
		},
		"no readings": func(s *study) { s.Events = nil },
		"no patients": func(s *study) {
			for i := range s.Cases {
				s.Cases[i].Patient = ""
			}
		},
		"no original":       func(s *study) { s.Chains, s.Origins = s.Chains[3:], s.Origins[3:] },
		"only the original": func(s *study) { s.Chains, s.Origins = s.Chains[:3], s.Origins[:3] },
		"no targets": func(s *study) {
			for i := range s.Origins {
				s.Origins[i].Targets = nil
			}
		},
		"one class": func(s *study) {
			for i := range s.Chains {
				s.Chains[i].Answers = s.Chains[0].Answers
			}
		},
		"no answers": func(s *study) {
			for i := range s.Chains {
				s.Chains[i].Answers = nil
			}
		},
		"one option": func(s *study) {
			for i := range s.Cases {
				s.Cases[i].Questions[0].Options = s.Cases[i].Questions[0].Options[:1]
			}
		},
		"gold is no option": func(s *study) {
			for i := range s.Truth {
				s.Truth[i].Gold = ptr("Z")
			}
		},
		"parents not there": func(s *study) { s.Cases[0].Questions[1].Parents = []review.QuestionID{"q9"} },
		"one case":          func(s *study) { s.Cases = s.Cases[:1] },
		"empty evidence box": func(s *study) {
			for i := range s.Truth {
				s.Truth[i].Evidence[0].Coords = []float64{0, 0, 0, 0}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := full()
			change(s)
			d := s.make(t)
			noNull(t, d)
			everyNumber(t, d)
			if _, err := report.HTML(d); err != nil {
				t.Error(err)
			}
			for _, m := range d.Models {
				if _, err := report.Behind(s.Input, m.Key); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// everyNumber fails on a number without a definition, and on one that has neither a value nor a reason.
func everyNumber(t *testing.T, d report.Document) {
	t.Helper()
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	known := report.Definitions()
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if _, is := v["clusters"].(float64); is && v["definition"] != nil {
				def, _ := v["definition"].(string)
				reason, _ := v["reason"].(string)
				if !slices.Contains(known, def) {
					t.Errorf("%s has the definition %q", at, def)
				}
				if v["value"] == nil && reason == "" || (v["value"] != nil) != (v["estimable"] == true) {
					t.Errorf("%s: %v", at, v)
				}
			}
			for k, x := range v {
				walk(at+"."+k, x)
			}
		case []any:
			for _, x := range v {
				walk(at, x)
			}
		}
	}
	walk("", v)
}
