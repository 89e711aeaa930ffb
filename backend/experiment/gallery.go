package experiment

import (
	"container/list"
	"context"
	"errors"
	"sync"
)

// What is kept of prepared pictures. One that is none, or cannot be made, has next to no bytes and is counted all the same.
const (
	galleryBytes = 256 << 20
	mostHanging  = 1024
)

// gallery makes each picture once, however many ask for it at the same time, and keeps the latest.
type gallery struct {
	study Study
	mu    sync.Mutex
	order *list.List // of *hanging, the newest first
	at    map[string]*list.Element
	used  int
}

// hanging is a picture that is made or being made; done is closed when it is there.
type hanging struct {
	key  string
	done chan struct{}
	p    picture
	err  error
	size int
}

func newGallery(s Study) *gallery {
	return &gallery{study: s, order: list.New(), at: map[string]*list.Element{}}
}

// get gives a picture. Who is waiting when the one who makes it gives up makes it in turn.
func (g *gallery) get(ctx context.Context, w wanted) (picture, error) {
	key := w.key()
	for {
		g.mu.Lock()
		if e := g.at[key]; e != nil {
			g.order.MoveToFront(e)
			g.mu.Unlock()
			h := e.Value.(*hanging)
			select {
			case <-h.done:
			case <-ctx.Done():
				return picture{}, ctx.Err()
			}
			if !errors.Is(h.err, context.Canceled) {
				return h.p, h.err
			}
			if ctx.Err() != nil {
				return picture{}, ctx.Err()
			}
			continue
		}
		h := &hanging{key: key, done: make(chan struct{})}
		e := g.order.PushFront(h)
		g.at[key] = e
		g.mu.Unlock()
		h.p, h.err = g.study.make(ctx, w)
		h.size = 1
		for _, i := range h.p.images {
			h.size += len(i.Bytes)
		}
		g.hang(e, h)
		return h.p, h.err
	}
}

// hang keeps a picture that is made and takes the oldest down until the room is enough; one that failed for want of time is not kept.
func (g *gallery) hang(e *list.Element, h *hanging) {
	g.mu.Lock()
	defer g.mu.Unlock()
	defer close(h.done)
	if h.err != nil && !isUnfit(h.err) {
		g.order.Remove(e)
		delete(g.at, h.key)
		return
	}
	g.used += h.size
	for old := g.order.Back(); old != nil && (g.used > galleryBytes || g.order.Len() > mostHanging); {
		before := old.Prev()
		if o := old.Value.(*hanging); o != h && o.size > 0 { // one that is being made has no size yet
			g.used -= o.size
			g.order.Remove(old)
			delete(g.at, o.key)
		}
		old = before
	}
}
