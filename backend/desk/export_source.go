package desk

import (
	"cmp"
	"context"
	"slices"

	"plumbline/backend/export"
	"plumbline/backend/review"
)

// fromRoom hands the cases of a room to an export.
type fromRoom struct {
	*room
	rubric   review.Rubric
	training []review.CaseID
	truth    map[review.CaseID]map[review.QuestionID]review.Truth
	origins  map[review.ChainID]review.Origin
	said     map[review.CaseID][]review.EventID // what holds now: looks, ratings, ratings of chains, own answers
	final    map[review.CaseID][]review.EventID // adjudications
	signed   map[review.AssignmentID]review.EventID
	spent    map[[3]string]StepTimes // by assignment, chain and step
	days     map[review.AssignmentID]*int
}

// answered is what one reader may answer several times: in repeats and later sessions.
type answered struct {
	reader review.ReaderID
	of     review.CaseID
	chain  review.ChainID
	digest review.Digest
	rubric review.RubricName
	part   string
}

// answeredOf says what an event answers. A look is made under no chain and counts whatever the rubric.
func answeredOf(e review.Event) answered {
	a := answered{e.Reader, e.Case, e.Chain, e.ChainDigest, e.Rubric.Called(), ""}
	switch b := e.Body; {
	case b.Look != nil:
		a.part, a.rubric = "look "+string(b.Look.Question), review.RubricName{}
	case b.Rating != nil:
		a.part = "step " + string(b.Rating.Step)
	}
	return a
}

// listen walks the ledger once and keeps of what holds now where it is.
func (f *fromRoom) listen(ctx context.Context) error {
	type last struct {
		id    review.EventID
		of    review.CaseID
		final bool
	}
	holds := map[string]last{}
	f.signed = map[review.AssignmentID]review.EventID{}
	w := newWatch()
	f.acting.Lock()
	err := f.events(ctx, func(e review.Event) {
		w.hear(e)
		switch e.Kind {
		case review.KindSign:
			if now, known := f.signed[e.Assignment]; !known || e.ID < now {
				f.signed[e.Assignment] = e.ID
			}
		case review.KindLook, review.KindRating, review.KindChainRating, review.KindOwnAnswer, review.KindAdjudication:
			key := string(e.Reader) + "\x00" + e.Key
			if e.Kind == review.KindAdjudication {
				key = e.Key // another adjudicator's decision on the same supersedes
			}
			if now, known := holds[key]; !known || e.ID > now.id {
				holds[key] = last{e.ID, e.Case, e.Kind == review.KindAdjudication}
			}
		}
	})
	f.acting.Unlock()
	if err != nil {
		return err
	}
	f.said, f.final = map[review.CaseID][]review.EventID{}, map[review.CaseID][]review.EventID{}
	for _, x := range holds {
		if x.final {
			f.final[x.of] = append(f.final[x.of], x.id)
		} else {
			f.said[x.of] = append(f.said[x.of], x.id)
		}
	}
	f.spent, f.days = map[[3]string]StepTimes{}, map[review.AssignmentID]*int{}
	for _, t := range w.times() {
		f.days[review.AssignmentID(t.Assignment)] = t.DaysSince
		for _, s := range t.Steps {
			f.spent[[3]string{t.Assignment, s.Chain, s.Step}] = s
		}
	}
	return nil
}

// each hands over every case with what is known and was said of it.
func (f *fromRoom) each(ctx context.Context, fn func(*export.Case) error) error {
	for _, id := range f.set.IDs() {
		c, err := f.caseOf(ctx, id)
		if err != nil {
			return err
		}
		if err := fn(c); err != nil {
			return err
		}
	}
	return nil
}

func (f *fromRoom) caseOf(ctx context.Context, id review.CaseID) (*export.Case, error) {
	of, err := f.set.Case(id)
	if err != nil {
		return nil, err
	}
	c := &export.Case{Case: of, Cluster: cmp.Or(f.set.Cluster(id), string(id)), Truth: f.truth[id], Train: slices.Contains(f.training, id)}
	chains, err := f.set.Chains(id)
	if err != nil {
		return nil, err
	}
	made, err := f.madeChains(id)
	if err != nil {
		return nil, err
	}
	digests := map[review.ChainID]review.Digest{}
	for _, chain := range append(chains, made...) {
		x := export.Chain{Chain: chain}
		if o, known := f.origins[chain.ID]; known {
			x.Origin = &o
		}
		digests[chain.ID] = chain.Digest
		c.Chains = append(c.Chains, x)
	}
	if c.Stacks, _, err = f.set.Stacks(ctx, id); err != nil {
		return nil, err
	}
	return c, f.words(c, digests)
}

// words fills in what was said of a case.
func (f *fromRoom) words(c *export.Case, digests map[review.ChainID]review.Digest) error {
	events, err := f.load(f.said[c.ID])
	if err != nil {
		return err
	}
	if c.Final, err = f.load(f.final[c.ID]); err != nil {
		return err
	}
	first := map[answered]review.EventID{}
	for _, e := range events {
		if sign := f.signed[e.Assignment]; sign != "" {
			at := answeredOf(e)
			if now, known := first[at]; !known || sign < now {
				first[at] = sign
			}
		}
	}
	for _, e := range events {
		sign := f.signed[e.Assignment]
		s := export.Said{Event: e, Signed: sign != "", DaysSince: f.days[e.Assignment]}
		current := e.Body.Look != nil || e.Rubric.Called() == f.rubric.Called() && (e.ChainDigest == "" || e.ChainDigest == digests[e.Chain])
		s.Counts = s.Signed && current && first[answeredOf(e)] == sign && !c.Train && e.Session != review.TrainingSession
		if t, known := f.spent[timed(e)]; known {
			s.FirstSeen, s.FirstAnswer, s.ActiveMS, s.IdleMS = t.FirstSeen, t.FirstAnswer, t.ActiveMS, t.IdleMS
		}
		c.Said = append(c.Said, s)
	}
	return nil
}

// timed names what the time of an answer is kept under.
func timed(e review.Event) [3]string {
	at := [3]string{string(e.Assignment), "", ""}
	switch b := e.Body; {
	case b.Rating != nil:
		at[1], at[2] = string(e.Chain), string(b.Rating.Step)
	case b.OwnAnswer != nil:
		at[1], at[2] = string(e.Chain), string(b.OwnAnswer.Step)
	case b.ChainRating != nil:
		at[1], at[2] = string(e.Chain), "chain"
	}
	return at
}

// load gives events by id, in order of reader, assignment and id.
func (f *fromRoom) load(ids []review.EventID) ([]review.Event, error) {
	out := make([]review.Event, 0, len(ids))
	for _, id := range ids {
		raw, err := f.ledger.Event(id)
		if err != nil {
			return nil, err
		}
		e, err := review.RestoreEvent(raw)
		if err != nil {
			return nil, err
		}
		if e, err = f.meaning(e); err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b review.Event) int {
		return cmp.Or(cmp.Compare(a.Reader, b.Reader), cmp.Compare(a.Assignment, b.Assignment), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}
