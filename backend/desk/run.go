package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"plumbline/backend/experiment"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// RunOrder says which models answer which cases under which conditions.
type RunOrder struct {
	Models      []string `json:"models"`      // names; "controls" stands for all built-in ones
	Conditions  []string `json:"conditions"`  // as the command line writes them; names of sets stand for theirs (review.ConditionSets)
	Cases       []string `json:"cases"`       // none: all
	Concurrency int      `json:"concurrency"` // requests at a time to one model; 0: as the model's profile says
	Seed        int64    `json:"seed"`
	Resume      bool     `json:"resume"` // goes on with a run that is not done, and takes models, conditions and cases from it
	Run         string   `json:"run"`    // the run to resume; "": the latest that is not done
	Budget      int      `json:"budget"` // requests that may be made before the run stops by itself; 0: as many as it takes
}

// experiments is the run that is under way at a desk, or the last one.
type experiments struct {
	mu     sync.Mutex
	gate   *experiment.Gate
	cancel context.CancelFunc // nil: none was begun
	done   chan struct{}
	status experiment.Status
	err    error
}

const runOp = "run experiment"

// Conditions lists the names that conditions are joined of.
func (d *Desk) Conditions() []review.ConditionName { return review.ConditionNames() }

// EstimateRun says what a run would come to; nothing is asked. Faults: Refused outside of the coordinator's seat, NotFound, Usage.
func (d *Desk) EstimateRun(ctx context.Context, o RunOrder) (e experiment.Estimate, err error) {
	err = d.within(runOp, func(r *room) error {
		p, _, err := r.planned(ctx, o, d.options)
		if err != nil {
			return err
		}
		e, _, err = r.estimate(ctx, p)
		return err
	})
	return e, err
}

// estimate says what a plan would come to, and how many questions a case of it has at the most.
func (r *room) estimate(ctx context.Context, p experiment.Plan) (e experiment.Estimate, longest int, err error) {
	var cases []review.Case
	for _, id := range p.Cases {
		c, err := r.set.Case(id)
		if err != nil {
			return e, 0, err
		}
		cases, longest = append(cases, c), max(longest, len(c.Questions))
	}
	if e, err = experiment.EstimateOf(p, cases); err != nil {
		return e, 0, err
	}
	return e, longest, r.sized(ctx, p, cases, &e)
}

// StartRun begins a run and returns; RunStatus tells where it is. It ends with ctx, with CancelRun, and where the workspace is left. Chains
// and what made them go into runs.db, which is the coordinator's: readers are handed none of them. Faults: Busy while another run is under
// way, Refused outside of the coordinator's seat, NotFound, Usage.
func (d *Desk) StartRun(ctx context.Context, o RunOrder) error {
	return d.within(runOp, func(r *room) error {
		p, models, err := r.planned(ctx, o, d.options)
		if err != nil {
			return err
		}
		return d.begin(ctx, r, p, models, o.Budget)
	})
}

// begin starts a plan, with so many requests at the most (0: as many as it takes), and returns.
func (d *Desk) begin(ctx context.Context, r *room, p experiment.Plan, models []experiment.Asked, budget int) error {
	study, err := r.study(ctx)
	if err != nil {
		return err
	}
	x := &d.experiments
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.cancel != nil {
		select {
		case <-x.done:
		default:
			return fault.New(fault.Busy, runOp, x.status.Run, "another run is under way")
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	gate, done := &experiment.Gate{}, make(chan struct{})
	x.gate, x.cancel, x.done, x.err = gate, cancel, done, nil
	x.status = noStatus()
	x.status.Run = p.Run
	runner := experiment.Runner{Study: study, Models: models, Book: r.runs, Budget: budget, Gate: gate, Now: r.now, Tell: func(s experiment.Status) {
		x.mu.Lock()
		x.status = s
		x.mu.Unlock()
		op := fmt.Sprintf("run: %.1f requests/s, %.0f s left, chain", s.PerSecond, s.SecondsLeft)
		d.options.Tell(review.Progress{Op: op, Done: s.Units, Total: s.Of, Of: p.Run})
	}}
	go func() {
		defer close(done)
		defer cancel()
		status, err := runner.Do(ctx, p)
		if status.Run != "" {
			err = cmp.Or(err, r.keepStatus(status))
		}
		x.mu.Lock()
		defer x.mu.Unlock()
		if x.err = err; status.Run != "" {
			x.status = status
		}
	}()
	return nil
}

// ended waits until the run that was begun is over.
func (d *Desk) ended(ctx context.Context) (experiment.Status, error) {
	d.experiments.mu.Lock()
	done := d.experiments.done
	d.experiments.mu.Unlock()
	<-done
	s, _, err := d.RunStatus(ctx)
	return s, err
}

// RunStatus tells where the latest run of this desk is, and whether it is under way. A run that ended with a fault gives that.
func (d *Desk) RunStatus(context.Context) (s experiment.Status, running bool, err error) {
	x := &d.experiments
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.cancel == nil {
		return noStatus(), false, nil
	}
	s = x.status
	s.Paused = x.gate.Closed()
	select {
	case <-x.done:
		return s, false, x.err
	default:
		return s, true, nil
	}
}

// PauseRun lets no further request begin, or lets them begin again. Fault NotFound where no run was begun.
func (d *Desk) PauseRun(_ context.Context, paused bool) error {
	x := &d.experiments
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.cancel == nil:
		return fault.New(fault.NotFound, "pause run", "", "no run was begun")
	case paused:
		x.gate.Close()
	default:
		x.gate.Open()
	}
	return nil
}

// CancelRun ends the run that is under way, if any, and waits until it has; what was answered stays, and Resume goes on with it.
func (d *Desk) CancelRun(context.Context) error {
	d.experiments.stop()
	return nil
}

func (x *experiments) stop() {
	x.mu.Lock()
	cancel, done := x.cancel, x.done
	x.mu.Unlock()
	if cancel != nil {
		cancel()
		<-done
	}
}

// Run carries out a run and returns when it is over.
func (d *Desk) Run(ctx context.Context, o RunOrder) (experiment.Status, error) {
	if err := d.StartRun(ctx, o); err != nil {
		return experiment.Status{}, err
	}
	return d.ended(ctx)
}

// Runs lists the runs of the workspace, the latest first. Fault Refused outside of the coordinator's seat.
func (d *Desk) Runs(context.Context) (all []experiment.Plan, err error) {
	all = []experiment.Plan{}
	err = d.within("list runs", func(r *room) error {
		if err := r.experimenter("list runs"); err != nil {
			return err
		}
		all, err = r.plans()
		return err
	})
	return all, err
}

// experimenter refuses what is the coordinator's alone.
func (r *room) experimenter(op string) error {
	if !r.leads() {
		return fault.New(fault.Refused, op, "", "runs know gold and models; they are the coordinator's")
	}
	return nil
}

// plans gives the runs of the workspace, the latest first.
func (r *room) plans() ([]experiment.Plan, error) {
	all := []experiment.Plan{}
	err := r.runs.Plans(func(run string, raw []byte) error {
		var p experiment.Plan
		if err := json.Unmarshal(raw, &p); err != nil {
			return fault.New(fault.Damaged, "list runs", run, "%w", err)
		}
		all = append(all, p)
		return nil
	})
	slices.SortStableFunc(all, func(a, b experiment.Plan) int { return strings.Compare(b.Begun, a.Begun) })
	return all, err
}

// planned makes the plan of an order, or finds the one that is to go on, with its models.
func (r *room) planned(ctx context.Context, o RunOrder, options Options) (p experiment.Plan, models []experiment.Asked, err error) {
	if err := r.experimenter(runOp); err != nil {
		return p, nil, err
	}
	set, err := r.data(runOp)
	if err != nil {
		return p, nil, err
	}
	if o.Resume {
		if p, err = r.unfinished(o.Run); err != nil {
			return p, nil, err
		}
		models, err = r.askable(ctx, p.Models, o.Concurrency)
		return p, models, err
	}
	if models, err = r.askable(ctx, o.Models, o.Concurrency); err != nil {
		return p, nil, err
	}
	var names []string
	for _, m := range models {
		names = append(names, m.Name())
	}
	known, cases := set.IDs(), []review.CaseID{}
	for _, c := range o.Cases {
		if !slices.Contains(known, review.CaseID(c)) {
			return p, nil, fault.New(fault.NotFound, runOp, c, "no such case in the dataset")
		}
		cases = append(cases, review.CaseID(c))
	}
	if len(o.Cases) == 0 {
		cases = known
	}
	conditions, err := review.ExpandConditions(o.Conditions)
	if err != nil {
		return p, nil, fault.New(fault.Usage, runOp, "", "%w", err)
	}
	if len(conditions) == 0 {
		return p, nil, fault.New(fault.Usage, runOp, "", "name the conditions; \"original\" is the plain one")
	}
	if p, err = experiment.NewPlan(names, cases, conditions, o.Seed, r.now()); err == nil && slices.ContainsFunc(p.Conditions, func(c string) bool { return strings.Contains(c, "expert") }) {
		p.Corrected, err = r.corrections(ctx, cases)
	}
	return p, models, err
}

// unfinished gives the run of this name, or with "" the latest, of which something is left to ask.
func (r *room) unfinished(run string) (experiment.Plan, error) {
	all, err := r.plans()
	if err != nil {
		return experiment.Plan{}, err
	}
	for _, p := range all {
		if !p.Done && (run == "" || run == p.Run) {
			return p, nil
		}
	}
	return experiment.Plan{}, fault.New(fault.NotFound, "resume run", run, "no run is left unfinished")
}

// askable finds the models of these names.
func (r *room) askable(ctx context.Context, names []string, concurrency int) ([]experiment.Asked, error) {
	var out []experiment.Asked
	for _, name := range names {
		found := false
		for _, m := range experiment.Controls() {
			if name != m.Name() && name != "controls" {
				continue
			}
			found = true
			if concurrency > 0 {
				m.Concurrency = concurrency
			}
			if !slices.ContainsFunc(out, func(a experiment.Asked) bool { return a.Name() == m.Name() }) {
				out = append(out, m)
			}
		}
		if !found {
			m, err := r.endpoint(ctx, name, concurrency)
			if err != nil {
				return nil, err
			}
			out = append(out, m)
		}
	}
	if len(out) == 0 {
		return nil, fault.New(fault.Usage, runOp, "", "name a model; \"controls\" stands for the built-in ones")
	}
	return out, nil
}

// madeChains gives the chains that runs made of a case; none outside of the coordinator's seat.
func (r *room) madeChains(id review.CaseID) ([]review.Chain, error) {
	var all []review.Chain
	if r.runs == nil || !r.leads() {
		return nil, nil
	}
	err := r.runs.Made(id, func(c review.Chain) error {
		all = append(all, c)
		return nil
	})
	return all, err
}
