package desk

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"plumbline/backend/review"
	"plumbline/backend/store"
)

// givenKey is the key of an assignment as it was handed out: it speaks of aliases only, and lies in the hash chain of what the coordinator
// gives to one reader. The coordinator's own event, with the case itself, has the key assignKey.
func givenKey(id review.AssignmentID) string {
	return review.EventKey("", review.KindAssign, "given", string(id))
}

// interpreter knows what stands behind the aliases of what was handed out. It is the coordinator's; a reader's has nothing to tell.
type interpreter struct {
	mu     sync.Mutex
	handed map[review.CaseID]read // by the code under which it was handed out
	backs  map[review.CaseID]wayBack
}

// learn takes over which reads were handed out.
func (i *interpreter) learn(handed map[review.CaseID]read) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.handed, i.backs = handed, map[review.CaseID]wayBack{}
}

// forget drops what was worked out for a dataset.
func (i *interpreter) forget() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.backs = map[review.CaseID]wayBack{}
}

// handedOut lists the reads that may have been handed out: those that were, and the training of every reader. given holds the assignments
// as they were handed out.
func (r *room) handedOut(given map[review.AssignmentID]review.Assignment) map[review.CaseID]read {
	handed := map[review.CaseID]read{}
	for _, a := range r.dealt {
		if g, was := given[a.ID]; was {
			handed[g.Case] = read{a, g.Case}
		}
	}
	for _, p := range r.rules.protocol.Readers {
		if p.Role != review.RoleReader {
			continue
		}
		for _, rd := range r.practice(r.rules.protocol, p.Code) {
			handed[rd.code] = rd
		}
	}
	return handed
}

// practice gives the training cases of a reader as they are handed out: all their chains. An attempt at one has an assignment of its own,
// which is none of the coordinator's to give.
func (r *room) practice(p review.Protocol, reader review.ReaderID) []read {
	all := []read{}
	for _, id := range p.Training {
		unit := review.AssignmentID(hashOf(r.secret(), review.TrainingSession, string(reader), string(id))[:24])
		all = append(all, read{review.Assignment{ID: unit, Case: id, Reader: reader, Session: review.TrainingSession}, review.CaseID(codeOf(unit))})
	}
	return all
}

// practiceCodes gives the training cases of a protocol by the names that a reader knows.
func (r *room) practiceCodes(p review.Protocol, reader review.ReaderID) []review.CaseID {
	codes := []review.CaseID{}
	for _, rd := range r.practice(p, reader) {
		codes = append(codes, rd.code)
	}
	return codes
}

// meaning gives an event in the words of this workspace: one that came back from a reader's own workstation speaks of aliases.
func (r *room) meaning(e review.Event) (review.Event, error) {
	i := &r.aliases
	i.mu.Lock()
	defer i.mu.Unlock()
	rd, handed := i.handed[e.Case]
	practice := rd.Session == review.TrainingSession
	if !handed || r.set == nil || e.Reader != rd.Reader || !practice && e.Assignment != rd.ID {
		return e, nil
	}
	back, known := i.backs[e.Case]
	if !known {
		b, err := r.blindedRead(rd)
		if err != nil {
			return e, err
		}
		back = b.back
		i.backs[e.Case] = back
	}
	if practice {
		if n := r.attemptOf(rd, e.Assignment); n > 0 {
			e.Assignment = r.trainingID(rd.Reader, rd.Case, n)
		}
	}
	return back.meaning(e), nil
}

// maxAttempts bounds the attempts at a training that are told apart.
const maxAttempts = 50

// attemptOf tells which attempt at a training case that was handed out an assignment is, from 1; 0: none.
func (r *room) attemptOf(rd read, id review.AssignmentID) int {
	for n := 1; n <= maxAttempts; n++ {
		if r.trainingID(rd.Reader, rd.code, n) == id {
			return n
		}
	}
	return 0
}

// inOurWords gives what was said under an assignment in the words of this workspace. Where something was said both under an alias and not,
// the later counts, as it does for every revision.
func (r *room) inOurWords(s store.Said) (store.Said, error) {
	last := map[string]int{}
	said := store.Said{Current: []review.Event{}, Revisions: s.Revisions}
	var err error
	if s.Last.ID != "" {
		if said.Last, err = r.meaning(s.Last); err != nil {
			return s, err
		}
	}
	for _, e := range s.Current {
		if e, err = r.meaning(e); err != nil {
			return s, err
		}
		at, twice := last[e.Key]
		if !twice {
			last[e.Key] = len(said.Current)
			said.Current = append(said.Current, e)
			continue
		}
		said.Revisions++
		if e.ID > said.Current[at].ID {
			said.Current[at] = e
		}
	}
	slices.SortFunc(said.Current, func(a, b review.Event) int {
		return cmp.Or(strings.Compare(a.Key, b.Key), strings.Compare(string(a.ID), string(b.ID)))
	})
	return said, nil
}

// codes gives the case codes under which assignments were handed out.
func (i *interpreter) codes() map[review.AssignmentID]review.CaseID {
	i.mu.Lock()
	defer i.mu.Unlock()
	codes := map[review.AssignmentID]review.CaseID{}
	for code, rd := range i.handed {
		codes[rd.ID] = code
	}
	return codes
}

// find gives the read that was handed out under a code.
func (i *interpreter) find(code review.CaseID) (read, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	rd, known := i.handed[code]
	return rd, known
}
