package desk

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Training cases come before the worklist. Each is read like any other case, under an assignment of its own in the session "training";
// once it is signed its answers stay as they are and the reader sees what was expected. When all are signed the attempt is judged:
//
//   - The worklist opens where the share of answers that are as expected reaches training_pass of the protocol; with training_pass 0, or
//     where the key expects nothing, signing them all is enough.
//   - Otherwise the reader may begin another attempt, which is blank: its assignments have other ids.
//
// What is expected are the gold answers of questions with options, and the grades that the key names (review.TrainingKey). Free text is shown
// beside its gold and not counted. Where a reader stands is an event of kind training under no assignment, so that it comes back to the
// coordinator with everything else; a reader who passed has passed, whatever becomes of the protocol.

// TrainingStands is where a reader stands in the training.
type TrainingStands struct {
	Attempt  int  `json:"attempt"` // from 1
	Cases    int  `json:"cases"`   // of the protocol that this dataset has
	Signed   int  `json:"signed"`
	Done     bool `json:"done"`
	Passed   bool `json:"passed"`
	Right    int  `json:"right"`    // of an attempt that is done
	Expected int  `json:"expected"` // of an attempt that is done
	Needed   int  `json:"needed"`   // right answers, to pass; of an attempt that is done
}

// trainingDuties gives what a reader reads for practice, in the order of the protocol; none where the protocol has no training for them.
func (r *room) trainingDuties(reader review.ReaderID) ([]duty, error) {
	p := r.rules.protocol
	known, here := p.Reader(reader)
	if !r.rules.set || !here || known.Role != review.RoleReader {
		return nil, nil
	}
	duties := []duty{}
	for n, id := range p.Training {
		o, here := r.outline[id]
		if !here || asked(o.Questions, p.Look)+o.Chains == 0 {
			continue
		}
		chains, err := r.set.Chains(id)
		if err != nil {
			return nil, err
		}
		a := review.Assignment{
			ID: r.trainingID(reader, id, r.attempt(reader)), Case: id, Reader: reader, Session: review.TrainingSession, Order: fmt.Sprintf("%016x", n), Chains: []review.ChainID{},
		}
		for _, c := range chains {
			a.Chains = append(a.Chains, c.ID)
		}
		sortBy(a.Chains, func(c review.ChainID) string { return hashOf(string(a.ID), string(c)) })
		duties = append(duties, duty{a, string(id)})
	}
	return duties, nil
}

// trainingID gives the assignment of an attempt at a training case.
func (r *room) trainingID(reader review.ReaderID, id review.CaseID, attempt int) review.AssignmentID {
	return review.AssignmentID("t-" + hashOf(r.w.Study, review.TrainingSession, string(reader), string(id), strconv.Itoa(attempt))[:24])
}

func (r *room) attempt(reader review.ReaderID) int { return max(1, r.training[reader].Attempt) }

// lockedBy says in words why a duty of this seat's agenda cannot be opened yet, or "". acting is held.
func (r *room) lockedBy(list *agenda, at int) string {
	t := r.training[r.w.Seat.Reader]
	switch {
	case at < list.training || list.training == 0 || t.Passed || r.rules.protocol.Closed:
		return ""
	case t.Done:
		return fmt.Sprintf("the training is not passed: %d of %d answers as expected, %d needed; it may be tried again", t.Right, t.Expected, r.needed(t.Expected))
	}
	return "the training cases come first"
}

// mayOpen refuses a duty that is locked. acting is held.
func (r *room) mayOpen(op string, list *agenda, at int) error {
	if why := r.lockedBy(list, at); why != "" {
		return fault.New(fault.Refused, op, list.duties[at].name, "%s", why)
	}
	return nil
}

// needed counts the right answers that pass.
func (r *room) needed(expected int) int {
	return int(math.Ceil(r.rules.protocol.TrainingPass*float64(expected) - 1e-9))
}

// trainingStands tells where this seat's reader stands; nil: there is no training. acting is held.
func (r *room) trainingStands(ctx context.Context) (*TrainingStands, error) {
	list, err := r.agenda("show training")
	if err != nil || list.training == 0 {
		return nil, err
	}
	if err := r.judgeTraining(ctx); err != nil {
		return nil, err
	}
	t := r.training[r.w.Seat.Reader]
	s := &TrainingStands{Attempt: r.attempt(r.w.Seat.Reader), Cases: list.training, Done: t.Done, Passed: t.Passed, Right: t.Right, Expected: t.Expected}
	if t.Done {
		s.Needed = r.needed(t.Expected)
	}
	signed, err := r.trainingSigned(list)
	for _, yes := range signed {
		if yes {
			s.Signed++
		}
	}
	return s, err
}

func (r *room) trainingSigned(list *agenda) ([]bool, error) {
	keys := []string{}
	for _, d := range list.duties[:list.training] {
		keys = append(keys, review.EventKey(d.ID, review.KindSign, "", ""))
	}
	return r.ledger.Has(keys)
}

// judgeTraining judges an attempt once all its cases are signed, and adds what came out. acting is held.
func (r *room) judgeTraining(ctx context.Context) error {
	list, err := r.agenda("judge training")
	if err != nil || list.training == 0 || r.training[r.w.Seat.Reader].Done {
		return err
	}
	signed, err := r.trainingSigned(list)
	if err != nil || slices.Contains(signed, false) {
		return err
	}
	t := review.Training{Attempt: r.attempt(r.w.Seat.Reader), Done: true}
	for _, d := range list.duties[:list.training] {
		rd, err := r.readingOf(ctx, d)
		if err != nil {
			return err
		}
		feedback, err := r.feedback(ctx, rd)
		if err != nil {
			return err
		}
		for _, f := range feedback {
			if !f.Counted {
				continue
			}
			t.Expected++
			if f.Right {
				t.Right++
			}
		}
	}
	t.Passed = t.Right >= r.needed(t.Expected)
	return r.sayTraining(t)
}

// sayTraining adds where this seat's reader stands. acting is held.
func (r *room) sayTraining(t review.Training) error {
	e := r.draft(review.KindTraining, "")
	e.Key, e.Session, e.Body.Training = review.EventKey("", review.KindTraining, "", string(e.Reader)), review.TrainingSession, &t
	if _, err := r.ledger.Append(e); err != nil {
		return err
	}
	r.training[r.w.Seat.Reader] = t
	return nil
}

// RetryTraining begins another attempt of the training, which is blank. Fault Refused where the last one is not over, or was passed.
func (d *Desk) RetryTraining(ctx context.Context) (State, error) {
	const op = "try training again"
	err := d.within(op, func(r *room) error {
		r.acting.Lock()
		defer r.acting.Unlock()
		stands, err := r.trainingStands(ctx)
		switch {
		case err != nil:
			return err
		case stands == nil:
			return fault.New(fault.Refused, op, "", "there is no training")
		case stands.Passed:
			return fault.New(fault.Refused, op, "", "the training is passed")
		case !stands.Done:
			return fault.New(fault.Refused, op, "", "attempt %d is not over: %d of %d training cases are signed", stands.Attempt, stands.Signed, stands.Cases)
		}
		if err := r.sayTraining(review.Training{Attempt: stands.Attempt + 1}); err != nil {
			return err
		}
		r.forget()
		return nil
	})
	if err != nil {
		return State{}, err
	}
	return d.State(ctx)
}

// Feedback sets one answer of a signed training case beside what was expected.
type Feedback struct {
	Question string          `json:"question"` // "" for a step
	Chain    string          `json:"chain"`    // "" for a question
	Step     string          `json:"step"`
	Own      string          `json:"own"`
	Expected []string        `json:"expected"` // any of these
	Right    bool            `json:"right"`
	Counted  bool            `json:"counted"` // false: free text, which only a person can compare
	Evidence []review.Region `json:"evidence"`
	Words    string          `json:"words"`
}

// TrainingView is what belongs to an open training case: where the reader stands, and once it is signed what was expected.
type TrainingView struct {
	Stands   TrainingStands `json:"stands"`
	Feedback []Feedback     `json:"feedback"`
}

// trainingView shows a training case. acting is held.
func (r *room) trainingView(ctx context.Context, rd *reading) (*TrainingView, error) {
	stands, err := r.trainingStands(ctx)
	if err != nil || stands == nil {
		return nil, err
	}
	v := &TrainingView{Stands: *stands, Feedback: []Feedback{}}
	if rd.phase() == phaseSigned {
		v.Feedback, err = r.feedback(ctx, rd)
	}
	return v, err
}

// feedback sets the answers of a signed training case beside the key: questions in stage order, then steps. acting is held.
func (r *room) feedback(ctx context.Context, rd *reading) ([]Feedback, error) {
	key, err := r.trainingKey(ctx)
	if err != nil {
		return nil, err
	}
	all := []Feedback{}
	at := slices.IndexFunc(key.Cases, func(c review.TrainingCase) bool { return c.Case == rd.of.ID })
	if at < 0 {
		return all, nil
	}
	expected := key.Cases[at]
	for _, q := range rd.questions {
		i := slices.IndexFunc(expected.Looks, func(t review.Truth) bool { return t.Question == q.ID })
		own, said := rd.looks[q.ID]
		if i < 0 || expected.Looks[i].Gold == nil || !said {
			continue
		}
		gold, answer := *expected.Looks[i].Gold, own.Body.Look.Answer
		all = append(all, Feedback{
			Question: string(q.ID), Own: answer, Expected: []string{gold}, Right: q.Same(answer, gold), Counted: len(q.Options) > 0,
			Evidence: list(expected.Looks[i].Evidence), Words: expected.Looks[i].Expectation,
		})
	}
	for _, e := range expected.Steps {
		own := rd.rating(e.Chain, e.Step).Support
		if own == review.Unrated {
			continue
		}
		f := Feedback{Chain: string(e.Chain), Step: string(e.Step), Own: string(own), Expected: []string{}, Right: slices.Contains(e.Supports, own), Counted: true, Evidence: []review.Region{}, Words: e.Words}
		for _, s := range e.Supports {
			f.Expected = append(f.Expected, string(s))
		}
		all = append(all, f)
	}
	if words := strings.TrimSpace(expected.Words); words != "" && len(all) > 0 {
		all[len(all)-1].Words = strings.TrimSpace(all[len(all)-1].Words + "\n" + words)
	}
	return all, nil
}
