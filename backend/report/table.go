package report

import (
	"math"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// An item is one question of one case; all that runs say is kept in columns with an entry for each.
type item struct {
	of      *subject
	in      review.CaseID
	q       *review.Question
	truth   *review.Truth // nil: nothing is known
	gold    code          // absent: unknown
	parents []int         // items that it builds on
	kept    bool          // passes the filter
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
	place map[review.CaseID]map[review.QuestionID]int
	words [][]string // of each item, the answers by code
}

// newTable lists the items.
func newTable(in Input, subjects map[review.CaseID]*subject, kept func(review.Question) bool) *table {
	t := &table{at: make(map[review.CaseID][2]int, len(in.Cases)), place: make(map[review.CaseID]map[review.QuestionID]int, len(in.Cases))}
	for i := range in.Cases {
		c := &in.Cases[i]
		from := len(t.items)
		order := make([]*review.Question, len(c.Questions))
		for j := range c.Questions {
			order[j] = &c.Questions[j]
		}
		slices.SortStableFunc(order, func(a, b *review.Question) int { return a.K - b.K })
		places := make(map[review.QuestionID]int, len(order))
		for _, q := range order {
			places[q.ID] = len(t.items)
			t.items = append(t.items, item{of: subjects[c.ID], in: c.ID, q: q, gold: absent, kept: kept(*q)})
		}
		for j := from; j < len(t.items); j++ {
			t.items[j].parents = parentsOf(t.items, from, j, places)
		}
		t.at[c.ID], t.place[c.ID] = [2]int{from, len(t.items)}, places
	}
	t.words = make([][]string, len(t.items))
	for i := range in.Truth {
		v := &in.Truth[i]
		if at, known := t.place[v.Case][v.Question]; known {
			t.items[at].truth = v
			if v.Gold != nil {
				t.items[at].gold = t.code(at, *v.Gold)
			}
		}
	}
	return t
}

// parentsOf gives what an item builds on: its parents, or every question of an earlier stage.
func parentsOf(items []item, from, at int, places map[review.QuestionID]int) (out []int) {
	if named := items[at].q.Parents; len(named) > 0 {
		for _, p := range named {
			if i, known := places[p]; known {
				out = append(out, i)
			}
		}
		return out
	}
	for j := from; j < at; j++ {
		if items[j].q.K < items[at].q.K {
			out = append(out, j)
		}
	}
	return out
}

// code numbers an answer: those that say the same have the same number.
func (t *table) code(at int, answer string) code {
	for i, w := range t.words[at] {
		if w == answer || t.items[at].q.Same(w, answer) {
			return code(i)
		}
	}
	t.words[at] = append(t.words[at], answer)
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

// An arm is what a model answered under one condition with one fill, by item.
type arm struct {
	condition review.Condition
	fill      string
	every     []review.Chain // all, also several of one case
	chains    []review.Chain // of each case one
	said      []code
	target    []code    // what the condition points to; absent: nothing
	share     []float64 // of the body that the regions cover; NaN: not noted
	in        []bool    // the image was changed for this very question
	of        []int     // the chain that answers it
}

func (t *table) newArm(c review.Condition, fill string) *arm {
	a := &arm{condition: c, fill: fill, said: make([]code, len(t.items)), target: make([]code, len(t.items)), share: make([]float64, len(t.items)), in: make([]bool, len(t.items)), of: make([]int, len(t.items))}
	for i := range t.items {
		a.said[i], a.target[i], a.share[i], a.in[i] = absent, absent, math.NaN(), true
	}
	return a
}

// take files a chain into the columns; of two chains of one case the first counts.
func (t *table) take(a *arm, c review.Chain, o review.Origin) {
	a.every = append(a.every, c)
	span := t.at[c.Case]
	if span[0] < span[1] && a.said[span[0]] != absent {
		return
	}
	for i := span[0]; i < span[1]; i++ {
		a.said[i], a.of[i] = empty, len(a.chains)
	}
	for _, answer := range c.Answers {
		if at, known := t.place[c.Case][answer.Question]; known && a.said[at] == empty {
			a.said[at] = t.codeOf(at, answer)
		}
	}
	for q, target := range o.Targets {
		if at, known := t.place[c.Case][q]; known && target != "" {
			a.target[at] = t.code(at, target)
		}
	}
	for _, r := range o.Recipes {
		for _, q := range r.Questions {
			if at, known := t.place[c.Case][q]; known {
				a.in[at] = r.Image == o.Condition.Image || o.Condition.Image == "noop" || o.Condition.Image == ""
				a.share[at] = r.Share
			}
		}
	}
	a.chains = append(a.chains, c)
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
	c.Fill, c.GivenFrom, c.CueTarget = "", from, ""
	return c.Name(), fill
}

// fills in the order in which they are preferred where one is to be taken; "" is one that was not noted.
func fills() []string { return append(review.Fills(), "") }

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
	cases   map[review.CaseID]review.Case
	recipes map[review.ChainID][]review.Recipe
	seeds   []int64
	heat    []float64 // temperatures
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

// put files a chain.
func (s *set) put(c review.Chain, o review.Origin) {
	name, fill := plainName(o.Condition)
	if !s.known {
		name = unknownName
	}
	if !slices.Contains(s.seeds, o.Seed) {
		s.seeds = append(s.seeds, o.Seed)
	}
	if !slices.Contains(s.heat, o.Temperature) {
		s.heat = append(s.heat, o.Temperature)
	}
	if len(o.Recipes) > 0 {
		s.recipes[c.ID] = o.Recipes
	}
	if s.arms[name] == nil {
		s.arms[name] = map[string]*arm{}
	}
	a := s.arms[name][fill]
	if a == nil {
		a = s.newArm(o.Condition, fill)
		s.arms[name][fill] = a
		s.order = append(s.order, a)
		if name == "original" {
			s.base = a
		}
	}
	s.take(a, c, o)
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
	for _, f := range fills() {
		if a := s.arms[name][f]; a != nil && a.said[at] != absent && a.in[at] {
			return a.said[at], a
		}
	}
	return absent, nil
}

// both gives what was answered under two conditions with the same fill, the best that both have.
func (s *set) both(one, other string, at int) (a, b code, fill string, ok bool) {
	for _, f := range fills() {
		x, y := s.arms[one][f], s.arms[other][f]
		if x != nil && y != nil && x.said[at] != absent && y.said[at] != absent && x.in[at] && y.in[at] {
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
	for _, p := range s.items[at].parents {
		if s.items[p].gold == absent {
			return false, false
		}
		wrong = wrong || !s.right(p, a.said[p])
	}
	return wrong, true
}

// answer gives what an arm's chain says to an item, nil where it says nothing.
func (s *set) answer(a *arm, at int) *review.Answer {
	if a == nil || a.said[at] == absent {
		return nil
	}
	answers := a.chains[a.of[at]].Answers
	for i := range answers {
		if answers[i].Question == s.items[at].q.ID {
			return &answers[i]
		}
	}
	return nil
}
