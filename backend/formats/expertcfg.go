package formats

import (
	"math"

	"plumbline/backend/review"
)

// expertCFGFormat reads the questions of Expert-CFG, expertCFGOutputFormat its answers with the probability of every token. Captions that were
// retrieved for a prompt are left out; so are the words that an expert highlighted, which are for a prompt and not for a reader.
func expertCFGFormat() format {
	return format{
		Format: Format{Name: "expert-cfg", Title: "Expert-CFG", Cluster: "image", Files: []Shape{{"*.json (questions)", []string{"img_id", "question", "highlights[]", "question_type",
			"answer_type", "answer", "top_k_captions[]"}}}, Note: "Expert-CFG: highlighted words and retrieved captions are for prompts and left out."},
		licence: unlicensed("Expert-CFG"),
		needs:   [][]string{{"img_id", "question", "highlights"}, {"img_id", "question", "answer", "top_k_captions"}},
		open: plainly(func(w *work, r row) {
			id := r.key("answer_id")
			if id == "" {
				id = w.serial()
			}
			d := w.draft(r, id, "ecfg", id)
			d.image(r.text("img_id"), "")
			q := d.ask("q", r.text("question_type"), r.text("question"), yesNo(r.text("answer")))
			d.gold(q, r.text("answer"))
			d.done("ecfg/" + r.text("question") + "\x00" + r.text("answer"))
		}),
	}
}

func expertCFGOutputFormat() format {
	return format{
		id: "expert-cfg-output",
		Format: Format{Name: "expert-cfg", Title: "Expert-CFG", Cluster: "image", Files: []Shape{{"*.json (answers; the file is named after the model)",
			[]string{"question", "answer", "prediction", "token_probs[]", "token_preds[]"}}}},
		licence: unlicensed("Expert-CFG"),
		when:    answering,
		needs:   [][]string{{"question", "prediction", "token_probs"}},
		open:    plainly(expertCFGOutput),
	}
}

func expertCFGOutput(w *work, r row) {
	w.keep = true // answers alone bring their own questions, once
	key := "ecfg/" + r.text("question") + "\x00" + r.text("answer")
	h := w.cases[key]
	if h == nil {
		d := w.draft(r, w.serial(), "ecfg", w.serial())
		q := d.ask("q", "", r.text("question"), yesNo(r.text("answer")))
		d.gold(q, r.text("answer"))
		h = d.done(key)
	}
	a := w.reply(r, 1, said{q: &h.c.Questions[0], text: r.text("prediction")})
	var probs []float64
	words := r.list("token_preds")
	if r.into("token_probs", &probs) {
		for i, p := range probs {
			if math.IsNaN(p) || p < 0 || p > 1 {
				w.note(r, "token_probs", "%v is no probability; the list is left out", p)
				a.TokenProbs = nil
				break
			}
			t := review.TokenProb{P: p}
			if i < len(words) {
				t.Token = words[i]
			}
			a.TokenProbs = append(a.TokenProbs, t)
		}
	}
	if len(a.TokenProbs) > 0 {
		e := review.TokenEntropy(a.TokenProbs)
		a.Entropy = &e
	}
	w.chain(r, h.c, made{}, a)
}
