package review

import "net/url"

// Look is a reader's own answer to one question before any chain is seen.
type Look struct {
	Question   QuestionID `json:"question"`
	Answer     string     `json:"answer"`
	Confidence int        `json:"confidence"` // 1–3
	Evidence   []Region   `json:"evidence"`
	NotShown   bool       `json:"not_shown,omitempty"` // it was locked while the frame that was asked for was not on the screen yet
}

// Support answers: looking only at the images shown, could you defend this statement in a report?
type Support string

// The grades of support (GRD v1); "" is not yet rated.
const (
	Unrated      Support = ""
	Supported    Support = "supported"
	Partly       Support = "partly"
	Unsupported  Support = "unsupported"
	Contradicted Support = "contradicted"
	NotVisual    Support = "not_visual"
	CannotAssess Support = "cannot_assess"
)

// Rating is everything a reader said of one step. Missing is "", never a default.
type Rating struct {
	Step          StepID   `json:"step"`
	Support       Support  `json:"support"`
	Reason        string   `json:"reason"` // for cannot_assess
	Evidence      []Region `json:"evidence"`
	ModelPlace    string   `json:"model_place"`
	Error         []string `json:"error"`
	BuildsOnError string   `json:"builds_on_error"`
	Significance  string   `json:"significance"`
	Confidence    int      `json:"confidence"` // 1–3, 0: not yet
	CueAck        string   `json:"cue_ack"`
	Note          string   `json:"note"`
	NotShown      bool     `json:"not_shown,omitempty"` // the support was given while the frame that was asked for was not on the screen yet
}

// ChainRating is what a reader said of a whole chain.
type ChainRating struct {
	Answer       string   `json:"answer"` // correct, partly, incorrect, cannot_assess
	Missed       []Missed `json:"missed"`
	FirstBadStep string   `json:"first_bad_step"` // a step or "none"; "": not yet confirmed
	Radpeer      string   `json:"radpeer"`
	Follows      string   `json:"follows"`
	ImageAlone   string   `json:"image_alone"`
	NeedsMore    []string `json:"needs_more"`
	Note         string   `json:"note"`
}

// Missed is a finding that the chain does not mention.
type Missed struct {
	Text         string  `json:"text"`
	Region       *Region `json:"region,omitempty"`
	Significance string  `json:"significance"`
}

// Kind says what an event is about.
type Kind string

// The kinds of event.
const (
	KindProtocol     Kind = "protocol"
	KindAssign       Kind = "assign"
	KindLook         Kind = "look"
	KindRating       Kind = "rating"
	KindChainRating  Kind = "chain-rating"
	KindOwnAnswer    Kind = "own-answer"
	KindSign         Kind = "sign"
	KindAdjudication Kind = "adjudication"
	KindSeen         Kind = "seen"
	KindNote         Kind = "note"
	KindConsent      Kind = "consent"
	KindRubric       Kind = "rubric"
	KindDisplay      Kind = "display"   // a reader's check of the display
	KindTraining     Kind = "training"  // where a reader stands in the training
	KindUnblinded    Kind = "unblinded" // a reader saw what is hidden from readers
	KindHandover     Kind = "handover"  // a package was made for a reader, or taken back from one
)

// RubricRef names the rubric under which an answer was given.
type RubricRef struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Digest  Digest `json:"digest"`
}

// An Event is one thing a person said, as it lies in the ledger. Events are added and never changed.
type Event struct {
	Schema         string       `json:"schema"`
	ID             EventID      `json:"id"`
	Study          string       `json:"study"`
	Workspace      string       `json:"workspace"`
	Machine        MachineID    `json:"machine"`
	Reader         ReaderID     `json:"reader"`
	Session        string       `json:"session"`
	Assignment     AssignmentID `json:"assignment"`
	Kind           Kind         `json:"kind"`
	Key            string       `json:"key"` // what it is about within the assignment; see EventKey
	Seq            uint64       `json:"seq"` // 1, 2, 3 … of this reader on this machine
	Prev           Digest       `json:"prev"`
	Supersedes     EventID      `json:"supersedes,omitempty"`
	Reason         string       `json:"reason,omitempty"`
	At             string       `json:"at"`
	ProtocolDigest Digest       `json:"protocol_digest"`
	Rubric         RubricRef    `json:"rubric"`
	Case           CaseID       `json:"case"`
	CaseDigest     Digest       `json:"case_digest,omitempty"`
	Chain          ChainID      `json:"chain,omitempty"`
	ChainDigest    Digest       `json:"chain_digest,omitempty"`
	PixelsDigest   Digest       `json:"pixels_digest,omitempty"`
	AppVersion     string       `json:"app_version"`
	Body           Body         `json:"body"`
}

// Body holds what was said; exactly the part that the event's kind names is set.
type Body struct {
	Look         *Look         `json:"look,omitempty"`
	Rating       *Rating       `json:"rating,omitempty"`
	ChainRating  *ChainRating  `json:"chain_rating,omitempty"`
	Note         string        `json:"note,omitempty"`
	Assign       *Assignment   `json:"assign,omitempty"`
	Seen         *Seen         `json:"seen,omitempty"`
	Protocol     *Protocol     `json:"protocol,omitempty"`
	Rubric       *Rubric       `json:"rubric,omitempty"`
	OwnAnswer    *OwnAnswer    `json:"own_answer,omitempty"`
	Display      *Display      `json:"display,omitempty"`
	Training     *Training     `json:"training,omitempty"`
	Adjudication *Adjudication `json:"adjudication,omitempty"`
	Handover     *Handover     `json:"handover,omitempty"`
}

// Assignment is one reader's one read of one case's chain set in one session.
type Assignment struct {
	ID      AssignmentID `json:"id"`
	Case    CaseID       `json:"case"`
	Reader  ReaderID     `json:"reader"`
	Session string       `json:"session"`
	Chains  []ChainID    `json:"chains"`          // in reading order
	Order   string       `json:"order,omitempty"` // its place in the reader's order of the session: assignments are sorted by it, then by id
}

// Seen is what was on the screen while a step was rated, or the case looked at. It adds up: a later one holds what came before it too.
//
// Frames, Windows and Zoom are those of all images together; Images says which of them were those of which image. Records from before there
// was Images have none: where the case has one image, they are that one's.
type Seen struct {
	Step           StepID      `json:"step"`
	Frames         []int       `json:"frames"`
	Windows        []Window    `json:"windows"`
	Zoom           float64     `json:"zoom"` // the most, in screen pixels per pixel of the image
	Images         []SeenImage `json:"images,omitempty"`
	RegionOnScreen bool        `json:"region_on_screen"` // the cited region was in sight
	RegionFitting  bool        `json:"region_fitting"`   // and at least half of its pixels lay within the window then
	DwellMS        int64       `json:"dwell_ms"`         // active
	IdleMS         int64       `json:"idle_ms"`          // gaps without a sign of the reader that were longer than the protocol's idle limit
	Breaks         int         `json:"breaks"`           // how many such gaps
	FirstAt        string      `json:"first_at"`         // when it was first in view, RFC 3339 UTC
	Order          int         `json:"order"`            // place of the case in this reader's order when it was first in view, from 1
	Display        string      `json:"display"`          // columns x rows @ pixel ratio
}

// SeenImage is what was on the screen of one image of the case.
type SeenImage struct {
	Image   ImageID  `json:"image"`
	Frames  []int    `json:"frames"` // 0-based, ascending
	Windows []Window `json:"windows"`
	Zoom    float64  `json:"zoom"` // the most, in screen pixels per pixel of the image
}

// EventKey names what an event is about: later events with the same key supersede earlier ones. Chain and part are path-escaped, so that a
// slash in an id never makes two things one.
func EventKey(a AssignmentID, k Kind, chain ChainID, part string) string {
	return string(a) + "/" + string(k) + "/" + url.PathEscape(string(chain)) + "/" + url.PathEscape(part)
}
