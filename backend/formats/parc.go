package formats

import (
	"encoding/json"
	"fmt"
	"strings"

	"plumbline/backend/review"
)

// parcFormat reads PARC: a solution whose steps say on which earlier ones they stand and which errors they hold. A step that is wrong only because
// an earlier one is (Accumulation_Error) is told apart from one that errs itself.
func parcFormat() format {
	return format{
		Format: Format{Name: "parc", Title: "PARC", Cluster: "image", Files: []Shape{{"*.json, *.jsonl", []string{"question", "ground_truth_answer", "model_answer", "steps[]",
			"premise_annotation{steps[{step_number, original_step, premises[]}]}", "error_annotation{error_annotations{step_level[{step_number, has_error, errors[{error_type, error_description}]}]}}"}}},
			Note: "PARC: which steps hold errors is somebody else's label (-1 errs, 0 builds on an error, 1 right); it is not taken for a reading."},
		licence: licence("MIT", "", true),
		needs:   [][]string{{"question", "steps", "premise_annotation"}, {"question", "model_answer", "error_annotation"}},
		open: func(w *work) (func(row), func()) {
			cases := map[string]*held{}
			return func(r row) { w.parc(r, cases) }, nil
		},
	}
}

type parcPremises struct {
	Steps []struct {
		Number   int             `json:"step_number"`
		Text     string          `json:"original_step"`
		Premises json.RawMessage `json:"premises"`
	} `json:"steps"`
}

type parcErrors struct {
	Annotations struct {
		Steps []struct {
			Number int   `json:"step_number"`
			Has    *bool `json:"has_error"`
			Errors []struct {
				Kind string `json:"error_type"`
			} `json:"errors"`
		} `json:"step_level"`
	} `json:"error_annotations"`
}

func (w *work) parc(r row, cases map[string]*held) {
	key := digest(r.text("question"))
	h := cases[key]
	if h == nil {
		d := w.draft(r, key[:10], "parc", key[:10])
		text, opts := embeddedOptions(r.text("question"))
		d.gold(d.ask("q", "", text, opts), r.text("ground_truth_answer"))
		h = d.done(key)
		cases[key] = h
	}
	var premises parcPremises
	r.into("premise_annotation", &premises)
	texts := r.list("steps")
	for i := len(texts); i < len(premises.Steps); i++ { // the annotation alone may hold the words
		texts = append(texts, premises.Steps[i].Text)
	}
	a := w.reply(r, 1, said{q: &h.c.Questions[0], text: r.text("model_answer"), steps: []review.Step{}})
	at := map[int]int{} // number of a step -> its place
	for i, text := range texts[:min(len(texts), maxSteps)] {
		if strings.TrimSpace(text) == "" {
			w.note(r, "steps", "step %d has no words; left out", i+1)
			continue
		}
		at[i+1] = len(a.Steps)
		a.Steps = append(a.Steps, w.step(r, 1, len(a.Steps)+1, text, nil, sheetOf{}))
	}
	for _, p := range premises.Steps {
		i, known := at[p.Number]
		if !known {
			continue
		}
		for _, n := range premisesOf(p.Premises) {
			if j, earlier := at[n]; earlier && j < i {
				a.Steps[i].Citations = append(a.Steps[i].Citations, review.Citation{Text: fmt.Sprintf("step %d", n), Source: string(a.Steps[j].ID)})
			} else if n != 0 { // 0 is the question
				w.note(r, "premise_annotation", "step %d stands on step %d, which is not before it; left out", p.Number, n)
			}
		}
	}
	chain := w.chain(r, h.c, made{name: fmt.Sprint(r.line)}, a)
	w.parcLabels(r, chain, a, at)
}

// premisesOf reads the numbers of the steps on which one stands: bare, or each in a list with its reason.
func premisesOf(raw json.RawMessage) []int {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	out := []int{}
	for _, v := range list[:min(len(list), maxSteps)] {
		var pair []json.RawMessage
		if json.Unmarshal(v, &pair) == nil && len(pair) > 0 {
			v = pair[0]
		}
		var n int
		if json.Unmarshal(v, &n) == nil {
			out = append(out, n)
		}
	}
	return out
}

// parcLabels hands over what was said of the steps.
func (w *work) parcLabels(r row, chain review.ChainID, a review.Answer, at map[int]int) {
	var errors parcErrors
	if w.sink.Label == nil || !r.into("error_annotation", &errors) {
		return
	}
	for _, s := range errors.Annotations.Steps {
		i, known := at[s.Number]
		if !known || s.Has == nil {
			w.note(r, "error_annotation", "what is said of step %d has no step or no verdict; left out", s.Number)
			continue
		}
		value := 1
		if *s.Has {
			value = 0
			if len(s.Errors) == 0 {
				value = -1
			}
			for _, e := range s.Errors {
				if !strings.EqualFold(e.Kind, "Accumulation_Error") {
					value = -1
				}
			}
		}
		w.sink.Label(Label{Chain: chain, Step: a.Steps[i].ID, Reader: "parc", Value: value})
	}
}
