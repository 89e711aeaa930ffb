package formats

import (
	"regexp"
	"strings"

	"plumbline/backend/review"
)

// m3CoTFormat reads M3CoTBench: the table of cases (xlsx or tsv) with its gold steps; m3CoTTypesFormat the table of kinds; m3CoTPredictionsFormat
// what a model said.
func m3CoTFormat() format {
	return format{
		Format: Format{Name: "m3cotbench", Title: "M3CoTBench", Cluster: "image", Files: []Shape{{"M3CoTBench.xlsx, *.tsv",
			[]string{"index", "question", "answer", "modality", "feature", "key_conclusion", "additional_analysis", "image"}}}},
		licence: unlicensed("M3CoTBench"),
		needs:   [][]string{{"index", "question", "answer", "feature", "key_conclusion"}},
		open:    plainly(m3CoT),
	}
}

func m3CoTTypesFormat() format {
	return format{
		id:      "m3cotbench-types",
		Format:  Format{Name: "m3cotbench", Title: "M3CoTBench", Cluster: "image", Files: []Shape{{"type.xlsx, *.tsv", []string{"index", "analysis_type"}}}},
		licence: unlicensed("M3CoTBench"),
		when:    early,
		needs:   [][]string{{"index", "analysis_type"}},
		never:   []string{"question"},
		open:    plainly(func(w *work, r row) { w.types[r.key("index")] = r.text("analysis_type") }),
	}
}

func m3CoTPredictionsFormat() format {
	return format{
		id: "m3cotbench-predictions",
		Format: Format{Name: "m3cotbench", Title: "M3CoTBench", Cluster: "image", Files: []Shape{
			{"*.json (predictions; the file is named after the model)", []string{"index", "prediction", "duration_s"}}}},
		licence: unlicensed("M3CoTBench"),
		when:    answering,
		needs:   [][]string{{"index", "prediction"}},
		never:   []string{"question", "answer"},
		open:    plainly(m3CoTPrediction),
	}
}

// optionLine is an option that stands on a line of its own in a question.
var optionLine = regexp.MustCompile(`(?m)^[ \t]*\(?([A-Z])[.):][ \t]*(\S.*?)[ \t]*$`)

// embeddedOptions parts a question from the options in it.
func embeddedOptions(text string) (question string, opts []review.Option) {
	all := optionLine.FindAllStringSubmatchIndex(text, maxOptions)
	if len(all) < 2 || text[all[0][2]:all[0][3]] != "A" {
		return text, []review.Option{}
	}
	for _, m := range all {
		opts = append(opts, review.Option{Letter: text[m[2]:m[3]], Text: text[m[4]:m[5]]})
	}
	return strings.TrimSpace(text[:all[0][0]]), opts
}

func m3CoT(w *work, r row) {
	index := r.key("index")
	d := w.draft(r, index, "m3cot", index)
	image := pictureOf(r, "image")
	if image == "" {
		image = w.finder.stem(r.file, index, ".png", ".jpg", ".jpeg", ".webp")
	}
	d.image(image, "")
	for i, source := range []string{"modality", "feature", "key_conclusion", "additional_analysis"} {
		if said := nulled(r.text(source)); said != "" {
			d.gold(d.ask("q"+itoa(i+1), source, "", nil), said)
		}
	}
	text, opts := embeddedOptions(r.text("question"))
	kind := w.types[index]
	q := d.ask("q", kind, text, opts)
	q.K = 4
	q.Stage = w.stages.nameOf("m3cotbench", 4)
	d.gold(q, r.text("answer"))
	d.done("m3cot/" + index)
}

func m3CoTPrediction(w *work, r row) {
	index := r.key("index")
	h := w.cases["m3cot/"+index]
	if h == nil {
		w.note(r, "index", "case %s is not in these records", shorten(index))
		return
	}
	q := &h.c.Questions[len(h.c.Questions)-1]
	seconds, _ := r.number("duration_s")
	a := w.reply(r, len(h.c.Questions), said{q: q, text: r.text("prediction")})
	a.Seconds = max(0, seconds)
	w.chain(r, h.c, made{seconds: a.Seconds}, a)
}
