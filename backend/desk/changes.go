package desk

import (
	"context"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Changes are files of the open data that are no longer as they were when the data were opened.
type Changes struct {
	Data  string           `json:"data"`  // the folder or file that Import would take to open them again; "": none is open
	All   int              `json:"all"`   // how many they are
	Named []review.Problem `json:"named"` // the first of them; they stand among the problems too
}

// Changes looks whether the files of the open data changed. It reads sizes and times alone, so it may be asked now and then.
func (d *Desk) Changes(ctx context.Context) (Changes, error) {
	const op = "look for changes"
	out := Changes{Named: []review.Problem{}}
	err := d.within(op, func(r *room) error {
		if r.set == nil {
			return nil
		}
		named, all, err := r.set.Changed(ctx)
		if err != nil {
			return fault.In(op, "", err)
		}
		r.acting.Lock()
		defer r.acting.Unlock()
		r.changed = named
		out.Data, out.All = r.w.datasetDir(r.dir), all
		if !r.adjudicating.Load() {
			out.Named = named
		}
		return nil
	})
	return out, err
}
