package model

import (
	"math"
	"strings"
)

// Token is one token of a reply with the likeliest ones in its place.
type Token struct {
	Text string
	Top  []Likely
}

// Likely is a token that might have stood in a place; P is its probability, 0 to 1.
type Likely struct {
	Text string
	P    float64
}

// Probabilities are those of the options of a question, renormalised over the options that were listed.
type Probabilities struct {
	Of      map[string]float64 // by letter; an option that the server did not list is absent
	Missing float64            // what was not listed among the options' letters before renormalising, 0 to 1
	Entropy float64            // over Of, in nats
}

// OptionProbabilities reads the probabilities of the letters at the token of the answer. It gives false where the reply has no token
// probabilities, or none of the letters was listed. Servers give probabilities from before a grammar, so some letters may be missing: the
// missing mass says how much.
func OptionProbabilities(r Reply, letters []string) (Probabilities, bool) {
	at := answerToken(r.Tokens, letters)
	if at < 0 {
		return Probabilities{}, false
	}
	p := Probabilities{Of: map[string]float64{}}
	sum := 0.0
	for _, l := range r.Tokens[at].Top {
		letter := optionOf(l.Text, letters)
		if letter == "" || l.P <= 0 || math.IsNaN(l.P) || l.P > 1.001 {
			continue
		}
		p.Of[letter] += l.P // " A" and "A" are two tokens and one option
		sum += l.P
	}
	if sum <= 0 {
		return Probabilities{}, false
	}
	for letter, v := range p.Of {
		p.Of[letter] = v / sum
	}
	p.Missing = max(0, 1-sum)
	for _, letter := range letters { // in a fixed order: sums of floats depend on it
		if v := p.Of[letter]; v > 0 {
			p.Entropy -= float64(v * math.Log(v))
		}
	}
	return p, true
}

// likeliest is the letter of the highest probability, the first of equals.
func (p Probabilities) likeliest(letters []string) string {
	best := ""
	for _, l := range letters {
		if v, ok := p.Of[l]; ok && (best == "" || v > p.Of[best]) {
			best = l
		}
	}
	return best
}

// answerToken finds the token that says the answer: the first letter after the last "answer" of the text, else the first token if it is one.
func answerToken(tokens []Token, letters []string) int {
	var text strings.Builder
	starts := make([]int, len(tokens))
	for i, t := range tokens {
		starts[i] = text.Len()
		text.WriteString(t.Text)
	}
	from := strings.LastIndex(lowerASCII(text.String()), "answer")
	if from >= 0 {
		from += len("answer")
	}
	for i, t := range tokens {
		if starts[i] >= from && optionOf(t.Text, letters) != "" {
			return i
		}
		if from < 0 && strings.TrimSpace(t.Text) != "" {
			break // without a key only the first word can be the answer
		}
	}
	return -1
}

// optionOf gives the letter that a token stands for, or "".
func optionOf(token string, letters []string) string {
	token = strings.ToUpper(strings.Trim(token, " \t\n\"'(.):*▁Ġ"))
	for _, l := range letters {
		if token == strings.ToUpper(l) {
			return l
		}
	}
	return ""
}

// lowerASCII brings A–Z to lower case and keeps the number of bytes, which strings.ToLower does not.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
