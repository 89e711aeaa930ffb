package formats

import (
	"strings"

	"plumbline/backend/review"
)

// echoBenchFormat reads EchoBench: rows that ask one question without a bias and under several are one case; rows with a prediction are chains
// under the condition of their bias.
func echoBenchFormat() format {
	return format{
		Format: Format{Name: "echobench", Title: "EchoBench", Cluster: "image", Files: []Shape{{"*.tsv, *.xlsx", []string{"index", "image | image_path", "question", "A", "B", "C", "D", "E",
			"answer", "category", "bias_type", "bias_prompt", "incorrect_option", "modality", "department", "perceptual_granularity", "prediction", "extracted_prediction"}}}},
		licence: unlicensed("EchoBench"),
		needs:   [][]string{{"question", "answer", "bias_type", "incorrect_option"}},
		open: func(w *work) (func(row), func()) {
			cases := map[string]*held{}
			return func(r row) { w.echoBench(r, cases) }, nil
		},
	}
}

func (w *work) echoBench(r row, cases map[string]*held) {
	image := pictureOf(r, "image")
	if image == "" {
		image = r.text("image_path")
	}
	key := image + "\x00" + r.text("question") + "\x00" + r.text("a") + "\x00" + r.text("b")
	h := cases[key]
	if h == nil {
		id := r.key("index")
		d := w.draft(r, id, "echo", id)
		d.image(image, r.text("modality"))
		d.c.Language = "en"
		q := d.ask("q", r.text("category"), r.text("question"), lettersOf(r, 'E'))
		d.gold(q, r.text("answer"))
		h = d.done(id)
		cases[key] = h
	}
	if !r.has("prediction") && !r.has("extracted_prediction") {
		return
	}
	m := made{condition: w.stages.condition("echobench", r.text("bias_type"))}
	q := &h.c.Questions[0]
	if m.condition.Cue != "" {
		if target, parse := q.Read(r.text("incorrect_option")); parse == review.ParseOK {
			m.target, m.condition.CueTarget = target, target
		} else {
			w.hide(r, "incorrect_option", "%q is no option", shorten(r.text("incorrect_option")))
		}
	}
	s := said{q: q, text: r.text("prediction"), answer: r.text("extracted_prediction")}
	if first := strings.ToUpper(s.answer[:min(len(s.answer), 1)]); first == "Z" { // its sign for what could not be matched
		s.answer = ""
		a := w.reply(r, 1, s)
		a.Answer, a.Parse = nil, review.Unparsed
		w.chain(r, h.c, m, a)
		return
	}
	w.chain(r, h.c, m, w.reply(r, 1, s))
}

// lettersOf gives the options that stand in columns A, B, … up to last.
func lettersOf(r row, last rune) []review.Option {
	texts := []string{}
	for l := 'a'; l <= last+'a'-'A'; l++ {
		texts = append(texts, nulled(r.text(string(l))))
	}
	return options(texts...)
}
