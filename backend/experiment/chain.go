package experiment

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"plumbline/backend/model"
	"plumbline/backend/review"
)

// task is a unit with what its questions need.
type task struct {
	unit
	key       string
	s         *subject
	corrected *Corrected                          // from which it goes on; nil: from the beginning
	held      map[review.QuestionID]review.Answer // at which earlier answers are held
	before    map[review.QuestionID]review.Answer // whose reasoning is given back
	own       map[review.QuestionID]review.Answer // what this chain said so far
}

// chain asks a unit's questions in stage order and keeps the chain; false where it was kept before. What was answered before is not asked
// again.
func (e *run) chain(ctx context.Context, u unit, key string) (made bool, err error) {
	t := task{unit: u, key: key, own: map[review.QuestionID]review.Answer{}}
	if t.s, err = e.library.get(ctx, u.of); err != nil {
		return false, err
	}
	m := e.Models[u.model]
	t.corrected = e.plan.correctedFor(m.Info.Name, u.of, u.condition)
	if err := e.fits(&t); err != nil {
		return false, err
	}
	if u.condition.GivenFrom != "" {
		if t.held, err = e.answersOf(ctx, u, needs(review.Condition{GivenFrom: u.condition.GivenFrom})[0]); err != nil {
			return false, err
		}
	}
	if b, gives := base(u.condition); gives {
		if t.before, err = e.answersOf(ctx, u, b.Name()); err != nil {
			return false, err
		}
	}
	if e.keptWhole(&t) {
		return true, nil
	}
	began := e.Now()
	c := review.Chain{
		Schema: review.ChainSchema, ID: chainID(e.plan.Run, key), Case: u.of, Started: began.UTC().Format(time.RFC3339), ImageDigests: []review.Digest{},
	}
	o := review.Origin{
		Schema: review.OriginSchema, Chain: c.ID, Model: m.Info, Condition: u.condition, Seed: e.seed(u), Temperature: m.Temperature, Run: e.plan.Run,
		Targets: map[review.QuestionID]string{}, LeftOut: map[review.QuestionID]string{},
	}
	if t.corrected != nil {
		o.Parent, o.Told = t.corrected.Parent, t.corrected.Answers
	}
	if t.condition.Cue == emphasisCue {
		o.Parent = e.plan.emphasised(t.of)
	}
	if err := e.askAll(ctx, &t, &c, &o); err != nil {
		return false, err
	}
	if o.Condition.Cue != "" && o.Condition.CueStage != "" && len(o.Targets) == 1 {
		for _, t := range o.Targets {
			o.Condition.CueTarget = t
		}
	}
	if len(o.Recipes) > 0 {
		o.Condition.Fill = o.Recipes[len(o.Recipes)-1].Fill
	}
	c.Digest = review.ChainDigest(c)
	e.tellOthers(&t)
	return true, e.Book.Finish(e.plan.Run, UnitNote+key, []byte(c.ID), c, o)
}

// tellOthers holds the answers of a task for those that are told them.
func (e *run) tellOthers(t *task) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if name := t.condition.Name(); e.needed[name] {
		e.open[place{t.model, t.of}].held[name] = t.own
	}
}

// keptWhole says whether the chain of a task was kept before, and takes its answers from the notes: no picture is made again for it.
func (e *run) keptWhole(t *task) bool {
	if _, stops := sureness(t.condition); stops && e.needed[t.condition.Name()] {
		return false // the answer that others are told is found again in the notes of its rounds
	}
	e.mu.Lock()
	_, kept := e.noted[UnitNote+t.key]
	delete(e.noted, UnitNote+t.key)
	e.mu.Unlock()
	if !kept {
		return false
	}
	left := map[review.QuestionID]string{}
	for _, q := range t.s.questions {
		if why := e.takeLeftOut(t, q.ID); why != "" {
			left[q.ID] = why
		}
		at := answerNote(t.key, q.ID, 0)
		e.mu.Lock()
		raw, known := e.noted[at]
		delete(e.noted, at)
		e.mu.Unlock()
		var a review.Answer
		if !known || json.Unmarshal(raw, &a) != nil { // the chain is kept whole; an answer is for others to be told
			continue
		}
		t.own[q.ID] = a
		e.count(a, true)
	}
	e.countLeftOut(left)
	e.tellOthers(t)
	return true
}

// takeLeftOut takes the note of why a question was left out when its chain was begun; "" where it was not. Of a batch only those requests can be
// answered that were written: without this it would be waited for.
func (e *run) takeLeftOut(t *task, q review.QuestionID) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	at := leftOutNote(t.key, q)
	why := e.noted[at]
	delete(e.noted, at)
	return string(why)
}

func (e *run) countLeftOut(why map[review.QuestionID]string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, w := range why {
		e.leftOut[w]++
	}
}

// leftOutNote is the key of the note of why a question was not asked, for when its chain is gone on with or taken over.
func leftOutNote(key string, q review.QuestionID) string {
	return "left\x00" + key + "\x00" + string(q)
}

// answerNote is the key of the note of an answer, of the rounds in which a question is asked.
func answerNote(key string, q review.QuestionID, round int) string {
	at := "answer\x00" + key + "\x00" + string(q)
	if round > 0 {
		at += "\x00" + strconv.Itoa(round)
	}
	return at
}

// askAll asks the questions of a task in stage order. A question to which the condition has nothing to do is left out, and so is one for which
// it cannot be made where no later one is told its answer; a chain of none is not applicable.
func (e *run) askAll(ctx context.Context, t *task, c *review.Chain, o *review.Origin) error {
	var prompts strings.Builder
	none := unfit("no answer has reasoning in words that %s could change", t.condition.Text)
	for at, q := range t.s.questions {
		if t.corrected != nil {
			if _, kept := t.corrected.told(q.ID); kept {
				continue
			}
		}
		backs := rounds(t.condition, t.before, q, e.Study.Wording)
		if len(backs) == 0 {
			t.own[q.ID] = t.before[q.ID] // what later questions are told is not changed by it
			continue
		}
		if why := e.takeLeftOut(t, q.ID); why != "" {
			none, o.LeftOut[q.ID] = unfit("%s", why), why
			continue
		}
		a, p, told, err := e.askRounds(ctx, t, at, backs, &prompts)
		if isUnfit(err) && !tellsOwn(t.condition) {
			none, o.LeftOut[q.ID] = err, err.Error()
			if err := e.keeper.note(leftOutNote(t.key, q.ID), []byte(err.Error()), nil); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		t.own[q.ID] = a
		c.Answers = append(c.Answers, a)
		if told.target != "" {
			o.Targets[q.ID] = told.target
		}
		if told.unworded {
			o.Unworded = append(o.Unworded, q.ID)
		}
		o.Recipes = addRecipe(o.Recipes, p.recipe, q.ID)
		c.ImageDigests = addDigest(c.ImageDigests, p.recipe.Digest)
		c.Seconds += a.Seconds
	}
	if len(c.Answers) == 0 {
		return none
	}
	e.countLeftOut(o.LeftOut)
	o.PromptDigest = review.DigestOf([]byte(prompts.String()))
	return nil
}

// askRounds asks a question in its rounds, the last of which gives the answer. Under "confident" one is the last in which the model is sure
// enough of an option; its answer then comes with the steps that led to it. Where it never is, the answer stays what the whole reasoning led to.
func (e *run) askRounds(ctx context.Context, t *task, at int, backs [][]string, prompts *strings.Builder) (a review.Answer, p picture, told asking, err error) {
	q, form := t.s.questions[at], model.FormSteps
	enough, stops := sureness(t.condition)
	if stops {
		form = model.FormLetter
	}
	seconds := 0.0
	for k, back := range backs {
		if !e.ready(t, q, k) {
			return a, p, told, errLater
		}
		if p, told, err = e.prepare(ctx, t, at, back); err != nil {
			return a, p, told, err
		}
		text, err := e.Models[t.model].put(told.prompt, form)
		if err != nil {
			return a, p, told, err
		}
		prompts.WriteString(text)
		if a, err = e.answer(ctx, t, q, k, model.Request{Prompt: text, Images: p.images, Form: form}, p.sent); err != nil || !stops {
			return a, p, told, err
		}
		seconds += a.Seconds
		sure, tells := surest(a)
		if !tells && a.Parse == review.ParseOK { // a refusal or nonsense comes without probabilities too: then it is not sure
			return a, p, told, errNeverSure
		}
		if sure >= enough && a.Answer != nil {
			a.Steps, a.Seconds = firstSteps(t.before[q.ID], k), seconds
			return a, p, told, nil
		}
	}
	a = t.before[q.ID]
	a.Seconds += seconds
	return a, p, told, nil
}

// errNeverSure is why a model cannot be asked until it is sure.
var errNeverSure = notApplicable{"the model tells no probabilities of its options: nothing says how sure it is"}

// firstSteps gives the steps of an answer up to the k-th that is said in words.
func firstSteps(a review.Answer, k int) []review.Step {
	out := []review.Step{}
	for _, s := range a.Steps {
		if said(s) {
			if k--; k < 0 {
				break
			}
		}
		out = append(out, s)
	}
	return out
}

// ready says whether a question can be answered now, in one of its rounds: of the results of a batch some are not there yet, and their
// pictures need not be made.
func (e *run) ready(t *task, q review.Question, round int) bool {
	m, some := e.Models[t.model].Model.(interface{ has(id string) bool })
	if !some {
		return true
	}
	at := answerNote(t.key, q.ID, round)
	e.mu.Lock()
	_, noted := e.noted[at]
	e.mu.Unlock()
	return noted || m.has(requestID(e.plan.Run, at))
}

// answersOf waits for the run of the same model and case under another condition, and gives its answers.
func (e *run) answersOf(ctx context.Context, u unit, name string) (map[review.QuestionID]review.Answer, error) {
	e.mu.Lock()
	o := e.open[place{u.model, u.of}]
	e.mu.Unlock()
	select {
	case <-o.done[name]:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if answers, there := o.held[name]; there {
		return answers, nil
	}
	if o.later[name] {
		return nil, errLater
	}
	return nil, unfit("there is no run %s whose answers could be told", name)
}

// asking is a question as it is put.
type asking struct {
	prompt model.Prompt
	target string // the answer that the condition points to
	// unworded says that the condition wants other words than the case's own, and there are none for this question.
	unworded bool
}

// prepare makes the picture and the prompt of the question at a place; back is reasoning that is given back.
func (e *run) prepare(ctx context.Context, t *task, at int, back []string) (picture, asking, error) {
	s, c := t.s, t.condition
	q := s.questions[at]
	say := e.Study.Wording
	if name, _ := drawn(c); name != "" {
		if _, cued := s.cueFor(c, q, say); !cued { // drawn for the questions that it is a cue to, and for no others
			c.Cue = ""
		}
	}
	w, err := s.want(c, q, e.plan.Seed)
	if err != nil {
		return picture{}, asking{}, err
	}
	pointed := (*Emphasis)(nil)
	if c.Cue == emphasisCue {
		if pointed = e.plan.emphasis(t.of, q.ID); pointed != nil && len(pointed.Regions) > 0 {
			w.cue, w.right, w.regions = "box", true, pointed.Regions
		}
	}
	p, err := e.gallery.get(ctx, w)
	if err != nil {
		return picture{}, asking{}, err
	}
	told := s.tell(c, at, t.own, t.held)
	if t.corrected != nil {
		told.lines = t.corrected.lines(s.questions[:at], t.own)
	}
	hint, _ := s.cueFor(c, q, say)
	out := asking{target: cmp.Or(hint.target, told.targets[q.ID], s.targetOf(c, q))}
	if pointed != nil {
		hint.text = pointed.text(say)
	}
	asked, found := s.worded(c, q)
	out.unworded = !found
	out.prompt = model.Prompt{
		Geometry: p.geometry, Context: cardText(s.Context, c.Context, hint.history), Earlier: told.lines, Reasoning: back,
		Cue: strings.TrimSpace(hint.text + " " + say.Mitigations[c.Mitigation]), Stage: asked.Stage, Question: asked.Text,
	}
	if len(back) > 0 {
		out.prompt.Continue = say.Reasoning
	}
	for _, o := range asked.Options {
		out.prompt.Options = append(out.prompt.Options, model.Option{Letter: o.Letter, Text: o.Text})
	}
	return p, out, nil
}

// targetOf gives the right answer of the image that stands in for the case's.
func (u *subject) targetOf(c review.Condition, q review.Question) string {
	switch {
	case c.Image == "swap" && u.donor != nil:
		return u.goldOf(u.donor, q)
	case c.Image == "mirror":
		return u.mirroredOption(q)
	case c.Image == "insert" && u.inserted != nil:
		return u.inserted.right[q.ID]
	}
	return ""
}

// worded gives a question as a condition words it; false where it wants words that there are none of.
func (u *subject) worded(c review.Condition, q review.Question) (asked review.Question, found bool) {
	found = true
	if c.Language != "" {
		q, found = u.translated(c.Language, q)
	}
	if c.Paraphrase != "" {
		if text, other := u.paraphrased(c, q); other {
			q.Text = text
		} else {
			found = false
		}
	}
	return q, found
}
