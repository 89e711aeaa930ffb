package experiment

import "plumbline/backend/review"

// CueText gives the sentence that a condition puts beside a question to point to an answer; "" where its cue is not in words, or stands in
// the card.
func (w Wording) CueText(c review.Condition, q review.Question, target string) string {
	if c.Cue == "" || c.Cue == emphasisCue || c.Cue == "history-wrong" {
		return ""
	}
	return w.cue(c.Cue, q, target)
}
