package desk

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"plumbline/backend/dataset"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// A room is an open workspace with its dataset.
type room struct {
	dir     string
	machine review.MachineID
	now     func() time.Time
	ledger  *store.Ledger
	index   *store.Index
	runs    *store.Runs  // the coordinator's; nil in a reader's seat
	set     *dataset.Set // nil before an import, or where the dataset cannot be reached
	outline map[review.CaseID]outline
	shown   shownPixels
	shelf   shelf
	aliases interpreter

	acting   sync.Mutex // guards what follows, and makes each act one step
	w        workspace
	problems []review.Problem
	changed  []review.Problem // files that were seen to have changed since the data were opened
	recent   []*material      // the last cases opened, newest first
	rules    rules
	dealt    []review.Assignment             // that this ledger knows of; none: every reader reads every case once
	list     *agenda                         // of this seat's reader; nil: not worked out yet
	rows     map[review.AssignmentID]CaseRow // of those under which something was said; nil: not looked up yet
	signed   map[review.AssignmentID]bool    // nil: not counted yet
	cues     map[review.ChainID]bool
	toDecide *disputes // nil: not worked out yet

	adjudicating atomic.Bool // an adjudicator sits here

	training  map[review.ReaderID]review.Training // where readers stand in it
	displayed bool                                // this seat's reader said what of the display is to be seen, since the workspace was opened
}

// openRoom opens what lies in a workspace folder and the dataset that it names.
func (d *Desk) openRoom(ctx context.Context, dir string) (_ *room, err error) {
	r := &room{dir: dir, now: d.options.Now, problems: []review.Problem{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	if r.w, err = loadWorkspace(dir); err != nil {
		return nil, err
	}
	if r.ledger, err = store.OpenLedger(filepath.Join(dir, ledgerFile)); err != nil {
		return nil, err
	}
	r.ledger.UseClock(r.now)
	if r.index, _, err = store.OpenIndex(filepath.Join(dir, indexFile)); err != nil {
		return nil, err
	}
	if r.w.Seat.Role == Coordinator {
		if r.runs, err = store.OpenRuns(filepath.Join(dir, runsFile)); err != nil {
			return nil, err
		}
	}
	if r.machine, err = d.options.Folders.machine(r.w.ID, dir); err != nil {
		return nil, err
	}
	if err = r.learnRules(); err != nil {
		return nil, err
	}
	data := r.w.datasetDir(dir)
	if data == "" {
		return r, nil
	}
	found, err := r.take(ctx, data, r.w.with(dir), d.options.Tell)
	switch {
	case err == nil:
		r.set, r.outline, r.problems = found.set, found.outline, found.problems
		if r.runs != nil {
			hidden, err := r.runs.Problems()
			if err != nil {
				return nil, err
			}
			r.problems = append(r.problems, hidden...)
		}
	case fault.KindOf(err) == fault.Cancelled:
		return nil, err
	default:
		r.problems = []review.Problem{{File: data, Text: "the dataset cannot be opened: " + err.Error()}}
	}
	return r, r.learnCues()
}

// taken is a dataset that was opened for a room and is not yet in it.
type taken struct {
	set      *dataset.Set
	outline  map[review.CaseID]outline
	problems []review.Problem
}

// take opens a dataset and works out the outlines of its cases.
func (r *room) take(ctx context.Context, data string, with dataset.With, tell review.Tell) (taken, error) {
	set, problems, err := r.openDataset(ctx, data, with, tell)
	if err != nil {
		return taken{}, err
	}
	all, err := outlines(ctx, set, r.index, tell)
	return taken{set, all, list(problems)}, err
}

// openDataset opens a dataset over this workspace's index; an index that turns out damaged is begun anew, once.
func (r *room) openDataset(ctx context.Context, data string, with dataset.With, tell review.Tell) (*dataset.Set, []review.Problem, error) {
	set, problems, err := dataset.OpenWith(ctx, data, with, r.index, tell)
	if fault.KindOf(err) != fault.Damaged {
		return set, problems, err
	}
	path := filepath.Join(r.dir, indexFile)
	if err := r.index.Discard(); err != nil {
		return nil, nil, err
	}
	if r.index, _, err = store.OpenIndex(path); err != nil {
		return nil, nil, err
	}
	return dataset.OpenWith(ctx, data, with, r.index, tell)
}

// learnCues finds which chains were given a cue: the coordinator's second pass asks for their acknowledgement. A reader's workspace does
// not hold that knowledge.
func (r *room) learnCues() error {
	r.cues = map[review.ChainID]bool{}
	if r.runs == nil {
		return nil
	}
	origins, err := r.runs.Origins()
	for _, o := range origins {
		if o.Condition.Cue != "" {
			r.cues[o.Chain] = true
		}
	}
	return err
}

// close lets go of all files.
func (r *room) close() error {
	var errs []error
	if r.runs != nil {
		errs = append(errs, r.runs.Close())
	}
	if r.index != nil {
		errs = append(errs, r.index.Close())
	}
	if r.ledger != nil {
		errs = append(errs, r.ledger.Close())
	}
	return errors.Join(errs...)
}

// forget drops what was worked out for the reader or the dataset before.
func (r *room) forget() {
	r.recent, r.list, r.signed, r.rows, r.toDecide = nil, nil, nil, nil, nil
	r.aliases.forget()
	r.adjudicating.Store(r.isAdjudicator())
}

// data gives the dataset, or says why there is none.
func (r *room) data(op string) (*dataset.Set, error) {
	if r.set != nil {
		return r.set, nil
	}
	if len(r.problems) > 0 {
		return nil, fault.New(fault.IO, op, r.problems[0].File, "%s", r.problems[0].Text)
	}
	return nil, fault.New(fault.NotFound, op, "", "nothing is imported into this workspace yet")
}

// keptCases is how many opened cases are held ready.
const keptCases = 8

// material gathers what there is to read in a case. acting is held.
func (r *room) material(ctx context.Context, id review.CaseID) (*material, error) {
	for _, m := range r.recent {
		if m.of.ID == id {
			return m, nil
		}
	}
	set, err := r.data("open case")
	if err != nil {
		return nil, err
	}
	m := &material{}
	if m.of, err = set.Case(id); err != nil {
		return nil, err
	}
	if m.chains, err = set.Chains(id); err != nil {
		return nil, err
	}
	if m.stacks, m.problems, err = set.Stacks(ctx, id); err != nil {
		return nil, err
	}
	m.questions, m.stacks, m.problems = inStageOrder(m.of.Questions), list(m.stacks), list(m.problems)
	r.recent = append([]*material{m}, r.recent[:min(len(r.recent), keptCases-1)]...)
	return m, nil
}

// reading gives where this seat's reader stands in an assignment. acting is held.
func (r *room) reading(ctx context.Context, d duty) (*reading, error) {
	rd, err := r.readingOf(ctx, d)
	if err != nil || rd.phase() != phaseSigned {
		return rd, err
	}
	for _, c := range rd.chains {
		if r.cues[c.ID] {
			// Knowing that there was a cue is knowing a condition: it waits as long as the protocol hides that.
			hidden, err := r.hiddenNow(ctx, rd)
			if err != nil {
				return nil, err
			}
			rd.cueRun[c.ID] = !hidden
		}
	}
	return rd, nil
}

// readingOf gives where any reader stands in an assignment, without the second pass over cues. acting is held.
func (r *room) readingOf(ctx context.Context, d duty) (*reading, error) {
	m, err := r.material(ctx, d.Case)
	if err != nil {
		return nil, err
	}
	if d.Chains == nil {
		d.Assignment = assignmentOf(r.w, d.Reader, d.Case, m.chains)
	}
	said, err := r.said(d.ID)
	if err != nil {
		return nil, err
	}
	return newReading(m, r.rubricOf(said.Current), r.rules.protocol.Look, d, said), nil
}

// said gives what was said under an assignment. acting is held.
func (r *room) said(id review.AssignmentID) (store.Said, error) {
	s, err := r.ledger.Assignment(id)
	if err != nil || r.w.Seat.Role != Coordinator {
		return s, err
	}
	return r.inOurWords(s)
}

// events hands everything that was said to fn, oldest first.
func (r *room) events(ctx context.Context, fn func(review.Event)) error {
	return r.ledger.Events(func(e review.Event, _ []byte) error {
		if r.w.Seat.Role == Coordinator {
			var err error
			if e, err = r.meaning(e); err != nil {
				return err
			}
		}
		fn(e)
		return ctx.Err()
	})
}

// draft begins an event of this seat. assignment is "" for what concerns no case.
func (r *room) draft(kind review.Kind, assignment review.AssignmentID) review.Event {
	return review.Event{
		Study: r.w.Study, Workspace: r.w.ID, Machine: r.machine, Reader: r.w.Seat.Reader, Session: session, Assignment: assignment,
		Kind: kind, ProtocolDigest: r.rules.digest, Rubric: r.rules.rubric.Ref(), AppVersion: Version,
	}
}

func (r *room) consentKey() string {
	return review.EventKey("", review.KindConsent, "", string(r.w.Seat.Reader))
}
