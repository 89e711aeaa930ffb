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
	byCase := make([]int, len(in.Chains))
	for i := range byCase {
		byCase[i] = i
	}
	slices.SortStableFunc(byCase, func(a, b int) int { return cmp.Compare(in.Chains[a].Case, in.Chains[b].Case) })
	for _, i := range byCase {
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

	now     review.CaseID             // whose chains are being filed
	from    map[review.ChainID]source // of its chains
	waiting []goneOn                  // of its chains, those that go on from another
}

// goneOn is a chain that goes on from another one of its case.
type goneOn struct {
	chain  review.Chain
	origin review.Origin
}

// load puts the chains into columns, and lists the models and conditions that there are.
func (m *maker) load(all *Filter) error {
	l := &loading{
		maker: m, of: map[source]*set{}, called: map[review.Condition]names{}, conditions: map[string]bool{}, models: map[string]bool{},
		spoken: m.said.chainsSpokenOf(), from: map[review.ChainID]source{},
	}
	if err := m.in.each(func(c *review.Chain, o *review.Origin) error { l.take(c, o); return nil }); err != nil {
		return err
	}
	l.goOn()
	m.ordered()
	if l.strays > 0 && m.in.Filter.all() {
		m.notes = append(m.notes, plural(l.strays, "chain")+" of cases that are not in the study left out.")
	}
	all.Conditions = slices.Collect(maps.Keys(l.conditions))
	delete(l.models, "")
	all.Models = slices.Collect(maps.Keys(l.models))
	return nil
}

// take files one chain; what made it may not be known. One that goes on from another waits until all of its case are there.
func (l *loading) take(c *review.Chain, o *review.Origin) {
	if c.Case != l.now {
		l.goOn()
		l.now = c.Case
		clear(l.from)
	}
	known := o != nil
	if !known {
		o = &review.Origin{Model: review.ModelInfo{Name: unknownName}}
	}
	from := source{known, o.Model, o.Run}
	l.from[c.ID] = from
	if o.Parent != "" {
		l.waiting = append(l.waiting, goneOn{*c, *o})
		return
	}
	l.file(c, o, from)
}

// goOn files the chains of a case that go on from another, beside that one where the same model made it: what came of a correction is compared
// with what it corrected, whatever run it was asked in. Of several the latest counts.
func (l *loading) goOn() {
	slices.SortStableFunc(l.waiting, func(a, b goneOn) int { return cmp.Compare(a.chain.Started, b.chain.Started) })
	for _, w := range l.waiting {
		if parent, met := l.from[w.origin.Parent]; met && parent.known && parent.model == w.origin.Model {
			l.from[w.chain.ID] = parent
		}
	}
	for i := len(l.waiting) - 1; i >= 0; i-- {
		w := &l.waiting[i]
		l.file(&w.chain, &w.origin, l.from[w.chain.ID])
	}
	l.waiting = l.waiting[:0]
}

// file puts a chain into the set of those that were made alike.
func (l *loading) file(c *review.Chain, o *review.Origin, from source) {
	name := l.namesOf(o.Condition)
	condition := name.whole
	if from.known {
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
	if h := l.setOf(from).put(c, o, name.plain, name.fill, l.spoken[c.ID]); h != nil {
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
func (l *loading) setOf(from source) *set {
	s := l.of[from]
	if s == nil {
		s = &set{table: l.table, counter: l.counter, stages: l.stages, info: from.model, run: from.run, known: from.known, arms: map[string]map[string]*arm{}, cases: l.cases,
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
