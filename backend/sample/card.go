package sample

import (
	"fmt"

	"plumbline/backend/phantom"
	"plumbline/backend/review"
)

// history words a hint.
func (h hint) history() string {
	switch h.kind {
	case phantom.Nodule:
		return fmt.Sprintf("Smoked for 30 years; a shadow on the %s side was mentioned elsewhere.", h.side)
	case phantom.Effusion:
		return fmt.Sprintf("Short of breath for two weeks; dull percussion on the %s side.", h.side)
	case phantom.Pneumothorax:
		return fmt.Sprintf("Sudden pain on the %s side of the chest after a fall.", h.side)
	}
	return "Check before a planned operation; no complaint of the chest."
}

// report words what an exam showed, as the report of an earlier exam.
func (e *exam) report() string {
	how := "CT of the chest"
	if e.film {
		how = "Film of the chest"
	}
	f, present := e.finding()
	switch {
	case !present:
		return how + " a year ago: nothing abnormal."
	case f.Kind == phantom.Nodule:
		return fmt.Sprintf("%s a year ago: nodule of %.0f mm in the %s lobe of the %s lung.", how, f.SizeMM, f.Lobe, f.Side)
	}
	return fmt.Sprintf("%s a year ago: %s on the %s.", how, f.Kind, f.Side)
}

// card is the context that reader and model may see.
func (e *exam) card() review.Context {
	c := review.Context{Age: fmt.Sprint(e.age), Sex: map[string]string{"F": "female", "M": "male"}[e.sex], History: e.hint.history()}
	if e.earlier != nil {
		c.EarlierReport = e.earlier.report()
	}
	return c
}

// cardText is the card as a prompt tells it.
func cardText(c review.Context) string {
	s := fmt.Sprintf("%s years, %s. %s", c.Age, c.Sex, c.History)
	if c.EarlierReport != "" {
		s += " " + c.EarlierReport
	}
	return s
}
