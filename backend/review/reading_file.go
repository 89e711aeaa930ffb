package review

// ReadingFile is a whole reading of one assignment as a file (plumb rate --file).
//
// A key of Steps is a step id, or "chain/step" where the step id stands in more than one chain of the assignment. Chain is for an
// assignment of one chain; Chains names each where there are several. OwnAnswers are corrections, with keys as those of Steps.
type ReadingFile struct {
	Schema     string                  `json:"schema"`
	Assignment AssignmentID            `json:"assignment"`
	Look       []Look                  `json:"look"`
	Steps      map[string]Rating       `json:"steps"`
	Chain      *ChainRating            `json:"chain,omitempty"`
	Chains     map[ChainID]ChainRating `json:"chains,omitempty"`
	OwnAnswers map[string]OwnAnswer    `json:"own_answers,omitempty"`
	Sign       bool                    `json:"sign"`
	Reason     string                  `json:"reason,omitempty"` // for a change after signing
}
