package experiment

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"plumbline/backend/review"
)

// otherWords lists words that may stand for another in a question without changing what is asked. Words of the options are never touched.
var otherWords = []struct {
	word   string
	others []string
}{
	{"images", []string{"pictures", "scans"}}, {"image", []string{"picture", "scan"}}, {"radiograph", []string{"X-ray", "film"}},
	{"abnormality", []string{"abnormal change", "anomaly"}}, {"abnormalities", []string{"abnormal changes", "anomalies"}}, {"abnormal", []string{"not normal", "altered"}},
	{"main", []string{"principal", "chief"}}, {"best", []string{"most suitable", "most appropriate"}}, {"step", []string{"measure", "action"}},
	{"impression", []string{"conclusion", "overall assessment"}}, {"diagnosis", []string{"diagnostic conclusion", "condition"}},
	{"examination", []string{"study", "exam"}}, {"finding", []string{"observation", "sign"}}, {"findings", []string{"observations", "signs"}},
	{"large", []string{"big", "extensive"}}, {"greatest", []string{"largest", "maximal"}}, {"made", []string{"acquired", "obtained"}}, {"lie", []string{"sit", "reside"}},
	{"chest", []string{"thorax"}}, {"seen", []string{"visible", "shown"}}, {"shown", []string{"displayed", "seen"}}, {"present", []string{"found", "in evidence"}},
	{"likely", []string{"probable"}}, {"consist", []string{"be composed"}}, {"part", []string{"portion", "section"}}, {"lesion", []string{"focal change"}},
	{"organ", []string{"body part"}}, {"patient", []string{"person"}}, {"evidence", []string{"indication"}}, {"show", []string{"demonstrate", "display"}},
}

var inWords = regexp.MustCompile(`[\p{L}\p{N}-]+|[^\p{L}\p{N}-]+`)

// inOtherWords puts a question in other words, in every way that the list knows, in an order that is always the same.
func inOtherWords(text string) []string {
	parts := inWords.FindAllString(text, -1)
	alternatives := map[int][]string{}
	most := 0
	for i, p := range parts {
		for _, w := range otherWords {
			if strings.EqualFold(p, w.word) {
				alternatives[i], most = w.others, max(most, len(w.others))
			}
		}
	}
	var out []string
	write := func(at func(i int, others []string) string) {
		var b strings.Builder
		for i, p := range parts {
			if others := alternatives[i]; others != nil {
				if o := at(i, others); o != "" {
					p = likeFirst(o, p)
				}
			}
			b.WriteString(p)
		}
		if s := b.String(); s != text && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for k := range most {
		write(func(_ int, others []string) string { return others[min(k, len(others)-1)] })
	}
	for i := range parts {
		for k := range alternatives[i] {
			write(func(at int, others []string) string {
				if at == i {
					return others[k]
				}
				return ""
			})
		}
	}
	return out
}

// likeFirst gives a word the case of another's first letter.
func likeFirst(word, like string) string {
	first, _ := utf8.DecodeRuneInString(like)
	r, n := utf8.DecodeRuneInString(word)
	if unicode.IsUpper(first) {
		return string(unicode.ToUpper(r)) + word[n:]
	}
	return word
}

var (
	whQuestion  = regexp.MustCompile(`(?i)^((?:(?:on|in|at|to|from|of) )?(?:which|what)(?: [\p{L}-]+)?(?: of (?:the|that|this) [\p{L}-]+)?|where|how(?: [\p{L}-]+)?|in which part of that side) (is|are|was|were|does|do|did|has|have|can) (.+)\?$`)
	determiner  = regexp.MustCompile(`(?i)^(the|an?|this|that|these|those|it|they|there|his|her|its|their)\b`)
	thereIs     = regexp.MustCompile(`(?i)^(is|are|was|were) there (.+)\?$`)
	lastPhrase  = regexp.MustCompile(`^(.+?)( ?\([^()]*\))$`)
	oneSentence = regexp.MustCompile(`[.!?]\s`)
)

// inAnotherSentence puts a question as another sentence with the same words where it can.
func inAnotherSentence(text string) []string {
	q := strings.TrimSpace(text)
	lower := func(s string) string {
		r, n := utf8.DecodeRuneInString(s)
		if n < len(s) && unicode.IsUpper(r) {
			if next, _ := utf8.DecodeRuneInString(s[n:]); !unicode.IsUpper(next) {
				return string(unicode.ToLower(r)) + s[n:]
			}
		}
		return s
	}
	var out []string
	if !oneSentence.MatchString(q) {
		if m := whQuestion.FindStringSubmatch(q); m != nil {
			rest, tail := m[3], ""
			if p := lastPhrase.FindStringSubmatch(rest); p != nil {
				rest, tail = p[1], p[2]
			}
			if said := strings.ToLower(m[2]); strings.HasPrefix(said, "d") { // does, do, did stay before their verb
				if cut := strings.LastIndexByte(rest, ' '); cut > 0 {
					out = append(out, "State "+lower(m[1])+" "+rest[:cut]+" "+m[2]+" "+rest[cut+1:]+tail+".")
				}
			} else if determiner.MatchString(rest) {
				out = append(out, "State "+lower(m[1])+" "+rest+" "+m[2]+tail+".")
			} else { // what is asked for is the subject itself
				out = append(out, "State "+lower(m[1])+" "+m[2]+" "+rest+tail+".")
			}
		} else if m := thereIs.FindStringSubmatch(q); m != nil {
			out = append(out, "State whether there "+strings.ToLower(m[1])+" "+m[2]+".")
		}
	}
	return append(out, "Answer this question: "+q, "Judge by what you are shown: "+lower(q), "What you are asked is the following. "+q)
}

// paraphrased gives the text of a question under a condition: that of an imported group, else by rule. False where there is no such variant.
func (u *subject) paraphrased(c review.Condition, q review.Question) (string, bool) {
	level, number, _ := strings.Cut(c.Paraphrase, ":")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return "", false
	}
	var members []review.Case
	for _, s := range u.siblings {
		if s.Level == level && s.ID != u.ID {
			members = append(members, s)
		}
	}
	if len(members) > 0 {
		slices.SortFunc(members, func(a, b review.Case) int { return cmp.Compare(a.ID, b.ID) })
		if n > len(members) {
			return "", false
		}
		other, found := counterpart(u.Case, members[n-1], q)
		return other.Text, found && other.Text != q.Text
	}
	if u.Language != "" && !strings.HasPrefix(strings.ToLower(u.Language), "en") {
		return "", false
	}
	variants := map[string]func(string) []string{"word": inOtherWords, "sentence": inAnotherSentence}[level]
	if variants == nil {
		return "", false
	}
	all := variants(q.Text)
	if n > len(all) {
		return "", false
	}
	return all[n-1], true
}

// translated gives a question in another language: that of the group's case in it, where it offers the same letters.
func (u *subject) translated(language string, q review.Question) (review.Question, bool) {
	for _, s := range u.siblings {
		if s.ID == u.ID || !strings.EqualFold(s.Language, language) {
			continue
		}
		other, found := counterpart(u.Case, s, q)
		if !found || !slices.EqualFunc(other.Options, q.Options, func(a, b review.Option) bool { return a.Letter == b.Letter }) {
			continue
		}
		q.Text, q.Options, q.Stage = other.Text, other.Options, other.Stage
		return q, true
	}
	return q, false
}

// counterpart finds the question of a group's case that stands for one of another: the same id, else the only one of both.
func counterpart(mine, other review.Case, q review.Question) (review.Question, bool) {
	for _, o := range other.Questions {
		if o.ID == q.ID {
			return o, true
		}
	}
	if len(mine.Questions) == 1 && len(other.Questions) == 1 {
		return other.Questions[0], true
	}
	return review.Question{}, false
}
