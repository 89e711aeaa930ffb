package formats

import (
	"strings"

	"plumbline/backend/review"
)

// prm800kFormat reads PRM800K: a problem is a case without a picture, the labelled solution a chain, its ratings labels.
func prm800kFormat() format {
	return format{
		Format: Format{Name: "prm800k", Title: "PRM800K", Cluster: "image", Files: []Shape{{"*.jsonl", []string{"labeler", "timestamp", "question{problem, ground_truth_answer,",
			"pre_generated_steps, pre_generated_answer}", "label{steps[{completions[{text, rating, flagged}], human_completion, chosen_completion}], total_time, finish_reason}"}}},
			Note: "PRM800K: the ratings are somebody else's labels; they are not taken for a reading."},
		licence: licence("MIT", "https://github.com/openai/prm800k", true),
		needs:   [][]string{{"labeler", "question", "label"}},
		open: func(w *work) (func(row), func()) {
			cases := map[string]*held{}
			return func(r row) { w.prm800k(r, cases) }, nil
		},
	}
}

type prmQuestion struct {
	Problem string `json:"problem"`
	Gold    string `json:"ground_truth_answer"`
	Answer  string `json:"pre_generated_answer"`
}

type prmLabel struct {
	Steps []struct {
		Completions []struct {
			Text   string `json:"text"`
			Rating *int   `json:"rating"`
		} `json:"completions"`
		Human *struct {
			Text string `json:"text"`
		} `json:"human_completion"`
		Chosen *int `json:"chosen_completion"`
	} `json:"steps"`
}

func (w *work) prm800k(r row, cases map[string]*held) {
	var question prmQuestion
	var label prmLabel
	if !r.into("question", &question) || !r.into("label", &label) {
		w.note(r, "label", "a question and its labelled steps expected")
		return
	}
	key := digest(question.Problem)
	h := cases[key]
	if h == nil {
		d := w.draft(r, key[:10], "prm", key[:10])
		text, opts := embeddedOptions(question.Problem)
		q := d.ask("q", "", text, opts)
		d.gold(q, question.Gold)
		h = d.done(key)
		cases[key] = h
	}
	q := &h.c.Questions[0]
	a := w.reply(r, 1, said{q: q, text: question.Answer, steps: []review.Step{}})
	var ratings []*int
	for i, step := range label.Steps[:min(len(label.Steps), maxSteps)] {
		text, rating := "", (*int)(nil)
		switch at := step.Chosen; {
		case at != nil && *at >= 0 && *at < len(step.Completions):
			text, rating = step.Completions[*at].Text, step.Completions[*at].Rating
		case len(step.Completions) > 0: // none was chosen: what was rated all the same
			text, rating = step.Completions[0].Text, step.Completions[0].Rating
		case step.Human != nil:
			text = step.Human.Text
		}
		if strings.TrimSpace(text) == "" {
			w.note(r, "label.steps", "step %d has no words; left out", i+1)
			continue
		}
		a.Steps = append(a.Steps, w.step(r, 1, len(a.Steps)+1, text, nil, sheetOf{}))
		ratings = append(ratings, rating)
	}
	chain := w.chain(r, h.c, made{name: r.text("labeler") + r.text("timestamp")}, a)
	for i, rating := range ratings {
		if rating == nil {
			continue
		}
		if *rating < -1 || *rating > 1 {
			w.note(r, "label.steps", "rating %d found; -1, 0 or 1 expected", *rating)
			continue
		}
		if w.sink.Label != nil {
			w.sink.Label(Label{Chain: chain, Step: a.Steps[i].ID, Reader: r.text("labeler"), Value: *rating, At: utc(r.text("timestamp"))})
		}
	}
}
