package formats

import (
	"strings"

	"plumbline/backend/review"
)

// slakeFormat reads SLAKE, English and Chinese.
func slakeFormat() format {
	return format{
		Format: Format{Name: "slake", Title: "SLAKE", Cluster: "image", Files: []Shape{{"*.json", []string{"img_id", "img_name", "question", "answer", "q_lang", "location", "modality",
			"answer_type", "base_type", "triple", "qid", "content_type"}}}},
		licence: licence("CC BY 4.0", "https://www.med-vqa.com/slake/", true),
		needs:   [][]string{{"img_id", "img_name", "question", "answer", "answer_type"}, {"img_name", "question", "answer", "q_lang"}},
		never:   []string{"role", "highlights"},
		open:    plainly(slake),
	}
}

func slake(w *work, r row) {
	id := r.key("qid")
	if id == "" {
		id = digest(r.text("img_name"), r.text("question"))[:8]
	}
	d := w.draft(r, id, "slake", id)
	d.image(r.text("img_name"), r.text("modality"))
	d.c.Language = r.text("q_lang")
	q := d.ask("q", r.text("content_type"), r.text("question"), yesNo(r.text("answer")))
	d.gold(q, r.text("answer"))
	d.done(id)
}

// cSlakeFormat reads C-SLAKE: a main question and those that lead to it are one case, asked in this order; an independent one stands alone.
func cSlakeFormat() format {
	return format{
		Format: Format{Name: "c-slake", Title: "C-SLAKE", Cluster: "image", Files: []Shape{{"*.json", []string{"img_id", "img_name", "question", "answer", "location", "modality",
			"answer_type", "role", "role_num"}}}, Note: "C-SLAKE: a main question is asked after those that lead to it."},
		licence: unlicensed("C-SLAKE"),
		needs:   [][]string{{"img_name", "question", "answer", "role", "role_num"}},
		open: func(w *work) (func(row), func()) {
			groups, order := map[string][]row{}, []string{}
			return func(r row) {
					key := r.key("img_id") + "\x00" + r.key("role_num")
					if strings.EqualFold(r.text("role"), "ind") {
						key += "\x00" + r.text("question")
					}
					if groups[key] == nil {
						order = append(order, key)
					}
					groups[key] = append(groups[key], r)
				}, func() {
					for _, key := range order {
						w.cSlake(groups[key])
					}
				}
		},
	}
}

func (w *work) cSlake(rows []row) {
	first := rows[0]
	id := first.key("img_id") + "-" + first.key("role_num")
	if strings.EqualFold(first.text("role"), "ind") {
		id = first.key("img_id") + "-" + digest(first.text("question"))[:6]
	}
	d := w.draft(first, id, "cslake", id)
	d.image(first.text("img_name"), first.text("modality"))
	d.c.Language = "en"
	add := func(r row, name string) review.QuestionID {
		q := d.ask(name, r.text("role"), r.text("question"), yesNo(r.text("answer")))
		d.gold(q, r.text("answer"))
		return q.ID
	}
	var leading []review.QuestionID
	n := 0
	for _, main := range []bool{false, true} {
		for _, r := range rows {
			if strings.EqualFold(r.text("role"), "main") != main {
				continue
			}
			n++
			q := add(r, "q"+numeral(itoa(n)))
			if main {
				d.c.Questions[len(d.c.Questions)-1].Parents = append([]review.QuestionID{}, leading...)
			} else {
				leading = append(leading, q)
			}
		}
	}
	d.done(id)
}
