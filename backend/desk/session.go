package desk

import (
	"context"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// CheckDisplay records what the reader said of the display. A session, from one opening of the workspace to the next, asks for it once.
// Fault Invalid for a display that cannot be.
func (d *Desk) CheckDisplay(ctx context.Context, display review.Display) (State, error) {
	const op = "check display"
	err := d.within(op, func(r *room) error {
		if display.Columns < 1 || display.Rows < 1 || !(display.Ratio > 0) || display.Depth < 1 {
			return fault.New(fault.Invalid, op, "", "a size, pixel ratio and depth above 0 expected, found %d x %d, %v, %d", display.Columns, display.Rows, display.Ratio, display.Depth)
		}
		r.acting.Lock()
		defer r.acting.Unlock()
		e := r.draft(review.KindDisplay, "")
		e.Key, e.Body.Display = review.EventKey("", review.KindDisplay, "", string(r.w.Seat.Reader)), &display
		if _, err := r.ledger.Append(e); err != nil {
			return err
		}
		r.displayed = true
		return nil
	})
	if err != nil {
		return State{}, err
	}
	return d.State(ctx)
}

// unblind notes, once, that the reader of this seat saw what is hidden from readers: the coordinator's seat may read as well, and what is
// said by that reader afterwards is known for it (Times.Unblinded, ReaderStands.Unblinded). Nobody is noted who is no reader of the
// protocol. acting is not held.
func (r *room) unblind(what string) error {
	r.acting.Lock()
	defer r.acting.Unlock()
	if p, known := r.rules.protocol.Reader(r.w.Seat.Reader); r.rules.set && (!known || p.Role != review.RoleReader) {
		return nil
	}
	key := review.EventKey("", review.KindUnblinded, "", string(r.w.Seat.Reader))
	noted, err := r.ledger.Has([]string{key})
	if err != nil || noted[0] {
		return err
	}
	e := r.draft(review.KindUnblinded, "")
	e.Key, e.Body.Note = key, what
	_, err = r.ledger.Append(e)
	return err
}
