package desk

import (
	"context"
	"runtime"

	"plumbline/backend/dataset"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// ofCase is the chains of one case with what made each; nil where that is not known.
type ofCase struct {
	chains  []review.Chain
	origins []*review.Origin
	err     error
}

// eachChain hands over the chains of every case in order, those that came with the study and those that runs made, with what made each. Records
// are parsed by every processor, a few cases ahead.
func (r *room) eachChain(ctx context.Context, set *dataset.Set, take func(*review.Chain, *review.Origin) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cases := make(chan chan ofCase, 2*runtime.GOMAXPROCS(0))
	go func() {
		defer close(cases)
		for _, id := range set.IDs() {
			one := make(chan ofCase, 1)
			select {
			case cases <- one:
			case <-ctx.Done():
				return
			}
			go func() { one <- r.chainsOf(set, id) }()
		}
	}()
	for one := range cases {
		of := <-one
		if of.err != nil {
			return of.err
		}
		for i := range of.chains {
			if err := take(&of.chains[i], of.origins[i]); err != nil {
				return err
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return fault.In("read chains", "", err)
	}
	return nil
}

// chainsOf reads the chains of a case. What runs made is looked up before origins are: one look at the file within another may wait for a writer
// that waits for the first.
func (r *room) chainsOf(set *dataset.Set, id review.CaseID) (of ofCase) {
	if of.chains, of.err = set.Chains(id); of.err != nil {
		return of
	}
	made, err := r.madeChains(id)
	if err != nil {
		return ofCase{err: err}
	}
	of.chains = append(of.chains, made...)
	for _, c := range of.chains {
		o, known, err := r.runs.Origin(c.ID)
		switch {
		case err != nil:
			return ofCase{err: err}
		case known:
			of.origins = append(of.origins, &o)
		default:
			of.origins = append(of.origins, nil)
		}
	}
	return of
}
