package dataset

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"plumbline/backend/review"
)

func TestEachParallelDoesEveryOneOnce(t *testing.T) {
	var done [1000]atomic.Int32
	last := 0
	err := eachParallel(context.Background(), len(done), func(i int) { done[i].Add(1) }, func(n int) {
		if n <= last {
			t.Errorf("%d told after %d", n, last)
		}
		last = n
	})
	if err != nil || last != len(done) {
		t.Errorf("%d told, %v", last, err)
	}
	for i := range done {
		if n := done[i].Load(); n != 1 {
			t.Errorf("%d done %d times", i, n)
		}
	}
	if err := eachParallel(context.Background(), 0, nil, nil); err != nil {
		t.Error(err)
	}
}

// Two at least are at work at the same time, whatever the machine: each waits for the other.
func TestEachParallelIsParallel(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	if err := eachParallel(context.Background(), 2, func(int) { both.Done(); both.Wait() }, func(int) {}); err != nil {
		t.Error(err)
	}
}

func TestProgressIsThinned(t *testing.T) {
	for _, total := range []int{1, 7, 200, 100_000} {
		var heard []review.Progress
		told := thinned(func(p review.Progress) { heard = append(heard, p) }, "headers", total)
		for n := 1; n <= total; n++ {
			told(n)
		}
		if first, last := heard[0], heard[len(heard)-1]; len(heard) > mostTold+2 || first.Done != 1 || last.Done != total || last.Total != total {
			t.Errorf("%d: told %d times, from %+v to %+v", total, len(heard), first, last)
		}
	}
}
