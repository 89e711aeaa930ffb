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

// Request is everything that a model gets.
type Request struct {
	Prompt string
	Images []Image
}

// Image is one picture as sent: the frames of a volume come one by one, in order.
type Image struct {
	MIME  string
	Bytes []byte
}

// Reply is what came back, untouched.
type Reply struct{ Text string }

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
