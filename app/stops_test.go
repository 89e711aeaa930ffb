package app

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rs/zerolog"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// slow is a desk whose frames never come: it gives up when it is told to.
type slow struct {
	acts
	asked chan struct{}
}

func (s slow) Frame(ctx context.Context, _, _ string, _ int) (review.Frame, review.Samples, error) {
	s.asked <- struct{}{}
	<-ctx.Done()
	return review.Frame{}, review.Samples{}, fault.In("show frame", "", ctx.Err())
}

func TestStoppedRequests(t *testing.T) {
	d := slow{asked: make(chan struct{})}
	f := &face{desk: d, log: zerolog.Nop()}
	get := func(path string) int {
		w := httptest.NewRecorder()
		f.serve(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w.Code
	}
	codes := make(chan int)
	for _, name := range []string{"1", "2", "3"} {
		go func() { codes <- get("/frames/c/i/0?r=" + name) }()
		<-d.asked
	}
	if code := get("/stop/1,3,9"); code != http.StatusNoContent {
		t.Errorf("stop: status %d", code)
	}
	for range 2 {
		if code := <-codes; code != 499 {
			t.Errorf("a stopped request: status %d", code)
		}
	}
	select {
	case code := <-codes:
		t.Errorf("a request was ended that nobody stopped: status %d", code)
	default:
	}
	get("/stop/2")
	if code := <-codes; code != 499 {
		t.Errorf("the last one: status %d", code)
	}
	if len(f.stops.under) != 0 {
		t.Errorf("%d requests are kept that are done", len(f.stops.under))
	}
}
