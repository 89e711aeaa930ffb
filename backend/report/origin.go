package report

import (
	"slices"
	"strings"

	"plumbline/backend/stats"
)

// originLabels in the order of measurement.md.
func originLabels() []string {
	return []string{string(stats.Correct), string(stats.CorrectDespite), string(stats.NewError), string(stats.Inherited), string(stats.WrongBoth), string(stats.OriginUndetermined)}
}

// originOf classifies the answer to an item (8); not ok without gold, of it or of a parent.
func (s *set) originOf(at int) (stats.Origin, bool) {
	if s.items[at].gold == absent {
		return "", false
	}
	wrong, ok := s.wrongParent(at, s.base)
	if !ok {
		return "", false
	}
	told, _ := s.first("gold", at)
	again, _ := s.first("noop", at)
	own := s.base.said[at]
	return stats.OriginOf(s.right(at, own), wrong, told != absent, s.right(at, told), again == absent || again == own), true
}

// origin computes where errors come from (8 to 12).
func (s *set) origin() Origin {
	o := Origin{Counts: []Count{}, Stages: []OriginStage{}, CorruptKinds: []NamedNumber{}}
	if s.base == nil {
		o.Reason = noBase
		s.emptyOrigin(&o)
		return o
	}
	o.Estimable = true
	all, byStage := tally{}, map[int]tally{}
	var inherited, recovery, gain rows
	recoveryAt, gainAt := staged{}, staged{}
	s.asked(func(at int, it *item) {
		is, ok := s.originOf(at)
		if !ok {
			return
		}
		if byStage[it.q.K] == nil {
			byStage[it.q.K] = tally{}
		}
		all.add(string(is))
		byStage[it.q.K].add(string(is))
		right := s.right(at, s.base.said[at])
		if !right && is != stats.OriginUndetermined {
			inherited.add(it.of, bit(is == stats.Inherited))
		}
		if wrong, _ := s.wrongParent(at, s.base); wrong {
			recovery.add(it.of, bit(right))
			recoveryAt.add(it.q.K, it.of, bit(right))
		}
		if told, _ := s.first("gold", at); told != absent {
			d := bit(s.right(at, told)) - bit(right)
			gain.add(it.of, d)
			gainAt.add(it.q.K, it.of, d)
		}
	})
	o.Counts = counted(all, originLabels())
	noGoldRun := s.missing("gold")
	for _, st := range s.stages {
		o.Stages = append(o.Stages, OriginStage{K: st.k, Name: st.name, Counts: counted(byStage[st.k], originLabels()),
			GoldGain: s.counter.change(gainAt.at(st.k), noGoldRun), Recovery: s.counter.share(recoveryAt.at(st.k), noWrongParent)})
	}
	o.Inherited = s.counter.share(inherited, "no wrong answer whose origin can be determined; "+noGoldRun)
	o.GoldGain, o.Recovery = s.counter.change(gain, noGoldRun), s.counter.share(recovery, noWrongParent)
	s.corrupted(&o)
	return o
}

const (
	noBase        = "no run under the original condition"
	noWrongParent = "no question with a wrong earlier answer"
)

// emptyOrigin says of each number why it is none.
func (s *set) emptyOrigin(o *Origin) {
	for _, n := range []*Number{&o.Inherited, &o.GoldGain, &o.CorruptFollow, &o.Resistance, &o.Recovery} {
		*n = Number{Reason: o.Reason}
	}
}

// missing names conditions that were not run, or says that no question was asked under all of them.
func (s *set) missing(names ...string) string {
	var not []string
	for _, n := range names {
		if !s.has(n) {
			not = append(not, n)
		}
	}
	if len(not) > 0 {
		return "missing run: " + strings.Join(not, ", ")
	}
	return "no question fits that was asked under " + strings.Join(names, " and ")
}

// corrupted computes corrupt-follow and resistance (10, 11) over all kinds of corruption, and each.
func (s *set) corrupted(o *Origin) {
	var follow, resist rows
	var names []string
	for name := range s.arms {
		if strings.HasPrefix(name, "corrupt-") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		var here rows
		for i := range s.items {
			it := &s.items[i]
			said, a := s.first(name, i)
			told, _ := s.first("gold", i)
			if !it.kept || said == absent || told == absent || a.target(i) == absent {
				continue
			}
			here.add(it.of, bit(said == a.target(i) && told != a.target(i)))
			if s.right(i, told) {
				resist.add(it.of, bit(s.right(i, said)))
			}
		}
		follow.of, follow.y = append(follow.of, here.of...), append(follow.y, here.y...)
		o.CorruptKinds = append(o.CorruptKinds, NamedNumber{strings.TrimPrefix(name, "corrupt-"), s.counter.share(here, noImplied)})
	}
	none := noImplied
	if len(names) == 0 {
		none = "missing run: a corruption of earlier answers"
	} else if !s.has("gold") {
		none = s.missing("gold")
	}
	o.CorruptFollow, o.Resistance = s.counter.share(follow, none), s.counter.share(resist, none)
}

const noImplied = "no question whose implied answer is known"
