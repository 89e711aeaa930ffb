package desktest

import (
	"sync"
	"time"
)

// A Clock tells the desks of a study the time, and moves only when it is told to.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Clock sets the time for every desk that starts from here on.
func (s *Study) Clock(now time.Time) *Clock {
	s.clock = &Clock{now: now}
	return s.clock
}

// Advance lets time pass.
func (c *Clock) Advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

// Now tells the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}
