package model

// Probed keeps what a probe found, and chooses by it what the profile leaves open: the strongest way in which the server holds the form of an
// answer, and probabilities of the likeliest tokens, from which those of the options come. What the profile says itself stays.
func (p Profile) Probed(a Abilities) Profile {
	p.Abilities, p.TokenLimit = &a, a.TokenLimit
	if p.Structured == ByPrompt {
		switch {
		case a.JSONSchema:
			p.Structured = BySchema
		case a.Grammar:
			p.Structured = ByGrammar
		}
	}
	if p.Logprobs == 0 && a.Logprobs {
		p.Logprobs = likeliestAsked
	}
	return p
}

// likeliestAsked is how many likeliest tokens are asked for in each place: enough for the options of most questions, and a fraction of the
// 48 KB a reply that twenty cost. What they leave out is told as missing mass.
const likeliestAsked = 5
