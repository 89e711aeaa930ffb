package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strconv"
	"strings"
)

//go:embed report.html.tmpl
var page string

// HTML writes a report as one page that needs nothing else: no script, no font, no picture from elsewhere. Every text in it is escaped.
func HTML(d Document) ([]byte, error) {
	t, err := template.New("report").Funcs(template.FuncMap{
		"value": Value, "interval": Interval, "base": base, "figure": figure, "stage": stageName, "list": func(l ...any) []any { return l }, "share": share, "total": total, "agreement": agreementTables, "few": few,
	}).Parse(page)
	if err != nil {
		return nil, fmt.Errorf("page of the report: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, d); err != nil {
		return nil, fmt.Errorf("page of the report: %w", err)
	}
	return b.Bytes(), nil
}

// Value writes a number with two digits for people, or that there is none.
func Value(n Number) string {
	if n.Value == nil {
		return "not estimable"
	}
	return digits(*n.Value, 2)
}

func digits(v float64, n int) string {
	s := strconv.FormatFloat(v, 'f', n, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return strings.Replace(s, "-", "−", 1)
}

// Interval writes the interval of a number for people, or why there is none.
func Interval(n Number) string {
	switch {
	case len(n.Interval) == 2 && n.Method != "" && strings.Contains(n.Method, "few clusters"):
		return digits(n.Interval[0], 2) + " – " + digits(n.Interval[1], 2) + " (few clusters)"
	case len(n.Interval) == 2:
		return digits(n.Interval[0], 2) + " – " + digits(n.Interval[1], 2)
	}
	return n.Reason
}

// base writes what a number stands on.
func base(n Number) string {
	s := fmt.Sprintf("n %d · %s · %s", n.N, plural(n.Patients, "patient"), plural(n.Images, "image"))
	if n.Variants > 0 {
		s += fmt.Sprintf(" (%d derived)", n.Variants)
	}
	s += " · " + plural(n.Clusters, "cluster")
	if n.DEFF != nil && n.NEff != nil {
		s += " · design effect " + digits(*n.DEFF, 2) + " · n eff " + digits(*n.NEff, 1)
	}
	return s
}

func total(counts []Count) (n int) {
	for _, c := range counts {
		n += c.N
	}
	return n
}

// share is the width of a bar, in percent.
func share(n, of int) string {
	if of == 0 {
		return "0"
	}
	return strconv.FormatFloat(100*float64(n)/float64(of), 'f', 1, 64)
}

// panel is one of the two pictures of a stage curve, in units of its drawing.
type panel struct {
	Title, Legend string
	X             float64
	Empty         string
	Ticks         []tick
	Lines         []line
	Marks         []dot
	Bars          []bar
}

type tick struct {
	X           float64
	Text, Under string
}

type line struct {
	Points string
	Dashed bool
}

type dot struct {
	X, Y   float64
	Square bool
}

type bar struct{ X, Low, High float64 }

// The size of a panel.
const (
	panelLeft, panelTop   = 34.0, 34.0
	panelWide, panelTall  = 300.0, 150.0
	panelStep, panelInset = 410.0, 26.0
)

// figure draws a model's stages: accuracy and grounding in two panels, never in one.
func figure(m Model) []panel {
	var strict, lenient []StageNumber
	for _, g := range m.GroundingHuman.Stages {
		strict = append(strict, StageNumber{g.K, g.Name, g.Strict})
		lenient = append(lenient, StageNumber{g.K, g.Name, g.Lenient})
	}
	return []panel{
		draw(0, "Accuracy: were the answers right?", "● at this stage, with 95 % interval; dashed: all answers so far", m.Accuracy.Stages, m.Accuracy.Prefix, false),
		draw(1, "Grounding by readers: did the image carry them?", "■ supported or partly, with 95 % interval; dashed: supported", lenient, strict, true),
	}
}

func draw(place int, title, legend string, solid, dashed []StageNumber, square bool) panel {
	p := panel{Title: title, Legend: legend, X: float64(place) * panelStep}
	at := func(i int) float64 {
		if len(solid) < 2 {
			return panelLeft + panelWide/2
		}
		return panelLeft + panelInset + (panelWide-2*panelInset)*float64(i)/float64(len(solid)-1)
	}
	up := func(v float64) float64 { return panelTop + panelTall*(1-v) }
	for i, s := range solid {
		first, rest, _ := strings.Cut(stageName(s.K, s.Name), " ")
		p.Ticks = append(p.Ticks, tick{at(i), first, shortened(rest)})
		if s.Value == nil {
			continue
		}
		p.Marks = append(p.Marks, dot{at(i), up(*s.Value), square})
		if len(s.Interval) == 2 {
			p.Bars = append(p.Bars, bar{at(i), up(s.Interval[0]), up(s.Interval[1])})
		}
	}
	p.Lines = append(joined(solid, at, up, false), joined(dashed, at, up, true)...)
	if len(p.Marks) == 0 {
		p.Empty = "no stage"
		if len(solid) > 0 {
			p.Empty = solid[0].Reason
		}
	}
	return p
}

// stageName names a stage with its number, once: packs may or may not write it into the name.
func stageName(k int, name string) string {
	number := "S" + strconv.Itoa(k)
	switch {
	case name == "":
		return number
	case strings.HasPrefix(name, number):
		return name
	}
	return number + " " + name
}

// shortened keeps a name from touching its neighbour.
func shortened(s string) string {
	const longest = 16
	name := []rune(s)
	if len(name) > longest {
		name = append(name[:longest-1], '…')
	}
	return string(name)
}

// joined draws a line through neighbouring stages that have a value; a gap stays a gap.
func joined(stages []StageNumber, at func(int) float64, up func(float64) float64, dashed bool) []line {
	var out []line
	var points []string
	flush := func() {
		if len(points) > 1 {
			out = append(out, line{strings.Join(points, " "), dashed})
		}
		points = nil
	}
	for i, s := range stages {
		if s.Value == nil {
			flush()
			continue
		}
		points = append(points, fmt.Sprintf("%.1f,%.1f", at(i), up(*s.Value)))
	}
	flush()
	return out
}
