package formats

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"plumbline/backend/review"
)

func itoa(n int) string { return strconv.Itoa(n) }

// pmcVQAFormat reads PMC-VQA. The caption of a figure, which may say the answer, is left out.
func pmcVQAFormat() format {
	return format{
		Format: Format{Name: "pmc-vqa", Title: "PMC-VQA", Cluster: "article", Files: []Shape{{"*.csv", []string{"Figure_path", "Caption", "Question", "Choice A", "Choice B", "Choice C",
			"Choice D", "Answer", "Answer_label"}}}, Note: "Captions of PMC-VQA, which may say the answer, are left out."},
		licence: licence("of each article (PMC open access)", "https://github.com/xiaoman-zhang/PMC-VQA", false),
		needs:   [][]string{{"figure_path", "question", "choice_a", "choice_b"}},
		open: plainly(func(w *work, r row) {
			figure := r.text("figure_path")
			name := strings.TrimSuffix(path.Base(figure), path.Ext(figure))
			d := w.draft(r, name, "pmc", name)
			article, _, _ := strings.Cut(name, "_")
			d.patient("", article)
			d.image(figure, "")
			d.c.Language = "en"
			texts := []string{}
			for _, c := range []string{"choice_a", "choice_b", "choice_c", "choice_d"} {
				texts = append(texts, unlettered(r.text(c)))
			}
			q := d.ask("q", "", r.text("question"), options(texts...))
			if gold := r.text("answer_label"); gold != "" {
				d.gold(q, gold)
			} else {
				d.gold(q, r.text("answer"))
			}
			d.done(name)
		}),
	}
}

var lettered = regexp.MustCompile(`^\s*\(?([A-Z])[.:)]\s*`)

// unlettered drops the letter before an option: " A:Liver" is "Liver".
func unlettered(s string) string { return strings.TrimSpace(lettered.ReplaceAllString(s, "")) }

// letteredOptions reads options that come with their letters: "A: right lung".
func letteredOptions(list []string) []review.Option {
	out := []review.Option{}
	for i, s := range list {
		if i >= maxOptions {
			break
		}
		letter := string(rune('A' + i%26))
		if m := lettered.FindStringSubmatch(s); m != nil {
			letter = m[1]
		}
		if text := unlettered(s); text != "" {
			out = append(out, review.Option{Letter: letter, Text: text})
		}
	}
	if len(out) < 2 {
		return []review.Option{}
	}
	return out
}

// omniMedVQAFormat reads OmniMedVQA. One of its files calls the modality otherwise.
func omniMedVQAFormat() format {
	return format{
		Format: Format{Name: "omnimedvqa", Title: "OmniMedVQA", Cluster: "image", Files: []Shape{{"*.json", []string{"dataset", "question_id", "question_type", "question", "gt_answer",
			"image_path", "option_A", "option_B", "option_C", "option_D", "modality_type"}}}},
		licence: licence("of each source set", "https://github.com/OpenGVLab/Multi-Modality-Arena", false),
		needs:   [][]string{{"question_id", "question", "gt_answer", "image_path", "option_a"}},
		open: plainly(func(w *work, r row) {
			id := r.text("question_id")
			d := w.draft(r, id)
			modality := r.text("modality_type")
			if modality == "" {
				modality = r.text("modality")
			}
			d.image(r.text("image_path"), modality)
			d.c.Language = "en"
			q := d.ask("q", r.text("question_type"), r.text("question"), options(r.text("option_a"), r.text("option_b"), r.text("option_c"), r.text("option_d")))
			d.gold(q, r.text("gt_answer"))
			d.done(id)
		}),
	}
}

// medXpertQAFormat reads MedXpertQA, with pictures or without.
func medXpertQAFormat() format {
	return format{
		Format: Format{Name: "medxpertqa", Title: "MedXpertQA-MM", Cluster: "image", Files: []Shape{{"*.jsonl", []string{"id", "question", "options[{letter,content}]", "label[]",
			"images[{image_path}]", "medical_task", "body_system", "question_type"}}}},
		licence: licence("MIT", "https://github.com/TsinghuaC3I/MedXpertQA", true),
		needs:   [][]string{{"id", "question", "options", "label"}},
		open:    plainly(medXpertQA),
	}
}

func medXpertQA(w *work, r row) {
	id := r.text("id")
	d := w.draft(r, id)
	var images []struct {
		Path string `json:"image_path"`
	}
	if r.into("images", &images) {
		for _, m := range images {
			d.image(m.Path, "")
		}
	}
	d.c.Language = "en"
	var list []struct{ Letter, Content string }
	opts := []review.Option{}
	if r.into("options", &list) {
		for _, o := range list[:min(len(list), maxOptions)] {
			opts = append(opts, review.Option{Letter: trimmed(o.Letter), Text: trimmed(o.Content)})
		}
	}
	text, _, _ := strings.Cut(r.text("question"), "\nAnswer Choices:")
	q := d.ask("q", r.text("medical_task"), text, opts)
	d.gold(q, strings.Join(r.list("label"), ", "))
	d.done(id)
}

// mimicCXRVQAFormat reads MIMIC-CXR-VQA; an answer is a list, empty for "none".
func mimicCXRVQAFormat() format {
	return format{
		Format: Format{Name: "mimic-cxr-vqa", Title: "MIMIC-CXR-VQA", Cluster: "patient", Files: []Shape{{"*.json", []string{"split", "idx", "image_id", "question", "content_type",
			"semantic_type", "template", "answer[]", "subject_id", "study_id", "image_path"}}}},
		licence: credentialed("MIMIC-CXR-VQA"),
		needs:   [][]string{{"image_id", "question", "answer", "subject_id"}},
		open: plainly(func(w *work, r row) {
			id := r.text("split") + "-" + r.key("idx")
			d := w.draft(r, id, "mimic", id)
			d.patient(r.key("subject_id"), r.key("study_id"))
			image := r.text("image_path")
			if image == "" {
				image = w.finder.stem(r.file, r.text("image_id"), ".jpg", ".png", ".dcm")
			}
			d.image(image, "DX")
			d.c.Language = "en"
			answers := r.list("answer")
			opts := []review.Option{}
			if len(answers) == 1 {
				opts = yesNo(answers[0])
			}
			q := d.ask("q", r.text("content_type"), r.text("question"), opts)
			gold := strings.Join(answers, ", ")
			if gold == "" && r.has("answer") {
				gold = "none"
			}
			d.gold(q, gold)
			d.done(id)
		}),
	}
}

// pathVQAFormat reads PathVQA as Hugging Face keeps it, and other sets of image, question and answer.
func pathVQAFormat() format {
	return format{
		Format: Format{Name: "pathvqa", Title: "PathVQA, and other tables of image, question, answer", Cluster: "image", Files: []Shape{{"*.parquet, *.tsv, *.csv, *.json, *.jsonl",
			[]string{"image", "question", "answer"}}}},
		licence: licence("MIT (the code; not the images)", "https://github.com/UCSD-AI4H/PathVQA", false),
		needs:   [][]string{{"image", "question", "answer"}},
		open: plainly(func(w *work, r row) {
			image := pictureOf(r, "image")
			d := w.draft(r, itoa(r.line), "row", path.Base(strings.TrimSuffix(r.file, path.Ext(r.file))), itoa(r.line))
			d.image(image, "")
			q := d.ask("q", "", r.text("question"), yesNo(r.text("answer")))
			d.gold(q, r.text("answer"))
			d.done(itoa(r.line))
		}),
	}
}

// pictureOf gives the path of a picture that a field holds: text, or what Hugging Face makes of one.
func pictureOf(r row, name string) string {
	var object struct{ Bytes, Path string }
	if s := r.text(name); s != "" {
		return s
	}
	if r.into(name, &object) && object.Bytes != "" {
		return object.Bytes
	}
	return object.Path
}
