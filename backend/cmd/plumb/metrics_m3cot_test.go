package main

import (
	"math"
	"strings"
	"testing"
)

// F4, F10 by hand. Recall (1/2 + 1)/2, precision (1/2 + 1)/2 (the restatement does not count); impact .6 − .5; three matched gold steps in 6 s; 6 s
// over 2 s. The first judge has two kinds, of which one holds two paths that differ: mode m-c (met first), (1 + 2/3)/2, and 1; the second judge 1.
func TestMetricsOfOthers(t *testing.T) {
	got := measured(t, `{"m3cot": {"labels_from": "human", "accuracy": {"cot": 0.6, "direct": 0.5}, "seconds": {"cot": 6, "direct": 2}, "items": [
	 {"analysis_type": "Diagnosis", "gold_steps": ["Matched", "Unmatched"], "order": [{"modality": 1, "observation": 0, "conclusion": 2}],
	  "steps": [{"step_type": "Restatement of the question", "judgment": "Match"}, {"step_type": "key conclusions", "judgment": "Match"}, {"step_type": "modality or examination types", "judgment": "No"}]},
	 {"analysis_type": "Diagnosis", "gold_steps": ["Matched"], "order": [{"modality": 1, "observation": 2, "conclusion": 3}], "steps": [{"step_type": "image feature description", "judgment": "Match"}]},
	 {"analysis_type": "Counting", "gold_steps": ["Matched"], "order": [{"observation": 1}, {"observation": 1}], "steps": []}]},
	 "gemex": {"cited": [[0,0,10,10]], "reference": [[0,0,10,9]]}}`)
	for path, want := range map[string]float64{
		"m3cot.recall": (.5 + 1 + 1) / 3, "m3cot.precision": .75, "m3cot.impact": .1, "m3cot.efficiency": .5, "m3cot.latency": 3,
		"m3cot.path_consistency": ((5./6+1)/2 + 1) / 2, "m3cot.f1": 2 * .75 * (2.5 / 3) / (.75 + 2.5/3), "gemex.grounding": 1,
	} {
		if v, _ := number(t, got, path).(float64); math.Abs(v-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", path, v, want)
		}
	}
	if number(t, got, "m3cot.labels_from") != "human" {
		t.Errorf("%v", got)
	}
	for in, want := range map[string]string{
		`{"m3cot":{"items":[]}}`: "labels_from: human or model expected", `{"m3cot":{"labels_from":"model","items":[{"order":[{"a":-1}]}]}}`: "0 for never",
		`{"gemex":{"cited":[[1,2,3]],"reference":[]}}`: "four numbers expected",
	} {
		if _, words := said5(t, "metrics", numbersFile(t, in)); !strings.Contains(words, want) {
			t.Errorf("%s: %s", in, words)
		}
	}
}
