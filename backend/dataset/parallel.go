package dataset

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"plumbline/backend/review"
)

// mostTold is about how often one step of the work tells its progress: whoever draws it needs no more.
const mostTold = 200

// thinned tells the first, the last and every so manieth of total.
func thinned(tell review.Tell, op string, total int) func(n int) {
	every := max(1, total/mostTold)
	return func(n int) {
		if n == 1 || n == total || n%every == 0 {
			tell(review.Progress{Op: op, Done: n, Total: total})
		}
	}
}

// eachParallel does f(0) … f(n-1) on every processor, at least two at a time, and tells after each how many are done (from one goroutine at a
// time). A cancelled context ends it between two.
func eachParallel(ctx context.Context, n int, f func(i int), done func(count int)) error {
	var next, count atomic.Int64
	var telling sync.Mutex
	var all sync.WaitGroup
	for range min(n, max(2, runtime.GOMAXPROCS(0))) {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
				telling.Lock()
				done(int(count.Add(1)))
				telling.Unlock()
			}
		})
	}
	all.Wait()
	return ctx.Err()
}
