package experiment

import (
	"slices"
	"strings"

	"plumbline/backend/review"
)

// emphasisCue is the cue with what a reader points to.
const emphasisCue = "emphasis"

// fits says whether a condition makes sense for a case at all.
func (e *run) fits(t *task) error {
	c, u := t.condition, t.s
	if len(u.questions) == 0 {
		return unfit("the case has no question")
	}
	for _, check := range []func(*task) error{e.fitsWords, e.fitsGiven, e.fitsImage} {
		if err := check(t); err != nil {
			return err
		}
	}
	if strings.HasPrefix(c.Given, "gold") || c.Given == "contradict" || c.Cue != "" && c.Cue != emphasisCue {
		if len(u.truth) == 0 {
			return unfit("no right answer is known")
		}
	}
	return nil
}

// fitsWords looks at what a condition changes in the prompt.
func (e *run) fitsWords(t *task) error {
	c, u, say := t.condition, t.s, e.Study.Wording
	any := func(has func(review.Question) bool) bool { return slices.ContainsFunc(u.questions, has) }
	switch {
	case c.Language != "" && strings.EqualFold(c.Language, u.Language):
		return unfit("the case is in this language already")
	case c.Language != "" && !any(func(q review.Question) bool { _, ok := u.translated(c.Language, q); return ok }):
		return unfit("the case is not there in this language")
	case c.Paraphrase != "" && !any(func(q review.Question) bool { _, ok := u.paraphrased(c, q); return ok }):
		return unfit("no question of the case has such a paraphrase")
	case c.Context == "no-context" && cardText(u.Context, "", "") == "":
		return unfit("the case has no card")
	}
	if field, _, changes := strings.Cut(strings.TrimPrefix(c.Context, "context:"), "="); changes && !cardHas(u.Context, field) {
		return unfit("the card has no field %s", field)
	}
	if _, stops := sureness(c); stops {
		if _, tells := e.Models[t.model].Model.(profiled); !tells {
			return errNeverSure
		}
	}
	if c.Mitigation != "" {
		if _, known := say.Mitigations[c.Mitigation]; !known {
			return unfit("no mitigation %q", c.Mitigation)
		}
	}
	switch {
	case c.Cue == emphasisCue && !any(func(q review.Question) bool { return e.plan.emphasis(t.of, q.ID) != nil }):
		return unfit("no reader pointed to anything here")
	case c.Cue != "" && c.Cue != emphasisCue && !any(func(q review.Question) bool { _, ok := u.cueFor(c, q, say); return ok }):
		return unfit("no question of the case can be cued so")
	}
	return nil
}

// fitsGiven looks at the earlier answers that a condition tells.
func (e *run) fitsGiven(t *task) error {
	c, u := t.condition, t.s
	switch {
	case c.Given == "expert" && t.corrected == nil:
		return unfit("no reader has corrected an answer of this model")
	case c.Given == "given-swap" && u.donor == nil:
		return unfit("no other patient's answers differ")
	case strings.HasPrefix(c.Given, "corrupt-"):
		if q, _, _ := u.corruption(c); q == "" {
			return unfit("no earlier answer can be made wrong by %s", strings.TrimPrefix(c.Given, "corrupt-"))
		}
	}
	return nil
}

// fitsImage looks at what a condition does to the images, as far as that can be told without making them.
func (e *run) fitsImage(t *task) error {
	c, u := t.condition, t.s
	switch {
	case c.Image == "insert" && u.inserted == nil:
		return unfit("no finding can be put into this image: no phantom and no supplied pair")
	case c.Image == "mirror":
		if why := sideways(u.stacks); why != "" {
			return unfit("%s", why)
		}
	}
	if c.Slices != "" && !slices.ContainsFunc(u.stacks, func(s review.Stack) bool { return len(s.Frames) > 1 }) {
		return unfit("the case has no image of several frames")
	}
	return nil
}
