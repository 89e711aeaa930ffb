package desk

import (
	"context"
	"slices"
	"strings"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// Decided answers an adjudicator's act: the event as it lies in the ledger and how much is left.
type Decided struct {
	Event    string `json:"event"`
	At       string `json:"at"`
	Revision int    `json:"revision"` // 1 for a first decision
	Open     int    `json:"open"`     // items that are still to be decided
	Decided  int    `json:"decided"`
}

// Decide gives an item its final value, with a reason. The value has the shape of a read. In fields that the adjudicator leaves open what
// all reads say alike stands; everything else that the rubric requires must be said, but for the adjudicator's own certainty. What the
// readers said stays as it is. Deciding again is a revision.
//
// Faults: as OpenDisagreement; Invalid with the field and what it allows, for a missing field, and without a reason.
func (d *Desk) Decide(ctx context.Context, id string, value review.FinalValue, reason string) (decided Decided, err error) {
	const op = "decide"
	began := time.Now()
	err = d.atDispute(ctx, op, id, func(r *room, all *disputes, item *dispute) error {
		if reason = strings.TrimSpace(reason); reason == "" || len(reason) > maxNote {
			return fault.New(fault.Invalid, op, "reason", "a reason of 1 to %d bytes expected", maxNote)
		}
		if value, err = r.complete(ctx, item, value); err != nil {
			return err
		}
		lines, err := r.caseLines(item.of)
		if err != nil {
			return err
		}
		e, err := r.settle(all, item, r.verdict(item, lines, value, reason, false))
		if err != nil {
			return err
		}
		decided = Decided{Event: string(e.ID), At: e.At, Revision: item.revisions}
		for _, other := range all.items {
			switch r.stateOf(all, other) {
			case stateOpen:
				decided.Open++
			case stateDecided:
				decided.Decided++
			}
		}
		return nil
	})
	if err != nil {
		return Decided{}, err
	}
	d.logged(op, id, decided.Event, began)
	return decided, nil
}

// settle adds a decision, unless it says what holds already, and keeps the list up to date. acting is held.
func (r *room) settle(all *disputes, item *dispute, e review.Event) (review.Event, error) {
	now, revisions, err := r.ledger.Current(e.Key)
	if err != nil {
		return e, err
	}
	if revisions > 0 && now.Reason == e.Reason && same(now.Body, e.Body) {
		item.decision, item.revisions = &now, revisions
		return now, nil
	}
	last, err := r.lastEvent()
	if err != nil {
		return e, err
	}
	if e, err = r.ledger.Append(e); err != nil {
		return e, err
	}
	item.decision, item.revisions = &e, revisions+1
	if all.asOf == last {
		all.asOf = e.ID // this decision changes nothing else in the list
	}
	return e, nil
}

// verdict makes the event of a final value. acting is held.
func (r *room) verdict(item *dispute, of caseLines, value review.FinalValue, reason string, unanimous bool) review.Event {
	e := r.draft(review.KindAdjudication, "")
	a := review.Adjudication{On: item.kind, Part: item.part, Kinds: list(item.kinds), Unanimous: unanimous, FinalValue: value, RestsOn: []review.EventID{}}
	for _, read := range item.reads {
		a.RestsOn = append(a.RestsOn, read.ID)
	}
	e.Session, e.Reason, e.Case, e.Chain, e.Body.Adjudication = "", reason, item.of, item.chain, &a
	e.Key = review.AdjudicationKey(item.kind, item.of, item.chain, item.part)
	e.PixelsDigest, e.CaseDigest = r.shown.digest(item.of), of.digest
	for _, c := range of.chains {
		if c.ID == item.chain {
			e.ChainDigest = c.Digest
		}
	}
	return e
}

// complete checks a decision and fills in what all reads say alike. acting is held.
func (r *room) complete(ctx context.Context, item *dispute, value review.FinalValue) (review.FinalValue, error) {
	if on := value.On(); on != item.kind {
		return value, invalid("decision", "a value of a %s expected, found %q", onWhat[item.kind], on)
	}
	m, err := r.material(ctx, item.of)
	if err != nil {
		return value, err
	}
	rd := &reading{material: m, rubric: r.rules.rubric}
	switch {
	case value.Look != nil:
		look := *value.Look
		value.Look = &look
		return value, rd.completeLook(item, &look)
	case value.Rating != nil:
		rating := *value.Rating
		value.Rating = &rating
		return value, rd.completeRating(item, &rating)
	}
	whole := *value.ChainRating
	value.ChainRating = &whole
	return value, rd.completeChain(item, &whole)
}

func (rd *reading) completeLook(item *dispute, look *review.Look) (err error) {
	if look.Question == "" {
		look.Question = review.QuestionID(item.part)
	}
	i := slices.IndexFunc(rd.material.questions, func(q review.Question) bool { return q.ID == look.Question })
	if i < 0 || string(look.Question) != item.part {
		return invalid("question", "%s expected, found %q", item.part, look.Question)
	}
	if look.Evidence, err = rd.regions("evidence", look.Evidence); err != nil {
		return err
	}
	sure := *look
	sure.Confidence = max(1, look.Confidence) // the adjudicator need not say how sure
	if look.Confidence < 0 {
		return invalid("confidence", "one of 1, 2, 3 expected, or none; found %d", look.Confidence)
	}
	return checkLook(rd.material.questions[i], sure)
}

func (rd *reading) completeRating(item *dispute, rating *review.Rating) (err error) {
	if rating.Step == "" {
		rating.Step = review.StepID(item.part)
	}
	if string(rating.Step) != item.part {
		return invalid("step", "%s expected, found %q", item.part, rating.Step)
	}
	c := rd.chainOf(item.chain)
	parts := steps(c)
	at := rd.subject(c, parts, slices.IndexFunc(parts, func(s review.Step) bool { return s.ID == rating.Step }))
	if rating.Evidence, err = rd.regions("evidence", rating.Evidence); err != nil {
		return err
	}
	rating.Error = list(rating.Error)
	if agreed := alike(item.reads, "support"); rating.Support == "" && len(agreed) > 0 {
		rating.Support = review.Support(agreed[0])
	}
	for _, f := range rd.rubric.Step {
		if agreed := alike(item.reads, f.Name); compares(f) && asksOf(f, at, rating.Support) && len(rating.Answers()[f.Name]) == 0 && len(agreed) > 0 {
			setStep(rating, f.Name, agreed)
		}
	}
	if err := rd.rubric.checkRating(*rating, at); err != nil {
		return err
	}
	return nothingMissing(rd.rubric.missingOf(*rating, at))
}

// chainOf finds a chain of the case.
func (rd *reading) chainOf(id review.ChainID) review.Chain {
	for _, c := range rd.material.chains {
		if c.ID == id {
			return c
		}
	}
	return review.Chain{}
}

// completeChain takes null as "nothing said" of what the chain misses, and an empty list as "nothing is missed".
func (rd *reading) completeChain(item *dispute, whole *review.ChainRating) error {
	untouched := whole.Missed == nil
	whole.NeedsMore, whole.Missed = list(whole.NeedsMore), slices.Clone(list(whole.Missed))
	for i := range whole.Missed {
		if m := &whole.Missed[i]; m.Region != nil {
			regions, err := rd.regions("missed", []review.Region{*m.Region})
			if err != nil {
				return err
			}
			m.Region = &regions[0]
		}
	}
	missing := []string{}
	for _, f := range rd.rubric.Chain {
		switch agreed := alike(item.reads, f.Name); {
		case !compares(f):
		case f.Kind == review.KindMissed:
			if untouched && slices.Contains(item.fields, f.Name) {
				missing = append(missing, f.Name)
			} else if untouched && len(item.reads) > 0 {
				whole.Missed = list(item.reads[0].Body.ChainRating.Missed)
			}
		case len(whole.Answers()[f.Name]) == 0 && len(agreed) > 0:
			setChain(whole, f.Name, agreed)
		}
	}
	if err := rd.rubric.checkChainRating(*whole, rd.chainOf(item.chain)); err != nil {
		return err
	}
	return nothingMissing(append(rd.rubric.missingOfChain(*whole), missing...))
}

// nothingMissing refuses a decision without what the rubric requires.
func nothingMissing(fields []string) error {
	fields = slices.DeleteFunc(fields, func(name string) bool { return name == "confidence" })
	if len(fields) > 0 {
		return invalid(fields[0], "the final value needs %s", strings.Join(fields, ", "))
	}
	return nil
}

// alike gives what all reads say of a field, or nothing where any differs or did not say.
func alike(reads []review.Event, field string) []string {
	var first []string
	for i, e := range reads {
		answers := map[string][]string{}
		switch b := e.Body; {
		case b.Rating != nil:
			answers = b.Rating.Answers()
		case b.ChainRating != nil:
			answers = b.ChainRating.Answers()
		}
		if i == 0 {
			first = answers[field]
		}
		if asSet(answers[field]) != asSet(first) {
			return nil
		}
	}
	return first
}

// setStep answers a field of a step by its name in the rubric.
func setStep(r *review.Rating, field string, answers []string) {
	switch field {
	case "reason":
		r.Reason = answers[0]
	case "model_place":
		r.ModelPlace = answers[0]
	case "error":
		r.Error = slices.Clone(answers)
	case "builds_on_error":
		r.BuildsOnError = answers[0]
	case "significance":
		r.Significance = answers[0]
	}
}

// setChain answers a field of a chain by its name in the rubric.
func setChain(r *review.ChainRating, field string, answers []string) {
	switch field {
	case "answer":
		r.Answer = answers[0]
	case "first_bad_step":
		r.FirstBadStep = answers[0]
	case "radpeer":
		r.Radpeer = answers[0]
	case "follows":
		r.Follows = answers[0]
	case "image_alone":
		r.ImageAlone = answers[0]
	case "needs_more":
		r.NeedsMore = slices.Clone(answers)
	}
}

// unanimousReason is the reason of every final value that was taken over.
const unanimousReason = "unanimous: all reads agree"

// AdoptUnanimous gives every item on which all reads agree its final value in one action, all of them or none, and says how many.
//
// Unanimous is a question, step or chain that two readers or more read, all of whom gave the same answer in every choice of the rubric:
// whatever triggers adjudication is then the same too. The order of several choices, notes and the readers' own certainty do not matter;
// missed findings must be the same word for word. Evidence is not required to be the same: the final value has what at least half of the
// readers marked. Items that differ in something less than a trigger are neither unanimous nor to be decided, and keep no final value. An item
// is left out that has its final value already, whose case the adjudicator read, or whose case has an assigned read that is not signed (in a
// study that is not closed). Faults: Refused for anybody but an adjudicator; Busy where something was said while it was worked out.
func (d *Desk) AdoptUnanimous(ctx context.Context) (adopted int, err error) {
	const op = "adopt unanimous"
	began := time.Now()
	err = d.within(op, func(r *room) error {
		if err := r.adjudicates(op); err != nil {
			return err
		}
		all, err := r.workOut(ctx, op)
		if err != nil {
			return err
		}
		r.acting.Lock()
		defer r.acting.Unlock()
		last, err := r.lastEvent()
		switch {
		case err != nil:
			return err
		case last != all.asOf:
			return fault.New(fault.Busy, op, "", "something was said meanwhile: ask again")
		}
		events, items := []review.Event{}, []*dispute{}
		var lines caseLines
		for _, item := range all.agreed {
			if err := ctx.Err(); err != nil {
				return err
			}
			if item.decided() || r.stateOf(all, item) != stateOpen {
				continue
			}
			if lines.of.ID != item.of {
				if lines, err = r.caseLines(item.of); err != nil {
					return err
				}
			}
			events, items = append(events, r.verdict(item, lines, agreedValue(item.reads), unanimousReason, true)), append(items, item)
		}
		if adopted = len(events); adopted == 0 {
			return nil
		}
		if err := r.ledger.AppendAll(events); err != nil {
			return err
		}
		for i, item := range items {
			item.decision, item.revisions = &events[i], item.revisions+1
		}
		all.asOf = events[len(events)-1].ID // nothing else has changed
		r.toDecide = all.lean()
		return nil
	})
	if err != nil {
		return 0, err
	}
	d.logged(op, "", "", began)
	return adopted, nil
}

// agreedValue gives what all reads said, with what at least half of them marked.
func agreedValue(reads []review.Event) review.FinalValue {
	marks := [][]review.Region{}
	for _, e := range reads {
		marks = append(marks, regionsOf(unnamed(e.Body)))
	}
	v := unnamed(reads[0].Body)
	switch {
	case v.Look != nil:
		v.Look.Evidence, v.Look.Confidence = stats.Consensus(marks), 0
	case v.Rating != nil:
		v.Rating.Evidence, v.Rating.Confidence, v.Rating.Note = stats.Consensus(marks), 0, ""
	case v.ChainRating != nil:
		v.ChainRating.Note = ""
	}
	return v
}
