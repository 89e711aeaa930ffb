package desk

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"plumbline/backend/experiment"
	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/review"
)

// BatchOrder says what a batch asks, and how it is written.
type BatchOrder struct {
	RunOrder
	Dir          string           `json:"dir"`   // empty or not there
	Style        model.BatchStyle `json:"style"` // "": openai
	MostRequests int              `json:"most_requests"`
	MostBytes    int64            `json:"most_bytes"`
}

// BatchWritten is a batch that waits to be answered.
type BatchWritten struct {
	Run           string             `json:"run"`
	Dir           string             `json:"dir"` // absolute
	Requests      int                `json:"requests"`
	Stage         int                `json:"stage"` // of its questions; 0: chains stand at several
	Files         []model.BatchFile  `json:"files"`
	Chains        int                `json:"chains"` // that are done
	NotApplicable []experiment.Count `json:"not_applicable"`
	Failed        []experiment.Count `json:"failed"` // requests that could not be written, by kind
}

// BatchTaken is what came back of a batch.
type BatchTaken struct {
	Run string `json:"run"`
	model.BatchRead
	Unparsed int                 `json:"unparsed"` // answered, but not readably
	Kinds    []experiment.Count  `json:"kinds"`    // of what failed
	Chains   int                 `json:"chains"`   // that are done
	Waiting  int                 `json:"waiting"`  // chains of which something is left to ask
	Lacking  []experiment.Lack   `json:"lacking"`  // what is missing, with its case and condition; of many, the first
	Missed   []experiment.Missed `json:"missed"`   // what failed, with its case and condition; of many, the first
}

const (
	batchOp     = "write batch"
	mostLacking = 200 // missing requests that are named by their case
)

// WriteBatch writes the next request of every chain of a run into files for a batch server. With Resume it goes on with a run: after the
// results of one stage were read, the next stage is written. Fault NotFound where nothing is left to ask; Refused outside of the coordinator's
// seat; Busy while a run is under way.
func (d *Desk) WriteBatch(ctx context.Context, o BatchOrder) (out BatchWritten, err error) {
	if o.Dir, err = filepath.Abs(o.Dir); err != nil {
		return out, fault.In(batchOp, o.Dir, err)
	}
	err = d.within(batchOp, func(r *room) error {
		runner, p, err := r.batchRun(ctx, d, o.RunOrder)
		if err != nil {
			return err
		}
		profile := runner.Models[0].Model.(*model.Endpoint).Profile()
		w, err := model.NewBatchWriter(o.Dir, profile, model.BatchOptions{Style: o.Style, Run: p.Run, MostRequests: o.MostRequests, MostBytes: o.MostBytes})
		if err != nil {
			return err
		}
		b, s, err := runner.WriteBatch(ctx, p, w)
		out = BatchWritten{
			Run: p.Run, Dir: o.Dir, Requests: len(b.Requests), Stage: b.Stage, Files: list(b.Files), Chains: s.Chains, NotApplicable: list(s.NotApplicable), Failed: list(s.Failed),
		}
		if err != nil {
			return err
		}
		return r.keepBatch(KeptBatch{
			Run: p.Run, Dir: o.Dir, Style: b.Style, Model: profile.Name, Stage: b.Stage, Requests: len(b.Requests), Written: r.now().UTC().Format(time.RFC3339),
		})
	})
	return out, err
}

// ReadBatch takes the result files of a batch in. Files may come in any order, in part and again. Faults: Invalid, NotFound, Damaged; Refused
// outside of the coordinator's seat.
func (d *Desk) ReadBatch(ctx context.Context, dir string, results []string) (out BatchTaken, err error) {
	const op = "read batch"
	if dir, err = filepath.Abs(dir); err != nil {
		return out, fault.In(op, dir, err)
	}
	b, err := model.OpenBatch(dir)
	if err != nil {
		return out, err
	}
	err = d.within(op, func(r *room) error {
		if err := r.experimenter(op); err != nil {
			return err
		}
		all, err := r.plans()
		if err != nil {
			return err
		}
		at := slices.IndexFunc(all, func(p experiment.Plan) bool { return p.Run == b.Run })
		if at < 0 {
			return fault.New(fault.NotFound, op, b.Run, "the workspace has no such run: the batch was written in another one")
		}
		runner, p, err := r.batchOf(ctx, d, all[at])
		if err != nil {
			return err
		}
		files, shut, err := openAll(results)
		defer shut()
		if err != nil {
			return err
		}
		read, s, err := runner.ReadBatch(ctx, p, b, files)
		out = BatchTaken{Run: p.Run, BatchRead: read, Unparsed: s.Unparsed, Kinds: list(s.Failed), Chains: s.Chains, Waiting: s.Later, Missed: list(s.Missed)}
		most := min(len(read.Missing), mostLacking)
		lacking, wrong := runner.Lacking(p, b, read.Missing[:most])
		out.Lacking = lacking
		for _, k := range s.Failed {
			out.Waiting += k.Count
		}
		return errors.Join(err, wrong, r.keepStatus(s), r.tookBatch(dir, b, out))
	})
	return out, err
}

// openAll opens files; shut closes them.
func openAll(paths []string) (files []io.Reader, shut func(), err error) {
	var open []*os.File
	shut = func() {
		for _, f := range open {
			f.Close() // only read
		}
	}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, shut, fault.In("read batch", path, err)
		}
		open, files = append(open, f), append(files, f)
	}
	return files, shut, nil
}

// batchRun makes the plan of an order, or finds the one that goes on, with what carries it out.
func (r *room) batchRun(ctx context.Context, d *Desk, o RunOrder) (experiment.Runner, experiment.Plan, error) {
	p, models, err := r.planned(ctx, o, d.options)
	if err != nil {
		return experiment.Runner{}, p, err
	}
	if len(models) != 1 {
		return experiment.Runner{}, p, fault.New(fault.Usage, batchOp, "", "a batch is for one model; %d were named", len(models))
	}
	if _, behind := models[0].Model.(*model.Endpoint); !behind {
		return experiment.Runner{}, p, fault.New(fault.Usage, batchOp, models[0].Name(), "a batch is for a model behind a profile: a control answers at once")
	}
	return r.batchWith(ctx, d, p, models)
}

func (r *room) batchOf(ctx context.Context, d *Desk, p experiment.Plan) (experiment.Runner, experiment.Plan, error) {
	models, err := r.askable(ctx, p.Models, 0)
	if err != nil {
		return experiment.Runner{}, p, err
	}
	return r.batchWith(ctx, d, p, models)
}

// batchWith gives what carries out a plan in batches. No run goes on at the same time: both would note answers.
func (r *room) batchWith(ctx context.Context, d *Desk, p experiment.Plan, models []experiment.Asked) (experiment.Runner, experiment.Plan, error) {
	if _, running, _ := d.RunStatus(ctx); running {
		return experiment.Runner{}, p, fault.New(fault.Busy, batchOp, p.Run, "a run is under way")
	}
	study, err := r.study(ctx)
	return experiment.Runner{Study: study, Models: models, Book: r.runs, Now: r.now, Tell: func(s experiment.Status) {
		d.options.Tell(review.Progress{Op: "batch: chain", Done: s.Units, Total: s.Of, Of: p.Run})
	}}, p, err
}

// ResultFiles lists the result files that lie in a batch's folder: results*.jsonl, by name.
func ResultFiles(dir string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(dir, "results*.jsonl"))
	if err == nil && len(found) == 0 {
		err = fault.New(fault.NotFound, "read batch", dir, "no results*.jsonl beside the batch; name the result files")
	}
	return found, err
}
