package export

import (
	"context"

	"plumbline/backend/review"
)

// A Source is what an export is written from. Cases come one at a time, so that memory does not grow with their number.
type Source struct {
	Info    review.Dataset
	Study   string // the id of the study
	Site    string // a name for the workspace that says nothing of where it is
	Rubric  review.Rubric
	Version string // of the program
	At      string // RFC 3339 UTC
	Total   int    // cases

	// Each hands every case to fn, in the order of the dataset, until fn fails. It may be asked for more than once.
	Each func(ctx context.Context, fn func(*Case) error) error
	// Ledger hands over every event, oldest first: as stored, and in the words of this dataset where it came under aliases.
	Ledger func(ctx context.Context, fn func(raw []byte, e review.Event) error) error
	// Picture draws one frame (0-based) as it is shown by default, as PNG.
	Picture func(ctx context.Context, of review.CaseID, image review.ImageID, frame int) ([]byte, error)
	// Digest names the exact samples of a whole image: equal images have equal digests, whatever file holds them.
	Digest func(ctx context.Context, of review.CaseID, image review.ImageID) (review.Digest, error)
	// Cue gives the sentence that a condition puts beside a question to point to target; "" where it says nothing in words.
	Cue func(c review.Condition, q review.Question, target string) string
	// Objects says what the file of each frame of an image calls itself, for references from DICOM objects; nil for other images.
	Objects func(ctx context.Context, of review.CaseID, image review.ImageID) (*DICOMImage, error)
	// Scores gives the scores of readers for a multi-reader multi-case study.
	Scores func(ctx context.Context) (MRMC, Tally, error)
	// Secret makes pseudonyms that nobody else can make.
	Secret string
	// Sign signs the manifest of what goes to other sites with the keys of whoever sends it.
	Sign func(manifest []byte) (string, error)
}

// A Case is a case with everything that is known and was said of it.
type Case struct {
	review.Case
	Cluster string // measurement.md, 42
	Truth   map[review.QuestionID]review.Truth
	Chains  []Chain
	Stacks  []review.Stack
	Said    []Said // what holds now, in order of reader, assignment and event
	Final   []review.Event
	Train   bool // it trains readers: nothing said of it counts

	prompt Prompt // of the export under way
}

// A Chain is a chain with what made it; Origin is nil where nobody knows.
type Chain struct {
	review.Chain
	Origin *review.Origin
}

// Model names what made the chain.
func (c Chain) Model() review.ModelInfo {
	if c.Origin == nil {
		return review.ModelInfo{Name: "unknown"}
	}
	return c.Origin.Model
}

// Condition names the condition of the chain, "unknown" where nobody knows.
func (c Chain) Condition() string {
	if c.Origin == nil {
		return "unknown"
	}
	return c.Origin.Condition.Name()
}

// Said is one answer of a reader as it holds now.
type Said struct {
	review.Event
	Signed      bool   // the reading that it belongs to is signed
	Counts      bool   // and is the reader's first of the same thing, of this very chain, under the rubric of the study, and no training
	FirstSeen   string // when the step was first in view, RFC 3339; "": not recorded
	FirstAnswer string // when it was first answered
	ActiveMS    int64  // spent on the step
	IdleMS      int64
	DaysSince   *int // whole days since this reader's session 1 of the case; nil in session 1
}

// Question finds a question of the case.
func (c *Case) Question(id review.QuestionID) (review.Question, bool) {
	for _, q := range c.Questions {
		if q.ID == id {
			return q, true
		}
	}
	return review.Question{}, false
}

// gold gives the right answer of a question as its option is called and worded; false where it is not known.
func (c *Case) gold(q review.Question) (letter, text string, known bool) {
	t, ok := c.Truth[q.ID]
	if !ok || t.Gold == nil {
		return "", "", false
	}
	return *t.Gold, worded(q, *t.Gold), true
}

// worded gives an answer in words: the text of the option that it names, or itself.
func worded(q review.Question, answer string) string {
	for _, o := range q.Options {
		if q.Same(answer, o.Letter) {
			return o.Text
		}
	}
	return answer
}

// asked lists the questions in stage order.
func (c *Case) asked() []review.Question { return inOrder(c.Questions) }

// right tells whether an answer of a chain is right; false, false where that cannot be said.
func (c *Case) right(a review.Answer) (right, known bool) {
	q, there := c.Question(a.Question)
	if !there {
		return false, false
	}
	gold, _, known := c.gold(q)
	return known && a.Parse == review.ParseOK && a.Answer != nil && q.Same(*a.Answer, gold), known
}

// answer finds a chain's answer to a question.
func (c Chain) answer(q review.QuestionID) (review.Answer, bool) {
	for _, a := range c.Answers {
		if a.Question == q {
			return a, true
		}
	}
	return review.Answer{}, false
}
