package desk

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// assignKey is the key of an assignment's own event.
func assignKey(id review.AssignmentID) string {
	return review.EventKey("", review.KindAssign, "", string(id))
}

// Assign works out from protocol and cases who reads what and adds the assignments that are not there yet, all in one transaction. What
// was assigned before stays as it is, whatever became of protocol and cases. Faults: Refused in a reader's seat, without a protocol, in a
// closed study; Invalid where repeats cannot keep their distance.
func (d *Desk) Assign(ctx context.Context) (Standing, error) {
	const op = "assign"
	added := 0
	err := d.within(op, func(r *room) error {
		if err := r.coordinates(op); err != nil {
			return err
		}
		r.acting.Lock()
		defer r.acting.Unlock()
		set, err := r.data(op)
		if err != nil {
			return err
		}
		switch p := r.rules.protocol; {
		case !r.rules.set:
			return fault.New(fault.Refused, op, "", "no protocol is set: every reader reads every case once, without assignments")
		case p.Closed:
			return fault.New(fault.Refused, op, "", "the study is closed")
		}
		deal := dealer{protocol: r.rules.protocol, study: r.w.Study, dealt: r.dealt}
		if deal.protocol.Order == review.UncertainFirst {
			if deal.urgent, err = r.urgency(ctx, set.IDs()); err != nil {
				return err
			}
		}
		for _, id := range set.IDs() {
			if err := ctx.Err(); err != nil {
				return err
			}
			if o := r.outline[id]; asked(o.Questions, deal.protocol.Look)+o.Chains == 0 || slices.Contains(deal.protocol.Training, id) {
				continue
			}
			chains, err := set.Chains(id)
			if err != nil {
				return err
			}
			deal.cases = append(deal.cases, matter{id, chains})
		}
		fresh, err := deal.all()
		if err != nil {
			return err
		}
		if fresh, err = r.keepBegun(fresh); err != nil {
			return err
		}
		events := make([]review.Event, len(fresh))
		for i, a := range fresh {
			e := r.draft(review.KindAssign, "")
			e.Reader, e.Session, e.Key, e.Case, e.Body.Assign = Coordinator, a.Session, assignKey(a.ID), a.Case, &a
			events[i] = e
		}
		if added = len(events); added == 0 {
			return nil
		}
		if err := r.ledger.AppendAll(events); err != nil {
			return err
		}
		r.forget()
		return r.learnRules()
	})
	if err != nil {
		return Standing{}, err
	}
	s, err := d.Progress(ctx)
	s.Added = added
	return s, err
}

// keepBegun lets a read that was begun before anything was assigned go on under its own id, so that no answer is left behind.
func (r *room) keepBegun(fresh []review.Assignment) ([]review.Assignment, error) {
	ids := make([]review.AssignmentID, len(fresh))
	for i, a := range fresh {
		ids[i] = assignmentID(r.w, a.Reader, a.Case)
	}
	begun, err := r.ledger.Begun(ids)
	if err != nil {
		return nil, err
	}
	taken := map[review.AssignmentID]bool{}
	for _, a := range r.dealt {
		taken[a.ID] = true
	}
	for i := range fresh {
		if a := &fresh[i]; begun[i] && a.Session == session && !taken[ids[i]] {
			a.ID, taken[ids[i]] = ids[i], true
		}
	}
	return fresh, nil
}

// matter is a case with its chains, as far as assigning goes.
type matter struct {
	id     review.CaseID
	chains []review.Chain
}

// A dealer works out assignments. Every choice is a hash of the protocol's seed and what is chosen among, so it comes out the same wherever
// it is made, and a case that is added later changes no choice among the others. Ids and places are hashes too: they tell nothing to whoever
// has no seed.
type dealer struct {
	protocol review.Protocol
	study    string
	cases    []matter
	dealt    []review.Assignment      // before
	urgent   map[review.CaseID]string // where cases stand by their uncertainty, in four hex digits; nil: the order is random
}

// rank hashes parts with the seed.
func (d dealer) rank(parts ...string) string {
	return hashOf(append([]string{strconv.FormatUint(d.protocol.Seed, 10), d.study}, parts...)...)
}

// all gives the assignments that are not there yet, by session, reader and order.
func (d dealer) all() ([]review.Assignment, error) {
	have := map[string][]review.Assignment{} // by reader and session
	slot := func(r review.ReaderID, s string) string { return string(r) + "\x00" + s }
	for _, a := range d.dealt {
		have[slot(a.Reader, a.Session)] = append(have[slot(a.Reader, a.Session)], a)
	}
	fresh := []review.Assignment{}
	share := d.share()
	for s := range d.protocol.Sessions {
		session := strconv.Itoa(s + 1)
		for _, reader := range d.protocol.Readers {
			before := have[slot(reader.Code, session)]
			first := d.firstReads(reader.Code, session, share[reader.Code], before)
			again, err := d.repeats(reader.Code, session, slices.Concat(before, first))
			if err != nil {
				return nil, err
			}
			some := slices.Concat(first, again)
			slices.SortFunc(some, inReadingOrder) // not by kind: the order in the ledger tells nothing either
			fresh = append(fresh, some...)
		}
	}
	return fresh, nil
}

// share says which cases each reader reads: all, or by turns so that loads differ by one at most.
func (d dealer) share() map[review.ReaderID][]matter {
	holders := map[review.CaseID]map[review.ReaderID]bool{}
	for _, a := range d.dealt {
		if holders[a.Case] == nil {
			holders[a.Case] = map[review.ReaderID]bool{}
		}
		holders[a.Case][a.Reader] = true
	}
	readers := []review.ReaderID{}
	for _, r := range d.protocol.Readers {
		if r.Role == review.RoleReader {
			readers = append(readers, r.Code)
		}
	}
	wanted := d.protocol.ReadsPerCase
	if d.protocol.Design == review.Crossed {
		wanted = len(readers)
	}
	load := map[review.ReaderID]int{}
	for _, by := range holders {
		for r := range by {
			load[r]++
		}
	}
	share := map[review.ReaderID][]matter{}
	cases := slices.Clone(d.cases)
	sortBy(cases, func(m matter) string { return d.rank("turn", string(m.id)) })
	for _, m := range cases {
		by := holders[m.id]
		free := slices.DeleteFunc(slices.Clone(readers), func(r review.ReaderID) bool { return by[r] })
		sortBy(free, func(r review.ReaderID) string {
			return fmt.Sprintf("%020d", load[r]) + d.rank("share", string(m.id), string(r))
		})
		for _, r := range readers {
			if by[r] {
				share[r] = append(share[r], m)
			}
		}
		for _, r := range free[:min(len(free), max(0, wanted-len(by)))] {
			share[r] = append(share[r], m)
			load[r]++
		}
	}
	return share
}

// sortBy sorts by a key that is worked out once for each.
func sortBy[T any](list []T, key func(T) string) {
	type keyed struct {
		key string
		of  T
	}
	all := make([]keyed, len(list))
	for i, v := range list {
		all[i] = keyed{key(v), v}
	}
	slices.SortFunc(all, func(a, b keyed) int { return strings.Compare(a.key, b.key) })
	for i, k := range all {
		list[i] = k.of
	}
}

// firstReads gives the reads of a session that a reader does not have yet.
func (d dealer) firstReads(reader review.ReaderID, session string, share []matter, before []review.Assignment) []review.Assignment {
	has := map[review.CaseID]bool{}
	for _, a := range before {
		has[a.Case] = true
	}
	fresh := []review.Assignment{}
	for _, m := range share {
		if has[m.id] {
			continue
		}
		order := d.rank("order", string(reader), session, string(m.id))[:16]
		if d.urgent != nil {
			order = d.urgent[m.id] + order[:12]
		}
		fresh = append(fresh, d.assignment(reader, session, m, 0, order))
	}
	return fresh
}

// assignment makes the n-th read (0: the first) of a case in a session.
func (d dealer) assignment(reader review.ReaderID, session string, m matter, n int, order string) review.Assignment {
	id := "a-" + d.rank("assignment", string(reader), session, string(m.id), strconv.Itoa(n))[:24]
	chains := slices.Clone(m.chains)
	if most := int(d.protocol.ChainsPerCase); most > 0 && most < len(chains) {
		// The same chains for every reader: agreement needs them in common.
		sortBy(chains, func(c review.Chain) string { return d.rank("chains", string(m.id), string(c.ID)) })
		chains = chains[:most]
	}
	sortBy(chains, func(c review.Chain) string { return d.rank("chain order", id, string(c.ID)) })
	a := review.Assignment{ID: review.AssignmentID(id), Case: m.id, Reader: reader, Session: session, Order: order, Chains: []review.ChainID{}}
	for _, c := range chains {
		a.Chains = append(a.Chains, c.ID)
	}
	return a
}

// repeats gives the hidden repeats that a reader's session still lacks. A repeat takes its place at random among those at least the least
// distance after the first read; places that are filled later only move the two further apart.
func (d dealer) repeats(reader review.ReaderID, session string, reads []review.Assignment) ([]review.Assignment, error) {
	rule := d.protocol.Repeats
	if rule == nil {
		return nil, nil
	}
	reads = slices.SortedFunc(slices.Values(reads), inReadingOrder)
	first := []review.Assignment{}
	times := map[review.CaseID]int{}
	repeated := 0
	for _, a := range reads {
		if times[a.Case]++; times[a.Case] == 1 {
			first = append(first, a)
		} else if times[a.Case] == 2 {
			repeated++
		}
	}
	lack := int(math.Round(rule.Share*float64(len(first)))) - repeated
	if lack <= 0 {
		return nil, nil
	}
	matters := map[review.CaseID]matter{}
	for _, m := range d.cases {
		matters[m.id] = m
	}
	able := []int{} // places in first from which the distance can be kept
	for i := 0; i+rule.MinDistance <= len(first); i++ {
		if _, here := matters[first[i].Case]; here && times[first[i].Case] == 1 {
			able = append(able, i)
		}
	}
	if lack > len(able) {
		return nil, fault.New(fault.Invalid, "assign", "repeats.min_distance", "%d repeats of the %d cases of reader %s cannot stand %d places after their first read; %d can",
			lack, len(first), reader, rule.MinDistance, len(able))
	}
	sortBy(able, func(i int) string { return d.rank("repeat", string(reader), session, string(first[i].Case)) })
	fresh := []review.Assignment{}
	for _, i := range able[:lack] {
		order, err := d.after(first[i+rule.MinDistance-1].Order, reader, session, first[i].Case)
		if err != nil {
			return nil, err
		}
		fresh = append(fresh, d.assignment(reader, session, matters[first[i].Case], 1, order))
	}
	return fresh, nil
}

// after picks a place at random behind another. Places are 16 hex digits.
func (d dealer) after(place string, reader review.ReaderID, session string, id review.CaseID) (string, error) {
	low, err := strconv.ParseUint(place, 16, 64)
	if err != nil || low == math.MaxUint64 {
		return "", fault.New(fault.Damaged, "assign", string(id), "a place of 16 hex digits expected, found %q", place)
	}
	n, err := strconv.ParseUint(d.rank("repeat order", string(reader), session, string(id))[:16], 16, 64)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%016x", low+1+n%(math.MaxUint64-low)), nil
}
