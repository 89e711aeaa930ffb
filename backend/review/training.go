package review

// TrainingSession is the session of every training read: what bears it counts in no agreement, report or progress of the study.
const TrainingSession = "training"

// Training says where a reader stands in the training cases of the protocol.
type Training struct {
	Attempt  int  `json:"attempt"`  // from 1: each is read under assignments of its own
	Done     bool `json:"done"`     // every training case of the attempt is signed
	Right    int  `json:"right"`    // answers that are as expected
	Expected int  `json:"expected"` // answers of which the key knows what is expected
	Passed   bool `json:"passed"`   // the worklist is open
}

// A TrainingKey says what is expected of the training cases. It holds gold of these cases and of no other, so that it can lie in a reader's
// workspace (training.json) and travel in a bundle.
type TrainingKey struct {
	Schema string         `json:"schema"`
	Cases  []TrainingCase `json:"cases"`
}

// TrainingCase is what is expected of one training case.
type TrainingCase struct {
	Case  CaseID            `json:"case"`
	Looks []Truth           `json:"looks"`           // gold and evidence of its questions
	Steps []ExpectedSupport `json:"steps,omitempty"` // the grades that are expected, where the key has any
	Words string            `json:"words,omitempty"` // shown with the feedback
}

// ExpectedSupport is the grade that a step should be given.
type ExpectedSupport struct {
	Chain    ChainID   `json:"chain"`
	Step     StepID    `json:"step"`
	Supports []Support `json:"supports"` // any of these
	Words    string    `json:"words,omitempty"`
}
