package report

import (
	"fmt"
	"strings"
)

// overview is the table of headlines: three columns, never one.
func overview(d Document) *sheet {
	g := &sheet{Label: "Overview of models", Head: "Model · run", full: true,
		Heads: []string{"Chain accuracy", "Grounding by readers: supported or partly", "Grounding by intervention, of testable questions", "Right for the wrong reason, by intervention", "Right for the wrong reason, by readers"}}
	for _, m := range d.Models {
		g.row(Entry(m), "", g.number(m.Accuracy.Chain), g.number(m.GroundingHuman.Lenient), g.number(m.GroundingCausal.Share), g.number(m.GroundingCausal.RWR), g.number(m.GroundingHuman.RWR))
	}
	return g
}

// relianceTable gives the measures of flips with both extremes of what cannot be read.
func relianceTable(m Model) *sheet {
	g := &sheet{Label: "Image reliance of " + Entry(m), Head: "Measure", Heads: []string{"Value", "If unreadable answers all spoke", "Abstained or refused", "Unreadable"}}
	r := m.ImageReliance
	for _, x := range []struct {
		name string
		Reliance
	}{{"noise floor", r.Noise}, {"net necessity, direct", r.NetNecessity}, {"net necessity, total", r.NetTotal}, {"net sufficiency", r.NetSufficiency}} {
		g.row(x.name, "", g.number(x.Number), words(few(x.Low)+" – "+few(x.High)), counting(x.Abstained), counting(x.Unreadable))
	}
	return g
}

// effectTable gives the effects of the image at each stage.
func effectTable(m Model) *sheet {
	g := &sheet{tight: true, Label: "Effects of the image at each stage, " + Entry(m), Head: "Stage", Heads: []string{"TE total", "NDE direct", "NIE through earlier answers", "PNIE", "TNDE", "INT interaction"}}
	for _, s := range m.Mediation.Stages {
		if s.TE.N > 0 {
			g.row(stageName(s.K, s.Name), "", g.number(s.TE), g.number(s.NDE), g.number(s.NIE), g.number(s.PNIE), g.number(s.TNDE), g.number(s.INT))
		}
	}
	return g
}

// cueTable gives what each cue does.
func cueTable(m Model) *sheet {
	g := &sheet{tight: true, Label: "Cues of " + Entry(m), Head: "Cue", Heads: []string{"Follows", "Harm (wrong cue) or help (right cue)", "Flips right answers", "Corrects wrong answers", "Echo, all", "Echo, readable", "Unreadable"}}
	for _, c := range m.Cues.Rows {
		side := g.number(c.Harm)
		if c.Help.N > 0 || c.Harm.N == 0 && c.Help.Value != nil {
			side = g.number(c.Help)
			side.Value += " help"
		} else if c.Harm.Value != nil {
			side.Value += " harm"
		}
		g.row(c.Condition, "", g.number(c.Follow), side, g.number(c.Flip), g.number(c.Correction), words(Value(c.Echo)), words(Value(c.EchoReadable)), counting(c.Unreadable))
	}
	if none := words("–"); m.Cues.EchoMean.Value != nil {
		g.row("mean of wrong cues", "", none, none, none, none, words(Value(m.Cues.EchoMean)), none, none)
	}
	return g
}

// saidOfCues gives what was acknowledged, and where a drawn cue drew the cited place; nothing where there is none of both.
func saidOfCues(m Model) *sheet {
	g := &sheet{tight: true, Label: "Acknowledged cues of " + Entry(m), Head: "Cue", Heads: []string{"Acknowledged, of those flipped", "Flipped: acknowledged / silent", "Not flipped: acknowledged / not", "Cites the drawn place (IoU)", "Cites the drawn side"}}
	for _, c := range m.Cues.Rows {
		n := c.AckByFlip.N
		if n != [2][2]int{} || c.Alignment.N > 0 || c.SameSide.N > 0 {
			g.row(c.Condition, "", g.number(c.Acknowledged), words(fmt.Sprint(n[0][0])+" / "+fmt.Sprint(n[0][1])), words(fmt.Sprint(n[1][0])+" / "+fmt.Sprint(n[1][1])), g.number(c.Alignment), g.number(c.SameSide))
		}
	}
	return g
}

// mitigationTable gives what prompts against pressure do.
func mitigationTable(m Model) *sheet {
	g := &sheet{Label: "Answers to pressure, " + Entry(m), Head: "Prompt against cue", Heads: []string{"Restored", "Maintained", "Failed"}}
	for _, x := range m.Cues.Mitigation {
		g.row(x.Name+" against "+x.Cue, "", g.number(x.Restored), g.number(x.Maintained), g.number(x.Failed))
	}
	return g
}

// consistencyTable gives agreement within groups of wordings.
func consistencyTable(m Model) *sheet {
	g := &sheet{tight: true, Label: "Consistency of " + Entry(m), Head: "Level", Heads: []string{"Groups", "Pairs agree", "All same", "Modal share", "All same and right", "Entropy", "Path similarity"}}
	for _, l := range m.Consistency.Levels {
		g.row(strings.TrimSpace(l.Level+" "+l.Language), "", counting(l.Groups), g.number(l.Pairs), g.number(l.AllSame), g.number(l.Modal), g.number(l.SetAccuracy), g.number(l.Entropy), g.number(l.Path))
	}
	return g
}

// calibrationTable gives the numbers of calibration over all models.
func calibrationTable(d Document) *sheet {
	g := &sheet{tight: true, Label: "Calibration", Head: "Model · run", Heads: []string{"Brier", "ECE", "AUROC", "AURC", "Trigger AUROC", "Deferred", "After the expert less before", "Harm by the expert"}}
	for _, m := range d.Models {
		c := m.Calibration
		if c.Estimable || c.Gain.N > 0 || c.Defer.Value != nil && *c.Defer.Value > 0 {
			g.row(Entry(m), "", g.number(c.Brier), g.number(c.ECE), g.number(c.AUROC), g.number(c.AURC), g.number(c.Trigger), g.number(c.Defer), g.number(c.Gain), g.number(c.Harm))
		}
	}
	return g
}

// conditionTable sets each condition of a model beside the original.
func conditionTable(m Model) *sheet {
	g := &sheet{Label: "Conditions of " + Entry(m), Head: "Condition", Heads: []string{"Chain accuracy", "Less the original, all questions", "p", "p, Holm"}}
	for _, c := range m.Conditions {
		g.row(c.Condition, strings.Join(c.Changes, ", "), g.number(c.Chain), g.number(c.Difference.Number), words(pOf(c.Difference.P)), words(pOf(c.Difference.PHolm)))
	}
	return g
}

// comparisonTable sets the models beside each other pair by pair.
func comparisonTable(d Document) *sheet {
	g := &sheet{Label: "Comparisons of models", Head: "First · second", Heads: []string{"Measure", "Difference", "p", "p, Holm", "McNemar, exact"}}
	names := map[string]string{}
	for _, m := range d.Models {
		names[m.Key] = Entry(m)
	}
	for _, c := range d.Comparisons {
		g.row(names[c.A], names[c.B], words(c.What), g.number(c.Number), words(pOf(c.P)), words(pOf(c.PHolm)), words(pOf(c.McNemar)))
	}
	return g
}

// splitTable gives the headlines within a part of a held-out split.
func splitTable(s Split) *sheet {
	g := &sheet{Label: "Models in split " + s.Name, Head: "Model · run", Heads: []string{"Chain accuracy", "Grounding, by readers", "Grounding, by intervention", "Net necessity, direct"}}
	for _, m := range s.Models {
		g.row(Entry(m), "", g.number(m.Accuracy.Chain), g.number(m.GroundingHuman.Lenient), g.number(m.GroundingCausal.Share), g.number(m.ImageReliance.NetNecessity.Number))
	}
	return g
}

// absence is a reason with those of whom it holds.
type absence struct{ Reason, Who string }

// silent lists, by reason, the models of which a part of the report says nothing.
func silent(d Document, part string) (out []absence) {
	for _, m := range d.Models {
		if p := panelOf(m, part); !p.Estimable {
			out = gather(out, Entry(m), p.Reason)
		}
	}
	return out
}

// gather files a name under its reason.
func gather(list []absence, who, reason string) []absence {
	for i := range list {
		if list[i].Reason == reason {
			list[i].Who += ", " + who
			return list
		}
	}
	return append(list, absence{reason, who})
}

// panelOf gives a part of the report by the name of its section.
func panelOf(m Model, part string) Panel {
	switch part {
	case "origin":
		return m.Origin.Panel
	case "reliance":
		return m.ImageReliance.Panel
	case "mediation":
		return m.Mediation.Panel
	case "cues":
		return m.Cues.Panel
	case "consistency":
		return m.Consistency.Panel
	case "text":
		return m.Text.Panel
	case "context":
		return m.Context.Panel
	case "places":
		return m.Localisation.Panel
	}
	return m.Calibration.Panel
}
