package desk

import (
	"cmp"
	"context"
	"slices"

	"plumbline/backend/bundle"
	"plumbline/backend/review"
)

// Packages is what went out to readers and what came back.
type Packages struct {
	Fingerprint string           `json:"fingerprint"` // of this machine's key, which signs what goes out
	Readers     []ReaderPackages `json:"readers"`     // in the order of the protocol
	Conflicts   []Conflict       `json:"conflicts"`
}

// ReaderPackages is what is known of one reader's packages.
type ReaderPackages struct {
	Reader   string          `json:"reader"`
	Assigned int             `json:"assigned"`
	Given    string          `json:"given"`     // when the last package for this reader was made, or ""
	GivenFor int             `json:"given_for"` // reads in it; fewer than assigned: a later package has more
	Machines []ReaderMachine `json:"machines"`  // from which something came back
}

// ReaderMachine is one machine of a reader's.
type ReaderMachine struct {
	Machine     string `json:"machine"`
	Fingerprint string `json:"fingerprint"` // of the key that is accepted for it
	Taken       string `json:"taken"`       // when the package that was taken back last was made
	Events      int    `json:"events"`      // in it
}

// Packages tells what went out and what came back. Fault Refused in a reader's seat.
func (d *Desk) Packages(ctx context.Context) (p Packages, err error) {
	const op = "list packages"
	err = d.within(op, func(r *room) error {
		if err := r.coordinates(op); err != nil {
			return err
		}
		keys, err := d.options.Folders.keys()
		if err != nil {
			return err
		}
		r.acting.Lock()
		defer r.acting.Unlock()
		p = Packages{Fingerprint: bundle.Fingerprint(keys.Public()), Readers: []ReaderPackages{}}
		said, err := r.ledger.Assignment("")
		if err != nil {
			return err
		}
		for _, person := range r.rules.protocol.Readers {
			if person.Role == review.RoleReader {
				p.Readers = append(p.Readers, r.packagesOf(person.Code, said.Current))
			}
		}
		p.Conflicts, err = r.conflicts(ctx)
		return err
	})
	return p, err
}

// packagesOf gathers the notes of one reader's packages.
func (r *room) packagesOf(reader review.ReaderID, events []review.Event) ReaderPackages {
	p := ReaderPackages{Reader: string(reader), Machines: []ReaderMachine{}}
	for _, a := range r.dealt {
		if a.Reader == reader {
			p.Assigned++
		}
	}
	for _, e := range events {
		h := e.Body.Handover
		switch {
		case h == nil || h.Reader != reader:
		case h.Way == review.Given:
			p.Given, p.GivenFor = h.Created, h.Reads
		case h.Way == review.Taken:
			p.Machines = append(p.Machines, ReaderMachine{Machine: string(h.Machine), Fingerprint: bundle.Fingerprint(h.Key), Taken: h.Created, Events: int(h.Count)})
		}
	}
	slices.SortFunc(p.Machines, func(a, b ReaderMachine) int {
		return cmp.Or(cmp.Compare(b.Taken, a.Taken), cmp.Compare(a.Machine, b.Machine))
	})
	return p
}
