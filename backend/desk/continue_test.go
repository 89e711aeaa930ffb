package desk_test

import (
	"path/filepath"
	"slices"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/sample"
)

// sampleDesk is a coordinator's desk with the sample study.
func sampleDesk(t *testing.T) *desk.Desk {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "study")
	if _, err := sample.Write(t.Context(), dir, sample.DefaultSeed, review.Quiet); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, desk.Options{})
	if _, err := d.Import(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	return d
}

// ranOver has a control answer a case under a condition and gives the chain.
func ranOver(t *testing.T, d *desk.Desk, model, condition, of string) string {
	t.Helper()
	s, err := d.Run(t.Context(), desk.RunOrder{Models: []string{model}, Conditions: []string{condition}, Cases: []string{of}})
	if err != nil || s.Chains == 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	chain := ""
	err = d.EachChain(t.Context(), of, func(c desk.ListedChain) error {
		if c.Origin != nil && c.Origin.Run == s.Run && c.Origin.Condition.Image == mustCondition(t, condition).Image {
			chain = string(c.ID)
		}
		return nil
	})
	if err != nil || chain == "" {
		t.Fatalf("no chain of %s: %v", s.Run, err)
	}
	return chain
}

func mustCondition(t *testing.T, name string) review.Condition {
	t.Helper()
	c, err := review.ParseCondition(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What a reader would have said at S2 is given to the later stages, which the model answers anew; a model that reads the earlier answers
// follows, one that looks at the pixels does not.
func TestContinueFromHere(t *testing.T) {
	d := sampleDesk(t)
	const of = "case-01"
	for model, follows := range map[string]bool{"chain-copier": true, "oracle-pixels": false} {
		chain := ranOver(t, d, model, "original", of)
		before, err := d.CompareChains(t.Context(), of, chain, chain)
		if err != nil || before.Changed != 0 || before.Hidden || len(before.Differs) != 0 {
			t.Fatalf("%s beside itself: %+v, %v", model, before, err)
		}
		own := otherSide(t, before)
		after, err := d.ContinueFrom(t.Context(), desk.ContinueOrder{Case: of, Chain: chain, Own: []review.OwnAnswer{own}})
		if err != nil {
			t.Fatal(err)
		}
		origin := after.Arms[1].Origin
		if origin == nil || string(origin.Parent) != chain || origin.Condition.Given != "expert" || !slices.Equal(after.Differs, []string{"given"}) || after.Unfair != "" {
			t.Errorf("%s goes on with origin %+v, differing in %v %s", model, origin, after.Differs, after.Unfair)
		}
		changed := 0
		for _, row := range after.Questions {
			was, now := row.Said[0], row.Said[1]
			switch {
			case row.Question.ID == own.Question:
				if !now.Corrected || now.Parse != "" || *now.Answer != own.Answer {
					t.Errorf("%s: the corrected question shows %+v", model, now)
				}
			case row.Question.K <= 2:
				if !now.Told || row.Changed || now.Parse != "" {
					t.Errorf("%s: %s was asked again: %+v", model, row.Question.ID, now)
				}
			default:
				if now.Told || now.Parse == "" || was.Parse == "" {
					t.Errorf("%s: %s of a later stage: %+v", model, row.Question.ID, now)
				}
				if row.Changed {
					changed++
				}
			}
		}
		if (changed > 0) != follows {
			t.Errorf("%s: %d later answers changed", model, changed)
		}
	}
	// The report sets what was answered after the correction, a wrong one, against what was answered before, in the entry of the run before.
	doc, err := d.Report(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, m := range doc.Models {
		follows, asked := map[string]bool{"chain-copier": true, "oracle-pixels": false}[m.Model]
		if gain := m.Calibration.Gain; asked && m.Run != "" {
			if found++; !gain.Estimable || gain.N != 3 || (*gain.Value < 0) != follows || *gain.Value > 0 {
				t.Errorf("%s after the expert less before: %+v", m.Model, gain)
			}
		}
	}
	if found != 2 {
		t.Errorf("%d entries of what went on", found)
	}
}

// otherSide gives the correction of the question at S2 whose options name a side: the other one.
func otherSide(t *testing.T, c desk.Comparison) review.OwnAnswer {
	t.Helper()
	for _, row := range c.Questions {
		if row.Question.K != 2 || row.Said[0].Answer == nil || row.Question.Category != "laterality" {
			continue
		}
		for _, o := range row.Question.Options {
			if o.Letter != *row.Said[0].Answer {
				return review.OwnAnswer{Question: row.Question.ID, Answer: o.Letter, Text: "Seen at the other side."}
			}
		}
	}
	t.Fatal("no question of S2 asks for a side")
	return review.OwnAnswer{}
}

func TestContinueRefuses(t *testing.T) {
	d := sampleDesk(t)
	const of = "case-01"
	chain := ranOver(t, d, "text-only", "original", of)
	c, err := d.CompareChains(t.Context(), of, chain, chain)
	if err != nil {
		t.Fatal(err)
	}
	last := c.Questions[len(c.Questions)-1].Question.ID
	for name, v := range map[string]struct {
		order desk.ContinueOrder
		kind  fault.Kind
		words string
	}{
		"nothing corrected": {desk.ContinueOrder{Case: of, Chain: chain}, fault.Refused, "nothing in the chain was corrected"},
		"the last stage":    {desk.ContinueOrder{Case: of, Chain: chain, Own: []review.OwnAnswer{{Question: last, Answer: "A"}}}, fault.Refused, "last stage"},
		"no option":         {desk.ContinueOrder{Case: of, Chain: chain, Own: []review.OwnAnswer{{Question: "q1", Answer: "Z"}}}, fault.Invalid, "no option"},
		"no question":       {desk.ContinueOrder{Case: of, Chain: chain, Own: []review.OwnAnswer{{Question: "q99", Answer: "A"}}}, fault.Invalid, "no question"},
		"no chain":          {desk.ContinueOrder{Case: of, Chain: "ch-none"}, fault.NotFound, "no such chain"},
		"no model":          {desk.ContinueOrder{Case: of, Chain: chain, Model: "gone", Own: []review.OwnAnswer{{Question: "q1", Answer: "A"}}}, fault.NotFound, "no model"},
	} {
		_, err := d.ContinueFrom(t.Context(), v.order)
		t.Log(name)
		refused(t, err, v.kind, v.words)
	}
	if _, err := desktest.New(t).As("ann").Desk.ContinueFrom(t.Context(), desk.ContinueOrder{Case: "case-01", Chain: "x11"}); fault.KindOf(err) != fault.Refused {
		t.Errorf("in a reader's seat: %v", err)
	}
}

// The correction of a reading is taken by a run under "expert", too.
func TestRunTakesCorrections(t *testing.T) {
	d := sampleDesk(t)
	const of = "case-01"
	v, err := d.OpenCase(t.Context(), of)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range v.Case.Questions {
		if _, err := d.Look(t.Context(), v.Assignment, review.Look{Question: q.ID, Answer: "A", Confidence: 1, Evidence: []review.Region{}}); err != nil {
			t.Fatal(err)
		}
	}
	if v, err = d.OpenCase(t.Context(), of); err != nil {
		t.Fatal(err)
	}
	for _, c := range v.Chains {
		own := review.OwnAnswer{Step: c.Answers[1].Steps[0].ID, Answer: "B"}
		if _, err := d.OwnAnswer(t.Context(), v.Assignment, c.ID, own, ""); err != nil {
			t.Fatal(err)
		}
	}
	s, err := d.Run(t.Context(), desk.RunOrder{Models: []string{"oracle-pixels", "random"}, Conditions: []string{"expert"}, Cases: []string{of, "case-02"}})
	if err != nil || s.Chains != 1 || len(s.NotApplicable) != 1 || s.NotApplicable[0].Count != 3 {
		t.Errorf("%+v, %v", s, err)
	}
}

// The pictures of both arms can be seen: changed where the recipe says so, and as they are elsewhere.
func TestPicturesOfAnArm(t *testing.T) {
	d := sampleDesk(t)
	const of = "case-01"
	plain, occluded := ranOver(t, d, "text-only", "original", of), ranOver(t, d, "text-only", "occ/mean", of)
	c, err := d.CompareChains(t.Context(), of, plain, occluded)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Arms[0].Pictures) != 0 || len(c.Arms[1].Pictures) == 0 || !slices.Equal(c.Differs, []string{"image"}) {
		t.Fatalf("%d and %d pictures, differing in %v", len(c.Arms[0].Pictures), len(c.Arms[1].Pictures), c.Differs)
	}
	p := c.Arms[1].Pictures[0]
	if p.Reason != "" || len(p.Recipe.Frames) == 0 || len(p.Stacks) != 1 {
		t.Fatalf("%+v", p)
	}
	image := string(p.Stacks[0].Image)
	if len(p.Changed) != 1 || !slices.Equal(p.Changed[0], p.Recipe.Frames) {
		t.Errorf("changed by image: %v, the recipe of all %v", p.Changed, p.Recipe.Frames)
	}
	for n, at := range p.Sent[0] {
		_, now, err := d.FrameAs(t.Context(), of, image, n, occluded, p.Questions[0])
		if err != nil {
			t.Fatal(err)
		}
		_, was, err := d.Frame(t.Context(), of, image, at)
		if err != nil {
			t.Fatal(err)
		}
		if same := slices.Equal(now.Data, was.Data); same == slices.Contains(p.Recipe.Frames, at) {
			t.Errorf("frame %d is the same as before: %v; the recipe changes %v", at, same, p.Recipe.Frames)
		}
	}
	_, _, err = d.FrameAs(t.Context(), of, image, 0, plain, "q99")
	refused(t, err, fault.NotFound, "no picture")
}

// A reader sees two chains beside each other without what made them.
func TestCompareIsBlind(t *testing.T) {
	ann := desktest.New(t).As("ann")
	if _, err := ann.Desk.CompareChains(t.Context(), "case-01", "x11", "x21"); fault.KindOf(err) != fault.Refused {
		t.Errorf("before the questions are locked: %v", err)
	}
	ann.Open("case-01").LookAll()
	c, err := ann.Desk.CompareChains(t.Context(), "case-01", "x21", "x11")
	if err != nil || !c.Hidden || c.Arms[0].Origin != nil || c.Arms[0].Chain != "x11" || len(c.Differs) > 0 || c.Questions[0].Said[0].Right != nil {
		t.Errorf("%+v, %v", c, err)
	}
}
