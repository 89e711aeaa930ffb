package report

// cells are what was answered to an item in the four runs of the 2×2, earlier answers and image original (1) or covered (0).
type cells struct{ y11, y00, y10, y01 reply }

// reply is an answer with the arm it was given in.
type reply struct {
	said code
	in   *arm
}

// fourCells gives the cells of an item with the best fill that all four were run with. A run that uses its own earlier answers is that with
// them held at its own, where no separate run was made.
func (s *set) fourCells(at int) (c cells, ok bool) {
	for _, f := range s.fills {
		find := func(names ...string) (reply, bool) {
			for _, n := range names {
				for _, a := range []*arm{s.arms[n][f], s.arms[n][""]} {
					if a != nil && a.said[at] != absent && a.in(at) && !a.said[at].unreadable() {
						return reply{a.said[at], a}, true
					}
				}
			}
			return reply{}, false
		}
		y11, ok11 := find("given:original", "original")
		y00, ok00 := find("occ+given:occ", "occ")
		y10, ok10 := find("given:occ")
		y01, ok01 := find("occ+given:original")
		if ok11 && ok00 && ok10 && ok01 {
			return cells{y11, y00, y10, y01}, true
		}
	}
	return cells{}, false
}

// What the 2×2 says of one answer (22).
func mediationLabels() []string {
	return []string{"image_grounded", "chain_mediated", "both", "neither", undetermined}
}

// mediationOf classifies an item (22); not ok where it was not run in all cells.
func (s *set) mediationOf(at int) (string, bool) {
	c, ok := s.fourCells(at)
	if !ok {
		return "", false
	}
	if !s.earlierDiffer(at, c) {
		return undetermined, true
	}
	image, chain := c.y11.said != c.y01.said, c.y11.said != c.y10.said
	switch {
	case image && chain:
		return "both", true
	case image:
		return "image_grounded", true
	case chain:
		return "chain_mediated", true
	}
	return "neither", true
}

// earlierDiffer says whether earlier answers that an item builds on differ between the two images: without, chain-dependence was not tested.
func (s *set) earlierDiffer(at int, c cells) bool {
	for p := range s.parents(at) {
		if s.base.said[p] != c.y00.in.said[p] {
			return true
		}
	}
	return false
}

// effect is the rows of six effects.
type effect struct{ te, nde, nie, pnie, tnde, interaction rows }

func (e *effect) add(of *subject, y11, y00, y10, y01 float64) {
	e.te.add(of, y11-y00)
	e.nde.add(of, y10-y00)
	e.nie.add(of, y11-y10)
	e.pnie.add(of, y01-y00)
	e.tnde.add(of, y11-y01)
	e.interaction.add(of, (y11-y10)-(y01-y00))
}

func (c counter) effects(e *effect, none string) Effects {
	if e == nil {
		e = &effect{}
	}
	return Effects{c.change(e.te, none), c.change(e.nde, none), c.change(e.nie, none), c.change(e.pnie, none), c.change(e.tnde, none), c.change(e.interaction, none)}
}

// mediation computes 21 and 22 over testable questions with gold.
func (s *set) mediation() Mediation {
	m := Mediation{Classes: []Count{}, Stages: []MediationStage{}}
	names := []string{"occ", "occ+given:original", "given:occ"}
	none := s.missing(names...)
	switch {
	case s.base == nil:
		none = noBase
		m.Reason = none
	case !s.has("occ", "occ+given:occ") || !s.has("occ+given:original") || !s.has("given:occ"):
		m.Reason = none
	}
	m.Estimable = m.Reason == ""
	all, probable, byStage := &effect{}, &effect{}, map[int]*effect{}
	classes, classesAt := tally{}, map[int]tally{}
	s.asked(func(at int, it *item) {
		c, ok := s.fourCells(at)
		if !ok || it.gold == absent || s.notTestable(at) != allTestable {
			return
		}
		k := it.q.K
		if byStage[k] == nil {
			byStage[k], classesAt[k] = &effect{}, tally{}
		}
		y := func(r reply) float64 { return bit(s.right(at, r.said)) }
		all.add(it.of, y(c.y11), y(c.y00), y(c.y10), y(c.y01))
		byStage[k].add(it.of, y(c.y11), y(c.y00), y(c.y10), y(c.y01))
		class, _ := s.mediationOf(at)
		classes.add(class)
		classesAt[k].add(class)
		var p [4]float64
		for i, r := range []reply{c.y11, c.y00, c.y10, c.y01} {
			v, known := s.probability(r.in, at, it.gold)
			if !known {
				return
			}
			p[i] = v
		}
		probable.add(it.of, p[0], p[1], p[2], p[3])
	})
	m.Effects = s.counter.effects(all, none)
	m.Probability = s.counter.effects(probable, "no question with option probabilities in all four runs")
	m.Classes = counted(classes, mediationLabels())
	for _, st := range s.stages {
		m.Stages = append(m.Stages, MediationStage{st.k, st.name, s.counter.effects(byStage[st.k], none), counted(classesAt[st.k], mediationLabels())})
	}
	return m
}
