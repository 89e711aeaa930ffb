package experiment

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// What a library holds at most.
const (
	mostSubjects   = 64   // cases with their frames described
	mostDonors     = 4096 // cases that may stand in for another
	mostCandidates = 512  // of them looked at for one case
)

// library opens the cases of a run as they are needed and keeps the latest.
type library struct {
	study Study
	truth []int32 // places in study.Truth, by case: a study may have a hundred thousand, and a run holds no second copy of them

	swaps, inserts, groups bool // what the run's conditions need of a case

	donors []donor

	mu    sync.Mutex
	kept  map[review.CaseID]*shelved
	order []review.CaseID // the oldest first
}

// donor is a case that may stand in for another, without its frames.
type donor struct {
	subject
	kind, view string
}

// shelved is a case that is open or being opened.
type shelved struct {
	once sync.Once
	u    *subject
	err  error
}

// newLibrary prepares the cases of a plan. A first case that is not there is a fault of kind NotFound.
func newLibrary(ctx context.Context, s Study, ids []review.CaseID, conditions []review.Condition) (*library, error) {
	l := &library{study: s, truth: make([]int32, len(s.Truth)), kept: map[review.CaseID]*shelved{}}
	for i := range s.Truth {
		l.truth[i] = int32(i)
	}
	slices.SortStableFunc(l.truth, func(a, b int32) int { return cmp.Compare(s.Truth[a].Case, s.Truth[b].Case) })
	for _, c := range conditions {
		l.swaps = l.swaps || c.Image == "swap" || c.Given == "given-swap"
		l.inserts = l.inserts || c.Image == "insert"
		l.groups = l.groups || c.Paraphrase != "" || c.Language != ""
	}
	if !l.swaps {
		return l, nil
	}
	pool := slices.Clone(ids)
	if len(pool) > mostDonors {
		slices.SortFunc(pool, func(a, b review.CaseID) int {
			return cmp.Compare(hashOf(string(a), "donor"), hashOf(string(b), "donor"))
		})
		pool = pool[:mostDonors]
	}
	for _, id := range pool {
		u, err := l.load(ctx, id)
		if err != nil {
			return nil, err
		}
		d := donor{*u, u.kind(), u.view()}
		d.stacks = nil
		l.donors = append(l.donors, d)
	}
	return l, nil
}

// get opens a case.
func (l *library) get(ctx context.Context, id review.CaseID) (*subject, error) {
	l.mu.Lock()
	s := l.kept[id]
	if s == nil {
		s = &shelved{}
		l.kept[id], l.order = s, append(l.order, id)
		if len(l.order) > mostSubjects {
			delete(l.kept, l.order[0])
			l.order = l.order[1:]
		}
	}
	l.mu.Unlock()
	s.once.Do(func() { s.u, s.err = l.complete(ctx, id) })
	if s.err != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.kept[id] == s { // so that it is tried again
			delete(l.kept, id)
			l.order = slices.DeleteFunc(l.order, func(o review.CaseID) bool { return o == id })
		}
	}
	return s.u, s.err
}

// truthOf gives what is right for a case, by question; nil where nothing is known.
func (l *library) truthOf(id review.CaseID) map[review.QuestionID]review.Truth {
	at, known := slices.BinarySearchFunc(l.truth, id, func(i int32, id review.CaseID) int { return cmp.Compare(l.study.Truth[i].Case, id) })
	if !known {
		return nil
	}
	out := map[review.QuestionID]review.Truth{}
	for ; at < len(l.truth) && l.study.Truth[l.truth[at]].Case == id; at++ {
		t := l.study.Truth[l.truth[at]]
		out[t.Question] = t
	}
	return out
}

// load opens a case with its frames described.
func (l *library) load(ctx context.Context, id review.CaseID) (*subject, error) {
	c, err := l.study.Source.Case(id)
	if err != nil {
		return nil, err
	}
	u := &subject{Case: c, questions: slices.Clone(c.Questions), truth: l.truthOf(id)}
	slices.SortStableFunc(u.questions, func(a, b review.Question) int { return a.K - b.K })
	if u.stacks, _, err = l.study.Source.Stacks(ctx, id); err != nil {
		return nil, fault.In("open images", string(id), err)
	}
	return u, nil
}

// complete opens a case with everything that the run's conditions need of it.
func (l *library) complete(ctx context.Context, id review.CaseID) (*subject, error) {
	u, err := l.load(ctx, id)
	if err != nil {
		return nil, err
	}
	if l.groups && u.Group != "" && l.study.Group != nil {
		if u.siblings, err = l.study.Group(u.Group); err != nil {
			return nil, err
		}
	}
	if l.swaps {
		if d := u.findDonor(l.donors); d != "" {
			if u.donor, err = l.load(ctx, d); err != nil {
				return nil, err
			}
		}
	}
	if l.inserts {
		u.inserted, err = l.study.insertedInto(ctx, u)
	}
	return u, err
}

// findDonor picks the case of another patient, with an image of the same kind and view, whose right answers differ most often from this one's while
// they are answers that can be given here. Among equals it is drawn by the cases' names. "" where there is none.
func (u *subject) findDonor(all []donor) review.CaseID {
	type candidate struct {
		d   *donor
		lot uint64
	}
	var list []candidate
	kind, view := u.kind(), u.view()
	for i := range all {
		d := &all[i]
		if otherView := d.view != "" && view != "" && d.view != view; d.Patient != "" && d.Patient != u.Patient && d.kind != "" && d.kind == kind && !otherView {
			list = append(list, candidate{d, hashOf(string(u.ID), string(d.ID))})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Compare(a.lot, b.lot) })
	best, most := review.CaseID(""), 0
	for _, c := range list[:min(len(list), mostCandidates)] {
		if !u.seenAlike(&c.d.subject) {
			continue
		}
		n := 0
		for _, q := range u.questions {
			if q.K > 1 && u.goldOf(&c.d.subject, q) != "" {
				n++
			}
		}
		if n > most {
			best, most = c.d.ID, n
		}
	}
	return best
}

// cardHas says whether the card of a case has a field of this name.
func cardHas(c review.Context, field string) bool {
	if slices.Contains([]string{"age", "sex", "ethnicity", "history", "earlier_report"}, field) {
		return true
	}
	_, vital := c.Vitals[strings.TrimPrefix(field, "vitals.")]
	return vital
}
