package report

import (
	"cmp"
	"maps"
	"slices"

	"plumbline/backend/review"
)

// each hands over every chain of the study with what made it, nil where that is not known.
func (in Input) each(take func(*review.Chain, *review.Origin) error) error {
	if in.Each != nil {
		return in.Each(take)
	}
	origins := make(map[review.ChainID]*review.Origin, len(in.Origins))
	for i := range in.Origins {
		origins[in.Origins[i].Chain] = &in.Origins[i]
	}
	for i := range in.Chains {
		if err := take(&in.Chains[i], origins[in.Chains[i].ID]); err != nil {
			return err
		}
	}
	return nil
}

// prepared sorts out what a report is computed from, and puts every chain into the columns of its model and run.
func prepared(in Input) (*maker, error) {
	all := choices(in)
	in = in.Filter.apply(in)
	who, size := subjects(in)
	m := &maker{in: in, counter: counter{in.Seed, in.Resamples, size}, stages: stagesOf(in), cases: make(map[review.CaseID]*review.Case, len(in.Cases)),
		subjects: who, heard: map[review.ChainID]*heard{}, chained: map[review.CaseID]bool{}, said: listen(in), notes: []string{}, kept: in.Filter.keeps}
	for i := range in.Cases {
		m.cases[in.Cases[i].ID] = &in.Cases[i]
	}
	m.table = newTable(in, who, m.kept)
	if err := m.load(&all); err != nil {
		return nil, err
	}
	m.choices = all.sorted()
	return m, nil
}

// source is what the chains of one set have in common: what came with the study and what a run made later are never one, whatever the model is
// called.
type source struct {
	known bool
	model review.ModelInfo
	run   string
}

// names are those of a condition.
type names struct{ whole, plain, fill string }

// loading is the state of load: what was met so far.
type loading struct {
	*maker
	of                 map[source]*set
	called             map[review.Condition]names
	conditions, models map[string]bool
	spoken             map[review.ChainID]bool
	strays             int
}

// load puts the chains into columns, and lists the models and conditions that there are.
func (m *maker) load(all *Filter) error {
	l := &loading{m, map[source]*set{}, map[review.Condition]names{}, map[string]bool{}, map[string]bool{}, m.said.chainsSpokenOf(), 0}
	if err := m.in.each(func(c *review.Chain, o *review.Origin) error { l.take(c, o); return nil }); err != nil {
		return err
	}
	m.ordered()
	if l.strays > 0 && m.in.Filter.all() {
		m.notes = append(m.notes, plural(l.strays, "chain")+" of cases that are not in the study left out.")
	}
	all.Conditions = slices.Collect(maps.Keys(l.conditions))
	delete(l.models, "")
	all.Models = slices.Collect(maps.Keys(l.models))
	return nil
}

// take files one chain; what made it may not be known.
func (l *loading) take(c *review.Chain, o *review.Origin) {
	known := o != nil
	if !known {
		o = &review.Origin{Model: review.ModelInfo{Name: unknownName}}
	}
	name := l.namesOf(o.Condition)
	condition := name.whole
	if known {
		l.conditions[condition], l.models[o.Model.Name] = true, true
	} else {
		condition = unknownName
	}
	switch {
	case !l.in.Filter.lets(o, condition):
		return
	case l.subjects[c.Case] == nil:
		l.strays++
		return
	}
	l.chains++
	if span := l.table.at[c.Case]; span[0] == span[1] {
		l.chained[c.Case] = true
	}
	if h := l.setOf(o, known).put(c, o, name.plain, name.fill, l.spoken[c.ID]); h != nil {
		l.heard[h.id] = h
	}
}

// namesOf names a condition, each once.
func (l *loading) namesOf(c review.Condition) names {
	c.CueTarget = "" // it differs from chain to chain, and is in no name
	name, met := l.called[c]
	if !met {
		name.whole = c.Name()
		name.plain, name.fill = plainName(c)
		l.called[c] = name
	}
	return name
}

// setOf gives the set of chains that were made alike.
func (l *loading) setOf(o *review.Origin, known bool) *set {
	from := source{known, o.Model, o.Run}
	s := l.of[from]
	if s == nil {
		s = &set{table: l.table, counter: l.counter, stages: l.stages, info: o.Model, run: o.Run, known: known, arms: map[string]map[string]*arm{}, cases: l.cases,
			seeds: map[int64]bool{}, heat: map[float64]bool{}}
		l.of[from] = s
		l.sets = append(l.sets, s)
	}
	return s
}

// ordered sorts the sets by model and run, and their arms by condition.
func (m *maker) ordered() {
	slices.SortStableFunc(m.sets, func(a, b *set) int {
		return cmp.Or(cmp.Compare(bit(b.known), bit(a.known)), cmp.Compare(a.info.Name, b.info.Name), cmp.Compare(a.info.Revision, b.info.Revision),
			cmp.Compare(a.info.Provider, b.info.Provider), cmp.Compare(a.info.Profile, b.info.Profile), cmp.Compare(a.run, b.run))
	})
	for _, s := range m.sets {
		slices.SortStableFunc(s.order, func(a, b *arm) int { return cmp.Compare(a.condition.Name(), b.condition.Name()) })
	}
}

// chainsSpokenOf names the chains that readers' words refer to.
func (s *said) chainsSpokenOf() map[review.ChainID]bool {
	out := map[review.ChainID]bool{}
	for _, list := range [][]review.Event{s.ratings, s.chains, s.final} {
		for _, e := range list {
			out[e.Chain] = true
		}
	}
	return out
}
