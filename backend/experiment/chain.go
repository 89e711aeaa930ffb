package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/review"
)

// chain asks a unit's questions in stage order and keeps the chain; false where it was kept before. What was answered before is not asked
// again.
func (e *run) chain(ctx context.Context, u unit, key string) (made bool, err error) {
	s, m := e.subjects[u.of], e.Models[u.model]
	corrected := e.plan.correctedFor(m.Info.Name, u.of, u.condition)
	if err := s.fits(u.condition, corrected); err != nil {
		return false, err
	}
	held, err := e.heldAt(ctx, u)
	if err != nil {
		return false, err
	}
	began := e.Now()
	c := review.Chain{
		Schema: review.ChainSchema, ID: chainID(e.plan.Run, key), Case: u.of, Started: began.UTC().Format(time.RFC3339), ImageDigests: []review.Digest{},
	}
	o := review.Origin{
		Schema: review.OriginSchema, Chain: c.ID, Model: m.Info, Condition: u.condition, Seed: e.seed(u), Temperature: m.Temperature, Run: e.plan.Run,
		Targets: map[review.QuestionID]string{},
	}
	if corrected != nil {
		o.Parent, o.Told = corrected.Parent, corrected.Answers
	}
	own := map[review.QuestionID]review.Answer{}
	var prompts strings.Builder
	for at, q := range s.questions {
		if corrected != nil {
			if _, kept := corrected.told(q.ID); kept {
				continue
			}
		}
		p, told, err := e.prepare(ctx, u, at, own, held)
		if err != nil {
			return false, err
		}
		text, err := m.put(told.prompt)
		if err != nil {
			return false, err
		}
		prompts.WriteString(text)
		a, err := e.answer(ctx, u, key, q, model.Request{Prompt: text, Images: p.images}, p.frames)
		if err != nil {
			return false, err
		}
		own[q.ID] = a
		c.Answers = append(c.Answers, a)
		if told.target != "" {
			o.Targets[q.ID] = told.target
		}
		o.Recipes = addRecipe(o.Recipes, p.recipe, q.ID)
		c.ImageDigests = addDigest(c.ImageDigests, p.recipe.Digest)
		c.Seconds += a.Seconds
	}
	if o.Condition.Cue != "" && o.Condition.CueStage != "" && len(o.Targets) == 1 {
		for _, t := range o.Targets {
			o.Condition.CueTarget = t
		}
	}
	if len(o.Recipes) > 0 {
		o.Condition.Fill = o.Recipes[len(o.Recipes)-1].Fill
	}
	o.PromptDigest = review.DigestOf([]byte(prompts.String()))
	c.Digest = review.ChainDigest(c)
	e.mu.Lock()
	e.held[key] = own
	_, before := e.noted[UnitNote+key]
	e.mu.Unlock()
	if before {
		return true, nil
	}
	return true, e.Book.Finish(e.plan.Run, UnitNote+key, []byte(c.ID), c, o)
}

// fits says whether a condition makes sense for a case at all.
func (u *subject) fits(c review.Condition, corrected *Corrected) error {
	switch {
	case len(u.questions) == 0:
		return unfit("the case has no question")
	case c.Given == "expert" && corrected == nil:
		return unfit("no reader has corrected an answer of this model")
	case c.Given == "given-swap" && u.donor == nil:
		return unfit("no other patient's answers differ")
	case strings.HasPrefix(c.Given, "corrupt-"):
		if q, _, _ := u.corruption(c); q == "" {
			return unfit("no earlier answer can be made wrong by %s", strings.TrimPrefix(c.Given, "corrupt-"))
		}
	case c.Language != "" && c.Language != u.Language:
		return unfit("the case is not there in this language")
	case c.Paraphrase != "":
		return unfit("no paraphrase of the questions was imported")
	case c.Text != "":
		return unfit("there is no free reasoning to give back")
	case c.Slices != "" || c.Window != "":
		return unfit("the frames and the window that are sent are chosen by the program")
	}
	if c.Mitigation != "" {
		if _, known := mitigations[c.Mitigation]; !known {
			return unfit("no mitigation %q", c.Mitigation)
		}
	}
	if strings.HasPrefix(c.Given, "gold") || c.Given == "contradict" || c.Cue != "" {
		if len(u.truth) == 0 {
			return unfit("no right answer is known")
		}
	}
	if c.Cue != "" && !slices.ContainsFunc(u.questions, func(q review.Question) bool { _, ok := u.cueFor(c, q); return ok }) {
		return unfit("no question of the case can be cued so")
	}
	return nil
}

// heldAt waits for the run whose earlier answers a unit is told, and gives them.
func (e *run) heldAt(ctx context.Context, u unit) (map[review.QuestionID]review.Answer, error) {
	if u.condition.GivenFrom == "" {
		return nil, nil
	}
	from, err := review.ParseCondition(u.condition.GivenFrom)
	if err != nil {
		return nil, err
	}
	key := unit{u.model, u.of, from}.key(e.Models)
	select {
	case <-e.done[key]:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if answers, there := e.held[key]; there {
		return answers, nil
	}
	return nil, unfit("there is no run %s to hold the earlier answers at", from.Name())
}

// asking is a question as it is put.
type asking struct {
	prompt model.Prompt
	target string // the answer that the condition points to
}

// prepare makes the picture and the prompt of the question at a place.
func (e *run) prepare(ctx context.Context, u unit, at int, own, held map[review.QuestionID]review.Answer) (picture, asking, error) {
	s, c := e.subjects[u.of], u.condition
	q := s.questions[at]
	if name, _ := drawn(c); name != "" {
		if _, cued := s.cueFor(c, q); !cued { // drawn for the questions that it is a cue to, and for no others
			c.Cue = ""
		}
	}
	w, err := s.want(c, q, e.plan.Seed)
	if err != nil {
		return picture{}, asking{}, err
	}
	p, err := e.gallery.get(ctx, w)
	if err != nil {
		return picture{}, asking{}, err
	}
	told := s.tell(c, at, own, held)
	if corrected := e.plan.correctedFor(e.Models[u.model].Info.Name, u.of, u.condition); corrected != nil {
		told.lines = corrected.lines(s.questions[:at], own)
	}
	hint, _ := s.cueFor(c, q)
	out := asking{target: told.targets[q.ID]}
	if hint.target != "" {
		out.target = hint.target
	}
	if c.Image == "swap" && out.target == "" {
		out.target = s.goldOf(s.donor, q)
	}
	out.prompt = model.Prompt{
		Geometry: p.geometry, Context: cardText(s.Context, c.Context, hint.history), Earlier: told.lines,
		Cue: strings.TrimSpace(hint.text + " " + mitigations[c.Mitigation]), Stage: q.Stage, Question: q.Text,
	}
	for _, o := range q.Options {
		out.prompt.Options = append(out.prompt.Options, model.Option{Letter: o.Letter, Text: o.Text})
	}
	return p, out, nil
}

// seed is the seed of a unit's requests: the plan's, one further for a repeat of what is drawn by lot.
func (e *run) seed(u unit) int64 {
	if u.condition.Image == "noop" && e.Models[u.model].Temperature > 0 {
		return e.plan.Seed + 1
	}
	return e.plan.Seed
}

// answer gives the answer to one question: the one that was noted, or else the model's, noted before it is used.
func (e *run) answer(ctx context.Context, u unit, key string, q review.Question, r model.Request, frames int) (review.Answer, error) {
	at := "answer\x00" + key + "\x00" + string(q.ID)
	e.mu.Lock()
	kept, known := e.noted[at]
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
	number := 1 + slices.IndexFunc(e.subjects[u.of].questions, func(o review.Question) bool { return o.ID == q.ID })
	a = m.readReply(q, number, reply, e.subjects[u.of].firstImage(), r.Images, frames)
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

// read turns a reply into an answer with its steps. Places are in the images as sent; regions are in the frames of the image, which are the
// same only where all frames were sent: elsewhere a place in one of several frames is left out.
func read(q review.Question, reply model.Reply, image review.ImageID, sent, frames int) review.Answer {
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
		for k, p := range claim.Places {
			if image == "" || frames > 1 && sent != frames || p.To < p.From || p.From < 0 || p.To >= max(1, frames) {
				continue
			}
			r := review.Region{ID: review.RegionID(fmt.Sprintf("%s-r%d", step.ID, k+1)), Image: image, Shape: review.Box, Coords: p.Box[:]}
			if p.Box == [4]float64{} {
				r.Shape, r.Coords = review.WholeImage, []float64{}
			}
			if frames > 1 && r.Shape == review.Box {
				r.From, r.To = &p.From, &p.To
			}
			if r.Fault(frames) == "" {
				step.Regions = append(step.Regions, r)
			}
		}
		a.Steps = append(a.Steps, step)
	}
	return a
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
