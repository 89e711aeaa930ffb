package desk

import (
	"context"
	"maps"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// RateFile takes over a reading written as a file, act by act, as if it were given in the window: looks in the order of the case's
// questions, steps, corrections, chains, signature. assignment, when not "", stands in for the file's own; both may also be the id of a case (of several assignments of it the first). It gives
// what each act saved. A fault ends it there: what was saved before stays, and giving the file again goes on, since saying the same again
// changes nothing.
func (d *Desk) RateFile(ctx context.Context, file review.ReadingFile, assignment string) ([]Saved, error) {
	saved := []Saved{}
	if assignment == "" {
		assignment = string(file.Assignment)
	}
	v, err := d.openAssignment(ctx, assignment)
	if err != nil {
		return saved, err
	}
	note := func(s Saved, err error) error {
		if err == nil {
			saved = append(saved, s)
		}
		return err
	}
	for _, look := range inOrder(file.Look, v.Case.Questions) {
		if err := note(d.Look(ctx, v.Assignment, look)); err != nil {
			return saved, err
		}
	}
	if v, err = d.openAssignment(ctx, v.Assignment); err != nil {
		return saved, err
	}
	for _, key := range slices.Sorted(maps.Keys(file.Steps)) {
		chain, step, err := placeOf(v, key)
		if err != nil {
			return saved, err
		}
		rating := file.Steps[key]
		rating.Step = step
		if err := note(d.Rate(ctx, v.Assignment, chain, rating, file.Reason)); err != nil {
			return saved, err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(file.OwnAnswers)) {
		chain, step, err := placeOf(v, key)
		if err != nil {
			return saved, err
		}
		own := file.OwnAnswers[key]
		own.Step = step
		if err := note(d.OwnAnswer(ctx, v.Assignment, chain, own, file.Reason)); err != nil {
			return saved, err
		}
	}
	verdicts := maps.Clone(file.Chains)
	if file.Chain != nil {
		if len(v.Chains) != 1 {
			return saved, fault.New(fault.Invalid, "rate from file", "chain", "the assignment has %d chains: name each under chains", len(v.Chains))
		}
		verdicts = map[review.ChainID]review.ChainRating{review.ChainID(v.Chains[0].ID): *file.Chain}
	}
	for _, id := range slices.Sorted(maps.Keys(verdicts)) {
		if err := note(d.RateChain(ctx, v.Assignment, string(id), verdicts[id], file.Reason)); err != nil {
			return saved, err
		}
	}
	if file.Sign {
		err = note(d.Sign(ctx, v.Assignment))
	}
	return saved, err
}

// openAssignment opens the case of an assignment, or of a case id.
func (d *Desk) openAssignment(ctx context.Context, name string) (CaseView, error) {
	if name == "" {
		return CaseView{}, fault.New(fault.Usage, "rate from file", "", "an assignment is needed, in the file or by --assignment")
	}
	return d.OpenCase(ctx, name)
}

// inOrder sorts looks as the case asks its questions; those it does not ask come last, to be refused by name.
func inOrder(looks []review.Look, questions []review.Question) []review.Look {
	at := func(l review.Look) int {
		if i := slices.IndexFunc(questions, func(q review.Question) bool { return q.ID == l.Question }); i >= 0 {
			return i
		}
		return len(questions)
	}
	sorted := slices.Clone(looks)
	slices.SortStableFunc(sorted, func(a, b review.Look) int { return at(a) - at(b) })
	return sorted
}

// placeOf finds the chain and step that a key of a reading file names: "step", or "chain/step" where several chains have the step.
func placeOf(v CaseView, key string) (chain string, step review.StepID, err error) {
	const op = "rate from file"
	found := [][2]string{}
	for _, c := range v.Chains {
		for _, a := range c.Answers {
			for _, s := range a.Steps {
				if key == c.ID+"/"+string(s.ID) {
					return c.ID, s.ID, nil
				}
				if key == string(s.ID) {
					found = append(found, [2]string{c.ID, key})
				}
			}
		}
	}
	switch {
	case len(found) == 1:
		return found[0][0], review.StepID(found[0][1]), nil
	case len(found) > 1:
		return "", "", fault.New(fault.Invalid, op, key, "several chains have this step: write chain/step, as in %s", strings.Join(found[0][:], "/"))
	case v.Phase == phaseLook:
		return "", "", fault.New(fault.Refused, op, key, "the chains open when every question is answered")
	}
	return "", "", fault.New(fault.NotFound, op, key, "no chain of the assignment has this step")
}
