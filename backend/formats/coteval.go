package formats

import (
	"regexp"
	"strings"

	"plumbline/backend/review"
)

// cotEvalFormat reads what cot-eval (Moll et al.) writes: reasoning under a modification of image or prompt.
func cotEvalFormat() format {
	return format{
		Format: Format{Name: "cot-eval", Title: "cot-eval (TAIX-VQA)", Cluster: "image", Files: []Shape{{"*.jsonl", []string{"uid", "question", "prediction", "final_answer", "target",
			"question_type", "modification", "leak_correct_answer", "injected_answer"}}}},
		licence: unlicensed("cot-eval"),
		asks:    true,
		needs:   [][]string{{"uid", "question", "prediction", "modification"}},
		open: func(w *work) (func(row), func()) {
			cases := map[string]*held{}
			return func(r row) { w.cotEval(r, cases) }, nil
		},
	}
}

// cotParts are the parts of a prediction.
var cotParts = regexp.MustCompile(`(?s)<(step|external_influence)>(.*?)</(?:step|external_influence)>`)

func (w *work) cotEval(r row, cases map[string]*held) {
	key := r.text("uid") + "\x00" + r.text("question")
	h := cases[key]
	if h == nil {
		h = w.cotCase(r, r.text("question_type"))
		cases[key] = h
	}
	m := made{condition: w.stages.condition("cot-eval", r.text("modification"))}
	if right, _ := r.truth("leak_correct_answer"); right {
		m.condition.Cue = strings.Replace(m.condition.Cue, "-wrong", "-right", 1)
	}
	q := &h.c.Questions[0]
	if target := r.text("injected_answer"); target != "" && m.condition.Cue != "" {
		if read, parse := q.Read(target); parse == review.ParseOK {
			target = read
		}
		m.target, m.condition.CueTarget = target, target
	}
	s := said{q: q, text: r.text("prediction"), answer: r.text("final_answer")}
	s.steps = w.cotSteps(r, s.text)
	w.chain(r, h.c, m, w.reply(r, 1, s))
}

// cotCase makes a case of what a row asks.
func (w *work) cotCase(r row, kind string) *held {
	d := w.draft(r, r.text("uid"), "cot", r.text("uid"))
	d.patient(r.key("patientid"), "")
	d.c.Language = "en"
	q := d.ask("q", kind, r.text("question"), yesNo(r.text("target")))
	d.gold(q, r.text("target"))
	return d.done(r.text("uid"))
}

// cotSteps gives the marked parts of a reasoning as steps, nil where none is marked.
func (w *work) cotSteps(r row, text string) []review.Step {
	var out []review.Step
	for i, part := range cotParts.FindAllStringSubmatch(text, maxSteps) {
		step := w.step(r, 1, i+1, part[2], nil, sheetOf{})
		if step.Text == nil {
			continue
		}
		if part[1] == "external_influence" {
			step.ClaimType = "no_claim"
		}
		out = append(out, step)
	}
	return out
}
