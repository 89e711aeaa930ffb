package formats

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"

	"plumbline/backend/review"
)

// gemexSide is the side of the square to which GEMeX brings every picture, whatever its shape; its boxes are pixels of that.
const gemexSide = 336

// geMeXFormat reads GEMeX's test lines and training rows. The report of the film (ori_report) is never read.
func geMeXFormat() format {
	return format{
		Format: Format{Name: "gemex", Title: "GEMeX", Cluster: "patient", Files: []Shape{
			{"*.jsonl (test)", []string{"question", "choices[]", "type", "answer", "reason", "visual_regions[]", "visual_locations[[x1,y1,x2,y2]]", "image_path", "q_id", "row_id"}},
			{"*.json (training)", []string{"conversations[{from,value}]", "row_id", "q_type", "type_prompt", "image"}},
		}, Note: "GEMeX: boxes count pixels of a picture of 336 × 336; reports (ori_report) are left out."},
		licence: credentialed("GEMeX (images and reports of MIMIC-CXR)"),
		needs:   [][]string{{"question", "answer", "visual_locations", "image_path"}, {"conversations", "row_id", "q_type", "image"}},
		open:    plainly(geMeX),
	}
}

// thinkVGFormat reads GEMeX-ThinkVG: the reasoning with its boxes is a chain under the name reference.
func thinkVGFormat() format {
	return format{
		Format: Format{Name: "gemex-thinkvg", Title: "GEMeX-ThinkVG", Cluster: "patient", Files: []Shape{{"*.jsonl, *.parquet", []string{"image_path", "question", "question_type", "thinkVG",
			"response", "split"}}}, Note: "GEMeX-ThinkVG: boxes count pixels of a picture of 336 × 336."},
		licence: credentialed("GEMeX-ThinkVG (images of MIMIC-CXR)"),
		needs:   [][]string{{"question", "thinkvg", "response"}},
		open:    plainly(thinkVG),
	}
}

// mimicPath finds patient and study in a path of MIMIC-CXR: p10/p10000001/s50000001/….jpg.
var mimicPath = regexp.MustCompile(`(?:^|/)p(\d{8})/s(\d{8})/`)

// mimic says whose picture it is, by its path.
func (d *draft) mimic(image string) {
	if m := mimicPath.FindStringSubmatch(image); m != nil {
		d.patient("p"+m[1], "s"+m[2])
	}
}

func gemexSheet(image review.ImageID) sheetOf {
	return sheetOf{image, review.BoxConvention{Space: review.SpacePixels}, gemexSide, gemexSide}
}

func geMeX(w *work, r row) {
	if r.has("conversations") {
		geMeXTraining(w, r)
		return
	}
	id := r.text("q_id")
	if id == "" {
		id = r.key("row_id")
	}
	d := w.draft(r, id, "gemex", id)
	d.mimic(r.text("image_path"))
	sheet := gemexSheet(d.image(r.text("image_path"), "DX"))
	d.c.Language = "en"
	opts := letteredOptions(r.list("choices"))
	answers := r.list("answer")
	if len(opts) == 0 && len(answers) == 1 {
		opts = yesNo(answers[0])
	}
	q := d.ask("q", r.text("type"), r.text("question"), opts)
	t := d.gold(q, strings.Join(answers, ", "))
	var boxes []json.RawMessage
	r.into("visual_locations", &boxes)
	d.evidence(t, sheet, "visual_locations", boxes, r.list("visual_regions"))
	h := d.done(id)
	if reason := r.text("reason"); reason != "" && t.Gold != nil {
		w.chain(r, h.c, made{model: reference}, review.Answer{Question: q.ID, Answer: t.Gold, Parse: review.ParseOK, Steps: w.steps(r, 1, reason, sheet)})
	}
}

// evidence adds boxes to what is right.
func (d *draft) evidence(t *review.Truth, sheet sheetOf, field string, boxes []json.RawMessage, names []string) {
	for i, raw := range boxes {
		n, ok := number4(raw)
		if !ok {
			d.w.hide(d.r, field, "four numbers of a box expected, found %s", shorten(string(raw)))
			continue
		}
		label := ""
		if i < len(names) {
			label = names[i]
		}
		region, why := sheet.region("e"+itoa(len(t.Evidence)+1), n, label)
		if why != "" {
			d.w.hide(d.r, field, "%s", why)
			continue
		}
		t.Evidence = append(t.Evidence, region)
	}
	if len(t.Evidence) > 0 && t.Present == nil {
		present := true
		t.Present = &present
	}
}

// vgResponse is the answer of ThinkVG, and vgPlaces the places in it.
var (
	vgResponse = regexp.MustCompile(`(?s)<answer>(.*?)</answer>`)
	vgPlaces   = regexp.MustCompile(`(?s)<ref>(.*?)</ref>|<box>(.*?)</box>`)
)

// response takes an answer of ThinkVG apart.
func response(text string) (answer string, boxes []json.RawMessage, names []string) {
	if m := vgResponse.FindStringSubmatch(text); m != nil {
		answer = strings.TrimSpace(m[1])
	}
	name := ""
	for _, m := range vgPlaces.FindAllStringSubmatch(text, maxBoxes) {
		if m[1] != "" {
			name = trimmed(m[1])
			continue
		}
		b, err := json.Marshal(m[2])
		if err == nil {
			boxes, names = append(boxes, b), append(names, name)
		}
	}
	return answer, boxes, names
}

func thinkVG(w *work, r row) {
	image := pictureOf(r, "image_path")
	if image == "" {
		image = pictureOf(r, "image")
	}
	name := strings.TrimSuffix(path.Base(image), path.Ext(image)) + "-" + digest(r.text("question"), r.text("thinkvg"))[:6]
	d := w.draft(r, name, "thinkvg", name)
	d.mimic(image)
	sheet := gemexSheet(d.image(image, "DX"))
	d.c.Language = "en"
	answer, boxes, names := response(r.text("response"))
	question, opts := embeddedOptions(r.text("question"))
	q := d.ask("q", r.text("question_type"), question, opts)
	t := d.gold(q, answer)
	d.evidence(t, sheet, "response", boxes, names)
	h := d.done(name)
	if thought := r.text("thinkvg"); thought != "" {
		w.chain(r, h.c, made{model: reference}, w.reply(r, 1, said{q: q, text: thought + "\n" + answer, answer: answer, reasoning: "", sheet: sheet, steps: w.steps(r, 1, thought, sheet)}))
	}
}

// geMeXTraining reads a row of the training set, with the response of ThinkVG.
func geMeXTraining(w *work, r row) {
	var turns []turnOf
	if !r.into("conversations", &turns) || len(turns) < 2 {
		w.note(r, "conversations", "a question and an answer expected")
		return
	}
	id := r.text("row_id")
	d := w.draft(r, id, "gemex", id)
	d.mimic(r.text("image"))
	sheet := gemexSheet(d.image(r.text("image"), "DX"))
	text := strings.TrimSpace(strings.ReplaceAll(turns[0].Value, "<image>", ""))
	text, opts := embeddedOptions(text)
	answer, boxes, names := response(turns[1].Value)
	if answer == "" {
		answer = turns[1].Value
	}
	if len(opts) == 0 {
		opts = yesNo(answer)
	}
	q := d.ask("q", r.text("q_type"), text, opts)
	t := d.gold(q, answer)
	d.evidence(t, sheet, "conversations[1].value", boxes, names)
	d.done(id)
}
