package model

import "strings"

// normal reads an answer against the question (review.Question.Read).
func (w *reading) normal(said string) found {
	answer, parse := w.Question.Read(said)
	return found{parse: parse, answer: answer}
}

func folded(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
