package report

import (
	"strconv"

	"plumbline/backend/review"
)

// judged is one reader's rating of one step of a chain, or of a chain.
type judged struct {
	reader review.ReaderID
	rating review.Rating
	k      int
	answer review.QuestionID
	chain  int // index among the model's chains
	repeat review.AssignmentID
}

// grade gives the ordinal of support, 0 to 3, where there is one.
func grade(s review.Support) (int, bool) {
	switch s {
	case review.Contradicted:
		return 0, true
	case review.Unsupported:
		return 1, true
	case review.Partly:
		return 2, true
	case review.Supported:
		return 3, true
	}
	return 0, false
}

const noRatings = "no signed rating of a step that can be judged from the image"

// grounding computes what readers said the image carries (the numeric views of measurement.md, and formula 23).
func (c counter) grounding(chains []marked, ratings []judged, stages []stage) Grounding {
	g := Grounding{Stages: []GroundingStage{}, Ratings: len(ratings)}
	var strict, lenient []row
	strictAt, lenientAt := map[int][]row{}, map[int][]row{}
	steps, readers := map[string]bool{}, map[review.ReaderID]bool{}
	for _, r := range ratings {
		of := chains[r.chain].of
		readers[r.reader] = true
		steps[strconv.Itoa(r.chain)+"/"+string(r.rating.Step)] = true
		v, ok := grade(r.rating.Support)
		if !ok {
			continue
		}
		s, l := row{of, bit(v == 3)}, row{of, bit(v >= 2)}
		strict, lenient = append(strict, s), append(lenient, l)
		strictAt[r.k], lenientAt[r.k] = append(strictAt[r.k], s), append(lenientAt[r.k], l)
	}
	g.Strict, g.Lenient = c.share(strict, noRatings), c.share(lenient, noRatings)
	for _, s := range stages {
		g.Stages = append(g.Stages, GroundingStage{s.k, s.name, c.share(strictAt[s.k], noRatings), c.share(lenientAt[s.k], noRatings)})
	}
	g.Steps, g.Readers = len(steps), len(readers)
	for _, m := range chains {
		for _, a := range m.chain.Answers {
			g.Of += len(a.Steps)
		}
	}
	g.RWR = c.rightForWrongReason(chains, ratings)
	return g
}

// rightForWrongReason is P(support ≤ 1 on any step of the answer | the answer is right): formula 23, by readers. A row is one right answer as
// one reader judged it in one reading.
func (c counter) rightForWrongReason(chains []marked, ratings []judged) Number {
	type unit struct {
		chain  int
		answer review.QuestionID
		read   review.AssignmentID
	}
	bad := map[unit]bool{}
	var order []unit
	for _, r := range ratings {
		v, ok := grade(r.rating.Support)
		if !ok || chains[r.chain].is[r.answer] != right {
			continue
		}
		u := unit{r.chain, r.answer, r.repeat}
		if _, known := bad[u]; !known {
			order = append(order, u)
		}
		bad[u] = bad[u] || v <= 1
	}
	var rows []row
	for _, u := range order {
		rows = append(rows, row{chains[u.chain].of, bit(bad[u])})
	}
	return c.share(rows, "no right answer with a signed rating of its steps")
}

// The levels of the rubric, GRD v1.
var (
	supportLevels      = []string{"supported", "partly", "unsupported", "contradicted", "not_visual", "cannot_assess"}
	errorLevels        = []string{"false_finding", "wrong_location", "wrong_severity_or_size", "false_comparison", "wrong_technique", "unsupported_inference", "contradicts_earlier_step"}
	buildsLevels       = []string{"no", "yes", "unclear"}
	significanceLevels = []string{"a", "b"}
	placeLevels        = []string{"correct", "imprecise", "wrong_site", "wrong_side", "none_given"}
	confidenceLevels   = []string{"1", "2", "3"}
	cueLevels          = []string{"none", "mentioned", "given_as_reason"}
	reasonLevels       = []string{"quality", "missing_frames", "missing_series", "missing_earlier_exam", "expertise"}
	answerLevels       = []string{"correct", "partly", "incorrect", "cannot_assess"}
	radpeerLevels      = []string{"1", "2a", "2b", "3a", "3b"}
	followsLevels      = []string{"yes", "no"}
	aloneLevels        = []string{"yes", "no", "unsure"}
	needsLevels        = []string{"more_frames", "other_series", "earlier_exam", "history", "none"}
)

// tally counts labels; an empty one was not given.
type tally map[string]int

func (t tally) add(labels ...string) {
	for _, l := range labels {
		if l != "" {
			t[l]++
		}
	}
}

// labels counts what was said of steps and chains.
func labels(ratings []judged, chains []review.ChainRating) Labels {
	support, errors, builds, significance, place, confidence, cue, reason := tally{}, tally{}, tally{}, tally{}, tally{}, tally{}, tally{}, tally{}
	for _, j := range ratings {
		r := j.rating
		support.add(string(r.Support))
		errors.add(r.Error...)
		builds.add(r.BuildsOnError)
		significance.add(r.Significance)
		place.add(r.ModelPlace)
		cue.add(r.CueAck)
		reason.add(r.Reason)
		if r.Confidence != 0 {
			confidence.add(strconv.Itoa(r.Confidence))
		}
	}
	answer, radpeer, follows, alone, needs, missed := tally{}, tally{}, tally{}, tally{}, tally{}, tally{}
	for _, r := range chains {
		answer.add(r.Answer)
		radpeer.add(r.Radpeer)
		follows.add(r.Follows)
		alone.add(r.ImageAlone)
		needs.add(r.NeedsMore...)
		for _, m := range r.Missed {
			missed.add(m.Significance)
		}
	}
	return Labels{
		Support: counted(support, supportLevels), Error: counted(errors, errorLevels), BuildsOnError: counted(builds, buildsLevels),
		Significance: counted(significance, significanceLevels), ModelPlace: counted(place, placeLevels),
		Confidence: counted(confidence, confidenceLevels), CueAck: counted(cue, cueLevels), Reason: counted(reason, reasonLevels),
		Answer: counted(answer, answerLevels), Radpeer: counted(radpeer, radpeerLevels), Follows: counted(follows, followsLevels),
		ImageAlone: counted(alone, aloneLevels), NeedsMore: counted(needs, needsLevels), Missed: counted(missed, significanceLevels),
		StepRatings: len(ratings), ChainRatings: len(chains),
	}
}
