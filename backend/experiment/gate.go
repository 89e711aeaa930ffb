package experiment

import (
	"context"
	"sync"
	"time"
)

// A Gate pauses a run: while it is closed no request begins, those under way end. The zero value is open.
type Gate struct {
	mu     sync.Mutex
	opened chan struct{} // nil: open
	since  time.Time     // it is closed
	shut   time.Duration // in all, before that
}

// Close lets no request begin.
func (g *Gate) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened == nil {
		g.opened, g.since = make(chan struct{}), time.Now()
	}
}

// Open lets requests begin again.
func (g *Gate) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened != nil {
		close(g.opened)
		g.opened = nil
		g.shut += time.Since(g.since)
	}
}

// Closed says whether the run is paused.
func (g *Gate) Closed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.opened != nil
}

// Shut gives for how long it was closed, in all: no time in which requests could begin.
func (g *Gate) Shut() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened != nil {
		return g.shut + time.Since(g.since)
	}
	return g.shut
}

// wait returns once the gate is open, or with the context's error.
func (g *Gate) wait(ctx context.Context) error {
	g.mu.Lock()
	opened := g.opened
	g.mu.Unlock()
	if opened == nil {
		return ctx.Err()
	}
	select {
	case <-opened:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
