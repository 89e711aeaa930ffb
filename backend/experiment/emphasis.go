package experiment

import (
	"slices"
	"strings"

	"plumbline/backend/review"
)

// Emphasis is what a reader points to so that a model looks again: words in the prompt, places drawn into the pixels. It is prompt emphasis: no
// weight and no probability inside the model is touched, so it is not classifier-free guidance.
type Emphasis struct {
	Case     review.CaseID     `json:"case"`
	Question review.QuestionID `json:"question"` // "": every question
	Words    []string          `json:"words"`
	Regions  []review.Region   `json:"regions"`
	Parent   review.ChainID    `json:"parent,omitempty"` // the chain that was not convincing
}

// emphasis finds what is pointed to for a question; nil: nothing.
func (p Plan) emphasis(of review.CaseID, q review.QuestionID) *Emphasis {
	at := slices.IndexFunc(p.Emphasis, func(e Emphasis) bool { return e.Case == of && (e.Question == q || e.Question == "") })
	if at < 0 {
		return nil
	}
	return &p.Emphasis[at]
}

// emphasised gives the chain of a case that a reader pointed something out to; "" where none is told.
func (p Plan) emphasised(of review.CaseID) review.ChainID {
	for _, e := range p.Emphasis {
		if e.Case == of && e.Parent != "" {
			return e.Parent
		}
	}
	return ""
}

// text says the words in a prompt; "" where only places are pointed to.
func (e *Emphasis) text(say Wording) string {
	words := []string{}
	for _, w := range e.Words {
		if w = strings.Join(strings.Fields(w), " "); w != "" {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return strings.ReplaceAll(say.Emphasis, "{words}", strings.Join(words, ", "))
}
