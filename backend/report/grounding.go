package report

import (
	"strconv"

	"plumbline/backend/review"
)

// judged is one reader's rating of one step of a chain, or of a chain.
type judged struct {
	reader review.ReaderID
	rating review.Rating
	place
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

// grounding computes what readers said the image carries, of so many steps in all (the numeric views of measurement.md, and formula 23).
func (c counter) grounding(chains []marked, ratings []judged, of int, stages []stage, none string) Grounding {
	g := Grounding{Stages: []GroundingStage{}, Ratings: len(ratings), Of: of}
	var strict, lenient rows
	strictAt, lenientAt := staged{}, staged{}
	steps, readers := map[string]bool{}, map[review.ReaderID]bool{}
	for _, r := range ratings {
		of := chains[r.chain].of
		readers[r.reader] = true
		steps[strconv.Itoa(r.chain)+"/"+string(r.rating.Step)] = true
		v, ok := grade(r.rating.Support)
		if !ok {
			continue
		}
		s, l := bit(v == 3), bit(v >= 2)
		strict.add(of, s)
		lenient.add(of, l)
		strictAt.add(r.k, of, s)
		lenientAt.add(r.k, of, l)
	}
	g.Strict, g.Lenient = c.share(strict, none), c.share(lenient, none)
	for _, s := range stages {
		g.Stages = append(g.Stages, GroundingStage{s.k, s.name, c.share(strictAt.at(s.k), none), c.share(lenientAt.at(s.k), none)})
	}
	g.Steps, g.Readers = len(steps), len(readers)
	g.RWR = c.rightForWrongReason(chains, ratings)
	return g
}

// rightForWrongReason is P(support ≤ 1 on any step of the answer | the answer is right): formula 23, by readers. A row is one right answer as
// one reader judged it in one reading.
func (c counter) rightForWrongReason(chains []marked, ratings []judged) Number {
	type unit struct {
		chain, at int
		read      review.AssignmentID
	}
	bad := map[unit]bool{}
	var order []unit
	for _, r := range ratings {
		v, ok := grade(r.rating.Support)
		if !ok || chains[r.chain].is(r.at) != right {
			continue
		}
		u := unit{r.chain, r.at, r.repeat}
		if _, known := bad[u]; !known {
			order = append(order, u)
		}
		bad[u] = bad[u] || v <= 1
	}
	var all rows
	for _, u := range order {
		all.add(chains[u.chain].of, bit(bad[u]))
	}
	return c.share(all, "no right answer with a signed rating of its steps")
}

// tally counts labels; an empty one was not given.
type tally map[string]int

func (t tally) add(labels ...string) {
	for _, l := range labels {
		if l != "" {
			t[l]++
		}
	}
}

// labels counts what was said of steps and chains; every option of the rubric is listed, even when unused.
func labels(ratings []judged, chains []review.ChainRating, rubric review.Rubric) Labels {
	said := map[string]tally{}
	add := func(card string, answers map[string][]string) {
		for name, values := range answers {
			if said[card+name] == nil {
				said[card+name] = tally{}
			}
			said[card+name].add(values...)
		}
	}
	for _, j := range ratings {
		add("step ", j.rating.Answers())
	}
	for _, r := range chains {
		add("chain ", r.Answers())
	}
	step := func(name string) []Count { return counted(said["step "+name], options(rubric.Step, name)) }
	chain := func(name string) []Count { return counted(said["chain "+name], options(rubric.Chain, name)) }
	return Labels{
		Support: step("support"), Error: step("error"), BuildsOnError: step("builds_on_error"), Significance: step("significance"),
		ModelPlace: step("model_place"), Confidence: step("confidence"), CueAck: step("cue_ack"), Reason: step("reason"),
		Answer: chain("answer"), Radpeer: chain("radpeer"), Follows: chain("follows"), ImageAlone: chain("image_alone"),
		NeedsMore: chain("needs_more"), Missed: chain("missed"), StepRatings: len(ratings), ChainRatings: len(chains),
	}
}

// options gives the options of a field, none where it is not asked.
func options(fields []review.Field, name string) []string {
	for _, f := range fields {
		if f.Name == name {
			return f.Options
		}
	}
	return nil
}
