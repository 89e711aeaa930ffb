package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"plumbline/backend/experiment"
	"plumbline/backend/fault"
	"plumbline/backend/model"
)

// KeptBatch is a batch that the workspace wrote: where it lies, and what came back of it so far.
type KeptBatch struct {
	Run      string           `json:"run"`
	Dir      string           `json:"dir"` // absolute
	Style    model.BatchStyle `json:"style"`
	Model    string           `json:"model"` // the profile
	Stage    int              `json:"stage"` // of its questions; 0: chains stand at several
	Requests int              `json:"requests"`
	Written  string           `json:"written"` // RFC 3339
	Read     string           `json:"read"`    // when results were last taken in; "": never
	Answered int              `json:"answered"`
	Failed   int              `json:"failed"`
	Missing  int              `json:"missing"`
}

// BatchFolder is what lies in the folder of a batch.
type BatchFolder struct {
	Dir      string           `json:"dir"` // absolute
	Run      string           `json:"run"`
	Known    bool             `json:"known"` // the run is one of this workspace
	Model    string           `json:"model"` // the profile
	Style    model.BatchStyle `json:"style"`
	Stage    int              `json:"stage"`
	Requests int              `json:"requests"`
	Files    []string         `json:"files"`
	Results  []string         `json:"results"` // result files that lie there, absolute
}

// BatchEstimate is what a batch would come to, at the most.
type BatchEstimate struct {
	Requests int   `json:"requests"` // one for each chain that is not done
	Bytes    int64 `json:"bytes"`    // of the files, and of the pictures beside them
	Files    int   `json:"files"`    // within the limits of a file
	Rounds   int   `json:"rounds"`   // batches until every chain is done, this one among them
}

const (
	batchesOf = "/batches" // after the run; the keys are folders
	// bytesOfARequest is a line without its pictures. On the sample study, whose requests name 40 pictures, lines have 5.9 kB in the mean
	// and 6.5 kB at the most.
	bytesOfARequest = 8 << 10
)

// Batches lists the batches that the workspace wrote, the latest first. Fault Refused outside of the coordinator's seat.
func (d *Desk) Batches(context.Context) (all []KeptBatch, err error) {
	const op = "list batches"
	all = []KeptBatch{}
	err = d.within(op, func(r *room) error {
		if err := r.experimenter(op); err != nil {
			return err
		}
		plans, err := r.plans()
		if err != nil {
			return err
		}
		for _, p := range plans {
			notes, err := r.runs.Noted(p.Run + batchesOf)
			if err != nil {
				return err
			}
			for dir, raw := range notes {
				var b KeptBatch
				if err := json.Unmarshal(raw, &b); err != nil {
					return fault.New(fault.Damaged, op, dir, "%w", err)
				}
				all = append(all, b)
			}
		}
		return nil
	})
	slices.SortFunc(all, func(a, b KeptBatch) int {
		return cmp.Or(strings.Compare(b.Written, a.Written), strings.Compare(b.Dir, a.Dir))
	})
	return all, err
}

func (r *room) keepBatch(b KeptBatch) error {
	raw, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return r.runs.Note(b.Run+batchesOf, map[string][]byte{b.Dir: raw})
}

// tookBatch keeps what came back of a batch, wherever its folder lies now.
func (r *room) tookBatch(dir string, b model.Batch, taken BatchTaken) error {
	notes, err := r.runs.Noted(b.Run + batchesOf)
	if err != nil {
		return err
	}
	kept := KeptBatch{Run: b.Run, Dir: dir, Style: b.Style, Model: b.Profile, Stage: b.Stage, Requests: len(b.Requests)}
	if raw := notes[dir]; raw != nil {
		if err := json.Unmarshal(raw, &kept); err != nil {
			return fault.New(fault.Damaged, "read batch", dir, "%w", err)
		}
	}
	kept.Read, kept.Answered, kept.Failed, kept.Missing = r.now().UTC().Format(time.RFC3339), taken.Answered, taken.BatchRead.Failed, len(taken.BatchRead.Missing)
	return r.keepBatch(kept)
}

// LookIntoBatch tells what lies in the folder of a batch; nothing is taken in. Faults: NotFound, Damaged, Invalid; Refused outside of the
// coordinator's seat.
func (d *Desk) LookIntoBatch(_ context.Context, dir string) (out BatchFolder, err error) {
	const op = "read batch"
	if dir, err = filepath.Abs(dir); err != nil {
		return out, fault.In(op, dir, err)
	}
	err = d.within(op, func(r *room) error {
		if err := r.experimenter(op); err != nil {
			return err
		}
		b, err := model.OpenBatch(dir)
		if os.IsNotExist(err) || fault.KindOf(err) == fault.NotFound {
			return fault.New(fault.NotFound, op, dir, "the folder holds no batch.json: choose the folder into which the batch was written")
		}
		if err != nil {
			return err
		}
		plans, err := r.plans()
		if err != nil {
			return err
		}
		out = BatchFolder{
			Dir: dir, Run: b.Run, Known: slices.ContainsFunc(plans, func(p experiment.Plan) bool { return p.Run == b.Run }),
			Model: b.Profile, Style: b.Style, Stage: b.Stage, Requests: len(b.Requests), Files: []string{}, Results: []string{},
		}
		for _, f := range b.Files {
			out.Files = append(out.Files, f.Path)
		}
		if found, err := ResultFiles(dir); err == nil { // without any, they are named
			out.Results = found
		}
		return nil
	})
	return out, err
}

// EstimateBatch says what the next batch of an order would come to; nothing is written. Faults as EstimateRun.
func (d *Desk) EstimateBatch(ctx context.Context, o BatchOrder) (out BatchEstimate, err error) {
	var e experiment.Estimate
	done, longest := 0, 0
	err = d.within(batchOp, func(r *room) error {
		_, p, err := r.batchRun(ctx, d, o.RunOrder)
		if err != nil {
			return err
		}
		if e, longest, err = r.estimate(ctx, p); err != nil {
			return err
		}
		done, err = r.runs.NoteCount(p.Run, experiment.UnitNote)
		return err
	})
	if err != nil || e.Requests == 0 {
		return out, err
	}
	out.Requests, out.Rounds = max(0, e.Chains-done), longest
	pictures := int64(float64(e.Bytes) / float64(e.Requests) * float64(out.Requests))
	lines := int64(out.Requests) * bytesOfARequest
	if o.Style == "" || o.Style == model.OpenAIBatch {
		lines += pictures
		pictures = 0
	} else {
		pictures = pictures * 3 / 4 // beside the lines they are not in base64
	}
	out.Bytes = lines + pictures
	mostRequests, mostBytes := cmp.Or(o.MostRequests, model.MostBatchRequests), cmp.Or(o.MostBytes, int64(model.MostBatchBytes))
	if mostRequests < 1 || mostBytes < 1 {
		return out, fault.New(fault.Usage, batchOp, "", "the limits of a file must be positive")
	}
	over := func(n, most int64) int { return int((n + most - 1) / most) }
	out.Files = max(over(int64(out.Requests), int64(mostRequests)), over(lines, mostBytes))
	return out, nil
}
