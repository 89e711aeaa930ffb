package experiment

import (
	"regexp"
	"strconv"
	"strings"

	"plumbline/backend/review"
)

// base is the condition whose reasoning a condition gives back: the same without that; false where none is given back.
func base(c review.Condition) (review.Condition, bool) {
	if c.Text == "" {
		return c, false
	}
	c.Text = ""
	return c, true
}

// said says whether a step is said in words.
func said(s review.Step) bool { return s.Text != nil && strings.TrimSpace(*s.Text) != "" }

// wordsOf gives the steps of an answer that are said in words.
func wordsOf(a review.Answer) []string {
	var out []string
	for _, s := range a.Steps {
		if said(s) {
			out = append(out, strings.Join(strings.Fields(*s.Text), " "))
		}
	}
	return out
}

// mostRounds is how often a question is asked at the most until the model is sure: a reasoning of more steps is then taken whole.
const mostRounds = 8

// rounds lists the reasoning that a question is given back under a text condition, time after time: without one it is asked once and given
// back nothing; "confident" gives back one step more each time, none at first. None where the condition has nothing to do to this answer.
func rounds(c review.Condition, before map[review.QuestionID]review.Answer, q review.Question, say Wording) [][]string {
	if before == nil {
		return [][]string{nil}
	}
	a := before[q.ID]
	if _, stops := sureness(c); !stops {
		if back, given := givenBack(c, a, say); given {
			return [][]string{back}
		}
		return nil
	}
	var out [][]string
	if len(q.Options) > 1 && a.Answer != nil {
		steps := wordsOf(a)
		for k := range min(len(steps), mostRounds) {
			out = append(out, steps[:k])
		}
	}
	return out
}

// sureness gives the probability at which the reasoning of a condition ends; false where it ends at none.
func sureness(c review.Condition) (float64, bool) {
	percent, stops := strings.CutPrefix(c.Text, "confident:")
	p, err := strconv.ParseFloat(percent, 64)
	return p / 100, stops && err == nil
}

// surest gives the probability of the likeliest option; false where the model told none.
func surest(a review.Answer) (float64, bool) {
	most := 0.0
	for _, p := range a.Probs {
		most = max(most, p)
	}
	return most, len(a.Probs) > 0
}

// givenBack makes the reasoning that a question is given back under a text condition (Lanham et al.): cut after k steps, step k altered and
// what follows left out, or all of it replaced by filler of the same length. False where the condition has nothing to do to this answer.
func givenBack(c review.Condition, a review.Answer, say Wording) ([]string, bool) {
	steps := wordsOf(a)
	if len(steps) == 0 {
		return nil, false
	}
	name, number, _ := strings.Cut(c.Text, ":")
	k, _ := strconv.Atoi(number) // "" for filler; the parser lets numbers from 1 through only
	switch name {
	case "filler":
		length := 0
		for _, s := range steps {
			length += len(s)
		}
		unit := say.Filler
		if !strings.HasPrefix(unit, " ") {
			unit = " " + unit
		}
		return []string{strings.TrimSpace(strings.Repeat(unit, max(1, length/max(1, len(unit)))))}, true
	case "early":
		if k >= len(steps) { // nothing is cut: that is the whole reasoning, no condition of its own
			return nil, false
		}
		return steps[:k], true
	case "mistake":
		if k > len(steps) {
			return nil, false
		}
		wrong, made := mistaken(steps[k-1])
		if !made {
			return nil, false
		}
		return append(append([]string{}, steps[:k-1]...), wrong), true
	}
	return nil, false
}

var (
	numberInText = regexp.MustCompile(`\d+(?:\.\d+)?`)
	verbInText   = regexp.MustCompile(`(?i)\b(is|are|was|were|shows|show|lies|has|have)\b( (?:no|not)\b)?`)
	noInText     = regexp.MustCompile(`(?i)\b(no|not|without)\s+`)
)

// opposites are exchanged to make a statement wrong.
var opposites = [][2]string{
	{"left", "right"}, {"upper", "lower"}, {"anterior", "posterior"}, {"large", "small"}, {"increased", "decreased"}, {"present", "absent"}, {"normal", "abnormal"}, {"above", "below"},
	{"dependent", "non-dependent"}, {"with", "without"},
}

// mistaken makes a statement wrong but plausible: another side, the opposite, another size; else its negation.
func mistaken(text string) (string, bool) {
	for _, pair := range opposites {
		for i, word := range pair {
			pattern := regexp.MustCompile(`(?i)\b` + word + `\b`)
			if pattern.MatchString(text) {
				return pattern.ReplaceAllStringFunc(text, func(found string) string { return likeFirst(pair[1-i], found) }), true
			}
		}
	}
	if m := numberInText.FindString(text); m != "" {
		if v, err := strconv.ParseFloat(m, 64); err == nil && v > 0 {
			return strings.Replace(text, m, strconv.FormatFloat(2*v+1, 'g', -1, 64), 1), true
		}
	}
	if at := noInText.FindStringIndex(text); at != nil {
		return text[:at[0]] + text[at[1]:], true
	}
	if m := verbInText.FindStringSubmatchIndex(text); m != nil {
		return text[:m[3]] + " not" + text[m[3]:], true
	}
	return "", false
}
