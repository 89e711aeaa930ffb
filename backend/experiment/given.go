package experiment

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plumbline/backend/model"
	"plumbline/backend/review"
)

// given is what a stage is told of earlier answers.
type given struct {
	lines   []string
	targets map[review.QuestionID]string // what a corrupted answer implies, for questions of a later stage that build on it
}

// cannotTell is what a model that abstained is quoted with.
const cannotTell = "cannot tell"

// toldOwn writes earlier answers as they were given.
func toldOwn(questions []review.Question, answers map[review.QuestionID]review.Answer) []string {
	var out []string
	for _, q := range questions {
		a, asked := answers[q.ID]
		switch {
		case !asked:
		case a.Answer == nil:
			out = append(out, model.Told(q.Text, cannotTell, ""))
		default:
			out = append(out, model.Told(q.Text, *a.Answer, optionText(q, *a.Answer)))
		}
	}
	return out
}

// toldGold writes the right answers to earlier questions, one of them (changed, where not "") with another answer.
func (u *subject) toldGold(questions []review.Question, changed review.QuestionID, answer string) []string {
	var out []string
	for _, q := range questions {
		gold, known := u.gold(q)
		if !known {
			continue
		}
		if q.ID == changed {
			gold = answer
		}
		out = append(out, model.Told(q.Text, gold, optionText(q, gold)))
	}
	return out
}

// tell gives what question at (its place among the questions) is told under a condition; own is what the chain said so far, held the
// answers of the run that given:… names.
func (u *subject) tell(c review.Condition, at int, own, held map[review.QuestionID]review.Answer) given {
	earlier := u.questions[:at]
	name, value, _ := strings.Cut(c.Given, ":")
	switch {
	case name == "given":
		return given{lines: toldOwn(earlier, held)}
	case name == "gold" && value != "":
		upTo, _ := strconv.Atoi(value) // ParseCondition lets only numbers through
		split := 0
		for split < at && earlier[split].K <= upTo {
			split++
		}
		return given{lines: append(u.toldGold(earlier[:split], "", ""), toldOwn(earlier[split:], own)...)}
	case name == "gold":
		return given{lines: u.toldGold(earlier, "", "")}
	case name == "given-none":
		return given{}
	case name == "given-swap":
		var lines []string
		for _, q := range earlier {
			if letter := u.answerOf(u.donor, q); letter != "" {
				lines = append(lines, model.Told(q.Text, letter, optionText(q, letter)))
			}
		}
		return given{lines: lines}
	case name == "contradict":
		lines := u.toldGold(earlier, "", "")
		if len(lines) > 0 {
			lines = append(lines, "All of the answers above are wrong.")
		}
		return given{lines: lines}
	case strings.HasPrefix(name, "corrupt-"):
		changed, k, answer := u.corruption(c)
		g := given{lines: u.toldGold(earlier, changed, answer), targets: map[review.QuestionID]string{}}
		for _, i := range u.truth[u.questions[at].ID].Implies {
			if q := u.questions[at]; q.K > k && i.IfQuestion == changed && builds(q, changed) && i.IfAnswer == answer {
				g.targets[u.questions[at].ID] = i.Answer
			}
		}
		return g
	}
	return given{lines: toldOwn(earlier, own)}
}

// tellsOwn says whether later questions are told what the chain answered to earlier ones.
func tellsOwn(c review.Condition) bool {
	name, value, _ := strings.Cut(c.Given, ":")
	switch name {
	case "", "own", "expert":
		return true
	case "gold":
		return value != ""
	}
	return false
}

// corruption finds the question whose answer a condition makes wrong, and the wrong answer: the first, in stage order and within the stage
// that the condition names, that can be made wrong in that way; k is its stage. "" where there is none.
func (u *subject) corruption(c review.Condition) (changed review.QuestionID, k int, answer string) {
	for i, q := range u.questions {
		if i == len(u.questions)-1 || c.GivenStage != "" && c.GivenStage != "S"+strconv.Itoa(q.K) || !u.present(q) {
			continue
		}
		if answer := u.wrong(q, strings.TrimPrefix(c.Given, "corrupt-")); answer != "" {
			return q.ID, q.K, answer
		}
	}
	return "", 0, ""
}

// wrong gives an answer to q that is wrong in one way: side, organ, negate or grade. "" where no option is.
func (u *subject) wrong(q review.Question, way string) string {
	gold, known := u.gold(q)
	if !known {
		return ""
	}
	goldText := optionText(q, gold)
	category := strings.ToLower(q.Category)
	var fits []string
	for _, o := range q.Options {
		if u.isGold(q, o.Letter) {
			continue
		}
		none := negates(o.Text)
		ok := false
		switch way {
		case "side":
			ok = !none && otherSide(goldText) != "" && strings.EqualFold(o.Text, otherSide(goldText))
		case "organ":
			ok = !none && containsAny(category, "organ", "region", "location", "segment", "level")
		case "negate":
			ok = none && !negates(goldText)
		case "grade":
			ok = !none && containsAny(category, "size", "grade", "severity", "stage")
		}
		if ok {
			fits = append(fits, o.Letter)
		}
	}
	if len(fits) == 0 {
		return ""
	}
	return fits[hashOf(string(u.ID), string(q.ID), way)%uint64(len(fits))]
}

func containsAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// negates says whether an option says that nothing is there.
func negates(text string) bool {
	first, _, _ := strings.Cut(strings.ToLower(text)+" ", " ")
	first = strings.TrimRight(first, ":,.")
	return slices.Contains([]string{"no", "none", "not", "nothing", "nowhere", "neither", "never", "normal", "absent", "without", "negative", "unremarkable"}, first)
}

var sideWord = regexp.MustCompile(`(?i)\b(left|right)(-?sided|ward|most)?\b`)

// otherSide exchanges left and right in a text; "" where it names no side, or both.
func otherSide(text string) string {
	sides := map[string]bool{}
	for _, m := range sideWord.FindAllStringSubmatch(text, -1) {
		sides[strings.ToLower(m[1])] = true
	}
	if len(sides) != 1 {
		return ""
	}
	return sideWord.ReplaceAllStringFunc(text, func(word string) string {
		return strings.NewReplacer("left", "right", "Left", "Right", "LEFT", "RIGHT", "right", "left", "Right", "Left", "RIGHT", "LEFT").Replace(word)
	})
}

// builds says whether a question rests on an earlier one: on all of them, where it names none.
func builds(q review.Question, on review.QuestionID) bool {
	for _, p := range q.Parents {
		if p == on {
			return true
		}
	}
	return len(q.Parents) == 0
}
