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
	LeftOut       []Count  `json:"left_out"`       // questions of chains for which the condition could not be made, by why
	Failed        []Count  `json:"failed"`         // requests without an answer, by kind
	Missed        []Missed `json:"missed"`         // the first of them
	Later         int      `json:"later"`          // chains whose next request went into a batch
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
	plan    Plan
	library *library
	gallery *gallery
	began   time.Time
	keeper  *keeper
	needed  map[string]bool // conditions whose answers others are told, by name

	mu      sync.Mutex
	status  Status
	unfit   map[string]int
	leftOut map[string]int
	failed  map[string]int
	paces   []Pace
	missed  []Missed
	noted   map[string][]byte // what is known of this run, by key
	open    map[place]*opened // cases that a model is at
	stopped map[int]string    // models that are asked nothing more, with the kind of failure
	streak  map[int]int       // transient failures of a model in a row
	broken  error             // why nothing more can be kept
}

// place is one model at one case.
type place struct {
	model int
	of    review.CaseID
}

// opened is what is held of a case while a model is at it: memory does not grow with the cases.
type opened struct {
	left  int                      // units that are not settled
	done  map[string]chan struct{} // closed when a unit is settled, by condition
	held  map[string]map[review.QuestionID]review.Answer
	later map[string]bool // units whose next request is in a batch
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
		Runner: r, plan: p, gallery: newGallery(r.Study), began: r.Now(), unfit: map[string]int{}, leftOut: map[string]int{}, failed: map[string]int{},
		open: map[place]*opened{}, stopped: map[int]string{}, streak: map[int]int{}, needed: neededBy(conditions),
		paces: make([]Pace, len(r.Models)), missed: []Missed{},
	}
	if e.Study.Wording.Schema == "" {
		e.Study.Wording = DefaultWording()
	}
	if p.Wording == nil {
		p.Wording = &e.Study.Wording
	}
	e.Study.Wording, e.plan = *p.Wording, p
	e.gallery.study = e.Study
	if e.library, err = newLibrary(ctx, e.Study, p.Cases, conditions); err != nil {
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
	if len(status.Failed)+status.Later == 0 {
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
	for m := range e.Models {
		e.status.Of += len(e.plan.Cases) * len(conditions)
		e.paces[m] = Pace{Model: e.Models[m].Name(), Of: len(e.plan.Cases) * len(conditions)}
	}
	for m := range e.Models {
		queue := make(chan unit)
		workers.Go(func() {
			defer close(queue)
			e.feed(ctx, m, conditions, queue)
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

// feed queues the units of a model, case by case.
func (e *run) feed(ctx context.Context, m int, conditions []review.Condition, queue chan<- unit) {
	for _, id := range e.plan.Cases {
		o := &opened{left: len(conditions), done: map[string]chan struct{}{}, held: map[string]map[review.QuestionID]review.Answer{}, later: map[string]bool{}}
		for _, c := range conditions {
			o.done[c.Name()] = make(chan struct{})
		}
		e.mu.Lock()
		e.open[place{m, id}] = o
		e.mu.Unlock()
		for _, c := range conditions {
			select {
			case queue <- unit{m, id, c}:
			case <-ctx.Done():
				return
			}
		}
	}
}

// settled lets those go on who wait for a unit, and lets go of the case after its last. mu is held.
func (e *run) settled(u unit) {
	at := place{u.model, u.of}
	o := e.open[at]
	close(o.done[u.condition.Name()])
	if o.left--; o.left == 0 {
		delete(e.open, at)
	}
}

// neededBy names the conditions whose answers others are told.
func neededBy(conditions []review.Condition) map[string]bool {
	out := map[string]bool{}
	for _, c := range conditions {
		for _, name := range needs(c) {
			out[name] = true
		}
	}
	return out
}

// settle makes the chain of a unit, or notes why there is none. An error is one that ends the run.
func (e *run) settle(ctx context.Context, u unit) error {
	made, err := e.chain(ctx, u, u.key(e.Models))
	var failure *model.Failure
	e.mu.Lock()
	defer func() {
		e.settled(u)
		e.mu.Unlock()
		e.tell()
	}()
	e.status.Units++
	pace := &e.paces[u.model]
	pace.Units++
	pace.Seconds = e.asking()
	switch {
	case err == nil && made:
		e.status.Chains++
		pace.Chains++
		e.streak[u.model] = 0
	case errors.Is(err, errLater):
		e.status.Later++
		e.open[place{u.model, u.of}].later[u.condition.Name()] = true
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
		if failure.Kind == model.Transient {
			e.streak[u.model]++
		}
		if failure.Kind == model.Unauthorised || failure.Kind == model.OutOfQuota || e.streak[u.model] >= mostInARow {
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

// mostInARow is how many chains in a row may fail for a server that is not there before the model is asked nothing more: each was tried
// several times already.
const mostInARow = 8

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
	errLater      = errors.New("the request waits in a batch")
)

// asking gives the seconds in which requests could begin: a pause says nothing of the pace.
func (e *run) asking() float64 { return max(0, (e.Now().Sub(e.began) - e.Gate.Shut()).Seconds()) }

// now gives where the run is.
func (e *run) now() Status {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.status
	s.Run, s.Paused, s.Seconds = e.plan.Run, e.Gate.Closed(), e.asking()
	if s.Seconds > 0 {
		s.PerSecond = float64(s.Requests) / s.Seconds
	}
	if s.Units > 0 {
		s.SecondsLeft = s.Seconds / float64(s.Units) * float64(s.Of-s.Units)
	}
	s.NotApplicable, s.LeftOut, s.Failed = counts(e.unfit), counts(e.leftOut), counts(e.failed)
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
