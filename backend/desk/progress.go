package desk

import (
	"context"
	"maps"
	"slices"

	"plumbline/backend/review"
)

// Standing is where a study stands.
type Standing struct {
	Cases   int            `json:"cases"` // of the dataset
	Added   int            `json:"added"` // assignments that were just made
	Readers []ReaderStands `json:"readers"`
}

// ReaderStands is where one reader stands.
type ReaderStands struct {
	Reader   string `json:"reader"`
	Role     string `json:"role"`
	Assigned int    `json:"assigned"`
	Done     int    `json:"done"`    // all required answers given, and signed
	Started  int    `json:"started"` // something said, and not done
	Answers  int    `json:"answers"` // required answers given in all
	Required int    `json:"required"`
	Extra    int    `json:"extra"` // reads that were begun without being assigned: kept, and counted nowhere else
	Last     string `json:"last"`  // when this reader last said something, or ""

	ActiveMS  int64            `json:"active_ms"` // of all reads but the training's
	IdleMS    int64            `json:"idle_ms"`
	Unblinded int              `json:"unblinded"` // reads in which something was said after the reader saw what is hidden from readers
	Training  *review.Training `json:"training"`  // null: no training, or not begun
}

// Progress tells how far the readers are: the coordinator all of them, a reader that reader alone.
func (d *Desk) Progress(ctx context.Context) (s Standing, err error) {
	err = d.within("show progress", func(r *room) error {
		r.acting.Lock()
		defer r.acting.Unlock()
		s = Standing{Readers: []ReaderStands{}}
		set, err := r.data("show progress")
		if err != nil {
			return err
		}
		s.Cases = set.Counts().Cases
		heard, err := r.hear(ctx)
		if err != nil {
			return err
		}
		for _, code := range r.who(heard) {
			stands, err := r.stands(ctx, code, heard[code])
			if err != nil {
				return err
			}
			s.Readers = append(s.Readers, stands)
		}
		return nil
	})
	return s, err
}

// heard is what one reader has begun, and when that reader was last heard.
type heard struct {
	begun     map[review.AssignmentID]bool
	last      string
	unblinded map[review.AssignmentID]bool
	saw       bool // what is hidden from readers
	active    int64
	idle      int64
	training  *review.Training
}

// hear walks the ledger for who said anything of a case. Training reads are told apart: they count in nothing else.
func (r *room) hear(ctx context.Context) (map[review.ReaderID]heard, error) {
	all, seen := map[review.ReaderID]heard{}, map[review.EventID]review.Seen{}
	err := r.events(ctx, func(e review.Event) {
		h := all[e.Reader]
		switch {
		case e.Kind == review.KindTraining:
			h.training = e.Body.Training
		case e.Kind == review.KindUnblinded:
			h.saw = true
		case e.Assignment == "" || e.Session == review.TrainingSession:
			return
		default:
			h.listen(e, seen)
		}
		all[e.Reader] = h
	})
	return all, err
}

// listen takes what was said of a case.
func (h *heard) listen(e review.Event, seen map[review.EventID]review.Seen) {
	if h.begun == nil {
		h.begun, h.unblinded = map[review.AssignmentID]bool{}, map[review.AssignmentID]bool{}
	}
	h.begun[e.Assignment], h.last = true, max(h.last, e.At)
	if s := e.Body.Seen; s != nil {
		before := seen[e.Supersedes]
		h.active, h.idle, seen[e.ID] = h.active+s.DwellMS-before.DwellMS, h.idle+s.IdleMS-before.IdleMS, *s
	} else if h.saw {
		h.unblinded[e.Assignment] = true
	}
}

// who lists the readers whose progress this seat may see: those of the protocol in its order, then others who said something.
func (r *room) who(said map[review.ReaderID]heard) []review.ReaderID {
	if !r.leads() {
		return []review.ReaderID{r.w.Seat.Reader}
	}
	codes := []review.ReaderID{}
	for _, p := range r.rules.protocol.Readers {
		codes = append(codes, p.Code)
	}
	if !r.rules.set {
		codes = append(codes, r.w.Seat.Reader)
	}
	for _, code := range slices.Sorted(maps.Keys(said)) {
		if said[code].begun != nil && !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return codes
}

// stands works out where a reader stands. acting is held.
func (r *room) stands(ctx context.Context, code review.ReaderID, said heard) (ReaderStands, error) {
	s := ReaderStands{
		Reader: string(code), Role: review.RoleReader, Last: said.last, ActiveMS: said.active, IdleMS: said.idle,
		Unblinded: len(said.unblinded), Training: said.training,
	}
	if p, known := r.rules.protocol.Reader(code); known {
		s.Role = p.Role
	}
	list := &agenda{}
	if !r.rules.set || len(r.dealt) > 0 {
		list = r.agendaOf(r.set.IDs(), code)
	}
	for _, d := range list.duties {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		required, err := r.required(d.Case, d.Chains)
		if err != nil {
			return s, err
		}
		if required == 0 {
			continue // only looked at
		}
		s.Assigned++
		s.Required += required
		if !said.begun[d.ID] {
			continue
		}
		rd, err := r.readingOf(ctx, d)
		if err != nil {
			return s, err
		}
		done, _ := rd.count()
		s.Answers += done
		if rd.phase() == phaseSigned {
			s.Done++
		} else {
			s.Started++
		}
	}
	for id := range said.begun {
		if _, assigned := list.ids[id]; !assigned {
			s.Extra++
		}
	}
	return s, nil
}
