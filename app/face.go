package app

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/rs/zerolog"

	"plumbline/backend/fault"
)

// face is what the bound methods share: the desk, the window and the running long operation.
type face struct {
	desk   acts
	window window
	log    zerolog.Logger

	mu     sync.Mutex
	ctx    context.Context    // of the program
	cancel context.CancelFunc // of the operations running now
	live   int
	run    context.Context
}

// window is what the face asks of the window system; tests stand in front of it.
type window interface {
	chooseFolder(ctx context.Context, title string) (string, error)
}

// begin gives the context of one bound call; cancelLong ends all that run.
func (f *face) begin() (context.Context, func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.live == 0 || f.run.Err() != nil {
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

// trouble formats an error for the page.
func trouble(err error) any {
	t := Trouble{Kind: string(fault.KindOf(err)), Text: err.Error()}
	var f *fault.Error
	if errors.As(err, &f) {
		t.Op, t.Of = f.Op, f.Of
	}
	return t
}
