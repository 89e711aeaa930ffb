package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"plumbline/backend/experiment"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// ContinueOrder says from where a chain goes on: from what a reader would have said in place of its steps (OwnAnswer).
type ContinueOrder struct {
	Case   string `json:"case"`
	Chain  string `json:"chain"`
	Reader string `json:"reader"` // whose corrections; "": this seat's reader's, else those of whoever corrected it last
	Model  string `json:"model"`  // to ask, as a run names it; "": the one that made the chain
	// Own holds corrections that are given with the order and stand in no reading: for a chain that nobody was assigned. Empty: Reader's are taken.
	Own []review.OwnAnswer `json:"own"`
}

const continueOp = "continue from here"

// ContinueFrom asks the later stages of a chain again, told the reader's corrections in place of the model's answers, and returns when they
// are answered: a new chain with its parent in its origin, beside the one before. It is a run like any other. Faults: NotFound, Refused
// outside of the coordinator's seat, where nothing was corrected and where nothing is left to ask; Busy while a run is under way; Endpoint.
func (d *Desk) ContinueFrom(ctx context.Context, o ContinueOrder) (Comparison, error) {
	return d.again(ctx, o.Case, o.Chain, func(r *room) (experiment.Plan, error) { return r.continued(ctx, o) })
}

// again carries out a plan for one chain of a case and sets what comes of it beside that chain.
func (d *Desk) again(ctx context.Context, name, chain string, plan func(*room) (experiment.Plan, error)) (out Comparison, err error) {
	var p experiment.Plan
	err = d.within(continueOp, func(r *room) (err error) {
		if p, err = plan(r); err != nil {
			return err
		}
		models, err := r.askable(ctx, p.Models, 0)
		if err != nil {
			return err
		}
		return d.begin(ctx, r, p, models, 0)
	})
	if err != nil {
		return out, err
	}
	s, err := d.ended(ctx)
	switch {
	case err != nil:
		return out, err
	case len(s.NotApplicable) > 0:
		return out, fault.New(fault.Refused, continueOp, chain, "%s", s.NotApplicable[0].Kind)
	case len(s.Failed) > 0:
		return out, fault.New(fault.Endpoint, continueOp, chain, "the model did not answer: %s", s.Failed[0].Kind)
	}
	err = d.within(continueOp, func(r *room) error {
		id, err := r.caseNamed(continueOp, name)
		if err != nil {
			return err
		}
		made, err := r.madeChains(id)
		if err != nil {
			return err
		}
		for _, c := range made {
			if origin, err := r.originOf(c.ID); err != nil || origin != nil && origin.Run == p.Run {
				if err == nil {
					out, err = r.compare(ctx, name, [2]string{chain, string(c.ID)})
				}
				return err
			}
		}
		return fault.New(fault.NotFound, continueOp, chain, "the run made no chain")
	})
	return out, err
}

// parent finds the chain from which something goes on, with what made it; what its reader may not know yet is refused.
func (r *room) parent(ctx context.Context, op, name string, chain review.ChainID) (id review.CaseID, c review.Chain, origin *review.Origin, err error) {
	if err = r.experimenter(op); err != nil {
		return id, c, nil, err
	}
	hidden, err := r.hidesArms(ctx, name)
	if err != nil {
		return id, c, nil, err
	}
	if hidden {
		return id, c, nil, fault.New(fault.Refused, op, string(chain), "models are hidden until the patient is signed")
	}
	if id, err = r.caseNamed(op, name); err != nil {
		return id, c, nil, err
	}
	if c, err = r.chainOf(ctx, name, id, chain); err != nil {
		return id, c, nil, err
	}
	if origin, err = r.originOf(c.ID); err == nil && origin == nil {
		err = fault.New(fault.Refused, op, string(chain), "it is not known which model made the chain")
	}
	return id, c, origin, err
}

// modelOf gives the model of a name; with "" the one that made a chain.
func (r *room) modelOf(ctx context.Context, name string, origin *review.Origin) (experiment.Asked, error) {
	if name == "" {
		if name = origin.Model.Profile; name == "control" || name == "" {
			name = origin.Model.Name
		}
	}
	models, err := r.askable(ctx, []string{name}, 0)
	if err != nil {
		return experiment.Asked{}, err
	}
	return models[0], nil
}

// continued makes the plan that goes on from a chain.
func (r *room) continued(ctx context.Context, o ContinueOrder) (p experiment.Plan, err error) {
	id, c, origin, err := r.parent(ctx, continueOp, o.Case, review.ChainID(o.Chain))
	if err != nil {
		return p, err
	}
	of, err := r.set.Case(id)
	if err != nil {
		return p, err
	}
	said, err := r.saidInstead(ctx, o, c, of)
	if err != nil {
		return p, err
	}
	corrected, why := experiment.NewCorrected(c, *origin, of.Questions, said)
	if why != "" {
		return p, fault.New(fault.Refused, continueOp, o.Chain, "%s", why)
	}
	m, err := r.modelOf(ctx, o.Model, origin)
	if err != nil {
		return p, err
	}
	corrected.Model = m.Info.Name
	p, err = experiment.NewPlan([]string{m.Name()}, []review.CaseID{id}, []string{corrected.Condition}, origin.Seed, r.now())
	p.Corrected = []experiment.Corrected{corrected}
	return p, err
}

// saidInstead gives the corrections from which a chain goes on.
func (r *room) saidInstead(ctx context.Context, o ContinueOrder, c review.Chain, of review.Case) ([]review.OwnAnswer, error) {
	if len(o.Own) == 0 {
		all, err := r.correctionsOf(ctx, func(e review.Event) bool { return e.Chain == c.ID })
		return pick(all[c.ID], review.ReaderID(o.Reader), r.w.Seat.Reader), err
	}
	for i, own := range o.Own {
		at := slices.IndexFunc(of.Questions, func(q review.Question) bool { return q.ID == own.Question })
		if at < 0 {
			return nil, invalid(fmt.Sprintf("own[%d].question", i), "the case has no question %q", own.Question)
		}
		q := of.Questions[at]
		if own.Answer != "" && len(q.Options) > 0 && !slices.ContainsFunc(q.Options, func(v review.Option) bool { return v.Letter == own.Answer }) {
			return nil, invalid(fmt.Sprintf("own[%d].answer", i), "%q is no option of %s", own.Answer, q.ID)
		}
		if len(own.Text) > maxNote || len(own.Answer) > maxNote {
			return nil, invalid(fmt.Sprintf("own[%d].text", i), "at most %d bytes", maxNote)
		}
	}
	return o.Own, nil
}

// chainOf finds a chain of a case, imported or made by a run.
func (r *room) chainOf(ctx context.Context, name string, of review.CaseID, id review.ChainID) (review.Chain, error) {
	all, err := r.listedChains(ctx, name)
	if err != nil {
		return review.Chain{}, err
	}
	made, err := r.madeChains(of)
	if err != nil {
		return review.Chain{}, err
	}
	for _, c := range append(slices.Clone(all), made...) {
		if c.ID == id {
			return c, nil
		}
	}
	return review.Chain{}, fault.New(fault.NotFound, continueOp, string(id), "the case has no such chain")
}

// correction is what one reader would have said in place of steps of a chain; at is when they said the last of it.
type correction struct {
	reader review.ReaderID
	at     string
	said   []review.OwnAnswer
}

// correctionsOf gathers the corrections that stand, by chain; only those of events that want takes.
func (r *room) correctionsOf(ctx context.Context, want func(review.Event) bool) (map[review.ChainID][]correction, error) {
	latest := map[string]review.Event{}
	var order []string
	err := r.events(ctx, func(e review.Event) {
		if e.Kind != review.KindOwnAnswer || e.Body.OwnAnswer == nil || !want(e) {
			return
		}
		if _, before := latest[e.Key]; !before {
			order = append(order, e.Key)
		}
		latest[e.Key] = e
	})
	if err != nil {
		return nil, err
	}
	out := map[review.ChainID][]correction{}
	for _, key := range order {
		e := latest[key]
		if e.Body.OwnAnswer.Empty() {
			continue
		}
		list := out[e.Chain]
		at := slices.IndexFunc(list, func(c correction) bool { return c.reader == e.Reader })
		if at < 0 {
			list, at = append(list, correction{reader: e.Reader}), len(list)
		}
		list[at].said, list[at].at = append(list[at].said, *e.Body.OwnAnswer), max(list[at].at, e.At)
		out[e.Chain] = list
	}
	return out, nil
}

// pick takes one reader's corrections: the named one's; else this seat's; else the latest.
func pick(all []correction, named, seat review.ReaderID) []review.OwnAnswer {
	var best *correction
	for i, c := range all {
		switch {
		case named != "" && c.reader != named:
		case c.reader == seat || c.reader == named:
			return c.said
		case best == nil || c.at > best.at:
			best = &all[i]
		}
	}
	if best == nil {
		return nil
	}
	return best.said
}

// corrections gathers, for a plan with conditions of an expert, every chain of its models and cases that a reader corrected; of several chains
// of one model, case and condition the one that was corrected last.
func (r *room) corrections(ctx context.Context, cases []review.CaseID) ([]experiment.Corrected, error) {
	all, err := r.correctionsOf(ctx, func(e review.Event) bool { return slices.Contains(cases, e.Case) })
	if err != nil {
		return nil, err
	}
	type place struct{ of, model, condition string }
	latest, found := map[place]string{}, map[place]experiment.Corrected{}
	for _, id := range cases {
		of, err := r.set.Case(id)
		if err != nil {
			return nil, err
		}
		chains, err := r.set.Chains(id)
		if err != nil {
			return nil, err
		}
		made, err := r.madeChains(id)
		if err != nil {
			return nil, err
		}
		for _, c := range append(slices.Clone(chains), made...) {
			said := all[c.ID]
			if len(said) == 0 {
				continue
			}
			origin, err := r.originOf(c.ID)
			if err != nil {
				return nil, err
			}
			if origin == nil {
				continue
			}
			corrected, why := experiment.NewCorrected(c, *origin, of.Questions, pick(said, "", r.w.Seat.Reader))
			if at := (place{string(id), corrected.Model, corrected.Condition}); why == "" && said[len(said)-1].at >= latest[at] {
				latest[at], found[at] = said[len(said)-1].at, corrected
			}
		}
	}
	out := []experiment.Corrected{}
	for _, c := range found {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b experiment.Corrected) int { return strings.Compare(string(a.Parent), string(b.Parent)) })
	return out, nil
}
