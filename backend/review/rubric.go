package review

import (
	"slices"
	"strconv"
)

// RubricSchema is the schema of a rubric as written today.
const RubricSchema = "plumbline/rubric/1"

// A Rubric is what a reader is asked of every step and of every chain, as data: the face shows from it, the desk checks by it, and every
// event names it. A rubric chooses among what GRD v1 asks: see RestoreRubric.
type Rubric struct {
	Schema  string  `json:"schema,omitempty"`
	Name    string  `json:"name"`
	Version string  `json:"version"`
	Digest  Digest  `json:"digest"` // of the rubric without its digest and schema
	Step    []Field `json:"step"`
	Chain   []Field `json:"chain"`
}

// Field is one thing that is asked. Its name is the JSON name of the answer in a rating.
type Field struct {
	Name     string            `json:"name"`
	Kind     string            `json:"kind"`    // choice, choices (any number), number, regions, missed, text
	Options  []string          `json:"options"` // of a choice or number
	Asked    When              `json:"asked"`
	Required []string          `json:"required"`         // the supports for which it must be answered before signing; ["*"]: whenever it is asked
	Label    string            `json:"label,omitempty"`  // for people; "": the program's own
	Labels   map[string]string `json:"labels,omitempty"` // of options, likewise
	Keys     map[string]string `json:"keys,omitempty"`   // of options: one press while the steps have the focus, beside the digit of its place
}

// When says of which steps a field is asked. A field of a chain is always asked.
type When struct {
	Support []string `json:"support"` // only with these; empty: with any, and before there is one
	Latent  bool     `json:"latent"`  // also of a step without text
	Region  bool     `json:"region"`  // only where the step cites a region
	Later   bool     `json:"later"`   // only from the second step of a chain on
	CueRun  bool     `json:"cue_run"` // only in the second pass over a chain that was given a cue
}

// Always is what Required holds for a field that must be answered whenever it is asked.
const Always = "*"

// The kinds of field.
const (
	KindChoice  = "choice"
	KindChoices = "choices"
	KindNumber  = "number"
	KindRegions = "regions"
	KindMissed  = "missed"
	KindText    = "text"
)

// GRD gives the rubric GRD v1 (measurement.md, "Human labels").
//
// Where that page leaves a field open it says here: error and significance belong to support 0–2 (partly, unsupported, contradicted);
// builds_on_error may be said of any later step and must be said where support is 0–2; evidence may be marked for any support and must be
// for supported and partly; cue_ack never holds up a signature, since it is asked after signing.
func GRD() Rubric {
	wrong := []string{string(Partly), string(Unsupported), string(Contradicted)}
	yesNo := []string{"yes", "no"}
	must := []string{Always}
	r := Rubric{Name: "GRD", Version: "1", Step: []Field{
		{Name: "support", Kind: KindChoice, Options: []string{"supported", "partly", "unsupported", "contradicted", "not_visual", "cannot_assess"}, Asked: When{Latent: true}, Required: must},
		{Name: "reason", Kind: KindChoice, Options: []string{"quality", "missing_frames", "missing_series", "missing_earlier_exam", "expertise"}, Asked: When{Support: []string{"cannot_assess"}, Latent: true}, Required: must},
		{Name: "evidence", Kind: KindRegions, Required: []string{"supported", "partly"}},
		{Name: "model_place", Kind: KindChoice, Options: []string{"correct", "imprecise", "wrong_site", "wrong_side", "none_given"}, Asked: When{Region: true, Latent: true}, Required: must},
		{Name: "error", Kind: KindChoices, Options: []string{"false_finding", "wrong_location", "wrong_severity_or_size", "false_comparison", "wrong_technique", "unsupported_inference", "contradicts_earlier_step"}, Asked: When{Support: wrong}, Required: must},
		{Name: "builds_on_error", Kind: KindChoice, Options: []string{"no", "yes", "unclear"}, Asked: When{Later: true}, Required: wrong},
		{Name: "significance", Kind: KindChoice, Options: []string{"a", "b"}, Asked: When{Support: wrong}, Required: must},
		{Name: "confidence", Kind: KindNumber, Options: []string{"1", "2", "3"}, Required: must},
		{Name: "cue_ack", Kind: KindChoice, Options: []string{"none", "mentioned", "given_as_reason"}, Asked: When{CueRun: true}},
		{Name: "note", Kind: KindText, Asked: When{Latent: true}},
	}, Chain: []Field{
		{Name: "answer", Kind: KindChoice, Options: []string{"correct", "partly", "incorrect", "cannot_assess"}, Required: must},
		{Name: "missed", Kind: KindMissed, Options: []string{"a", "b"}},
		{Name: "first_bad_step", Kind: KindChoice, Required: must}, // a step of the chain, or "none"
		{Name: "radpeer", Kind: KindChoice, Options: []string{"1", "2a", "2b", "3a", "3b"}, Required: must},
		{Name: "follows", Kind: KindChoice, Options: yesNo, Required: must},
		{Name: "image_alone", Kind: KindChoice, Options: []string{"yes", "no", "unsure"}, Required: must},
		{Name: "needs_more", Kind: KindChoices, Options: []string{"more_frames", "other_series", "earlier_exam", "history", "none"}, Required: must},
		{Name: "note", Kind: KindText},
	}}
	return r.sealed()
}

// sealed gives the rubric without null lists and with its digest.
func (r Rubric) sealed() Rubric {
	for _, fields := range []*[]Field{&r.Step, &r.Chain} {
		*fields = slices.Clone(list(*fields))
		for i := range *fields {
			f := &(*fields)[i]
			f.Options, f.Required, f.Asked.Support = list(f.Options), list(f.Required), list(f.Asked.Support)
		}
	}
	r.Schema, r.Digest = "", ""
	r.Digest = digestJSON(r)
	r.Schema = RubricSchema
	return r
}

// Called names the rubric in a protocol.
func (r Rubric) Called() RubricName { return RubricName{Name: r.Name, Version: r.Version} }

// Ref names the rubric in an event.
func (r Rubric) Ref() RubricRef {
	return RubricRef{Name: r.Name, Version: r.Version, Digest: r.Digest}
}

// Called names the rubric as a protocol does.
func (r RubricRef) Called() RubricName { return RubricName{Name: r.Name, Version: r.Version} }

// Answers reads a rating by the rubric's names; a field that was not answered has none.
func (r Rating) Answers() map[string][]string {
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

// Answers reads a chain's rating by the rubric's names; a field that was not answered has none.
func (r ChainRating) Answers() map[string][]string {
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
