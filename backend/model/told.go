package model

import "strings"

const toldMark = " — "

// Told writes one earlier question with its answer as a line of Prompt.Earlier; an answer without an option stands for itself.
func Told(question, letter, text string) string {
	if text != "" {
		letter += ". " + text
	}
	return question + toldMark + letter
}

// toldAnswers gives the answers in the lines of a prompt's earlier answers.
func toldAnswers(prompt string) []string {
	var out []string
	inside := false
	for line := range strings.Lines(prompt) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == earlierLine:
			inside = true
		case inside && strings.HasPrefix(line, "- "):
			if i := strings.LastIndex(line, toldMark); i >= 0 {
				out = append(out, line[i+len(toldMark):])
			}
		default:
			inside = false
		}
	}
	return out
}

// card gives what a prompt tells of the patient.
func card(prompt string) string {
	for line := range strings.Lines(prompt) {
		if rest, ok := strings.CutPrefix(line, contextLine); ok {
			return strings.TrimRight(rest, "\n")
		}
	}
	return ""
}
