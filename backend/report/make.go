package report

import (
	"context"
	"maps"
	"slices"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// defaultResamples is the least that measurement.md (43) allows.
const defaultResamples = 2000

// maker holds what every part of a report is computed from.
type maker struct {
	in       Input
	counter  counter
	stages   []stage
	cases    map[review.CaseID]*review.Case
	subjects map[review.CaseID]*subject
	table    *table
	sets     []*set
	heard    map[review.ChainID]*heard // chains that readers spoke of
	chains   int                       // that pass the filter
	chained  map[review.CaseID]bool    // cases without a question that have one
	choices  Filter
	said     said
	notes    []string
	kept     func(review.Question) bool
}

// filled puts in what is left out.
func (in Input) filled() Input {
	if in.Resamples == 0 {
		in.Resamples = defaultResamples
	}
	if in.Rubric.Name == "" {
		in.Rubric = review.GRD()
	}
	in.Filter = in.Filter.filled()
	if in.Agreement == nil {
		in.Agreement = []Agreement{}
	}
	if in.Overturns == nil {
		in.Overturns = []Overturn{}
	}
	return in
}

// Make computes a report. The same input gives the same document. Faults: Cancelled; those of Input.Each.
func Make(ctx context.Context, in Input) (Document, error) {
	in = in.filled()
	m, err := prepared(in)
	if err != nil {
		return Document{}, err
	}
	d := Document{Schema: Schema, Name: in.Dataset.Name, Version: in.Version, At: in.At, Synthetic: in.Synthetic, Seed: in.Seed, Resamples: in.Resamples,
		Filter: in.Filter, Choices: m.choices, Models: []Model{}, Comparisons: []Comparison{}, Splits: []Split{}, Readers: []Reader{}, Data: m.data(), Agreement: in.Agreement, Overturns: in.Overturns}
	sets := m.sets
	var entries []*set
	var keys []string
	for _, s := range sets {
		for _, base := range s.baselines() {
			if err := ctx.Err(); err != nil {
				return Document{}, fault.In("make report", in.Dataset.Name, err)
			}
			model := m.model(s, base)
			d.Models = append(d.Models, model)
			entries, keys = append(entries, s), append(keys, model.Key)
		}
	}
	d.Comparisons = m.comparisons(entries, keys)
	if err := m.split(ctx, &d); err != nil {
		return Document{}, err
	}
	d.Readers = m.readers()
	m.explain()
	d.Notes, d.Methods, d.Checklist = m.notes, m.methods(), m.checklist(d.Models)
	define(&d)
	return d, nil
}

// split makes the models' part again for each part of a held-out split.
func (m *maker) split(ctx context.Context, d *Document) error {
	byName := map[string][]review.Case{}
	for _, c := range m.in.Cases {
		if name := m.in.Splits[c.ID]; name != "" {
			byName[name] = append(byName[name], c)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		in := m.in
		in.Cases, in.Splits = byName[name], nil
		part, err := prepared(in)
		if err != nil {
			return err
		}
		out := Split{Name: name, Cases: len(in.Cases), Models: []Model{}}
		for _, s := range part.sets {
			for _, base := range s.baselines() {
				if err := ctx.Err(); err != nil {
					return fault.In("make report", name, err)
				}
				out.Models = append(out.Models, part.model(s, base))
			}
		}
		d.Splits = append(d.Splits, out)
	}
	return nil
}

// model computes the part of one model of one run; base is its baseline.
func (m *maker) model(s *set, base *arm) Model {
	chains := base.marked()
	ratings, whole := m.judged(base)
	final := m.final(base)
	condition := unknownName
	if s.known {
		condition = base.condition.Name()
	}
	out := Model{
		Key: s.key(base), Model: s.info.Name, Provider: s.info.Provider, Revision: s.info.Revision, Profile: s.info.Profile, Run: s.run, Condition: condition,
		Chains: len(chains), Seeds: slices.Sorted(maps.Keys(s.seeds)), Temperatures: slices.Sorted(maps.Keys(s.heat)), Conditions: []Condition{},
		Accuracy:       m.counter.accuracy(chains, m.stages, base.parse),
		GroundingHuman: m.counter.grounding(chains, ratings, base.steps, m.stages, noRatings),
		GroundingFinal: m.counter.grounding(chains, final, base.steps, m.stages, "no step was adjudicated"),
		Labels:         labels(ratings, whole, m.in.Rubric),
	}
	out.GroundingFinal.Readers = 0
	if s.base != nil {
		out.Conditions = m.conditions(s)
	}
	out.Origin, out.GroundingCausal, out.ImageReliance = s.origin(), s.causal(s.readersOn(ratings)), s.imageReliance()
	out.Mediation, out.Cues, out.Consistency = s.mediation(), s.cues(m.acknowledged()), s.consistency()
	out.Text, out.Context, out.Localisation, out.Calibration = s.text(), s.context(), s.localisation(), s.calibration()
	return out
}

// acknowledged says by chain and item whether readers found the cue acknowledged in any step; an item of which none said is not there.
func (m *maker) acknowledged() map[review.ChainID]map[int]bool {
	out := map[review.ChainID]map[int]bool{}
	for _, e := range m.said.ratings {
		ack, h := e.Body.Rating.CueAck, m.heard[e.Chain]
		if ack == "" || h == nil || !sameChain(e, h) {
			continue
		}
		if p, known := h.steps[e.Body.Rating.Step]; known && p.at >= 0 {
			if out[h.id] == nil {
				out[h.id] = map[int]bool{}
			}
			out[h.id][p.at] = out[h.id][p.at] || ack != "none"
		}
	}
	return out
}

// judged gives the signed ratings of the steps, and of the whole, of an arm's chains.
func (m *maker) judged(a *arm) ([]judged, []review.ChainRating) {
	at := a.heardAt()
	var ratings []judged
	var whole []review.ChainRating
	for _, e := range m.said.ratings {
		i, known := at[e.Chain]
		if !known || !sameChain(e, a.heard[i]) {
			continue
		}
		if p, known := m.placed(a.heard[i], e.Body.Rating.Step); known && e.Body.Rating.Support != review.Unrated {
			ratings = append(ratings, judged{e.Reader, *e.Body.Rating, p, i, e.Assignment})
		}
	}
	for _, e := range m.said.chains {
		if i, known := at[e.Chain]; known && sameChain(e, a.heard[i]) {
			whole = append(whole, *e.Body.ChainRating)
		}
	}
	return ratings, whole
}

// heardAt gives the place of each chain that readers spoke of.
func (a *arm) heardAt() map[review.ChainID]int {
	out := make(map[review.ChainID]int, len(a.heard))
	for i, h := range a.heard {
		out[h.id] = i
	}
	return out
}

// placed gives where a step stands, if its question passes the filter.
func (m *maker) placed(h *heard, step review.StepID) (place, bool) {
	p, known := h.steps[step]
	if !known {
		return p, false
	}
	if p.at < 0 {
		return p, m.kept(review.Question{})
	}
	return p, m.table.items[p.at].kept
}

// sameChain says whether an event speaks of this very chain: a re-run makes a new chain, never new text under old ratings.
func sameChain(e review.Event, h *heard) bool {
	return e.ChainDigest == "" || e.ChainDigest == h.digest
}

// data counts what the study is made of.
func (m *maker) data() Data {
	var all rows
	d := Data{Cases: len(m.in.Cases), Frames: m.in.Frames, ClusterKey: m.in.Dataset.ClusterKey, Chains: m.chains, Unsigned: m.said.unsigned}
	for _, c := range m.in.Cases {
		all.add(m.subjects[c.ID], 0)
		d.Questions += len(c.Questions)
	}
	for i := range m.table.items {
		d.Gold += int(bit(m.table.items[i].gold != absent))
	}
	n, _ := m.counter.spread(all)
	d.Patients, d.Images, d.Variants, d.Clusters = n.Patients, n.Images, n.Variants, n.Clusters
	for _, s := range m.said.signed {
		d.Signed += s
	}
	return d
}
