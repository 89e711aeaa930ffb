package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"plumbline/backend/stats"
)

// A label is a level as it stands in a file: a number, a word, or null for missing.
type label struct {
	given, number bool
	value         float64
	word          string
}

// UnmarshalJSON takes null, a number or a string.
func (l *label) UnmarshalJSON(b []byte) error {
	*l = label{given: true}
	switch {
	case bytes.Equal(b, []byte("null")):
		l.given = false
	case bytes.HasPrefix(b, []byte(`"`)):
		return json.Unmarshal(b, &l.word)
	default:
		l.number = true
		if json.Unmarshal(b, &l.value) != nil {
			return fmt.Errorf("a number, a word or null expected, found %.20s", b)
		}
	}
	return nil
}

func (l label) String() string {
	if l.number {
		return fmt.Sprint(l.value)
	}
	return fmt.Sprintf("%q", l.word)
}

// ratingMetrics computes agreement of readers × items.
func ratingMetrics(b, with []byte) (any, error) {
	rows, err := strict[[][]label](b)
	if err != nil {
		return nil, err
	}
	if err := rectangular(rows, "reader", "items"); err != nil {
		return nil, err
	}
	levels, err := levelsOf(rows, with)
	if err != nil {
		return nil, err
	}
	r := stats.Ratings{Levels: len(levels)}
	if !slices.ContainsFunc(levels, func(l label) bool { return !l.number }) {
		for _, l := range levels {
			r.Values = append(r.Values, l.value)
		}
	}
	for i, row := range rows {
		by := make([]stats.Level, len(row))
		for j, l := range row {
			if !l.given {
				continue
			}
			if by[j] = stats.Level(slices.Index(levels, l) + 1); by[j] == 0 {
				return nil, fmt.Errorf("reader %d, item %d: %v is none of the levels", i+1, j+1, l)
			}
		}
		r.By = append(r.By, by)
	}
	type estimates = map[string]stats.Estimate
	return map[string]any{
		"percent": stats.Percent(r),
		"cohen":   estimates{"unweighted": stats.Cohen(r, stats.Unweighted), "linear": stats.Cohen(r, stats.Linear), "quadratic": stats.Cohen(r, stats.Quadratic)},
		"fleiss":  stats.Fleiss(r),
		"alpha":   estimates{"nominal": stats.Alpha(r, stats.Nominal), "ordinal": stats.Alpha(r, stats.Ordinal), "interval": stats.Alpha(r, stats.IntervalScale)},
		"ac1":     stats.AC1(r),
	}, nil
}

// mostLevels keeps tables of levels × levels small.
const mostLevels = 1000

// levelsOf gives the levels in order: as they are listed; counted, from 0 or (where the number itself was given) from 1; or those used.
func levelsOf(rows [][]label, with []byte) ([]label, error) {
	levels := []label{}
	var count *int
	isCount := len(with) > 0 && json.Unmarshal(with, &count) == nil && count != nil
	used := []label{}
	seen := map[label]bool{}
	for _, row := range rows {
		for _, l := range row {
			if l.given && !seen[l] {
				seen[l] = true
				used = append(used, l)
			}
		}
	}
	switch {
	case isCount:
		if *count < 1 || *count > mostLevels {
			return nil, fmt.Errorf("levels: 1 to %d expected, found %d", mostLevels, *count)
		}
		first := 0
		if seen[label{given: true, number: true, value: float64(*count)}] {
			first = 1
		}
		for i := range *count {
			levels = append(levels, label{given: true, number: true, value: float64(first + i)})
		}
	case len(with) > 0:
		list, err := strict[[]label](with)
		if err != nil {
			return nil, fmt.Errorf("levels: a list of all levels in order, or their number, expected: %v", err)
		}
		for i, l := range list {
			if !l.given || slices.Contains(list[:i], l) {
				return nil, fmt.Errorf("levels: null, or %v twice", l)
			}
		}
		levels = list
	default:
		levels = used
		slices.SortFunc(levels, func(a, b label) int { return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.word, b.word)) })
	}
	if len(levels) > mostLevels {
		return nil, fmt.Errorf("at most %d levels expected, found %d", mostLevels, len(levels))
	}
	return levels, nil
}
