package dataset

import (
	"fmt"
	"slices"

	"plumbline/backend/review"
)

// mostProblems is how many problems of one file are listed; the rest is counted, so that a file full of noise stays readable.
const mostProblems = 1000

const moreProblems = " more problems in this file"

// trouble is a problem and the case it concerns ("" for none).
type trouble struct {
	Case   review.CaseID `json:"case,omitempty"`
	Linked bool          `json:"linked"` // found while cases were linked: about all of them
	review.Problem
}

// troubles collects problems.
type troubles struct {
	all     []trouble
	more    map[string]int // file -> problems in it
	linking bool
}

// add notes one problem.
func (t *troubles) add(id review.CaseID, p review.Problem) {
	if t.more == nil {
		t.more = map[string]int{}
	}
	t.more[p.File]++
	if t.more[p.File] <= mostProblems {
		t.all = append(t.all, trouble{id, t.linking, p})
	}
}

// addf notes one problem about a field of a line of a file.
func (t *troubles) addf(id review.CaseID, file string, line int, field, format string, args ...any) {
	t.add(id, review.Problem{File: file, Line: line, Field: field, Text: fmt.Sprintf(format, args...)})
}

// list gives everything noted, in the order of files as first met and of lines within a file; never null.
func (t *troubles) list() []trouble {
	order := map[string]int{}
	for _, p := range t.all {
		if _, known := order[p.File]; !known {
			order[p.File] = len(order)
		}
	}
	out := slices.Clone(t.all)
	slices.SortStableFunc(out, func(a, b trouble) int {
		if a.File != b.File {
			return order[a.File] - order[b.File]
		}
		return a.Line - b.Line
	})
	files := make([]string, len(order))
	for f, i := range order {
		files[i] = f
	}
	for _, file := range files {
		if n := t.more[file] - mostProblems; n > 0 {
			out = append(out, trouble{Problem: review.Problem{File: file, Text: fmt.Sprintf("and %d"+moreProblems, n)}})
		}
	}
	return out
}

// plain drops what case a problem belongs to.
func plain(list []trouble) []review.Problem {
	out := make([]review.Problem, len(list))
	for i, p := range list {
		out[i] = p.Problem
	}
	return out
}
