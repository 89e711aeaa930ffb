package report

import (
	"fmt"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// A Fact is all that a report counts of one question of one case: what stands behind its bars.
type Fact struct {
	Case       string   `json:"case"`
	Question   string   `json:"question"`
	K          int      `json:"k"`
	Stage      string   `json:"stage"`
	Category   string   `json:"category"`
	Text       string   `json:"text"`
	Gold       string   `json:"gold"`   // "": unknown
	Own        string   `json:"own"`    // the answer, or what became of it
	Noop       string   `json:"noop"`   // "": not run
	Occ        string   `json:"occ"`    // evidence covered, earlier answers held
	Ctl        string   `json:"ctl"`    // control covered, earlier answers held
	None       string   `json:"none"`   // without an image
	Answer     string   `json:"answer"` // right, wrong or unknown
	FirstError bool     `json:"first_error"`
	Origin     string   `json:"origin"`
	Grounded   string   `json:"grounded"` // by intervention
	Readers    string   `json:"readers"`  // grounded, not_grounded or unread, by the worst step of any reader
	Mediation  string   `json:"mediation"`
	Quadrant   string   `json:"quadrant"`
	Cues       []string `json:"cues"`       // conditions whose target it followed
	Support    []string `json:"support"`    // the worst grade of each reader
	Confidence *float64 `json:"confidence"` // of the answer
}

// Behind lists the facts of one entry of a report, by its key, in the order of cases and stages; an error where there is no such entry.
func Behind(in Input, key string) ([]Fact, error) {
	in = in.filled()
	m, err := prepared(in)
	if err != nil {
		return nil, err
	}
	for _, s := range m.sets {
		for _, base := range s.baselines() {
			if s.key(base) == key {
				return m.facts(s, base), nil
			}
		}
	}
	return nil, fmt.Errorf("%q is no model of this report", key)
}

func (m *maker) facts(s *set, base *arm) []Fact {
	turned := *s
	turned.base = base
	s = &turned
	ratings, _ := m.judged(base)
	read := s.readersOn(ratings)
	worst := worst(ratings)
	consistent := map[int]bool{}
	for _, g := range s.groupsOfWords() {
		before, met := consistent[g.at]
		consistent[g.at] = len(g.counts()) == 1 && (!met || before)
	}
	out := []Fact{}
	failed := map[review.CaseID]int{} // the stage of the first wrong answer
	s.asked(func(i int, it *item) {
		f := Fact{Case: string(it.in), Question: string(it.q.ID), K: it.q.K, Stage: it.q.Stage, Category: it.q.Category, Text: it.q.Text, Own: s.word(i, base.said[i]),
			Answer: unknownName, Grounded: s.groundedness(i), Readers: "unread", Cues: []string{}, Support: worst[i]}
		if f.Support == nil {
			f.Support = []string{}
		}
		if it.gold != absent {
			f.Gold, f.Answer = s.word(i, it.gold), "wrong"
			if s.right(i, base.said[i]) {
				f.Answer = "right"
			} else if k, known := failed[it.in]; !known || k == it.q.K {
				failed[it.in], f.FirstError = it.q.K, true
			}
		}
		if origin, ok := s.originOf(i); ok {
			f.Origin = string(origin)
		}
		if r := read[i]; r.rated {
			f.Readers = grounded
			if r.bad {
				f.Readers = notGrounded
			}
		}
		f.Mediation, _ = s.mediationOf(i)
		s.under(&f, i)
		if same, is := consistent[i]; is {
			if reliant, ok := s.reliantOn(i); ok {
				f.Quadrant = quadrantOf(same, reliant)
			}
		}
		if p, ok := s.probability(base, i, base.said[i]); ok {
			f.Confidence = &p
		}
		out = append(out, f)
	})
	return out
}

// under writes what was answered under other conditions.
func (s *set) under(f *Fact, at int) {
	for name, into := range map[string]*string{"noop": &f.Noop, "none": &f.None} {
		c, _ := s.first(name, at)
		*into = s.word(at, c)
	}
	if occ, ctl, _, ok := s.both("occ+given:original", "ctl+given:original", at); ok {
		f.Occ, f.Ctl = s.word(at, occ), s.word(at, ctl)
	} else if c, a := s.first("occ+given:original", at); a != nil {
		f.Occ = s.word(at, c)
	}
	for _, a := range s.cueArms() {
		plain := s.uncued(a)
		if plain != nil && a.target(at) != absent && plain.said[at] != absent && plain.said[at] != a.target(at) && a.said[at] == a.target(at) {
			f.Cues = append(f.Cues, a.condition.Name())
		}
	}
}

// worst gives for each item the worst grade of each reader, in the order of readers.
func worst(ratings []judged) map[int][]string {
	type seat struct {
		at     int
		reader review.ReaderID
	}
	grades := map[seat]int{}
	var order []seat
	for _, r := range ratings {
		v, ok := grade(r.rating.Support)
		if !ok || r.at < 0 {
			continue
		}
		k := seat{r.at, r.reader}
		if _, met := grades[k]; !met {
			order, grades[k] = append(order, k), v
		}
		grades[k] = min(grades[k], v)
	}
	slices.SortStableFunc(order, func(a, b seat) int { return strings.Compare(string(a.reader), string(b.reader)) })
	names := []review.Support{review.Contradicted, review.Unsupported, review.Partly, review.Supported}
	out := map[int][]string{}
	for _, k := range order {
		out[k.at] = append(out[k.at], string(names[grades[k]]))
	}
	return out
}
