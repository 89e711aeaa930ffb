package desk

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"slices"
	"strconv"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// An agenda is what one reader reads, in that reader's order.
type agenda struct {
	duties []duty // those of the training first
	ids    map[review.AssignmentID]int
	cases  map[review.CaseID]int // the first duty of a case

	training int // how many of the duties are for practice
}

// A duty is one assignment on an agenda. With the default protocol its Chains are nil: all, in the order that assignmentOf gives.
type duty struct {
	review.Assignment
	name string // by which the face knows it, in place of the case
}

// agenda gives what this seat's reader reads. acting is held.
func (r *room) agenda(op string) (*agenda, error) {
	set, err := r.data(op)
	if err != nil {
		return nil, err
	}
	if r.list == nil {
		list := r.agendaOf(set.IDs(), r.w.Seat.Reader)
		practice, err := r.trainingDuties(r.w.Seat.Reader)
		if err != nil {
			return nil, err
		}
		list.comesAfter(practice)
		r.list = list
	}
	return r.list, nil
}

// agendaOf gives what a reader reads: what was assigned or, where nothing was assigned to anybody, every case once.
//
// A case that a reader reads more than once, in another session or as a hidden repeat, must not be known by its id. Then all duties of that
// reader go by a code made of the opaque id of the assignment, so that the names do not tell either.
func (r *room) agendaOf(ids []review.CaseID, reader review.ReaderID) *agenda {
	a := &agenda{ids: make(map[review.AssignmentID]int, len(ids)), cases: make(map[review.CaseID]int, len(ids))}
	if len(r.dealt) == 0 && !r.decides(reader) {
		a.duties = make([]duty, 0, len(ids))
		for _, id := range ids {
			if !slices.Contains(r.rules.protocol.Training, id) {
				a.duties = append(a.duties, duty{review.Assignment{ID: assignmentID(r.w, reader, id), Case: id, Reader: reader, Session: session}, string(id)})
			}
		}
	}
	for _, d := range r.dealt {
		if _, here := r.outline[d.Case]; here && d.Reader == reader {
			a.duties = append(a.duties, duty{d, string(d.Case)})
		}
	}
	if len(r.dealt) > 0 {
		slices.SortFunc(a.duties, func(x, y duty) int { return inReadingOrder(x.Assignment, y.Assignment) })
	}
	a.index()
	return a
}

// comesAfter puts training duties before all others.
func (a *agenda) comesAfter(practice []duty) {
	if len(practice) == 0 {
		return
	}
	a.duties, a.training = append(practice, a.duties...), len(practice)
	clear(a.ids)
	clear(a.cases)
	a.index()
}

// index finds duties by their ids and cases, and names them by codes where a case stands there more than once.
func (a *agenda) index() {
	for i, d := range a.duties {
		a.ids[d.ID] = i
		if _, twice := a.cases[d.Case]; !twice {
			a.cases[d.Case] = i
		}
	}
	if len(a.cases) < len(a.duties) {
		for i, d := range a.duties {
			a.duties[i].name = string(d.ID)
			if code := review.AssignmentID(codeOf(d.ID)); a.isFree(code) {
				a.duties[i].name, a.ids[code] = string(code), i
			}
		}
	}
}

func (a *agenda) isFree(name review.AssignmentID) bool {
	_, taken := a.ids[name]
	return !taken
}

// codeOf names an assignment in a few letters that can be read aloud and tell nothing. They are 40 bits: among 30,000 assignments of one
// reader two meet with a chance of 1 in 2,000, and then one of them goes by its id.
func codeOf(id review.AssignmentID) string {
	h := sha256.Sum256([]byte(id))
	code := base32.StdEncoding.EncodeToString(h[:5])
	return code[:4] + "-" + code[4:]
}

// inReadingOrder compares two assignments of a reader: by session, place and id.
func inReadingOrder(a, b review.Assignment) int {
	x, errX := strconv.Atoi(a.Session)
	y, errY := strconv.Atoi(b.Session)
	if errX != nil || errY != nil {
		x, y = 0, strings.Compare(b.Session, a.Session)
	}
	return cmp.Or(cmp.Compare(x, y), strings.Compare(a.Order, b.Order), strings.Compare(string(a.ID), string(b.ID)))
}

// find gives the place of an assignment on the agenda, named by its id or its case; of several of one case the first.
func (a *agenda) find(name string) (int, bool) {
	if i, ok := a.ids[review.AssignmentID(name)]; ok {
		return i, true
	}
	i, ok := a.cases[review.CaseID(name)]
	return i, ok
}

// duty finds an assignment of this seat's reader by its id or its case. acting is held.
func (r *room) duty(op, name string) (duty, error) {
	a, err := r.agenda(op)
	if err != nil {
		return duty{}, err
	}
	if i, ok := a.find(name); ok {
		return a.duties[i], nil
	}
	if _, here := r.outline[review.CaseID(name)]; here {
		return duty{}, fault.New(fault.NotFound, op, name, "the case is not assigned to reader %s", r.w.Seat.Reader)
	}
	return duty{}, fault.New(fault.NotFound, op, name, "reader %s has no such assignment and the dataset no such case", r.w.Seat.Reader)
}

// caseNamed gives the case that the face knows by a name.
func (r *room) caseNamed(op, name string) (review.CaseID, error) {
	if _, plain := r.outline[review.CaseID(name)]; plain {
		return review.CaseID(name), nil
	}
	r.acting.Lock()
	defer r.acting.Unlock()
	d, err := r.duty(op, name)
	return d.Case, err
}

// blank gives the line of a duty under which nothing was said yet.
func (r *room) blank(d duty) (CaseRow, error) {
	o := r.outline[d.Case]
	row := o.row(review.CaseID(d.name))
	row.Assignment = string(d.ID)
	required, err := r.required(d.Case, d.Chains)
	row.Required = required
	if d.Chains != nil {
		row.Chains = len(d.Chains)
	}
	return row, err
}

// required counts the answers that a read of these chains of a case asks for: one for each question, step and chain; nil: all chains.
func (r *room) required(id review.CaseID, chains []review.ChainID) (int, error) {
	o := r.outline[id]
	n := asked(o.Questions, r.rules.protocol.Look)
	if chains == nil || len(chains) == o.Chains {
		return n + o.Chains + o.Steps, nil
	}
	all, err := r.set.Chains(id)
	for _, c := range all {
		if slices.Contains(chains, c.ID) {
			n += 1 + len(steps(c))
		}
	}
	return n, err
}

// asked counts the questions that the reader answers before the chains are seen.
func asked(questions int, rule review.LookRule) int {
	switch {
	case !rule.First:
		return 0
	case rule.Questions == review.LastQuestion:
		return min(questions, 1)
	}
	return questions
}
