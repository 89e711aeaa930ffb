package desk

import (
	"fmt"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// rubric is a rubric as answers are checked by it.
type rubric struct{ review.Rubric }

// list turns null into an empty list.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

// subject is a step as the rubric sees it.
type subject struct {
	step     review.Step
	later    bool // not the first of its chain
	pictures bool // the case has images, on which evidence can be marked
	cueRun   bool // second pass over a chain that was given a cue
}

// asksOf tells whether f applies to a step with this support ("": not yet rated, when what depends on support is open).
func asksOf(f review.Field, s subject, support review.Support) bool {
	w := f.Asked
	return (s.step.Text != nil || w.Latent) &&
		(!w.Region || len(s.step.Regions) > 0) &&
		(!w.Later || s.later) &&
		(!w.CueRun || s.cueRun) &&
		(len(w.Support) == 0 || support == review.Unrated || slices.Contains(w.Support, string(support))) &&
		(f.Name != "evidence" || s.pictures)
}

// requires tells whether f must be answered before signing.
func requires(f review.Field, s subject, support review.Support) bool {
	if !asksOf(f, s, support) {
		return false
	}
	if len(f.Asked.Support) > 0 && support == review.Unrated {
		return false
	}
	return slices.Contains(f.Required, review.Always) || slices.Contains(f.Required, string(support))
}

// maxNote is the most bytes of a note or a missed finding.
const maxNote = 20_000

// checkValues refuses an answer that f does not offer, two answers to a choice, the same twice, and text without end.
func checkValues(f review.Field, values, options []string) error {
	if f.Kind == "regions" {
		return nil
	}
	if f.Kind == "text" {
		if len(values) > 0 && len(values[0]) > maxNote {
			return invalid(f.Name, "at most %d bytes", maxNote)
		}
		return nil
	}
	for i, v := range values {
		if !slices.Contains(options, v) {
			return invalid(f.Name, "one of %s expected, found %q", strings.Join(options, ", "), v)
		}
		if f.Kind == "choices" && slices.Contains(values[:i], v) {
			return invalid(f.Name, "%s is there twice", v)
		}
	}
	if f.Name == "needs_more" && len(values) > 1 && slices.Contains(values, "none") {
		return invalid(f.Name, "none stands alone")
	}
	return nil
}

// invalid says which field of an answer cannot be taken, and what was expected.
func invalid(field, format string, args ...any) error {
	return fault.New(fault.Invalid, "rate", field, format, args...)
}

// checkRating refuses values that the rubric does not offer and answers to what is not asked. Answers may be missing: see missingOf.
func (r rubric) checkRating(rating review.Rating, s subject) error {
	answers := rating.Answers()
	for _, f := range r.Step {
		values := answers[f.Name]
		if len(values) == 0 {
			continue
		}
		if err := checkValues(f, values, f.Options); err != nil {
			return err
		}
		if !asksOf(f, s, rating.Support) {
			return invalid(f.Name, "%s", notAsked(f, rating.Support))
		}
	}
	return nil
}

// notAsked says why f is not asked of a step.
func notAsked(f review.Field, support review.Support) string {
	switch w := f.Asked; {
	case len(w.Support) > 0 && !slices.Contains(w.Support, string(support)):
		return fmt.Sprintf("asked only with support %s, not with %s", strings.Join(w.Support, ", "), support)
	case w.CueRun:
		return "asked only in the second pass over a chain that was given a cue"
	case w.Later:
		return "not asked of the first step of a chain"
	case w.Region:
		return "asked only of a step that cites a region"
	case f.Name == "evidence":
		return "not asked of a step without text, nor of a case without images"
	}
	return "not asked of a step without text"
}

// checkChainRating refuses values that the rubric does not offer.
func (r rubric) checkChainRating(rating review.ChainRating, c review.Chain) error {
	answers := rating.Answers()
	for _, f := range r.Chain {
		options := f.Options
		if f.Name == "first_bad_step" {
			options = append(stepIDs(c), "none")
		}
		if err := checkValues(f, answers[f.Name], options); err != nil {
			return err
		}
	}
	for _, m := range rating.Missed {
		if strings.TrimSpace(m.Text) == "" || len(m.Text) > maxNote {
			return invalid("missed", "each missed finding has a text of 1 to %d bytes", maxNote)
		}
	}
	return nil
}

func stepIDs(c review.Chain) []string {
	ids := []string{}
	for _, s := range steps(c) {
		ids = append(ids, string(s.ID))
	}
	return ids
}

// missingOf lists the fields of a step that must still be answered.
func (r rubric) missingOf(rating review.Rating, s subject) []string {
	missing, answers := []string{}, rating.Answers()
	for _, f := range r.Step {
		if requires(f, s, rating.Support) && len(answers[f.Name]) == 0 {
			missing = append(missing, f.Name)
		}
	}
	return missing
}

// missingOfChain lists the fields of a chain that must still be answered.
func (r rubric) missingOfChain(rating review.ChainRating) []string {
	missing, answers := []string{}, rating.Answers()
	for _, f := range r.Chain {
		if len(f.Required) > 0 && len(answers[f.Name]) == 0 {
			missing = append(missing, f.Name)
		}
	}
	return missing
}
