package desk

import (
	"fmt"
	"slices"

	"plumbline/backend/review"
	"plumbline/backend/store"
)

// The phases of reading a case.
const (
	phaseLook   = "look"   // the reader's own answers, before any chain is seen
	phaseJudge  = "judge"  // the chains are seen and rated
	phaseSigned = "signed" // all is answered and signed
)

// material is what there is to read in a case, whoever reads.
type material struct {
	of        review.Case
	questions []review.Question // in stage order
	chains    []review.Chain    // in the order of the dataset
	stacks    []review.Stack
	problems  []review.Problem
}

// frames gives the number of frames of an image, and whether the case has it.
func (m *material) frames(id review.ImageID) (int, bool) {
	for _, s := range m.stacks {
		if s.Image == id {
			return len(s.Frames), true
		}
	}
	return 0, false
}

// shown gives the images with the frames that the case shows. What is kept and asked goes by the number of a frame in its whole image.
func (m *material) shown() []review.Stack {
	if len(m.of.FramesShown) == 0 {
		return m.stacks
	}
	out := slices.Clone(m.stacks)
	for i, s := range out {
		out[i].Frames = []review.Frame{}
		for n, f := range s.Frames {
			if m.of.Shows(n, len(s.Frames)) {
				out[i].Frames = append(out[i].Frames, f)
			}
		}
	}
	return out
}

// A reading is where one reader stands in one case.
type reading struct {
	*material
	rubric     rubric
	assignment review.Assignment
	name       string            // by which the face knows the assignment
	questions  []review.Question // those that the protocol asks before the chains are seen
	chains     []review.Chain    // in this reader's order
	cueRun     map[review.ChainID]bool
	looks      map[review.QuestionID]review.Event
	ratings    map[review.ChainID]map[review.StepID]review.Rating
	verdicts   map[review.ChainID]review.ChainRating
	own        map[review.ChainID]map[review.StepID]review.OwnAnswer
	signedOnce bool // a signature was given; it holds while nothing is missing
	last       review.Event
	revisions  int
}

// newReading puts what was said beside what there is to read.
func newReading(m *material, r rubric, rule review.LookRule, d duty, said store.Said) *reading {
	a := d.Assignment
	rd := &reading{
		material: m, rubric: r, assignment: a, name: d.name, questions: questionsBefore(m.questions, rule), cueRun: map[review.ChainID]bool{}, looks: map[review.QuestionID]review.Event{},
		ratings: map[review.ChainID]map[review.StepID]review.Rating{}, verdicts: map[review.ChainID]review.ChainRating{},
		own: map[review.ChainID]map[review.StepID]review.OwnAnswer{}, last: said.Last, revisions: said.Revisions,
	}
	for _, id := range a.Chains {
		for _, c := range m.chains {
			if c.ID == id {
				rd.chains = append(rd.chains, c)
			}
		}
	}
	for _, e := range said.Current {
		switch {
		case e.Kind == review.KindLook && e.Body.Look != nil:
			rd.looks[e.Body.Look.Question] = e
		case e.Kind == review.KindRating && e.Body.Rating != nil:
			if rd.ratings[e.Chain] == nil {
				rd.ratings[e.Chain] = map[review.StepID]review.Rating{}
			}
			rd.ratings[e.Chain][e.Body.Rating.Step] = *e.Body.Rating
		case e.Kind == review.KindChainRating && e.Body.ChainRating != nil:
			rd.verdicts[e.Chain] = *e.Body.ChainRating
		case e.Kind == review.KindOwnAnswer && e.Body.OwnAnswer != nil:
			if rd.own[e.Chain] == nil {
				rd.own[e.Chain] = map[review.StepID]review.OwnAnswer{}
			}
			rd.own[e.Chain][e.Body.OwnAnswer.Step] = *e.Body.OwnAnswer
		case e.Kind == review.KindSign:
			rd.signedOnce = true
		}
	}
	return rd
}

// inStageOrder gives the questions as a reader meets them.
func inStageOrder(questions []review.Question) []review.Question {
	sorted := slices.Clone(questions)
	slices.SortStableFunc(sorted, func(a, b review.Question) int { return a.K - b.K })
	return sorted
}

// steps gives all steps of a chain in order.
func steps(c review.Chain) []review.Step {
	all := []review.Step{}
	for _, a := range c.Answers {
		all = append(all, a.Steps...)
	}
	return all
}

// chain finds a chain of the assignment.
func (rd *reading) chain(id review.ChainID) (review.Chain, bool) {
	i := slices.IndexFunc(rd.chains, func(c review.Chain) bool { return c.ID == id })
	if i < 0 {
		return review.Chain{}, false
	}
	return rd.chains[i], true
}

// subject gives step i of a chain as the rubric sees it.
func (rd *reading) subject(c review.Chain, all []review.Step, i int) subject {
	return subject{step: all[i], later: i > 0, pictures: len(rd.of.Images) > 0, cueRun: rd.cueRun[c.ID]}
}

// rating gives what was said of a step, or a rating in which nothing is said.
func (rd *reading) rating(c review.ChainID, s review.StepID) review.Rating {
	if r, ok := rd.ratings[c][s]; ok {
		return r
	}
	return review.Rating{Step: s, Evidence: []review.Region{}, Error: []string{}}
}

// nextQuestion gives the first question that is not answered, or nil.
func (rd *reading) nextQuestion() *review.Question {
	for i, q := range rd.questions {
		if _, said := rd.looks[q.ID]; !said {
			return &rd.questions[i]
		}
	}
	return nil
}

// phase says where the reading stands.
func (rd *reading) phase() string {
	switch {
	case rd.nextQuestion() != nil || rd.nothingToRead():
		return phaseLook
	case rd.signedOnce && len(rd.missing()) == 0:
		return phaseSigned
	}
	return phaseJudge
}

// nothingToRead tells a case that is only looked at: no questions, no chains.
func (rd *reading) nothingToRead() bool { return len(rd.questions) == 0 && len(rd.chains) == 0 }

// missing lists what must still be answered before signing. While a question is open it lists questions only: the chains are not seen yet.
func (rd *reading) missing() []Missing {
	all := []Missing{}
	for _, q := range rd.questions {
		if _, said := rd.looks[q.ID]; !said {
			all = append(all, Missing{Part: string(q.ID), Field: "answer", Text: "own answer to: " + q.Text})
		}
	}
	if len(all) > 0 {
		return all
	}
	for n, c := range rd.chains {
		parts := steps(c)
		for i, s := range parts {
			for _, field := range rd.rubric.missingOf(rd.rating(c.ID, s.ID), rd.subject(c, parts, i)) {
				all = append(all, Missing{Chain: string(c.ID), Part: string(s.ID), Field: field, Text: fmt.Sprintf("%s of step %d of chain %s", field, i+1, letter(n))})
			}
		}
		for _, field := range rd.rubric.missingOfChain(rd.verdicts[c.ID]) {
			all = append(all, Missing{Chain: string(c.ID), Part: "chain", Field: field, Text: fmt.Sprintf("%s of chain %s as a whole", field, letter(n))})
		}
	}
	return all
}

// count gives how many answers are complete and how many there must be: one for each question, each step and each chain.
func (rd *reading) count() (done, required int) {
	done, required = len(rd.questions), len(rd.questions)
	for _, q := range rd.questions {
		if _, said := rd.looks[q.ID]; !said {
			done--
		}
	}
	for _, c := range rd.chains {
		parts := steps(c)
		required += len(parts) + 1
		for i, s := range parts {
			if len(rd.rubric.missingOf(rd.rating(c.ID, s.ID), rd.subject(c, parts, i))) == 0 {
				done++
			}
		}
		if len(rd.rubric.missingOfChain(rd.verdicts[c.ID])) == 0 {
			done++
		}
	}
	return done, required
}

// firstBadStep derives from the ratings so far the first step with support unsupported or contradicted, or with significance b: its id,
// "none", or "" while a step before it is not rated.
func (rd *reading) firstBadStep(c review.Chain) string {
	for _, s := range steps(c) {
		r := rd.rating(c.ID, s.ID)
		switch {
		case r.Support == review.Unrated:
			return ""
		case r.Support == review.Unsupported || r.Support == review.Contradicted || r.Significance == "b":
			return string(s.ID)
		}
	}
	return "none"
}

// place says where the reader last worked in this case, or where to go on: the open question in the look phase.
func (rd *reading) place() Place {
	p := Place{Case: rd.name, Phase: rd.phase()}
	if q := rd.nextQuestion(); q != nil {
		p.Step = string(q.ID)
		return p
	}
	if p.Chain = string(rd.last.Chain); p.Chain == "" {
		if len(rd.chains) > 0 {
			p.Chain = string(rd.chains[0].ID)
		}
		return p
	}
	switch b := rd.last.Body; {
	case b.Rating != nil:
		p.Step = string(b.Rating.Step)
	case b.Seen != nil:
		p.Step = string(b.Seen.Step)
	case b.OwnAnswer != nil:
		p.Step = string(b.OwnAnswer.Step)
	case b.ChainRating != nil:
		p.Step = "chain"
	}
	return p
}

// letter names the n-th chain on the screen: A, B … Z, AA …
func letter(n int) string {
	if n < 26 {
		return string(rune('A' + n))
	}
	return letter(n/26-1) + letter(n%26)
}
