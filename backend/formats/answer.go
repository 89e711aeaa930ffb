package formats

import (
	"fmt"
	"path"
	"strings"

	"plumbline/backend/review"
)

// sheetOf is where the boxes of a text lie: in which image, in which numbers, of a picture of which size.
type sheetOf struct {
	image         review.ImageID
	boxes         review.BoxConvention
	columns, rows int
}

// known says whether boxes can be placed: pixels need the size of the picture that they count.
func (s sheetOf) known() bool {
	pixels := s.boxes.Space == review.SpacePixels || s.boxes.Space == review.SpacePadded
	return s.image != "" && (!pixels || s.columns > 0 && s.rows > 0)
}

// region makes a region of four numbers; why says what keeps them from being one.
func (s sheetOf) region(id string, n [4]float64, label string) (r review.Region, why string) {
	switch {
	case s.image == "":
		return r, "a box without a picture"
	case !s.known():
		return r, "a box in pixels of a picture whose size is not known; it is not guessed"
	}
	columns, rows := s.columns, s.rows
	if columns == 0 || rows == 0 {
		columns, rows = 1, 1 // fractions of whatever size
	}
	box, ok := s.boxes.Unit(n, columns, rows, 0)
	if !ok {
		return r, fmt.Sprintf("%v is no box (%s) of a picture of %d × %d", n, s.boxes, s.columns, s.rows)
	}
	ref := []int{}
	if s.columns > 0 {
		ref = []int{s.columns, s.rows}
	}
	return review.Region{ID: review.RegionID(id), Image: s.image, Shape: review.Box, Coords: box[:], Label: label,
		Source: &review.RegionSource{Coords: n[:], Convention: s.boxes.String(), RefSize: ref}}, ""
}

// pixelSheet gives where pixel boxes of an image of a case lie, by the size of its file.
func (w *work) pixelSheet(c review.Case, image review.ImageID, order string) sheetOf {
	s := sheetOf{image: image, boxes: review.BoxConvention{Space: review.SpacePixels, Order: order}}
	for _, m := range c.Images {
		if m.ID == image && w.Size != nil {
			if columns, rows, ok := w.Size(m.Path); ok {
				s.columns, s.rows = columns, rows
			}
		}
	}
	return s
}

// unitSheet is where boxes in fractions of the picture lie.
func unitSheet(image review.ImageID, order string) sheetOf {
	return sheetOf{image: image, boxes: review.BoxConvention{Space: review.SpaceUnit, Order: order}}
}

// said is what a model answered to one question.
type said struct {
	q         *review.Question
	answer    string // where the format gives it apart; "": it is looked for in the text
	text      string
	reasoning string
	sheet     sheetOf
	steps     []review.Step // where the format gives them; nil: the sentences of the reasoning
}

// reply reads an answer. Number is that of the question in the case, from 1.
func (w *work) reply(r row, number int, s said) review.Answer {
	a := review.Answer{Question: s.q.ID, Raw: fmt.Sprintf("%s:%d", path.Base(r.file), r.line), Parse: review.Empty, Steps: []review.Step{}}
	text, thought := thinking(s.text)
	reasoning := strings.TrimSpace(s.reasoning + "\n" + thought)
	read, before := s.answer, ""
	if read == "" {
		read, before = review.Conclusion(text)
	} else if text != read {
		before = text
	}
	switch {
	case strings.TrimSpace(text) == "" && s.answer == "":
	case review.Refuses(text):
		a.Parse = review.Declined
	default:
		if answer, parse := s.q.Read(read); parse == review.ParseOK {
			a.Answer, a.Parse = &answer, parse
		} else if a.Parse = parse; len(s.q.Options) > 0 && parse == review.Unparsed {
			if letter, ok := leadingOption(*s.q, read); ok {
				a.Answer, a.Parse = &letter, review.ParseOK
			}
		}
	}
	if a.Steps = s.steps; a.Steps == nil {
		a.Steps = w.steps(r, number, strings.TrimSpace(reasoning+"\n"+before), s.sheet)
	}
	return a
}

// leadingOption reads the answer of a text that begins with a letter and goes on: "B. The lesion …", "(B) because …".
func leadingOption(q review.Question, text string) (string, bool) {
	short := strings.TrimLeft(strings.TrimSpace(text), "(*[ ")
	for _, o := range q.Options {
		rest, ok := strings.CutPrefix(short, o.Letter)
		if ok && rest != "" && strings.ContainsAny(rest[:1], ".):*]") {
			return o.Letter, true
		}
	}
	return "", false
}

// thinking parts an answer from the reasoning before it.
func thinking(text string) (answer, reasoning string) {
	for _, tag := range []string{"think", "thinking", "reasoning"} {
		if i := strings.LastIndex(text, "</"+tag+">"); i >= 0 {
			return text[i+len(tag)+3:], strings.TrimSpace(strings.ReplaceAll(text[:i], "<"+tag+">", ""))
		}
	}
	return text, ""
}

// steps makes a step of each sentence, with the boxes that stand in it.
func (w *work) steps(r row, number int, reasoning string, sheet sheetOf) []review.Step {
	out := []review.Step{}
	for _, sentence := range review.Sentences(reasoning, maxSteps) {
		if len(out) >= maxSteps {
			w.note(r, "", "more than %d sentences of reasoning; the rest is left out", maxSteps)
			break
		}
		out = append(out, w.step(r, number, len(out)+1, sentence, review.InlineBoxes(sentence, maxBoxes), sheet))
	}
	return out
}

// step makes one step; a box that can be none is a problem and left out.
func (w *work) step(r row, number, n int, text string, boxes []review.InlineBox, sheet sheetOf) review.Step {
	id := fmt.Sprintf("s%d.%d", number, n)
	step := review.Step{ID: review.StepID(id), Regions: []review.Region{}}
	if text = trimmed(text); text != "" {
		step.Text = &text
	}
	for i, b := range boxes {
		region, why := sheet.region(fmt.Sprintf("%s-r%d", id, i+1), b.Numbers, "")
		if why != "" {
			w.note(r, "", "step %s: %s; left out", id, why)
			continue
		}
		step.Regions = append(step.Regions, region)
	}
	return step
}

// made says what made a chain.
type made struct {
	model     string
	condition review.Condition
	target    string // what a cue points to
	seconds   float64
	name      string // parts chains of one case, model and condition: an epoch
	at        string
}

// chain hands over a chain of answers to a case.
func (w *work) chain(r row, c review.Case, m made, answers ...review.Answer) review.ChainID {
	if m.model == "" {
		m.model = w.modelName()
	}
	id := review.ChainID("c-" + digest(r.file, string(c.ID), m.model, m.condition.Name(), m.condition.CueTarget, m.name)[:16])
	for n := 2; w.chains[id]; n++ {
		id = review.ChainID(fmt.Sprintf("c-%s", digest(r.file, string(c.ID), m.model, m.condition.Name(), m.name, fmt.Sprint(n))[:16]))
	}
	w.chains[id] = true
	chain := review.Chain{Schema: review.ChainSchema, ID: id, Case: c.ID, ImageDigests: []review.Digest{}, Started: m.at, Seconds: m.seconds, Answers: answers}
	chain.Digest = review.ChainDigest(chain)
	origin := review.Origin{Schema: review.OriginSchema, Chain: id, Model: review.ModelInfo{Name: m.model, Provider: w.format.Name}, Condition: m.condition}
	if m.target != "" {
		origin.Targets = map[review.QuestionID]string{}
		for _, a := range answers {
			origin.Targets[a.Question] = m.target
		}
	}
	if w.sink.Chain != nil {
		w.sink.Chain(chain, origin, r.place())
	}
	return id
}

// modelName gives whose answers a file holds, by its name where nothing else says it.
func (w *work) modelName() string {
	if w.model != "" {
		return w.model
	}
	return strings.TrimSuffix(path.Base(w.file), path.Ext(w.file))
}

// reference is the name under which a set's own reasoning stands among the models: it is no model's.
const reference = "reference"
