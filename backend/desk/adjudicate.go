package desk

import (
	"context"
	"slices"
	"strconv"
	"unicode/utf8"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Disagreements is what there is to adjudicate.
type Disagreements struct {
	Items     []Disagreement `json:"items"` // in the order of the dataset
	Counts    []KindCount    `json:"counts"`
	Open      int            `json:"open"` // items, each once
	Waiting   int            `json:"waiting"`
	Barred    int            `json:"barred"`
	Decided   int            `json:"decided"`
	Unanimous int            `json:"unanimous"` // items that AdoptUnanimous would take over now
	Adopted   int            `json:"adopted"`   // items that it took over before
	May       bool           `json:"may"`       // this seat decides; else it only sees how much there is
}

// KindCount counts the items of one kind of disagreement. An item can be of several.
type KindCount struct {
	Kind    string `json:"kind"`
	Open    int    `json:"open"`
	Waiting int    `json:"waiting"`
	Barred  int    `json:"barred"`
	Decided int    `json:"decided"`
}

// The states of a disagreement.
const (
	stateOpen    = "open"    // to be decided
	stateWaiting = "waiting" // an assigned read of the case is not signed yet
	stateBarred  = "barred"  // this seat's adjudicator read the case: somebody else decides
	stateDecided = "decided"
)

// Disagreement is one line of the list. It tells neither who read nor when.
type Disagreement struct {
	ID     string   `json:"id"`
	Case   string   `json:"case"`
	On     string   `json:"on"`    // question, step, chain
	Chain  string   `json:"chain"` // "A", "B" …, "" for a question
	Step   int      `json:"step"`  // its place in the chain, from 1; 0: none
	Stage  string   `json:"stage"`
	K      int      `json:"k"`    // of the stage, 0 for a chain
	Text   string   `json:"text"` // of the step or question, cut short; "" for a chain, or a step without words
	Kinds  []string `json:"kinds"`
	Fields []string `json:"fields"` // in which the reads differ
	Reads  int      `json:"reads"`
	State  string   `json:"state"` // open, waiting, barred, decided
}

// maxLine is about the most runes of a step's words in a list.
const maxLine = 120

// Disagreements lists the items on which readers disagree (see the kinds) and where each stands. It is the adjudicator's and, to see how
// much there is, the coordinator's: fault Refused in a reader's seat.
func (d *Desk) Disagreements(ctx context.Context) (list Disagreements, err error) {
	const op = "list disagreements"
	err = d.within(op, func(r *room) error {
		if r.w.Seat.Role == Reader {
			return fault.New(fault.Refused, op, "", "disagreements show what other readers said; they are the adjudicator's")
		}
		all, err := r.disputes(ctx, op)
		if err != nil {
			return err
		}
		if r.leads() && len(all.items) > 0 {
			if err := r.unblind("disagreements"); err != nil {
				return err
			}
		}
		r.acting.Lock()
		defer r.acting.Unlock()
		list, err = r.listed(ctx, all)
		return err
	})
	return list, err
}

// listed shows the list to this seat. acting is held.
func (r *room) listed(ctx context.Context, all *disputes) (Disagreements, error) {
	list := Disagreements{Items: make([]Disagreement, 0, len(all.items)), May: r.adjudicating.Load()}
	counts := map[string]*KindCount{}
	for _, kind := range disagreementKinds {
		counts[kind] = &KindCount{Kind: kind}
	}
	var m caseLines
	for _, d := range all.items {
		if err := ctx.Err(); err != nil {
			return list, err
		}
		if d.line == nil {
			if m.of.ID != d.of {
				var err error
				if m, err = r.caseLines(d.of); err != nil {
					return list, err
				}
			}
			line := m.line(d)
			d.line = &line
		}
		line := *d.line
		line.State = r.stateOf(all, d)
		list.Items = append(list.Items, line)
		list.count(line, counts)
	}
	for _, kind := range disagreementKinds {
		list.Counts = append(list.Counts, *counts[kind])
	}
	for _, d := range all.agreed {
		switch {
		case d.decision != nil:
			list.Adopted++
		case r.stateOf(all, d) == stateOpen:
			list.Unanimous++
		}
	}
	return list, nil
}

// count counts a line, once and under each of its kinds.
func (l *Disagreements) count(line Disagreement, counts map[string]*KindCount) {
	kinds := []*KindCount{}
	for _, kind := range line.Kinds {
		kinds = append(kinds, counts[kind])
	}
	add := func(total *int, of func(*KindCount) *int) {
		*total++
		for _, k := range kinds {
			*of(k)++
		}
	}
	switch line.State {
	case stateOpen:
		add(&l.Open, func(k *KindCount) *int { return &k.Open })
	case stateWaiting:
		add(&l.Waiting, func(k *KindCount) *int { return &k.Waiting })
	case stateBarred:
		add(&l.Barred, func(k *KindCount) *int { return &k.Barred })
	case stateDecided:
		add(&l.Decided, func(k *KindCount) *int { return &k.Decided })
	}
}

// stateOf says where an item stands for this seat. acting is held.
func (r *room) stateOf(all *disputes, d *dispute) string {
	switch {
	case d.decided():
		return stateDecided
	case r.adjudicating.Load() && slices.Contains(all.spoke[d.of], r.w.Seat.Reader):
		return stateBarred
	case all.unsigned[d.of] > 0 && !r.rules.protocol.Closed:
		return stateWaiting
	}
	return stateOpen
}

// caseLines is what the lines of a case's items say.
type caseLines struct {
	of      review.Case
	digest  review.Digest
	chains  []review.Chain
	letters map[review.ChainID]string
}

// caseLines reads a case. Its chains go by letters, at random: an order could tell models.
func (r *room) caseLines(id review.CaseID) (caseLines, error) {
	set, err := r.data("list disagreements")
	if err != nil {
		return caseLines{}, err
	}
	m := caseLines{letters: map[review.ChainID]string{}}
	if m.of, err = set.Case(id); err != nil {
		return m, err
	}
	if m.chains, err = set.Chains(id); err != nil {
		return m, err
	}
	m.digest = review.CaseDigest(m.of)
	for n, chain := range assignmentOf(r.w, "adjudication", id, m.chains).Chains {
		m.letters[chain] = letter(n)
	}
	return m, nil
}

// line gives an item's line, without its state.
func (m caseLines) line(d *dispute) Disagreement {
	line := Disagreement{
		ID: d.id, Case: string(d.of), On: onWhat[d.kind], Chain: m.letters[d.chain], K: d.k, Kinds: list(d.kinds), Fields: list(d.fields), Reads: len(d.reads),
	}
	for _, q := range m.of.Questions {
		if q.K == d.k {
			line.Stage = q.Stage
		}
		if d.kind == review.KindLook && string(q.ID) == d.part {
			line.Text = cut(q.Text)
		}
	}
	for _, c := range m.chains {
		if c.ID != d.chain || d.kind != review.KindRating {
			continue
		}
		for i, s := range steps(c) {
			if string(s.ID) != d.part {
				continue
			}
			line.Step = i + 1
			if s.Text != nil {
				line.Text = cut(*s.Text)
			}
		}
	}
	return line
}

// onWhat names items for the face.
var onWhat = map[review.Kind]string{review.KindLook: "question", review.KindRating: "step", review.KindChainRating: "chain"}

// cut shortens a text for a list.
func cut(text string) string {
	if utf8.RuneCountInString(text) <= maxLine {
		return text
	}
	return string([]rune(text)[:maxLine-1]) + "…"
}

// seedText is the seed of random orders as a part of a hash.
func (all *disputes) seedText() string { return strconv.FormatUint(all.seed, 10) }
