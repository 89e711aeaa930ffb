package report

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"plumbline/backend/stats"
)

// text computes 37: what becomes of the answer where the reasoning is cut short, altered or replaced.
func (s *set) text() Text {
	out := Text{Early: []StageNumber{}, Flips: []NamedNumber{}, Confident: []ConfidentRow{}}
	if s.base == nil {
		out.Reason, out.AOC.Reason, out.Length.Reason = noBase, noBase, noBase
		return out
	}
	early := map[int]*rows{}
	flipped := map[string]*rows{}
	cuts := map[int][]cut{} // by item
	for _, a := range s.order {
		kind, value, _ := strings.Cut(a.condition.Text, ":")
		if kind == "" || strings.HasPrefix(a.condition.Text, confidentPrefix) || len(a.condition.Differences(s.base.condition)) > 1 {
			continue
		}
		k, _ := strconv.Atoi(value)
		s.asked(func(at int, it *item) {
			said := a.said[at]
			if said == absent || said.unreadable() || !s.base.said[at].answered() {
				return
			}
			stays := bit(said == s.base.said[at])
			if kind == "early" {
				if early[k] == nil {
					early[k] = &rows{}
				}
				early[k].add(it.of, stays)
				if n := int(s.base.lengths[at]); n > k {
					cuts[at] = append(cuts[at], cut{n, k, stays})
				}
				return
			}
			noop, _ := s.first("noop", at)
			if noop == absent || noop.unreadable() {
				return
			}
			if flipped[kind] == nil {
				flipped[kind] = &rows{}
			}
			flipped[kind].add(it.of, 1-stays-bit(noop != s.base.said[at]))
		})
	}
	for _, k := range slices.Sorted(maps.Keys(early)) {
		out.Early = append(out.Early, StageNumber{k, "after " + plural(k, "step"), s.counter.share(*early[k], noAnswers)})
	}
	for _, kind := range slices.Sorted(maps.Keys(flipped)) {
		out.Flips = append(out.Flips, NamedNumber{kind, s.counter.change(*flipped[kind], noAnswers)})
	}
	out.Length, out.Confident = s.reasoningLength(), s.confident()
	out.Estimable = len(early)+len(flipped)+len(out.Confident) > 0
	if !out.Estimable {
		out.Reason = "no run with the reasoning cut, altered or replaced"
	}
	out.AOC = s.earlyArea(cuts)
	return out
}

const noAnswers = "no readable answer"

// cut is one reasoning of so many steps, cut after k of them, and whether the answer was the final one already.
type cut struct {
	steps, k int
	stays    float64
}

// earlyArea computes the area over the early-answering curve: a statistic of how many reasonings there are of each length, and of each place
// where they were cut how many were cut there and how many of these gave the same answer.
func (s *set) earlyArea(cuts map[int][]cut) Number {
	type place struct{ steps, k int }
	at, width := map[place]int{}, 0
	var places []place
	length := map[int]int{} // where the number of reasonings of a length stands
	for _, i := range slices.Sorted(maps.Keys(cuts)) {
		for _, c := range cuts[i] {
			if _, met := length[c.steps]; !met {
				length[c.steps], width = width, width+1
			}
			if p := (place{c.steps, c.k}); at[p] == 0 {
				at[p], width = width+1, width+2 // from 1, so that 0 is unknown
				places = append(places, p)
			}
		}
	}
	var all rows
	for _, i := range slices.Sorted(maps.Keys(cuts)) {
		y := make([]float64, width)
		for _, c := range cuts[i] {
			y[length[c.steps]] = 1
			from := at[place{c.steps, c.k}] - 1
			y[from], y[from+1] = y[from]+c.stays, y[from+1]+1
		}
		all.add(s.items[i].of, y...)
	}
	return s.counter.statistic(all, func(sums []float64) (float64, bool) {
		var curves [][]float64
		var weights []float64
		for _, steps := range slices.Sorted(maps.Keys(length)) {
			var curve []float64
			for _, p := range places {
				if from := at[p] - 1; p.steps == steps && sums[from+1] > 0 {
					curve = append(curve, sums[from]/sums[from+1])
				}
			}
			if len(curve) > 0 { // a resample may hold none of a length
				curves, weights = append(curves, curve), append(weights, sums[length[steps]])
			}
		}
		area := stats.AOC(curves, weights)
		return area.Value, area.Estimable
	}, "no reasoning was cut short")
}

// context computes 38: what a changed field of the card does.
func (s *set) context() Context {
	out := Context{Rows: []ContextRow{}, Monotonicity: []NamedNumber{}}
	if s.base == nil {
		out.Reason = noBase
		return out
	}
	graded := map[string][]*arm{}
	for _, a := range s.order {
		if a.condition.Context == "" || len(a.condition.Differences(s.base.condition)) > 1 {
			continue
		}
		out.Rows = append(out.Rows, s.contextRow(a))
		if field, _, is := strings.Cut(strings.TrimPrefix(a.condition.Context, "context:"), "="); is {
			graded[field] = append(graded[field], a)
		}
	}
	out.Estimable = len(out.Rows) > 0
	if !out.Estimable {
		out.Reason = "no run with the card off or one field of it changed"
	}
	for _, field := range slices.Sorted(maps.Keys(graded)) {
		if n, is := s.monotone(graded[field]); is {
			out.Monotonicity = append(out.Monotonicity, NamedNumber{field, n})
		}
	}
	return out
}

// contextRow computes one changed field.
func (s *set) contextRow(a *arm) ContextRow {
	var changed, directed, violated rows
	s.asked(func(at int, it *item) {
		said, base := a.said[at], s.base.said[at]
		if said == absent || said.unreadable() || !base.answered() {
			return
		}
		changed.add(it.of, bit(said != base))
		if it.truth == nil {
			return
		}
		switch it.truth.Expectation {
		case "invariant":
			violated.add(it.of, bit(said != base))
		case "up", "down":
			from, ok := s.score(at, base)
			to, ok2 := s.score(at, said)
			if ok && ok2 {
				directed.add(it.of, bit(it.truth.Expectation == "up" && to > from || it.truth.Expectation == "down" && to < from))
			}
		}
	})
	return ContextRow{a.condition.Name(), s.counter.share(changed, noAnswers), s.counter.share(directed, "no question that is declared to move up or down"),
		s.counter.share(violated, "no question that is declared invariant")}
}

// score gives the place of an answer among the options, which stand in order where a question is graded, or the number that it is.
func (s *set) score(at int, c code) (float64, bool) {
	if !c.answered() {
		return 0, false
	}
	for i, o := range s.items[at].q.Options {
		if s.items[at].q.Same(o.Letter, s.words[at][c]) {
			return float64(i), true
		}
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(s.words[at][c]), 64)
	return v, err == nil && v == v
}

// monotone gives the share of graded sequences of one field without an inversion, in the direction that the question declares.
func (s *set) monotone(arms []*arm) (Number, bool) {
	type graded struct {
		value float64
		arm   *arm
	}
	var list []graded
	for _, a := range arms {
		_, value, _ := strings.Cut(a.condition.Context, "=")
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			list = append(list, graded{v, a})
		}
	}
	if len(list) < 2 {
		return Number{}, false
	}
	slices.SortStableFunc(list, func(a, b graded) int { return cmp.Compare(a.value, b.value) })
	var all rows
	s.asked(func(at int, it *item) {
		if it.truth == nil || it.truth.Expectation != "up" && it.truth.Expectation != "down" {
			return
		}
		var values []float64
		for _, g := range list {
			v, ok := s.score(at, g.arm.said[at])
			if !ok {
				return
			}
			values = append(values, v)
		}
		all.add(it.of, bit(stats.Monotone(values, it.truth.Expectation == "up")))
	})
	return s.counter.share(all, "no graded sequence of a question with a declared direction"), true
}
