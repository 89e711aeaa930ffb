package report

import (
	"slices"

	"plumbline/backend/review"
)

// stage is one stage of the study.
type stage struct {
	k    int
	name string
}

// stagesOf gives the stages of the pack, or, where it has none, those that questions are asked at.
func stagesOf(in Input) []stage {
	var out []stage
	for _, s := range in.Dataset.StagePack.Stages {
		out = append(out, stage{s.K, s.Name})
	}
	for _, c := range in.Cases {
		for _, q := range c.Questions {
			if !slices.ContainsFunc(out, func(s stage) bool { return s.k == q.K }) {
				out = append(out, stage{q.K, q.Stage})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b stage) int { return a.k - b.k })
	return out
}

// mark says whether an answer is right.
type mark int

const (
	unknown mark = iota // there is no gold
	wrong
	right
)

// marked is a chain as it compares with gold. What is not answered, or not readably, is wrong.
type marked struct {
	*table
	from, to int // its items
	codes    []code
	of       *subject
	heard    *heard // nil: no reader spoke of it
}

// is says whether the answer to an item is right; it is not known of an item that the chain's case has not, or that it was not asked.
func (m marked) is(at int) mark {
	switch {
	case at < m.from || at >= m.to || m.items[at].gold == absent || m.codes[at-m.from] == absent:
		return unknown
	case m.codes[at-m.from] == m.items[at].gold:
		return right
	}
	return wrong
}

// known says whether every question has gold and was asked.
func (m marked) known() bool {
	for i := m.from; i < m.to; i++ {
		if m.is(i) == unknown {
			return false
		}
	}
	return m.from < m.to
}

// staged holds rows by stage.
type staged map[int]*rows

func (s staged) add(k int, of *subject, y ...float64) {
	if s[k] == nil {
		s[k] = &rows{}
	}
	s[k].add(of, y...)
}

func (s staged) at(k int) rows {
	if s[k] == nil {
		return rows{}
	}
	return *s[k]
}

const noChainKnown = "no chain whose questions were all asked and all have a known right answer"

const noGold = "no question with a known right answer"

// accuracy computes formulas 1 to 7 over the chains of one model and condition.
func (c counter) accuracy(chains []marked, stages []stage, parse tally) Accuracy {
	a := Accuracy{Stages: []StageNumber{}, Prefix: []StageNumber{}, GivenRight: []StageNumber{}, GivenWrong: []StageNumber{}, Difference: []StageNumber{}, FirstError: []StageNumber{}}
	full := slices.DeleteFunc(slices.Clone(chains), func(m marked) bool { return !m.known() })
	const none = noChainKnown
	firsts := staged{}
	var whole, final rows
	for _, m := range full {
		first := m.firstError()
		whole.add(m.of, bit(first == 0))
		for _, s := range stages {
			firsts.add(s.k, m.of, bit(first == s.k))
		}
		if m.finalRight() {
			final.add(m.of, bit(first != 0))
		}
	}
	a.Chain = c.share(whole, none)
	a.FinalRightWrongChain = c.share(final, "no chain with a right final answer")
	for i, s := range stages {
		at := func(n Number) StageNumber { return StageNumber{s.k, s.name, n} }
		a.Stages = append(a.Stages, at(c.share(stageRows(chains, s.k), noGold)))
		a.FirstError = append(a.FirstError, at(c.share(firsts.at(s.k), none)))
		var prefix rows
		for _, m := range full {
			first := m.firstError()
			prefix.add(m.of, bit(first == 0 || first > s.k))
		}
		a.Prefix = append(a.Prefix, at(c.share(prefix, none)))
		if i == 0 {
			continue
		}
		given, otherwise, both := conditional(chains, s.k)
		a.GivenRight = append(a.GivenRight, at(c.share(given, "no question whose earlier answers are all right")))
		a.GivenWrong = append(a.GivenWrong, at(c.share(otherwise, "no question with a wrong earlier answer")))
		a.Difference = append(a.Difference, at(c.statistic(both, difference, "one of the two groups is empty")))
	}
	a.Lift = c.lift(full, stages)
	a.Parse = parsed(parse)
	return a
}

// firstError gives the first stage with a wrong answer, 0 for none (formula 6).
func (m marked) firstError() int {
	for i := m.from; i < m.to; i++ {
		if m.is(i) == wrong {
			return m.items[i].q.K
		}
	}
	return 0
}

// finalRight says whether every answer of the last stage that is asked about is right.
func (m marked) finalRight() bool {
	for i := m.to - 1; i >= m.from && m.items[i].q.K == m.items[m.to-1].q.K; i-- {
		if m.is(i) != right {
			return false
		}
	}
	return m.from < m.to
}

// stageRows gives a row for each question at stage k with gold (formula 1).
func stageRows(chains []marked, k int) (out rows) {
	for _, m := range chains {
		for i := m.from; i < m.to; i++ {
			if is := m.is(i); m.items[i].q.K == k && is != unknown && m.items[i].kept {
				out.add(m.of, bit(is == right))
			}
		}
	}
	return out
}

// conditional splits the questions of a stage by whether all earlier answers were right (formula 4). The rows of both hold sum and number of
// the one group, then of the other.
func conditional(chains []marked, k int) (given, otherwise, both rows) {
	for _, m := range chains {
		for i := m.from; i < m.to; i++ {
			if m.items[i].q.K != k || !m.items[i].kept || m.is(i) == unknown {
				continue
			}
			before, count := right, 0
			for p := range m.parents(i) {
				count++
				if is := m.is(p); is == unknown || before == right {
					before = is
				}
			}
			if count == 0 || before == unknown {
				continue
			}
			y := bit(m.is(i) == right)
			if before == wrong {
				otherwise.add(m.of, y)
				both.add(m.of, 0, 0, y, 1)
			} else {
				given.add(m.of, y)
				both.add(m.of, y, 1, 0, 0)
			}
		}
	}
	return given, otherwise, both
}

func difference(s []float64) (float64, bool) {
	if s[1] == 0 || s[3] == 0 {
		return 0, false
	}
	return s[0]/s[1] - s[2]/s[3], true
}

// lift is chain accuracy over the product of the stages' accuracies (formula 5), all over the same chains.
func (c counter) lift(full []marked, stages []stage) Number {
	var all rows
	for _, m := range full {
		y := make([]float64, 2+2*len(stages))
		y[0], y[1] = bit(m.firstError() == 0), 1
		for i, s := range stages {
			for at := m.from; at < m.to; at++ {
				if m.items[at].q.K == s.k {
					y[2+2*i] += bit(m.is(at) == right)
					y[3+2*i]++
				}
			}
		}
		all.add(m.of, y...)
	}
	return c.statistic(all, func(s []float64) (float64, bool) {
		product := 1.0
		for i := 2; i < len(s); i += 2 {
			if s[i+1] > 0 {
				product *= s[i] / s[i+1]
			}
		}
		if s[1] == 0 || product == 0 {
			return 0, false
		}
		return s[0] / s[1] / product, true
	}, "no chain, or a stage at which no answer is right")
}

// parsed counts what became of answers.
func parsed(n tally) []Count {
	return counted(n, []string{string(review.ParseOK), string(review.Abstained), string(review.Declined), string(review.Unparsed), string(review.Empty), "missing"})
}

// counted lists labels in their order, then any others by name.
func counted(n map[string]int, order []string) []Count {
	out := []Count{}
	for _, l := range order {
		out = append(out, Count{l, n[l]})
	}
	var others []string
	for l := range n {
		if !slices.Contains(order, l) {
			others = append(others, l)
		}
	}
	slices.Sort(others)
	for _, l := range others {
		out = append(out, Count{l, n[l]})
	}
	return out
}
