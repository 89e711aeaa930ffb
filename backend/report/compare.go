package report

import (
	"fmt"
	"slices"
	"strings"

	"plumbline/backend/stats"
)

// measure gives what is compared of an item; not ok where a set has nothing of it.
type measure struct {
	what string
	of   func(s *set, at int) (float64, bool)
}

// compared lists what is compared of two models: formulas 1, 2, 14 and 20.
func compared() []measure {
	return []measure{
		{"stage accuracy, all questions", func(s *set, at int) (float64, bool) {
			return bit(s.right(at, s.base.said[at])), s.items[at].gold != absent
		}},
		{"chain accuracy", (*set).chainRight},
		{"net necessity, direct", func(s *set, at int) (float64, bool) {
			occ, ctl, _, ok := s.both("occ+given:original", "ctl+given:original", at)
			if !ok || s.notTestable(at) != allTestable || occ.unreadable() || ctl.unreadable() {
				return 0, false
			}
			return bit(occ != s.base.said[at]) - bit(ctl != s.base.said[at]), true
		}},
		{"causally image-grounded", func(s *set, at int) (float64, bool) {
			is := s.groundedness(at)
			return bit(is == grounded), is == grounded || is == notGrounded
		}},
	}
}

// chainRight says at the first item of a case whether all its answers are right.
func (s *set) chainRight(at int) (float64, bool) {
	span := s.at[s.items[at].in]
	if at != span[0] {
		return 0, false
	}
	for i := span[0]; i < span[1]; i++ {
		if s.items[i].gold == absent {
			return 0, false
		}
		if !s.right(i, s.base.said[i]) {
			return 0, true
		}
	}
	return 1, true
}

// paired compares two sets on the items that both have.
func (c counter) pairedSets(a, b *set, m measure) Test {
	var all rows
	for i := range a.items {
		it := &a.items[i]
		if !it.kept || a.base.said[i] == absent || b.base.said[i] == absent {
			continue
		}
		x, ok := m.of(a, i)
		y, ok2 := m.of(b, i)
		if ok && ok2 {
			all.add(it.of, x-y)
		}
	}
	return c.test(all, "no question that both have")
}

// test gives a paired difference with its p, and McNemar's where there is one row per patient (48).
func (c counter) test(r rows, none string) Test {
	n, p, ok := c.paired(r, none)
	out := Test{Number: n}
	if ok {
		out.P = &p
	}
	if n.N > 0 && n.N == n.Patients && !slices.ContainsFunc(r.of, func(s *subject) bool { return s.patient < 0 }) && whole(r.y) {
		up, down := 0, 0
		for _, y := range r.y {
			up, down = up+int(max(0, y)), down+int(max(0, -y))
		}
		exact := stats.McNemar(up, down)
		out.McNemar = &exact
	}
	return out
}

// whole says whether differences are of yes and no.
func whole(y []float64) bool {
	return !slices.ContainsFunc(y, func(v float64) bool { return v != -1 && v != 0 && v != 1 })
}

// adjust puts Holm's p into the tests of one panel.
func adjust(tests []*Test) {
	var p []float64
	var of []*Test
	for _, t := range tests {
		if t.P != nil {
			p, of = append(p, *t.P), append(of, t)
		}
	}
	for i, adjusted := range stats.Holm(p) {
		of[i].PHolm = &adjusted
	}
}

// mostCompared is how many models are compared pair by pair.
const mostCompared = 20

// comparisons compares the models pair by pair, Holm within each measure.
func (m *maker) comparisons(sets []*set, keys []string) []Comparison {
	out := []Comparison{}
	var with []int
	for i, s := range sets {
		if s.base != nil && s.known {
			with = append(with, i)
		}
	}
	if len(with) > mostCompared {
		m.notes = append(m.notes, fmt.Sprintf("%d models are too many to compare pair by pair: the first %d were.", len(with), mostCompared))
		with = with[:mostCompared]
	}
	for _, what := range compared() {
		from := len(out)
		for x, i := range with {
			for _, j := range with[x+1:] {
				t := m.counter.pairedSets(sets[i], sets[j], what)
				if t.N > 0 {
					out = append(out, Comparison{keys[i], keys[j], what.what, t})
				}
			}
		}
		var tests []*Test
		for i := from; i < len(out); i++ {
			tests = append(tests, &out[i].Test)
		}
		adjust(tests)
	}
	return out
}

// conditions gives every arm beside the baseline, with its paired difference from it.
func (m *maker) conditions(s *set) []Condition {
	out := []Condition{}
	var tests []*Test
	for _, a := range s.order {
		if a != s.base {
			out = append(out, m.condition(s, a))
		}
	}
	slices.SortStableFunc(out, func(a, b Condition) int { return strings.Compare(a.Condition, b.Condition) })
	for i := range out {
		tests = append(tests, &out[i].Difference)
	}
	adjust(tests)
	return out
}

func (m *maker) condition(s *set, a *arm) Condition {
	chains := a.marked()
	c := Condition{Condition: a.condition.Name(), Changes: []string{}, Chains: len(chains), Stages: []StageNumber{}, Parse: parsed(a.parse)}
	var whole rows
	for _, x := range chains {
		if x.known() {
			whole.add(x.of, bit(x.firstError() == 0))
		}
	}
	c.Chain = s.counter.share(whole, noChainKnown)
	for _, st := range s.stages {
		c.Stages = append(c.Stages, StageNumber{st.k, st.name, s.counter.share(stageRows(chains, st.k), noGold)})
	}
	ratings, all := m.judged(a)
	c.GroundingHuman, c.Labels = s.counter.grounding(chains, ratings, a.steps, s.stages, noRatings), labels(ratings, all, m.in.Rubric)
	if s.base != nil {
		c.Changes = a.condition.Differences(s.base.condition)
	}
	c.Difference = s.fromBase(a)
	return c
}

// fromBase compares an arm with the baseline, where exactly one field differs and the right answer is the same.
func (s *set) fromBase(a *arm) Test {
	switch {
	case s.base == nil:
		return Test{Number: Number{Reason: noBase}}
	case slices.Contains([]string{"swap", "mirror", "insert"}, a.condition.Image):
		return Test{Number: Number{Reason: "the right answer changes with the image"}}
	}
	if fields := a.condition.Differences(s.base.condition); len(fields) > 1 {
		return Test{Number: Number{Reason: "not compared with the original: " + strings.Join(fields, ", ") + " differ"}}
	}
	var all rows
	s.asked(func(at int, it *item) {
		if a.said[at] != absent && a.in(at) && it.gold != absent {
			all.add(it.of, bit(s.right(at, a.said[at]))-bit(s.right(at, s.base.said[at])))
		}
	})
	return s.counter.test(all, "no question that both were asked")
}

// Pair names what to compare: two entries of a report by their keys, or two conditions of one.
type Pair struct {
	A          string `json:"a"`
	B          string `json:"b"`
	ConditionA string `json:"condition_a"` // "": that of the entry
	ConditionB string `json:"condition_b"`
}

// pairOf finds both sides of a pair; the conditions' arms stand in for the baselines.
func (m *maker) pairOf(p Pair) (a, b *set, err error) {
	find := func(key, condition string) (*set, error) {
		for _, s := range m.sets {
			for _, base := range s.baselines() {
				if s.key(base) != key {
					continue
				}
				turned := *s
				turned.base = base
				if condition == "" || base.condition.Name() == condition {
					return &turned, nil
				}
				for _, arm := range s.order {
					if arm.condition.Name() == condition {
						turned.base = arm
						return &turned, nil
					}
				}
				return nil, fmt.Errorf("%s was not run under %s", key, condition)
			}
		}
		return nil, fmt.Errorf("%q is no model of this report", key)
	}
	if a, err = find(p.A, p.ConditionA); err != nil {
		return nil, nil, err
	}
	b, err = find(p.B, p.ConditionB)
	return a, b, err
}

// Compare gives the paired differences of a pair, A less B: accuracy at each stage, of all questions, and of whole chains; Holm over them.
func Compare(in Input, p Pair) ([]Comparison, error) {
	m, err := prepared(in.filled())
	if err != nil {
		return nil, err
	}
	a, b, err := m.pairOf(p)
	if err != nil {
		return nil, err
	}
	if p.A == p.B {
		ca, cb := a.base.condition, b.base.condition
		if err := ca.Comparable(cb, 1); err != nil {
			return nil, err
		}
	}
	measures := compared()
	if p.ConditionA != "" || p.ConditionB != "" {
		measures = measures[:2] // interventions are against the original
	}
	for _, st := range m.stages {
		measures = append(measures, measure{"accuracy at " + stageName(st.k, st.name), func(s *set, at int) (float64, bool) {
			return bit(s.right(at, s.base.said[at])), s.items[at].gold != absent && s.items[at].q.K == st.k
		}})
	}
	out := []Comparison{}
	var tests []*Test
	for _, what := range measures {
		out = append(out, Comparison{p.A, p.B, what.what, m.counter.pairedSets(a, b, what)})
	}
	for i := range out {
		tests = append(tests, &out[i].Test)
	}
	adjust(tests)
	define(out)
	return out, nil
}
