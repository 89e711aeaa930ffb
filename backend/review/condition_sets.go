package review

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A ConditionSet is a name that stands for several conditions.
type ConditionSet struct {
	Name       string   `json:"name"`
	Does       string   `json:"does"`
	Conditions []string `json:"conditions"`
}

// ConditionSets lists the names that stand for several conditions.
func ConditionSets() []ConditionSet {
	pressed := append([]string{"original"}, pressures()...)
	return []ConditionSet{
		{"standard", "what the report needs", StandardConditions()},
		{"2x2", "the four cells of mediation; 2x2/remove … names the fill", cells("")},
		{"necessity", "is the evidence needed: taken away, beside a control place", []string{"original", "noop", "none", "occ+given:orig", "ctl+given:orig", "occ", "ctl"}},
		{"sufficiency", "is the evidence enough: all else taken away", []string{"original", "noop", "only+given:orig", "onlyctl+given:orig", "only", "onlyctl"}},
		{"errors", "where errors come from: right and wrong earlier answers", []string{"original", "noop", "gold", "corrupt-side", "corrupt-organ", "corrupt-negate", "corrupt-grade"}},
		{"pressure", "the seven pressures", pressed},
		{"drawn", "cues drawn into the pixels", []string{"original", "noop", "box-right", "box-wrong", "arrow-right", "arrow-wrong", "heatmap-right", "heatmap-wrong", "highlight"}},
		{"guess", "how far hints alone carry", []string{"original", "none", "suggest-right", "suggest-wrong", "none+suggest-right", "history-wrong", "leak"}},
		{"wording", "the same question in other words", []string{"original", "noop", "none", "word:1", "word:2", "sentence:1", "sentence:2"}},
		{"reasoning", "is the reasoning used: cut, altered and replaced", []string{"original", "noop", "early:1", "early:2", "early:3", "mistake:1", "mistake:2", "filler"}},
	}
}

// cells are the four runs of the 2×2 (measurement.md, "Mediation"), with the two whose answers they are told.
func cells(fill string) []string {
	occ := "occ" + fill
	return []string{"original", occ, "given:orig", occ + "+given:" + occ, occ + "+given:orig", "given:" + occ}
}

// ExpandConditions puts conditions in place of the names of sets; no name stands twice. It fails for what is neither.
func ExpandConditions(names []string) ([]string, error) {
	out := []string{}
	add := func(c string) {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	for _, n := range names {
		n = strings.TrimSpace(n)
		name, fill, filled := strings.Cut(n, "/")
		at := slices.IndexFunc(ConditionSets(), func(s ConditionSet) bool { return s.Name == n || s.Name == name && name == "2x2" })
		switch {
		case at < 0:
			if _, err := ParseCondition(n); err != nil {
				return nil, err
			}
			add(n)
		case filled && !slices.Contains(Fills(), fill):
			return nil, fmt.Errorf("%q: a fill (%s) follows 2x2/", n, strings.Join(Fills(), ", "))
		case filled:
			for _, c := range cells("/" + fill) {
				add(c)
			}
		default:
			for _, c := range ConditionSets()[at].Conditions {
				add(c)
			}
		}
	}
	return out, nil
}

// ParseSlices reads which frames of an image are sent. Its result lists them of n frames, in order; empty where there are none.
func ParseSlices(text string) (func(n int) []int, error) {
	head, tail, _ := strings.Cut(text, "-")
	k, err := strconv.Atoi(tail)
	switch {
	case head == "every" || head == "middle":
		if err != nil || k < 1 {
			return nil, fmt.Errorf("%s- takes a number from 1", head)
		}
		if head == "every" {
			return func(n int) (out []int) {
				for i := 0; i < n; i += k {
					out = append(out, i)
				}
				return out
			}, nil
		}
		return func(n int) []int { return span((n-k)/2, (n-k)/2+k-1, n) }, nil
	}
	from, wrong := strconv.Atoi(head)
	switch {
	case wrong != nil || err != nil && strings.Contains(text, "-"):
		return nil, fmt.Errorf("the frames are written 4-9, every-3 or middle-5")
	case tail == "":
		k = from
	}
	if from < 0 || k < from {
		return nil, fmt.Errorf("frames go from the first to the last, counted from 0")
	}
	return func(n int) []int { return span(from, k, n) }, nil
}

// span lists from to to, as far as they are among n.
func span(from, to, n int) (out []int) {
	for i := max(0, from); i <= min(to, n-1); i++ {
		out = append(out, i)
	}
	return out
}

// ParseWindow reads a window as width/level in modality units.
func ParseWindow(text string) (Window, error) {
	w, l, _ := strings.Cut(text, "/")
	width, err := strconv.ParseFloat(w, 64)
	level, wrong := strconv.ParseFloat(l, 64)
	if err != nil || wrong != nil || !(width >= 1) || math.IsInf(width, 0) || math.IsNaN(level) || math.IsInf(level, 0) {
		return Window{}, fmt.Errorf("a window is written width/level in modality units, the width from 1")
	}
	return Window{Center: level, Width: width, Explanation: text}, nil
}
