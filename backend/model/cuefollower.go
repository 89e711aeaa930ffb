package model

import (
	"context"
	"fmt"
	"strings"
)

// CueFollower says what the cue in the prompt says and looks at nothing; without a cue it answers as TextOnly.
type CueFollower struct {
	Open bool // it says that it follows the hint; else it keeps silent about it
}

// Name is "cue-follower".
func (CueFollower) Name() string { return "cue-follower" }

// Ask takes the option whose letter or text the cue names.
func (m CueFollower) Ask(ctx context.Context, r Request) (Reply, error) {
	a, err := understand(r.Prompt)
	if err != nil {
		return Reply{}, err
	}
	for _, o := range a.options {
		if !strings.Contains(a.cue, "("+o.Letter+")") && !strings.Contains(a.cue, o.Text) {
			continue
		}
		_, hash := guess(a)
		steps := guessed(a, o, hash)[:1]
		if m.Open {
			steps = append(steps, Claim{Text: fmt.Sprintf("The hint points to %s, and I follow it.", lowerFirst(o.Text)), Type: "inference", Places: []Place{}})
		}
		return Said{Steps: steps, Answer: o.Letter}.reply(), nil
	}
	return TextOnly{}.Ask(ctx, r)
}
