package app

import (
	"context"
	"net/http"
	"strings"
	"sync"
)

// stops ends requests for frames that the page no longer waits for: the window system never tells when a fetch is given up, so the page names
// its requests (?r=NAME) and says which to end (GET /stop/NAME,NAME). The zero value is ready.
type stops struct {
	mu    sync.Mutex
	under map[string]context.CancelFunc
}

// named gives a request a context that its name can end, and a function to call when it is done.
func (s *stops) named(r *http.Request) (*http.Request, func()) {
	name := r.URL.Query().Get("r")
	if name == "" {
		return r, func() {}
	}
	ctx, cancel := context.WithCancel(r.Context())
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.under == nil {
		s.under = map[string]context.CancelFunc{}
	}
	s.under[name] = cancel
	return r.WithContext(ctx), func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.under, name)
		cancel()
	}
}

// end ends the requests of a list of names; those that are done already are no longer known.
func (s *stops) end(names string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range strings.SplitSeq(names, ",") {
		if cancel := s.under[name]; cancel != nil {
			cancel()
		}
	}
}
