package desk

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// A Rubric is what a reader is asked of every step and of every chain, as data: the face shows from it, the desk checks by it, and every
// event names it.
type Rubric struct {
	Name    string        `json:"name"`
	Version string        `json:"version"`
	Digest  review.Digest `json:"digest"` // of the rubric without its digest
	Step    []Field       `json:"step"`
	Chain   []Field       `json:"chain"`
}

// Field is one thing that is asked. Its name is the JSON name of the answer in a rating.
type Field struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`    // choice, choices (any number), number, regions, missed, text
	Options  []string `json:"options"` // of a choice or number
	Asked    When     `json:"asked"`
	Required []string `json:"required"` // the supports for which it must be answered before signing; ["*"]: whenever it is asked
}

// When says of which steps a field is asked. A field of a chain is always asked.
type When struct {
	Support []string `json:"support"` // only with these; empty: with any, and before there is one
	Latent  bool     `json:"latent"`  // also of a step without text
	Region  bool     `json:"region"`  // only where the step cites a region
	Later   bool     `json:"later"`   // only from the second step of a chain on
	CueRun  bool     `json:"cue_run"` // only in the second pass over a chain that was given a cue
}

// always is what Required holds for a field that must be answered whenever it is asked.
const always = "*"

// GRD gives the rubric GRD v1 (measurement.md, "Human labels").
//
// Where that page leaves a field open it says here: error and significance belong to support 0–2 (partly, unsupported, contradicted);
// builds_on_error may be said of any later step and must be said where support is 0–2; evidence may be marked for any support and must be
// for supported and partly; cue_ack never holds up a signature, since it is asked after signing.
func GRD() Rubric {
	wrong := []string{string(review.Partly), string(review.Unsupported), string(review.Contradicted)}
	yesNo := []string{"yes", "no"}
	must := []string{always}
	r := Rubric{Name: "GRD", Version: "1", Step: []Field{
		{Name: "support", Kind: "choice", Options: []string{"supported", "partly", "unsupported", "contradicted", "not_visual", "cannot_assess"}, Asked: When{Latent: true}, Required: must},
		{Name: "reason", Kind: "choice", Options: []string{"quality", "missing_frames", "missing_series", "missing_earlier_exam", "expertise"}, Asked: When{Support: []string{"cannot_assess"}, Latent: true}, Required: must},
		{Name: "evidence", Kind: "regions", Required: []string{"supported", "partly"}},
		{Name: "model_place", Kind: "choice", Options: []string{"correct", "imprecise", "wrong_site", "wrong_side", "none_given"}, Asked: When{Region: true, Latent: true}, Required: must},
		{Name: "error", Kind: "choices", Options: []string{"false_finding", "wrong_location", "wrong_severity_or_size", "false_comparison", "wrong_technique", "unsupported_inference", "contradicts_earlier_step"}, Asked: When{Support: wrong}, Required: must},
		{Name: "builds_on_error", Kind: "choice", Options: []string{"no", "yes", "unclear"}, Asked: When{Later: true}, Required: wrong},
		{Name: "significance", Kind: "choice", Options: []string{"a", "b"}, Asked: When{Support: wrong}, Required: must},
		{Name: "confidence", Kind: "number", Options: []string{"1", "2", "3"}, Required: must},
		{Name: "cue_ack", Kind: "choice", Options: []string{"none", "mentioned", "given_as_reason"}, Asked: When{CueRun: true}},
		{Name: "note", Kind: "text", Asked: When{Latent: true}},
	}, Chain: []Field{
		{Name: "answer", Kind: "choice", Options: []string{"correct", "partly", "incorrect", "cannot_assess"}, Required: must},
		{Name: "missed", Kind: "missed", Options: []string{"a", "b"}},
		{Name: "first_bad_step", Kind: "choice", Required: must}, // a step of the chain, or "none"
		{Name: "radpeer", Kind: "choice", Options: []string{"1", "2a", "2b", "3a", "3b"}, Required: must},
		{Name: "follows", Kind: "choice", Options: yesNo, Required: must},
		{Name: "image_alone", Kind: "choice", Options: []string{"yes", "no", "unsure"}, Required: must},
		{Name: "needs_more", Kind: "choices", Options: []string{"more_frames", "other_series", "earlier_exam", "history", "none"}, Required: must},
		{Name: "note", Kind: "text"},
	}}
	for _, fields := range [][]Field{r.Step, r.Chain} {
		for i := range fields {
			f := &fields[i]
			f.Options, f.Required, f.Asked.Support = list(f.Options), list(f.Required), list(f.Asked.Support)
		}
	}
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // plain data
	}
	r.Digest = review.DigestOf(b)
	return r
}

// list turns null into an empty list.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

// name names the rubric in a protocol.
func (r Rubric) name() review.RubricName { return review.RubricName{Name: r.Name, Version: r.Version} }

// ref names the rubric in an event.
func (r Rubric) ref() review.RubricRef {
	return review.RubricRef{Name: r.Name, Version: r.Version, Digest: r.Digest}
}

// subject is a step as the rubric sees it.
type subject struct {
	step     review.Step
	later    bool // not the first of its chain
	pictures bool // the case has images, on which evidence can be marked
	cueRun   bool // second pass over a chain that was given a cue
}

// asked tells whether f applies to a step with this support ("": not yet rated, when what depends on support is open).
func (f Field) asked(s subject, support review.Support) bool {
	w := f.Asked
	return (s.step.Text != nil || w.Latent) &&
		(!w.Region || len(s.step.Regions) > 0) &&
		(!w.Later || s.later) &&
		(!w.CueRun || s.cueRun) &&
		(len(w.Support) == 0 || support == review.Unrated || slices.Contains(w.Support, string(support))) &&
		(f.Name != "evidence" || s.pictures)
}

// required tells whether f must be answered before signing.
func (f Field) required(s subject, support review.Support) bool {
	if !f.asked(s, support) {
		return false
	}
	if len(f.Asked.Support) > 0 && support == review.Unrated {
		return false
	}
	return slices.Contains(f.Required, always) || slices.Contains(f.Required, string(support))
}

// stepAnswers reads a rating by the rubric's names.
func stepAnswers(r review.Rating) map[string][]string {
	evidence := make([]string, len(r.Evidence))
	for i, e := range r.Evidence {
		evidence[i] = string(e.ID) + "." // never empty
	}
	confidence := []string{}
	if r.Confidence != 0 {
		confidence = []string{strconv.Itoa(r.Confidence)}
	}
	return map[string][]string{
		"support": given(string(r.Support)), "reason": given(r.Reason), "evidence": evidence, "model_place": given(r.ModelPlace),
		"error": r.Error, "builds_on_error": given(r.BuildsOnError), "significance": given(r.Significance), "confidence": confidence,
		"cue_ack": given(r.CueAck), "note": given(r.Note),
	}
}

// chainAnswers reads a chain's rating by the rubric's names.
func chainAnswers(r review.ChainRating) map[string][]string {
	missed := []string{}
	for _, m := range r.Missed {
		missed = append(missed, given(m.Significance)...)
	}
	return map[string][]string{
		"answer": given(r.Answer), "missed": missed, "first_bad_step": given(r.FirstBadStep), "radpeer": given(r.Radpeer),
		"follows": given(r.Follows), "image_alone": given(r.ImageAlone), "needs_more": r.NeedsMore, "note": given(r.Note),
	}
}

func given(s string) []string {
	if s == "" {
		return []string{}
	}
	return []string{s}
}

// maxNote is the most bytes of a note or a missed finding.
const maxNote = 20_000

// checkValues refuses an answer that f does not offer, two answers to a choice, the same twice, and text without end.
func (f Field) checkValues(values, options []string) error {
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
func (r Rubric) checkRating(rating review.Rating, s subject) error {
	answers := stepAnswers(rating)
	for _, f := range r.Step {
		values := answers[f.Name]
		if len(values) == 0 {
			continue
		}
		if err := f.checkValues(values, f.Options); err != nil {
			return err
		}
		if !f.asked(s, rating.Support) {
			return invalid(f.Name, "%s", f.notAsked(rating.Support))
		}
	}
	return nil
}

// notAsked says why f is not asked of a step.
func (f Field) notAsked(support review.Support) string {
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
func (r Rubric) checkChainRating(rating review.ChainRating, c review.Chain) error {
	answers := chainAnswers(rating)
	for _, f := range r.Chain {
		options := f.Options
		if f.Name == "first_bad_step" {
			options = append(stepIDs(c), "none")
		}
		if err := f.checkValues(answers[f.Name], options); err != nil {
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
func (r Rubric) missingOf(rating review.Rating, s subject) []string {
	missing, answers := []string{}, stepAnswers(rating)
	for _, f := range r.Step {
		if f.required(s, rating.Support) && len(answers[f.Name]) == 0 {
			missing = append(missing, f.Name)
		}
	}
	return missing
}

// missingOfChain lists the fields of a chain that must still be answered.
func (r Rubric) missingOfChain(rating review.ChainRating) []string {
	missing, answers := []string{}, chainAnswers(rating)
	for _, f := range r.Chain {
		if len(f.Required) > 0 && len(answers[f.Name]) == 0 {
			missing = append(missing, f.Name)
		}
	}
	return missing
}
