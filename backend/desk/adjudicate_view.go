package desk

import (
	"context"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// DisagreementView is everything that the adjudicator sees of one item: the pictures, the question, what the chain says, and what was said
// of it, by nobody and at no time. There is no reader, time, assignment, event, model, condition or gold in it.
type DisagreementView struct {
	Disagreement
	Of        review.Case        `json:"of"`
	Stages    []review.Stage     `json:"stages"`
	Stacks    []review.Stack     `json:"stacks"`
	Part      string             `json:"part"`    // the question or step; "" for a chain
	Answers   []review.Answer    `json:"answers"` // of the chain; none for a question, which is about the image alone
	Unnamed   []UnnamedRead      `json:"unnamed"` // in random order, the same every time
	Pairs     []PairIoU          `json:"pairs"`   // of reads that both marked an area
	Consensus []review.Region    `json:"consensus"`
	Final     *review.FinalValue `json:"final"`  // null: not decided
	Reason    string             `json:"reason"` // of the decision
	Revisions int                `json:"revisions"`
	Problems  []review.Problem   `json:"problems"`
}

// UnnamedRead is what one reader said of the item.
type UnnamedRead struct {
	Number int `json:"number"` // from 1: "Read 1", "Read 2" …
	review.FinalValue
}

// PairIoU is how far the regions of two reads overlap.
type PairIoU struct {
	A   int     `json:"a"` // numbers of reads
	B   int     `json:"b"`
	IoU float64 `json:"iou"`
}

// OpenDisagreement shows one item of the list to the adjudicator. Faults: NotFound; Refused for anybody else, for an adjudicator who read
// any of that case, and while an assigned read of the case is not signed, unless the study is closed.
func (d *Desk) OpenDisagreement(ctx context.Context, id string) (v DisagreementView, err error) {
	const op = "open disagreement"
	err = d.atDispute(ctx, op, id, func(r *room, all *disputes, item *dispute) error {
		v, err = r.disagreementView(ctx, all, item)
		return err
	})
	return v, err
}

// atDispute runs fn with an item that this seat's adjudicator may see and decide; acting is held meanwhile.
func (d *Desk) atDispute(ctx context.Context, op, id string, fn func(*room, *disputes, *dispute) error) error {
	return d.within(op, func(r *room) error {
		if err := r.adjudicates(op); err != nil {
			return err
		}
		all, err := r.disputes(ctx, op)
		if err != nil {
			return err
		}
		r.acting.Lock()
		defer r.acting.Unlock()
		item, err := r.mayDecide(op, all, id)
		if err != nil {
			return err
		}
		return fn(r, all, item)
	})
}

// mayDecide finds an item that this seat's adjudicator may see and decide. acting is held.
func (r *room) mayDecide(op string, all *disputes, id string) (*dispute, error) {
	item := all.ids[id]
	if item == nil {
		return nil, fault.New(fault.NotFound, op, id, "there is no such disagreement (any more)")
	}
	switch {
	case slices.Contains(all.spoke[item.of], r.w.Seat.Reader):
		return nil, fault.New(fault.Refused, op, id, "%s read case %s: an adjudicator is never a reader of what they decide", r.w.Seat.Reader, item.of)
	case all.unsigned[item.of] > 0 && !r.rules.protocol.Closed:
		return nil, fault.New(fault.Refused, op, id, "not every assigned read of case %s is signed, and the study is not closed", item.of)
	}
	return item, nil
}

// disagreementView shows an item. acting is held.
func (r *room) disagreementView(ctx context.Context, all *disputes, d *dispute) (DisagreementView, error) {
	m, err := r.material(ctx, d.of)
	if err != nil {
		return DisagreementView{}, err
	}
	lines, err := r.caseLines(d.of)
	if err != nil {
		return DisagreementView{}, err
	}
	v := DisagreementView{
		Disagreement: lines.line(d), Of: shownCase(m.of), Stages: list(r.set.Info().StagePack.Stages), Stacks: m.shown(), Part: d.part,
		Answers: []review.Answer{}, Unnamed: []UnnamedRead{}, Pairs: []PairIoU{}, Revisions: d.revisions, Problems: m.problems,
	}
	v.State = r.stateOf(all, d)
	for _, c := range m.chains {
		if c.ID == d.chain {
			v.Answers = shownAnswers(c)
		}
	}
	marks := [][]review.Region{}
	for n, e := range inRandomOrder(all, d) {
		read := UnnamedRead{Number: n + 1, FinalValue: unnamed(e.Body)}
		marks = append(marks, regionsOf(read.FinalValue))
		for other := range n {
			if iou := stats.Overlap(marks[other], marks[n]); iou.Estimable {
				v.Pairs = append(v.Pairs, PairIoU{other + 1, n + 1, iou.Value})
			}
		}
		v.Unnamed = append(v.Unnamed, read)
	}
	v.Consensus = stats.Consensus(marks)
	if d.decided() {
		final := d.decision.Body.Adjudication.FinalValue
		v.Final, v.Reason = &final, d.decision.Reason
	}
	return v, nil
}

// inRandomOrder gives the reads of an item in an order that says nothing and stays: by a hash of the seed, the item and the reader.
func inRandomOrder(all *disputes, d *dispute) []review.Event {
	reads := slices.Clone(d.reads)
	rank := func(e review.Event) string { return hashOf(all.seedText(), "adjudicate", d.id, string(e.Reader)) }
	slices.SortFunc(reads, func(a, b review.Event) int { return strings.Compare(rank(a), rank(b)) })
	return reads
}

// unnamed takes out of a read what is not for the adjudicator: whether a cue was acknowledged tells that there was one, where a region came
// from and what was on the screen tell of the reader.
func unnamed(b review.Body) review.FinalValue {
	v := review.FinalValue{}
	switch {
	case b.Look != nil:
		look := *b.Look
		look.Evidence, look.NotShown = withoutSource(look.Evidence), false
		v.Look = &look
	case b.Rating != nil:
		rating := *b.Rating
		rating.Evidence, rating.CueAck, rating.NotShown = withoutSource(rating.Evidence), "", false
		v.Rating = &rating
	case b.ChainRating != nil:
		whole := *b.ChainRating
		whole.Missed = slices.Clone(whole.Missed)
		for i, m := range whole.Missed {
			if m.Region != nil {
				whole.Missed[i].Region = &withoutSource([]review.Region{*m.Region})[0]
			}
		}
		v.ChainRating = &whole
	}
	return v
}

func withoutSource(regions []review.Region) []review.Region {
	regions = slices.Clone(list(regions))
	for i := range regions {
		regions[i].Source = nil
	}
	return regions
}

// regionsOf gives what a read marked.
func regionsOf(v review.FinalValue) []review.Region {
	switch {
	case v.Look != nil:
		return v.Look.Evidence
	case v.Rating != nil:
		return v.Rating.Evidence
	}
	out := []review.Region{}
	if v.ChainRating != nil {
		for _, m := range v.ChainRating.Missed {
			if m.Region != nil {
				out = append(out, *m.Region)
			}
		}
	}
	return out
}
