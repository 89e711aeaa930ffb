package dataset

import (
	"container/list"
	"context"
	"errors"
	"runtime"
	"sync"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// frameBudget is how many bytes of decoded frames are kept: a mammogram, or the first frames of the next case. The page keeps what it shows
// itself; a whole series here too would be held twice.
const frameBudget = 48 << 20

// fileBudget is how many bytes the loaded headers may hold that are kept, with the tables of where frames lie and what was inflated to read
// them; one file counts openFile at the least.
const (
	fileBudget = 512 << 20
	openFile   = 4 << 20
)

// openStacks is how many stacks are kept parsed.
const openStacks = 32

// lru keeps the most recently used values up to a budget of cost. It is for one goroutine at a time.
type lru[K comparable, V any] struct {
	budget, used int64
	order        *list.List // of lruItem, newest first
	at           map[K]*list.Element
	gone         func(V)
}

type lruItem[K comparable, V any] struct {
	key  K
	v    V
	cost int64
}

func newLRU[K comparable, V any](budget int64, gone func(V)) *lru[K, V] {
	return &lru[K, V]{budget: budget, order: list.New(), at: map[K]*list.Element{}, gone: gone}
}

func (c *lru[K, V]) get(k K) (v V, ok bool) {
	e := c.at[k]
	if e == nil {
		return v, false
	}
	c.order.MoveToFront(e)
	return e.Value.(lruItem[K, V]).v, true
}

// put keeps v, and lets the longest unused go until the budget holds. What alone is over the budget is not kept.
func (c *lru[K, V]) put(k K, v V, cost int64) {
	c.drop(k)
	if cost > c.budget {
		c.gone(v)
		return
	}
	c.at[k] = c.order.PushFront(lruItem[K, V]{k, v, cost})
	c.used += cost
	for c.used > c.budget {
		c.drop(c.order.Back().Value.(lruItem[K, V]).key)
	}
}

func (c *lru[K, V]) drop(k K) {
	if e := c.at[k]; e != nil {
		item := e.Value.(lruItem[K, V])
		c.order.Remove(e)
		delete(c.at, k)
		c.used -= item.cost
		c.gone(item.v)
	}
}

// frameKey is one frame of one file.
type frameKey struct {
	path string
	n    int
}

// decoding is a frame on its way; done is closed when it is there.
type decoding struct {
	done    chan struct{}
	samples review.Samples
	err     error
}

// frameCache decodes each frame once, however many ask for it at the same time, and keeps the latest.
type frameCache struct {
	mu      sync.Mutex
	frames  *lru[frameKey, review.Samples]
	flying  map[frameKey]*decoding
	files   *lru[string, *dcm.File]
	stacks  *lru[string, stackRow]
	open    dcm.Opener
	slots   chan struct{} // one for each processor: who is told to stop while waiting for one decodes nothing
	decoder func(ctx context.Context, f *dcm.File, n int) (review.Samples, error)
}

func newFrameCache(open dcm.Opener) *frameCache {
	return &frameCache{
		open:    open,
		slots:   make(chan struct{}, runtime.GOMAXPROCS(0)),
		frames:  newLRU[frameKey](frameBudget, func(review.Samples) {}),
		flying:  map[frameKey]*decoding{},
		files:   newLRU[string](fileBudget, func(f *dcm.File) { f.Close() }), // only lets go of memory: it cannot fail, and others may go on using f
		stacks:  newLRU[string](openStacks, func(stackRow) {}),
		decoder: func(ctx context.Context, f *dcm.File, n int) (review.Samples, error) { return f.Samples(ctx, n) },
	}
}

// get gives the samples of a frame. Several who ask for the same frame wait for one decoding; when the one who does it gives up, the next one
// takes over.
func (c *frameCache) get(ctx context.Context, k frameKey) (review.Samples, error) {
	for {
		c.mu.Lock()
		if s, ok := c.frames.get(k); ok {
			c.mu.Unlock()
			return s, nil
		}
		d, ours := c.flying[k], false
		if d == nil {
			d, ours = &decoding{done: make(chan struct{})}, true
			c.flying[k] = d
		}
		c.mu.Unlock()
		if ours {
			c.fly(ctx, k, d)
			return d.samples, d.err
		}
		select {
		case <-ctx.Done():
			return review.Samples{}, fault.In("decode frame", "", ctx.Err())
		case <-d.done:
		}
		if d.err == nil || !errors.Is(d.err, context.Canceled) && !errors.Is(d.err, context.DeadlineExceeded) {
			return d.samples, d.err
		}
	}
}

func (c *frameCache) fly(ctx context.Context, k frameKey, d *decoding) {
	samples, err := c.decode(ctx, k)
	d.samples, d.err = samples, err
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.frames.put(k, d.samples, int64(len(d.samples.Data)))
	}
	delete(c.flying, k)
	close(d.done)
}

// decode decodes a frame when a processor is free for it.
func (c *frameCache) decode(ctx context.Context, k frameKey) (review.Samples, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		return review.Samples{}, fault.In("decode frame", "", err)
	}
	file, err := c.file(k.path)
	if err != nil {
		return review.Samples{}, err
	}
	return c.decoder(ctx, file, k.n)
}

// file gives a loaded header. Two who miss it at once may both load it; one of the two is kept.
func (c *frameCache) file(path string) (*dcm.File, error) {
	c.mu.Lock()
	f, ok := c.files.get(path)
	c.mu.Unlock()
	if ok {
		return f, nil
	}
	f, err := dcm.LoadFrom(path, c.open)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.files.put(path, f, min(fileBudget, openFile+f.Held())) // one alone is kept whatever it holds: else each frame would inflate it again
	return f, nil
}

// stackOf gives a stack, from the cache or the index.
func (s *Set) stackOf(key string) (stackRow, error) {
	s.frames.mu.Lock()
	row, ok := s.frames.stacks.get(key)
	s.frames.mu.Unlock()
	if ok {
		return row, nil
	}
	row, err := s.stack(key)
	if err != nil {
		return row, err
	}
	s.frames.mu.Lock()
	defer s.frames.mu.Unlock()
	s.frames.stacks.put(key, row, 1)
	return row, nil
}

// Stacks gives the images of a case with their frames in reading order, one for each image of Case.Images. An image that cannot be shown has no
// frames and says why in Reasons. The problems are those of the case. Faults: NotFound, Damaged (the index), IO.
func (s *Set) Stacks(ctx context.Context, id review.CaseID) ([]review.Stack, []review.Problem, error) {
	c, err := s.Case(id)
	if err != nil {
		return nil, nil, fault.In("open images", string(id), err)
	}
	problems := s.CaseProblems(id)
	out := make([]review.Stack, 0, len(c.Images))
	for i, m := range c.Images {
		if err := ctx.Err(); err != nil {
			return nil, nil, fault.In("open images", string(id), err)
		}
		e := s.cases[id].Images[i]
		if e.Stack == "" {
			out = append(out, review.Stack{Image: m.ID, Kind: m.Kind, Modality: m.Modality, Frames: []review.Frame{}, Reasons: []string{"this image cannot be shown: see the problems of the case"}})
			continue
		}
		row, err := s.stackOf(e.Stack)
		if err != nil {
			return nil, nil, fault.In("open images", string(id), err)
		}
		st := row.Stack
		st.Image = m.ID
		if m.Kind == review.FrameSet || m.Kind == review.Volume {
			st.Kind = m.Kind
		}
		if st.Modality == "" {
			st.Modality = m.Modality
		}
		if st.Reasons == nil {
			st.Reasons = []string{}
		}
		st.Frames = append([]review.Frame{}, st.Frames...)
		out = append(out, st)
	}
	return out, problems, nil
}

// Samples gives frame n (0-based) of an image of a case, decoded, with what describes it. The samples are shared: they are not to be changed.
// Faults: NotFound for what is not there, Invalid and Damaged from the decoder, IO, Cancelled.
func (s *Set) Samples(ctx context.Context, id review.CaseID, image review.ImageID, n int) (review.Frame, review.Samples, error) {
	const op = "open frame"
	of := string(id) + "/" + string(image)
	e := s.cases[id]
	if e == nil {
		return review.Frame{}, review.Samples{}, fault.New(fault.NotFound, op, string(id), "no such case in the dataset")
	}
	for _, m := range e.Images {
		if m.ID != image || m.Stack == "" {
			continue
		}
		row, err := s.stackOf(m.Stack)
		if err != nil {
			return review.Frame{}, review.Samples{}, fault.In(op, of, err)
		}
		if n < 0 || n >= len(row.Stack.Frames) {
			return review.Frame{}, review.Samples{}, fault.New(fault.NotFound, op, of, "frame %d is not there; the image has %d", n, len(row.Stack.Frames))
		}
		f := row.Stack.Frames[n]
		samples, err := s.frames.get(ctx, frameKey{f.Path, f.FileFrame})
		if err == nil && (samples.Rows != f.Rows || samples.Columns != f.Columns) {
			err = fault.New(fault.Invalid, "decode frame", s.relative(f.Path), "the file was changed since the dataset was opened; open it again")
		}
		return f, samples, fault.In(op, of, err)
	}
	return review.Frame{}, review.Samples{}, fault.New(fault.NotFound, op, of, "the case has no such image that can be shown")
}
