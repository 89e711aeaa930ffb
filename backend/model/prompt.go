package model

import (
	"fmt"
	"strconv"
	"strings"
)

// Prompt holds what a question's prompt says; Text writes it. Empty parts are left out.
type Prompt struct {
	Geometry Geometry
	Context  string   // the card: age, sex, history
	Earlier  []string // earlier questions with their answers, one a line
	// Reasoning is what the model is given back of its own reasoning, changed; Continue says what to do with it.
	Reasoning []string
	Continue  string
	Cue       string // a hint, right or wrong
	Stage     string
	Question  string
	Options   []Option
}

// Option is one answer to choose.
type Option struct{ Letter, Text string }

// Geometry says in what size and window the images are sent.
type Geometry struct {
	Images        int
	PixelMM       float64 // 0: not known, or not the same in all images
	BetweenMM     float64 // of frames that follow each other; 0: not known, or none do
	Center, Width float64 // of the display window; a width of 0: none is told
}

// Common keeps of what is said of some images what holds for other ones too. How many there are is not changed.
func (g Geometry) Common(o Geometry) Geometry {
	if g.PixelMM != o.PixelMM {
		g.PixelMM = 0
	}
	if g.BetweenMM != o.BetweenMM {
		g.BetweenMM = 0
	}
	if g.Center != o.Center || g.Width != o.Width {
		g.Center, g.Width = 0, 0
	}
	return g
}

// The lines that open the parts of a prompt: a control model finds its part by them.
const (
	imagesLine   = "Images: "
	contextLine  = "Patient: "
	earlierLine  = "Earlier answers:"
	cueLine      = "Hint: "
	questionLine = "Question"

	reasoningLine = "Reasoning so far:"
	formLine      = `Answer with JSON only: {"steps":[{"text":…,"type":…,"places":[{"from":…,"to":…,"box":[x0,y0,x1,y1]}]}],"answer":"<letter>"}`
)

// Text writes the prompt.
func (p Prompt) Text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if g := p.Geometry; g.Images > 0 {
		s := imagesLine + fmt.Sprintf("%d in order", g.Images)
		if g.PixelMM > 0 {
			s += "; pixel " + decimal(g.PixelMM) + " mm"
		}
		if g.BetweenMM > 0 {
			s += "; distance " + decimal(g.BetweenMM) + " mm"
		}
		if g.Width > 0 {
			s += "; window centre " + decimal(g.Center) + " width " + decimal(g.Width)
		}
		line("%s.", s)
	}
	if p.Context != "" {
		line("%s%s", contextLine, p.Context)
	}
	if len(p.Earlier) > 0 {
		line(earlierLine)
		for _, e := range p.Earlier {
			line("- %s", e)
		}
	}
	if p.Cue != "" {
		line("%s%s", cueLine, p.Cue)
	}
	line("%s (%s): %s", questionLine, p.Stage, p.Question)
	for _, o := range p.Options {
		line("%s. %s", o.Letter, o.Text)
	}
	if len(p.Reasoning) > 0 {
		line(reasoningLine)
		for _, r := range p.Reasoning {
			line("> %s", r)
		}
		line("%s", p.Continue)
	}
	line(formLine)
	return b.String()
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// asked is what a control model understands of a prompt's text.
type asked struct {
	geometry Geometry
	cue      string
	stage    string
	question string
	options  []Option
}

// understand finds the parts of a prompt by the lines that open them.
func understand(text string) (asked, error) {
	var a asked
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, imagesLine):
			a.geometry = understandGeometry(strings.TrimSuffix(line[len(imagesLine):], "."))
		case strings.HasPrefix(line, cueLine):
			a.cue = line[len(cueLine):]
		case strings.HasPrefix(line, questionLine+" (") && a.question == "":
			stage, question, _ := strings.Cut(line[len(questionLine)+2:], "): ")
			a.stage, a.question = stage, question
		case a.question != "" && len(line) > 3 && line[1] == '.' && line[0] >= 'A' && line[0] <= 'Z':
			a.options = append(a.options, Option{line[:1], line[3:]})
		}
	}
	if a.question == "" || len(a.options) == 0 {
		return a, fmt.Errorf("no question with options in the prompt")
	}
	return a, nil
}

func understandGeometry(s string) Geometry {
	var g Geometry
	for part := range strings.SplitSeq(s, "; ") {
		f := strings.Fields(part)
		number := func(i int) float64 {
			if i >= len(f) {
				return 0
			}
			v, err := strconv.ParseFloat(f[i], 64)
			if err != nil {
				return 0
			}
			return v
		}
		switch {
		case strings.HasPrefix(part, "pixel"):
			g.PixelMM = number(1)
		case strings.HasPrefix(part, "distance"):
			g.BetweenMM = number(1)
		case strings.HasPrefix(part, "window"):
			g.Center, g.Width = number(2), number(4)
		default:
			g.Images = int(number(0))
		}
	}
	return g
}
