package desk

import (
	"context"
	"slices"

	"plumbline/backend/experiment"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// Comparison is two chains of one case side by side: what was asked of a model before and under an intervention.
type Comparison struct {
	Case      string             `json:"case"`
	Hidden    bool               `json:"hidden"`  // the protocol still hides from this reader which arm is which: no origin, recipe or changed picture is told
	Arms      []Arm              `json:"arms"`    // two, in the order asked for; by their names where hidden
	Differs   []string           `json:"differs"` // the fields of the condition in which they differ
	Unfair    string             `json:"unfair"`  // why no figure compares them, in words; "": one does
	Questions []ComparedQuestion `json:"questions"`
	Stacks    []review.Stack     `json:"stacks"`  // the case's own images
	Changed   int                `json:"changed"` // questions that a model answered otherwise
}

// Arm is one chain of a comparison.
type Arm struct {
	Chain     string          `json:"chain"`
	Name      string          `json:"name"`      // "A" or "B"
	Origin    *review.Origin  `json:"origin"`    // null: not known, or hidden
	Model     string          `json:"model"`     // "" where the origin is null
	Condition string          `json:"condition"` // by its name
	Answers   []review.Answer `json:"answers"`
	Pictures  []ArmPicture    `json:"pictures"` // one for each set of images that was sent; empty: the case's own
}

// ArmPicture is a set of images as they were sent. Frame n of a stack is shown by the frame URL of the case with ?as=CHAIN&question=QUESTION.
type ArmPicture struct {
	Questions []string       `json:"questions"` // that were asked with it
	Recipe    review.Recipe  `json:"recipe"`
	Stacks    []review.Stack `json:"stacks"`
	Sent      [][]int        `json:"sent"`    // by stack: which frame of the case's image each frame is, 0-based
	Changed   [][]int        `json:"changed"` // by stack: the frames of the case's image that were changed, 0-based, ascending
	Reason    string         `json:"reason"`
}

// ComparedQuestion is one question with what both arms said to it.
type ComparedQuestion struct {
	Question review.Question `json:"question"`
	Said     []ComparedSaid  `json:"said"` // by arm
	Changed  bool            `json:"changed"`
	Overlap  *float64        `json:"overlap"` // IoU of the regions that both cite; null: one of them cites none
}

// ComparedSaid is what one arm says to a question.
type ComparedSaid struct {
	Answer    *string      `json:"answer"`
	Text      string       `json:"text"`      // of the option
	Parse     review.Parse `json:"parse"`     // "": it was not asked
	Corrected bool         `json:"corrected"` // by a reader: it was told and not asked
	Told      bool         `json:"told"`      // taken over from the chain before, and not asked again
	Target    string       `json:"target"`    // the answer that the condition points to, ""
	Right     *bool        `json:"right"`     // null: not known, or hidden
}

const compareOp = "compare chains"

// CompareChains puts two chains of a case beside each other. A reader's seat may compare the chains that it may see, without what made them;
// so may a reader of the protocol in the coordinator's seat until the protocol shows it. Faults: NotFound, Refused.
func (d *Desk) CompareChains(ctx context.Context, caseID, before, after string) (out Comparison, err error) {
	err = d.within(compareOp, func(r *room) error {
		out, err = r.compare(ctx, caseID, [2]string{before, after})
		return err
	})
	return out, err
}

func (r *room) compare(ctx context.Context, name string, chains [2]string) (Comparison, error) {
	out := Comparison{Case: name, Differs: []string{}, Questions: []ComparedQuestion{}, Arms: []Arm{}, Stacks: []review.Stack{}}
	all, err := r.listedChains(ctx, name)
	if err != nil {
		return out, err
	}
	id, err := r.caseNamed(compareOp, name)
	if err != nil {
		return out, err
	}
	made, err := r.madeChains(id)
	if err != nil {
		return out, err
	}
	all = append(slices.Clone(all), made...)
	if out.Hidden, err = r.hidesArms(ctx, name); err != nil {
		return out, err
	}
	if out.Hidden {
		slices.Sort(chains[:])
	}
	for i, c := range chains {
		at := slices.IndexFunc(all, func(v review.Chain) bool { return string(v.ID) == c })
		if at < 0 {
			return out, fault.New(fault.NotFound, compareOp, c, "the case has no such chain")
		}
		arm := Arm{Chain: c, Name: letter(i), Answers: shownAnswers(all[at]), Pictures: []ArmPicture{}}
		if !out.Hidden {
			if arm.Origin, err = r.originOf(all[at].ID); err != nil {
				return out, err
			}
			if arm.Origin != nil {
				arm.Model, arm.Condition = arm.Origin.Model.Name, arm.Origin.Condition.Name()
			}
			if arm.Pictures, err = r.armPictures(ctx, id, arm.Origin); err != nil {
				return out, err
			}
		}
		out.Arms = append(out.Arms, arm)
	}
	if a, b := out.Arms[0].Origin, out.Arms[1].Origin; a != nil && b != nil {
		out.Differs = append(out.Differs, a.Condition.Differences(b.Condition)...)
		if a.Model.Name != b.Model.Name {
			out.Unfair = "they are of two models"
		} else if err := a.Condition.Comparable(b.Condition, 1); err != nil {
			out.Unfair = err.Error()
		}
	}
	return out, r.compareQuestions(ctx, id, &out)
}

// hidesArms says whether this seat's reader may not yet know which arm is which. The coordinator who does not read may; that it was told is
// noted.
func (r *room) hidesArms(ctx context.Context, name string) (bool, error) {
	if !r.leads() {
		return true, nil
	}
	r.acting.Lock()
	p, known := r.rules.protocol.Reader(r.w.Seat.Reader)
	reads := r.rules.set && known && p.Role == review.RoleReader
	hidden := false
	var err error
	if reads {
		duty, none := r.duty(compareOp, name)
		if none == nil { // a case that is not assigned to this reader hides nothing
			var rd *reading
			if rd, err = r.reading(ctx, duty); err == nil {
				hidden, err = r.hiddenNow(ctx, rd)
			}
		}
	}
	r.acting.Unlock()
	if err != nil || hidden {
		return hidden, err
	}
	return false, r.unblind("chains with what made them")
}

// originOf gives what made a chain; nil where it is not known.
func (r *room) originOf(id review.ChainID) (*review.Origin, error) {
	o, known, err := r.runs.Origin(id)
	if err != nil || !known {
		return nil, err
	}
	return &o, nil
}

// compareQuestions sets what both arms say to each question beside each other.
func (r *room) compareQuestions(ctx context.Context, id review.CaseID, out *Comparison) error {
	r.acting.Lock()
	m, err := r.material(ctx, id)
	r.acting.Unlock()
	if err != nil {
		return err
	}
	out.Stacks = m.shown()
	gold := map[review.QuestionID]string{}
	if !out.Hidden {
		truth, _, err := r.set.Truth(ctx)
		if err != nil {
			return err
		}
		for _, t := range truth {
			if t.Case == id && t.Gold != nil {
				gold[t.Question] = *t.Gold
			}
		}
	}
	for _, q := range m.questions {
		row := ComparedQuestion{Question: q, Said: []ComparedSaid{}}
		regions := [2][]review.Region{}
		for i, arm := range out.Arms {
			said := saidOf(q, arm)
			if g, known := gold[q.ID]; known && said.Parse != "" {
				right := said.Answer != nil && q.Same(*said.Answer, g)
				said.Right = &right
			}
			row.Said, regions[i] = append(row.Said, said), cited(q.ID, arm)
		}
		a, b := row.Said[0], row.Said[1]
		if row.Changed = !sameAnswer(q, a.Answer, b.Answer); row.Changed && (a.Parse == "" && !a.Told || b.Parse == "" && !b.Told) {
			row.Changed = false // one of them was not asked
		}
		if row.Changed && !a.Corrected && !b.Corrected { // what a reader said is no answer of a model
			out.Changed++
		}
		row.Overlap = overlapOf(regions[0], regions[1])
		out.Questions = append(out.Questions, row)
	}
	return nil
}

// saidOf gives what an arm says to a question, or was told of it.
func saidOf(q review.Question, arm Arm) ComparedSaid {
	var out ComparedSaid
	if at := slices.IndexFunc(arm.Answers, func(a review.Answer) bool { return a.Question == q.ID }); at >= 0 {
		out.Answer, out.Parse = arm.Answers[at].Answer, arm.Answers[at].Parse
	}
	if o := arm.Origin; o != nil {
		out.Target = o.Targets[q.ID]
		if at := slices.IndexFunc(o.Told, func(t review.ToldAnswer) bool { return t.Question == q.ID }); at >= 0 {
			t := o.Told[at]
			out.Told, out.Corrected = true, t.Corrected
			if t.Answer != "" {
				out.Answer = &t.Answer
			}
		}
	}
	if out.Answer != nil {
		for _, o := range q.Options {
			if o.Letter == *out.Answer {
				out.Text = o.Text
			}
		}
	}
	return out
}

func sameAnswer(q review.Question, a, b *string) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return q.Same(*a, *b)
}

// cited gives the regions of an arm's steps to a question.
func cited(q review.QuestionID, arm Arm) []review.Region {
	var out []review.Region
	for _, a := range arm.Answers {
		if a.Question == q {
			for _, s := range a.Steps {
				out = append(out, s.Regions...)
			}
		}
	}
	return out
}

// armPictures makes the images that a chain was made with, one for each recipe.
func (r *room) armPictures(ctx context.Context, id review.CaseID, o *review.Origin) ([]ArmPicture, error) {
	out := []ArmPicture{}
	if o == nil {
		return out, nil
	}
	for _, recipe := range o.Recipes {
		if recipe.Image == "original" && o.Condition.Cue == "" && o.Condition.Volume == "" && o.Condition.Window == "" && o.Condition.Slices == "" {
			continue // the case's own
		}
		p := ArmPicture{Questions: []string{}, Recipe: recipe, Stacks: []review.Stack{}, Sent: [][]int{}, Changed: [][]int{}}
		for _, q := range recipe.Questions {
			p.Questions = append(p.Questions, string(q))
		}
		if err := r.fillPicture(ctx, id, o, recipe, &p); err != nil {
			return out, err
		}
		out = append(out, p)
	}
	return out, nil
}

// fillPicture adds the stacks of a recipe, or the reason why there are none.
func (r *room) fillPicture(ctx context.Context, id review.CaseID, o *review.Origin, recipe review.Recipe, p *ArmPicture) error {
	if len(recipe.Questions) == 0 {
		return nil
	}
	from := id
	if recipe.Donor != "" {
		from = recipe.Donor
	}
	stacks, _, err := r.set.Stacks(ctx, from)
	if err != nil {
		return err
	}
	shown := false
	for k, stack := range stacks {
		v, err := r.changedView(ctx, o.Chain, sightOf(id, o, recipe, recipe.Questions[0], k))
		switch {
		case fault.KindOf(err) == fault.NotFound:
			p.Reason = err.Error()
		case err != nil:
			return err
		default:
			shown = true
		}
		stack.Frames = list(v.Frames)
		p.Stacks, p.Sent, p.Changed = append(p.Stacks, stack), append(p.Sent, list(v.Sent)), append(p.Changed, list(v.Recipe.Frames))
	}
	if !shown {
		p.Stacks, p.Sent, p.Changed = []review.Stack{}, [][]int{}, [][]int{}
	}
	return nil
}

func sightOf(id review.CaseID, o *review.Origin, recipe review.Recipe, q review.QuestionID, image int) experiment.Sight {
	return experiment.Sight{Case: id, Question: q, Condition: o.Condition, Seed: o.Seed, Donor: recipe.Donor, Image: image, Regions: recipe.Regions}
}

// overlapOf is the IoU of what two arms cite.
func overlapOf(a, b []review.Region) *float64 {
	e := stats.Overlap(a, b)
	if !e.Estimable {
		return nil
	}
	return &e.Value
}
