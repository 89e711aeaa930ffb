package formats

import (
	"slices"
	"strings"

	"plumbline/backend/review"
)

// vinDrLabelsFormat reads what VinDr-CXR's radiologists said of whole films: a column for each finding, 1 or 0. Each radiologist is a chain; right is
// what at least half of them said. A table without radiologists is what they agreed on.
func vinDrLabelsFormat() format {
	return format{
		id: "vindr-cxr-labels",
		Format: Format{Name: "vindr-cxr", Title: "VinDr-CXR", Cluster: "image", Files: []Shape{{"image_labels_*.csv", []string{"image_id", "rad_id",
			"a column for each finding (0 | 1)", "No finding"}}}},
		licence: credentialed("VinDr-CXR"),
		needs:   [][]string{{"image_id", "no_finding"}},
		never:   []string{"class_name", "question"},
		open: func(w *work) (func(row), func()) {
			groups, order := map[string][]row{}, []string{}
			return func(r row) {
					id := r.text("image_id")
					if groups[id] == nil {
						order = append(order, id)
					}
					groups[id] = append(groups[id], r)
				}, func() {
					for _, id := range order {
						w.vinDrLabels(groups[id])
					}
				}
		},
	}
}

func (w *work) vinDrLabels(rows []row) {
	r := rows[0]
	id := r.text("image_id")
	var names []string // as plain fields
	for name := range r.cells {
		if name != "image_id" && name != "rad_id" && name != "" {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { // no finding last, as among the boxes
		if (a == "no_finding") != (b == "no_finding") {
			return map[bool]int{true: 1, false: -1}[a == "no_finding"]
		}
		return strings.Compare(a, b)
	})
	d := w.draft(r, id, "vindr", "labels", id)
	d.image(w.finder.stem(r.file, id, ".dicom", ".dcm", ".png", ".jpg"), "DX")
	d.c.Language = "en"
	texts := []string{}
	for _, name := range names {
		texts = append(texts, strings.ToUpper(name[:1])+strings.ReplaceAll(name[1:], "_", " "))
	}
	q := d.ask("q", "labels", "Which findings does the film show?", manyOptions(texts))
	given := make([]int, len(q.Options)) // how many said it
	answers := []review.Answer{}
	for _, r := range rows {
		a := review.Answer{Question: q.ID, Parse: review.ParseOK, Steps: []review.Step{}}
		var letters []string
		for i, o := range q.Options {
			switch v := r.key(names[i]); v {
			case "1":
				letters = append(letters, o.Letter)
				given[i]++
				a.Steps = append(a.Steps, w.step(r, 1, len(a.Steps)+1, o.Text, nil, sheetOf{}))
			case "0", "":
			default:
				w.note(r, names[i], "%q found; 0 or 1 expected", shorten(v))
			}
		}
		answer := strings.Join(letters, ", ")
		if a.Answer = &answer; answer == "" {
			a.Answer, a.Parse = nil, review.Empty
		}
		answers = append(answers, a)
	}
	var right []string
	for i, o := range q.Options {
		if n := given[i]; n > 0 && 2*n >= len(rows) {
			right = append(right, o.Letter)
		}
	}
	d.gold(q, strings.Join(right, ", "))
	h := d.done()
	for i, r := range rows {
		if reader := r.text("rad_id"); reader != "" {
			w.chain(r, h.c, made{model: reader}, answers[i])
		}
	}
}
