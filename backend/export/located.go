package export

import (
	"context"
	"fmt"
	"math"
	"strings"

	"plumbline/backend/review"
)

// evidence gives the regions on which the right answer to a question rests: as adjudicated, else as the dataset says, else as readers agree.
func (c *Case) evidence(q review.QuestionID, which Labels) ([]review.Region, Label) {
	look, label, why := c.lookLabel(q, which)
	if why == "" && label.From == fromAdjudicated && len(look.Evidence) > 0 {
		return look.Evidence, label
	}
	if t := c.Truth[q]; len(t.Evidence) > 0 {
		return t.Evidence, Label{From: fromGold}
	}
	if why == "" {
		return look.Evidence, label
	}
	return nil, Label{}
}

// union gives the box around all regions that lie in a frame, in fractions of the picture as shown; false where none is a box. A whole image
// is all of it.
func (c *Case) union(at frameAt, regions []review.Region) (b [4]float64, ok bool) {
	b = [4]float64{1, 1, 0, 0}
	for _, r := range regions {
		if !c.has(at, r) {
			continue
		}
		box, is := boxOf(r)
		if r.Shape == review.WholeImage {
			box, is = [4]float64{0, 0, 1, 1}, true
		}
		if !is {
			continue
		}
		box = turned(box, c.exifOf(r))
		b = [4]float64{min(b[0], box[0]), min(b[1], box[1]), max(b[2], box[2]), max(b[3], box[3])}
		ok = true
	}
	return b, ok
}

// visual writes S-Chain's chains with visual evidence: one from the right answers, and one from each chain that holds throughout.
type visual struct{ *samples }

type visualStep struct {
	Text string     `json:"step_text"`
	Box  [4]float64 `json:"evidence_bbox"` // x, y, width, height in fractions of the picture
}

type visualChain struct {
	Image    string       `json:"image_path"`
	Question string       `json:"question"`
	Answer   string       `json:"answer"`
	Steps    []visualStep `json:"sv_cot"`
	Language string       `json:"language"`
}

// unitVisual counts what can become such a chain.
const unitVisual = "chains of evidence"

func (w *visual) add(ctx context.Context, c *Case) error {
	if w.partOf(c) == "" {
		return w.counts.left(unitCases, string(c.ID), notListed)
	}
	asked := c.asked()
	if len(asked) == 0 {
		return w.counts.left(unitCases, string(c.ID), "no question")
	}
	rows := 0
	try := func(id string, f from, texts []string, evidence [][]review.Region, why string) error {
		written := false
		if why == "" {
			var err error
			if written, why, err = w.chain(ctx, c, f, texts, evidence); err != nil {
				return err
			}
		}
		if !written {
			return w.counts.left(unitVisual, id, why)
		}
		rows++
		w.counts.wrote(unitVisual, 1)
		return nil
	}
	texts, evidence, label, why := c.goldChain(w.Labels)
	if err := try(string(c.ID), from{Label: label}, texts, evidence, why); err != nil {
		return err
	}
	for _, chain := range c.Chains {
		texts, evidence, label, why := c.heldChain(chain, w.Labels)
		if err := try(string(chain.ID), from{Chain: chain.ID, Label: label}, texts, evidence, why); err != nil {
			return err
		}
	}
	return w.tallied(c, rows, "no chain of evidence")
}

func (w *visual) end(context.Context) error { return w.close() }

// goldChain is the chain of the right answers with their evidence.
func (c *Case) goldChain(which Labels) (texts []string, evidence [][]review.Region, l Label, why string) {
	l = Label{From: fromGold}
	for _, q := range c.asked() {
		_, text, known := c.gold(q)
		if !known {
			return nil, nil, l, "a question without a known right answer"
		}
		regions, from := c.evidence(q.ID, which)
		if from.From == fromAdjudicated {
			l = from
		}
		texts, evidence = append(texts, q.Text+" "+text), append(evidence, regions)
	}
	return texts, evidence, l, ""
}

// heldChain is a chain all of whose answers are right and all of whose steps are supported, with the readers' evidence.
func (c *Case) heldChain(chain Chain, which Labels) (texts []string, evidence [][]review.Region, l Label, why string) {
	for _, q := range c.asked() {
		a, there := chain.answer(q.ID)
		if right, _ := c.right(a); !there || !right {
			return nil, nil, l, "an answer that is not right, or not known to be"
		}
		for _, s := range a.Steps {
			r, label, missing := c.stepLabel(chain.Chain, s.ID, which)
			switch {
			case missing != "":
				return nil, nil, l, "a step without a settled label"
			case r.Support != review.Supported || s.Text == nil:
				return nil, nil, l, "a step that is not supported, or not in words"
			}
			texts, evidence = append(texts, *s.Text), append(evidence, r.Evidence)
			if l.From != fromAdjudicated {
				l = label
			}
		}
	}
	if len(texts) == 0 {
		return nil, nil, l, "no step"
	}
	return texts, evidence, l, ""
}

// chain writes one row, where every step has a box on the picture that shows them.
func (w *visual) chain(ctx context.Context, c *Case, f from, texts []string, evidence [][]review.Region) (written bool, why string, err error) {
	var local []review.Region
	for i := len(evidence) - 1; i >= 0; i-- { // the last steps show what the answer rests on
		local = append(local, evidence[i]...)
	}
	path, at, err := w.keyImage(ctx, c, local)
	if err != nil || path == "" {
		return false, "no picture", err
	}
	asked := c.asked()
	last := asked[len(asked)-1]
	_, answer, _ := c.gold(last)
	row := visualChain{Image: path, Question: last.Text, Answer: answer, Language: c.Language}
	for i, text := range texts {
		box, ok := c.union(at, evidence[i])
		if !ok {
			return false, "a step without a box on the picture", nil
		}
		row.Steps = append(row.Steps, visualStep{text, [4]float64{round4(box[0]), round4(box[1]), round4(box[2] - box[0]), round4(box[3] - box[1])}})
	}
	return true, "", w.row("svcot.jsonl", c, f, row)
}

// located writes every question with a right answer and where it is to be seen.
type located struct {
	*samples
	write func(c *Case, f from, v locatedAnswer) error
}

type locatedAnswer struct {
	image   string
	at      frameAt
	q       review.Question
	gold    string // as the option is called
	answer  string // in words
	regions []review.Region
	boxes   [][4]float64 // in fractions of the picture as shown
	names   []string
}

// unitQuestions counts questions.
const unitQuestions = "questions"

func (w *located) add(ctx context.Context, c *Case) error {
	if w.partOf(c) == "" {
		return w.counts.left(unitCases, string(c.ID), notListed)
	}
	rows := 0
	for _, q := range c.asked() {
		id := string(c.ID) + "/" + string(q.ID)
		v, label, why, err := w.place(ctx, c, q)
		if err != nil {
			return err
		}
		if why != "" {
			if err := w.counts.left(unitQuestions, id, why); err != nil {
				return err
			}
			continue
		}
		rows++
		w.counts.wrote(unitQuestions, 1)
		if err := w.write(c, from{Question: q.ID, Label: label}, v); err != nil {
			return err
		}
	}
	return w.tallied(c, rows, "no question with a right answer and its place")
}

func (w *located) end(context.Context) error { return w.close() }

// place finds out where the right answer to a question is to be seen; why says what is missing.
func (w *located) place(ctx context.Context, c *Case, q review.Question) (v locatedAnswer, l Label, why string, err error) {
	gold, text, known := c.gold(q)
	if !known {
		return v, l, "no known right answer", nil
	}
	regions, l := c.evidence(q.ID, w.Labels)
	if len(regions) == 0 {
		return v, l, "no evidence", nil
	}
	path, at, err := w.keyImage(ctx, c, regions)
	if err != nil || path == "" {
		return v, l, "no picture", err
	}
	v = locatedAnswer{image: path, at: at, q: q, gold: gold, answer: text, regions: regions}
	for _, r := range regions {
		if b, ok := c.union(at, []review.Region{r}); ok {
			v.boxes = append(v.boxes, b)
			name := r.Label
			if name == "" {
				name = strings.TrimSpace(q.Category)
			}
			v.names = append(v.names, name)
		}
	}
	if len(v.boxes) == 0 {
		return v, l, "evidence that is no box (a point, a slab, a mask), or lies on another picture", nil
	}
	return v, l, "", nil
}

// roi writes a row of MedLVR's kind: the answer with its regions of interest, [x0,y0,x1,y1] in fractions of the picture.
func (s *samples) roi(c *Case, f from, v locatedAnswer) error {
	boxes := make([][4]float64, len(v.boxes))
	for i, b := range v.boxes {
		boxes[i] = [4]float64{round4(b[0]), round4(b[1]), round4(b[2]), round4(b[3])}
	}
	return s.row("roi.jsonl", c, f, struct {
		Image    string       `json:"image"`
		Question string       `json:"question"`
		Answer   string       `json:"answer"`
		ROI      [][4]float64 `json:"roi"`
	}{v.image, c.asking(v.q), c.answering(v.q, v.gold), boxes})
}

// gemexSide is the side of the square that GEMeX brings every picture to; its boxes are pixels of that.
const gemexSide = 336

// The types of question of GEMeX, with what a question of each asks for.
var gemexTypes = map[string]string{
	"open_ended_questions":    "Answer the question, and name and locate what the answer rests on.",
	"closed_ended_questions":  "Answer yes or no, and name and locate what the answer rests on.",
	"single_choice_questions": "Choose one option, and name and locate what the choice rests on.",
	"multi_choice_questions":  "Choose all options that hold, and name and locate what the choice rests on.",
}

// gemexType tells what type a question is.
func gemexType(q review.Question, gold string) string {
	switch {
	case len(q.Options) == 0:
		return "open_ended_questions"
	case strings.ContainsAny(gold, ",;|"):
		return "multi_choice_questions"
	case len(q.Options) == 2 && yesOrNo(q.Options[0].Text) && yesOrNo(q.Options[1].Text):
		return "closed_ended_questions"
	}
	return "single_choice_questions"
}

func yesOrNo(s string) bool { return strings.EqualFold(s, "yes") || strings.EqualFold(s, "no") }

// gemex writes a row of GEMeX's training set, with the response of ThinkVG.
func (s *samples) gemex(c *Case, f from, v locatedAnswer) error {
	kind := gemexType(v.q, v.gold)
	ask := "<image>\n" + v.q.Text
	for _, o := range v.q.Options {
		ask += "\n" + o.Letter + ": " + o.Text
	}
	answer := v.gold
	if kind == "open_ended_questions" || kind == "closed_ended_questions" {
		answer = v.answer
	}
	var places strings.Builder
	for i, b := range v.boxes {
		pixel := func(f float64) int { return int(math.Round(f * gemexSide)) }
		fmt.Fprintf(&places, "<ref>%s</ref><box>[%d, %d, %d, %d]</box>", v.names[i], pixel(b[0]), pixel(b[1]), pixel(b[2]), pixel(b[3]))
	}
	response := "<response><answer>" + answer + "</answer><location>" + places.String() + "</location></response>"
	return s.row("gemex.json", c, f, struct {
		Conversations []shareTurn `json:"conversations"`
		RowID         string      `json:"row_id"`
		Type          string      `json:"q_type"`
		Prompt        string      `json:"type_prompt"`
		Image         string      `json:"image"`
	}{[]shareTurn{{"human", ask}, {"gpt", response}}, string(c.ID) + "/" + string(v.q.ID), kind, gemexTypes[kind], v.image})
}
