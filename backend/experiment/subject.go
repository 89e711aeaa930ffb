package experiment

import (
	"context"
	"hash/fnv"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// subject is one case with everything that conditions need of it.
type subject struct {
	review.Case
	questions []review.Question // in stage order
	truth     map[review.QuestionID]review.Truth
	stacks    []review.Stack
	donor     *subject // whose images and answers stand in for "swap"; nil: there is none
}

// subjects opens the cases that truth or a run names. Cases that are not there are faults of kind NotFound.
func subjects(ctx context.Context, s Study, ids []review.CaseID) (map[review.CaseID]*subject, error) {
	all := map[review.CaseID]*subject{}
	truth := map[review.CaseID]map[review.QuestionID]review.Truth{}
	for _, t := range s.Truth {
		if truth[t.Case] == nil {
			truth[t.Case] = map[review.QuestionID]review.Truth{}
		}
		truth[t.Case][t.Question] = t
	}
	for _, id := range ids {
		c, err := s.Source.Case(id)
		if err != nil {
			return nil, err
		}
		u := &subject{Case: c, questions: slices.Clone(c.Questions), truth: truth[id]}
		slices.SortStableFunc(u.questions, func(a, b review.Question) int { return a.K - b.K })
		if u.stacks, _, err = s.Source.Stacks(ctx, id); err != nil {
			return nil, fault.In("open images", string(id), err)
		}
		all[id] = u
	}
	for _, id := range ids {
		all[id].donor = all[id].findDonor(ids, all)
	}
	return all, nil
}

// findDonor picks the case of another patient, with an image of the same kind, whose right answers differ most often from this one's while
// they are answers that can be given here. Among equals it is drawn by the cases' names.
func (u *subject) findDonor(ids []review.CaseID, all map[review.CaseID]*subject) *subject {
	var best *subject
	most, lot := 0, uint64(0)
	for _, id := range ids {
		d := all[id]
		if d.Patient == "" || d.Patient == u.Patient || d.kind() != u.kind() || d.kind() == "" {
			continue
		}
		n := 0
		for _, q := range u.questions {
			if answer := u.goldOf(d, q); answer != "" && q.K > 1 {
				n++
			}
		}
		if h := hashOf(string(u.ID), string(id)); n > most || n == most && n > 0 && h < lot {
			best, most, lot = d, n, h
		}
	}
	return best
}

// kind is the sort of image of a case: modality, how its frames belong together, and its size of stack.
func (u *subject) kind() string {
	if len(u.stacks) == 0 || len(u.stacks[0].Frames) == 0 {
		return ""
	}
	return u.stacks[0].Modality + "/" + string(u.stacks[0].Kind)
}

// goldOf gives the right answer of case d to question q of u, as an option of u's; "" where it has none, or where it is u's own.
func (u *subject) goldOf(d *subject, q review.Question) string {
	for _, other := range d.questions {
		t, known := d.truth[other.ID]
		if other.ID != q.ID || !known || t.Gold == nil {
			continue
		}
		text := optionText(other, *t.Gold)
		for _, o := range q.Options {
			if o.Text == text && !u.isGold(q, o.Letter) {
				return o.Letter
			}
		}
	}
	return ""
}

// firstImage names the image that places in a reply are in; "" where there is none.
func (u *subject) firstImage() review.ImageID {
	if len(u.stacks) == 0 {
		return ""
	}
	return u.stacks[0].Image
}

func (u *subject) gold(q review.Question) (string, bool) {
	t, known := u.truth[q.ID]
	if !known || t.Gold == nil {
		return "", false
	}
	return *t.Gold, true
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
