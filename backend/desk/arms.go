package desk

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"plumbline/backend/dataset"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// AnyCase is a case of the dataset, whoever reads it: the coordinator chooses among all of them what a model is asked.
type AnyCase struct {
	ID        string   `json:"id"`
	Patient   string   `json:"patient"`
	Modality  string   `json:"modality"`
	Images    int      `json:"images"`
	Questions int      `json:"questions"`
	Stages    []string `json:"stages"`
}

// AnyCases lists every case of the dataset, in its order. Faults: Refused outside of the coordinator's seat, NotFound.
func (d *Desk) AnyCases(context.Context) (all []AnyCase, err error) {
	const op = "list cases"
	all = []AnyCase{}
	err = d.within(op, func(r *room) error {
		if err := r.experimenter(op); err != nil {
			return err
		}
		set, err := r.data(op)
		if err != nil {
			return err
		}
		for _, id := range set.IDs() {
			o := r.outline[id]
			all = append(all, AnyCase{string(id), string(o.Patient), o.Modality, o.Images, o.Questions, list(o.Stages)})
		}
		return nil
	})
	return all, err
}

// ArmName is one model under one condition, of which there are chains.
type ArmName struct {
	Model     string `json:"model"`
	Condition string `json:"condition"`
	Chains    int    `json:"chains"`
}

// PairName names two arms of one model that are to be compared, before and after.
type PairName struct {
	Model  string `json:"model"`
	Before string `json:"before"` // conditions, by their names
	After  string `json:"after"`
}

// Pairs says which chains of two arms stand beside each other.
type Pairs struct {
	Differs []string `json:"differs"` // the fields of the condition in which the arms differ
	Unfair  string   `json:"unfair"`  // why they are not compared, in words; "": they are
	Pairs   []Pair   `json:"pairs"`   // by case
}

// Pair is two chains of one case.
type Pair struct {
	Case    string `json:"case"`
	Before  string `json:"before"` // chains
	After   string `json:"after"`
	Changed int    `json:"changed"` // questions that were answered otherwise
	Of      int    `json:"of"`      // questions that both were asked
}

// Arms lists the models and conditions of which there are chains, imported or made by runs, and tells the coordinator who reads that these are
// now known. Fault Refused outside of the coordinator's seat.
func (d *Desk) Arms(context.Context) (all []ArmName, err error) {
	const op = "list arms"
	all = []ArmName{}
	err = d.within(op, func(r *room) error {
		if err := r.experimenter(op); err != nil {
			return err
		}
		err := r.runs.Arms(func(a store.Arm, chains int) error {
			all = append(all, ArmName{a.Model, a.Condition, chains})
			return nil
		})
		if err != nil || len(all) == 0 {
			return err
		}
		if err := r.unblind("chains with what made them"); err != nil {
			all = []ArmName{}
			return err
		}
		order := func(name string) int { return slices.Index(review.StandardConditions(), name) & 0xffff } // unknown ones come last
		slices.SortFunc(all, func(a, b ArmName) int {
			return cmp.Or(strings.Compare(a.Model, b.Model), cmp.Compare(order(a.Condition), order(b.Condition)), strings.Compare(a.Condition, b.Condition))
		})
		return nil
	})
	return all, err
}

// PairsOf lists the chains of two arms by case: those of the latest run that has both, else the latest of each; a chain that goes on from a
// correction stands beside the one that was corrected. Of one arm, asked for twice, it lists each case's latest chain beside itself. Faults:
// Usage for a condition that cannot be read, Refused outside of the coordinator's seat.
func (d *Desk) PairsOf(ctx context.Context, name PairName) (out Pairs, err error) {
	const op = "pair chains"
	out = Pairs{Differs: []string{}, Pairs: []Pair{}}
	err = d.within(op, func(r *room) error {
		if err := r.experimenter(op); err != nil {
			return err
		}
		var arms [2]review.Condition
		for i, text := range []string{name.Before, name.After} {
			if arms[i], err = review.ParseCondition(text); err != nil {
				return invalid("condition", "%v", err)
			}
		}
		out.Differs = arms[0].Differences(arms[1])
		if err := arms[0].Comparable(arms[1], 1); err != nil {
			out.Unfair = err.Error()
			return nil
		}
		if err := r.unblind("chains with what made them"); err != nil {
			return err
		}
		out.Pairs, err = r.pairs(ctx, store.Arm{Model: name.Model, Condition: arms[0].Name()}, store.Arm{Model: name.Model, Condition: arms[1].Name()})
		return err
	})
	return out, err
}

// pairs finds the chains of two arms, case by case. Of all chains of the workspace only those are read that stand beside each other.
func (r *room) pairs(ctx context.Context, one, other store.Arm) ([]Pair, error) {
	set, err := r.data("pair chains")
	if err != nil {
		return nil, err
	}
	plans, err := r.plans()
	if err != nil {
		return nil, err
	}
	latest := map[string]int{} // runs by age, the youngest last; what was imported is older than any
	for i, p := range plans {
		latest[p.Run] = len(plans) - i
	}
	of, err := r.caseOfChains(set)
	if err != nil {
		return nil, err
	}
	before, err := r.armByCase(one, of)
	if err != nil {
		return nil, err
	}
	after, err := r.armByCase(other, of)
	if err != nil {
		return nil, err
	}
	out := []Pair{}
	for _, id := range set.IDs() {
		if a, b, found := best(before[id], after[id], latest, one == other); found {
			out = append(out, Pair{Case: string(id), Before: string(a.Chain), After: string(b.Chain)})
		}
	}
	return out, forEach(ctx, len(out), func(_ context.Context, i int) (err error) {
		p := &out[i]
		p.Changed, p.Of, err = r.changedBetween(set, review.CaseID(p.Case), review.ChainID(p.Before), review.ChainID(p.After))
		return err
	})
}

// caseOfChains says of which case each chain is, imported or made by a run.
func (r *room) caseOfChains(set *dataset.Set) (map[review.ChainID]review.CaseID, error) {
	out := map[review.ChainID]review.CaseID{}
	for _, id := range set.IDs() {
		for _, c := range set.ChainIDs(id) {
			out[c] = id
		}
	}
	return out, r.runs.MadeOf(func(id review.CaseID, c review.ChainID) { out[c] = id })
}

// armByCase lists the chains of an arm by case.
func (r *room) armByCase(a store.Arm, of map[review.ChainID]review.CaseID) (map[review.CaseID][]store.ArmChain, error) {
	chains, err := r.runs.Arm(a)
	out := map[review.CaseID][]store.ArmChain{}
	for _, c := range chains {
		if id, here := of[c.Chain]; here { // what made a chain may be known of a dataset that lay here before
			out[id] = append(out[id], c)
		}
	}
	return out, err
}

// changedBetween counts the questions that two chains of a case answer otherwise, and those that both were asked.
func (r *room) changedBetween(set *dataset.Set, id review.CaseID, a, b review.ChainID) (changed, of int, err error) {
	said, err := r.answersOf(set, id, a, b)
	if err != nil {
		return 0, 0, err
	}
	var c review.Case
	for _, x := range said[0] {
		at := slices.IndexFunc(said[1], func(y review.Answer) bool { return y.Question == x.Question })
		if at < 0 {
			continue
		}
		of++
		y := said[1][at]
		if x.Answer == nil && y.Answer == nil || x.Answer != nil && y.Answer != nil && *x.Answer == *y.Answer {
			continue
		}
		if c.ID == "" { // only what is written otherwise needs the question to tell
			if c, err = set.Case(id); err != nil {
				return 0, 0, err
			}
		}
		if q := slices.IndexFunc(c.Questions, func(q review.Question) bool { return q.ID == x.Question }); q >= 0 && !sameAnswer(c.Questions[q], x.Answer, y.Answer) {
			changed++
		}
	}
	return changed, of, nil
}

// answersOf gives what chains of a case answer, in the order in which they are named; what was imported with it is read once, and of what runs
// made the steps are left out.
func (r *room) answersOf(set *dataset.Set, id review.CaseID, names ...review.ChainID) ([][]review.Answer, error) {
	const op = "look up chain"
	var imported []review.Chain
	out := make([][]review.Answer, len(names))
	for i, name := range names {
		known := false
		var err error
		if !slices.Contains(set.ChainIDs(id), name) {
			out[i], known, err = r.runs.Said(id, name)
		} else {
			if imported == nil {
				imported, err = set.Chains(id)
			}
			if at := slices.IndexFunc(imported, func(c review.Chain) bool { return c.ID == name }); at >= 0 {
				out[i], known = imported[at].Answers, true
			}
		}
		if err == nil && !known {
			err = fault.New(fault.NotFound, op, string(name), "the case has no such chain")
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// best picks the pair that belongs together the most; alone a chain stands beside itself.
func best(before, after []store.ArmChain, latest map[string]int, alone bool) (a, b store.ArmChain, found bool) {
	rank := -1
	for _, x := range before {
		for _, y := range after {
			k := latest[x.Run] + latest[y.Run]
			switch {
			case (x.Chain == y.Chain) != alone:
				continue
			case y.Parent == x.Chain || x.Parent == y.Chain:
				k += 4 * len(latest)
			case x.Run == y.Run:
				k += 2 * len(latest)
			}
			if k > rank {
				a, b, rank, found = x, y, k, true
			}
		}
	}
	return a, b, found
}
