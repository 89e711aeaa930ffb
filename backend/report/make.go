package report

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	cases    map[review.CaseID]review.Case
	subjects map[review.CaseID]*subject
	gold     map[review.CaseID]map[review.QuestionID]string
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
	return in
}

// Make computes a report. The same input gives the same document. Faults: Cancelled.
func Make(ctx context.Context, in Input) (Document, error) {
	in = in.filled()
	m := prepared(in)
	d := Document{Schema: Schema, Name: in.Dataset.Name, Version: in.Version, At: in.At, Synthetic: in.Synthetic, Seed: in.Seed, Resamples: in.Resamples,
		Filter: in.Filter, Choices: choices(in), Models: []Model{}, Comparisons: []Comparison{}, Splits: []Split{}, Readers: []Reader{}, Data: m.data(), Agreement: in.Agreement}
	sets := m.sets()
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
	d.Notes, d.Methods, d.Checklist = m.notes, m.methods(), m.checklist(sets)
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
		part := prepared(in)
		out := Split{Name: name, Cases: len(in.Cases), Models: []Model{}}
		for _, s := range part.sets() {
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

// prepared sorts out what a report is computed from.
func prepared(in Input) *maker {
	in = in.Filter.apply(in)
	who, size := subjects(in)
	m := &maker{in: in, counter: counter{in.Seed, in.Resamples, size}, stages: stagesOf(in), cases: map[review.CaseID]review.Case{},
		subjects: who, gold: map[review.CaseID]map[review.QuestionID]string{}, said: listen(in), notes: []string{}, kept: in.Filter.keeps}
	for _, c := range in.Cases {
		m.cases[c.ID] = c
	}
	for _, t := range in.Truth {
		if t.Gold == nil {
			continue
		}
		if m.gold[t.Case] == nil {
			m.gold[t.Case] = map[review.QuestionID]string{}
		}
		m.gold[t.Case][t.Question] = *t.Gold
	}
	return m
}

// sets sorts chains by model and run: what came with the study and what a run made later are never one, whatever the model is called.
func (m *maker) sets() []*set {
	origins := make(map[review.ChainID]review.Origin, len(m.in.Origins))
	for _, o := range m.in.Origins {
		origins[o.Chain] = o
	}
	t := newTable(m.in, m.subjects, m.kept)
	byKey := map[string]*set{}
	var out []*set
	strays := 0
	for _, c := range m.in.Chains {
		if m.subjects[c.Case] == nil {
			strays++
			continue
		}
		o, known := origins[c.ID]
		if !known {
			o.Model.Name = unknownName
		}
		key := strings.Join([]string{fmt.Sprint(known), o.Model.Name, o.Model.Provider, o.Model.Revision, o.Model.Profile, o.Run}, "\x00")
		s := byKey[key]
		if s == nil {
			s = &set{table: t, counter: m.counter, stages: m.stages, info: o.Model, run: o.Run, known: known, arms: map[string]map[string]*arm{}, cases: m.cases,
				recipes: map[review.ChainID][]review.Recipe{}}
			byKey[key] = s
			out = append(out, s)
		}
		s.put(c, o)
	}
	if strays > 0 && !m.in.Filter.all() {
		strays = 0
	}
	if strays > 0 && !slices.Contains(m.notes, strayNote(strays)) {
		m.notes = append(m.notes, strayNote(strays))
	}
	slices.SortStableFunc(out, func(a, b *set) int {
		return cmp.Or(cmp.Compare(bit(b.known), bit(a.known)), cmp.Compare(a.info.Name, b.info.Name), cmp.Compare(a.info.Revision, b.info.Revision),
			cmp.Compare(a.info.Provider, b.info.Provider), cmp.Compare(a.info.Profile, b.info.Profile), cmp.Compare(a.run, b.run))
	})
	for _, s := range out {
		slices.SortStableFunc(s.order, func(a, b *arm) int { return cmp.Compare(a.condition.Name(), b.condition.Name()) })
	}
	return out
}

func strayNote(n int) string {
	return plural(n, "chain") + " of cases that are not in the study left out."
}

// marked compares chains with gold.
func (m *maker) marked(list []review.Chain, parse map[string]int) ([]marked, map[review.ChainID]int) {
	chains, at := make([]marked, 0, len(list)), map[review.ChainID]int{}
	for i, c := range list {
		chains = append(chains, markChain(c, m.cases[c.Case], m.gold[c.Case], m.subjects[c.Case], m.kept, parse))
		at[c.ID] = i
	}
	return chains, at
}

// model computes the part of one model of one run; base is its baseline.
func (m *maker) model(s *set, base *arm) Model {
	parse := map[string]int{}
	chains, at := m.marked(base.every, parse)
	ratings, whole := m.judged(chains, at)
	final := m.final(chains, at)
	condition := unknownName
	if s.known {
		condition = base.condition.Name()
	}
	out := Model{
		Key: s.key(base), Model: s.info.Name, Provider: s.info.Provider, Revision: s.info.Revision, Profile: s.info.Profile, Run: s.run, Condition: condition,
		Chains: len(chains), Seeds: slices.Sorted(slices.Values(s.seeds)), Temperatures: slices.Sorted(slices.Values(s.heat)), Conditions: []Condition{},
		Accuracy:       m.counter.accuracy(chains, m.stages, parse),
		GroundingHuman: m.counter.grounding(chains, ratings, m.stages, noRatings),
		GroundingFinal: m.counter.grounding(chains, final, m.stages, "no step was adjudicated"),
		Labels:         labels(ratings, whole, m.in.Rubric),
	}
	out.GroundingFinal.Readers = 0
	if s.base != nil {
		out.Conditions = m.conditions(s)
	}
	out.Origin, out.GroundingCausal, out.ImageReliance = s.origin(), s.causal(s.readersOn(ratings, chains)), s.imageReliance()
	out.Mediation, out.Cues, out.Consistency = s.mediation(), s.cues(m.acknowledged()), s.consistency()
	out.Text, out.Context, out.Localisation, out.Calibration = s.text(), s.context(), s.localisation(), s.calibration()
	return out
}

// acknowledged says by chain and question whether readers found the cue acknowledged in any step; a question of which none said is not there.
func (m *maker) acknowledged() map[review.ChainID]map[review.QuestionID]bool {
	chains := make(map[review.ChainID]review.Chain, len(m.in.Chains))
	for _, c := range m.in.Chains {
		chains[c.ID] = c
	}
	out := map[review.ChainID]map[review.QuestionID]bool{}
	for _, e := range m.said.ratings {
		ack := e.Body.Rating.CueAck
		c, known := chains[e.Chain]
		if ack == "" || !known || !sameChain(e, c) {
			continue
		}
		for _, a := range c.Answers {
			if slices.ContainsFunc(a.Steps, func(s review.Step) bool { return s.ID == e.Body.Rating.Step }) {
				if out[c.ID] == nil {
					out[c.ID] = map[review.QuestionID]bool{}
				}
				out[c.ID][a.Question] = out[c.ID][a.Question] || ack != "none"
			}
		}
	}
	return out
}

// judged gives the signed ratings of the steps, and of the whole, of these chains.
func (m *maker) judged(chains []marked, at map[review.ChainID]int) ([]judged, []review.ChainRating) {
	steps := placesOf(chains)
	var ratings []judged
	var whole []review.ChainRating
	for _, e := range m.said.ratings {
		i, known := at[e.Chain]
		if !known || !sameChain(e, chains[i].chain) {
			continue
		}
		if p, known := steps[i][e.Body.Rating.Step]; known && e.Body.Rating.Support != review.Unrated {
			ratings = append(ratings, judged{e.Reader, *e.Body.Rating, p.k, p.answer, i, e.Assignment})
		}
	}
	for _, e := range m.said.chains {
		if i, known := at[e.Chain]; known && sameChain(e, chains[i].chain) {
			whole = append(whole, *e.Body.ChainRating)
		}
	}
	return ratings, whole
}

// place is where a step stands.
type place struct {
	k      int
	answer review.QuestionID
}

// placesOf finds the steps of each chain.
func placesOf(chains []marked) []map[review.StepID]place {
	steps := make([]map[review.StepID]place, len(chains))
	for i, c := range chains {
		steps[i] = map[review.StepID]place{}
		asked := map[review.QuestionID]review.Question{}
		for _, q := range c.asked {
			asked[q.ID] = q
		}
		for _, a := range c.chain.Answers {
			if q := asked[a.Question]; c.kept(q) {
				for _, s := range a.Steps {
					steps[i][s.ID] = place{q.K, a.Question}
				}
			}
		}
	}
	return steps
}

// sameChain says whether an event speaks of this very chain: a re-run makes a new chain, never new text under old ratings.
func sameChain(e review.Event, c review.Chain) bool {
	return e.ChainDigest == "" || e.ChainDigest == c.Digest
}

// data counts what the study is made of.
func (m *maker) data() Data {
	var all rows
	d := Data{Cases: len(m.in.Cases), Frames: m.in.Frames, ClusterKey: m.in.Dataset.ClusterKey, Chains: len(m.in.Chains), Unsigned: m.said.unsigned}
	for _, c := range m.in.Cases {
		all.add(m.subjects[c.ID], 0)
		d.Questions += len(c.Questions)
		for _, q := range c.Questions {
			if _, known := m.gold[c.ID][q.ID]; known {
				d.Gold++
			}
		}
	}
	n, _ := m.counter.spread(all)
	d.Patients, d.Images, d.Variants, d.Clusters = n.Patients, n.Images, n.Variants, n.Clusters
	for _, s := range m.said.signed {
		d.Signed += s
	}
	return d
}
