package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/review"
)

// seed is the seed of a unit's requests: the plan's, one further for a repeat of what is drawn by lot.
func (e *run) seed(u unit) int64 {
	if u.condition.Image == "noop" && e.Models[u.model].Temperature > 0 {
		return e.plan.Seed + 1
	}
	return e.plan.Seed
}

// answer gives the answer to one question, in one of its rounds: the one that was noted, or else the model's, noted before it is used.
func (e *run) answer(ctx context.Context, t *task, q review.Question, round int, r model.Request, sent []model.Sent) (review.Answer, error) {
	u, at := t.unit, answerNote(t.key, q.ID, round)
	e.mu.Lock()
	kept, known := e.noted[at]
	delete(e.noted, at)
	stopped := e.stopped[u.model] != ""
	e.mu.Unlock()
	var a review.Answer
	if known {
		if err := json.Unmarshal(kept, &a); err != nil {
			return a, fault.New(fault.Damaged, "look up answer", string(q.ID), "%w", err)
		}
		e.count(a, true)
		return a, nil
	}
	if stopped {
		return a, errNotAsked
	}
	if err := e.Gate.wait(ctx); err != nil {
		return a, err
	}
	m := e.Models[u.model]
	r.Mark = model.Mark{ID: requestID(e.plan.Run, at), Chain: string(chainID(e.plan.Run, t.key)), Stage: q.K}
	r.Seed, r.Temperature = e.seed(u), m.Temperature
	if u.condition.Image == "noop" {
		r.Repeat = 1
	}
	for _, o := range q.Options {
		r.Letters = append(r.Letters, o.Letter)
	}
	if err := e.mayAsk(u.model); err != nil {
		return a, err
	}
	began := e.Now()
	reply, err := m.Ask(ctx, r)
	if err != nil {
		return a, fault.In("ask "+m.Name(), string(u.of)+"/"+string(q.ID), err)
	}
	number := 1 + slices.IndexFunc(t.s.questions, func(o review.Question) bool { return o.ID == q.ID })
	a = m.readReply(q, number, r.Form, reply, sent)
	a.Seconds = e.Now().Sub(began).Seconds()
	b, err := json.Marshal(a)
	if err != nil {
		return a, err
	}
	raw, err := rawOf(reply)
	if err != nil {
		return a, err
	}
	if err := e.keeper.note(at, b, raw); err != nil {
		return a, err
	}
	e.count(a, false)
	return a, nil
}

// count takes an answer into the status.
func (e *run) count(a review.Answer, kept bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.status.Answered++
	if kept {
		e.status.Kept++
	}
	if a.Parse == review.Unparsed || a.Parse == review.Empty {
		e.status.Unparsed++
	}
}

// read turns a built-in model's reply into an answer with its steps. Places are in the pictures as sent, regions in the frames of the case's
// images as stored.
func read(q review.Question, reply model.Reply, sent []model.Sent) review.Answer {
	a := review.Answer{Question: q.ID, Steps: []review.Step{}, Parse: review.Empty}
	if strings.TrimSpace(reply.Text) == "" {
		return a
	}
	var letters []string
	for _, o := range q.Options {
		letters = append(letters, o.Letter)
	}
	said, err := model.ParseReply(reply, letters)
	if err != nil {
		a.Parse = review.Unparsed
		return a
	}
	if a.Parse = review.Abstained; said.Answer != "" {
		a.Parse, a.Answer = review.ParseOK, &said.Answer
	}
	for i, claim := range said.Steps {
		step := review.Step{ID: review.StepID(fmt.Sprintf("%s.%d", q.ID, i+1)), Text: &claim.Text, ClaimType: claim.Type, Regions: []review.Region{}}
		for _, p := range claim.Places {
			step.Regions = append(step.Regions, regionsOf(p, sent)...)
		}
		for k := range step.Regions {
			step.Regions[k].ID = review.RegionID(fmt.Sprintf("%s-r%d", step.ID, k+1))
		}
		a.Steps = append(a.Steps, step)
	}
	return a
}

// regionsOf gives the regions of a place of a built-in model, which writes boxes as they are kept; none where it is no place of the pictures sent.
func regionsOf(p model.Place, sent []model.Sent) []review.Region {
	if p.From < 0 || p.To < p.From || p.To >= len(sent) {
		return nil
	}
	out, _ := model.Regions(review.BoxConvention{}, sent, p.From, p.To, p.Box)
	for i := range out {
		out[i].Source = nil
	}
	return out
}

// addRecipe notes how a question's images were made, once for each different set.
func addRecipe(list []review.Recipe, r review.Recipe, q review.QuestionID) []review.Recipe {
	for i := range list {
		if list[i].Digest == r.Digest && list[i].Image == r.Image {
			list[i].Questions = append(list[i].Questions, q)
			return list
		}
	}
	r.Questions = []review.QuestionID{q}
	return append(list, r)
}

func addDigest(list []review.Digest, d review.Digest) []review.Digest {
	if slices.Contains(list, d) {
		return list
	}
	return append(list, d)
}
