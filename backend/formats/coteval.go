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

// cotSteps are the parts of a prediction.
var cotSteps = regexp.MustCompile(`(?s)<(step|external_influence)>(.*?)</(?:step|external_influence)>`)

func (w *work) cotEval(r row, cases map[string]*held) {
	key := r.text("uid") + "\x00" + r.text("question")
	h := cases[key]
	if h == nil {
		d := w.draft(r, r.text("uid"), "cot", r.text("uid"))
		d.patient(r.key("patientid"), "")
		d.c.Language = "en"
		q := d.ask("q", r.text("question_type"), r.text("question"), yesNo(r.text("target")))
		d.gold(q, r.text("target"))
		h = d.done(r.text("uid"))
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
	s := said{q: q, text: r.text("prediction"), answer: r.text("final_answer"), steps: []review.Step{}}
	for i, part := range cotSteps.FindAllStringSubmatch(s.text, maxSteps) {
		step := w.step(r, 1, i+1, part[2], nil, s.sheet)
		if step.Text == nil {
			continue
		}
		if part[1] == "external_influence" {
			step.ClaimType = "no_claim"
		}
		s.steps = append(s.steps, step)
	}
	if len(s.steps) == 0 {
		s.steps = nil
	}
	w.chain(r, h.c, m, w.reply(r, 1, s))
}
