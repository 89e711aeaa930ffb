package formats

import (
	"path"
	"strings"
)

// gmaiFormat reads GMAI-MMBench, vlmEvalKitFormat any table of VLMEvalKit: the questions alone, or the results of a model beside them.
func gmaiFormat() format {
	return format{
		Format: Format{Name: "gmai-mmbench", Title: "GMAI-MMBench", Cluster: "image", Files: []Shape{{"*.tsv", []string{"index", "image (base64)", "question", "A", "B", "C", "D", "E",
			"answer", "category", "clinical vqa task", "department", "perceptual granularity", "modality"}}}},
		licence: licence("Apache-2.0 (the code; not the images)", "https://github.com/uni-medical/GMAI-MMBench", false),
		needs:   [][]string{{"index", "question", "a", "b", "clinical_vqa_task"}},
		open:    plainly(func(w *work, r row) { w.evalRow(r, "clinical_vqa_task", "gmai") }),
	}
}

func vlmEvalKitFormat() format {
	return format{
		Format: Format{Name: "vlmevalkit", Title: "VLMEvalKit", Cluster: "image", Files: []Shape{{"*.tsv, {model}_{dataset}.xlsx, *.json", []string{"index", "image", "image_path", "question",
			"hint", "A", "B", "…", "answer", "category", "l2-category", "split", "prediction", "thinking"}}}},
		licence: licence("of each data set", "https://github.com/open-compass/VLMEvalKit", false),
		asks:    true,
		needs:   [][]string{{"index", "question", "answer", "image_path"}, {"index", "question", "answer", "image"}, {"index", "question", "prediction"}, {"index", "question", "a", "b"}},
		open:    plainly(func(w *work, r row) { w.evalRow(r, "category", "vlmeval") }),
	}
}

// evalRow reads a row of VLMEvalKit's kind. Rows of one index and question in several files are one case.
func (w *work) evalRow(r row, source, name string) {
	index := r.key("index")
	key := name + "/" + index + "\x00" + r.text("question")
	h := w.cases[key]
	if h == nil {
		d := w.draft(r, index, name, index)
		image := pictureOf(r, "image")
		if image == "" || len(image) < 8 && r.text("image_path") != "" { // a picture that is an index of another row
			image = ""
		}
		if image == "" {
			for _, at := range r.list("image_path") {
				d.image(at, r.text("modality"))
			}
		} else {
			d.image(image, r.text("modality"))
		}
		text := r.text("question")
		if hint := nulled(r.text("hint")); hint != "" {
			text = hint + "\n" + text
		}
		q := d.ask("q", r.text(source), text, lettersOf(r, 'J'))
		d.gold(q, r.text("answer"))
		w.keep = true
		h = d.done(key)
	}
	if !r.has("prediction") {
		return
	}
	m := made{model: evalModel(r.file)}
	w.chain(r, h.c, m, w.reply(r, 1, said{q: &h.c.Questions[0], text: r.text("prediction"), reasoning: r.text("thinking")}))
}

// evalModel gives the model of a file {model}_{dataset}.xlsx.
func evalModel(file string) string {
	name := strings.TrimSuffix(path.Base(file), path.Ext(file))
	if i := strings.LastIndexByte(name, '_'); i > 0 {
		return name[:i]
	}
	return name
}
