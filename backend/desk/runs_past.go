package desk

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"plumbline/backend/experiment"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// PastRun is a run of the workspace as it stands: one that goes on now, was left, or is over.
type PastRun struct {
	Run        string             `json:"run"`
	Begun      string             `json:"begun"` // RFC 3339
	Seed       int64              `json:"seed"`
	Models     []string           `json:"models"`
	Conditions []string           `json:"conditions"`
	Cases      int                `json:"cases"`
	Only       []string           `json:"only"`      // the cases, where they are not all of the dataset
	Corrected  int                `json:"corrected"` // chains with a reader's correction from which it goes on
	Chains     int                `json:"chains"`    // made so far
	Batches    int                `json:"batches"`   // written of it; such a run waits for results
	Done       bool               `json:"done"`      // nothing is left to ask
	Running    bool               `json:"running"`   // now, at this desk
	Status     *experiment.Status `json:"status"`    // when it last came to an end in order; null: never
}

// PastRuns lists the runs of the workspace, the latest first. Fault Refused outside of the coordinator's seat.
func (d *Desk) PastRuns(ctx context.Context) (all []PastRun, err error) {
	all = []PastRun{}
	now, running, _ := d.RunStatus(ctx) // that it ended with a fault is told there
	err = d.within("list runs", func(r *room) error {
		if err := r.experimenter("list runs"); err != nil {
			return err
		}
		plans, err := r.plans()
		if err != nil {
			return err
		}
		cases := 0
		if r.set != nil {
			cases = len(r.set.IDs())
		}
		for _, p := range plans {
			row := PastRun{
				Run: p.Run, Begun: p.Begun, Seed: p.Seed, Models: p.Models, Conditions: p.Conditions, Cases: len(p.Cases), Only: []string{},
				Corrected: len(p.Corrected), Done: p.Done, Running: running && now.Run == p.Run,
			}
			if len(p.Cases) != cases {
				for _, id := range p.Cases {
					row.Only = append(row.Only, string(id))
				}
			}
			if row.Chains, err = r.runs.NoteCount(p.Run, experiment.UnitNote); err != nil {
				return err
			}
			if row.Batches, err = r.runs.NoteCount(p.Run+batchesOf, ""); err != nil {
				return err
			}
			if row.Status, err = r.keptStatus(p.Run); err != nil {
				return err
			}
			all = append(all, row)
		}
		return nil
	})
	return all, err
}

// noStatus is that of no run.
func noStatus() experiment.Status {
	return experiment.Status{
		NotApplicable: []experiment.Count{}, LeftOut: []experiment.Count{}, Failed: []experiment.Count{}, Missed: []experiment.Missed{}, Models: []experiment.Pace{},
	}
}

// How a run went lies among the notes of runs, apart from those of its work.
const (
	statusOf  = "/status" // after the run
	statusKey = "last"
)

func (r *room) keepStatus(s experiment.Status) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return r.runs.Note(s.Run+statusOf, map[string][]byte{statusKey: b})
}

// keptStatus gives how a run stood when it last came to an end; nil where it never did.
func (r *room) keptStatus(run string) (*experiment.Status, error) {
	notes, err := r.runs.Noted(run + statusOf)
	if err != nil || notes[statusKey] == nil {
		return nil, err
	}
	s := noStatus()
	if err := json.Unmarshal(notes[statusKey], &s); err != nil {
		return nil, fault.New(fault.Damaged, "look up status of run", run, "%w", err)
	}
	return &s, nil
}

// mostMeasured is how many cases are looked at for the size of an estimate; of more, so many at even distances stand for all.
const mostMeasured = 200

// sized adds to an estimate how large the images are on a wire, and how long the requests took before.
func (r *room) sized(ctx context.Context, p experiment.Plan, cases []review.Case, e *experiment.Estimate) error {
	asked := 0 // of one model under one condition: a question with each of its images
	for _, c := range cases {
		asked += len(c.Questions) * len(c.Images)
	}
	if asked > 0 {
		times := float64(e.Images) / float64(asked) // models × conditions with an image
		step := max(1, len(cases)/mostMeasured)
		var images, bytes, measured float64
		for i := 0; i < len(cases); i += step {
			stacks, _, err := r.set.Stacks(ctx, cases[i].ID)
			if err != nil {
				return err
			}
			n, b := experiment.SizeOf(stacks)
			measured++
			images += float64(len(cases[i].Questions) * n)
			bytes += float64(len(cases[i].Questions)) * float64(b)
		}
		all := times * float64(len(cases)) / measured
		e.Images, e.Bytes = int(math.Round(images*all)), int64(bytes*all)
	}
	paces, err := r.paces()
	if err != nil {
		return err
	}
	for _, m := range p.Models {
		pace, known := paces[m]
		if !known {
			e.Unpaced = append(e.Unpaced, m)
			continue
		}
		e.Seconds = max(e.Seconds, pace*float64(e.Requests)/float64(len(p.Models)))
	}
	return nil
}

// paces gives the seconds that a request to each model took, over the runs of this workspace that asked the most of it.
func (r *room) paces() (map[string]float64, error) {
	plans, err := r.plans()
	if err != nil {
		return nil, err
	}
	most, paces := map[string]int{}, map[string]float64{}
	for _, p := range plans {
		s, err := r.keptStatus(p.Run)
		if err != nil {
			return nil, err
		}
		if s == nil {
			continue
		}
		for _, m := range s.Models {
			if m.Requests > most[m.Model] && slices.Contains(p.Models, m.Model) {
				most[m.Model], paces[m.Model] = m.Requests, m.Seconds/float64(m.Requests)
			}
		}
	}
	return paces, nil
}
