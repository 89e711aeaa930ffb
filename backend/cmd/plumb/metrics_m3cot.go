package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"plumbline/backend/stats"
)

// m3CoT is what M3CoTBench's numbers are computed from: labels of steps, and who gave them.
type m3CoT struct {
	LabelsFrom string       `json:"labels_from"` // human or model
	Items      []m3CoTItem  `json:"items"`
	Accuracy   *m3CoTBeside `json:"accuracy"`
	Seconds    *m3CoTBeside `json:"seconds"`
}

type m3CoTItem struct {
	Kind  string           `json:"analysis_type"`
	Gold  []string         `json:"gold_steps"` // of each, its judgment
	Steps []m3CoTStep      `json:"steps"`
	Order []map[string]int `json:"order"` // of each judge: when each element comes, 0 for never
}

type m3CoTStep struct {
	Kind     string `json:"step_type"`
	Judgment string `json:"judgment"`
}

// m3CoTBeside is a number with reasoning and one without.
type m3CoTBeside struct {
	CoT    float64 `json:"cot"`
	Direct float64 `json:"direct"`
}

// m3CoTClaims are parts of the names of kinds of steps that count for precision.
var m3CoTClaims = []string{"modality", "examination", "image feature description", "key conclusion", "additional analysis"}

func m3CoTMetrics(b, _ []byte) (any, error) {
	in, err := strict[m3CoT](b)
	if err != nil {
		return nil, err
	}
	if in.LabelsFrom != "human" && in.LabelsFrom != "model" {
		return nil, fmt.Errorf("labels_from: human or model expected, found %.20q", in.LabelsFrom)
	}
	counts, recalled := []stats.StepLabels{}, 0
	for _, x := range in.Items {
		c := stats.StepLabels{Gold: len(x.Gold)}
		for _, j := range x.Gold {
			c.Recalled += one(strings.EqualFold(j, "Matched"))
		}
		for _, s := range x.Steps {
			if claims(s.Kind) {
				c.Said++
				c.Matching += one(strings.EqualFold(s.Judgment, "Match"))
			}
		}
		counts, recalled = append(counts, c), recalled+c.Recalled
	}
	p, r, f1 := stats.StepMatch(counts)
	path, err := m3CoTPaths(in.Items)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"labels_from": in.LabelsFrom, "precision": p, "recall": r, "f1": f1, "path_consistency": path}
	if a := in.Accuracy; a != nil {
		out["impact"] = estimate(a.CoT - a.Direct)
	}
	if s := in.Seconds; s != nil {
		if s.CoT < 0 || s.Direct < 0 {
			return nil, errors.New("seconds: 0 or more expected")
		}
		out["efficiency"], out["latency"] = stats.Ratio(float64(recalled), s.CoT), stats.Ratio(s.CoT, s.Direct)
	}
	return out, nil
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// claims says whether a step of a kind claims something; a restatement of the question does not.
func claims(kind string) bool {
	kind = strings.ToLower(kind)
	return slices.ContainsFunc(m3CoTClaims, func(c string) bool { return strings.Contains(kind, c) })
}

// m3CoTPaths is the consistency of paths, averaged over the judges.
func m3CoTPaths(items []m3CoTItem) (stats.Estimate, error) {
	judges := 0
	for _, x := range items {
		judges = max(judges, len(x.Order))
	}
	if judges == 0 {
		return stats.PathConsistency(nil), nil
	}
	sum := 0.0
	for j := range judges {
		kinds, at := [][][]string{}, map[string]int{}
		for i, x := range items {
			if j >= len(x.Order) {
				continue
			}
			path := []string{}
			for name, when := range x.Order[j] {
				if when < 0 {
					return stats.Estimate{}, fmt.Errorf("item %d: %.20s comes at %d; 0 for never, or from 1 on expected", i+1, name, when)
				}
				if when > 0 {
					path = append(path, name)
				}
			}
			if len(path) > longestPath {
				return stats.Estimate{}, fmt.Errorf("item %d: at most %d elements expected", i+1, longestPath)
			}
			slices.SortFunc(path, func(a, b string) int {
				return cmp.Or(x.Order[j][a]-x.Order[j][b], strings.Compare(a, b))
			})
			k, met := at[x.Kind]
			if !met {
				k, at[x.Kind] = len(kinds), len(kinds)
				kinds = append(kinds, nil)
			}
			kinds[k] = append(kinds[k], path)
		}
		sum += stats.PathConsistency(kinds).Value
	}
	return stats.Ratio(sum, float64(judges)), nil
}

// gemexMetrics is GEMeX's reward of grounding of cited boxes beside those of the reference.
func gemexMetrics(b, _ []byte) (any, error) {
	in, err := strict[struct {
		Cited     [][]*float64 `json:"cited"`
		Reference [][]*float64 `json:"reference"`
	}](b)
	if err != nil {
		return nil, err
	}
	var sides [2][]stats.Rectangle
	for k, list := range [][][]*float64{in.Cited, in.Reference} {
		if len(list) > 64 {
			return nil, errors.New("at most 64 boxes a side expected")
		}
		for i, box := range list {
			n, err := numbers(box, fmt.Sprintf("box %d, number", i+1))
			if err != nil {
				return nil, err
			}
			if len(n) != 4 {
				return nil, fmt.Errorf("box %d: four numbers expected, found %d", i+1, len(n))
			}
			sides[k] = append(sides[k], stats.Rectangle(n))
		}
	}
	return map[string]stats.Estimate{"grounding": stats.BoxReward(sides[0], sides[1])}, nil
}
