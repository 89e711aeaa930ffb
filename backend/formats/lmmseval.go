package formats

import (
	"path"
	"strings"
)

// lmmsEvalFormat reads the samples of lmms-eval: each line is a case with the model's answer. The documents themselves are not in it, so pictures
// and patients come from a table (id: doc_id).
func lmmsEvalFormat() format {
	return format{
		Format: Format{Name: "lmms-eval", Title: "lmms-eval samples", Cluster: "image", Files: []Shape{{"{date}_samples_{task}.jsonl", []string{"doc_id", "target", "input", "filtered_resps",
			"resps", "doc_hash", "token_counts", "and a key for each metric"}}}, Note: "lmms-eval: pictures are named by a table of doc_id and image only."},
		licence: licence("of each data set", "https://github.com/EvolvingLMMs-Lab/lmms-eval", false),
		asks:    true,
		needs:   [][]string{{"doc_id", "target", "filtered_resps"}, {"doc_id", "target", "resps"}},
		open:    plainly(lmmsEval),
	}
}

func lmmsEval(w *work, r row) {
	id := r.key("doc_id")
	_, task, _ := strings.Cut(strings.TrimSuffix(path.Base(r.file), path.Ext(r.file)), "_samples_")
	key := "lmms/" + task + "/" + id
	h := w.cases[key]
	if h == nil {
		d := w.draft(r, id, "lmms", task, id)
		text, opts := embeddedOptions(r.text("input"))
		if i := strings.Index(text, "\nAnswer "); i > 0 { // how to answer is said to models
			text = strings.TrimSpace(text[:i])
		}
		q := d.ask("q", "", text, opts)
		d.gold(q, strings.Join(r.list("target"), ", "))
		w.keep = true
		h = d.done(key)
	}
	given := r.list("filtered_resps")
	if len(given) == 0 {
		var nested [][]string
		if r.into("resps", &nested) && len(nested) > 0 {
			given = nested[0]
		}
	}
	model := path.Base(path.Dir(r.file))
	if model == "." {
		model = ""
	}
	a := said{q: &h.c.Questions[0]}
	if len(given) > 0 {
		a.text = given[0]
	}
	var nested [][]string
	if r.into("resps", &nested) && len(nested) > 0 && len(nested[0]) > 0 && len(nested[0][0]) > len(a.text) {
		a.reasoning = nested[0][0] // what was filtered away is reasoning
	}
	w.chain(r, h.c, made{model: model}, w.reply(r, 1, a))
}
