package formats

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"plumbline/backend/review"
)

// MRMC is a study of scores by several readers of several cases, as an iMRMC file holds it.
type MRMC struct {
	Title  string
	Truth  []CaseTruth
	Scores []Score
}

// CaseTruth says whether a case is abnormal.
type CaseTruth struct {
	Case     string
	Abnormal bool
}

// Score is what a reader gave a case in a modality.
type Score struct {
	Reader, Case, Modality string
	Score                  float64
	Line                   int
}

const beginData = "BEGIN DATA:"

func isIMRMC(text string) bool { return strings.Contains(text, beginData) }

// ReadIMRMC reads an iMRMC text file: free lines, "BEGIN DATA:", then "truth,case,truth,0 or 1" and "reader,case,modality,score". A second score
// of one reader for one case in one modality is left out and named, and so is what has no truth.
func ReadIMRMC(name, text string) (MRMC, []review.Problem) {
	var m MRMC
	problems := []review.Problem{}
	note := func(line int, format string, args ...any) {
		problems = append(problems, review.Problem{File: name, Line: line, Text: fmt.Sprintf(format, args...)})
	}
	head, data, ok := strings.Cut(text, beginData)
	if !ok {
		note(0, "no line %q", beginData)
		return m, problems
	}
	m.Title, _, _ = strings.Cut(strings.TrimSpace(head), "\n")
	m.Title = strings.TrimSpace(m.Title)
	line := strings.Count(head, "\n") + 1
	truth, seen := map[string]bool{}, map[[3]string]int{}
	var scores []Score
	for _, l := range strings.Split(data, "\n") {
		at := line
		line++
		cells := strings.Split(strings.TrimSpace(l), ",")
		if len(cells) == 1 && cells[0] == "" {
			continue
		}
		if len(cells) != 4 {
			note(at, "%d cells found; reader, case, modality, score expected (a decimal sign is a point)", len(cells))
			continue
		}
		for i := range cells {
			cells[i] = trimmed(cells[i])
		}
		v, err := strconv.ParseFloat(cells[3], 64)
		isTruth := strings.EqualFold(cells[0], "truth") || cells[0] == "-1"
		key := [3]string{cells[0], cells[1], cells[2]}
		switch {
		case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
			note(at, "score %q of reader %s for case %s is no number", shorten(cells[3]), cells[0], cells[1])
		case seen[key] > 0 && isTruth:
			note(at, "case %s has its truth twice, first in line %d; the first is used", cells[1], seen[key])
		case seen[key] > 0:
			note(at, "two scores of reader %s for case %s in modality %s, first in line %d; the first is used", cells[0], cells[1], cells[2], seen[key])
		case isTruth && v != 0 && v != 1:
			note(at, "truth %s of case %s; 0 or 1 expected", cells[3], cells[1])
		case isTruth:
			seen[key], truth[cells[1]] = at, true
			m.Truth = append(m.Truth, CaseTruth{cells[1], v == 1})
		default:
			seen[key] = at
			scores = append(scores, Score{cells[0], cells[1], cells[2], v, at})
		}
	}
	for _, s := range scores {
		if !truth[s.Case] {
			note(s.Line, "case %s has a score and no truth", s.Case)
			continue
		}
		m.Scores = append(m.Scores, s)
	}
	return m, problems
}

// imrmcFormat reads the cases of an iMRMC file and whether they are abnormal. The scores are for plumb metrics.
func imrmcFormat() format {
	return format{
		Format: Format{Name: "imrmc", Title: "iMRMC", Cluster: "image", Files: []Shape{{"*.imrmc, *.txt, *.csv", []string{"BEGIN DATA:", "truth,case,truth,0 | 1", "reader,case,modality,score"}}},
			Note: "iMRMC: cases and truth are imported; plumb metrics computes from the scores of such a file."},
		licence: licence("of each study", "https://github.com/DIDSR/iMRMC", false),
		needs:   [][]string{{"@imrmc"}},
		open: plainly(func(w *work, r row) {
			m, problems := ReadIMRMC(r.file, r.cells[""])
			for _, p := range problems {
				w.problem(Problem{Problem: p})
			}
			for i, t := range m.Truth {
				at := r
				at.line = 1 + i
				d := w.draft(at, t.Case)
				q := d.ask("q", "", "Is it abnormal?", options("Yes", "No"))
				q.Category = "presence"
				answer := "No"
				if t.Abnormal {
					answer = "Yes"
				}
				d.gold(q, answer)
				d.done(t.Case)
			}
		}),
	}
}
