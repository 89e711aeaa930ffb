package desk

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"plumbline/backend/dataset"
	"plumbline/backend/fault"
	"plumbline/backend/report"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// Report computes the report of the open workspace now. It joins what people said with gold, models and conditions, so only the
// coordinator's seat may ask: fault Refused elsewhere.
func (d *Desk) Report(ctx context.Context) (doc report.Document, err error) {
	err = d.within("make report", func(r *room) error {
		if !r.leads() {
			return fault.New(fault.Refused, "make report", "", "a report shows gold and models; it is the coordinator's")
		}
		set, err := r.data("make report")
		if err != nil {
			return err
		}
		if err := r.unblind("report"); err != nil {
			return err
		}
		in, err := r.reportInput(ctx, set)
		if err != nil {
			return err
		}
		doc, err = report.Make(ctx, in)
		return err
	})
	return doc, err
}

// reportInput gathers everything that a report is computed from.
func (r *room) reportInput(ctx context.Context, set *dataset.Set) (report.Input, error) {
	in := report.Input{
		Dataset: set.Info(), Clusters: map[review.CaseID]string{}, Frames: set.Counts().Frames, Version: Version,
		At: time.Now().UTC().Format(time.RFC3339), Seed: r.w.Seed,
	}
	for _, id := range set.IDs() {
		if err := ctx.Err(); err != nil {
			return in, err
		}
		c, err := set.Case(id)
		if err != nil {
			return in, err
		}
		chains, err := set.Chains(id)
		if err != nil {
			return in, err
		}
		made, err := r.madeChains(id)
		if err != nil {
			return in, err
		}
		chains = append(chains, made...)
		in.Cases, in.Chains, in.Clusters[id] = append(in.Cases, c), append(in.Chains, chains...), set.Cluster(id)
	}
	p, rubric, events, err := r.panel(ctx, "make report")
	if err != nil {
		return in, err
	}
	in.Rubric, in.Events = rubric, events
	r.acting.Lock()
	in.Training = slices.Clone(r.rules.protocol.Training)
	r.acting.Unlock()
	if in.Agreement, err = p.rows(ctx, rubric); err != nil {
		return in, err
	}
	if in.Truth, _, err = set.Truth(ctx); err != nil {
		return in, err
	}
	if in.Origins, err = r.runs.Origins(); err != nil {
		return in, err
	}
	in.Synthetic, err = r.synthetic(ctx)
	return in, err
}

// SaveReport computes the report and writes report.json and report.html into dir, which is made where it is missing. It gives both paths.
func (d *Desk) SaveReport(ctx context.Context, dir string) ([]string, error) {
	doc, err := d.Report(ctx)
	if err != nil {
		return nil, err
	}
	page, err := report.HTML(doc)
	if err != nil {
		return nil, fault.In("write report", dir, err)
	}
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, fault.In("write report", dir, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fault.New(fault.IO, "write report", dir, "%w", err)
	}
	paths := []string{filepath.Join(dir, "report.json"), filepath.Join(dir, "report.html")}
	for i, b := range [][]byte{append(data, '\n'), page} {
		if err := store.Replace(paths[i], b); err != nil {
			return nil, err
		}
	}
	return paths, nil
}
