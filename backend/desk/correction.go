package desk

import (
	"context"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// OwnAnswer saves what the reader would have said in place of a step: a correction, in full each time; one in which nothing is said takes
// an earlier one back. Nobody has to give any, and after signing it needs a reason like every change. Faults as Rate.
func (d *Desk) OwnAnswer(ctx context.Context, assignment, chain string, own review.OwnAnswer, reason string) (Saved, error) {
	const op = "correct"
	return d.act(ctx, op, assignment, func(r *room, rd *reading) (review.Event, error) {
		c, err := rd.open(op, chain)
		if err != nil {
			return review.Event{}, err
		}
		at := slices.IndexFunc(c.Answers, func(a review.Answer) bool {
			return slices.ContainsFunc(a.Steps, func(s review.Step) bool { return s.ID == own.Step })
		})
		if at < 0 {
			return review.Event{}, fault.New(fault.NotFound, op, string(own.Step), "the chain has no such step")
		}
		question := c.Answers[at].Question
		if own.Question == "" {
			own.Question = question
		}
		if own.Evidence, err = rd.regions("evidence", own.Evidence); err != nil {
			return review.Event{}, err
		}
		if err := rd.checkOwnAnswer(c.ID, own, question); err != nil {
			return review.Event{}, err
		}
		e := review.Event{
			Kind: review.KindOwnAnswer, Chain: c.ID, Key: review.EventKey(rd.assignment.ID, review.KindOwnAnswer, c.ID, string(own.Step)),
			Reason: reason, Body: review.Body{OwnAnswer: &own},
		}
		if err := r.openNow(op, rd); err != nil {
			return e, err
		}
		return e, rd.needsReason(e)
	})
}

// checkOwnAnswer refuses a correction that the question does not offer, and one that says nothing where there is none to take back.
func (rd *reading) checkOwnAnswer(chain review.ChainID, own review.OwnAnswer, question review.QuestionID) error {
	letters := []string{}
	for _, q := range rd.of.Questions {
		if q.ID == question {
			for _, o := range q.Options {
				letters = append(letters, o.Letter)
			}
		}
	}
	_, said := rd.own[chain][own.Step]
	switch {
	case own.Question != question:
		return invalid("question", "the step belongs to %s, not to %q", question, own.Question)
	case own.Answer != "" && len(letters) > 0 && !slices.Contains(letters, own.Answer):
		return invalid("answer", "one of the letters %s expected, found %q", strings.Join(letters, ", "), own.Answer)
	case len(own.Answer) > maxNote || len(own.Text) > maxNote:
		return invalid("text", "at most %d bytes", maxNote)
	case own.Confidence < 0 || own.Confidence > 3:
		return invalid("confidence", "one of 1, 2, 3 expected, or none; found %d", own.Confidence)
	case strings.TrimSpace(own.Answer) == "" && strings.TrimSpace(own.Text) == "" && !(own.Empty() && said):
		return invalid("answer", "an answer or the words of the step expected")
	}
	return nil
}
