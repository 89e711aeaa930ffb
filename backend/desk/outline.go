package desk

import (
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"plumbline/backend/dataset"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// An outline is what the worklist tells of a case, whoever reads it. It is worked out once for a dataset and kept in the index, so that a
// long worklist opens without opening its cases. It holds nothing that a reader may not see.
type outline struct {
	Patient   review.PatientID `json:"patient"`
	Modality  string           `json:"modality"`
	Language  string           `json:"language"`
	Images    int              `json:"images"`
	Questions int              `json:"questions"`
	Chains    int              `json:"chains"`
	Steps     int              `json:"steps"` // of all chains
	Problems  int              `json:"problems"`
	Stages    []string         `json:"stages"`
}

// The bucket of the index that holds outlines by case, and the one that holds the stamp of the dataset they belong to.
const (
	outlineBucket = "desk/outlines"
	stampBucket   = "desk/stamp"
	stampKey      = "outlines 1" // counts what an outline holds
)

// outlines takes the outlines of a dataset from the index, or works them out and keeps them there.
func outlines(ctx context.Context, set *dataset.Set, ix *store.Index, tell review.Tell) (map[review.CaseID]outline, error) {
	all := map[review.CaseID]outline{}
	ids, stamp := set.IDs(), set.Stamp()
	kept, err := ix.Get(stampBucket, stampKey)
	if err != nil {
		return nil, err
	}
	if string(kept) == stamp {
		err := ix.Each(outlineBucket, "", func(id string, b []byte) error {
			var o outline
			if err := json.Unmarshal(b, &o); err != nil {
				return err
			}
			all[review.CaseID(id)] = o
			return nil
		})
		if err == nil && len(all) == len(ids) {
			return all, nil
		}
	}
	found, err := workOut(ctx, set, ids, tell)
	if err != nil {
		return nil, err
	}
	clear(all)
	err = ix.Update(func(b *store.Batch) error {
		if err := b.Drop(outlineBucket); err != nil {
			return err
		}
		for i, id := range ids {
			all[id] = found[i]
			raw, err := json.Marshal(found[i])
			if err != nil {
				return err
			}
			if err := b.Put(outlineBucket, string(id), raw); err != nil {
				return err
			}
		}
		return b.Put(stampBucket, stampKey, []byte(stamp))
	})
	return all, err
}

// workOut makes the outlines of cases on all processors.
func workOut(ctx context.Context, set *dataset.Set, ids []review.CaseID, tell review.Tell) ([]outline, error) {
	found := make([]outline, len(ids))
	var telling sync.Mutex
	return found, forEach(ctx, len(ids), func(ctx context.Context, i int) (err error) {
		found[i], err = outlineOf(ctx, set, ids[i])
		if err == nil && i%256 == 0 {
			telling.Lock()
			defer telling.Unlock()
			tell(review.Progress{Op: "list cases", Done: i, Total: len(ids), Of: string(ids[i])})
		}
		return err
	})
}

// forEach does f(0) … f(n-1) on all processors. The first that fails ends it, and so does a cancelled context.
func forEach(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := f(ctx, i); err != nil {
					stop(err)
					return
				}
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

// outlineOf works out one outline.
func outlineOf(ctx context.Context, set *dataset.Set, id review.CaseID) (outline, error) {
	c, err := set.Case(id)
	if err != nil {
		return outline{}, err
	}
	chains, err := set.Chains(id)
	if err != nil {
		return outline{}, err
	}
	o := outline{
		Patient: c.Patient, Language: c.Language, Images: len(c.Images), Questions: len(c.Questions), Chains: len(chains),
		Problems: len(set.CaseProblems(id)), Stages: []string{},
	}
	for _, chain := range chains {
		o.Steps += len(steps(chain))
	}
	for _, q := range inStageOrder(c.Questions) {
		if q.Stage != "" && !slices.Contains(o.Stages, q.Stage) {
			o.Stages = append(o.Stages, q.Stage)
		}
	}
	for _, i := range c.Images {
		if o.Modality == "" {
			o.Modality = i.Modality
		}
	}
	if o.Modality == "" && len(c.Images) > 0 { // only the files know
		stacks, _, err := set.Stacks(ctx, id)
		if err != nil {
			return outline{}, err
		}
		for _, s := range stacks {
			if o.Modality == "" {
				o.Modality = s.Modality
			}
		}
	}
	return o, nil
}

// row gives the line of a case of which nothing was said yet.
func (o outline) row(id review.CaseID) CaseRow {
	return CaseRow{
		ID: string(id), Patient: string(o.Patient), Modality: o.Modality, Images: o.Images, Questions: o.Questions, Chains: o.Chains,
		State: "new", Required: o.Questions + o.Chains + o.Steps, Problems: o.Problems, Stages: o.Stages, Language: o.Language,
	}
}
