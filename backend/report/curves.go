package report

import (
	"fmt"
	"html/template"
	"strings"
)

// The size of a panel with axes from 0 to 1.
const (
	panelWide, panelTall = 250.0, 176.0
	panelLeft, panelTop  = 30.0, 30.0
	panelBottom          = 150.0
)

// axes draws one panel at a place.
func (d *drawing) axes(place int, title, x, y string) (at func(v float64) float64, up func(v float64) float64) {
	left := float64(place)*(panelWide+24) + panelLeft
	right := left + panelWide - panelLeft
	at = func(v float64) float64 { return left + (right-left)*v }
	up = func(v float64) float64 { return panelBottom - (panelBottom-panelTop)*min(1, max(0, v)) }
	d.text(left, 14, "start", "title", title)
	for i, name := range []string{"0", ".5", "1"} {
		v := float64(i) / 2
		d.line(left, up(v), right, up(v), "grid")
		d.text(left-5, up(v)+4, "end", "", name)
	}
	d.line(left, panelTop, left, panelBottom, "axis")
	d.line(left, panelBottom, right, panelBottom, "axis")
	if x != "" {
		d.text((left+right)/2, panelBottom+26, "middle", "faint", x)
	}
	if y != "" {
		d.text(left+4, panelTop-4, "start", "faint", y)
	}
	return at, up
}

// stageCurves draws a model along the stages in three panels that are never blended: accuracy, grounding by readers, grounding by intervention.
func stageCurves(m Model) template.HTML {
	d := &drawing{width: 3*(panelWide+24) - 20, height: panelTall + 22}
	var strict, lenient []StageNumber
	for _, g := range m.GroundingHuman.Stages {
		strict, lenient = append(strict, StageNumber{g.K, g.Name, g.Strict}), append(lenient, StageNumber{g.K, g.Name, g.Lenient})
	}
	var words []string
	for i, p := range []struct {
		title, dashes string
		solid, dashed []StageNumber
	}{
		{"Accuracy", "dashed: all right so far", m.Accuracy.Stages, m.Accuracy.Prefix},
		{"Grounding, by readers", "dashed: supported only", lenient, strict},
		{"Grounding, by intervention", "", m.GroundingCausal.Stages, nil},
	} {
		at, up := d.axes(i, p.title, p.dashes, "")
		d.stages(i, p.solid, at, up)
		d.joined(p.solid, at, up, hue(i), "")
		d.joined(p.dashed, at, up, hue(i), "4 3")
		words = append(words, p.title+":")
		for _, s := range p.solid {
			words = append(words, stageName(s.K, s.Name)+" "+spoken(s.Number)+";")
		}
	}
	return d.done(m.Model+" along the stages", strings.Join(words, " "))
}

// place gives where along the axis a stage stands.
func placeOf(i, n int) float64 { return (float64(i) + .5) / float64(max(1, n)) }

// stages draws the marks with their intervals, and the names below.
func (d *drawing) stages(look int, list []StageNumber, at, up func(float64) float64) {
	any := false
	for i, s := range list {
		x := at(placeOf(i, len(list)))
		first, _, _ := strings.Cut(stageName(s.K, s.Name), " ")
		d.text(x, panelBottom+13, "middle", "", first)
		if s.Value == nil {
			continue
		}
		any = true
		if len(s.Interval) == 2 {
			d.line(x, up(s.Interval[0]), x, up(s.Interval[1]), "bar")
		}
		d.mark(look, x, up(*s.Value))
	}
	if !any {
		why := "no stage"
		if len(list) > 0 {
			why = list[0].Reason
		}
		d.text(at(.04), up(.72), "start", "faint", "not estimable:")
		for i, part := range wrapped(why, 38) {
			d.text(at(.04), up(.72)+14*float64(i+1), "start", "faint", part)
		}
	}
}

// wrapped cuts words into at most four lines.
func wrapped(s string, wide int) (out []string) {
	line := ""
	for _, w := range strings.Fields(s) {
		if line != "" && len([]rune(line))+1+len([]rune(w)) > wide {
			out = append(out, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + shortenedTo(w, wide))
	}
	out = append(out, line)
	if len(out) > 4 {
		out = append(out[:3], out[3]+" …")
	}
	return out
}

// joined draws a line through neighbouring stages that have a value; a gap stays a gap.
func (d *drawing) joined(list []StageNumber, at, up func(float64) float64, colour, dashes string) {
	var points []string
	flush := func() {
		if len(points) > 1 {
			d.f(`<polyline points="%s" fill="none" stroke="%s" stroke-width="1.6" stroke-dasharray="%s"/>`, strings.Join(points, " "), colour, dashes)
		}
		points = nil
	}
	for i, s := range list {
		if s.Value == nil {
			flush()
			continue
		}
		points = append(points, fmt.Sprintf("%.1f,%.1f", at(placeOf(i, len(list))), up(*s.Value)))
	}
	flush()
}

// calibrated draws reliability and risk over coverage of a model.
func calibrated(m Model) template.HTML {
	d := &drawing{width: 2*(panelWide+24) - 20, height: panelTall + 10}
	var words []string
	at, up := d.axes(0, "Reliability", "confidence", "accuracy")
	d.line(at(0), up(0), at(1), up(1), "grid")
	for _, b := range m.Calibration.Bins {
		if b.Confidence != nil && b.Accuracy != nil {
			d.mark(0, at(*b.Confidence), up(*b.Accuracy))
			words = append(words, fmt.Sprintf("confidence %s, accuracy %s of %d;", digits(*b.Confidence, 2), digits(*b.Accuracy, 2), b.N))
		}
	}
	at, up = d.axes(1, "Risk over coverage", "coverage, most confident first", "share wrong")
	var points []string
	for _, p := range m.Calibration.Curve {
		points = append(points, fmt.Sprintf("%.1f,%.1f", at(p.Coverage), up(p.Risk)))
	}
	d.f(`<polyline points="%s" fill="none" stroke="%s" stroke-width="1.6"/>`, strings.Join(points, " "), hue(1))
	if n := len(m.Calibration.Curve); n > 0 {
		last := m.Calibration.Curve[n-1]
		words = append(words, fmt.Sprintf("risk at full coverage %s, AURC %s.", digits(last.Risk, 2), spoken(m.Calibration.AURC)))
	}
	return d.done("Calibration of "+m.Model, strings.Join(words, " "))
}
