package desk

import (
	"context"

	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// ListedCase is a case with where this seat's reader stands in it.
type ListedCase struct {
	review.Case
	Assignment string `json:"assignment"`
	State      string `json:"state"` // new, look, judge, signed
	Done       int    `json:"done"`
	Required   int    `json:"required"`
	Chains     int    `json:"chains"`
	Problems   int    `json:"problems"`
}

// ListedChain is a chain as far as this seat may see it.
type ListedChain struct {
	review.Chain
	Origin *review.Origin `json:"origin,omitempty"` // the coordinator's
}

// EachCase hands every case of the worklist in its order to fn. A reader's seat gets it as it is shown when reading.
func (d *Desk) EachCase(ctx context.Context, fn func(ListedCase) error) error {
	return d.within("list cases", func(r *room) error {
		set, err := r.data("list cases")
		if err != nil {
			return err
		}
		r.acting.Lock()
		rows, err := r.rowsOf(ctx)
		list := r.list
		r.acting.Unlock()
		if err != nil {
			return err
		}
		for i, duty := range list.duties {
			if err := ctx.Err(); err != nil {
				return err
			}
			c, err := set.Case(duty.Case)
			if err != nil {
				return err
			}
			if !r.leads() {
				c = shownCase(c)
				c.ID = review.CaseID(duty.name)
			}
			row := rows[i]
			listed := ListedCase{
				Case: c, Assignment: row.Assignment, State: row.State, Done: row.Done,
				Required: row.Required, Chains: row.Chains, Problems: row.Problems,
			}
			if err := fn(listed); err != nil {
				return err
			}
		}
		return nil
	})
}

// EachChain hands the chains of a case, or with only "" of every case, to fn. A reader's seat gets those of cases whose questions are all
// locked, as they are shown when reading; for one case whose questions are open: fault Refused.
func (d *Desk) EachChain(ctx context.Context, only string, fn func(ListedChain) error) error {
	return d.within("list chains", func(r *room) error {
		set, err := r.data("list chains")
		if err != nil {
			return err
		}
		names := []string{only}
		if only == "" {
			if names, err = r.chainNames(set.IDs()); err != nil {
				return err
			}
		}
		origins := map[review.ChainID]review.Origin{}
		if r.runs != nil && r.leads() {
			all, err := r.runs.Origins()
			if err != nil {
				return err
			}
			if len(all) > 0 {
				if err := r.unblind("chains with what made them"); err != nil {
					return err
				}
			}
			for _, o := range all {
				origins[o.Chain] = o
			}
		}
		for _, name := range names {
			chains, err := r.listedChains(ctx, name)
			if err != nil {
				if fault.KindOf(err) == fault.Refused && only == "" {
					continue
				}
				return err
			}
			made, err := r.madeChains(review.CaseID(name))
			if err != nil {
				return err
			}
			for _, c := range append(chains, made...) {
				listed := ListedChain{Chain: c}
				if o, known := origins[c.ID]; known {
					listed.Origin = &o
				}
				if err := fn(listed); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// chainNames gives the names under which this seat may list chains: every case for the coordinator, a reader's worklist for a reader.
func (r *room) chainNames(ids []review.CaseID) ([]string, error) {
	r.acting.Lock()
	defer r.acting.Unlock()
	names := []string{}
	if r.leads() {
		for _, id := range ids {
			names = append(names, string(id))
		}
		return names, nil
	}
	list, err := r.agenda("list chains")
	if err != nil {
		return nil, err
	}
	for _, d := range list.duties {
		names = append(names, d.name)
	}
	return names, nil
}

// listedChains gives the chains of a case as this seat may see them.
func (r *room) listedChains(ctx context.Context, name string) ([]review.Chain, error) {
	const op = "list chains"
	r.acting.Lock()
	defer r.acting.Unlock()
	if _, here := r.outline[review.CaseID(name)]; here && r.leads() {
		m, err := r.material(ctx, review.CaseID(name))
		if err != nil {
			return nil, err
		}
		return m.chains, nil
	}
	duty, err := r.duty(op, name)
	if err != nil {
		return nil, err
	}
	if err := r.mayOpen(op, r.list, r.list.ids[duty.ID]); err != nil {
		return nil, err
	}
	rd, err := r.reading(ctx, duty)
	if err != nil {
		return nil, err
	}
	if r.leads() {
		return rd.material.chains, nil
	}
	if q := rd.nextQuestion(); q != nil {
		return nil, fault.New(fault.Refused, op, name, "the chains open when every question is answered; %s is not", q.ID)
	}
	shown := []review.Chain{}
	for _, c := range rd.chains {
		shown = append(shown, review.Chain{
			Schema: c.Schema, ID: c.ID, Digest: c.Digest, Case: review.CaseID(duty.name), ImageDigests: c.ImageDigests, Answers: shownAnswers(c),
		})
	}
	return shown, nil
}

// EachReading hands everything that was said, every revision, to fn: the event in the words of this workspace, and its bytes as stored, which
// speak in aliases where they came back in a package. With a reader code only what that reader said. A reader's seat gets its own words only.
func (d *Desk) EachReading(_ context.Context, reader string, fn func(e review.Event, raw []byte) error) error {
	return d.within("list readings", func(r *room) error {
		seat := r.w.Seat
		if r.adjudicating.Load() {
			return fault.New(fault.Refused, "list readings", reader, "an adjudicator sees reads unnamed, at the disagreements")
		}
		if seat.Role != Coordinator {
			if reader != "" && reader != string(seat.Reader) {
				return fault.New(fault.Refused, "list readings", reader, "this workspace is the seat of reader %s", seat.Reader)
			}
			reader = string(seat.Reader)
		}
		return r.ledger.Events(func(e review.Event, raw []byte) error {
			if reader != "" && string(e.Reader) != reader {
				return nil
			}
			if seat.Role == Coordinator {
				var err error
				if e, err = r.meaning(e); err != nil {
					return err
				}
			}
			return fn(e, raw)
		})
	})
}

// Event gives one thing that was said, as stored. A reader's seat gets its own words only.
func (d *Desk) Event(_ context.Context, id string) (raw []byte, err error) {
	err = d.within("show event", func(r *room) error {
		raw, err = r.ledger.Event(review.EventID(id))
		if err != nil || r.leads() {
			return err
		}
		if e, err := review.RestoreEvent(raw); err != nil || e.Reader != r.w.Seat.Reader {
			return fault.New(fault.Refused, "show event", id, "this workspace is the seat of reader %s", r.w.Seat.Reader)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return raw, nil
}

// Verify walks the whole ledger of the open workspace.
func (d *Desk) Verify(context.Context) (v store.Verification, err error) {
	err = d.within("verify", func(r *room) error {
		v, err = r.ledger.Check()
		return err
	})
	return v, err
}
