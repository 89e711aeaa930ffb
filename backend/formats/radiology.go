package formats

import (
	"slices"
	"strings"

	"plumbline/backend/review"
)

// msCXRFormat reads MS-CXR: phrases and where they are grounded. Boxes are x, y, width and height in pixels of the original film.
func msCXRFormat() format {
	return format{
		Format: Format{Name: "ms-cxr", Title: "MS-CXR", Cluster: "patient", Files: []Shape{{"*.csv", []string{"dicom_id", "category_name", "label_text", "path", "x", "y", "w", "h",
			"image_width", "image_height", "split"}}}},
		licence: credentialed("MS-CXR"),
		needs:   [][]string{{"dicom_id", "label_text", "x", "y", "w", "h"}},
		open: func(w *work) (func(row), func()) {
			groups, order := map[string][]row{}, []string{}
			return func(r row) {
					key := r.text("dicom_id") + "\x00" + r.text("label_text")
					if groups[key] == nil {
						order = append(order, key)
					}
					groups[key] = append(groups[key], r)
				}, func() {
					for _, key := range order {
						w.msCXR(groups[key])
					}
				}
		},
	}
}

func (w *work) msCXR(rows []row) {
	r := rows[0]
	film := r.text("dicom_id")
	id := film + "/" + digest(r.text("label_text"))[:6]
	d := w.draft(r, id, "mscxr", film[:min(len(film), 8)], digest(film, r.text("label_text"))[:8])
	at := r.text("path")
	if at == "" {
		at = w.finder.stem(r.file, film, ".jpg", ".png", ".dcm")
	}
	d.mimic(at)
	image := d.image(at, "DX")
	d.c.Language = "en"
	q := d.ask("q", r.text("category_name"), "Is this seen? “"+r.text("label_text")+"”", options("Yes", "No"))
	q.Category = "presence"
	t := d.gold(q, "Yes")
	for _, r := range rows {
		sheet := w.pixelSheet(d.c, image, "xywh")
		if columns, ok := r.number("image_width"); ok {
			if height, ok := r.number("image_height"); ok {
				sheet.columns, sheet.rows = int(columns), int(height)
			}
		}
		n, ok := numbersOf(r, "x", "y", "w", "h")
		if !ok {
			w.hide(r, "x", "four numbers of a box expected")
			continue
		}
		region, why := sheet.region("e"+itoa(len(t.Evidence)+1), n, r.text("category_name"))
		if why != "" {
			w.hide(r, "x", "%s", why)
			continue
		}
		t.Evidence = append(t.Evidence, region)
	}
	d.done(id)
}

// numbersOf reads four fields as a box.
func numbersOf(r row, names ...string) (box [4]float64, ok bool) {
	for i, n := range names {
		if box[i], ok = r.number(n); !ok {
			return box, false
		}
	}
	return box, true
}

// vinDrFormat reads VinDr-CXR's boxes: each radiologist is a chain, whose steps are the findings that were marked. Right is what at least half of
// them marked.
func vinDrFormat() format {
	return format{
		Format: Format{Name: "vindr-cxr", Title: "VinDr-CXR", Cluster: "image", Files: []Shape{{"annotations_*.csv", []string{"image_id", "rad_id", "class_name", "x_min", "y_min", "x_max",
			"y_max"}}}, Note: "VinDr-CXR: each radiologist is a chain; right is what at least half of them marked."},
		licence: credentialed("VinDr-CXR"),
		needs:   [][]string{{"image_id", "rad_id", "class_name", "x_min"}},
		open: func(w *work) (func(row), func()) {
			groups, order := map[string][]row{}, []string{}
			classes := map[string]bool{}
			return func(r row) {
					if len(classes) < 64 {
						classes[r.text("class_name")] = true
					}
					id := r.text("image_id")
					if groups[id] == nil {
						order = append(order, id)
					}
					groups[id] = append(groups[id], r)
				}, func() {
					var names []string
					for c := range classes {
						if c != "" && !strings.EqualFold(c, noFinding) {
							names = append(names, c)
						}
					}
					slices.Sort(names)
					for _, id := range order {
						w.vinDr(groups[id], append(slices.Clone(names), noFinding))
					}
				}
		},
	}
}

const noFinding = "No finding"

func (w *work) vinDr(rows []row, classes []string) {
	r := rows[0]
	id := r.text("image_id")
	d := w.draft(r, id, "vindr", id)
	image := d.image(w.finder.stem(r.file, id, ".dicom", ".dcm", ".png", ".jpg"), "DX")
	d.c.Language = "en"
	q := d.ask("q", "findings", "Which findings are seen?", manyOptions(classes))
	sheet := w.pixelSheet(d.c, image, "xyxy")
	if !sheet.known() {
		w.note(r, "x_min", "the size of the film %s is not known, so no box of it can be placed; put the film beside the table", shorten(id))
	}
	readers, marked := []string{}, map[string]map[string]bool{} // class -> readers
	byReader := map[string][]row{}
	for _, r := range rows {
		reader, class := r.text("rad_id"), r.text("class_name")
		if byReader[reader] == nil {
			readers = append(readers, reader)
		}
		byReader[reader] = append(byReader[reader], r)
		if marked[class] == nil {
			marked[class] = map[string]bool{}
		}
		marked[class][reader] = true
	}
	var right []string
	for _, o := range q.Options {
		if 2*len(marked[o.Text]) >= len(readers) && len(marked[o.Text]) > 0 {
			right = append(right, o.Letter)
		}
	}
	t := d.gold(q, strings.Join(right, ", "))
	type chain struct {
		reader string
		answer review.Answer
	}
	var chains []chain
	for _, reader := range readers {
		a := review.Answer{Question: q.ID, Parse: review.ParseOK, Steps: []review.Step{}}
		var letters []string
		for _, r := range byReader[reader] {
			class := r.text("class_name")
			step := w.step(r, 1, len(a.Steps)+1, class, nil, sheet)
			if n, ok := numbersOf(r, "x_min", "y_min", "x_max", "y_max"); ok && sheet.known() {
				region, why := sheet.region(string(step.ID)+"-r1", n, class)
				if why != "" {
					w.note(r, "x_min", "%s; left out", why)
				} else {
					step.Regions = append(step.Regions, region)
					region.ID = review.RegionID("e" + itoa(len(t.Evidence)+1))
					if 2*len(marked[class]) >= len(readers) {
						t.Evidence = append(t.Evidence, region)
					}
				}
			}
			a.Steps = append(a.Steps, step)
			if letter, parse := q.Read(class); parse == review.ParseOK && !slices.Contains(letters, letter) {
				letters = append(letters, letter)
			}
		}
		slices.Sort(letters)
		answer := strings.Join(letters, ", ")
		a.Answer = &answer
		chains = append(chains, chain{reader, a})
	}
	h := d.done(id)
	for _, c := range chains {
		w.chain(byReader[c.reader][0], h.c, made{model: c.reader}, c.answer)
	}
}

// manyOptions makes options of up to fifty-two texts: A to Z, then AA, AB, …
func manyOptions(texts []string) []review.Option {
	out := []review.Option{}
	for i, t := range texts[:min(len(texts), 52)] {
		letter := string(rune('A' + i%26))
		if i >= 26 {
			letter = "A" + letter
		}
		out = append(out, review.Option{Letter: letter, Text: t})
	}
	if len(out) < 2 {
		return []review.Option{}
	}
	return out
}

// radFactFormat reads RadFact's pairs of phrases: what was said is a chain, what is right its truth. Boxes are fractions of the picture.
func radFactFormat() format {
	return format{
		Format: Format{Name: "radfact", Title: "RadFact", Cluster: "image", Files: []Shape{{"*.json", []string{"prediction[{text, boxes[{x_min,y_min,x_max,y_max}] | null}]", "target[…]"}}},
			Note: "RadFact names no pictures: a table of id (the number of the record) and image gives them."},
		licence: licence("MIT", "https://github.com/microsoft/RadFact", true),
		asks:    true,
		needs:   [][]string{{"prediction", "target"}},
		never:   []string{"question", "index", "uid"},
		open:    plainly(radFact),
	}
}

type phrase struct {
	Text  string `json:"text"`
	Boxes []struct {
		X0 *float64 `json:"x_min"`
		Y0 *float64 `json:"y_min"`
		X1 *float64 `json:"x_max"`
		Y1 *float64 `json:"y_max"`
	} `json:"boxes"`
}

func radFact(w *work, r row) {
	var predicted, target []phrase
	if !r.into("prediction", &predicted) || !r.into("target", &target) {
		w.note(r, "prediction", "two lists of phrases expected")
		return
	}
	id := r.key("id")
	if id == "" {
		id = w.serial()
	}
	d := w.draft(r, id, "radfact", id)
	image := review.ImageID("i1")
	if len(d.c.Images) == 0 { // the boxes need a picture, even one that is not here
		d.image("radfact-"+id+".png", "")
	}
	q := d.ask("q", "findings", "What is seen?", nil)
	sheet := unitSheet(image, "xyxy")
	var texts []string
	var boxes [][]review.Region
	place := func(list []phrase, note func(row, string, string, ...any)) {
		texts, boxes = nil, nil
		for i, p := range list[:min(len(list), maxSteps)] {
			var regions []review.Region
			for j, b := range p.Boxes[:min(len(p.Boxes), maxBoxes)] {
				if b.X0 == nil || b.Y0 == nil || b.X1 == nil || b.Y1 == nil {
					note(r, "boxes", "phrase %d: four numbers of a box expected", i+1)
					continue
				}
				region, why := sheet.region("e"+itoa(i+1)+"-"+itoa(j+1), [4]float64{*b.X0, *b.Y0, *b.X1, *b.Y1}, "")
				if why != "" {
					note(r, "boxes", "phrase %d: %s", i+1, why)
					continue
				}
				regions = append(regions, region)
			}
			texts, boxes = append(texts, trimmed(p.Text)), append(boxes, regions)
		}
	}
	place(target, w.hide)
	t := d.gold(q, strings.Join(texts, " "))
	for _, b := range boxes {
		t.Evidence = append(t.Evidence, b...)
	}
	h := d.done(id)
	place(predicted, w.note)
	whole := strings.Join(texts, " ")
	a := review.Answer{Question: q.ID, Answer: &whole, Parse: review.ParseOK, Steps: []review.Step{}}
	if whole == "" {
		a.Answer, a.Parse = nil, review.Empty
	}
	for i, text := range texts {
		s := w.step(r, 1, i+1, text, nil, sheet)
		s.Regions = append(s.Regions, boxes[i]...)
		a.Steps = append(a.Steps, s)
	}
	w.chain(r, h.c, made{}, a)
}
