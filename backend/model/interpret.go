package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// Expect is what an answer is read against: the question, the pictures as they were sent, and how the model writes boxes. It is never shown
// to the model.
type Expect struct {
	Question review.Question
	Number   int // of the question in its chain, from 1: steps are called s<Number>.1, s<Number>.2, …
	Sent     []Sent
	Boxes    review.BoxConvention
	Form     Form
}

// What is read of one reply at most.
const (
	mostReplyText = 4 << 20 // bytes
	mostSteps     = 200
	mostRegions   = 64 // of a step
)

// Interpret takes a reply apart: what became of it (ok, abstained, refused, unparsed, empty are kept apart), the answer by option letter where
// there are options (several sorted and joined by ", "), its steps with their regions, the probabilities of the options. Nothing is
// repaired: a reply that was cut is unparsed. The second result are the reply's flags with those of the reading.
func (x Expect) Interpret(r Reply) (review.Answer, []string) {
	a := review.Answer{Question: x.Question.ID, Parse: review.Unparsed, Seconds: r.Seconds, Steps: []review.Step{}}
	w := &reading{Expect: x, flags: slices.Clone(r.Flags)}
	text, reasoning := w.split(r)
	switch {
	case len(text)+len(reasoning) > mostReplyText:
		w.flag(FlagCapped)
		return a, w.flags
	case strings.TrimSpace(r.Refusal) != "" || r.Finish == "content_filter":
		a.Parse = review.Declined
		return a, w.flags
	}
	if strings.TrimSpace(text) == "" && !w.fromReasoning(&text, reasoning) {
		a.Parse = review.Empty
		return a, w.flags
	}
	found := w.find(text, r.Finish)
	a.Parse = found.parse
	if found.parse == review.ParseOK {
		a.Answer = &found.answer
	}
	a.Steps = w.steps(found, reasoning)
	if p, ok := OptionProbabilities(r, x.letters()); ok {
		a.Probs, a.MissingMass, a.Entropy = p.Of, &p.Missing, &p.Entropy
		if likeliest := p.likeliest(x.letters()); r.has(FlagDrawn) {
			a.Parse, a.Answer = review.ParseOK, &likeliest
		}
	}
	return a, w.flags
}

func (x Expect) letters() []string {
	out := make([]string, len(x.Question.Options))
	for i, o := range x.Question.Options {
		out[i] = o.Letter
	}
	return out
}

// reading is one interpretation under way.
type reading struct {
	Expect
	flags []string
}

func (w *reading) flag(f string) {
	if !slices.Contains(w.flags, f) {
		w.flags = append(w.flags, f)
	}
}

// split parts the answer from the reasoning: what the server gave apart, and what stands before the last </think>.
func (w *reading) split(r Reply) (text, reasoning string) {
	const begin, end = "<think>", "</think>"
	text, reasoning = r.Text, r.Reasoning
	if i := strings.LastIndex(text, end); i >= 0 {
		thought := strings.ReplaceAll(strings.ReplaceAll(text[:i], begin, ""), end, "\n")
		text, reasoning = text[i+len(end):], strings.TrimSpace(reasoning+"\n"+thought)
		w.flag(FlagThink)
	} else if before, thought, open := strings.Cut(text, begin); open && strings.TrimSpace(before) == "" {
		text, reasoning = "", strings.TrimSpace(reasoning+"\n"+thought) // it never came to an answer
		w.flag(FlagThink)
		if r.Finish == "length" {
			w.flag(FlagBudgetSpent)
		}
	}
	return text, reasoning
}

// fromReasoning looks for the answer's JSON in the reasoning, where some servers put it.
func (w *reading) fromReasoning(text *string, reasoning string) bool {
	if object, ok := lastAnswerObject(reasoning); ok {
		*text = object
		w.flag(FlagInReasoning)
		return true
	}
	return false
}

// found is the answer before its steps.
type found struct {
	parse  review.Parse
	answer string
	claims []worded // of the JSON
	prose  string   // reasoning that stood in the text
}

// claimJSON is one step of the form that the prompt asks for.
type claimJSON struct {
	Text   string      `json:"text"`
	Type   string      `json:"type"`
	Places []placeJSON `json:"places"`
}

type placeJSON struct {
	From *int      `json:"from"`
	To   *int      `json:"to"`
	Box  []float64 `json:"box"`
}

// find reads the answer from the text.
func (w *reading) find(text, finish string) found {
	text = strings.TrimSpace(text)
	if w.Form == FormSteps {
		if object, ok := w.object(text); ok {
			return w.findJSON(object)
		}
		if finish == "length" || strings.HasPrefix(text, "{") || strings.HasPrefix(text, "```") {
			return found{parse: review.Unparsed} // half of a JSON is no answer
		}
		w.flag(FlagOffForm)
	}
	if review.Refuses(text) {
		return found{parse: review.Declined}
	}
	candidate, prose := text, ""
	if w.Form != FormLetter {
		candidate, prose = review.Conclusion(text)
	}
	f := w.normal(candidate)
	f.prose = prose
	if finish == "length" && w.Form != FormLetter && len(w.Question.Options) == 0 {
		f.parse, f.answer = review.Unparsed, "" // the end of a free text is missing
	}
	return f
}

// object gives the JSON of the answer: the text itself, what stands in a fence, or the last object with an answer among other words.
func (w *reading) object(text string) (string, bool) {
	var a struct {
		Answer json.RawMessage `json:"answer"`
	}
	if json.Unmarshal([]byte(text), &a) == nil && a.Answer != nil {
		return text, true
	}
	object, ok := lastAnswerObject(text)
	if ok && object != text {
		w.flag(FlagFenced)
	}
	return object, ok
}

func (w *reading) findJSON(object string) found {
	var loose struct {
		Steps  []json.RawMessage `json:"steps"`
		Answer json.RawMessage   `json:"answer"`
	}
	if err := json.Unmarshal([]byte(object), &loose); err != nil {
		w.flag(FlagOffForm)
		var only struct {
			Answer json.RawMessage `json:"answer"`
		}
		if json.Unmarshal([]byte(object), &only) != nil {
			return found{parse: review.Unparsed}
		}
		loose.Answer = only.Answer
	}
	f := w.normalJSON(loose.Answer)
	for _, raw := range loose.Steps {
		var c claimJSON
		var text string
		switch {
		case json.Unmarshal(raw, &c) == nil:
		case json.Unmarshal(raw, &text) == nil: // a step that is only a sentence
			c = claimJSON{Text: text}
			w.flag(FlagOffForm)
		default: // keep the words, drop places that are none
			var words struct{ Text, Type string }
			w.flag(FlagOffForm)
			if json.Unmarshal(raw, &words) != nil || words.Text == "" {
				continue
			}
			c = claimJSON{Text: words.Text, Type: words.Type}
		}
		f.claims = append(f.claims, w.claim(c))
	}
	return f
}

// normalJSON reads an answer that is a string, a number, a list of them, or null for "cannot tell".
func (w *reading) normalJSON(raw json.RawMessage) found {
	var list []any
	var one any
	if json.Unmarshal(raw, &list) == nil && list != nil {
		parts := make([]string, len(list))
		for i, v := range list {
			parts[i] = fmt.Sprint(v)
		}
		return w.normal(strings.Join(parts, ", "))
	}
	if json.Unmarshal(raw, &one) != nil {
		return found{parse: review.Unparsed}
	}
	switch v := one.(type) {
	case nil:
		return found{parse: review.Abstained}
	case string:
		return w.normal(v)
	case float64, bool:
		return w.normal(fmt.Sprint(v))
	}
	return found{parse: review.Unparsed}
}

// lastAnswerObject finds the last JSON object in a text that has an "answer". It looks at a bounded number of places near the end: a text made
// to be costly is read through no more than a few hundred times.
func lastAnswerObject(text string) (string, bool) {
	const most, near = 16, 128 << 10
	text = text[max(0, len(text)-near):]
	for end, n := len(text), 0; n < most; n++ {
		at := strings.LastIndex(text[:end], `"answer"`)
		if at < 0 {
			return "", false
		}
		for open, m := at, 0; m < most; m++ {
			open = strings.LastIndexByte(text[:open], '{')
			if open < 0 {
				break
			}
			var raw json.RawMessage
			d := json.NewDecoder(strings.NewReader(text[open:]))
			if d.Decode(&raw) == nil {
				var a struct {
					Answer json.RawMessage `json:"answer"`
				}
				if json.Unmarshal(raw, &a) == nil && a.Answer != nil {
					return string(raw), true
				}
			}
		}
		end = at
	}
	return "", false
}

// normal reads an answer against the question.
func (w *reading) normal(said string) found {
	answer, parse := w.Question.Read(said)
	return found{parse: parse, answer: answer}
}
