package formats

import (
	"encoding/json"
	"path"
	"strings"

	"plumbline/backend/review"
)

// sChainFormat reads S-Chain: its SV-CoT lines, and the table of its four questions and answers in sixteen languages. The set's own reasoning is
// a chain under the name reference; the languages of one picture are a group.
func sChainFormat() format {
	return format{
		Format: Format{Name: "s-chain", Title: "S-Chain (SV-CoT)", Cluster: "patient", Files: []Shape{
			{"*.jsonl", []string{"image_path", "question", "answer", "sv_cot[{step_text, evidence_bbox[x,y,w,h]}]", "language"}},
			{"*.parquet, *.csv", []string{"Q1", "A1", "Q2", "A2", "Q3", "A3", "Q4", "A4", "Bbox coordinates normalized (X, Y, W, H)", "Patient ID", "Slide", "image"}},
		}, Note: "S-Chain: research and education only."},
		licence: licence("Apache-2.0 with addenda: research and education only, no redistribution in original form", "https://github.com/leduckhai/S-Chain", false),
		asks:    true,
		needs:   [][]string{{"image_path", "sv_cot"}, {"q1", "a1", "q4", "a4"}},
		open: func(w *work) (func(row), func()) {
			met := map[string]int{} // picture and language -> questions so far
			return func(r row) { w.sChain(r, met) }, nil
		},
	}
}

// sChainStep is one step of the set's reasoning.
type sChainStep struct {
	Text string          `json:"step_text"`
	Box  json.RawMessage `json:"evidence_bbox"`
}

func (w *work) sChain(r row, met map[string]int) {
	image := pictureOf(r, "image_path")
	if image == "" {
		image = pictureOf(r, "image")
	}
	language := r.text("language")
	if language == "" {
		language = languageOf(r.file)
	}
	name := strings.TrimSuffix(path.Base(image), path.Ext(image))
	if p := r.key("patient_id"); p != "" {
		name = p + "-" + r.key("slide")
	}
	at := name + "\x00" + language
	met[at]++
	item := name
	if met[at] > 1 {
		item += "-" + itoa(met[at])
	}
	d := w.draft(r, item+"/"+language, item, language)
	d.patient(r.key("patient_id"), "")
	d.c.Language, d.c.Group = language, groupOf("s-chain", item)
	if language != "en" {
		d.c.Level = "language"
	}
	sheet := unitSheet(d.image(image, "MR"), "xywh")
	parts := w.sChainParts(r)
	var said []review.Answer
	for i, p := range parts {
		said = append(said, d.sChainQuestion(i, p, sheet))
	}
	h := d.done(item + "/" + language)
	if len(said) > 0 {
		w.chain(r, h.c, made{model: reference}, said...)
	}
}

// sChainPart is one of the four questions, with its answer and the steps that lead to it.
type sChainPart struct {
	source, text, answer string
	steps                []sChainStep
}

// sChainQuestion adds a question with its answer, and gives the set's own chain of it.
func (d *draft) sChainQuestion(i int, p sChainPart, sheet sheetOf) review.Answer {
	q := d.ask("q"+itoa(i+1), p.source, p.text, nil)
	t := d.gold(q, p.answer)
	given := p.answer
	if t.Gold != nil {
		given = *t.Gold
	}
	out := review.Answer{Question: q.ID, Answer: &given, Parse: review.ParseOK, Steps: []review.Step{}}
	for n, step := range p.steps {
		s := d.w.step(d.r, i+1, n+1, step.Text, nil, sheet)
		if len(step.Box) > 0 && string(step.Box) != "null" {
			box, ok := number4(step.Box)
			region, why := sheet.region(string(s.ID)+"-r1", box, "")
			switch {
			case !ok:
				d.w.hide(d.r, "evidence_bbox", "step %d: four numbers expected", i+1)
			case why != "":
				d.w.hide(d.r, "evidence_bbox", "step %d: %s", i+1, why)
			default:
				s.Regions = append(s.Regions, region)
				region.ID = review.RegionID("e" + itoa(len(t.Evidence)+1))
				t.Evidence = append(t.Evidence, region)
				present := true
				t.Present = &present
			}
		}
		out.Steps = append(out.Steps, s)
	}
	return out
}

// sChainParts gives the questions of a record. A chain of fewer steps than four ends with the disease; the steps beyond four lead to it.
func (w *work) sChainParts(r row) (parts []sChainPart) {
	var steps []sChainStep
	if r.into("sv_cot", &steps) {
		steps = steps[:min(len(steps), maxSteps)]
		for i, s := range steps {
			switch {
			case i == len(steps)-1 && i < 4:
				parts = append(parts, sChainPart{"4", r.text("question"), r.text("answer"), []sChainStep{s}})
			case i < 3:
				parts = append(parts, sChainPart{itoa(i + 1), "", s.Text, []sChainStep{s}})
			case i == 3:
				parts = append(parts, sChainPart{"4", r.text("question"), r.text("answer"), []sChainStep{s}})
			default:
				parts[3].steps = append(parts[3].steps, s)
			}
		}
		return parts
	}
	box := json.RawMessage{}
	if b, err := json.Marshal(r.text("bbox_coordinates_normalized_(x,_y,_w,_h)")); err == nil && len(b) > 2 {
		box = b
	}
	for i := 1; i <= 4; i++ {
		if answer := r.text("a" + itoa(i)); answer != "" {
			parts = append(parts, sChainPart{itoa(i), r.text("q" + itoa(i)), answer, []sChainStep{{answer, box}}})
		}
	}
	return parts
}

// sChainLanguages are those of the set, by the names of its files.
var sChainLanguages = map[string]string{
	"english": "en", "french": "fr", "german": "de", "japanese": "ja", "korean": "ko", "mandarin": "zh", "chinese": "zh", "portuguese": "pt", "spanish": "es", "italian": "it",
	"dutch": "nl", "russian": "ru", "arabic": "ar", "hindi": "hi", "vietnamese": "vi", "thai": "th", "indonesian": "id",
}

// languageOf finds the language that a file name says.
func languageOf(file string) string {
	lower := strings.ToLower(file)
	for _, part := range strings.FieldsFunc(lower, func(r rune) bool { return strings.ContainsRune("/_-. ", r) }) {
		if code, ok := sChainLanguages[part]; ok {
			return code
		}
		for _, code := range sChainLanguages {
			if part == code {
				return code
			}
		}
	}
	return "en"
}
