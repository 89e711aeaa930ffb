package experiment

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/review"
)

// UnitNote begins the key of the note that a chain of a run is made.
const UnitNote = "unit\x00"

// Count is how often something happened.
type Count struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// Pace is where one model of a run is.
type Pace struct {
	Model         string  `json:"model"`
	Units         int     `json:"units"` // chains done, not applicable or failed
	Of            int     `json:"of"`
	Chains        int     `json:"chains"`
	NotApplicable int     `json:"not_applicable"`
	Failed        int     `json:"failed"`
	Requests      int     `json:"requests"` // made by this process
	Seconds       float64 `json:"seconds"`  // from the beginning to its latest chain
}

// Missed is a chain that could not be made, and why.
type Missed struct {
	Model     string        `json:"model"`
	Case      review.CaseID `json:"case"`
	Condition string        `json:"condition"`
	Kind      string        `json:"kind"`
	Text      string        `json:"text"`
}

// mostMissed is how many missed chains are listed; all of them are counted.
const mostMissed = 200

// Status is where a run is.
type Status struct {
	Run           string   `json:"run"`
	Requests      int      `json:"requests"`       // made by this process
	Answered      int      `json:"answered"`       // of them, and those of an earlier process that were taken over
	Kept          int      `json:"kept"`           // taken over from an earlier process
	Unparsed      int      `json:"unparsed"`       // answered, but not readably
	NotApplicable []Count  `json:"not_applicable"` // conditions that make no sense for a case, by why
	Failed        []Count  `json:"failed"`         // requests without an answer, by kind
	Missed        []Missed `json:"missed"`         // the first of them
	Models        []Pace   `json:"models"`         // each by itself, in the order of the plan
	Chains        int      `json:"chains"`         // made or taken over
	Units         int      `json:"units"`          // chains done, not applicable or failed
	Of            int      `json:"of"`             // units in all
	Seconds       float64  `json:"seconds"`
	PerSecond     float64  `json:"per_second"`   // requests
	SecondsLeft   float64  `json:"seconds_left"` // at this pace; 0: not known
	Paused        bool     `json:"paused"`
}

// Runner carries out a plan.
type Runner struct {
	Study  Study
	Models []Asked // in the order of the plan's models
	Book   Book
	Budget int          // requests that may be made now; 0: as many as it takes
	Gate   *Gate        // nil: it cannot be paused
	Tell   func(Status) // hears where the run is; nil: nobody
	Now    func() time.Time
}

// run is a plan under way.
type run struct {
	Runner
	plan     Plan
	subjects map[review.CaseID]*subject
	gallery  *gallery
	began    time.Time
	keeper   *keeper

	mu      sync.Mutex
	status  Status
	unfit   map[string]int
	failed  map[string]int
	paces   []Pace
	missed  []Missed
	noted   map[string][]byte        // what is known of this run, by key
	done    map[string]chan struct{} // closed when a unit is settled
	held    map[string]map[review.QuestionID]review.Answer
	stopped map[int]string // models that are asked nothing more, with the kind of failure
	broken  error          // why nothing more can be kept
}

// Do carries out a plan, or what is left of it, and tells how it went. It goes on past requests that fail. Faults: Usage for a plan that
// cannot be read, NotFound for a case or model that is not there, IO where work cannot be kept, Cancelled.
func (r Runner) Do(ctx context.Context, p Plan) (Status, error) {
	conditions, _, err := ordered(p.Conditions)
	if err != nil {
		return Status{}, err
	}
	if r.Gate == nil {
		r.Gate = &Gate{}
	}
	e := &run{
		Runner: r, plan: p, gallery: newGallery(r.Study), began: r.Now(), unfit: map[string]int{}, failed: map[string]int{},
		done: map[string]chan struct{}{}, held: map[string]map[review.QuestionID]review.Answer{}, stopped: map[int]string{},
		paces: make([]Pace, len(r.Models)), missed: []Missed{},
	}
	if e.subjects, err = subjects(ctx, r.Study, p.Cases); err != nil {
		return Status{}, err
	}
	if e.noted, err = r.Book.Noted(p.Run); err != nil {
		return Status{}, err
	}
	plan, err := json.Marshal(p)
	if err != nil {
		return Status{}, err
	}
	if err := r.Book.SavePlan(p.Run, plan); err != nil {
		return Status{}, err
	}
	e.keeper = newKeeper(r.Book, p.Run)
	e.work(ctx, conditions)
	e.keeper.close()
	status := e.now()
	if err := cmp.Or(e.broken, fault.In("run", p.Run, ctx.Err())); err != nil {
		return status, err
	}
	if len(status.Failed) == 0 {
		p.Done = true
		if plan, err = json.Marshal(p); err == nil {
			err = r.Book.SavePlan(p.Run, plan)
		}
	}
	return status, err
}

// work asks every model, each with as many requests at a time as it takes, case by case. A unit that is told the answers of another waits
// for it; that one stands before it in the same queue, so somebody is at it.
func (e *run) work(ctx context.Context, conditions []review.Condition) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var workers sync.WaitGroup
	units := make([][]unit, len(e.Models))
	for m := range e.Models {
		for _, id := range e.plan.Cases {
			for _, c := range conditions {
				u := unit{m, id, c}
				units[m] = append(units[m], u)
				e.done[u.key(e.Models)] = make(chan struct{})
			}
		}
		e.status.Of += len(units[m])
		e.paces[m] = Pace{Model: e.Models[m].Name(), Of: len(units[m])}
	}
	for m := range e.Models {
		queue := make(chan unit)
		workers.Go(func() {
			defer close(queue)
			for _, u := range units[m] {
				select {
				case queue <- u:
				case <-ctx.Done():
					return
				}
			}
		})
		for range max(1, e.Models[m].Concurrency) {
			workers.Go(func() {
				for u := range queue {
					if err := e.settle(ctx, u); err != nil {
						stop()
						return
					}
				}
			})
		}
	}
	workers.Wait()
}

// settle makes the chain of a unit, or notes why there is none. An error is one that ends the run.
func (e *run) settle(ctx context.Context, u unit) error {
	key := u.key(e.Models)
	defer close(e.done[key])
	made, err := e.chain(ctx, u, key)
	var failure *model.Failure
	e.mu.Lock()
	defer func() {
		e.mu.Unlock()
		e.tell()
	}()
	e.status.Units++
	pace := &e.paces[u.model]
	pace.Units++
	pace.Seconds = e.Now().Sub(e.began).Seconds()
	switch {
	case err == nil && made:
		e.status.Chains++
		pace.Chains++
	case isUnfit(err):
		e.unfit[err.Error()]++
		pace.NotApplicable++
	case errors.Is(err, errNotAsked):
		e.miss(u, "not asked after "+e.stopped[u.model], err)
	case errors.Is(err, errOverBudget):
		e.miss(u, "not asked: the budget is spent", err)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &failure):
		e.miss(u, string(failure.Kind), err)
		if failure.Kind == model.Unauthorised || failure.Kind == model.OutOfQuota {
			e.stopped[u.model] = string(failure.Kind)
		}
	case fault.KindOf(err) == fault.IO || fault.KindOf(err) == fault.Busy:
		e.broken = err
		return err
	default:
		e.miss(u, string(fault.KindOf(err)), err)
	}
	return nil
}

// miss notes a chain that could not be made. mu is held.
func (e *run) miss(u unit, kind string, why error) {
	e.failed[kind]++
	e.paces[u.model].Failed++
	if len(e.missed) < mostMissed {
		e.missed = append(e.missed, Missed{e.Models[u.model].Name(), u.of, u.condition.Name(), kind, why.Error()})
	}
}

// mayAsk takes one request of a model out of the budget.
func (e *run) mayAsk(model int) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.Budget > 0 && e.status.Requests >= e.Budget {
		return errOverBudget
	}
	e.status.Requests++
	e.paces[model].Requests++
	return nil
}

var (
	errNotAsked   = errors.New("the model is asked nothing more")
	errOverBudget = errors.New("the budget of requests is spent")
)

// now gives where the run is.
func (e *run) now() Status {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.status
	s.Run, s.Paused, s.Seconds = e.plan.Run, e.Gate.Closed(), e.Now().Sub(e.began).Seconds()
	if s.Seconds > 0 {
		s.PerSecond = float64(s.Requests) / s.Seconds
	}
	if s.Units > 0 {
		s.SecondsLeft = s.Seconds / float64(s.Units) * float64(s.Of-s.Units)
	}
	s.NotApplicable, s.Failed = counts(e.unfit), counts(e.failed)
	s.Missed, s.Models = slices.Clone(e.missed), slices.Clone(e.paces)
	return s
}

func (e *run) tell() {
	if e.Tell != nil {
		e.Tell(e.now())
	}
}

func counts(m map[string]int) []Count {
	out := []Count{}
	for kind, n := range m {
		out = append(out, Count{kind, n})
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Kind, b.Kind)) })
	return out
}
