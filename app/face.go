package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
)

// face is what the bound methods share: the desk, the window and the operations that run.
type face struct {
	desk   acts
	window window
	log    zerolog.Logger
	begun  time.Time // of the process
	start  start
	stops  stops

	mu     sync.Mutex
	ctx    context.Context    // of the program: only Wails' own works with its runtime
	run    context.Context    // of the operations running now
	cancel context.CancelFunc // ends them
	live   int                // how many they are
	told   uint64             // progress reports so far
}

func (f *face) setContext(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ctx = ctx
}

// begin gives the context of one bound call; cancelLong ends all that run.
func (f *face) begin() (context.Context, func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.live == 0 || f.run.Err() != nil {
		if f.cancel != nil {
			f.cancel()
		}
		f.run, f.cancel = context.WithCancel(f.ctx)
	}
	f.live++
	return f.run, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.live--
	}
}

func (f *face) cancelLong() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cancel != nil {
		f.cancel()
	}
}

// bound runs one bound call. A panic in it would leave the page's promise pending for ever, so it becomes a fault.
func bound[T any](a *App, act func(context.Context, acts) (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			a.face.log.Error().Str("panic", fmt.Sprint(p)).Bytes("stack", debug.Stack()).Msg("bound call")
			err = fault.New(fault.Internal, "act", "", "a bug: %v", p)
		}
	}()
	ctx, end := a.face.begin()
	defer end()
	return act(ctx, a.face.desk)
}

// Trouble is a fault as the page receives it when a promise rejects.
type Trouble struct {
	Kind string `json:"kind"`
	Op   string `json:"op"`
	Of   string `json:"of"`
	Text string `json:"text"` // one sentence
}

// trouble formats an error for the page: as JSON text, since Wails' runtime makes an Error of what it gets, and an Error holds only text.
func trouble(err error) any {
	t := Trouble{Kind: string(fault.KindOf(err)), Text: err.Error()}
	var f *fault.Error
	if errors.As(err, &f) {
		t.Op, t.Of = f.Op, f.Of
	}
	b, err := json.Marshal(t)
	if err != nil {
		panic(err) // four strings always marshal
	}
	return string(b)
}

// first does what the command line asked for.
func (f *face) first(ctx context.Context, d acts) (Start, error) {
	var state desk.State
	var err error
	switch {
	case f.start.sample:
		state, err = d.OpenSample(ctx)
	case f.start.path != "":
		state, err = d.OpenWorkspace(ctx, f.start.path)
	default:
		state, err = d.State(ctx)
	}
	if err == nil && f.start.accept && state.Open && !state.Consent {
		state, err = d.AcceptNotice(ctx)
	}
	if err != nil || !f.start.sample || !state.Consent {
		return Start{State: state}, err
	}
	first := state.Resume.Case
	if first == "" {
		rows, err := d.Cases(ctx)
		if err != nil || len(rows) == 0 {
			return Start{State: state}, err
		}
		first = rows[0].ID
	}
	return Start{State: state, Case: first}, nil
}
