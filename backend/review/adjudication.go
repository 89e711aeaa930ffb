package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// An Adjudication is the final value of one item of which several readers spoke: a question (their own answers), a step, or a chain as a
// whole. It stands beside what they said and changes none of it. Who gave it, when and why are the event's reader, at and reason.
type Adjudication struct {
	On        Kind     `json:"on"`        // look, rating or chain-rating: what the readers' events are
	Part      string   `json:"part"`      // the question or step; "": the chain as a whole
	Kinds     []string `json:"kinds"`     // of disagreement that led to it; none where it is unanimous
	Unanimous bool     `json:"unanimous"` // taken over because all reads agreed
	FinalValue
	RestsOn []EventID `json:"rests_on"` // the readers' events that were looked at
}

// FinalValue is what an item is in the end, in the shape of what a reader says of it: exactly one part is set.
type FinalValue struct {
	Look        *Look        `json:"look,omitempty"`
	Rating      *Rating      `json:"rating,omitempty"`
	ChainRating *ChainRating `json:"chain_rating,omitempty"`
}

// Body gives the value as a reader would have said it.
func (v FinalValue) Body() Body {
	return Body{Look: v.Look, Rating: v.Rating, ChainRating: v.ChainRating}
}

// On gives what readers' events have such a value, or "" where not exactly one part is set.
func (v FinalValue) On() Kind {
	on, parts := Kind(""), 0
	for kind, set := range map[Kind]bool{KindLook: v.Look != nil, KindRating: v.Rating != nil, KindChainRating: v.ChainRating != nil} {
		if set {
			on = kind
			parts++
		}
	}
	if parts != 1 {
		return ""
	}
	return on
}

// AdjudicationKey is the key of an item's adjudication. It lies under no assignment: it is nobody's read.
func AdjudicationKey(on Kind, of CaseID, chain ChainID, part string) string {
	return EventKey("", KindAdjudication, chain, string(on)+"/"+string(of)+"/"+part)
}

// RestoreFinalValue reads a decision written as a file: one object with look, rating or chain_rating. A field that it does not know is an
// error: an answer with a slip in its name must not be left out in silence.
func RestoreFinalValue(b []byte) (FinalValue, error) {
	var v FinalValue
	if len(b) > MaxRecord {
		return v, fmt.Errorf("a decision has at most %d bytes, this one %d", MaxRecord, len(b))
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		return v, inWords(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return v, fmt.Errorf("one JSON object expected, more follows it")
	}
	if v.On() == "" {
		return v, fmt.Errorf("exactly one of look, rating, chain_rating expected")
	}
	return v, nil
}

// restored gives the adjudication without null lists.
func (a *Adjudication) restored() {
	a.Kinds, a.RestsOn = list(a.Kinds), list(a.RestsOn)
	if a.Look != nil {
		a.Look.Evidence = regions(a.Look.Evidence)
	}
	if a.Rating != nil {
		a.Rating.Evidence, a.Rating.Error = regions(a.Rating.Evidence), list(a.Rating.Error)
	}
	if a.ChainRating != nil {
		a.ChainRating.Missed, a.ChainRating.NeedsMore = list(a.ChainRating.Missed), list(a.ChainRating.NeedsMore)
	}
}
