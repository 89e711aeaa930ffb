package report

import (
	"cmp"
	"context"
	"fmt"
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
}

// filled puts in what is left out.
func (in Input) filled() Input {
	if in.Resamples == 0 {
		in.Resamples = defaultResamples
	}
	if in.Rubric.Name == "" {
		in.Rubric = review.GRD()
	}
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
		Models: []Model{}, Readers: []Reader{}, Data: m.data(), Agreement: in.Agreement}
	for _, group := range m.groups() {
		if err := ctx.Err(); err != nil {
			return Document{}, fault.In("make report", in.Dataset.Name, err)
		}
		d.Models = append(d.Models, m.model(group))
	}
	d.Readers = m.readers()
	m.explain()
	d.Notes, d.Methods = m.notes, m.methods()
	return d, nil
}

// prepared sorts out what a report is computed from.
func prepared(in Input) *maker {
	m := &maker{in: in, counter: counter{in.Seed, in.Resamples}, stages: stagesOf(in), cases: map[review.CaseID]review.Case{},
		subjects: subjects(in), gold: map[review.CaseID]map[review.QuestionID]string{}, said: listen(in), notes: []string{}}
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

// group is the chains of one model under one condition.
type group struct {
	info      review.ModelInfo
	condition string
	known     bool
	chains    []review.Chain
}

// groups sorts chains by what made them, models by name, the original condition first.
func (m *maker) groups() []*group {
	origins := make(map[review.ChainID]review.Origin, len(m.in.Origins))
	for _, o := range m.in.Origins {
		origins[o.Chain] = o
	}
	byKey := map[string]*group{}
	var out []*group
	strays := 0
	for _, c := range m.in.Chains {
		if m.subjects[c.Case] == nil {
			strays++
			continue
		}
		o, known := origins[c.ID]
		g := &group{o.Model, o.Condition.Name(), known, nil}
		if !known {
			g.info.Name, g.condition = "unknown", "unknown"
		}
		key := strings.Join([]string{fmt.Sprint(known), g.info.Name, g.info.Provider, g.info.Revision, g.info.Profile, g.condition}, "\x00")
		if byKey[key] == nil {
			byKey[key] = g
			out = append(out, g)
		}
		byKey[key].chains = append(byKey[key].chains, c)
	}
	if strays > 0 {
		m.notes = append(m.notes, plural(strays, "chain")+" of cases that are not in the study left out.")
	}
	slices.SortFunc(out, func(a, b *group) int {
		return cmp.Or(cmp.Compare(bit(b.known)[0], bit(a.known)[0]), cmp.Compare(a.info.Name, b.info.Name), cmp.Compare(a.info.Revision, b.info.Revision),
			cmp.Compare(a.info.Provider, b.info.Provider), cmp.Compare(a.info.Profile, b.info.Profile),
			cmp.Compare(bit(b.condition == "original")[0], bit(a.condition == "original")[0]), cmp.Compare(a.condition, b.condition))
	})
	return out
}

// later is why a part of the report is empty.
const later = "not computed by this version of Plumbline"

// model computes one model's part.
func (m *maker) model(g *group) Model {
	parse := map[string]int{}
	chains := make([]marked, 0, len(g.chains))
	at := map[review.ChainID]int{}
	for i, c := range g.chains {
		chains = append(chains, markChain(c, m.cases[c.Case], m.gold[c.Case], m.subjects[c.Case], parse))
		at[c.ID] = i
	}
	ratings, whole := m.judged(chains, at)
	return Model{
		Model: g.info.Name, Provider: g.info.Provider, Revision: g.info.Revision, Profile: g.info.Profile, Condition: g.condition, Chains: len(chains),
		Accuracy:       m.counter.accuracy(chains, m.stages, parse),
		GroundingHuman: m.counter.grounding(chains, ratings, m.stages),
		Labels:         labels(ratings, whole, m.in.Rubric),
		Origin:         absent("needs runs that are given the right earlier answers; %s", later),
		GroundingCausal: absent("needs runs with the evidence occluded, a control region occluded, and the unchanged input run again; %s",
			later),
		ImageReliance: absent("needs intervention runs; %s", later), Mediation: absent("needs the four runs of the 2×2; %s", later),
		Cues: absent("needs runs with cues; %s", later), Consistency: absent("needs paraphrase groups and a run without image; %s", later),
		Context: absent("needs runs with one field of the context changed; %s", later), Localisation: absent("%s", later), Calibration: absent("%s", later),
	}
}

// judged gives the signed ratings of the steps, and of the whole, of these chains.
func (m *maker) judged(chains []marked, at map[review.ChainID]int) ([]judged, []review.ChainRating) {
	type place struct {
		k      int
		answer review.QuestionID
	}
	steps := make([]map[review.StepID]place, len(chains))
	for i, c := range chains {
		steps[i] = map[review.StepID]place{}
		stage := map[review.QuestionID]int{}
		for _, q := range c.asked {
			stage[q.ID] = q.K
		}
		for _, a := range c.chain.Answers {
			for _, s := range a.Steps {
				steps[i][s.ID] = place{stage[a.Question], a.Question}
			}
		}
	}
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

// sameChain says whether an event speaks of this very chain: a re-run makes a new chain, never new text under old ratings.
func sameChain(e review.Event, c review.Chain) bool {
	return e.ChainDigest == "" || e.ChainDigest == c.Digest
}

// readers makes the table of readers.
func (m *maker) readers() []Reader {
	out := []Reader{}
	toRead := m.toRead()
	for _, id := range m.said.readers {
		r := Reader{Reader: string(id), Assigned: m.said.assigned[id], Signed: m.said.signed[id], Revisions: m.said.revisions[id]}
		if !m.said.dealt {
			r.Assigned = max(r.Assigned, toRead)
		}
		support := tally{}
		for _, e := range m.said.ratings {
			if e.Reader == id {
				r.Ratings++
				support.add(string(e.Body.Rating.Support))
			}
		}
		for _, e := range m.said.chains {
			if e.Reader == id {
				r.ChainRatings++
			}
		}
		var rows []row
		for _, e := range m.said.looks {
			if e.Reader != id {
				continue
			}
			r.Looks++
			gold, known := m.gold[e.Case][e.Body.Look.Question]
			for _, q := range m.cases[e.Case].Questions {
				if known && q.ID == e.Body.Look.Question {
					rows = append(rows, row{m.subjects[e.Case], bit(q.Same(e.Body.Look.Answer, gold))})
				}
			}
		}
		r.LookAccuracy = m.counter.share(rows, "no signed look at a question with a known right answer")
		r.Support = counted(support, options(m.in.Rubric.Step, "support"))
		out = append(out, r)
	}
	return out
}

// toRead counts the cases that there is something to say of.
func (m *maker) toRead() (n int) {
	chained := map[review.CaseID]bool{}
	for _, c := range m.in.Chains {
		chained[c.Case] = true
	}
	for _, c := range m.in.Cases {
		if len(c.Questions) > 0 || chained[c.ID] {
			n++
		}
	}
	return n
}

// data counts what the study is made of.
func (m *maker) data() Data {
	var rows []row
	d := Data{Cases: len(m.in.Cases), Frames: m.in.Frames, ClusterKey: m.in.Dataset.ClusterKey, Chains: len(m.in.Chains), Unsigned: m.said.unsigned}
	for _, c := range m.in.Cases {
		rows = append(rows, row{m.subjects[c.ID], []float64{0}})
		d.Questions += len(c.Questions)
		for _, q := range c.Questions {
			if _, known := m.gold[c.ID][q.ID]; known {
				d.Gold++
			}
		}
	}
	n, _ := spread(rows)
	d.Patients, d.Images, d.Variants, d.Clusters = n.Patients, n.Images, n.Variants, n.Clusters
	for _, s := range m.said.signed {
		d.Signed += s
	}
	return d
}

// explain writes what was left out.
func (m *maker) explain() {
	d := m.data()
	add := func(format string, args ...any) { m.notes = append(m.notes, fmt.Sprintf(format, args...)) }
	switch {
	case d.Cases == 0:
		add("The study holds no case.")
	case d.Chains == 0:
		add("There is no chain: nothing can be said of a model.")
	}
	if d.Questions > 0 && d.Gold < d.Questions {
		add("%d of %d questions have no known right answer and count in no accuracy.", d.Questions-d.Gold, d.Questions)
	}
	if d.Signed == 0 {
		add("No reading is signed: grounding by readers cannot be estimated.")
	}
	if m.said.unsigned > 0 {
		add("%s begun and not signed; only signed readings count.", plural(m.said.unsigned, "reading"))
	}
	if m.said.conflicts > 0 {
		add("%s given on two machines at once; the later one counts, both are in the ledger.", plural(m.said.conflicts, "answer"))
	}
	if m.said.again > 0 {
		add("%s in repeated reads and later sessions left out: of each reader the first read counts.", plural(m.said.again, "answer"))
	}
	if m.said.practice > 0 {
		add("%s in training cases left out.", plural(m.said.practice, "answer"))
	}
	if m.said.other > 0 {
		add("%s under another rubric than %s version %s left out.", plural(m.said.other, "rating"), m.in.Rubric.Name, m.in.Rubric.Version)
	}
	if m.strays() > 0 {
		add("%s about another version of a chain, or about a step that is not in it, left out.", plural(m.strays(), "rating"))
	}
	if key := m.in.Dataset.ClusterKey; key != "" && key != "patient" && d.Cases > 0 {
		add("Identity goes as far as the %s: independence of patients cannot be verified.", key)
	}
}

// strays counts ratings that belong to no step of a chain as it is now.
func (m *maker) strays() int {
	have := map[review.ChainID]review.Chain{}
	for _, c := range m.in.Chains {
		have[c.ID] = c
	}
	n := 0
	for _, e := range m.said.ratings {
		c, known := have[e.Chain]
		found := known && sameChain(e, c) && slices.ContainsFunc(c.Answers, func(a review.Answer) bool {
			return slices.ContainsFunc(a.Steps, func(s review.Step) bool { return s.ID == e.Body.Rating.Step })
		})
		if !found {
			n++
		}
	}
	return n
}

// methods says how the numbers were made.
func (m *maker) methods() []string {
	return []string{
		"Accuracy and grounding are two things and are nowhere blended. Accuracy compares a chain's answers with the known right answers, stage by stage; " +
			"an answer that is missing, empty, unparsed, refused or abstained counts as wrong and is listed apart. Chain accuracy asks for every answer of a chain to be right, " +
			"prefix survival for every answer up to a stage; lift is chain accuracy over the product of the stage accuracies; the final answer is right with a wrong chain " +
			"where at least one earlier stage is wrong.",
		"Grounding by readers is the share of step ratings (GRD v1) that are supported (strict), or supported or partly (lenient). One row is one rating of one step by one reader; " +
			"not visual and cannot assess are not counted. Right for the wrong reason is the share of right answers on which a reader gave at least one step a support of unsupported or contradicted. " +
			"Labels are those of signed readings before any adjudication, in the last revision of each; replaced answers stay in the ledger.",
		fmt.Sprintf("Rows are not independent. A cluster is a connected component of cases over patient, study, volume or series, and identical images. "+
			"The design effect is 1 + (Σm²/Σm − 1)·ICC(1) for means, and the variance by cluster over that by row, at least 1, for other numbers; n eff = n / design effect. "+
			"Intervals are of 95 %%: under 10 clusters none; with 10 to 19 clusters t with G − 1 degrees of freedom on the clustered standard error, on the logit scale for proportions; "+
			"a proportion of 0 or 1 has a Wilson interval at n eff; otherwise the percentiles of %d cluster bootstraps with seed %d. Readers are taken as fixed.", m.in.Resamples, m.in.Seed),
		"Agreement compares signed first reads as they stood before adjudication; what cannot be judged from the image is missing. Items counts those that two readers or more answered, " +
			"of all that anybody answered; same is the share of pairs of readers with the same answer; the headline is Krippendorff's alpha on the scale of the question, or for regions the mean IoU, " +
			"with an interval by cluster bootstrap. Cohen's kappa (unweighted, and quadratic where levels have an order) is of two readers, Fleiss' kappa of items that all readers answered, " +
			"Gwet's AC1 stands beside kappa since kappa falls where one answer is much more common. All levels of the rubric count, also unused ones.",
	}
}
