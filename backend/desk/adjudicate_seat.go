package desk

import (
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// What State.Adjudication can be.
const (
	adjudicationSeen   = "list"   // the coordinator sees how much there is to decide
	adjudicationDecide = "decide" // an adjudicator sits here: beside this there is nothing to show
)

// decides tells whether a code is an adjudicator's, who reads nothing.
func (r *room) decides(code review.ReaderID) bool {
	p, known := r.rules.protocol.Reader(code)
	return known && p.Role == review.RoleAdjudicator || r.w.Seat.Role == Adjudicator && code == r.w.Seat.Reader
}

// isAdjudicator tells whether an adjudicator sits here: in an adjudicator's workspace, or in the coordinator's under the code of a person
// whom the protocol makes adjudicator.
func (r *room) isAdjudicator() bool {
	return r.w.Seat.Role != Reader && r.decides(r.w.Seat.Reader)
}

// leads tells whether the coordinator sits here, in person: an adjudicator in the coordinator's workspace sees no more than one elsewhere.
func (r *room) leads() bool { return r.w.Seat.Role == Coordinator && !r.adjudicating.Load() }

// adjudicates refuses what is the adjudicator's alone.
func (r *room) adjudicates(op string) error {
	if r.adjudicating.Load() {
		return nil
	}
	if r.w.Seat.Role == Coordinator {
		return fault.New(fault.Refused, op, "", "an adjudicator decides: take the seat of one whom the protocol names; %s is none", r.w.Seat.Reader)
	}
	return fault.New(fault.Refused, op, "", "this workspace is the seat of reader %s; an adjudicator decides", r.w.Seat.Reader)
}

// adjudicationState tells the face which of the screens it may offer. acting is held.
func (r *room) adjudicationState() string {
	switch {
	case r.isAdjudicator():
		return adjudicationDecide
	case r.w.Seat.Role == Coordinator && r.rules.set:
		return adjudicationSeen
	}
	return ""
}
