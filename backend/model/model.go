package model

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// A Model answers a prompt about images.
type Model interface {
	// Name is how the model is called in a manifest.
	Name() string
	// Ask answers one request. An error means that no answer came; a refusal or nonsense is a Reply.
	Ask(ctx context.Context, r Request) (Reply, error)
}

// Request is everything that a model gets. Only Prompt and Images carry content; the rest says how an answer is drawn and what form it has.
type Request struct {
	Mark        Mark // where the request belongs; it is not sent
	Prompt      string
	Images      []Image
	Form        Form     // how the answer is to look; the prompt says so too
	Letters     []string // the options to choose from, as the prompt lists them; empty: free text
	Seed        int64
	Temperature float64
	Repeat      int // counts the times that this very request is asked, from 0: it has no part in what is sent
}

// Mark says where a request belongs: what comes back later is known by it.
type Mark struct {
	ID    string // names the request, and tells nothing
	Chain string
	Stage int // the k of its question
}

// Form is how an answer is to look.
type Form string

// The forms of an answer.
const (
	FormSteps  Form = ""       // JSON: steps with places, and the answer
	FormLetter Form = "letter" // one option's letter alone, for its probability
	FormProse  Form = "prose"  // reasoning in words and "Answer: X" at its end
)

// Image is one picture as sent: the frames of a volume come one by one, in order.
type Image struct {
	MIME  string
	Bytes []byte
}

// Reply is what came back, untouched. A built-in control gives only Text.
type Reply struct {
	Text      string
	Reasoning string   // what the server gave apart as reasoning
	Refusal   string   // what the server gave apart as a refusal
	Finish    string   // why it ended: stop, length, content_filter, …
	Flags     []string // what was odd about the reply: see the Flag constants
	Tokens    []Token  // of Text, where probabilities were asked for
	Usage     Usage
	Model     string // as the server names what answered
	Revision  string // the server's fingerprint of it
	Raw       []byte // the body as it came
	Seconds   float64
	Attempts  int // requests it took
}

// Usage counts the tokens that the server says it used; 0: it did not say.
type Usage struct{ Prompt, Completion int }

// Said is a reply in parts: a list of claims and the letter of an option ("" for a legal "cannot tell").
type Said struct {
	Steps  []Claim `json:"steps"`
	Answer string  `json:"answer"`
}

// Claim is one statement with the places that it rests on.
type Claim struct {
	Text   string  `json:"text"`
	Type   string  `json:"type"` // technique, anatomy, finding, inference …
	Places []Place `json:"places"`
}

// Place is a box in the images From to To (0-based in the order sent, both in it), in fractions of the picture: x0, y0, x1, y1. A Box of
// zeros means all of the picture.
type Place struct {
	From int        `json:"from"`
	To   int        `json:"to"`
	Box  [4]float64 `json:"box"`
}

// reply writes the parts as the JSON that Prompt asks for.
func (s Said) reply() Reply {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // plain data always marshals
	}
	return Reply{Text: string(b)}
}

// ParseReply takes a reply in the form that Prompt asks for apart; options are the letters to choose from. It fails where the text is no such
// JSON or the answer is no option.
func ParseReply(r Reply, options []string) (Said, error) {
	var s Said
	if err := json.Unmarshal([]byte(r.Text), &s); err != nil {
		return Said{}, fmt.Errorf("the reply is not the JSON asked for: %w", err)
	}
	s.Answer = strings.ToUpper(strings.TrimSpace(s.Answer))
	if s.Answer == "" {
		return s, nil
	}
	for _, o := range options {
		if s.Answer == o {
			return s, nil
		}
	}
	return Said{}, fmt.Errorf("the answer %q is none of the options %s", s.Answer, strings.Join(options, ", "))
}
