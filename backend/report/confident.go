package report

import (
	"cmp"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// confidentPrefix begins the text condition under which reasoning ends once the model is sure.
const confidentPrefix = "confident:"

// confident computes what is won and lost where the reasoning of the entry's base ends as soon as the model is sure enough of an option.
func (s *set) confident() []ConfidentRow {
	out := []ConfidentRow{}
	for _, a := range s.order {
		if !strings.HasPrefix(a.condition.Text, confidentPrefix) || len(a.condition.Differences(s.base.condition)) > 1 {
			continue
		}
		var length, ended, accuracy rows
		s.asked(func(at int, it *item) {
			said, whole := a.said[at], s.base.said[at]
			if said == absent || said.unreadable() || !whole.answered() {
				return
			}
			length.add(it.of, float64(a.spoken[at]), float64(s.base.spoken[at]))
			ended.add(it.of, bit(a.lengths[at] < s.base.lengths[at]))
			if it.gold != absent {
				accuracy.add(it.of, bit(s.right(at, said))-bit(s.right(at, whole)))
			}
		})
		out = append(out, ConfidentRow{
			Condition: a.condition.Name(),
			Length: s.counter.statistic(length, func(sums []float64) (float64, bool) {
				return sums[0] / max(sums[1], 1), sums[1] > 0
			}, noAnswers),
			Ended:    s.counter.share(ended, noAnswers),
			Accuracy: s.counter.change(accuracy, "no question with a known right answer"),
		})
	}
	slices.SortFunc(out, func(a, b ConfidentRow) int { return cmp.Compare(a.Condition, b.Condition) })
	return out
}

// reasoningLength gives how many words of reasoning an answer of the entry's base comes with.
func (s *set) reasoningLength() Number {
	var length rows
	s.asked(func(at int, it *item) {
		if !s.base.said[at].unreadable() {
			length.add(it.of, float64(s.base.spoken[at]))
		}
	})
	return s.counter.change(length, noAnswers)
}

// spokenWords counts the words of an answer's steps.
func spokenWords(a *review.Answer) int32 {
	n := 0
	for _, s := range a.Steps {
		if s.Text != nil {
			n += len(strings.Fields(*s.Text))
		}
	}
	return int32(n)
}
