package desk

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"plumbline/backend/review"
)

// Times tells how long one reading took. Active and idle time are apart, and the span on the clock is apart from both.
type Times struct {
	Reader     string      `json:"reader"`
	Assignment string      `json:"assignment"`
	Case       string      `json:"case"`
	Session    string      `json:"session"`
	Order      int         `json:"order"`     // place in the reader's order, from 1; 0: not recorded
	ActiveMS   int64       `json:"active_ms"` // over all sittings, steps and the case itself
	IdleMS     int64       `json:"idle_ms"`
	Breaks     int         `json:"breaks"`
	First      string      `json:"first"` // when the first thing was said or seen
	Last       string      `json:"last"`
	SpanMS     int64       `json:"span_ms"`              // from First to Last
	Signed     string      `json:"signed"`               // the first signature; "": none
	DaysSince  *int        `json:"days_since_session_1"` // whole days from this reader's last signature under session 1 of the case to First; null in session 1
	Unblinded  bool        `json:"unblinded"`            // the reader had seen what is hidden from readers before saying something here
	NotShown   int         `json:"not_shown"`            // answers that hold now and were given while the frame was still loading
	Steps      []StepTimes `json:"steps"`
}

// StepTimes tells how long one step was looked at. Step is "" for the case itself, looked at before or beside its steps.
type StepTimes struct {
	Chain          string `json:"chain"`
	Step           string `json:"step"`
	FirstSeen      string `json:"first_seen"`   // "": not recorded
	FirstAnswer    string `json:"first_answer"` // "": none
	ActiveMS       int64  `json:"active_ms"`
	IdleMS         int64  `json:"idle_ms"`
	RegionOnScreen bool   `json:"region_on_screen"`
	RegionFitting  bool   `json:"region_fitting"`
}

// EachTimes hands the times of every reading, in order of reader, session and first word, to fn: the coordinator's seat those of all
// readers, a reader's that reader's own.
func (d *Desk) EachTimes(ctx context.Context, fn func(Times) error) error {
	return d.within("list times", func(r *room) error {
		w := newWatch()
		r.acting.Lock()
		err := r.events(ctx, func(e review.Event) {
			if r.leads() || e.Reader == r.w.Seat.Reader {
				w.hear(e)
			}
		})
		r.acting.Unlock()
		if err != nil {
			return err
		}
		for _, t := range w.times() {
			if err := fn(t); err != nil {
				return err
			}
		}
		return nil
	})
}

// A watch works out times from the events of a ledger.
type watch struct {
	clocks    map[review.ReaderID]map[review.AssignmentID]*clock
	seen      map[review.EventID]review.Seen // what a later record of the same holds already
	unblinded map[review.ReaderID]bool
	signed    map[caseRead]string // the last signature under session 1
}

type caseRead struct {
	reader review.ReaderID
	of     review.CaseID
}

// A clock is a Times in the making.
type clock struct {
	Times
	of       review.CaseID
	steps    map[[2]string]*StepTimes
	notShown map[string]bool // by key
}

func newWatch() *watch {
	return &watch{
		clocks: map[review.ReaderID]map[review.AssignmentID]*clock{}, seen: map[review.EventID]review.Seen{},
		unblinded: map[review.ReaderID]bool{}, signed: map[caseRead]string{},
	}
}

// hear takes the next event.
func (w *watch) hear(e review.Event) {
	if e.Kind == review.KindUnblinded {
		w.unblinded[e.Reader] = true
	}
	if e.Assignment == "" {
		return
	}
	c := w.clock(e)
	if c.First == "" || e.At < c.First {
		c.First = e.At
	}
	c.Last = max(c.Last, e.At)
	switch b := e.Body; {
	case e.Kind == review.KindSign:
		if c.Signed == "" || e.At < c.Signed {
			c.Signed = e.At
		}
		if at := (caseRead{e.Reader, e.Case}); e.Session == session {
			w.signed[at] = max(w.signed[at], e.At)
		}
	case b.Seen != nil:
		w.hearSeen(c, e)
		return
	case b.Look != nil:
		c.notShown[e.Key] = b.Look.NotShown
		c.answered(e, "", "")
	case b.Rating != nil:
		c.notShown[e.Key] = b.Rating.NotShown
		c.answered(e, string(e.Chain), string(b.Rating.Step))
	case b.ChainRating != nil:
		c.answered(e, string(e.Chain), "chain")
	}
	c.Unblinded = c.Unblinded || w.unblinded[e.Reader]
}

func (w *watch) clock(e review.Event) *clock {
	if w.clocks[e.Reader] == nil {
		w.clocks[e.Reader] = map[review.AssignmentID]*clock{}
	}
	c := w.clocks[e.Reader][e.Assignment]
	if c == nil {
		c = &clock{
			Times: Times{Reader: string(e.Reader), Assignment: string(e.Assignment), Case: string(e.Case), Session: e.Session},
			of:    e.Case, steps: map[[2]string]*StepTimes{}, notShown: map[string]bool{},
		}
		w.clocks[e.Reader][e.Assignment] = c
	}
	return c
}

// hearSeen adds what a record holds beyond the one that it supersedes: so the sum is right over several machines too.
func (w *watch) hearSeen(c *clock, e review.Event) {
	now, before := *e.Body.Seen, w.seen[e.Supersedes]
	w.seen[e.ID] = now
	s := c.step(string(e.Chain), string(now.Step))
	active, idle := now.DwellMS-before.DwellMS, now.IdleMS-before.IdleMS
	s.ActiveMS, s.IdleMS = s.ActiveMS+active, s.IdleMS+idle
	c.ActiveMS, c.IdleMS, c.Breaks = c.ActiveMS+active, c.IdleMS+idle, c.Breaks+now.Breaks-before.Breaks
	s.RegionOnScreen, s.RegionFitting = s.RegionOnScreen || now.RegionOnScreen, s.RegionFitting || now.RegionFitting
	if now.FirstAt != "" && (s.FirstSeen == "" || now.FirstAt < s.FirstSeen) {
		s.FirstSeen = now.FirstAt
		c.First = min(c.First, now.FirstAt)
	}
	if c.Order == 0 {
		c.Order = now.Order
	}
}

func (c *clock) step(chain, step string) *StepTimes {
	at := [2]string{chain, step}
	if c.steps[at] == nil {
		c.steps[at] = &StepTimes{Chain: chain, Step: step}
	}
	return c.steps[at]
}

func (c *clock) answered(e review.Event, chain, step string) {
	if s := c.step(chain, step); s.FirstAnswer == "" || e.At < s.FirstAnswer {
		s.FirstAnswer = e.At
	}
}

// times gives what was worked out.
func (w *watch) times() []Times {
	all := []Times{}
	for reader, clocks := range w.clocks {
		for _, c := range clocks {
			t := c.Times
			t.SpanMS = between(t.First, t.Last).Milliseconds()
			if from := w.signed[caseRead{reader, c.of}]; from != "" && t.Session != session && t.Session != review.TrainingSession {
				days := int(between(from, t.First).Hours() / 24)
				t.DaysSince = &days
			}
			for _, hidden := range c.notShown {
				if hidden {
					t.NotShown++
				}
			}
			t.Steps = []StepTimes{}
			for _, s := range c.steps {
				t.Steps = append(t.Steps, *s)
			}
			slices.SortFunc(t.Steps, func(a, b StepTimes) int {
				return cmp.Or(strings.Compare(a.Chain, b.Chain), strings.Compare(a.Step, b.Step))
			})
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b Times) int {
		return cmp.Or(strings.Compare(a.Reader, b.Reader), strings.Compare(a.Session, b.Session), strings.Compare(a.First, b.First), strings.Compare(a.Assignment, b.Assignment))
	})
	return all
}

// between gives the time from a to b, which are as the ledger writes them; 0 where one is not.
func between(a, b string) time.Duration {
	from, errA := time.Parse(time.RFC3339, a)
	to, errB := time.Parse(time.RFC3339, b)
	if errA != nil || errB != nil {
		return 0
	}
	return to.Sub(from)
}
