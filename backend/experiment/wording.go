package experiment

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// WordingSchema is that of a file of wordings.
const WordingSchema = "plumbline/wording/1"

// Wording is what conditions say in words, as data: a study may bring its own (wording.json in the workspace). {option} stands for the option
// with its letter, {words} for its text or for the words to look at, {question} for the question.
type Wording struct {
	Schema      string            `json:"schema"`
	Cues        map[string]string `json:"cues"`        // by the names of cues
	Mitigations map[string]string `json:"mitigations"` // by name; new ones may be added
	Filler      string            `json:"filler"`      // repeated in place of the reasoning
	Reasoning   string            `json:"reasoning"`   // says what to do with reasoning that is given back
	Emphasis    string            `json:"emphasis"`    // says what words to look at
}

//go:embed wording.json
var shippedWording []byte

// DefaultWording is what comes with the program.
func DefaultWording() Wording {
	w, err := ReadWording(shippedWording)
	if err != nil {
		panic(err) // it is part of the program, and a test reads it
	}
	return w
}

// mostWording is how long one text of a wording may be, in bytes.
const mostWording = 8 << 10

// ReadWording takes a file of wordings apart; what it leaves out is as it comes with the program. Fault Invalid says what is wrong in it.
func ReadWording(b []byte) (Wording, error) {
	const op = "read wording"
	var w Wording
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&w); err != nil {
		return w, fault.New(fault.Invalid, op, "", "it is no JSON of a wording: %w", err)
	}
	if w.Schema != WordingSchema {
		return w, fault.New(fault.Invalid, op, "schema", "%q expected, found %q", WordingSchema, w.Schema)
	}
	var base Wording
	if err := json.Unmarshal(shippedWording, &base); err != nil {
		return w, fault.New(fault.Internal, op, "", "%w", err)
	}
	for name, text := range w.Cues {
		if _, known := base.Cues[name]; !known {
			return w, fault.New(fault.Invalid, op, "cues."+name, "no cue of this name is said in words: one of %s expected", strings.Join(slices.Sorted(maps.Keys(base.Cues)), ", "))
		}
		if !strings.Contains(text, "{option}") && !strings.Contains(text, "{words}") {
			return w, fault.New(fault.Invalid, op, "cues."+name, "the text must hold {option} or {words}: a cue points to an answer")
		}
	}
	for name, text := range w.Mitigations {
		if strings.TrimSpace(text) == "" || strings.ContainsAny(name, "+@/: ,") {
			return w, fault.New(fault.Invalid, op, "mitigations."+name, "a name without +, @, /, :, comma and spaces, and a text expected")
		}
	}
	for field, text := range w.all() {
		if len(text) > mostWording || strings.ContainsAny(text, "\n\r") {
			return w, fault.New(fault.Invalid, op, field, "one line of at most %d bytes expected", mostWording)
		}
	}
	return w.over(base), nil
}

// all gives every text by its field.
func (w Wording) all() map[string]string {
	out := map[string]string{"filler": w.Filler, "reasoning": w.Reasoning, "emphasis": w.Emphasis}
	for n, t := range w.Cues {
		out["cues."+n] = t
	}
	for n, t := range w.Mitigations {
		out["mitigations."+n] = t
	}
	return out
}

// over gives the wording with what it leaves out taken from base.
func (w Wording) over(base Wording) Wording {
	cues, mitigations := maps.Clone(base.Cues), maps.Clone(base.Mitigations)
	maps.Copy(cues, w.Cues)
	maps.Copy(mitigations, w.Mitigations)
	w.Cues, w.Mitigations = cues, mitigations
	for _, t := range []struct {
		text *string
		base string
	}{{&w.Filler, base.Filler}, {&w.Reasoning, base.Reasoning}, {&w.Emphasis, base.Emphasis}} {
		if strings.TrimSpace(*t.text) == "" {
			*t.text = t.base
		}
	}
	return w
}

// cue says a cue in words that points to an option of a question; "" where it is not said in words.
func (w Wording) cue(name string, q review.Question, letter string) string {
	words := optionText(q, letter)
	return strings.NewReplacer("{option}", fmt.Sprintf("(%s) %s", letter, words), "{words}", words, "{question}", q.Text).Replace(w.Cues[name])
}
