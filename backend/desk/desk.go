// Package desk is everything that a person can do: open a workspace, bring in data, look, rate, sign. The window and the command line both
// sit here, and blinding lives here: what a reader may not see never leaves it.
//
// A reader's act is one transaction of the ledger, on the disk before the act answers.
package desk

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Options say how a desk is set up.
type Options struct {
	Folders Folders
	Tell    review.Tell      // hears of long operations; nil: nobody
	Log     zerolog.Logger   // ids only; zero: nowhere
	Seat    Seat             // of a workspace that is created; zero: a coordinator who reads as R1
	Stay    bool             // an import never leaves the open workspace for a new one
	Now     func() time.Time // tells the time; nil: the computer does
}

// A Desk is where one person works. Its methods may be called from several goroutines; one workspace is open at a time.
type Desk struct {
	options Options

	bringing sync.Mutex   // held through opening and importing
	mu       sync.RWMutex // guards room: held for reading by whoever uses it, for writing to change it
	room     *room        // nil: no workspace is open

	experiments experiments
}

// New sets up a desk with no workspace open.
func New(o Options) *Desk {
	if o.Tell == nil {
		o.Tell = review.Quiet
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Seat == (Seat{}) {
		o.Seat = Seat{Role: Coordinator, Reader: "R1"}
	}
	return &Desk{options: o}
}

// Close lets go of the open workspace, if any.
func (d *Desk) Close() error {
	d.bringing.Lock()
	defer d.bringing.Unlock()
	d.experiments.stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.room
	d.room = nil
	if r == nil {
		return nil
	}
	return r.close()
}

// Rubric gives what readers of the open workspace are asked; GRD v1 where none is open.
func (d *Desk) Rubric() review.Rubric {
	rubric := review.GRD()
	_ = d.within("show rubric", func(r *room) error { // no open workspace is no fault here
		r.acting.Lock()
		defer r.acting.Unlock()
		rubric = r.rules.rubric.Rubric
		return nil
	})
	return rubric
}

// OpenWorkspace opens the workspace folder dir, making it where the folder is missing or empty. Faults: Busy (another program has it),
// Invalid (another kind of folder, or made by a newer program), Damaged, IO. A dataset that cannot be opened is a problem, not a fault:
// what was said can still be listed.
func (d *Desk) OpenWorkspace(ctx context.Context, dir string) (State, error) {
	d.bringing.Lock()
	defer d.bringing.Unlock()
	if err := d.enter(ctx, dir, true); err != nil {
		return State{}, err
	}
	return d.State(ctx)
}

// OpenExisting opens the workspace folder dir and makes none: fault NotFound where there is none.
func (d *Desk) OpenExisting(ctx context.Context, dir string) (State, error) {
	d.bringing.Lock()
	defer d.bringing.Unlock()
	if err := d.enter(ctx, dir, false); err != nil {
		return State{}, err
	}
	return d.State(ctx)
}

// enter opens a workspace and leaves the one before; where that fails, nothing has changed. bringing is held.
func (d *Desk) enter(ctx context.Context, dir string, create bool) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fault.In("open workspace", dir, err)
	}
	if d.room != nil && d.room.dir == dir {
		return nil
	}
	made := false
	if !isWorkspace(dir) && create {
		if err := createWorkspace(dir, d.options.Seat); err != nil {
			return err
		}
		made = true
	}
	r, err := d.openRoom(ctx, dir)
	if err != nil {
		if made {
			_ = os.Remove(filepath.Join(dir, workspaceFile)) // so that a failed start leaves none
		}
		return err
	}
	return d.swap(r)
}

// swap makes r the open workspace.
func (d *Desk) swap(r *room) error {
	d.experiments.stop()
	d.mu.Lock()
	before := d.room
	d.room = r
	d.mu.Unlock()
	if err := d.options.Folders.remember(r.dir); err != nil { // a list for convenience: its loss stops nobody
		d.options.Log.Warn().Str("act", "remember workspace").Str("id", r.w.ID).Str("kind", string(fault.KindOf(err))).Send()
	}
	if before != nil {
		return before.close()
	}
	return nil
}

// within runs fn with the open workspace, which stays open meanwhile.
func (d *Desk) within(op string, fn func(*room) error) error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.room == nil {
		return fault.New(fault.NotFound, op, "", "no workspace is open")
	}
	return fn(d.room)
}

// State tells where the desk stands.
func (d *Desk) State(ctx context.Context) (State, error) {
	s := State{Stages: []string{}, Recent: d.options.Folders.recent(), Version: Version}
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.room == nil {
		return s, nil
	}
	err := d.room.state(ctx, &s)
	return s, err
}

// notice is the version of the research-use notice that is accepted.
const notice = "research use 1"

// AcceptNotice records that the reader of this seat accepts the research-use notice.
func (d *Desk) AcceptNotice(ctx context.Context) (State, error) {
	err := d.within("accept notice", func(r *room) error {
		r.acting.Lock()
		defer r.acting.Unlock()
		said, err := r.ledger.Has([]string{r.consentKey()})
		if err != nil || said[0] {
			return err
		}
		e := r.draft(review.KindConsent, "")
		e.Key = r.consentKey()
		e.Body.Note = notice
		_, err = r.ledger.Append(e)
		return err
	})
	if err != nil {
		return State{}, err
	}
	return d.State(ctx)
}

// SetReader takes another reader code, from now on and for the next start. Only the coordinator's seat may: a reader's workspace is that
// reader's alone.
func (d *Desk) SetReader(ctx context.Context, code string) (State, error) {
	err := d.within("take seat", func(r *room) error {
		r.acting.Lock()
		defer r.acting.Unlock()
		if review.ReaderID(code) == r.w.Seat.Reader {
			return nil
		}
		if r.w.Seat.Role != Coordinator {
			return fault.New(fault.Refused, "take seat", code, "this workspace is the seat of reader %s", r.w.Seat.Reader)
		}
		if err := checkReader(review.ReaderID(code)); err != nil {
			return err
		}
		if _, known := r.rules.protocol.Reader(review.ReaderID(code)); r.rules.set && !known {
			return fault.New(fault.Refused, "take seat", code, "the protocol has no reader %s", code)
		}
		w := r.w
		w.Seat.Reader = review.ReaderID(code)
		if err := w.save(r.dir); err != nil {
			return err
		}
		r.w, r.displayed = w, false
		r.forget()
		return nil
	})
	if err != nil {
		return State{}, err
	}
	return d.State(ctx)
}

// Preferences gives what the face keeps for itself, as it gave it; "{}" at first.
func (d *Desk) Preferences(context.Context) (string, error) {
	path := d.options.Folders.preferencesFile()
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return "{}", nil
	}
	if err != nil {
		return "", fault.New(fault.IO, "load preferences", path, "%w", err)
	}
	return string(b), nil
}

// logged notes an act and how long it took.
func (d *Desk) logged(act, id, event string, began time.Time) {
	d.options.Log.Info().Str("act", act).Str("id", id).Str("event", event).Dur("ms", time.Since(began)).Send()
}
