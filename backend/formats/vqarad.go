package formats

import "strings"

// vqaRADFormat reads VQA-RAD: JSON, or the workbook with other names. Rephrased questions are one group with the question that they rephrase.
func vqaRADFormat() format {
	return format{
		Format: Format{Name: "vqa-rad", Title: "VQA-RAD", Cluster: "case", Files: []Shape{{"*.json, *.xlsx", []string{"qid", "phrase_type", "qid_linked_id", "image_case_url",
			"image_name", "image_organ", "question", "question_type", "answer", "answer_type"}}},
			Note: "Rephrased questions of VQA-RAD are groups (qid_linked_id)."},
		licence: licence("CC0 1.0 (as published; not verified)", "https://osf.io/89kps/", true),
		needs:   [][]string{{"qid", "phrase_type", "image_name", "question", "answer"}, {"qid_unique", "image", "question", "answer", "q_type"}},
		open:    plainly(vqaRAD),
	}
}

func vqaRAD(w *work, r row) {
	either := func(a, b string) string {
		if v := r.text(a); v != "" {
			return v
		}
		return r.text(b)
	}
	id := numeral(either("qid", "qid_unique"))
	if id == "" {
		id = digest(r.text("question"), either("image_name", "image"))[:8]
	}
	d := w.draft(r, id, "vqarad", id)
	d.patient("", caseOf("vqa-rad", either("image_case_url", "imageid_case")))
	d.image(either("image_name", "image"), "")
	d.c.Group = groupOf("vqa-rad", nulled(either("qid_linked_id", "qid_linked")))
	if phrase := either("phrase_type", "qid_para"); strings.Contains(strings.ToLower(phrase), "para") {
		d.c.Level = "sentence"
	}
	d.c.Language = "en"
	answer := r.text("answer")
	q := d.ask("q", either("question_type", "q_type"), r.text("question"), yesNo(answer))
	d.gold(q, answer)
	d.done(id)
}

// nulled is "" for what tables write where there is nothing.
func nulled(s string) string {
	switch strings.ToLower(s) {
	case "null", "nan", "none", "n/a":
		return ""
	}
	return s
}

// caseOf names a case, an article or a study that links images of one origin, under a code: an address is not carried along.
func caseOf(format, name string) string {
	if name = nulled(name); name == "" {
		return ""
	}
	return format + "-" + digest(name)[:12]
}

// groupOf names a group of records that ask the same.
func groupOf(format string, parts ...string) string {
	joined := strings.Join(parts, "/")
	if strings.Trim(joined, "/") == "" {
		return ""
	}
	return format + ":" + joined
}
