package report

import (
	"slices"
	"strings"

	"plumbline/backend/review"
)

// Suspicions is an AUC endpoint: do readers, who look at the image alone, tell chains with a wrong answer from right ones? A case of it is a
// chain; a modality is a model under a condition.
type Suspicions struct {
	Chains []SuspectChain
	Scores []Suspicion
	Rated  int     // first signed readings of a chain by a reader: each is a score or counted in Side
	Side   []Count // readings that give no score, by why
}

// SuspectChain is a chain with its truth.
type SuspectChain struct {
	Case  review.CaseID
	Chain review.ChainID
	Model string // and condition
	Wrong bool   // at least one answer is wrong
}

// Suspicion is how much one reader doubts one chain: the most that they doubt any of its steps, from 0 (supported, and sure of it) to 11
// (contradicted, and sure of it). Support orders the scale; within a grade the reader's confidence does: sure support is doubted less than
// unsure, sure contradiction more. A latent step, which is asked no confidence, stands in the middle.
type Suspicion struct {
	Reader review.ReaderID
	Chain  review.ChainID
	Score  float64
}

// Why a reading gives no score.
const (
	noGoldForChain   = "a question without a known right answer"
	noGradeOfAnyStep = "no step that can be judged from the image"
)

// Suspect computes the endpoint from the same readings as a report.
func Suspect(in Input) (Suspicions, error) {
	m, err := prepared(in.filled())
	if err != nil {
		return Suspicions{}, err
	}
	out := Suspicions{}
	side := tally{}
	for _, set := range m.sets {
		for _, a := range set.order {
			ratings, _ := m.judged(a)
			out.add(a.marked(), ratings, modality(set, a), side)
		}
	}
	out.Side = counted(side, []string{noGoldForChain, noGradeOfAnyStep})
	return out, nil
}

// modality names a model of a run under a condition.
func modality(s *set, a *arm) string {
	condition := unknownName
	if s.known {
		condition = a.condition.Name()
	}
	return strings.Join(slices.DeleteFunc([]string{s.info.Name, s.info.Revision, s.run, condition}, func(p string) bool { return p == "" }), " · ")
}

// add takes the chains of one model.
func (s *Suspicions) add(chains []marked, ratings []judged, modality string, side tally) {
	type reading struct {
		chain  int
		reader review.ReaderID
	}
	score := map[reading]int{}
	var order []reading
	for _, r := range ratings {
		at := reading{r.chain, r.reader}
		if _, met := score[at]; !met {
			order, score[at] = append(order, at), -1
		}
		if v, ok := suspicion(r.rating); ok {
			score[at] = max(score[at], v)
		}
	}
	scored := map[int]bool{}
	for _, at := range order {
		s.Rated++
		c := chains[at.chain]
		switch {
		case !c.known():
			side.add(noGoldForChain)
			continue
		case score[at] < 0:
			side.add(noGradeOfAnyStep)
			continue
		}
		if !scored[at.chain] {
			scored[at.chain] = true
			s.Chains = append(s.Chains, SuspectChain{c.heard.of, c.heard.id, modality, c.firstError() != 0})
		}
		s.Scores = append(s.Scores, Suspicion{at.reader, c.heard.id, float64(score[at])})
	}
}

// suspicion gives how much a rating doubts its step, 0 to 11, where it can be judged from the image.
func suspicion(r review.Rating) (int, bool) {
	v, ok := grade(r.Support)
	if !ok {
		return 0, false
	}
	const middle, sure = 2, 3
	confidence := min(max(r.Confidence, 0), sure)
	if confidence == 0 {
		confidence = middle
	}
	within := confidence - 1 // unsupported, contradicted: the surer the more
	if v >= 2 {
		within = sure - confidence
	}
	return 3*(3-v) + within, true
}
