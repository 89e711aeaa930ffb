package experiment

import (
	"slices"
	"strings"

	"plumbline/backend/model"
	"plumbline/backend/review"
)

// Corrected is a chain with a reader's correction, from which "expert" goes on: the questions of later stages are asked again, told what the
// chain said before with the reader's answers in place of its own.
type Corrected struct {
	Case      review.CaseID       `json:"case"`
	Model     string              `json:"model"`     // that made the chain, by the name in its origin
	Parent    review.ChainID      `json:"parent"`    // the chain
	Condition string              `json:"condition"` // under which it goes on: the chain's own, with given answers of kind expert
	From      review.QuestionID   `json:"from"`      // the first question that was corrected
	Answers   []review.ToldAnswer `json:"answers"`   // to the questions that are not asked again, in stage order
}

// NewCorrected works out from where a chain goes on, from what a reader would have said in place of its steps. questions are those of the
// case. Its second result says in words why it cannot go on; "" where it can.
func NewCorrected(c review.Chain, o review.Origin, questions []review.Question, said []review.OwnAnswer) (Corrected, string) {
	condition := o.Condition
	condition.Given, condition.GivenFrom, condition.GivenStage = "expert", "", ""
	if condition.Fill != "" && !slices.Contains([]string{"occ", "ctl", "only", "onlyctl"}, condition.Image) {
		condition.Fill = ""
	}
	out := Corrected{Case: c.Case, Model: o.Model.Name, Parent: c.ID, Condition: condition.Name(), Answers: []review.ToldAnswer{}}
	own := map[review.QuestionID]review.OwnAnswer{}
	for _, s := range said {
		if before := own[s.Question]; before.Answer == "" || s.Answer != "" {
			if before.Text != "" && s.Text == "" {
				s.Text = before.Text
			}
			own[s.Question] = s
		}
	}
	ordered := slices.Clone(questions)
	slices.SortStableFunc(ordered, func(a, b review.Question) int { return a.K - b.K })
	k, later := 0, false
	for _, q := range ordered {
		correction, corrected := own[q.ID]
		corrected = corrected && correction.Answer+correction.Text != ""
		if k > 0 && q.K > k && !corrected {
			later = true
			continue
		}
		if corrected && k == 0 {
			k, out.From = q.K, q.ID
		}
		a := review.ToldAnswer{Question: q.ID, Corrected: corrected, Answer: correction.Answer, Text: strings.Join(strings.Fields(correction.Text), " ")}
		if a.Answer == "" {
			if at := slices.IndexFunc(c.Answers, func(v review.Answer) bool { return v.Question == q.ID }); at >= 0 && c.Answers[at].Answer != nil {
				a.Answer = *c.Answers[at].Answer
			}
		}
		out.Answers = append(out.Answers, a)
	}
	switch {
	case k == 0:
		return out, "nothing in the chain was corrected"
	case !later:
		return out, "the correction is at the last stage: no later question is left to ask"
	}
	return out, ""
}

// correctedFor finds the correction of which a unit goes on; nil where there is none.
func (p Plan) correctedFor(modelName string, of review.CaseID, c review.Condition) *Corrected {
	for i, v := range p.Corrected {
		if v.Model == modelName && v.Case == of && v.Condition == c.Name() {
			return &p.Corrected[i]
		}
	}
	return nil
}

// told gives the answer that a question is held at; false where it is asked again.
func (c *Corrected) told(q review.QuestionID) (review.ToldAnswer, bool) {
	at := slices.IndexFunc(c.Answers, func(a review.ToldAnswer) bool { return a.Question == q })
	if at < 0 {
		return review.ToldAnswer{}, false
	}
	return c.Answers[at], true
}

// lines writes what a question is told: the held answers, and what was said since to the questions that were asked again.
func (c *Corrected) lines(earlier []review.Question, own map[review.QuestionID]review.Answer) []string {
	var out []string
	for _, q := range earlier {
		held, known := c.told(q.ID)
		if !known {
			out = append(out, toldOwn([]review.Question{q}, own)...)
			continue
		}
		answer, text := held.Answer, optionText(q, held.Answer)
		if answer == "" {
			answer = cannotTell
		}
		out = append(out, model.Told(q.Text, answer, text))
		if held.Text != "" {
			out = append(out, reasonMark+held.Text)
		}
	}
	return out
}

// reasonMark opens the line of the reasoning that a reader gave for the answer before it.
const reasonMark = "The reasoning for that answer: "
