package review

import (
	"maps"
	"strings"
)

// Same tells whether two answers to q say the same. Options may be named by letter or by text, and several in whatever order: "2,1" is
// "[1, 2]". Of free text the words count, whatever their case and the spaces between them.
func (q Question) Same(a, b string) bool { return maps.Equal(q.choices(a), q.choices(b)) }

// choices gives the set of options that an answer names, by their letters, or the answer itself where it names anything else.
func (q Question) choices(answer string) map[string]bool {
	if letter, known := q.option(answer); known {
		return map[string]bool{letter: true}
	}
	set := map[string]bool{}
	for _, part := range strings.FieldsFunc(answer, func(r rune) bool { return strings.ContainsRune(",;|[]", r) }) {
		if strings.TrimSpace(part) == "" {
			continue
		}
		letter, known := q.option(part)
		if !known {
			return map[string]bool{Fold(answer): true}
		}
		set[letter] = true
	}
	return set
}

// option gives the letter of the option that an answer names, in lower case.
func (q Question) option(answer string) (letter string, known bool) {
	for _, o := range q.Options {
		if Fold(o.Letter) == Fold(answer) {
			return Fold(o.Letter), true
		}
	}
	for _, o := range q.Options {
		if Fold(o.Text) == Fold(answer) {
			return Fold(o.Letter), true
		}
	}
	return "", false
}

// plain brings words to lower case with single spaces.
// Fold lets two wordings be compared: lower case, white space as single spaces.
func Fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
