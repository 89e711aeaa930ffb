package report

import (
	"cmp"
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

// load puts the chains into columns, and lists the models and conditions that there are.
func (m *maker) load(all *Filter) error {
	spoken := m.said.chainsSpokenOf()
	of, called := map[source]*set{}, map[review.Condition]names{}
	conditions, models := map[string]bool{}, map[string]bool{}
	strays := 0
	err := m.in.each(func(c *review.Chain, o *review.Origin) error {
		known := o != nil
		if !known {
			o = &review.Origin{Model: review.ModelInfo{Name: unknownName}}
		}
		key := o.Condition
		key.CueTarget = ""
		name, met := called[key]
		if !met {
			name.whole = o.Condition.Name()
			name.plain, name.fill = plainName(o.Condition)
			called[key] = name
		}
		condition := name.whole
		if known {
			conditions[condition], models[o.Model.Name] = true, true
		} else {
			condition = unknownName
		}
		switch {
		case !m.in.Filter.lets(o, condition):
			return nil
		case m.subjects[c.Case] == nil:
			strays++
			return nil
		}
		m.chains++
		if span := m.table.at[c.Case]; span[0] == span[1] {
			m.chained[c.Case] = true
		}
		from := source{known, o.Model, o.Run}
		s := of[from]
		if s == nil {
			s = &set{table: m.table, counter: m.counter, stages: m.stages, info: o.Model, run: o.Run, known: known, arms: map[string]map[string]*arm{}, cases: m.cases,
				seeds: map[int64]bool{}, heat: map[float64]bool{}}
			of[from] = s
			m.sets = append(m.sets, s)
		}
		if h := s.put(c, o, name.plain, name.fill, spoken[c.ID]); h != nil {
			m.heard[h.id] = h
		}
		return nil
	})
	if err != nil {
		return err
	}
	m.ordered()
	if strays > 0 && m.in.Filter.all() {
		m.notes = append(m.notes, plural(strays, "chain")+" of cases that are not in the study left out.")
	}
	for name := range conditions {
		all.Conditions = append(all.Conditions, name)
	}
	for name := range models {
		if name != "" {
			all.Models = append(all.Models, name)
		}
	}
	return nil
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
