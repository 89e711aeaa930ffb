package dataset

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

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
