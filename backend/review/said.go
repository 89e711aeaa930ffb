package review

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Read brings what somebody's answer names to the form in which it is stored: an option's letter, letters of several options sorted and
// joined by ", ", or free text. It is the only place where this is done. The answer is "" unless the outcome is ParseOK.
func (q Question) Read(said string) (string, Parse) {
	answer := strings.TrimSpace(strings.Trim(strings.TrimSpace(said), "\"'`*_ \t\r\n"))
	if letter, ok := q.names(answer); ok {
		return letter, ParseOK
	}
	switch {
	case answer == "" || isAbstention(answer):
		return "", Abstained
	case Refuses(answer):
		return "", Declined
	case len(q.Options) == 0:
		return answer, ParseOK
	}
	letters := []string{}
	for _, part := range strings.FieldsFunc(strings.NewReplacer(" and ", ",", " & ", ",").Replace(answer), func(r rune) bool { return strings.ContainsRune(",;|[]", r) }) {
		if strings.TrimSpace(part) == "" {
			continue
		}
		letter, ok := q.names(part)
		if !ok {
			return "", Unparsed
		}
		if !slices.Contains(letters, letter) {
			letters = append(letters, letter)
		}
	}
	if len(letters) == 0 {
		return "", Unparsed
	}
	slices.Sort(letters)
	return strings.Join(letters, ", "), ParseOK
}

// names gives the letter that one answer names: "B", "(b)", "B.", "B) Left effusion", "Option B", "Left effusion".
func (q Question) names(said string) (string, bool) {
	said = strings.Trim(strings.TrimSpace(said), "\"'`* ")
	for _, whole := range []string{said, strings.TrimRight(said, ". ")} {
		for _, o := range q.Options {
			if Fold(whole) == Fold(o.Text) || Fold(whole) == Fold(o.Letter) {
				return o.Letter, true
			}
		}
	}
	short := Fold(said)
	for _, prefix := range []string{"option ", "choice ", "answer "} {
		short = strings.TrimPrefix(short, prefix)
	}
	short = strings.TrimPrefix(short, "(")
	for _, o := range q.Options {
		rest, ok := strings.CutPrefix(short, Fold(o.Letter))
		if !ok {
			continue
		}
		if rest == "" || rest == ")" {
			return o.Letter, true
		}
		words := strings.Trim(strings.TrimLeft(rest, ".):- "), ". *")
		if marked := strings.ContainsRune(".):", rune(rest[0])); marked && (words == "" || words == strings.Trim(Fold(o.Text), ". ")) {
			return o.Letter, true // the letter with its own text; with another's text it contradicts itself
		}
	}
	return "", false
}

// Ways in which a text says its conclusion; the last in the text counts.
var (
	taggedAnswer = regexp.MustCompile(`(?is)<answer>(.*?)</answer>`)
	boxedAnswer  = regexp.MustCompile(`\\boxed\{([^{}]*)\}`)
	saidAnswer   = regexp.MustCompile(`(?im)\banswer\b[ \t]*(?:is\b|[:=])[ \t:*"]*(.+?)[ \t]*$`)
)

// Conclusion parts the answer of a prose reply from the words before it; without any mark the whole text is the answer.
func Conclusion(text string) (answer, before string) {
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

// Refuses says whether a reply begins as one that declines.
func Refuses(text string) bool {
	start := Fold(strings.ReplaceAll(text[:min(len(text), 200)], "’", "'"))
	return slices.ContainsFunc(refusals, func(r string) bool { return strings.HasPrefix(start, r) })
}

func isAbstention(answer string) bool {
	if len(answer) > 60 {
		return false
	}
	return slices.Contains(abstentions, strings.Trim(Fold(strings.ReplaceAll(answer, "’", "'")), ". !"))
}

// Sentences parts a text at line ends and at full stops that are followed by a new sentence: not within "1.5 cm" or "approx. 3". It
// gives little more than so many.
func Sentences(text string, most int) []string {
	var out []string
	keep := func(s string) {
		s = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(s), "-*•# "))
		if strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) }) {
			out = append(out, s)
		}
	}
	for line := range strings.Lines(text) {
		runes := []rune(line)
		start := 0
		for i := 0; i+2 < len(runes); i++ {
			if strings.ContainsRune(".!?", runes[i]) && unicode.IsSpace(runes[i+1]) && (unicode.IsUpper(runes[i+2]) || strings.ContainsRune("<([", runes[i+2])) {
				keep(string(runes[start : i+1]))
				start = i + 1
			}
			if len(out) > most {
				return out
			}
		}
		keep(string(runes[start:]))
	}
	return out
}

// The ways in which boxes stand in running text: [x,y,x,y] and (x,y,x,y); Qwen's (x,y),(x,y); PaliGemma's four <loc….>.
const numeral = `\s*(-?\d{1,6}(?:\.\d{1,8})?)\s*`

var inlineBox = regexp.MustCompile(`[\[(]` + numeral + `,` + numeral + `,` + numeral + `,` + numeral + `[\])]|\(` + numeral + `,` + numeral + `\)\s*,?\s*\(` + numeral + `,` + numeral + `\)|<loc(\d{4})><loc(\d{4})><loc(\d{4})><loc(\d{4})>`)

// InlineBox is a box in running text.
type InlineBox struct {
	At      int // byte in the text
	Numbers [4]float64
}

// InlineBoxes finds the boxes in a text, so many at most.
func InlineBoxes(text string, most int) []InlineBox {
	var out []InlineBox
	for _, m := range inlineBox.FindAllStringSubmatchIndex(text, most) {
		b := InlineBox{At: m[0]}
		n := 0
		for g := 2; g < len(m) && n < 4; g += 2 {
			if m[g] < 0 {
				continue
			}
			v, err := strconv.ParseFloat(text[m[g]:m[g+1]], 64)
			if err != nil {
				break // the pattern lets numbers through only
			}
			b.Numbers[n] = v
			n++
		}
		out = append(out, b)
	}
	return out
}
