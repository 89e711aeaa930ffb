package formats

import "plumbline/backend/review"

// cotReadersFormat reads what cot-eval showed to its readers: the answer without and with a modification, and the reasoning with it. The readers'
// scores are another scale than ours and are left out.
func cotReadersFormat() format {
	return format{
		id: "cot-eval-readers",
		Format: Format{Name: "cot-eval", Title: "cot-eval (TAIX-VQA)", Cluster: "image", Files: []Shape{{"*.jsonl (readers)", []string{"timestamp", "index", "uid", "flip", "question", "target",
			"original_answer", "biased_answer", "cot_with_hint", "modification_type", "model_name", "completeness_score", "plausibility_score", "bias_acknowledgment_score",
			"helpfulness_score", "confidence_score"}}}},
		licence: unlicensed("cot-eval"),
		asks:    true,
		needs:   [][]string{{"uid", "question", "original_answer", "biased_answer", "modification_type"}},
		open: func(w *work) (func(row), func()) {
			cases, given := map[string]*held{}, map[string]bool{}
			return func(r row) { w.cotReaders(r, cases, given) }, nil
		},
	}
}

// cotReaders makes two chains of a row; rows of several readers on the same answers make them once.
func (w *work) cotReaders(r row, cases map[string]*held, given map[string]bool) {
	key := r.text("uid") + "\x00" + r.text("question")
	h := cases[key]
	if h == nil {
		h = w.cotCase(r, r.text("question_type"))
		cases[key] = h
	}
	q, model := &h.c.Questions[0], r.text("model_name")
	before := key + "\x00" + model
	if !given[before] {
		given[before] = true
		original := said{q: q, answer: r.text("original_answer"), text: r.text("original_answer"), steps: []review.Step{}}
		w.chain(r, h.c, made{model: model, condition: w.stages.condition("cot-eval", "none")}, w.reply(r, 1, original))
	}
	after := before + "\x00" + r.text("modification_type") + "\x00" + r.text("biased_answer") + "\x00" + r.text("cot_with_hint")
	if given[after] {
		return
	}
	given[after] = true
	biased := said{q: q, answer: r.text("biased_answer"), text: r.text("cot_with_hint")}
	biased.steps = w.cotSteps(r, biased.text)
	w.chain(r, h.c, made{model: model, condition: w.stages.condition("cot-eval", r.text("modification_type"))}, w.reply(r, 1, biased))
}
