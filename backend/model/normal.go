package model

import (
	"regexp"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// normal brings what an answer names to the form in which it is stored: an option's letter, letters of several options sorted and joined by
// ", ", or free text. It is the only place where this is done.
func (w *reading) normal(said string) found {
	answer := strings.TrimSpace(strings.Trim(strings.TrimSpace(said), "\"'`*_ \t\r\n"))
	if letter, ok := w.option(answer); ok {
		return found{parse: review.ParseOK, answer: letter}
	}
	switch {
	case answer == "" || isAbstention(answer):
		return found{parse: review.Abstained}
	case isRefusal(answer):
		return found{parse: review.Declined}
	case len(w.Question.Options) == 0:
		return found{parse: review.ParseOK, answer: answer}
	}
	letters := []string{}
	for _, part := range strings.FieldsFunc(strings.NewReplacer(" and ", ",", " & ", ",").Replace(answer), func(r rune) bool { return strings.ContainsRune(",;|[]", r) }) {
		if strings.TrimSpace(part) == "" {
			continue
		}
		letter, ok := w.option(part)
		if !ok {
			return found{parse: review.Unparsed}
		}
		if !slices.Contains(letters, letter) {
			letters = append(letters, letter)
		}
	}
	if len(letters) == 0 {
		return found{parse: review.Unparsed}
	}
	slices.Sort(letters)
	return found{parse: review.ParseOK, answer: strings.Join(letters, ", ")}
}

// option gives the letter that one answer names: "B", "(b)", "B.", "B) Left effusion", "Option B", "Left effusion".
func (w *reading) option(said string) (string, bool) {
	said = strings.Trim(strings.TrimSpace(said), "\"'`* ")
	for _, whole := range []string{said, strings.TrimRight(said, ". ")} {
		for _, o := range w.Question.Options {
			if folded(whole) == folded(o.Text) || folded(whole) == folded(o.Letter) {
				return o.Letter, true
			}
		}
	}
	short := folded(said)
	for _, prefix := range []string{"option ", "choice ", "answer "} {
		short = strings.TrimPrefix(short, prefix)
	}
	short = strings.TrimPrefix(short, "(")
	for _, o := range w.Question.Options {
		rest, ok := strings.CutPrefix(short, folded(o.Letter))
		if !ok {
			continue
		}
		if rest == "" || rest == ")" {
			return o.Letter, true
		}
		words := strings.Trim(strings.TrimLeft(rest, ".):- "), ". *")
		if marked := strings.ContainsRune(".):", rune(rest[0])); marked && (words == "" || words == strings.Trim(folded(o.Text), ". ")) {
			return o.Letter, true // the letter with its own text; with another's text it contradicts itself
		}
	}
	return "", false
}

func folded(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// Ways in which a text says its conclusion; the last in the text counts.
var (
	taggedAnswer = regexp.MustCompile(`(?is)<answer>(.*?)</answer>`)
	boxedAnswer  = regexp.MustCompile(`\\boxed\{([^{}]*)\}`)
	saidAnswer   = regexp.MustCompile(`(?im)\banswer\b[ \t]*(?:is\b|[:=])[ \t:*"]*(.+?)[ \t]*$`)
)

// conclusion parts the answer of a prose reply from the words before it; without any mark the whole text is the answer.
func conclusion(text string) (answer, before string) {
	for _, pattern := range []*regexp.Regexp{taggedAnswer, boxedAnswer, saidAnswer} {
		if all := pattern.FindAllStringSubmatchIndex(text, -1); len(all) > 0 {
			last := all[len(all)-1]
			return text[last[2]:last[3]], strings.TrimSpace(text[:last[0]])
		}
	}
	return text, ""
}

// refusals begin a reply that declines; abstentions are all of an answer that says it cannot be told.
var (
	refusals = []string{
		"i'm sorry, but i can", "i am sorry, but i can", "sorry, but i can", "sorry, i can", "i'm sorry, i can", "i can't assist", "i cannot assist",
		"i can't help", "i cannot help", "i can't provide", "i cannot provide", "i'm unable to provide", "i am unable to provide", "i'm not able to provide",
		"i'm unable to assist", "i am unable to assist", "i must decline", "as an ai",
	}
	abstentions = []string{
		"cannot tell", "can't tell", "i cannot tell", "i can't tell", "cannot determine", "cannot be determined", "unable to determine", "not enough information",
		"insufficient information", "i don't know", "i do not know", "unknown", "indeterminate", "cannot say",
	}
)

func isRefusal(text string) bool {
	start := folded(strings.ReplaceAll(text[:min(len(text), 200)], "’", "'"))
	return slices.ContainsFunc(refusals, func(r string) bool { return strings.HasPrefix(start, r) })
}

func isAbstention(answer string) bool {
	if len(answer) > 60 {
		return false
	}
	return slices.Contains(abstentions, strings.Trim(folded(strings.ReplaceAll(answer, "’", "'")), ". !"))
}
