package desk

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"plumbline/backend/experiment"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// Uncertain says how unsure a model is of a case: the trigger that sends a case to an expert. How good a trigger it is, is measured (the report's
// AUROC): a model may be sure and wrong.
type Uncertain struct {
	Case         string   `json:"case"`
	Model        string   `json:"model"`
	Entropy      *float64 `json:"entropy"`      // mean over the answers of that over their options, 0 to 1; null: no probabilities came
	Missing      *float64 `json:"missing_mass"` // mean of what the probabilities of the options leave out
	Disagreement *float64 `json:"disagreement"` // share of questions answered otherwise when asked again (noop); null: not asked again
	Score        float64  `json:"score"`        // the greater of the two
	Questions    int      `json:"questions"`
	Chain        string   `json:"chain"` // that was looked at
	Again        string   `json:"again"` // of the question asked again; "": it was not
	answers      []review.Answer
}

// Uncertainty lists cases by how unsure the models are of them, the most unsure first, under the plain condition. A case that no model says
// anything of is left out. Fault Refused outside of the coordinator's seat.
func (d *Desk) Uncertainty(ctx context.Context) (all []Uncertain, err error) {
	const op = "list uncertain cases"
	all = []Uncertain{}
	err = d.within(op, func(r *room) error {
		if err := r.experimenter(op); err != nil {
			return err
		}
		set, err := r.data(op)
		if err != nil {
			return err
		}
		if err := r.unblind("how unsure models are"); err != nil {
			return err
		}
		all, err = r.uncertain(ctx, set.IDs())
		return err
	})
	return all, err
}

// uncertain works out how unsure the models are of cases.
func (r *room) uncertain(ctx context.Context, ids []review.CaseID) ([]Uncertain, error) {
	asked, err := r.askedTwice()
	if err != nil {
		return nil, err
	}
	found := make([][]Uncertain, len(ids))
	err = forEach(ctx, len(ids), func(_ context.Context, i int) error {
		id := ids[i]
		if len(asked[id]) == 0 {
			return nil
		}
		c, err := r.set.Case(id)
		if err != nil {
			return err
		}
		var names []review.ChainID
		for _, a := range asked[id] {
			names = append(names, a.id)
		}
		said, err := r.answersOf(r.set, id, names...)
		if err == nil {
			found[i] = unsure(c, asked[id], said)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out := list(slices.Concat(found...))
	slices.SortStableFunc(out, func(a, b Uncertain) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Case, b.Case)) })
	return out, nil
}

// plainChain is a chain of a model under the plain condition, or asked the same again.
type plainChain struct {
	id         review.ChainID
	model, run string
	again      bool
}

// askedTwice lists, by case, the chains of all models under the plain condition and asked again: imported ones first, then in order of chain.
func (r *room) askedTwice() (map[review.CaseID][]plainChain, error) {
	of, err := r.caseOfChains(r.set)
	if err != nil {
		return nil, err
	}
	var arms []store.Arm
	if err := r.runs.Arms(func(a store.Arm, _ int) error {
		if a.Condition == "original" || a.Condition == "noop" {
			arms = append(arms, a)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	out := map[review.CaseID][]plainChain{}
	for _, a := range arms {
		chains, err := r.runs.Arm(a)
		if err != nil {
			return nil, err
		}
		for _, c := range chains {
			if id, here := of[c.Chain]; here {
				out[id] = append(out[id], plainChain{id: c.Chain, model: a.Model, run: c.Run, again: a.Condition == "noop"})
			}
		}
	}
	for _, all := range out {
		slices.SortStableFunc(all, func(a, b plainChain) int {
			return cmp.Or(cmp.Compare(min(1, len(a.run)), min(1, len(b.run))), cmp.Compare(a.id, b.id))
		})
	}
	return out, nil
}

// twice is what one model said to a case in one run: plainly, and asked again. Without the name of a chain there is none.
type twice struct {
	model             string
	plainID, noopID   review.ChainID
	plainly, whenNoop []review.Answer
}

// unsure works out how unsure each model is of a case, from its latest plain chain that tells.
func unsure(c review.Case, asked []plainChain, said [][]review.Answer) []Uncertain {
	pairs := map[string]*twice{}
	var keys []string
	for i, p := range asked {
		key := p.model + "\x00" + p.run
		if pairs[key] == nil {
			pairs[key], keys = &twice{model: p.model}, append(keys, key)
		}
		if p.again {
			pairs[key].noopID, pairs[key].whenNoop = p.id, said[i]
		} else {
			pairs[key].plainID, pairs[key].plainly = p.id, said[i]
		}
	}
	byModel := map[string]Uncertain{}
	for _, key := range keys {
		if u, tells := pairs[key].unsure(c); tells {
			byModel[u.Model] = u
		}
	}
	out := []Uncertain{}
	for _, u := range byModel {
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b Uncertain) int { return cmp.Compare(a.Model, b.Model) })
	return out
}

func (t *twice) unsure(c review.Case) (Uncertain, bool) {
	u := Uncertain{Case: string(c.ID), Model: t.model}
	if t.plainID == "" {
		return u, false
	}
	u.Chain, u.Again, u.answers = string(t.plainID), string(t.noopID), t.plainly
	var entropy, missing []float64
	for _, a := range t.plainly {
		u.Questions++
		if a.Entropy != nil {
			entropy = append(entropy, *a.Entropy)
		}
		if a.MissingMass != nil {
			missing = append(missing, *a.MissingMass)
		}
	}
	u.Entropy, u.Missing = meanOf(entropy), meanOf(missing)
	if t.noopID != "" {
		var differs []float64
		for _, a := range t.plainly {
			at := slices.IndexFunc(t.whenNoop, func(b review.Answer) bool { return b.Question == a.Question })
			q := slices.IndexFunc(c.Questions, func(q review.Question) bool { return q.ID == a.Question })
			if at < 0 || q < 0 {
				continue
			}
			d := 0.
			if !sameAnswer(c.Questions[q], a.Answer, t.whenNoop[at].Answer) {
				d = 1
			}
			differs = append(differs, d)
		}
		u.Disagreement = meanOf(differs)
	}
	for _, v := range []*float64{u.Entropy, u.Disagreement} {
		if v != nil {
			u.Score = max(u.Score, *v)
		}
	}
	return u, u.Entropy != nil || u.Disagreement != nil
}

func meanOf(all []float64) *float64 {
	if len(all) == 0 {
		return nil
	}
	sum := 0.
	for _, v := range all {
		sum += v
	}
	sum /= float64(len(all))
	return &sum
}

// urgency gives the place of each case in an order by uncertainty, as the first four hex digits of it: the most unsure first, cases of which
// nothing is known last.
func (r *room) urgency(ctx context.Context, ids []review.CaseID) (map[review.CaseID]string, error) {
	all, err := r.uncertain(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := map[review.CaseID]string{}
	for _, u := range all { // the most unsure model counts, and it comes first
		if id := review.CaseID(u.Case); out[id] == "" {
			out[id] = fmt.Sprintf("%04x", int((1-min(1, u.Score))*0xfffe))
		}
	}
	for _, id := range ids {
		if out[id] == "" {
			out[id] = "ffff"
		}
	}
	return out, nil
}

// EmphasisOrder says what a reader points to in a case, so that a model looks again.
type EmphasisOrder struct {
	Case     string          `json:"case"`
	Chain    string          `json:"chain"`    // that was not convincing
	Question string          `json:"question"` // "": every question
	Words    []string        `json:"words"`
	Regions  []review.Region `json:"regions"`
	Model    string          `json:"model"` // "": the one that made the chain
}

const emphasiseOp = "point a model to something"

// Emphasise asks a model again with words named in the prompt and places boxed in the pixels: prompt emphasis, which is no guidance of its
// logits. It gives the chain before and after. Faults as ContinueFrom.
func (d *Desk) Emphasise(ctx context.Context, o EmphasisOrder) (Comparison, error) {
	return d.again(ctx, o.Case, o.Chain, func(r *room) (experiment.Plan, error) { return r.emphasised(ctx, o) })
}

// emphasised makes the plan of an emphasis.
func (r *room) emphasised(ctx context.Context, o EmphasisOrder) (p experiment.Plan, err error) {
	id, c, origin, err := r.parent(ctx, emphasiseOp, o.Case, review.ChainID(o.Chain))
	if err != nil {
		return p, err
	}
	of, err := r.set.Case(id)
	if err != nil {
		return p, err
	}
	e := experiment.Emphasis{Case: id, Question: review.QuestionID(o.Question), Words: o.Words, Regions: o.Regions, Parent: c.ID}
	if o.Question != "" && !slices.ContainsFunc(of.Questions, func(q review.Question) bool { return q.ID == e.Question }) {
		return p, invalid("question", "the case has no question %q", o.Question)
	}
	if len(o.Words)+len(o.Regions) == 0 {
		return p, fault.New(fault.Refused, emphasiseOp, o.Chain, "name words or draw a place")
	}
	for i, v := range o.Regions {
		if wrong := v.Fault(0); wrong != "" {
			return p, invalid(fmt.Sprintf("regions[%d]", i), "%s", wrong)
		}
	}
	condition := origin.Condition
	condition.Cue, condition.CueStage, condition.CueTarget, condition.Fill = "emphasis", "", "", ""
	name, err := r.modelOf(ctx, o.Model, origin)
	if err != nil {
		return p, err
	}
	p, err = experiment.NewPlan([]string{name.Name()}, []review.CaseID{id}, []string{condition.Name()}, origin.Seed, r.now())
	p.Emphasis = []experiment.Emphasis{e}
	return p, err
}
