package model

import "testing"

func TestProbeChooses(t *testing.T) {
	for _, c := range []struct {
		name       string
		p          Profile
		a          Abilities
		structured string
		logprobs   int
	}{
		{"all of it", Profile{}, Abilities{JSONSchema: true, Grammar: true, Logprobs: true}, BySchema, likeliestAsked},
		{"a grammar alone", Profile{}, Abilities{Grammar: true}, ByGrammar, 0},
		{"nothing", Profile{}, Abilities{}, ByPrompt, 0},
		{"what was set stays", Profile{Structured: ByGrammar, Logprobs: 20}, Abilities{JSONSchema: true, Grammar: true, Logprobs: true}, ByGrammar, 20},
	} {
		c.a.TokenLimit = MaxCompletionTokens
		got := c.p.Probed(c.a)
		if got.Structured != c.structured || got.Logprobs != c.logprobs || got.TokenLimit != MaxCompletionTokens || got.Abilities == nil {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}
