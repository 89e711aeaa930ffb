package export

import (
	"cmp"

	"plumbline/backend/review"
)

// marked is a region with what it is said to show.
type marked struct {
	review.Region
	Source   string // gold, reader, adjudicated or model
	Reader   string // the code; "" for others
	Chain    review.ChainID
	Question review.QuestionID
	Step     review.StepID
	What     string // look, step, missed or truth
	Class    string // what it shows: its label, else the category or stage of its question
	Text     string // of the step, or of what was missed
	Support  review.Support
	Rubric   string
}

// regions lists every region of a case that counts: of the right answers, of readers (the adjudicated ones where there are any), and of models.
func (c *Case) regions() []marked {
	var out []marked
	class := func(r review.Region, id review.QuestionID) string {
		q, _ := c.Question(id)
		return cmp.Or(r.Label, q.Category, q.Stage, "region")
	}
	add := func(m marked, regions []review.Region) {
		for _, r := range regions {
			m.Region, m.Class = r, class(r, m.Question)
			out = append(out, m)
		}
	}
	for _, q := range c.asked() {
		add(marked{Source: fromGold, Question: q.ID, What: "truth"}, c.Truth[q.ID].Evidence)
	}
	settled := map[[3]string]bool{}
	for _, e := range c.Final {
		a := e.Body.Adjudication
		m := marked{Source: fromAdjudicated, Chain: e.Chain, Rubric: rubricOf(e.Rubric)}
		settled[[3]string{string(a.On), string(e.Chain), a.Part}] = true
		c.spread(m, a.Body(), add)
	}
	for _, s := range c.Said {
		part := ""
		switch b := s.Body; {
		case b.Look != nil:
			part = string(b.Look.Question)
		case b.Rating != nil:
			part = string(b.Rating.Step)
		}
		if !s.Counts || settled[[3]string{string(s.Kind), string(s.Chain), part}] {
			continue
		}
		c.spread(marked{Source: "reader", Reader: string(s.Reader), Chain: s.Chain, Rubric: rubricOf(s.Rubric)}, s.Body, add)
	}
	for _, chain := range c.Chains {
		for _, a := range chain.Answers {
			for _, s := range a.Steps {
				m := marked{Source: fromModel, Chain: chain.ID, Question: a.Question, Step: s.ID, What: "step"}
				if s.Text != nil {
					m.Text = *s.Text
				}
				add(m, s.Regions)
			}
		}
	}
	return out
}

// spread adds the regions of what somebody said.
func (c *Case) spread(m marked, b review.Body, add func(marked, []review.Region)) {
	switch {
	case b.Look != nil:
		m.What, m.Question = "look", b.Look.Question
		add(m, b.Look.Evidence)
	case b.Rating != nil:
		m.What, m.Step, m.Support = "step", b.Rating.Step, b.Rating.Support
		for _, chain := range c.Chains {
			for _, a := range chain.Answers {
				for _, s := range a.Steps {
					if chain.ID == m.Chain && s.ID == m.Step {
						m.Question = a.Question
						if s.Text != nil {
							m.Text = *s.Text
						}
					}
				}
			}
		}
		add(m, b.Rating.Evidence)
	case b.ChainRating != nil:
		for _, missed := range b.ChainRating.Missed {
			if missed.Region != nil {
				m.What, m.Text = "missed", missed.Text
				add(m, []review.Region{*missed.Region})
			}
		}
	}
}
