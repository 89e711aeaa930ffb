package model

import (
	"context"
	"slices"
	"sync"
)

// gate lets so many through at a time. While a server is starting it is narrowed to one, and each success doubles it again.
type gate struct {
	mu            sync.Mutex
	most, allowed int
	inside        int
	waiting       []chan struct{}
}

func newGate(most int) *gate { return &gate{most: most, allowed: most} }

// enter waits for a place, first come first served.
func (g *gate) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g.mu.Lock()
	if g.inside < g.allowed && len(g.waiting) == 0 {
		g.inside++
		g.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	g.waiting = append(g.waiting, turn)
	g.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		g.mu.Lock()
		defer g.mu.Unlock()
		if i := slices.Index(g.waiting, turn); i >= 0 {
			g.waiting = slices.Delete(g.waiting, i, i+1)
		} else { // the turn came at the same moment: pass it on
			g.inside--
			g.admit()
		}
		return ctx.Err()
	}
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside--
	g.admit()
}

// admit lets in who may; g.mu is held.
func (g *gate) admit() {
	for g.inside < g.allowed && len(g.waiting) > 0 {
		close(g.waiting[0])
		g.waiting = g.waiting[1:]
		g.inside++
	}
}

func (g *gate) narrow() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.allowed = 1
}

func (g *gate) widen() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.allowed = min(g.most, g.allowed*2)
	g.admit()
}
