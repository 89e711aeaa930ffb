package report

import "plumbline/backend/review"

// Schema is that of report.json.
const Schema = "plumbline/report/1"

// Document is the whole report; its JSON is report.json.
type Document struct {
	Schema      string       `json:"schema"`
	Name        string       `json:"name"` // of the dataset
	Version     string       `json:"version"`
	At          string       `json:"at"`
	Synthetic   bool         `json:"synthetic"`
	Seed        uint64       `json:"seed"`
	Resamples   int          `json:"resamples"`
	Filter      Filter       `json:"filter"`      // what was left in
	Choices     Filter       `json:"choices"`     // all that could be filtered by
	Models      []Model      `json:"models"`      // one for each model and run, under the original condition where there is one
	Comparisons []Comparison `json:"comparisons"` // of models; Holm within each kind
	Splits      []Split      `json:"splits"`      // the same by held-out split, where one was given
	Agreement   []Agreement  `json:"agreement"`
	Overturns   []Overturn   `json:"overturns"` // by adjudication; none where nobody decided
	Readers     []Reader     `json:"readers"`
	Data        Data         `json:"data"`
	Notes       []string     `json:"notes"`     // what was left out, and why
	Methods     []string     `json:"methods"`   // paragraphs
	Checklist   []Item       `json:"checklist"` // what reporting guidelines ask for
}

// Number is one number with all that says how far to trust it. What is missing is null.
type Number struct {
	Definition string    `json:"definition"` // its number and name in measurement.md
	Value      *float64  `json:"value"`
	N          int       `json:"n"` // rows
	Patients   int       `json:"patients"`
	Images     int       `json:"images"`
	Variants   int       `json:"variants"`
	Clusters   int       `json:"clusters"`
	DEFF       *float64  `json:"deff"`
	NEff       *float64  `json:"n_eff"`
	Interval   []float64 `json:"interval"` // [low, high] of 95 %, or null
	Method     string    `json:"method,omitempty"`
	Estimable  bool      `json:"estimable"`
	Reason     string    `json:"reason,omitempty"` // why there is no value, or no interval
}

// StageNumber is a number of one stage.
type StageNumber struct {
	K    int    `json:"k"`
	Name string `json:"name"`
	Number
}

// Model is one model under one condition.
type Model struct {
	Model        string    `json:"model"`
	Provider     string    `json:"provider"`
	Revision     string    `json:"revision"`
	Profile      string    `json:"profile"`
	Key          string    `json:"key"` // names this entry within the report
	Run          string    `json:"run"` // that made the chains; "" for those that came with the study
	Condition    string    `json:"condition"`
	Chains       int       `json:"chains"`
	Seeds        []int64   `json:"seeds"`
	Temperatures []float64 `json:"temperatures"`

	Accuracy       Accuracy    `json:"accuracy"`
	GroundingHuman Grounding   `json:"grounding_human"`
	GroundingFinal Grounding   `json:"grounding_final"` // by final values of adjudication, where an item has one
	Labels         Labels      `json:"labels"`
	Conditions     []Condition `json:"conditions"` // the others that this model was run under

	Origin          Origin        `json:"origin"`
	GroundingCausal Causal        `json:"grounding_causal"`
	ImageReliance   ImageReliance `json:"image_reliance"`
	Mediation       Mediation     `json:"mediation"`
	Cues            Cues          `json:"cues"`
	Consistency     Consistency   `json:"consistency"`
	Text            Text          `json:"text"`
	Context         Context       `json:"context"`
	Localisation    Localisation  `json:"localisation"`
	Calibration     Calibration   `json:"calibration"`
}

// Accuracy holds formulas 1 to 7. A question that the chain does not answer, or not readably, counts as wrong; Parse says how often.
type Accuracy struct {
	Stages               []StageNumber `json:"stages" def:"1 stage accuracy"`
	Chain                Number        `json:"chain" def:"2 chain accuracy"`
	Prefix               []StageNumber `json:"prefix" def:"3 prefix survival"`
	GivenRight           []StageNumber `json:"given_parents_right" def:"4 right, all parents right"`
	GivenWrong           []StageNumber `json:"given_parent_wrong" def:"4 right, some parent wrong"`
	Difference           []StageNumber `json:"difference" def:"4 difference of the two"`
	Lift                 Number        `json:"lift" def:"5 lift"`
	FirstError           []StageNumber `json:"first_error" def:"6 first-error stage"` // share of chains whose first wrong stage this is; the rest is Chain
	FinalRightWrongChain Number        `json:"final_right_wrong_chain" def:"7 final right with a wrong chain"`
	Parse                []Count       `json:"parse"`
}

// Grounding is what readers said the image carries. One row is one rating of one step by one reader; "not visual" and "cannot assess" are none.
type Grounding struct {
	Strict  Number           `json:"strict" def:"grounded, strict"`   // supported
	Lenient Number           `json:"lenient" def:"grounded, lenient"` // supported or partly
	Stages  []GroundingStage `json:"stages"`
	RWR     Number           `json:"rwr_human" def:"23 right for the wrong reason, by readers"` // right for the wrong reason: formula 23
	Ratings int              `json:"ratings"`
	Steps   int              `json:"steps"` // rated by anybody
	Of      int              `json:"of"`    // steps in all
	Readers int              `json:"readers"`
}

// GroundingStage is grounding at one stage.
type GroundingStage struct {
	K       int    `json:"k"`
	Name    string `json:"name"`
	Strict  Number `json:"strict" def:"grounded, strict"`
	Lenient Number `json:"lenient" def:"grounded, lenient"`
}

// Count is how often a label was given.
type Count struct {
	Label string `json:"label"`
	N     int    `json:"n"`
}

// Labels counts every label of signed readings; every level of the rubric is listed, even when unused.
type Labels struct {
	Support       []Count `json:"support"`
	Error         []Count `json:"error"`
	BuildsOnError []Count `json:"builds_on_error"`
	Significance  []Count `json:"significance"`
	ModelPlace    []Count `json:"model_place"`
	Confidence    []Count `json:"confidence"`
	CueAck        []Count `json:"cue_ack"`
	Reason        []Count `json:"cannot_assess_reason"`
	Answer        []Count `json:"answer"` // of whole chains, like those below
	Radpeer       []Count `json:"radpeer"`
	Follows       []Count `json:"follows"`
	ImageAlone    []Count `json:"image_alone"`
	NeedsMore     []Count `json:"needs_more"`
	Missed        []Count `json:"missed"` // findings that chains do not mention, by significance
	StepRatings   int     `json:"step_ratings"`
	ChainRatings  int     `json:"chain_ratings"`
}

// Reader is one row of the table of readers.
type Reader struct {
	Reader       string  `json:"reader"`
	Assigned     int     `json:"assigned"` // every case with something to say of it, where nothing was handed out
	Signed       int     `json:"signed"`
	Looks        int     `json:"looks"`
	Ratings      int     `json:"ratings"`
	ChainRatings int     `json:"chain_ratings"`
	Revisions    int     `json:"revisions"` // answers that replace an earlier one
	LookAccuracy Number  `json:"look_accuracy" def:"accuracy of a reader before any chain is seen"`
	Support      []Count `json:"support"`
}

// Data says what the study is made of.
type Data struct {
	Cases      int    `json:"cases"`
	Patients   int    `json:"patients"`
	Images     int    `json:"images"`
	Variants   int    `json:"variants"`
	Frames     int    `json:"frames"`
	Clusters   int    `json:"clusters"`
	ClusterKey string `json:"cluster_key"`
	Chains     int    `json:"chains"`
	Questions  int    `json:"questions"`
	Gold       int    `json:"gold"` // questions with a known right answer
	Signed     int    `json:"signed"`
	Unsigned   int    `json:"unsigned"` // readings begun and not signed
}

// Item is one item of a reporting guideline and what the study says to it.
type Item struct {
	Topic   string   `json:"topic"`
	Follows string   `json:"follows"` // CLAIM, STARD-AI, DECIDE-AI
	Says    []string `json:"says"`
}

// Input is all that a report is computed from.
type Input struct {
	Dataset review.Dataset
	Cases   []review.Case
	Chains  []review.Chain
	Origins []review.Origin
	// Each hands over every chain with what made it, nil where that is not known, in place of Chains and Origins: none of them is kept, so that a
	// study may have more than memory holds. Chains of one case follow each other. It is called once, and once more for each part of a split.
	Each      func(take func(*review.Chain, *review.Origin) error) error
	Truth     []review.Truth
	Clusters  map[review.CaseID]string // a case without one is a cluster of its own
	Frames    int
	Events    []review.Event
	Synthetic bool
	Version   string // of the program
	At        string // now, RFC 3339 UTC
	Seed      uint64
	Resamples int                      // of the bootstrap; 0: 2,000
	Agreement []Agreement              // of the same readings
	Overturns []Overturn               // of what people decided
	Splits    map[review.CaseID]string // of a held-out split, by case; none: the report is not split
	Filter    Filter                   // what the report is about; the zero value is everything
	Protocol  review.Protocol          // of the readers; the zero value where there is none
	Training  []review.CaseID          // cases read for practice: what was said of them counts nowhere
	Rubric    review.Rubric            // that the study asks by; without a name GRD v1. What was said under another version is left out
}
