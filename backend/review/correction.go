package review

// An OwnAnswer is a correction: what the reader would have said in place of a step. It is never asked for, and signing does not wait for it.
//
// A run that goes on from here gives Answer to the later questions as the earlier answer, with Text as the reasoning that led to it; an
// export for training pairs Text with the step that it replaces. An OwnAnswer in which nothing is said takes an earlier one back.
type OwnAnswer struct {
	Question   QuestionID `json:"question"` // that the step's answer belongs to; "": filled in by the desk
	Step       StepID     `json:"step"`
	Answer     string     `json:"answer"`     // an option's letter, or text where there are no options; "": the chain's answer stands
	Text       string     `json:"text"`       // the step as the reader would have it; "": not said
	Confidence int        `json:"confidence"` // 1–3, 0: not said
	Evidence   []Region   `json:"evidence"`
}

// Empty tells whether nothing is said.
func (o OwnAnswer) Empty() bool {
	return o.Answer == "" && o.Text == "" && o.Confidence == 0 && len(o.Evidence) == 0
}
