package model

// Control is a built-in model with the temperature at which it stands: above 0 a repeat of the same request is another draw.
type Control struct {
	Model
	Temperature float64
	Does        string
}

// Controls makes every built-in control model, in the order in which they are listed. Each call makes new ones.
func Controls() []Control {
	eyes := &Oracle{} // what one has looked at the other need not
	return []Control{
		{eyes, 0, "searches the pixels for itself and ignores the text"},
		{TextOnly{}, 0, "answers from the question and base rates and looks at no image"},
		{CueFollower{}, 0, "says what a cue says, else as text-only"},
		{ContextShortcut{}, 0, "answers from the card, else as text-only"},
		{ChainCopier{eyes}, 0, "S1 and S2 from the pixels, later stages from the earlier answers alone"},
		{Random{}, 1, "draws by lot"},
	}
}
