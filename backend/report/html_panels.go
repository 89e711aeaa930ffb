package report

import (
	"fmt"
	"strings"
)

// Entry names a model in tables and figures: its run and condition where they say something.
func Entry(m Model) string {
	s := m.Model
	if m.Condition != "original" && m.Condition != "" {
		s += " · " + m.Condition
	}
	if m.Run != "" {
		s += " · run " + shortRun(m.Run)
	}
	return s
}

// shortRun is enough of a run's name to tell it from others; the whole stands in the methods.
func shortRun(run string) string { return shortenedTo(strings.TrimPrefix(run, "run-"), 9) }

// firstErrors gives the bars of formula 6: the share of each stage is its count.
func firstErrors(d Document) (out []barRow) {
	for _, m := range d.Models {
		r := barRow{Name: Entry(m)}
		for _, s := range m.Accuracy.FirstError {
			r.Parts = append(r.Parts, Count{stageName(s.K, s.Name), times(s.Number)})
		}
		r.Parts = append(r.Parts, Count{"no error", times(m.Accuracy.Chain)})
		out = append(out, r)
	}
	return out
}

// times is how many rows of a share are 1.
func times(n Number) int {
	if n.Value == nil {
		return 0
	}
	return int(*n.Value*float64(n.N) + .5)
}

// wrongOrigins gives the bars of where wrong answers come from, in all and at each stage of a model.
func wrongOrigins(m Model) (out []barRow) {
	wrong := func(name string, counts []Count) {
		r := barRow{Name: name}
		for _, c := range counts {
			if c.Label != "correct" && c.Label != "correct_despite_wrong_earlier" {
				r.Parts = append(r.Parts, c)
			}
		}
		out = append(out, r)
	}
	wrong("all stages", m.Origin.Counts)
	for _, s := range m.Origin.Stages {
		wrong(stageName(s.K, s.Name), s.Counts)
	}
	return out
}

// relianceRows gives the forest of image reliance.
func relianceRows(m Model) []forestRow {
	r := m.ImageReliance
	out := []forestRow{
		{Name: "noise floor: flips when nothing changes", Number: r.Noise.Number}, {Name: "evidence covered, answers held", Number: r.OccFlip.Number}, {Name: "control covered, answers held", Number: r.CtlFlip.Number},
		{Name: "net necessity, direct", Number: r.NetNecessity.Number}, {Name: "net necessity, total", Number: r.NetTotal.Number}, {Name: "carried through the chain", Number: r.Carried},
		{Name: "net sufficiency", Number: r.NetSufficiency.Number}, {Name: "comprehensiveness", Number: r.Comprehensive}, {Name: "sufficiency drop (ERASER)", Number: r.SufficiencyDrop},
		{Name: "blank rate: same answer without the image", Number: r.BlankRate}, {Name: "image gain in accuracy", Number: r.ImageGain},
		{Name: "swap-follow", Number: r.SwapFollow}, {Name: "swap-follow, answers held", Number: r.SwapFollowHeld}, {Name: "mirror-follow", Number: r.MirrorFollow},
		{Name: "insert-follow: negatives with a finding put in", Number: r.InsertFollow},
	}
	for _, s := range r.ByStage {
		if s.NetNecessity.N > 0 {
			out = append(out, forestRow{Name: "net necessity, direct, " + stageName(s.K, s.Name), Number: s.NetNecessity.Number})
		}
	}
	for _, f := range r.ByFill {
		out = append(out, forestRow{Name: "net necessity, direct, fill " + f.Fill, Number: f.NetNecessity.Number})
	}
	return out
}

// effectRows gives the forest of the 2×2; its stages stand in a table.
func effectRows(m Model) []forestRow {
	effects := func(e Effects) []forestRow {
		return []forestRow{{Name: "TE total", Number: e.TE}, {Name: "NDE direct", Number: e.NDE}, {Name: "NIE through earlier answers", Number: e.NIE},
			{Name: "PNIE", Number: e.PNIE}, {Name: "TNDE", Number: e.TNDE}, {Name: "INT interaction", Number: e.INT}}
	}
	out := effects(m.Mediation.Effects)
	if m.Mediation.Probability.TE.Value != nil {
		out = append(append(out, forestRow{Name: "with p(gold)", Head: true}), effects(m.Mediation.Probability)...)
	}
	return out
}

// cueRows gives the forest of following cues.
func cueRows(m Model) (out []forestRow) {
	for _, c := range m.Cues.Rows {
		out = append(out, forestRow{Name: c.Condition, Number: c.Follow})
	}
	return append(out, forestRow{Name: "guess index", Number: m.Cues.Guess})
}

// placeRows gives the forest of localisation.
func placeRows(m Model) []forestRow {
	l := m.Localisation
	return []forestRow{{Name: "IoU", Number: l.IoU}, {Name: "mIoU, matched", Number: l.MeanIoU}, {Name: "Acc@.5", Number: l.Half}, {Name: "pointing game", Number: l.Pointing},
		{Name: "pixel precision", Number: l.Precision}, {Name: "spatially entailed", Number: l.Entailed}, {Name: "wrong side", Number: l.WrongSide}, {Name: "frame-range Dice", Number: l.Frames}}
}

// originRows gives the forest of runs that are told earlier answers.
func originRows(m Model) []forestRow {
	o := m.Origin
	out := []forestRow{{Name: "inherited share", Number: o.Inherited}, {Name: "gold gain", Number: o.GoldGain}, {Name: "corrupt-follow", Number: o.CorruptFollow}, {Name: "resistance", Number: o.Resistance}, {Name: "recovery", Number: o.Recovery}}
	for _, k := range o.CorruptKinds {
		out = append(out, forestRow{Name: "corrupt-follow, " + k.Name, Number: k.Number})
	}
	return out
}

// contextRows gives the forest of context counterfactuals.
func contextRows(m Model) (out []forestRow) {
	for _, r := range m.Context.Rows {
		out = append(out, forestRow{Name: r.Condition, Head: true}, forestRow{Name: "sensitivity", Number: r.Sensitivity}, forestRow{Name: "directionality", Number: r.Directionality}, forestRow{Name: "invariance violations", Number: r.Violations})
	}
	for _, n := range m.Context.Monotonicity {
		out = append(out, forestRow{Name: "monotonicity in " + n.Name, Number: n.Number})
	}
	return out
}

// textRows gives the forest of early answering.
func textRows(m Model) (out []forestRow) {
	for _, s := range m.Text.Early {
		out = append(out, forestRow{Name: "same answer " + s.Name, Number: s.Number})
	}
	out = append(out, forestRow{Name: "area over the curve", Number: m.Text.AOC})
	for _, f := range m.Text.Flips {
		out = append(out, forestRow{Name: "flip net of noop, " + f.Name, Number: f.Number})
	}
	for _, c := range m.Text.Confident {
		out = append(out, forestRow{Name: c.Condition, Head: true}, forestRow{Name: "length of the reasoning, of the whole", Number: c.Length},
			forestRow{Name: "ended early", Number: c.Ended}, forestRow{Name: "accuracy, less that of the whole", Number: c.Accuracy})
	}
	return out
}

// quadrantRows gives the bars of consistency.
func quadrantRows(d Document) (out []barRow) {
	for _, m := range d.Models {
		if m.Consistency.Estimable {
			out = append(out, barRow{Entry(m), m.Consistency.Quadrants})
		}
	}
	return out
}

// classRows gives the bars of what the 2×2 says of each answer.
func classRows(m Model) (out []barRow) {
	out = append(out, barRow{"all testable questions", m.Mediation.Classes})
	for _, s := range m.Mediation.Stages {
		if total(s.Classes) > 0 {
			out = append(out, barRow{stageName(s.K, s.Name), s.Classes})
		}
	}
	return out
}

// testable says of how many questions reliance was tested.
func testable(t Testable) string {
	s := fmt.Sprintf("%d of %d questions testable", t.N, t.Of)
	for _, c := range t.Not {
		s += fmt.Sprintf("; %d: %s", c.N, c.Label)
	}
	return s
}

// anyCross says whether one of the 2×2 of a model counts anything.
func anyCross(m Model) bool {
	c := m.GroundingCausal
	return c.RightGrounded.N != [2][2]int{} || c.RightHuman.N != [2][2]int{} || c.Human.N != [2][2]int{}
}

// pOf writes a p.
func pOf(p *float64) string {
	switch {
	case p == nil:
		return "–"
	case *p < .001:
		return "< 0.001"
	}
	return digits(*p, 3)
}
