package report_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/report"
	"plumbline/backend/review"
)

// arm adds a chain of the model's run under a condition with an answer a stage: "A" to "D", "-" unparsed, "?" abstained, "!" refused, "_" empty.
// Targets name what the condition points to, by question.
func (s *study) arm(t *testing.T, condition string, of int, answers string, targets map[review.QuestionID]string) *study {
	t.Helper()
	c, err := review.ParseCondition(condition)
	if err != nil {
		t.Fatal(err)
	}
	s.chain("m", of, strings.NewReplacer("?", "-", "!", "-", "_", "-").Replace(answers))
	chain, origin := &s.Chains[len(s.Chains)-1], &s.Origins[len(s.Origins)-1]
	chain.ID += review.ChainID("/" + condition)
	chain.Digest = review.Digest("sha256:" + string(chain.ID))
	for i, a := range answers {
		if p, is := map[rune]review.Parse{'?': review.Abstained, '!': review.Declined, '_': review.Empty}[a]; is {
			chain.Answers[i].Parse = p
		}
	}
	origin.Chain, origin.Condition, origin.Run, origin.Targets = chain.ID, c, "r1", targets
	return s
}

// causalStudy is a study of n cases whose questions all assert something in a small place.
func causalStudy(n int) *study {
	s := newStudy(n)
	yes := true
	for i := range s.Truth {
		s.Truth[i].Present = &yes
		s.Truth[i].Evidence = []review.Region{{Image: "i", Shape: review.Box, Coords: []float64{.1, .1, .3, .3}}}
	}
	for i := range s.Cases {
		for k := range s.Cases[i].Questions {
			s.Cases[i].Questions[k].Options = []review.Option{{Letter: "A", Text: "left"}, {Letter: "B", Text: "right"}, {Letter: "C", Text: "both"}, {Letter: "D", Text: "none"}}
		}
	}
	return s
}

func counts(list []report.Count) map[string]int {
	out := map[string]int{}
	for _, c := range list {
		if c.N > 0 {
			out[c.Label] = c.N
		}
	}
	return out
}

func only(t *testing.T, s *study) report.Model {
	t.Helper()
	d := s.make(t)
	if len(d.Models) != 1 {
		t.Fatalf("%d models", len(d.Models))
	}
	noNull(t, d)
	return d.Models[0]
}

// By hand, formulas 8, 9, 12: gold AAA throughout. own ABB: q1 right, q2 new, q3 after a wrong parent; told the right answers it says A.
func TestOriginByHand(t *testing.T) {
	s := causalStudy(3)
	s.arm(t, "original", 0, "ABB", nil).arm(t, "gold", 0, "ABA", nil).arm(t, "noop", 0, "ABB", nil)
	s.arm(t, "original", 1, "BAB", nil).arm(t, "gold", 1, "AAB", nil).arm(t, "noop", 1, "BAB", nil)
	s.arm(t, "original", 2, "BBB", nil).arm(t, "gold", 2, "AAA", nil).arm(t, "noop", 2, "BCA", nil)
	o := only(t, s).Origin
	want := map[string]int{"correct": 1, "new": 3, "inherited": 1, "correct_despite_wrong_earlier": 1, "wrong_both": 1, "undetermined": 2}
	if got := counts(o.Counts); len(got) != len(want) || slices.ContainsFunc(slices.Collect(keysOf(want)), func(k string) bool { return got[k] != want[k] }) {
		t.Errorf("origins %v, want %v", got, want)
	}
	is(t, "inherited share", o.Inherited, 1.0/5, 5)
	is(t, "gold gain", o.GoldGain, (7.0-2)/9, 9)
	is(t, "recovery", o.Recovery, 1.0/5, 5)
}

func keysOf(m map[string]int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// Formulas 10 and 11 by hand: of four implied answers two are followed, one of which the baseline gave already.
func TestCorruptionByHand(t *testing.T) {
	s := causalStudy(2)
	s.arm(t, "original", 0, "AAA", nil).arm(t, "gold", 0, "AAB", nil).arm(t, "corrupt-side", 0, "ABB", map[review.QuestionID]string{"q2": "B", "q3": "B"})
	s.arm(t, "original", 1, "AAA", nil).arm(t, "gold", 1, "AAA", nil).arm(t, "corrupt-side", 1, "AAA", map[review.QuestionID]string{"q2": "B", "q3": "B"})
	o := only(t, s).Origin
	is(t, "corrupt-follow", o.CorruptFollow, 1.0/4, 4)
	is(t, "resistance", o.Resistance, 2.0/3, 3)
	if len(o.CorruptKinds) != 1 || o.CorruptKinds[0].Name != "side" {
		t.Errorf("kinds %+v", o.CorruptKinds)
	}
}

// Formulas 13 to 15, 17 and 20 by hand, with abstained, refused and unreadable answers.
func TestImageRelianceByHand(t *testing.T) {
	s := causalStudy(2)
	for _, a := range []struct {
		condition, first, second string
	}{
		{"original", "AAA", "AAB"},
		{"noop", "AAB", "AAB"},
		{"occ/remove+given:orig", "BAB", "?!-"},
		{"ctl/remove+given:orig", "ABA", "AAB"},
		{"occ/remove", "BBB", "BBA"},
		{"ctl/remove", "AAA", "AAB"},
		{"only", "AAB", "AAB"},
		{"onlyctl", "BBB", "BBB"},
		{"none", "ABB", "CCB"},
	} {
		s.arm(t, a.condition, 0, a.first, nil).arm(t, a.condition, 1, a.second, nil)
	}
	m := only(t, s)
	r := m.ImageReliance
	if r.Testable.N != 6 || r.Testable.Of != 6 {
		t.Fatalf("testable %+v", r.Testable)
	}
	is(t, "noise", r.Noise.Number, 1.0/6, 6)
	is(t, "N direct", r.NetNecessity.Number, (1.0-1+1+1+1)/5, 5) // the unreadable answer is left out
	if r.NetNecessity.Abstained != 2 || r.NetNecessity.Unreadable != 1 || math.Abs(*r.NetNecessity.Low-3.0/6) > 1e-9 || math.Abs(*r.NetNecessity.High-4.0/6) > 1e-9 {
		t.Errorf("extremes %+v %v %v", r.NetNecessity, *r.NetNecessity.Low, *r.NetNecessity.High)
	}
	is(t, "N total", r.NetTotal.Number, 6.0/6, 6)
	is(t, "carried", r.Carried, (0.0+2+0+0+0)/5, 5)
	is(t, "S", r.NetSufficiency.Number, (1.0+1+0+1+1+0)/6, 6)
	is(t, "blank rate", r.BlankRate, 2.0/6, 6)
	is(t, "image gain", r.ImageGain, (5.0-1)/6, 6)
	// grounded: case 0 q1 (q2: control flips; q3: noop flips), case 1 q1 and q2; q3 cannot be read.
	is(t, "grounded", m.GroundingCausal.Share, 3.0/5, 5)
	is(t, "right for the wrong reason", m.GroundingCausal.RWR, 2.0/5, 5)
	if m.GroundingCausal.RightGrounded.N != [2][2]int{{3, 2}, {0, 0}} {
		t.Errorf("2×2 %+v", m.GroundingCausal.RightGrounded)
	}
	if len(r.ByFill) != 1 || r.ByFill[0].Fill != "remove" {
		t.Errorf("fills %+v", r.ByFill)
	}
}

// By hand: of six questions that assert nothing one is answered with the finding already, three of the others follow it once it is put in;
// questions that assert something are left out.
func TestInsertFollowByHand(t *testing.T) {
	s := causalStudy(3)
	put := map[review.QuestionID]string{"q1": "B", "q2": "B", "q3": "B"}
	no := false
	for i := range s.Truth {
		if s.Truth[i].Case != s.Cases[2].ID {
			s.Truth[i].Present = &no
		}
	}
	s.arm(t, "original", 0, "AAB", nil).arm(t, "original", 1, "AAA", nil).arm(t, "original", 2, "AAA", nil)
	s.arm(t, "insert", 0, "BAB", put).arm(t, "insert", 1, "BB-", put).arm(t, "insert", 2, "BBB", put)
	is(t, "insert-follow", only(t, s).ImageReliance.InsertFollow, 3.0/5, 5)
	for i := range s.Origins {
		if c := &s.Origins[i].Condition; c.Image == "insert" {
			c.Fill = "insert" // as a run notes it
		}
	}
	is(t, "insert-follow with its fill", only(t, s).ImageReliance.InsertFollow, 3.0/5, 5)
}

// What cannot be tested is said why, by the first reason.
func TestNotTestable(t *testing.T) {
	s := causalStudy(1)
	no := false
	s.Truth[0].Present = &no
	s.Truth[1].Evidence = []review.Region{{Image: "i", Shape: review.WholeImage}}
	s.arm(t, "original", 0, "AAA", nil).arm(t, "occ", 0, "BBB", nil)
	r := only(t, s).ImageReliance
	want := map[string]int{"gold asserts nothing present": 1, "no local evidence": 1, "no control region": 1}
	if got := counts(r.Testable.Not); r.Testable.N != 0 || len(got) != 3 || got["no control region"] != want["no control region"] {
		t.Errorf("%+v", r.Testable)
	}
	isNot(t, "net necessity", r.NetNecessity.Number)
	if !strings.Contains(r.NetNecessity.Reason, "missing run") {
		t.Errorf("reason %q", r.NetNecessity.Reason)
	}
	s.arm(t, "ctl", 0, "AAA", nil)
	s.Origins[1].Recipes = []review.Recipe{{Image: "occ", Questions: []review.QuestionID{"q3"}, Share: .3}}
	if got := counts(only(t, s).ImageReliance.Testable.Not); got["evidence covers more than 25 % of the body"] != 1 {
		t.Errorf("large evidence: %v", got)
	}
	// Of questions that were left out the reason is that which was noted.
	s = causalStudy(1)
	s.arm(t, "original", 0, "AAA", nil).arm(t, "occ", 0, "BBB", nil).arm(t, "ctl+given:orig", 0, "AA", nil)
	s.Origins[2].LeftOut = map[review.QuestionID]string{"q3": "the evidence marks no pixel of a frame that is sent"}
	if t3 := only(t, s).ImageReliance.Testable; t3.N != 2 || counts(t3.Not)["the evidence marks no pixel of a frame that is sent"] != 1 || len(t3.Not) != 1 {
		t.Errorf("left out: %+v", t3)
	}
}

// Formulas 21 and 22 by hand: the four cells of two chains; q1 has no earlier answer.
func TestMediationByHand(t *testing.T) {
	s := causalStudy(2)
	for _, a := range []struct {
		condition, first, second string
	}{
		{"original", "AAA", "AAA"}, {"ctl", "AAA", "AAA"}, {"occ", "BBB", "ABB"}, {"occ+given:orig", "BBA", "ABB"}, {"original+given:occ", "AAB", "AAA"},
	} {
		s.arm(t, a.condition, 0, a.first, nil).arm(t, a.condition, 1, a.second, nil)
	}
	m := only(t, s).Mediation
	is(t, "TE", m.TE, 5.0/6, 6)
	is(t, "NDE", m.NDE, 4.0/6, 6)
	is(t, "NIE", m.NIE, 1.0/6, 6)
	is(t, "PNIE", m.PNIE, 1.0/6, 6)
	is(t, "TNDE", m.TNDE, 4.0/6, 6)
	is(t, "INT", m.INT, 0, 6)
	if got := counts(m.Classes); got["undetermined"] != 3 || got["image_grounded"] != 2 || got["chain_mediated"] != 1 {
		t.Errorf("classes %v", got)
	}
	isNot(t, "with probabilities", m.Probability.TE)
}

// Formulas 25 to 31 and 33 by hand.
func TestCuesByHand(t *testing.T) {
	s := causalStudy(2)
	wrong, right := map[review.QuestionID]string{"q1": "B", "q2": "B", "q3": "B"}, map[review.QuestionID]string{"q1": "A", "q2": "A", "q3": "A"}
	for _, a := range []struct {
		condition, first, second string
		targets                  map[review.QuestionID]string
	}{
		{"original", "AAC", "ABA", nil},
		{"suggest-wrong", "BAB", "BB-", wrong},
		{"suggest-right", "AAA", "AAA", right},
		{"suggest-wrong+mitigate:evidence", "ABC", "BBA", wrong},
		{"none", "BBB", "BBA", nil},
		{"none+suggest-right", "ABA", "AAA", right},
	} {
		s.arm(t, a.condition, 0, a.first, a.targets).arm(t, a.condition, 1, a.second, a.targets)
	}
	s.read("R1", "m", 0, []review.Support{review.Supported, review.Supported, review.Supported}, true)
	for i := range s.Events { // said of the chain under the cue
		if r := s.Events[i].Body.Rating; r != nil {
			s.Events[i].Chain, s.Events[i].ChainDigest = s.Chains[2].ID, s.Chains[2].Digest
			r.CueAck = map[review.StepID]string{"s1": "none", "s2": "mentioned", "s3": "given_as_reason"}[r.Step]
		}
	}
	c := only(t, s).Cues
	at := func(condition string) report.Cue {
		for _, r := range c.Rows {
			if r.Condition == condition {
				return r
			}
		}
		t.Fatalf("%s is not among %+v", condition, c.Rows)
		return report.Cue{}
	}
	w := at("suggest-wrong")
	is(t, "follow", w.Follow, 3.0/5, 5)
	is(t, "harm", w.Harm, (4.0-1)/6, 6)
	isNot(t, "help of a wrong cue", w.Help)
	is(t, "flip", w.Flip, 3.0/4, 4)
	is(t, "correction", w.Correction, 0, 2)
	is(t, "echo, all", w.Echo, 5.0/6, 6)                    // the unreadable one among them
	is(t, "echo, mean of wrong cues", c.EchoMean, 5.0/6, 6) // with the image, without a prompt against pressure
	is(t, "echo, readable", w.EchoReadable, 4.0/5, 5)
	is(t, "acknowledged", w.Acknowledged, 1.0/2, 2)
	if w.Unreadable != 1 || w.AckByFlip.N != [2][2]int{{1, 1}, {1, 0}} {
		t.Errorf("acknowledged × flip %+v, unreadable %d", w.AckByFlip, w.Unreadable)
	}
	is(t, "help", at("suggest-right").Help, 2.0/6, 6)
	is(t, "guess index", c.Guess, (5.0-1)/6, 6)
	mitigated := c.Mitigation[0]
	is(t, "restored", mitigated.Restored, 2.0/3, 3)
	is(t, "maintained", mitigated.Maintained, 0, 1)
	is(t, "failed", mitigated.Failed, 2.0/4, 4)
}

// Formulas 34 to 36 by hand: three wordings of one question, and groups of cases that were imported.
func TestConsistencyByHand(t *testing.T) {
	s := causalStudy(1)
	for condition, answers := range map[string]string{"original": "AAB", "word:1": "AAB", "word:2": "ABB", "none": "ABA", "noop": "AAB"} {
		s.arm(t, condition, 0, answers, nil)
	}
	c := only(t, s).Consistency
	l := c.Levels[0]
	is(t, "pairs", l.Pairs, (1.0+1.0/3+1)/3, 3)
	is(t, "all same", l.AllSame, 2.0/3, 3)
	is(t, "modal", l.Modal, (1+2.0/3+1)/3, 3)
	is(t, "set accuracy", l.SetAccuracy, 1.0/3, 3)
	is(t, "entropy", l.Entropy, -(2.0/3*math.Log(2.0/3)+1.0/3*math.Log(1.0/3))/math.Log(4)/3, 3)
	isNot(t, "path", l.Path)
	if got := counts(c.Quadrants); got["dangerous"] != 1 || got["fragile"] != 1 || got["ideal"] != 1 {
		t.Errorf("quadrants %v", got)
	}
	is(t, "dangerous", c.Dangerous, 1.0/3, 3)

	grouped := causalStudy(2)
	grouped.Cases[0].Group, grouped.Cases[1].Group, grouped.Cases[1].Level = "g", "g", "semantic"
	slices.Reverse(grouped.Cases[1].Questions[0].Options) // "left" stands last: the same by its text
	grouped.arm(t, "original", 0, "AAA", nil).arm(t, "original", 1, "AAB", nil)
	level := only(t, grouped).Consistency.Levels[0]
	if level.Level != "semantic" || level.Groups != 3 {
		t.Errorf("level %+v", level)
	}
	is(t, "all same", level.AllSame, 2.0/3, 3)
}

// Formula 37 and 38 by hand.
func TestTextAndContextByHand(t *testing.T) {
	s := causalStudy(1)
	s.Truth[0].Expectation, s.Truth[1].Expectation, s.Truth[2].Expectation = "up", "invariant", "up"
	for condition, answers := range map[string]string{"original": "BAB", "noop": "BAA", "early:1": "BBB", "filler": "CAB", "context:age=30": "AAB", "context:age=60": "CBB", "context:age=90": "DAA"} {
		s.arm(t, condition, 0, answers, nil)
	}
	for i := range s.Chains {
		for k := range s.Chains[i].Answers {
			s.Chains[i].Answers[k].Steps = append(s.Chains[i].Answers[k].Steps, review.Step{ID: "more"})
		}
	}
	m := only(t, s)
	is(t, "early", m.Text.Early[0].Number, 2.0/3, 3)
	if v := m.Text.AOC.Value; v == nil || math.Abs(*v-1.0/3) > 1e-9 {
		t.Errorf("AOC %v", m.Text.AOC)
	}
	is(t, "filler, net of noop", m.Text.Flips[0].Number, 0, 3)
	for _, r := range m.Context.Rows {
		if r.Condition == "context:age=60" {
			is(t, "sensitivity", r.Sensitivity, 2.0/3, 3)
			is(t, "directionality", r.Directionality, 1.0/2, 2)
			is(t, "violations", r.Violations, 1, 1)
		}
	}
	is(t, "monotonicity", m.Context.Monotonicity[0].Number, 1.0/2, 2)
}

// Reasoning that ends once the model is sure: of 6, 6 and 3 words, 2, 6 and none are left; of three answers of which two were right, one is.
func TestConfidentByHand(t *testing.T) {
	s := causalStudy(1) // all answers are right that are A
	s.arm(t, "original", 0, "AAB", nil).arm(t, "confident:90", 0, "ABB", nil)
	say := func(chain, answer int, texts ...string) {
		a := &s.Chains[chain].Answers[answer]
		a.Steps = nil
		for _, text := range texts {
			a.Steps = append(a.Steps, review.Step{Text: &text})
		}
	}
	before := len(s.Chains) - 2
	say(before, 0, "Seen there.", "It is an effusion.")
	say(before, 1, "Seen there.", "It is an effusion.")
	say(before, 2, "It is small.")
	say(before+1, 0, "Seen there.")
	say(before+1, 1, "Seen there.", "It is an effusion.")
	say(before+1, 2)
	m := only(t, s)
	is(t, "length", m.Text.Length, 5, 3)
	if len(m.Text.Confident) != 1 || m.Text.Confident[0].Condition != "confident:90" || !m.Text.Estimable || len(m.Text.Flips) > 0 {
		t.Fatalf("%+v", m.Text)
	}
	is(t, "length left", m.Text.Confident[0].Length, 8.0/15, 3)
	is(t, "ended early", m.Text.Confident[0].Ended, 2.0/3, 3)
	is(t, "accuracy", m.Text.Confident[0].Accuracy, -1.0/3, 3)
}

// The area over the curve has an interval once there are clusters enough, and its value is that of all reasonings together.
func TestIntervalOfTheArea(t *testing.T) {
	s := causalStudy(12)
	for i := range 12 {
		s.Clusters[s.Cases[i].ID] = string(s.Cases[i].ID)
		s.arm(t, "original", i, "AAA", nil).arm(t, "early:1", i, []string{"AAA", "BAA", "BBA"}[i%3], nil)
	}
	for i := range s.Chains {
		for k := range s.Chains[i].Answers {
			s.Chains[i].Answers[k].Steps = append(s.Chains[i].Answers[k].Steps, review.Step{ID: "more"})
		}
	}
	n := only(t, s).Text.AOC
	is(t, "AOC", n, 1.0/3, 12*3)
	if len(n.Interval) != 2 || n.Interval[0] <= 0 || n.Interval[1] >= 1 || n.Clusters != 12 {
		t.Errorf("%+v", n)
	}
}

// Formula 39 by hand: one place cited right, one half beside, one on the other side.
func TestLocalisationByHand(t *testing.T) {
	s := causalStudy(1)
	s.arm(t, "original", 0, "AAA", nil)
	for i, x := range []float64{.1, .2, .8} {
		s.Truth[i].Side = "right"
		s.Chains[0].Answers[i].Steps[0].Regions = []review.Region{{Image: "i", Shape: review.Box, Coords: []float64{x, .1, x + .2, .3}}}
	}
	l := only(t, s).Localisation
	is(t, "IoU", l.IoU, (1+1.0/3+0)/3, 3)
	is(t, "mIoU", l.MeanIoU, (1+1.0/3+0)/3, 3)
	is(t, "Acc@.5", l.Half, 1.0/3, 3)
	is(t, "precision", l.Precision, 1.5/3, 3)
	is(t, "entailed", l.Entailed, 1.0/3, 3)
	is(t, "wrong side", l.WrongSide, 1.0/3, 3)
	if l.Cited != 3 || l.Of != 3 || l.Pointing.N != 3 {
		t.Errorf("%d of %d, %+v", l.Cited, l.Of, l.Pointing)
	}
}

// Formulas 16 and 40 by hand.
func TestProbabilitiesByHand(t *testing.T) {
	s := causalStudy(1)
	s.arm(t, "original", 0, "AAB", nil).arm(t, "occ+given:orig", 0, "BBB", nil).arm(t, "ctl+given:orig", 0, "AAB", nil).arm(t, "expert", 0, "ABA", nil)
	for i, p := range []float64{.9, .6, .7} {
		s.Chains[0].Answers[i].Probs = map[string]float64{*s.Chains[0].Answers[i].Answer: p, "D": 1 - p}
		s.Chains[1].Answers[i].Probs = map[string]float64{*s.Chains[0].Answers[i].Answer: p / 2, "D": 1 - p/2}
	}
	m := only(t, s)
	is(t, "comp", m.ImageReliance.Comprehensive, (.45+.3+.35)/3, 3)
	is(t, "Brier", m.Calibration.Brier, (.01+.16+.49)/3, 3)
	is(t, "ECE", m.Calibration.ECE, (.1+.4+.7)/3, 3)
	is(t, "AUROC", m.Calibration.AUROC, .5, 3)
	is(t, "AURC", m.Calibration.AURC, (0+.5+1.0/3)/3, 3)
	is(t, "expert gain", m.Calibration.Gain, 0, 3)
	is(t, "harm", m.Calibration.Harm, .5, 2)
}

// A question that a condition does not ask is not one that was answered wrongly: those before an expert's correction, and those whose reasoning
// cannot be cut.
func TestQuestionsThatAreNotAsked(t *testing.T) {
	s := causalStudy(3)
	for i, answers := range []string{"AAB", "ABB", "AAA"} {
		s.arm(t, "original", i, answers, nil)
	}
	for i, answers := range []string{"--A", "--A", "--B"} {
		s.arm(t, "expert", i, answers, nil)
		last := &s.Chains[len(s.Chains)-1]
		last.Answers = last.Answers[2:]
	}
	s.arm(t, "early:1", 0, "A--", nil)
	last := &s.Chains[len(s.Chains)-1]
	last.Answers = last.Answers[:1]
	m := only(t, s)
	is(t, "gain", m.Calibration.Gain, 1./3, 3)
	is(t, "harm", m.Calibration.Harm, 1, 1)
	for _, c := range m.Conditions {
		want := map[string][3]float64{"expert": {-1, -1, 2. / 3}, "early:1": {1, -1, -1}}[c.Condition]
		isNot(t, c.Condition+": chain accuracy", c.Chain)
		for k, v := range want {
			if n := c.Stages[k].Number; n.Estimable != (v >= 0) || n.Estimable && *n.Value != v {
				t.Errorf("%s: stage %d is %+v, want %g", c.Condition, k+1, n, v)
			}
		}
		sum := 0
		for _, n := range c.Parse {
			sum += n.N
		}
		if want := map[string]int{"expert": 3, "early:1": 1}[c.Condition]; sum != want {
			t.Errorf("%s: %d answers by what became of them, want %d: %v", c.Condition, sum, want, c.Parse)
		}
	}
	if len(m.Conditions) != 2 {
		t.Errorf("%d conditions", len(m.Conditions))
	}
}

// What a model says after an expert's correction is compared with the chain that was corrected, though another run asked for it; of several
// the latest counts, and another model's is its own entry.
func TestExpertBesideWhatWasCorrected(t *testing.T) {
	s := causalStudy(1)
	s.arm(t, "original", 0, "AAB", nil)
	parent := s.Chains[0].ID
	goOn := func(run, started, answer string) {
		s.arm(t, "expert", 0, "--"+answer, nil)
		c, o := &s.Chains[len(s.Chains)-1], &s.Origins[len(s.Origins)-1]
		c.ID += review.ChainID("/" + run)
		c.Answers, c.Started = c.Answers[2:], started
		o.Chain, o.Parent, o.Run = c.ID, parent, run
	}
	goOn("r3", "2026-01-03T10:00:00Z", "A")
	goOn("r2", "2026-01-02T10:00:00Z", "B")
	slices.Reverse(s.Chains) // what goes on stands before what it goes on from
	m := only(t, s)
	is(t, "gain", m.Calibration.Gain, 1, 1)
	goOn("r4", "2026-01-04T10:00:00Z", "B")
	s.Origins[3].Model.Revision = "2"
	if d := s.make(t); len(d.Models) != 2 {
		t.Errorf("%d entries", len(d.Models))
	}
}

// A question that was asked in its own words is no other wording of itself, and neither is one whose image is changed, too.
func TestOwnWordsAreNoVariant(t *testing.T) {
	s := causalStudy(1)
	s.arm(t, "original", 0, "AAA", nil).arm(t, "word:1", 0, "BAA", nil).arm(t, "none+word:1", 0, "BBB", nil)
	s.Origins[1].Unworded = []review.QuestionID{"q2", "q3"}
	m := only(t, s)
	if len(m.Consistency.Levels) != 1 {
		t.Fatalf("%+v", m.Consistency)
	}
	is(t, "pairs that agree", m.Consistency.Levels[0].Pairs, 0, 1)
	is(t, "all the same", m.Consistency.Levels[0].AllSame, 0, 1)
	for _, c := range m.Conditions {
		if c.Condition == "word:1" {
			is(t, "difference", c.Difference.Number, -1, 1)
		}
	}
}
