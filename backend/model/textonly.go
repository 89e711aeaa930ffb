package model

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
)

// TextOnly answers from the question and base rates; it never looks at an image, at the card, at earlier answers or at a cue.
type TextOnly struct{}

// Name is "text-only".
func (TextOnly) Name() string { return "text-only" }

// Ask draws an option with a weight by how common such a thing is, by a hash of the question and its options.
func (TextOnly) Ask(_ context.Context, r Request) (Reply, error) {
	a, err := understand(r.Prompt)
	if err != nil {
		return Reply{}, err
	}
	o, hash := guess(a)
	return Said{Steps: guessed(a, o, hash), Answer: o.Letter}.reply(), nil
}

// baseRates are weights of what an option's text speaks of; the first that fits counts.
var baseRates = []struct {
	words  string
	weight uint64
}{
	{"neither", 3}, {"nowhere", 3}, {"nothing", 3}, {"normal", 3}, {"no abnormal", 3}, {"no further", 3},
	{"radiograph", 2}, {"mr", 1}, {"consolidation", 1}, {"right", 4},
}

const otherRate = 3

// guess draws an option from the text of the question alone.
func guess(a asked) (Option, uint64) {
	text := a.question
	for _, o := range a.options {
		text += "\n" + o.Letter + o.Text
	}
	h := sha256.Sum256([]byte(text))
	draw := binary.LittleEndian.Uint64(h[:8])
	weights, total := make([]uint64, len(a.options)), uint64(0)
	for i, o := range a.options {
		weights[i] = otherRate
		for _, b := range baseRates {
			if strings.Contains(" "+strings.ToLower(o.Text), " "+b.words) {
				weights[i] = b.weight
				break
			}
		}
		total += weights[i]
	}
	left := draw % total
	for i, w := range weights {
		if left < w {
			return a.options[i], draw >> 32
		}
		left -= w
	}
	panic("unreachable: the weights add up to the total")
}

// guessed puts an answer into sentences as a model does that has not looked.
func guessed(a asked, o Option, hash uint64) []Claim {
	claim := map[string][]string{
		"S1": {"The examination is: %s.", "This looks like: %s."},
		"S2": {"The abnormality is located as follows: %s.", "Location: %s."},
		"S3": {"The images show: %s.", "The main finding is: %s."},
		"S4": {"Overall this means: %s.", "The impression is: %s."},
	}
	reason := []string{
		"This is the most common pattern in such patients.",
		"The overall appearance is typical of this.",
		"Other possibilities are less likely in this setting.",
	}
	kind := map[string]string{"S1": "technique", "S2": "anatomy", "S3": "finding", "S4": "inference"}
	k := a.stage[:min(2, len(a.stage))]
	forms, ok := claim[k]
	if !ok {
		forms = []string{"%s."}
	}
	steps := []Claim{{Text: fmt.Sprintf(forms[hash%uint64(len(forms))], lowerFirst(o.Text)), Type: kind[k], Places: []Place{}}}
	if hash/7%2 == 0 {
		steps = append(steps, Claim{Text: reason[hash/11%uint64(len(reason))], Type: "inference", Places: []Place{}})
	}
	return steps
}

// lowerFirst makes an option's text fit inside a sentence; an abbreviation stays.
func lowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'a' && s[1] <= 'z' {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}
