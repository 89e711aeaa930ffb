package export

import (
	"context"
	"slices"

	"plumbline/backend/review"
)

// A pair is a better and a worse continuation of one prompt.
type pair struct {
	prompt, chosen, rejected string
	regions                  []review.Region // that the picture should show, where one picture must do
}

// The rules by which pairs are made (formats.md).
const (
	ruleStep  = "step"  // a step that holds over one that does not, of the same stage after the same words
	ruleEdit  = "edit"  // a reader's own words over the step that they stand in place of
	ruleCue   = "cue"   // the right answer before a cue over the answer that follows it
	ruleImage = "image" // the answer to the image over the answer to the image without its evidence
)

// The units that exports of pairs count.
const (
	unitSteps      = "steps that do not hold"
	unitCuePairs   = "cue pairs"
	unitImagePairs = "image pairs"
)

// pairs writes preference pairs by the rules.
type pairs struct {
	*samples
	write  func(ctx context.Context, c *Case, f from, p pair) error
	done   func() error
	images bool // the trainer has an image term: image pairs can be expressed

	seen map[string]bool // of the case at hand
	rows int
}

func (w *pairs) add(ctx context.Context, c *Case) error {
	if w.partOf(c) == "" {
		return w.counts.left(unitCases, string(c.ID), notListed)
	}
	w.seen, w.rows = map[string]bool{}, 0
	for _, make := range []func(context.Context, *Case) error{w.steps, w.cues, w.necessary} {
		if err := make(ctx, c); err != nil {
			return err
		}
	}
	return w.tallied(c, w.rows, "no pair can be made of it: it needs settled labels of steps, or runs with a cue")
}

func (w *pairs) end(context.Context) error {
	if err := w.close(); err != nil {
		return err
	}
	if w.done == nil {
		return nil
	}
	return w.done()
}

// pair writes a pair once.
func (w *pairs) pair(ctx context.Context, c *Case, f from, p pair) error {
	key := p.prompt + "\x00" + p.chosen + "\x00" + p.rejected
	if p.chosen == p.rejected || p.chosen == "" || p.rejected == "" || w.seen[key] {
		return nil
	}
	w.seen[key] = true
	w.rows++
	return w.write(ctx, c, f, p)
}

// labelled is a step of a chain with its label and everything that was said before it.
type labelled struct {
	chain  Chain
	answer review.Answer
	step   review.Step
	prompt string
	rating review.Rating
	label  Label
	why    string // it has no label
}

// labelledSteps lists the steps in words of all chains of a case.
func (c *Case) labelledSteps(which Labels) []labelled {
	var out []labelled
	for _, chain := range c.Chains {
		for _, a := range chain.Answers {
			q, there := c.Question(a.Question)
			if !there {
				continue
			}
			prompt := c.told(q, chain, "")
			var before []string
			for _, s := range a.Steps {
				if s.Text == nil {
					continue
				}
				x := labelled{chain: chain, answer: a, step: s, prompt: stepped(prompt, before)}
				x.rating, x.label, x.why = c.stepLabel(chain.Chain, s.ID, which)
				out = append(out, x)
				before = append(before, *s.Text)
			}
		}
	}
	return out
}

// steps makes the pairs of rule 1.
func (w *pairs) steps(ctx context.Context, c *Case) error {
	all := c.labelledSteps(w.Labels)
	good := map[string][]labelled{} // by what was asked and said before
	for _, x := range all {
		if x.why == "" && x.rating.Support == review.Supported {
			good[x.prompt] = append(good[x.prompt], x)
		}
	}
	for _, x := range all {
		if x.why != "" {
			continue
		}
		v, rated := reward(x.rating.Support)
		if !rated || v >= 0 {
			continue
		}
		f := from{Chain: x.chain.ID, Question: x.answer.Question, Step: x.step.ID, Label: x.label}
		p := pair{prompt: x.prompt, rejected: *x.step.Text, regions: x.rating.Evidence}
		before := w.rows
		for _, own := range c.owns(x.chain.ID, x.step.ID) {
			f.Rule, p.chosen = ruleEdit, own.Body.OwnAnswer.Text
			if err := w.pair(ctx, c, f, p); err != nil {
				return err
			}
		}
		for _, better := range good[x.prompt] {
			f.Rule, p.chosen = ruleStep, *better.step.Text
			if err := w.pair(ctx, c, f, p); err != nil {
				return err
			}
		}
		if w.rows > before {
			w.counts.wrote(unitSteps, 1)
		} else if err := w.counts.left(unitSteps, string(x.chain.ID)+"/"+string(x.step.ID), "does not hold, and nothing better was said in its place"); err != nil {
			return err
		}
	}
	return nil
}

// cues makes the pairs of rule 2: of chains under a cue and what the same model said without.
func (w *pairs) cues(ctx context.Context, c *Case) error {
	for _, cued := range c.Chains {
		if cued.Origin == nil || cued.Origin.Condition.Cue == "" {
			continue
		}
		plain := cued.Origin.Condition
		plain.Cue, plain.CueStage, plain.CueTarget = "", "", ""
		before, there := c.chainBy(cued.Model(), func(o review.Condition) bool { return o == plain })
		if !there {
			continue
		}
		for _, a := range cued.Answers {
			target := cued.Origin.Targets[a.Question]
			if target == "" {
				target = cued.Origin.Condition.CueTarget
			}
			if err := w.cuePair(ctx, c, cued, before, a, target); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *pairs) cuePair(ctx context.Context, c *Case, cued, before Chain, a review.Answer, target string) error {
	q, there := c.Question(a.Question)
	earlier, answered := before.answer(a.Question)
	if !there || !answered || target == "" || a.Answer == nil || !q.Same(*a.Answer, target) {
		return nil
	}
	wasRight, known := c.right(earlier)
	nowRight, _ := c.right(a)
	if !known || !wasRight || nowRight {
		return nil
	}
	words := w.Cue(cued.Origin.Condition, q, target)
	if words == "" {
		return w.counts.left(unitCuePairs, string(cued.ID)+"/"+string(q.ID), "the cue is not in words, and the prompt must hold it")
	}
	w.counts.wrote(unitCuePairs, 1)
	p := pair{prompt: c.told(q, cued, words), chosen: c.answering(q, *earlier.Answer), rejected: c.answering(q, *a.Answer), regions: c.Truth[q.ID].Evidence}
	return w.pair(ctx, c, from{Chain: cued.ID, Question: q.ID, Rule: ruleCue, Label: Label{From: fromGold}}, p)
}

// necessary makes the pairs of rule 3: where the answer is right, changes without the evidence and stays when a control region goes.
func (w *pairs) necessary(ctx context.Context, c *Case) error {
	for _, occ := range c.Chains {
		if occ.Origin == nil || occ.Origin.Condition.Image != "occ" {
			continue
		}
		ctl := occ.Origin.Condition
		ctl.Image = "ctl"
		control, thereC := c.chainBy(occ.Model(), func(o review.Condition) bool { return o == ctl })
		base, thereB := c.chainBy(occ.Model(), func(o review.Condition) bool {
			return o == review.Condition{} || o == review.Condition{Image: "original"}
		})
		if !thereB || !thereC {
			continue
		}
		for _, a := range base.Answers {
			if err := w.imagePair(ctx, c, base, occ, control, a); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *pairs) imagePair(ctx context.Context, c *Case, base, occ, control Chain, a review.Answer) error {
	q, there := c.Question(a.Question)
	without, thereO := occ.answer(a.Question)
	kept, thereC := control.answer(a.Question)
	right, known := c.right(a)
	if !there || !thereO || !thereC || !known || !right || without.Answer == nil || kept.Answer == nil {
		return nil
	}
	if q.Same(*without.Answer, *a.Answer) || !q.Same(*kept.Answer, *a.Answer) {
		return nil // the evidence was not necessary, net of the control
	}
	if !w.images {
		return w.counts.left(unitImagePairs, string(occ.ID)+"/"+string(q.ID), "this trainer holds one list of images for both sides; mdpo has an image term")
	}
	w.counts.wrote(unitImagePairs, 1)
	p := pair{prompt: c.told(q, base, ""), chosen: c.answering(q, *a.Answer), rejected: c.answering(q, *without.Answer), regions: c.Truth[q.ID].Evidence}
	return w.pair(ctx, c, from{Chain: base.ID, Question: q.ID, Rule: ruleImage, Label: Label{From: fromGold}}, p)
}

// chainBy finds a chain of the same model by its condition.
func (c *Case) chainBy(m review.ModelInfo, want func(review.Condition) bool) (Chain, bool) {
	i := slices.IndexFunc(c.Chains, func(x Chain) bool { return x.Origin != nil && x.Origin.Model == m && want(x.Origin.Condition) })
	if i < 0 {
		return Chain{}, false
	}
	return c.Chains[i], true
}

// shareTurn is one turn as ShareGPT writes it.
type shareTurn struct {
	From  string `json:"from"`
	Value string `json:"value"`
}

// llamaDPO writes a pair as LLaMA-Factory takes it.
func (s *samples) llamaDPO(ctx context.Context, c *Case, f from, p pair) error {
	images, err := s.images(ctx, c)
	if err != nil {
		return err
	}
	return s.row("dpo.json", c, f, struct {
		Conversations []shareTurn `json:"conversations"`
		Chosen        shareTurn   `json:"chosen"`
		Rejected      shareTurn   `json:"rejected"`
		Images        []string    `json:"images"`
	}{[]shareTurn{{"human", imageTags(len(images)) + p.prompt}}, shareTurn{"gpt", p.chosen}, shareTurn{"gpt", p.rejected}, images})
}

// trlDPO writes a pair as TRL takes it.
func (s *samples) trlDPO(ctx context.Context, c *Case, f from, p pair) error {
	images, err := s.images(ctx, c)
	if err != nil {
		return err
	}
	return s.row("dpo.jsonl", c, f, struct {
		Images   []string  `json:"images"`
		Prompt   []content `json:"prompt"`
		Chosen   []content `json:"chosen"`
		Rejected []content `json:"rejected"`
	}{images, []content{user(p.prompt, len(images))}, []content{assistant(p.chosen)}, []content{assistant(p.rejected)}})
}

// mdpo writes a pair as mDPO takes it: one picture, the one that shows the evidence.
func (s *samples) mdpo(ctx context.Context, c *Case, f from, p pair) error {
	path, _, err := s.keyImage(ctx, c, p.regions)
	if err != nil {
		return err
	}
	if path == "" {
		return s.counts.left(unitRows, string(c.ID), "no picture, and mDPO needs one")
	}
	s.counts.wrote(unitRows, 1)
	return s.row("mdpo.jsonl", c, f, struct {
		Path     string `json:"img_path"`
		Prompt   string `json:"prompt"`
		Chosen   string `json:"chosen"`
		Rejected string `json:"rejected"`
	}{path, p.prompt, p.chosen, p.rejected})
}

// unitRows counts rows that need something of the case.
const unitRows = "pairs"
