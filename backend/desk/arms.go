package desk

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"plumbline/backend/review"
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
		origins, err := r.runs.Origins()
		if err != nil || len(origins) == 0 {
			return err
		}
		if err := r.unblind("chains with what made them"); err != nil {
			return err
		}
		at := map[ArmName]int{}
		for _, o := range origins {
			name := ArmName{Model: o.Model.Name, Condition: o.Condition.Name()}
			i, known := at[name]
			if !known {
				i = len(all)
				at[name], all = i, append(all, name)
			}
			all[i].Chains++
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
// correction stands beside the one that was corrected. Of one arm, asked for twice, it lists each case's latest chain beside itself. Faults: Usage for a condition that cannot be read, Refused outside of the coordinator's
// seat.
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
		out.Pairs, err = r.pairs(ctx, name)
		return err
	})
	return out, err
}

// madeBy is a chain with what made it.
type madeBy struct {
	review.Chain
	origin review.Origin
}

// pairs finds the chains of two arms, case by case.
func (r *room) pairs(ctx context.Context, name PairName) ([]Pair, error) {
	set, err := r.data("pair chains")
	if err != nil {
		return nil, err
	}
	origins, err := r.runs.Origins()
	if err != nil {
		return nil, err
	}
	plans, err := r.plans()
	if err != nil {
		return nil, err
	}
	wanted := map[review.ChainID]review.Origin{}
	for _, o := range origins {
		if c := o.Condition.Name(); o.Model.Name == name.Model && (c == name.Before || c == name.After) {
			wanted[o.Chain] = o
		}
	}
	latest := map[string]int{} // runs by age, the youngest last; what was imported is older than any
	for i, p := range plans {
		latest[p.Run] = len(plans) - i
	}
	out := []Pair{}
	for _, id := range set.IDs() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		imported, err := set.Chains(id)
		if err != nil {
			return nil, err
		}
		made, err := r.madeChains(id)
		if err != nil {
			return nil, err
		}
		var before, after []madeBy
		for _, c := range append(slices.Clone(imported), made...) {
			o, known := wanted[c.ID]
			if known && o.Condition.Name() == name.Before {
				before = append(before, madeBy{c, o})
			}
			if known && o.Condition.Name() == name.After {
				after = append(after, madeBy{c, o})
			}
		}
		if a, b, found := best(before, after, latest, name.Before == name.After); found {
			p := Pair{Case: string(id), Before: string(a.ID), After: string(b.ID)}
			of, err := set.Case(id)
			if err != nil {
				return nil, err
			}
			p.Changed, p.Of = changedIn(of.Questions, a.Chain, b.Chain)
			out = append(out, p)
		}
	}
	return out, nil
}

// best picks the pair that belongs together the most; alone a chain stands beside itself.
func best(before, after []madeBy, latest map[string]int, alone bool) (a, b madeBy, found bool) {
	rank := -1
	for _, x := range before {
		for _, y := range after {
			k := latest[x.origin.Run] + latest[y.origin.Run]
			switch {
			case (x.ID == y.ID) != alone:
				continue
			case y.origin.Parent == x.ID || x.origin.Parent == y.ID:
				k += 4 * len(latest)
			case x.origin.Run == y.origin.Run:
				k += 2 * len(latest)
			}
			if k > rank {
				a, b, rank, found = x, y, k, true
			}
		}
	}
	return a, b, found
}

// changedIn counts the questions that two chains answer otherwise, and those that both were asked.
func changedIn(questions []review.Question, a, b review.Chain) (changed, of int) {
	for _, q := range questions {
		answerTo := func(c review.Chain) *review.Answer {
			if at := slices.IndexFunc(c.Answers, func(v review.Answer) bool { return v.Question == q.ID }); at >= 0 {
				return &c.Answers[at]
			}
			return nil
		}
		x, y := answerTo(a), answerTo(b)
		if x == nil || y == nil {
			continue
		}
		if of++; !sameAnswer(q, x.Answer, y.Answer) {
			changed++
		}
	}
	return changed, of
}
