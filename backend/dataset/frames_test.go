package dataset

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"plumbline/backend/dcm"
	"plumbline/backend/review"
)

func TestLRUKeepsToItsBudget(t *testing.T) {
	var gone []string
	c := newLRU[string](10, func(v string) { gone = append(gone, v) })
	c.put("a", "A", 4)
	c.put("b", "B", 4)
	if v, ok := c.get("a"); !ok || v != "A" {
		t.Errorf("a is %q, %v", v, ok)
	}
	c.put("c", "C", 4) // b was used longest ago
	if _, ok := c.get("b"); ok {
		t.Error("b was kept over the budget")
	}
	c.put("huge", "H", 11)
	if _, ok := c.get("huge"); ok || c.used != 8 {
		t.Errorf("what is alone over the budget was kept, or cost something: %d used", c.used)
	}
	c.put("a", "A2", 2)
	if v, _ := c.get("a"); v != "A2" || c.used != 6 {
		t.Errorf("a is %q with %d used", v, c.used)
	}
	if !slices.Equal(gone, []string{"B", "H", "A"}) {
		t.Errorf("gone: %v", gone)
	}
}

// cacheWith makes a cache whose one file "x" is there and whose decoder is f.
func cacheWith(f func(ctx context.Context, n int) (review.Samples, error)) *frameCache {
	c := newFrameCache(dcm.OpenFile)
	c.files.put("x", &dcm.File{}, 1)
	c.decoder = func(ctx context.Context, _ *dcm.File, n int) (review.Samples, error) { return f(ctx, n) }
	return c
}

func TestAFrameIsDecodedOnceForAll(t *testing.T) {
	var decoded atomic.Int32
	start := make(chan struct{})
	c := cacheWith(func(context.Context, int) (review.Samples, error) {
		decoded.Add(1)
		<-start
		return review.Samples{Data: []byte{1}}, nil
	})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if s, err := c.get(context.Background(), frameKey{"x", 0}); err != nil || len(s.Data) != 1 {
				t.Errorf("%v, %v", s, err)
			}
		})
	}
	close(start)
	all.Wait()
	if n := decoded.Load(); n != 1 {
		t.Errorf("decoded %d times", n)
	}
}

// When the one who decodes gives up, one of those who wait decodes instead.
func TestAWaiterTakesOver(t *testing.T) {
	ctx, giveUp := context.WithCancel(context.Background())
	begun := make(chan struct{})
	var first atomic.Bool
	c := cacheWith(func(ctx context.Context, n int) (review.Samples, error) {
		if first.CompareAndSwap(false, true) {
			close(begun)
			<-ctx.Done()
			return review.Samples{}, ctx.Err()
		}
		return review.Samples{Data: []byte{2}}, nil
	})
	var all sync.WaitGroup
	all.Go(func() {
		if _, err := c.get(ctx, frameKey{"x", 0}); !errors.Is(err, context.Canceled) {
			t.Errorf("the one who gave up: %v", err)
		}
	})
	<-begun
	all.Go(func() {
		if s, err := c.get(context.Background(), frameKey{"x", 0}); err != nil || len(s.Data) != 1 {
			t.Errorf("the one who waited: %v, %v", s, err)
		}
	})
	giveUp()
	all.Wait()
}

// Who is told to stop while every processor decodes for others, as when a reader scrolls on, has nothing decoded at all.
func TestWhatIsGivenUpIsNeverDecoded(t *testing.T) {
	var decoded atomic.Int32
	start, begun := make(chan struct{}), make(chan struct{})
	c := cacheWith(func(context.Context, int) (review.Samples, error) {
		decoded.Add(1)
		begun <- struct{}{}
		<-start
		return review.Samples{Data: []byte{1}}, nil
	})
	var all sync.WaitGroup
	for n := range cap(c.slots) {
		all.Go(func() {
			if _, err := c.get(context.Background(), frameKey{"x", n}); err != nil {
				t.Error(err)
			}
		})
		<-begun
	}
	ctx, giveUp := context.WithCancel(context.Background())
	giveUp()
	if _, err := c.get(ctx, frameKey{"x", 1000}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	close(start)
	all.Wait()
	if n := int(decoded.Load()); n != cap(c.slots) {
		t.Errorf("%d frames decoded, %d processors", n, cap(c.slots))
	}
}

func TestAFailureIsNotRemembered(t *testing.T) {
	fail := true
	c := cacheWith(func(context.Context, int) (review.Samples, error) {
		if fail {
			return review.Samples{}, errors.New("torn")
		}
		return review.Samples{Data: []byte{3}}, nil
	})
	if _, err := c.get(context.Background(), frameKey{"x", 0}); err == nil {
		t.Error("no error")
	}
	fail = false
	if _, err := c.get(context.Background(), frameKey{"x", 0}); err != nil {
		t.Error(err)
	}
}
