package report

import (
	"maps"
	"math"
	"slices"
	"strings"

	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// An arm is what a model answered under one condition with one fill, in columns: a few bytes an answer. Of a chain nothing else is kept, but for
// what some numbers ask: option probabilities where there are any, of the original condition the number of steps, entropy and cited places, of
// drawn cues cited and drawn places, and of chains that readers spoke of where their steps stand.
type arm struct {
	*table
	condition review.Condition
	name      string // plain
	fill      string
	list      []told // every chain, also several of one case
	codes     []code // what they answer, one chain after the other
	said      []code // by item, of each case what its first chain says
	parse     tally
	steps     int // in all chains

	// By item, of the first chain of a case; nil where no chain has any.
	targets   []code    // what the condition points to; absent: nothing
	shares    []float64 // of the body that the regions cover; NaN: not noted
	untouched []bool    // the image, or the words, were not changed for this very question
	odds      [][]chance
	lengths   []int32   // steps; of the original condition, and of reasoning that ends early
	spoken    []int32   // words of them, likewise
	entropies []float64 // NaN: none; of the original condition
	paths     map[int][]string
	spots     []int32 // of an answer of the original condition that cites a place the spot, from 1
	cited     []spot
	drawn     map[int]spot   // how the place that it cites compares with the drawn cue
	leftOut   map[int]string // why a question was not asked with those of its case
	acks      map[int]*heard // chains that readers spoke of
	heard     map[int]*heard // the same by their place in list
}

// told is one chain: its items, and where its codes begin.
type told struct {
	of           *subject
	from, to, at int32
}

// chance is an option's probability.
type chance struct {
	of code
	p  float64
}

// heard is a chain that readers spoke of.
type heard struct {
	id     review.ChainID
	of     review.CaseID
	digest review.Digest
	steps  map[review.StepID]place
}

// place is where a step stands: its stage, and its item; -1 where the case asks no such question.
type place struct{ k, at int }

func (t *table) newArm(c review.Condition, name, fill string) *arm {
	a := &arm{table: t, condition: c, name: name, fill: fill, said: make([]code, len(t.items)), parse: tally{}, paths: map[int][]string{}, drawn: map[int]spot{},
		acks: map[int]*heard{}, heard: map[int]*heard{}}
	for i := range a.said {
		a.said[i] = absent
	}
	return a
}

// column gives a column that is made when it is first written to.
func column[T any](list *[]T, n int, none T) []T {
	if *list == nil {
		*list = make([]T, n)
		for i := range *list {
			(*list)[i] = none
		}
	}
	return *list
}

// target is what the condition points to.
func (a *arm) target(at int) code {
	if a.targets == nil {
		return absent
	}
	return a.targets[at]
}

// share is how much of the body the regions cover, NaN where that was not noted.
func (a *arm) share(at int) float64 {
	if a.shares == nil {
		return math.NaN()
	}
	return a.shares[at]
}

// in tells whether the image was changed for this very question.
func (a *arm) in(at int) bool { return a.untouched == nil || !a.untouched[at] }

// take files a chain into the columns; of two chains of one case the first counts by item. spoken keeps what readers' words refer to.
func (a *arm) take(c *review.Chain, o *review.Origin, spoken bool) *heard {
	span := a.table.at[c.Case]
	chain := told{a.of[c.Case], int32(span[0]), int32(span[1]), int32(len(a.codes))}
	for at := span[0]; at < span[1]; at++ {
		none := empty
		if notAsked(o, a.items[at].q.ID) {
			none = absent
		}
		a.codes = append(a.codes, none)
	}
	codes := a.codes[chain.at:]
	met := make([]*review.Answer, len(codes))
	for i := range c.Answers {
		answer := &c.Answers[i]
		a.steps += len(answer.Steps)
		if at, known := a.find(c.Case, answer.Question); known && met[at-span[0]] == nil {
			met[at-span[0]], codes[at-span[0]] = answer, a.codeOf(at, *answer)
		}
	}
	for i, answer := range met {
		if answer != nil || codes[i] != absent {
			a.parse.add(parsedAs(answer))
		}
	}
	first := !slices.ContainsFunc(a.said[span[0]:span[1]], func(c code) bool { return c != absent })
	a.list = append(a.list, chain)
	if first {
		copy(a.said[span[0]:span[1]], codes)
		for i, answer := range met {
			if answer != nil {
				a.keep(span[0]+i, answer)
			}
		}
		a.made(c, o, met)
	}
	if !spoken {
		return nil
	}
	h := &heard{c.ID, c.Case, c.Digest, a.stepsOf(c)}
	a.heard[len(a.list)-1] = h
	if first {
		for i := span[0]; i < span[1]; i++ {
			a.acks[i] = h
		}
	}
	return h
}

// notAsked says whether a chain without an answer to a question was not asked it: the condition could not be made for it, had nothing to alter in
// its reasoning, or goes on after it from an expert's correction. What is missing elsewhere is an answer that failed.
func notAsked(o *review.Origin, q review.QuestionID) bool {
	return o.LeftOut[q] != "" || o.Condition.Text != "" || o.Condition.Given == "expert"
}

// parsedAs names what became of an answer.
func parsedAs(a *review.Answer) string {
	switch {
	case a == nil:
		return "missing"
	case a.Parse == "":
		return string(review.Unparsed)
	}
	return string(a.Parse)
}

// stepsOf says where the steps of a chain stand.
func (t *table) stepsOf(c *review.Chain) map[review.StepID]place {
	out := map[review.StepID]place{}
	for _, answer := range c.Answers {
		p := place{0, -1}
		if at, known := t.find(c.Case, answer.Question); known {
			p = place{t.items[at].q.K, at}
		}
		for _, s := range answer.Steps {
			out[s.ID] = p
		}
	}
	return out
}

// keep keeps of an answer what numbers ask beside its code.
func (a *arm) keep(at int, answer *review.Answer) {
	n := len(a.items)
	if len(answer.Probs) > 0 {
		list := make([]chance, 0, len(answer.Probs))
		for _, option := range slices.Sorted(maps.Keys(answer.Probs)) {
			list = append(list, chance{a.code(at, option), answer.Probs[option]})
		}
		column(&a.odds, n, nil)[at] = list
	}
	if a.name == "original" || strings.HasPrefix(a.condition.Text, confidentPrefix) {
		column(&a.lengths, n, 0)[at], column(&a.spoken, n, 0)[at] = int32(len(answer.Steps)), spokenWords(answer)
	}
	if a.name == "original" {
		if e, ok := a.entropyOf(at, answer); ok {
			column(&a.entropies, n, math.NaN())[at] = e
		}
	}
	_, _, words := levelOf(a.condition)
	for _, s := range answer.Steps {
		if s.ClaimType != "" && (words || a.name == "original") {
			a.paths[at] = append(a.paths[at], s.ClaimType)
		}
	}
	if t := a.items[at].truth; a.name == "original" && t != nil && local(t.Evidence) {
		if cited := citedBy(*answer); len(cited) > 0 {
			a.cited = append(a.cited, spotOf(t, cited))
			column(&a.spots, n, 0)[at] = int32(len(a.cited))
		}
	}
}

// spot gives how the place that an answer cites compares with the evidence, where it cites any.
func (a *arm) spot(at int) (spot, bool) {
	if a.spots == nil || a.spots[at] == 0 {
		return spot{}, false
	}
	return a.cited[a.spots[at]-1], true
}

// entropyOf is that over the options of an answer, 0 to 1.
func (t *table) entropyOf(at int, a *review.Answer) (float64, bool) {
	if a.Entropy != nil && !math.IsNaN(*a.Entropy) {
		return *a.Entropy, true
	}
	var p []float64
	for _, option := range slices.Sorted(maps.Keys(a.Probs)) {
		v := a.Probs[option]
		if v < 0 || math.IsNaN(v) {
			return 0, false
		}
		p = append(p, v)
	}
	e := stats.Entropy(p, max(len(p), len(t.items[at].q.Options)))
	return e.Value, e.Estimable
}

// made keeps what the origin of a chain says of its questions; answers are those of its items.
func (a *arm) made(c *review.Chain, o *review.Origin, answers []*review.Answer) {
	n, from := len(a.items), a.table.at[c.Case][0]
	for q, target := range o.Targets {
		if at, known := a.find(c.Case, q); known && target != "" {
			column(&a.targets, n, absent)[at] = a.code(at, target)
		}
	}
	for q, why := range o.LeftOut {
		if at, known := a.find(c.Case, q); known {
			if a.leftOut == nil {
				a.leftOut = map[int]string{}
			}
			a.leftOut[at] = why
		}
	}
	for _, r := range o.Recipes {
		touched := r.Image == o.Condition.Image || o.Condition.Image == "noop" || o.Condition.Image == ""
		for _, q := range r.Questions {
			at, known := a.find(c.Case, q)
			if !known {
				continue
			}
			if !touched || a.untouched != nil {
				column(&a.untouched, n, false)[at] = !touched
			}
			if r.Share != 0 || a.shares != nil {
				column(&a.shares, n, math.NaN())[at] = r.Share
			}
			if _, met := a.drawn[at]; drawsCue(a.condition) && !met && answers[at-from] != nil {
				if cited := citedBy(*answers[at-from]); len(cited) > 0 && len(r.Regions) > 0 {
					a.drawn[at] = spotOf(&review.Truth{Evidence: r.Regions, Side: "left"}, cited)
				}
			}
		}
	}
	for _, q := range o.Unworded { // of one recipe there are several questions, of which some are asked in other words
		if at, known := a.find(c.Case, q); known {
			column(&a.untouched, n, false)[at] = true
		}
	}
}

// drawsCue says whether a cue is drawn into the pixels.
func drawsCue(c review.Condition) bool {
	kind, _, _ := strings.Cut(c.Cue, "-")
	return slices.Contains([]string{"box", "arrow", "heatmap", "highlight"}, kind)
}

// marked gives the arm's chains as they compare with gold.
func (a *arm) marked() []marked {
	out := make([]marked, len(a.list))
	for i, c := range a.list {
		out[i] = marked{table: a.table, from: int(c.from), to: int(c.to), codes: a.codes[c.at : c.at+c.to-c.from], of: c.of, heard: a.heard[i]}
	}
	return out
}
