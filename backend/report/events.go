package report

import (
	"slices"
	"strings"

	"plumbline/backend/review"
)

// said is what readers said, as it counts: of each key the last revision, of signed readings only.
type said struct {
	looks     []review.Event
	ratings   []review.Event
	chains    []review.Event
	final     []review.Event // adjudications of steps
	assigned  map[review.ReaderID]int
	signed    map[review.ReaderID]int
	revisions map[review.ReaderID]int
	unsigned  int  // readings begun and not signed
	conflicts int  // keys with two last revisions, from two machines
	again     int  // answers of repeated reads and later sessions, which do not count
	practice  int  // answers in training cases, likewise
	other     int  // ratings under another version of the rubric, likewise
	unblinded int  // reads in which something was said after their reader saw what is hidden from readers
	changed   int  // answers changed after the read was signed
	dealt     bool // assignments were handed out; without, everybody reads every case once
	readers   []review.ReaderID
}

// listen sorts the ledger's events out: of each reader's answers to the same thing those of the read that was signed first count, in the last
// revision. Adjudications are kept apart: agreement and the numbers of readers are of labels before adjudication.
func listen(in Input) said {
	events := in.Events
	s := said{assigned: map[review.ReaderID]int{}, signed: map[review.ReaderID]int{}, revisions: map[review.ReaderID]int{}}
	superseded := map[review.EventID]bool{}
	signed, begun := map[review.AssignmentID]review.EventID{}, map[review.AssignmentID]bool{}
	unique := map[review.EventID]bool{}
	byKey := map[string][]review.Event{}
	assigned := map[review.ReaderID]map[review.AssignmentID]bool{}
	for _, e := range events {
		if unique[e.ID] {
			continue // the same event twice is one event
		}
		unique[e.ID] = true
		if e.Supersedes != "" {
			superseded[e.Supersedes] = true
			s.revisions[e.Reader]++
		}
		switch e.Kind {
		case review.KindSign:
			if signed[e.Assignment] == "" {
				s.signed[e.Reader]++
				signed[e.Assignment] = e.ID
			}
			signed[e.Assignment] = min(signed[e.Assignment], e.ID)
		case review.KindAssign:
			if a := e.Body.Assign; a != nil {
				s.dealt = true
				if assigned[a.Reader] == nil {
					assigned[a.Reader] = map[review.AssignmentID]bool{}
				}
				assigned[a.Reader][a.ID] = true
			}
			continue
		case review.KindAdjudication:
			if a := e.Body.Adjudication; a != nil && a.On == review.KindRating {
				s.final = append(s.final, e)
			}
			continue
		case review.KindLook, review.KindRating, review.KindChainRating:
			begun[e.Assignment] = true
			key := string(e.Reader) + "\x00" + e.Key
			byKey[key] = append(byKey[key], e)
		default:
			continue
		}
		if assigned[e.Reader] == nil {
			assigned[e.Reader] = map[review.AssignmentID]bool{}
		}
		assigned[e.Reader][e.Assignment] = true
	}
	s.lastDecisions(superseded)
	for _, list := range byKey {
		last := slices.DeleteFunc(list, func(e review.Event) bool { return superseded[e.ID] })
		if len(last) == 0 {
			continue
		}
		if len(last) > 1 {
			s.conflicts++
		}
		e := slices.MaxFunc(last, func(a, b review.Event) int { return strings.Compare(string(a.ID), string(b.ID)) })
		if signed[e.Assignment] != "" {
			s.keep(e, in)
		}
	}
	s.firstReads(signed)
	s.deviations(events, signed)
	for a := range begun {
		if signed[a] == "" {
			s.unsigned++
		}
	}
	for r, list := range assigned {
		s.assigned[r] = len(list)
		s.readers = append(s.readers, r)
	}
	slices.Sort(s.readers)
	for _, list := range [][]review.Event{s.looks, s.ratings, s.chains} {
		slices.SortFunc(list, func(a, b review.Event) int { return strings.Compare(string(a.ID), string(b.ID)) })
	}
	return s
}

// keep files an event under its kind, unless it is of a training case or was said under another version of the rubric.
func (s *said) keep(e review.Event, in Input) {
	switch {
	case slices.Contains(in.Training, e.Case):
		s.practice++
	case e.Body.Look != nil:
		s.looks = append(s.looks, e)
	case e.Rubric.Called() != in.Rubric.Called():
		s.other++
	case e.Body.Rating != nil:
		s.ratings = append(s.ratings, e)
	case e.Body.ChainRating != nil:
		s.chains = append(s.chains, e)
	}
}

// firstReads leaves of each reader's answers to the same thing those that were signed first.
func (s *said) firstReads(signed map[review.AssignmentID]review.EventID) {
	type subject struct {
		reader review.ReaderID
		of     review.CaseID
		chain  review.ChainID
		part   string
	}
	for _, list := range []*[]review.Event{&s.looks, &s.ratings, &s.chains} {
		first := map[subject]review.AssignmentID{}
		about := func(e review.Event) subject {
			at := subject{e.Reader, e.Case, e.Chain, ""}
			switch b := e.Body; {
			case b.Look != nil:
				at.part = string(b.Look.Question)
			case b.Rating != nil:
				at.part = string(b.Rating.Step)
			}
			return at
		}
		for _, e := range *list {
			if now, known := first[about(e)]; !known || signed[e.Assignment] < signed[now] {
				first[about(e)] = e.Assignment
			}
		}
		all := len(*list)
		*list = slices.DeleteFunc(*list, func(e review.Event) bool { return first[about(e)] != e.Assignment })
		s.again += all - len(*list)
	}
}

// lastDecisions leaves of each item's adjudications the last.
func (s *said) lastDecisions(superseded map[review.EventID]bool) {
	last := map[string]review.Event{}
	for _, e := range s.final {
		if before, known := last[e.Key]; !superseded[e.ID] && (!known || e.ID > before.ID) {
			last[e.Key] = e
		}
	}
	s.final = nil
	for _, e := range last {
		s.final = append(s.final, e)
	}
	slices.SortFunc(s.final, func(a, b review.Event) int { return strings.Compare(string(a.ID), string(b.ID)) })
}

// deviations counts what was said otherwise than planned: by readers who had seen what is hidden from them, and after signing.
func (s *said) deviations(events []review.Event, signed map[review.AssignmentID]review.EventID) {
	saw := map[review.ReaderID]review.EventID{}
	for _, e := range events {
		if before, met := saw[e.Reader]; e.Kind == review.KindUnblinded && (!met || e.ID < before) {
			saw[e.Reader] = e.ID
		}
	}
	reads, counted := map[review.AssignmentID]bool{}, map[review.EventID]bool{}
	for _, e := range events {
		if e.Kind != review.KindLook && e.Kind != review.KindRating && e.Kind != review.KindChainRating || counted[e.ID] {
			continue
		}
		counted[e.ID] = true
		if from, met := saw[e.Reader]; met && e.ID > from {
			reads[e.Assignment] = true
		}
		if at := signed[e.Assignment]; at != "" && e.ID > at {
			s.changed++
		}
	}
	s.unblinded = len(reads)
}
