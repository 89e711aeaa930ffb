package experiment

import (
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// subject is one case with everything that conditions need of it.
type subject struct {
	review.Case
	questions []review.Question // in stage order
	truth     map[review.QuestionID]review.Truth
	stacks    []review.Stack
	donor     *subject      // whose images and answers stand in for "swap"; nil: there is none
	siblings  []review.Case // of its paraphrase group
	inserted  *inserted     // its image with a finding put in; nil: it cannot be put in
}

// kind is the sort of image of a case: modality, and how its frames belong together.
func (u *subject) kind() string {
	if len(u.stacks) == 0 || len(u.stacks[0].Frames) == 0 {
		return ""
	}
	return u.stacks[0].Modality + "/" + string(u.stacks[0].Kind)
}

// view tells from where the image of a case is seen, by its first frame that says so; "" where none does.
func (u *subject) view() string {
	if len(u.stacks) > 0 {
		for _, f := range u.stacks[0].Frames {
			if v := seenFrom(f); v != "" {
				return v
			}
		}
	}
	return ""
}

// seenFrom names the two axes of the patient along which the rows and columns of a frame run, L and R, A and P, H and F being ends of one; ""
// where the file does not say.
func seenFrom(f review.Frame) string {
	axes := []string{}
	switch {
	case len(f.Orientation) == 6:
		for _, along := range [][]float64{f.Orientation[:3], f.Orientation[3:]} {
			most := 0
			for i, v := range along {
				if math.Abs(v) > math.Abs(along[most]) {
					most = i
				}
			}
			axes = append(axes, []string{"L", "A", "H"}[most])
		}
	case len(f.PatientOrientation) == 2 && f.PatientOrientation[0] != "" && f.PatientOrientation[1] != "":
		for _, ends := range f.PatientOrientation {
			axes = append(axes, strings.NewReplacer("R", "L", "P", "A", "F", "H").Replace(ends[:1]))
		}
	}
	slices.Sort(axes) // a picture turned by a quarter shows the same
	return strings.Join(axes, "")
}

// seenAlike says whether two cases are not known to differ in what their pictures are of: the right answers to questions on view or
// plane, and organ, at the first stage. The modality is told by the file.
func (u *subject) seenAlike(d *subject) bool {
	for _, q := range u.questions {
		if q.K != 1 || !containsAny(strings.ToLower(q.Category), "view", "plane", "organ", "region") {
			continue
		}
		if _, known := u.gold(q); known && u.goldOf(d, q) != "" {
			return false
		}
	}
	return true
}

// goldOf gives the right answer of case d to question q of u, as an option of u's; "" where it has none, or where it is u's own.
func (u *subject) goldOf(d *subject, q review.Question) string {
	if letter := u.answerOf(d, q); letter != "" && !u.isGold(q, letter) {
		return letter
	}
	return ""
}

// answerOf gives the right answer of case d to question q of u, as an option of u's; "" where it has none.
func (u *subject) answerOf(d *subject, q review.Question) string {
	for _, other := range d.questions {
		t, known := d.truth[other.ID]
		if other.ID != q.ID || !known || t.Gold == nil {
			continue
		}
		text := optionText(other, *t.Gold)
		for _, o := range q.Options {
			if o.Text == text {
				return o.Letter
			}
		}
	}
	return ""
}

// gold gives the right answer to a question, as an option's letter where there are options; false where none is known, or where it is no
// option: nothing can be pointed to by it.
func (u *subject) gold(q review.Question) (string, bool) {
	return goldFor(q, u.truth[q.ID].Gold)
}

// goldFor gives a right answer as gold does.
func goldFor(q review.Question, gold *string) (string, bool) {
	if gold == nil {
		return "", false
	}
	for _, o := range q.Options {
		if q.Same(o.Letter, *gold) {
			return o.Letter, true
		}
	}
	return *gold, len(q.Options) == 0
}

func (u *subject) isGold(q review.Question, answer string) bool {
	gold, known := u.gold(q)
	return known && q.Same(answer, gold)
}

// present says whether the right answer asserts that something is there.
func (u *subject) present(q review.Question) bool {
	t, known := u.truth[q.ID]
	return known && t.Present != nil && *t.Present
}

// evidence gives the local evidence of a question: what is neither the whole image nor a point.
func (u *subject) evidence(q review.Question) []review.Region {
	var out []review.Region
	for _, r := range u.truth[q.ID].Evidence {
		if r.Shape != review.WholeImage && r.Shape != review.Point {
			out = append(out, r)
		}
	}
	return out
}

// allEvidence gives the local evidence of every question, each place once.
func (u *subject) allEvidence() []review.Region {
	var out []review.Region
	seen := map[string]bool{}
	for _, q := range u.questions {
		for _, r := range u.evidence(q) {
			if key := regionKey([]review.Region{r}); !seen[key] {
				seen[key] = true
				out = append(out, r)
			}
		}
	}
	return out
}

func optionText(q review.Question, letter string) string {
	for _, o := range q.Options {
		if strings.EqualFold(o.Letter, letter) {
			return o.Text
		}
	}
	return ""
}

// hashOf draws a number from words, the same everywhere.
func hashOf(words ...string) uint64 {
	h := fnv.New64a()
	for _, w := range words {
		h.Write([]byte(w))
		h.Write([]byte{0})
	}
	x := h.Sum64() // FNV leaves neighbours alike: its bits are mixed once more
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
