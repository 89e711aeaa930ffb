package desk

import "plumbline/backend/review"

// State is where the desk stands: which workspace is open, for whom, and what the face may offer.
type State struct {
	Open         bool            `json:"open"`
	Workspace    string          `json:"workspace"` // folder
	Dataset      string          `json:"dataset"`   // folder, "" before an import
	Name         string          `json:"name"`      // of the dataset
	Synthetic    bool            `json:"synthetic"`
	Role         string          `json:"role"` // coordinator, reader, adjudicator
	Reader       string          `json:"reader"`
	Adjudication string          `json:"adjudication"`    // which of its screens there is: "": none; list: how much there is to decide; decide: an adjudicator sits here, and nothing else is shown
	Consent      bool            `json:"consent"`         // the research-use notice was accepted by this reader
	Displayed    bool            `json:"display_checked"` // by this reader, since the workspace was opened
	Cases        int             `json:"cases"`
	Signed       int             `json:"signed"`
	Assigned     int             `json:"assigned"` // reads on the worklist
	Patients     int             `json:"patients"`
	Images       int             `json:"images"`
	Clusters     int             `json:"clusters"`
	Chains       int             `json:"chains"`
	Problems     int             `json:"problems"`
	Resume       Place           `json:"resume"`
	Stages       []string        `json:"stages"`
	Training     *TrainingStands `json:"training"` // null: there is none for this reader
	Package      bool            `json:"package"`  // the work came in a package, and what is said goes back in one
	Recent       []string        `json:"recent"`   // workspaces opened before, newest first
	Version      string          `json:"version"`
}

// Place is where a reader is: case, phase, chain and step.
type Place struct {
	Case  string `json:"case"`
	Phase string `json:"phase"` // look, judge, signed
	Chain string `json:"chain"`
	Step  string `json:"step"`
}

// CaseRow is one line of the case table. It holds nothing that a reader may not see.
type CaseRow struct {
	ID         string   `json:"id"` // a case; the assignment where this reader reads a case more than once
	Patient    string   `json:"patient"`
	Modality   string   `json:"modality"`
	Images     int      `json:"images"`
	Questions  int      `json:"questions"`
	Chains     int      `json:"chains"`
	State      string   `json:"state"` // new, look, judge, signed
	Done       int      `json:"done"`  // required answers given
	Required   int      `json:"required"`
	Problems   int      `json:"problems"`
	Stages     []string `json:"stages"`
	Language   string   `json:"language"`
	Assignment string   `json:"assignment"` // under which the case is read
	Training   bool     `json:"training"`   // for practice: before the worklist, and never counted
	Locked     string   `json:"locked"`     // why it cannot be opened yet, or ""
}

// CaseView is everything that the reading screen needs of one case, as far as this reader may see it: one call opens a case.
type CaseView struct {
	Case       review.Case      `json:"case"`
	Assignment string           `json:"assignment"`
	Phase      string           `json:"phase"` // look, judge, signed
	Stages     []review.Stage   `json:"stages"`
	Stacks     []review.Stack   `json:"stacks"`
	Looks      []review.Look    `json:"looks"`  // own, locked
	Chains     []ChainView      `json:"chains"` // empty until every question is locked
	Done       int              `json:"done"`
	Required   int              `json:"required"`
	Missing    []Missing        `json:"missing"`  // what is still needed before signing
	Position   int              `json:"position"` // 1-based place in the worklist
	Total      int              `json:"total"`
	Next       string           `json:"next"`
	Previous   string           `json:"previous"`
	Place      Place            `json:"place"` // step last worked on
	Problems   []review.Problem `json:"problems"`
	SavedAt    string           `json:"saved_at"`      // of the last event, or ""
	Revisions  int              `json:"revisions"`     // events that supersede another
	Rubric     review.Rubric    `json:"rubric"`        // by which this reading is asked: the one under which it was begun
	Training   *TrainingView    `json:"training"`      // null: not a training case
	IdleMS     int64            `json:"idle_limit_ms"` // a gap without a sign of the reader that is longer counts as idle
}

// ChainView is one chain as a reader sees it, with the reader's own ratings. Name is a letter: never a model.
type ChainView struct {
	ID           string              `json:"id"`
	Name         string              `json:"name"` // "A", "B" …
	Answers      []review.Answer     `json:"answers"`
	Ratings      []review.Rating     `json:"ratings"`
	OwnAnswers   []review.OwnAnswer  `json:"own_answers"`    // corrections: what the reader would have said in place of a step
	Rating       *review.ChainRating `json:"rating"`         // null: not yet
	CueAck       bool                `json:"cue_ack"`        // a second pass asks for acknowledgement of a cue
	FirstBadStep string              `json:"first_bad_step"` // derived from the ratings so far: a step, "none", or "" while undecided
}

// Missing names one required answer that is not given yet.
type Missing struct {
	Chain string `json:"chain"` // "" for a look question
	Part  string `json:"part"`  // question, step, or "chain"
	Field string `json:"field"`
	Text  string `json:"text"`
}

// Saved answers every act of a reader: the event as it lies in the ledger and where the assignment stands now.
type Saved struct {
	Event    string      `json:"event"`
	At       string      `json:"at"`
	Revision int         `json:"revision"` // 1 for a first answer
	Phase    string      `json:"phase"`
	Done     int         `json:"done"`
	Required int         `json:"required"`
	Missing  []Missing   `json:"missing"`
	Signed   int         `json:"signed"` // cases signed in all
	Chains   []ChainView `json:"chains"` // set when this act opened the judge phase, else empty
}

// Imported says what an import brought.
type Imported struct {
	Format     string           `json:"format"`
	Name       string           `json:"name"`
	Cases      int              `json:"cases"`
	Chains     int              `json:"chains"`
	Patients   int              `json:"patients"`
	Images     int              `json:"images"`
	Frames     int              `json:"frames"`
	Variants   int              `json:"variants"`
	Skipped    int              `json:"skipped"`
	Clusters   int              `json:"clusters"`
	ClusterKey string           `json:"cluster_key"`
	Problems   []review.Problem `json:"problems"`
}
