package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"plumbline/backend/review"
)

// tell gives the printer of progress on standard error: a bar on a terminal, a line every few seconds elsewhere, nothing with --quiet. The
// returned function ends the bar.
func (f *face) tell() (review.Tell, func()) {
	if f.quiet {
		return review.Quiet, func() {}
	}
	p := &printer{face: f, every: 3 * time.Second, last: time.Now()}
	if file, ok := f.diag.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.bar, p.every = true, 100*time.Millisecond
		}
	}
	return p.tell, p.end
}

// printer writes progress no more often than every so long.
type printer struct {
	mu    sync.Mutex
	face  *face
	bar   bool
	every time.Duration
	last  time.Time
	shown bool
}

func (p *printer) tell(now review.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.last) < p.every {
		return
	}
	p.last = time.Now()
	text := fmt.Sprintf("%s %d", now.Op, now.Done)
	if now.Total > 0 {
		text += fmt.Sprintf(" of %d", now.Total)
	}
	if !p.bar {
		fmt.Fprintln(p.face.diag, text)
		return
	}
	const wide = 30
	full := 0
	if now.Total > 0 {
		full = min(wide, now.Done*wide/now.Total)
	}
	p.shown = true
	fmt.Fprintf(p.face.diag, "\r\x1b[K[%-*s] %s", wide, "##############################"[:full], text)
}

func (p *printer) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.face.diag, "\r\x1b[K")
		p.shown = false
	}
}
