package export

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// Prompt says how questions and answers are worded for trainers.
type Prompt string

// The choices of Prompt.
const (
	StagePrompt  Prompt = ""        // stage, question and options; answered in the words of the option
	LetterPrompt Prompt = "letters" // likewise, answered by the option's letter
	PlainPrompt  Prompt = "plain"   // the question alone, answered in words
)

// asking is a question as a trainer sees it.
func (c *Case) asking(q review.Question) string {
	if c.prompt == PlainPrompt {
		return q.Text
	}
	var b strings.Builder
	if q.Stage != "" {
		b.WriteString(q.Stage + ": ")
	}
	b.WriteString(q.Text)
	for _, o := range q.Options {
		b.WriteString("\n(" + o.Letter + ") " + o.Text)
	}
	if c.prompt == LetterPrompt && len(q.Options) > 0 {
		b.WriteString("\nAnswer with the letter of one option.")
	}
	return b.String()
}

// answering is an answer as a trainer sees it: the option's text or letter.
func (c *Case) answering(q review.Question, answer string) string {
	if c.prompt != LetterPrompt {
		return worded(q, answer)
	}
	for _, o := range q.Options {
		if q.Same(answer, o.Letter) {
			return o.Letter
		}
	}
	return answer
}

// thinking puts reasoning before an answer.
func thinking(thoughts []string, answer string) string {
	if len(thoughts) == 0 {
		return answer
	}
	return "<think>" + strings.Join(thoughts, " ") + "</think>" + answer
}

// spoken is a step in words with the boxes that it rests on.
func (c *Case) spoken(text string, regions []review.Region) string {
	boxes := ""
	for _, r := range regions {
		if !strings.Contains(text, "[") {
			boxes += boxText([]review.Region{r}, c.exifOf(r))
		}
	}
	if boxes == "" {
		return text
	}
	if trimmed, stopped := strings.CutSuffix(text, "."); stopped {
		return trimmed + boxes + "."
	}
	return text + boxes
}

// thoughts gives the steps of an answer that are supported, in words with the readers' evidence, and the label they rest on.
func (c *Case) thoughts(chain Chain, q review.QuestionID, which Labels) (out []string, l Label) {
	a, _ := chain.answer(q)
	for _, s := range a.Steps {
		r, label, why := c.stepLabel(chain.Chain, s.ID, which)
		if why != "" || r.Support != review.Supported || s.Text == nil {
			continue
		}
		out = append(out, c.spoken(*s.Text, r.Evidence))
		if l.From != fromAdjudicated {
			l = label
		}
	}
	return out, l
}

// turn is one turn of a conversation.
type turn struct {
	asked, said string
}

// goldTurns are the questions of a case with their right answers, in stage order; ok is false where one is not known. With a chain, each
// answer comes with those steps of the chain that hold.
func (c *Case) goldTurns(chain *Chain, which Labels) (turns []turn, l Label, ok bool) {
	l = Label{From: fromGold}
	for _, q := range c.asked() {
		gold, _, known := c.gold(q)
		if !known {
			return nil, l, false
		}
		var thoughts []string
		if chain != nil {
			var from Label
			if thoughts, from = c.thoughts(*chain, q.ID, which); from.From != "" {
				l = from
			}
		}
		turns = append(turns, turn{c.asking(q), thinking(thoughts, c.answering(q, gold))})
	}
	return turns, l, len(turns) > 0
}

// told is a question with the earlier answers of a chain before it, as one prompt.
func (c *Case) told(q review.Question, chain Chain, cue string) string {
	var b strings.Builder
	for _, earlier := range c.asked() {
		if earlier.K >= q.K || earlier.ID == q.ID {
			continue
		}
		if a, there := chain.answer(earlier.ID); there && a.Answer != nil {
			b.WriteString(c.asking(earlier) + "\nAnswer: " + c.answering(earlier, *a.Answer) + "\n\n")
		}
	}
	b.WriteString(c.asking(q))
	if cue != "" {
		b.WriteString("\n" + cue)
	}
	return b.String()
}

// stepped adds the steps that come before to a prompt.
func stepped(prompt string, before []string) string {
	if len(before) == 0 {
		return prompt
	}
	return prompt + "\nReasoning so far: " + strings.Join(before, " ")
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
