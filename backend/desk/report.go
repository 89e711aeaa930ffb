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
func (d *Desk) Report(ctx context.Context) (report.Document, error) {
	return d.ReportOf(ctx, report.Filter{})
}

// ReportOf computes the report of what passes a filter. Faults: as Report.
func (d *Desk) ReportOf(ctx context.Context, f report.Filter) (doc report.Document, err error) {
	err = d.reporting(ctx, f, func(in report.Input) error {
		doc, err = report.Make(ctx, in)
		return err
	})
	return doc, err
}

// CompareReport gives the paired differences of two entries of a report, or of two conditions of one. Faults: as Report; Usage where the
// pair cannot be compared.
func (d *Desk) CompareReport(ctx context.Context, f report.Filter, p report.Pair) (out []report.Comparison, err error) {
	err = d.reporting(ctx, f, func(in report.Input) error {
		if out, err = report.Compare(in, p); err != nil {
			return fault.New(fault.Usage, "compare in report", p.A, "%w", err)
		}
		return nil
	})
	return out, err
}

// BehindReport lists what stands behind the bars of one entry of a report: a line for each question of each case. Faults: as Report; NotFound
// where there is no such entry.
func (d *Desk) BehindReport(ctx context.Context, f report.Filter, key string) (out []report.Fact, err error) {
	err = d.reporting(ctx, f, func(in report.Input) error {
		if out, err = report.Behind(in, key); err != nil {
			return fault.New(fault.NotFound, "list cases of report", key, "%w", err)
		}
		return nil
	})
	return out, err
}

// reporting gathers what a report is computed from, for whoever may have it.
func (d *Desk) reporting(ctx context.Context, f report.Filter, use func(report.Input) error) error {
	return d.within("make report", func(r *room) error {
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
		in.Filter = f
		return use(in)
	})
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
		in.Cases, in.Clusters[id] = append(in.Cases, c), set.Cluster(id)
	}
	in.Each = func(take func(*review.Chain, *review.Origin) error) error { return r.eachChain(ctx, set, take) }
	p, rubric, events, err := r.panel(ctx, "make report")
	if err != nil {
		return in, err
	}
	in.Rubric, in.Events = rubric, events
	r.acting.Lock()
	in.Protocol = r.rules.protocol
	in.Training = slices.Clone(in.Protocol.Training)
	r.acting.Unlock()
	if in.Agreement, err = p.rows(ctx, rubric); err != nil {
		return in, err
	}
	decided, err := r.disputes(ctx, "make report")
	if err != nil {
		return in, err
	}
	r.acting.Lock()
	in.Overturns = decided.overturns()
	r.acting.Unlock()
	if in.Truth, _, err = set.Truth(ctx); err != nil {
		return in, err
	}
	in.Synthetic, err = r.synthetic(ctx)
	return in, err
}

// SaveReport computes the report of what passes a filter and writes report.json and report.html into dir, which is made where it is missing. It
// gives both paths. Faults: as Report.
func (d *Desk) SaveReport(ctx context.Context, dir string, f report.Filter) ([]string, error) {
	doc, err := d.ReportOf(ctx, f)
	if err != nil {
		return nil, err
	}
	return WriteReport(doc, dir)
}

// SplitReport computes the report with a held-out split: of each case the part it is in. Faults: as Report.
func (d *Desk) SplitReport(ctx context.Context, f report.Filter, split map[review.CaseID]string) (doc report.Document, err error) {
	err = d.reporting(ctx, f, func(in report.Input) error {
		in.Splits = split
		doc, err = report.Make(ctx, in)
		return err
	})
	return doc, err
}

// WriteReport writes report.json and report.html into dir, which is made where it is missing. It gives both paths.
func WriteReport(doc report.Document, dir string) ([]string, error) {
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
