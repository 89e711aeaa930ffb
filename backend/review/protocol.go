package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// ProtocolSchema is the schema of a protocol as written today.
const ProtocolSchema = "plumbline/protocol/1"

// A Protocol holds the rules of a reading study: who reads what, in which order, blind to what. It is data: a changed protocol is a new
// event, and every event names the one under which it was said, so that a change never reinterprets an old answer.
type Protocol struct {
	Schema        string           `json:"schema"`
	Name          string           `json:"name"`
	Readers       []ProtocolReader `json:"readers"`
	Design        Design           `json:"design"`
	ReadsPerCase  int              `json:"reads_per_case"` // readers for each case; 0 where fully crossed: all of them
	Sessions      int              `json:"sessions"`       // each reader reads each of their cases once in every session
	WashoutDays   int              `json:"washout_days"`   // between the last signature of a session and the next session
	Seed          uint64           `json:"seed,omitempty"` // of every random order and choice; 0: the workspace's own. A reader's copy has none
	ChainsPerCase ChainCount       `json:"chains_per_case"`
	Repeats       *Repeats         `json:"repeats,omitempty"` // null: none. A reader's copy has none
	Look          LookRule         `json:"look"`
	Training      []CaseID         `json:"training"`                // read for practice before anything else, never assigned; see TrainingPass
	TrainingPass  float64          `json:"training_pass,omitempty"` // share of the expected answers that opens the worklist, 0 to 1; 0: signing every training case does
	IdleSeconds   int              `json:"idle_seconds"`            // without a sign of the reader for longer, the whole gap counts as idle
	Rubric        RubricName       `json:"rubric"`
	HiddenUntil   HiddenUntil      `json:"hidden_until"`
	Overlays      OverlayRule      `json:"overlays,omitempty"` // what readers see of the drawings that came with the images
	Order         OrderRule        `json:"order,omitempty"`    // in which a reader reads
	Closed        bool             `json:"closed"`             // the study takes no more readings
}

// ProtocolReader is one person of a study, under a code.
type ProtocolReader struct {
	Code      ReaderID `json:"code"`
	Role      string   `json:"role"` // reader, adjudicator
	Specialty string   `json:"specialty"`
	Years     float64  `json:"years"` // of experience
}

// The roles of a protocol. An adjudicator is assigned no reads.
const (
	RoleReader      = "reader"
	RoleAdjudicator = "adjudicator"
)

// Design says which readers read a case.
type Design string

// The designs.
const (
	Crossed Design = "crossed" // every reader reads every case
	Split   Design = "split"   // each case is read by reads_per_case of the readers, in equal shares
)

// ChainCount is how many chains of a case are read; 0, written "all", is all of them.
type ChainCount int

// MarshalJSON writes "all" or a number.
func (n ChainCount) MarshalJSON() ([]byte, error) {
	if n == 0 {
		return []byte(`"all"`), nil
	}
	return strconv.AppendInt(nil, int64(n), 10), nil
}

// UnmarshalJSON takes "all" or a number from 1.
func (n *ChainCount) UnmarshalJSON(b []byte) error {
	if string(b) == `"all"` {
		*n = 0
		return nil
	}
	i, err := strconv.Atoi(string(b))
	if err != nil || i < 1 {
		return &FieldError{Field: "chains_per_case", Want: `"all" or a whole number from 1`, Found: string(b)}
	}
	*n = ChainCount(i)
	return nil
}

// Repeats says how many reads are given to the same reader once more, unannounced.
type Repeats struct {
	Share       float64 `json:"share"`        // of the first reads of a session, rounded to a whole number
	MinDistance int     `json:"min_distance"` // places between the two in the reader's order; 1 is next to each other
}

// LookRule says what a reader answers before any chain is seen.
type LookRule struct {
	First     bool   `json:"first"`     // false: the chains open at once
	Questions string `json:"questions"` // all, or only the last in stage order
}

// What LookRule.Questions can be.
const (
	AllQuestions = "all"
	LastQuestion = "last"
)

// RubricName names a version of a rubric.
type RubricName struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// HiddenUntil says until when gold, other readers, model and condition are hidden from a reader.
type HiddenUntil string

// The ends of hiding.
const (
	PatientSigned HiddenUntil = "patient_signed" // the reader has signed every assigned read of the patient, or the study closes
	StudyClosed   HiddenUntil = "study_closed"
)

// DefaultProtocol gives the rules where none were set: every reader reads every case once, all chains, own answers first. It names nobody.
func DefaultProtocol() Protocol {
	return Protocol{
		Schema: ProtocolSchema, Readers: []ProtocolReader{}, Design: Crossed, Sessions: 1, Look: LookRule{First: true, Questions: AllQuestions},
		Training: []CaseID{}, Rubric: RubricName{Name: "GRD", Version: "1"}, HiddenUntil: PatientSigned,
		IdleSeconds: 60,
	}
}

// OrderRule says in which order a reader reads.
type OrderRule string

// The orders. Where the most unsure cases come first a reader who knows of the rule learns something of the models from the order.
const (
	RandomOrder    OrderRule = ""          // drawn for each reader and session; "random" means the same
	UncertainFirst OrderRule = "uncertain" // those of which models are most unsure come first
	randomInWords  OrderRule = "random"
)

// OverlayRule says what a reader sees of the drawings that came with the images: planes in the image files themselves (groups 60xx), and
// annotation objects (SEG, RTSTRUCT, SR). Any of them may be somebody else's reading, or the gold.
type OverlayRule string

// The rules for overlays. None of them travels in a package.
const (
	NoOverlays    OverlayRule = ""       // none; "hidden" means the same
	OwnOverlays   OverlayRule = "planes" // the planes of the image files, from the look on
	EveryOverlay  OverlayRule = "all"    // these, and annotation objects with the chains, once every question is locked
	hiddenInWords OverlayRule = "hidden"
)

// RestoreProtocol reads a protocol of any version; what is absent is as in DefaultProtocol. A field that it does not know is an error: a
// rule with a slip in its name must not be left out in silence. Problems tells whether its rules can be followed.
func RestoreProtocol(b []byte) (Protocol, error) {
	if _, err := restore[Protocol](b, ProtocolSchema); err != nil {
		return Protocol{}, err
	}
	p := DefaultProtocol()
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return p, inWords(err)
	}
	p.Schema, p.Readers, p.Training = ProtocolSchema, list(p.Readers), list(p.Training)
	if p.Order == randomInWords {
		p.Order = RandomOrder
	}
	if p.Overlays == hiddenInWords {
		p.Overlays = NoOverlays
	}
	return p, nil
}

// ProtocolDigest hashes a protocol.
func ProtocolDigest(p Protocol) Digest { return digestJSON(p) }

// maxSeed is one more than the largest seed: what every JSON reader keeps exactly.
const maxSeed = 1 << 53

// Problems lists by field why the rules cannot be followed, whatever the dataset; none where they can.
func (p Protocol) Problems() []Problem {
	all := []Problem{}
	wrong := func(field, format string, args ...any) {
		all = append(all, Problem{Field: field, Text: fmt.Sprintf(format, args...)})
	}
	readers := p.readerProblems(wrong)
	switch {
	case p.Design != Crossed && p.Design != Split:
		wrong("design", "one of crossed, split expected, found %q", p.Design)
	case p.Design == Crossed && p.ReadsPerCase != 0 && p.ReadsPerCase != readers:
		wrong("reads_per_case", "fully crossed means every reader (%d), or 0; found %d", readers, p.ReadsPerCase)
	case p.Design == Split && (p.ReadsPerCase < 1 || p.ReadsPerCase > readers):
		wrong("reads_per_case", "1 to the number of readers (%d) expected, found %d", readers, p.ReadsPerCase)
	}
	const most = 1000
	if p.Sessions < 1 || p.Sessions > most {
		wrong("sessions", "1 to %d expected, found %d", most, p.Sessions)
	}
	if p.WashoutDays < 0 || p.WashoutDays > 100*most {
		wrong("washout_days", "0 to %d expected, found %d", 100*most, p.WashoutDays)
	}
	if p.Seed >= maxSeed {
		wrong("seed", "less than %d expected", uint64(maxSeed))
	}
	if r := p.Repeats; r != nil {
		if !(r.Share >= 0 && r.Share <= 1) {
			wrong("repeats.share", "a share of 0 to 1 expected, found %v", r.Share)
		}
		if r.MinDistance < 1 {
			wrong("repeats.min_distance", "at least 1 expected, found %d", r.MinDistance)
		}
	}
	if q := p.Look.Questions; q != AllQuestions && q != LastQuestion {
		wrong("look.questions", "one of all, last expected, found %q", q)
	}
	if h := p.HiddenUntil; h != PatientSigned && h != StudyClosed {
		wrong("hidden_until", "one of patient_signed, study_closed expected, found %q", h)
	}
	if o := p.Order; o != RandomOrder && o != UncertainFirst {
		wrong("order", "one of random, uncertain expected, found %q", o)
	}
	if o := p.Overlays; o != NoOverlays && o != OwnOverlays && o != EveryOverlay {
		wrong("overlays", "one of hidden, planes, all expected, found %q", o)
	}
	if p.IdleSeconds < 5 || p.IdleSeconds > 3600 {
		wrong("idle_seconds", "5 to 3600 expected, found %d", p.IdleSeconds)
	}
	switch {
	case !(p.TrainingPass >= 0 && p.TrainingPass <= 1):
		wrong("training_pass", "a share of 0 to 1 expected, found %v", p.TrainingPass)
	case p.TrainingPass > 0 && len(p.Training) == 0:
		wrong("training_pass", "there is no training case to pass")
	}
	seen := map[CaseID]bool{}
	for i, id := range p.Training {
		if seen[id] {
			wrong(fmt.Sprintf("training[%d]", i), "case %q stands here twice", id)
		}
		seen[id] = true
	}
	return all
}

// readerProblems looks at the readers and counts those who read.
func (p Protocol) readerProblems(wrong func(field, format string, args ...any)) (readers int) {
	seen := map[ReaderID]bool{}
	for i, r := range p.Readers {
		field := fmt.Sprintf("readers[%d].", i)
		if fault := r.Code.Fault(); fault != "" {
			wrong(field+"code", "%s", fault)
		}
		if seen[r.Code] {
			wrong(field+"code", "reader %s stands here twice", r.Code)
		}
		seen[r.Code] = true
		if r.Role != RoleReader && r.Role != RoleAdjudicator {
			wrong(field+"role", "one of reader, adjudicator expected, found %q", r.Role)
		}
		if !(r.Years >= 0 && r.Years <= 100) {
			wrong(field+"years", "0 to 100 expected, found %v", r.Years)
		}
		if r.Role == RoleReader {
			readers++
		}
	}
	if readers == 0 {
		wrong("readers", "at least one with the role reader expected")
	}
	return readers
}

// Reader finds a person of the protocol.
func (p Protocol) Reader(code ReaderID) (ProtocolReader, bool) {
	for _, r := range p.Readers {
		if r.Code == code {
			return r, true
		}
	}
	return ProtocolReader{}, false
}

// For gives the protocol as one reader may have it: without the others, and without the seed and repeats, from which a reader could work
// out which reads are repeats and what the others read.
func (p Protocol) For(code ReaderID) Protocol {
	own := []ProtocolReader{}
	if r, ok := p.Reader(code); ok {
		own = append(own, r)
	}
	p.Readers, p.Seed, p.Repeats = own, 0, nil
	return p
}
