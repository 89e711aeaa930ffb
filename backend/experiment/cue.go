package experiment

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"plumbline/backend/review"
)

// cue is what is put beside one question.
type cue struct {
	text    string // in the prompt
	history string // in the card, in place of the history
	target  string // the option that it points to
}

// cueFor gives the cue of a question under a condition; false where the condition has none for it.
func (u *subject) cueFor(c review.Condition, q review.Question, say Wording) (cue, bool) {
	if c.Cue == "" || c.Cue == emphasisCue || c.CueStage != "" && c.CueStage != "S"+strconv.Itoa(q.K) {
		return cue{}, false
	}
	right, known := u.goldUnder(c, q)
	if !known || len(q.Options) < 2 {
		return cue{}, false
	}
	target := right
	if !strings.HasSuffix(c.Cue, "-right") && c.Cue != "leak" && c.Cue != "highlight" {
		target = u.wrongOption(q, right)
	}
	if target == "" {
		return cue{}, false
	}
	text := say.cue(c.Cue, q, target)
	if c.Cue == "history-wrong" {
		return cue{history: text, target: target}, true
	}
	return cue{text: text, target: target}, true // no text: it is drawn into the pixels
}

// goldUnder gives the right answer to a question as the image is under a condition: mirrored, another patient's, or with a finding put in.
func (u *subject) goldUnder(c review.Condition, q review.Question) (string, bool) {
	if target := u.targetOf(c, q); target != "" {
		return target, true
	}
	return u.gold(q)
}

// wrongOption draws an option that is not right; one that asserts something as the right one does, where there is one.
func (u *subject) wrongOption(q review.Question, right string) string {
	var wrong, alike []string
	for _, o := range q.Options {
		if q.Same(o.Letter, right) {
			continue
		}
		wrong = append(wrong, o.Letter)
		if negates(o.Text) == negates(optionText(q, right)) {
			alike = append(alike, o.Letter)
		}
	}
	if len(alike) > 0 {
		wrong = alike
	}
	if len(wrong) == 0 {
		return ""
	}
	return wrong[hashOf(string(u.ID), string(q.ID), "cue")%uint64(len(wrong))]
}

// drawn gives the name of the cue that is drawn into the pixels, and whether at the right place; "" where the condition has none.
func drawn(c review.Condition) (name string, right bool) {
	name, side, _ := strings.Cut(c.Cue, "-")
	switch name {
	case "box", "arrow", "heatmap":
		return name, side == "right"
	case "highlight":
		return name, true
	}
	return "", false
}

// cardText tells the context as a prompt does. history stands in place of the card's where it is not "".
func cardText(c review.Context, condition, history string) string {
	if condition == "no-context" {
		return history
	}
	if field, value, changed := strings.Cut(strings.TrimPrefix(condition, "context:"), "="); changed {
		switch field {
		case "age":
			c.Age = value
		case "sex":
			c.Sex = value
		case "ethnicity":
			c.Ethnicity = value
		case "history":
			c.History = value
		case "earlier_report":
			c.EarlierReport = value
		default: // the map is the case's own: a changed copy stands in for it
			vitals := maps.Clone(c.Vitals)
			if name := strings.TrimPrefix(field, "vitals."); vitals != nil {
				vitals[name] = value
			}
			c.Vitals = vitals
		}
	}
	if history != "" {
		c.History = history
	}
	var head, parts []string
	if c.Age != "" {
		head = append(head, c.Age+" years")
	}
	for _, s := range []string{c.Sex, c.Ethnicity} {
		if s != "" {
			head = append(head, s)
		}
	}
	if len(head) > 0 {
		parts = append(parts, strings.Join(head, ", ")+".")
	}
	for _, name := range slices.Sorted(maps.Keys(c.Vitals)) {
		parts = append(parts, name+" "+c.Vitals[name]+".")
	}
	for _, s := range []string{c.History, c.EarlierReport} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.ReplaceAll(strings.Join(parts, " "), "\n", " ")
}
