package report

import (
	"iter"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// An item is one question of one case; all that runs say is kept in columns with an entry for each.
type item struct {
	of    *subject
	in    review.CaseID
	q     *review.Question
	truth *review.Truth // nil: nothing is known
	gold  code          // absent: unknown
	from  int32         // the first item of its case
	named []int32       // items that it says it builds on; none: all of earlier stages
	kept  bool          // passes the filter
}

// A code is what was answered to an item: a number from 0 for each different answer, or why there is none.
type code int32

const (
	absent    code = -1 // the item was not asked under the condition
	abstained code = -2
	declined  code = -3
	unparsed  code = -4
	empty     code = -5 // or left out of the chain
)

// answered tells an answer from none.
func (c code) answered() bool { return c >= 0 }

// unreadable tells whether there was a reply that cannot be read.
func (c code) unreadable() bool { return c == unparsed || c == empty }

// table holds the items of a study, those of a case in a row, in stage order.
type table struct {
	items []item
	at    map[review.CaseID][2]int // from, to
	of    map[review.CaseID]*subject
	words [][]string        // of each item, the answers by code
	same  map[string]string // each word once
	fills []string          // in the order in which they are preferred where one is to be taken; "" is one that was not noted
}

// newTable lists the items.
func newTable(in Input, subjects map[review.CaseID]*subject, kept func(review.Question) bool) *table {
	t := &table{at: make(map[review.CaseID][2]int, len(in.Cases)), of: subjects, same: map[string]string{}, fills: append(review.Fills(), "")}
	for i := range in.Cases {
		c := &in.Cases[i]
		from := len(t.items)
		order := make([]*review.Question, len(c.Questions))
		for j := range c.Questions {
			order[j] = &c.Questions[j]
		}
		slices.SortStableFunc(order, func(a, b *review.Question) int { return a.K - b.K })
		for _, q := range order {
			t.items = append(t.items, item{of: subjects[c.ID], in: c.ID, q: q, gold: absent, from: int32(from), kept: kept(*q)})
		}
		t.at[c.ID] = [2]int{from, len(t.items)}
		for j := from; j < len(t.items); j++ {
			for _, p := range t.items[j].q.Parents {
				if at, known := t.find(c.ID, p); known {
					t.items[j].named = append(t.items[j].named, int32(at))
				}
			}
		}
	}
	t.words = make([][]string, len(t.items))
	for i := range in.Truth {
		v := &in.Truth[i]
		if at, known := t.find(v.Case, v.Question); known {
			t.items[at].truth = v
			if v.Gold != nil {
				t.items[at].gold = t.code(at, *v.Gold)
			}
		}
	}
	return t
}

// find gives the item of a question.
func (t *table) find(c review.CaseID, q review.QuestionID) (int, bool) {
	span, known := t.at[c]
	for i := span[0]; known && i < span[1]; i++ {
		if t.items[i].q.ID == q {
			return i, true
		}
	}
	return 0, false
}

// parents gives what an item builds on: its parents, or every question of an earlier stage.
func (t *table) parents(at int) iter.Seq[int] {
	it := &t.items[at]
	return func(yield func(int) bool) {
		if len(it.q.Parents) > 0 {
			for _, p := range it.named {
				if !yield(int(p)) {
					return
				}
			}
			return
		}
		for i := int(it.from); i < at && t.items[i].q.K < it.q.K; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

// code numbers an answer: those that say the same have the same number.
func (t *table) code(at int, answer string) code {
	for i, w := range t.words[at] {
		if w == answer || t.items[at].q.Same(w, answer) {
			return code(i)
		}
	}
	word, met := t.same[answer]
	if !met {
		word = strings.Clone(answer) // not the record that it lies in
		t.same[word] = word
	}
	t.words[at] = append(t.words[at], word)
	return code(len(t.words[at]) - 1)
}

// word gives an answer back, or what became of it.
func (t *table) word(at int, c code) string {
	switch c {
	case absent:
		return ""
	case abstained:
		return string(review.Abstained)
	case declined:
		return string(review.Declined)
	case unparsed:
		return string(review.Unparsed)
	case empty:
		return string(review.Empty)
	}
	return t.words[at][c]
}

// codeOf numbers what a chain answers.
func (t *table) codeOf(at int, a review.Answer) code {
	switch {
	case a.Parse == review.ParseOK && a.Answer != nil:
		return t.code(at, *a.Answer)
	case a.Parse == review.Abstained:
		return abstained
	case a.Parse == review.Declined:
		return declined
	case a.Parse == review.Empty:
		return empty
	}
	return unparsed
}

// plainName names a condition without the fills, which are looked for apart: "occ/remove+given:occ/remove" is "occ+given:occ".
func plainName(c review.Condition) (name, fill string) {
	from, fromFill, _ := strings.Cut(c.GivenFrom, "/")
	fill = c.Fill
	if fill == "" {
		fill = fromFill
	}
	if from == "orig" {
		from = "original"
	}
	if c.Image == "insert" {
		fill = "" // how a finding is put in is no choice between fills
	}
	c.Fill, c.GivenFrom, c.CueTarget = "", from, ""
	return c.Name(), fill
}

// set is all that one model said in one run.
type set struct {
	*table
	counter counter
	stages  []stage
	info    review.ModelInfo
	run     string
	known   bool
	arms    map[string]map[string]*arm // by plain name and fill
	order   []*arm
	base    *arm // the original condition; nil: there is none
	cases   map[review.CaseID]*review.Case
	seeds   map[int64]bool
	heat    map[float64]bool // temperatures
}

// baselines are the arms that have an entry of their own in a report: the original, or, without, each.
func (s *set) baselines() []*arm {
	if s.base != nil {
		return []*arm{s.base}
	}
	return s.order
}

// key names an entry within a report.
func (s *set) key(base *arm) string {
	name := unknownName
	if s.known {
		name = base.condition.Name()
	}
	parts := []string{s.info.Name, s.info.Revision, s.info.Provider, s.info.Profile, s.run, name}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " · ")
}

// put files a chain; name and fill are those of its condition (plainName).
func (s *set) put(c *review.Chain, o *review.Origin, name, fill string, spoken bool) *heard {
	if !s.known {
		name = unknownName
	}
	s.seeds[o.Seed], s.heat[o.Temperature] = true, true
	if s.arms[name] == nil {
		s.arms[name] = map[string]*arm{}
	}
	a := s.arms[name][fill]
	if a == nil {
		a = s.newArm(o.Condition, name, fill)
		s.arms[name][fill] = a
		s.order = append(s.order, a)
		if name == "original" {
			s.base = a
		}
	}
	return a.take(c, o, spoken)
}

// has tells whether there is any of the conditions.
func (s *set) has(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return len(s.arms[n]) > 0 })
}

// with gives the arm of a condition with a fill, or the one where no fill was noted.
func (s *set) with(name, fill string) *arm {
	if a := s.arms[name][fill]; a != nil {
		return a
	}
	return s.arms[name][""]
}

// first gives what was answered to an item under a condition, with the best fill that there is.
func (s *set) first(name string, at int) (code, *arm) {
	for _, f := range s.fills {
		if a := s.arms[name][f]; a != nil && a.said[at] != absent && a.in(at) {
			return a.said[at], a
		}
	}
	return absent, nil
}

// both gives what was answered under two conditions with the same fill, the best that both have.
func (s *set) both(one, other string, at int) (a, b code, fill string, ok bool) {
	for _, f := range s.fills {
		x, y := s.arms[one][f], s.arms[other][f]
		if x != nil && y != nil && x.said[at] != absent && y.said[at] != absent && x.in(at) && y.in(at) {
			return x.said[at], y.said[at], f, true
		}
	}
	return absent, absent, "", false
}

// right tells whether an answer to an item is the right one.
func (s *set) right(at int, c code) bool { return c.answered() && c == s.items[at].gold }

// asked gives the items that the baseline was asked and that pass the filter.
func (s *set) asked(each func(at int, it *item)) {
	if s.base == nil {
		return
	}
	for i := range s.items {
		if s.items[i].kept && s.base.said[i] != absent {
			each(i, &s.items[i])
		}
	}
}

// wrongParent tells whether an earlier answer that an item builds on is wrong; not ok where one is not known.
func (s *set) wrongParent(at int, a *arm) (wrong, ok bool) {
	for p := range s.parents(at) {
		if s.items[p].gold == absent {
			return false, false
		}
		wrong = wrong || !s.right(p, a.said[p])
	}
	return wrong, true
}
