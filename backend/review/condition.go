package review

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A ConditionName is one name that a condition is joined of, with what it changes.
type ConditionName struct {
	Name   string `json:"name"`   // as it is written; <n>, <condition> … stand for a value
	Factor string `json:"factor"` // the field of the vector that it changes
	Stage  bool   `json:"stage"`  // may be followed by @ and a stage
	Does   string `json:"does"`
}

// The names of the pressures of a cue.
func pressures() []string {
	return []string{"expert_correction", "emotional", "social_consensus", "ethical_economic", "stylistic_mimicry", "authority_based", "technological_doubt"}
}

// Fills are the ways in which a region of an image is replaced.
func Fills() []string { return []string{"remove", "tissue", "blur", "mean", "black"} }

// ConditionNames lists every name of measurement.md, "Conditions", in the order of the vector.
func ConditionNames() []ConditionName {
	all := []ConditionName{
		{"original", "image", false, "nothing is changed"},
		{"noop", "image", false, "the same input, asked again"},
		{"occ", "image", false, "the evidence is replaced; occ/remove, occ/tissue, occ/blur, occ/mean, occ/black name the fill"},
		{"ctl", "image", false, "the same is done to a control region"},
		{"only", "image", false, "everything but the evidence is replaced"},
		{"onlyctl", "image", false, "everything but a control region is replaced"},
		{"blank", "image", false, "an even picture of the same size"},
		{"none", "image", false, "no image"},
		{"swap", "image", false, "another patient's image of the same kind, with different right answers"},
		{"mirror", "image", false, "left and right exchanged"},
		{"insert", "image", false, "a finding is put in; phantom or supplied pairs only"},
		{"full", "volume", false, "all frames"},
		{"key", "volume", false, "the frames with evidence only"},
		{"slab-occ", "volume", false, "the frames with evidence are replaced whole"},
		{"slab-ctl", "volume", false, "as many other frames are replaced whole"},
		{"drop", "volume", false, "the frames with evidence are left out"},
		{"shuffle", "volume", false, "the frames stand in a random order"},
		{"slices:<frames>", "slices", false, "which frames are sent: 4-9 (from 0, both in it), every-3, middle-5"},
		{"window:<W/L>", "window", false, "the window in which the frames are sent: width and level"},
		{"own", "given", false, "the run's own earlier answers"},
		{"given:<condition>", "given", true, "earlier answers held at those of another run of the same case"},
		{"gold", "given", true, "the right earlier answers"},
		{"gold:<n>", "given", false, "the right earlier answers up to stage n, then its own"},
		{"corrupt-side", "given", true, "the right earlier answers, one with the other side"},
		{"corrupt-organ", "given", true, "the right earlier answers, one with another place"},
		{"corrupt-negate", "given", true, "the right earlier answers, one negated"},
		{"corrupt-grade", "given", true, "the right earlier answers, one with another size or grade"},
		{"given-none", "given", true, "no earlier answers"},
		{"given-swap", "given", true, "earlier answers of another patient"},
		{"contradict", "given", true, "the right earlier answers, and that they are wrong"},
		{"expert", "given", true, "a reader's corrections in place of the model's answers"},
	}
	for _, p := range pressures() {
		all = append(all, ConditionName{p, "cue", true, "pressure towards a wrong answer"})
	}
	for _, c := range [][2]string{
		{"suggest-right", "the right answer is suggested"}, {"suggest-wrong", "a wrong answer is suggested"}, {"leak", "the right answer is on file"},
		{"box-right", "a box is drawn around the evidence"}, {"box-wrong", "a box is drawn elsewhere"},
		{"arrow-right", "an arrow points to the evidence"}, {"arrow-wrong", "an arrow points elsewhere"},
		{"heatmap-right", "a heatmap lies over the evidence"}, {"heatmap-wrong", "a heatmap lies elsewhere"},
		{"highlight", "the evidence is lit up"}, {"emphasis", "what a reader points to is named and boxed (prompt emphasis)"}, {"history-wrong", "the history speaks for a wrong answer"},
	} {
		all = append(all, ConditionName{c[0], "cue", true, c[1]})
	}
	return append(all, []ConditionName{
		{"no-context", "context", false, "the card is left out"},
		{"context:<field>=<value>", "context", false, "one field of the card is changed"},
		{"lang:<code>", "language", false, "the question in another language"},
		{"word:<n>", "paraphrase", false, "the question in other words, n-th variant"},
		{"sentence:<n>", "paraphrase", false, "the question in another sentence, n-th variant"},
		{"semantic:<n>", "paraphrase", false, "the question put otherwise, n-th variant; imported groups only"},
		{"early:<k>", "text", false, "the reasoning is cut after k steps and given back"},
		{"mistake:<k>", "text", false, "step k of the reasoning is altered and given back"},
		{"filler", "text", false, "the reasoning is replaced by filler"},
		{"confident:<p>", "text", false, "the reasoning ends once the model is so sure of an option, in per cent: asked again after each step"},
		{"mitigate:<name>", "mitigation", false, "a prompt that answers pressure"},
	}...)
}

// ParseCondition reads a condition as the command line writes it: names joined with +, a fill after /, a stage after @. No two names may
// change the same field. "orig" is short for original after given:.
func ParseCondition(text string) (Condition, error) {
	c := Condition{Image: "original", Given: "own"}
	set := map[string]string{}
	for _, word := range strings.Split(text, "+") {
		word = strings.TrimSpace(word)
		factor, err := c.take(word)
		if err != nil {
			return Condition{}, err
		}
		if before, twice := set[factor]; twice {
			return Condition{}, fmt.Errorf("%q: %s and %s both change the %s; one of them expected", text, before, word, factor)
		}
		set[factor] = word
	}
	return c, nil
}

// take puts one name into the vector and gives the factor that it changes.
func (c *Condition) take(word string) (factor string, err error) {
	plain, stage, staged := strings.Cut(word, "@")
	name, fill, filled := strings.Cut(plain, "/")
	if strings.HasPrefix(plain, "window:") {
		name, fill, filled = plain, "", false
	}
	head, value, valued := strings.Cut(plain, ":")
	if head == "given" && value == "orig" {
		value = "original"
	}
	found := ConditionName{}
	for _, n := range ConditionNames() {
		if pattern, _, takes := strings.Cut(n.Name, ":"); takes && valued && pattern == head && value != "" || !takes && (n.Name == plain || n.Name == name && filled) {
			found = n
			break
		}
	}
	switch {
	case found.Name == "":
		return "", fmt.Errorf("%q is no condition; see the list of conditions", word)
	case staged && (!found.Stage || !isStage(stage)):
		return "", fmt.Errorf("%q: a stage is written @S1, @S2 … after a given answer or a cue", word)
	case filled && !valued && (!slices.Contains([]string{"occ", "ctl", "only", "onlyctl"}, name) || !slices.Contains(Fills(), fill)):
		return "", fmt.Errorf("%q: a fill (%s) follows occ, ctl, only or onlyctl", word, strings.Join(Fills(), ", "))
	}
	if err := checkValue(found.Name, head, value); err != nil {
		return "", fmt.Errorf("%q: %w", word, err)
	}
	switch found.Factor {
	case "image":
		c.Image, c.Fill = name, fill
	case "volume":
		c.Volume = plain
	case "slices":
		c.Slices = value
	case "window":
		c.Window = value
	case "given":
		c.Given, c.GivenStage = plain, stage
		if head == "given" && valued {
			c.Given, c.GivenFrom = head, value
		}
	case "cue":
		c.Cue, c.CueStage = plain, stage
	case "context":
		c.Context = plain
	case "language":
		c.Language = value
	case "paraphrase":
		c.Paraphrase = plain
	case "text":
		c.Text = plain
	case "mitigation":
		c.Mitigation = value
	}
	return found.Factor, nil
}

// checkValue says in words why a value cannot follow a name.
func checkValue(pattern, head, value string) error {
	switch {
	case strings.HasSuffix(pattern, "<n>") || strings.HasSuffix(pattern, "<k>"):
		if n, err := strconv.Atoi(value); err != nil || n < 1 {
			return fmt.Errorf("%s: takes a number from 1", head)
		}
	case pattern == "confident:<p>":
		if p, err := strconv.ParseFloat(value, 64); err != nil || !(p > 0 && p <= 100) {
			return fmt.Errorf("confident: takes a probability in per cent, above 0 and up to 100")
		}
	case pattern == "given:<condition>":
		other, err := ParseCondition(value)
		if err != nil {
			return err
		}
		if other.Given != "own" {
			return fmt.Errorf("given: takes a run whose earlier answers are its own")
		}
	case pattern == "slices:<frames>":
		_, err := ParseSlices(value)
		return err
	case pattern == "window:<W/L>":
		_, err := ParseWindow(value)
		return err
	case strings.HasPrefix(pattern, "context:") && !strings.Contains(value, "="):
		return fmt.Errorf("context:<field>=<value> expected")
	}
	return nil
}

func isStage(s string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(s, "S"))
	return strings.HasPrefix(s, "S") && err == nil && n > 0
}

// Name writes a condition as ParseCondition reads it: the fields that are touched, joined with +.
func (c Condition) Name() string {
	var parts []string
	add := func(prefix, value, suffix string) {
		if value != "" {
			parts = append(parts, prefix+value+suffix)
		}
	}
	after := func(mark, s string) string {
		if s == "" {
			return ""
		}
		return mark + s
	}
	if c.Image != "original" {
		add("", c.Image, after("/", c.Fill))
	}
	if c.Volume != "full" {
		add("", c.Volume, "")
	}
	add("slices:", c.Slices, "")
	add("window:", c.Window, "")
	if c.Given != "own" {
		add("", c.Given, after(":", c.GivenFrom)+after("@", c.GivenStage))
	}
	add("", c.Cue, after("@", c.CueStage))
	add("", c.Context, "")
	add("lang:", c.Language, "")
	add("", c.Paraphrase, "")
	add("", c.Text, "")
	add("mitigate:", c.Mitigation, "")
	if len(parts) == 0 {
		return "original"
	}
	return strings.Join(parts, "+")
}

// Differences lists the fields in which two conditions differ. Earlier answers that are a run's own count as held at those of that very
// run, so "original" and "occ+given:orig" differ in the image alone; those of two runs that both use their own are the same choice.
func (c Condition) Differences(d Condition) []string {
	out := []string{}
	note := func(factor, a, b, untouched string) {
		if a != b && (a != "" && a != untouched || b != "" && b != untouched) {
			out = append(out, factor)
		}
	}
	note("image", c.Image, d.Image, "original")
	if c.Fill != "" && d.Fill != "" {
		note("fill", c.Fill, d.Fill, "")
	}
	note("volume", c.Volume, d.Volume, "full")
	note("slices", c.Slices, d.Slices, "")
	note("window", c.Window, d.Window, "")
	if a, b := c.told(), d.told(); a != b && (c.givenOther() || d.givenOther()) {
		out = append(out, "given")
	}
	note("cue", c.Cue+"@"+c.CueStage, d.Cue+"@"+d.CueStage, "@")
	note("context", c.Context, d.Context, "")
	note("language", c.Language, d.Language, "")
	note("paraphrase", c.Paraphrase, d.Paraphrase, "")
	note("text", c.Text, d.Text, "")
	note("mitigation", c.Mitigation, d.Mitigation, "")
	return out
}

func (c Condition) givenOther() bool { return c.Given != "" && c.Given != "own" }

// told names where the earlier answers come from.
func (c Condition) told() string {
	switch {
	case !c.givenOther():
		own := c
		own.Given, own.Fill = "", ""
		return own.Name()
	case c.Given == "given":
		from, _, _ := strings.Cut(c.GivenFrom, "/")
		return from
	}
	return c.Given + "@" + c.GivenStage
}

// Comparable refuses a comparison of two conditions that differ in more than most fields: one, or two for the 2×2 of mediation.
func (c Condition) Comparable(d Condition, most int) error {
	if factors := c.Differences(d); len(factors) > most {
		return fmt.Errorf("%s and %s differ in %s; a comparison changes %d", c.Name(), d.Name(), strings.Join(factors, ", "), most)
	}
	return nil
}

// StandardConditions are those that the report needs.
func StandardConditions() []string {
	return []string{
		"original", "noop", "none", "occ", "ctl", "occ+given:orig", "ctl+given:orig", "original+given:occ", "only", "onlyctl", "swap", "swap+given:orig", "gold",
		"corrupt-side", "corrupt-organ", "corrupt-negate", "suggest-wrong", "suggest-right", "none+suggest-right", "history-wrong",
	}
}
