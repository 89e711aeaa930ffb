package desk

import (
	"context"
	"plumbline/backend/bundle"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// MakeWords packs everything that this seat's reader said, byte for byte, for the coordinator. With a zero lock it is locked for whoever sent
// the work. Faults: Refused in the coordinator's seat; Usage where the work came in no package and no lock is given; NotFound where nothing
// was said yet; Invalid, IO.
func (d *Desk) MakeWords(ctx context.Context, path string, lock bundle.Lock) (p Packed, err error) {
	const op = "hand back"
	err = d.within(op, func(r *room) error {
		if r.w.Seat.Role == Coordinator {
			return fault.New(fault.Refused, op, "", "this is the coordinator's workspace: what was said is here already")
		}
		keys, err := d.options.Folders.keys()
		if err != nil {
			return err
		}
		if lock.Passphrase == "" && len(lock.Recipients) == 0 {
			if r.w.Package == nil {
				return fault.New(fault.Usage, op, "", "this work came in no package: say by a passphrase or a recipient for whom to lock it")
			}
			lock.Recipients = []string{r.w.Package.ReplyTo}
		}
		r.acting.Lock()
		own := r.w.Seat.Reader
		events, heads, n, err := r.eventsOf(ctx, func(id chainID) bool { return id.reader == own })
		m := r.manifest(bundle.Words, string(own), Coordinator, keys.Recipient(), heads)
		r.acting.Unlock()
		switch {
		case err != nil:
			return err
		case n == 0:
			return fault.New(fault.NotFound, op, "", "nothing was said here yet")
		}
		out, err := bundle.NewWriter(r.dir)
		if err != nil {
			return err
		}
		defer out.Close()
		if err := out.Add(eventsFile, events); err != nil {
			return err
		}
		p = Packed{Path: path, Reader: string(own), Events: n, Fingerprint: bundle.Fingerprint(keys.Public()), Problems: []review.Problem{}}
		_, err = out.Finish(path, m, keys, lock)
		return fault.In(op, path, err)
	})
	return p, err
}
