package desk

import (
	"context"
	"slices"
	"strconv"

	"plumbline/backend/fault"
	"plumbline/backend/report"
	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// resamples is the least that measurement.md (43) allows.
const resamples = 2000

// Agreement computes how far readers agree, from the last revisions of signed readings as they stood before any adjudication. Only the
// coordinator's seat may ask, since it joins what several readers said: fault Refused elsewhere.
func (d *Desk) Agreement(ctx context.Context) (rows []report.Agreement, err error) {
	const op = "compute agreement"
	err = d.within(op, func(r *room) error {
		if !r.leads() {
			return fault.New(fault.Refused, op, "", "agreement shows what other readers said; it is the coordinator's")
		}
		p, rubric, _, err := r.panel(ctx, op)
		if err != nil {
			return err
		}
		rows, err = p.rows(ctx, rubric)
		return err
	})
	return rows, err
}

// dimension is one thing that is compared.
type dimension struct {
	name   string
	kind   review.Kind
	scale  stats.Scale
	levels []string
	values []float64 // of the levels, where they are ordered
	of     func(review.Body) []string
}

// dimensions lists what is compared: support first, then every other choice of the rubric, then the readers' own answers.
func (p *panel) dimensions(rubric review.Rubric) []dimension {
	var out []dimension
	for _, f := range rubric.Step {
		answers := func(b review.Body) []string { return b.Rating.Answers()[f.Name] }
		out = append(out, dimensionsOf(f, review.KindRating, answers)...)
	}
	for _, f := range rubric.Chain {
		answers := func(b review.Body) []string { return b.ChainRating.Answers()[f.Name] }
		if f.Kind == "missed" { // whether there is one at all: a reader who names none says so
			answers = func(b review.Body) []string { return yesNo(len(b.ChainRating.Missed) > 0) }
			f.Kind, f.Options = "choice", []string{"no", "yes"}
		}
		out = append(out, dimensionsOf(f, review.KindChainRating, answers)...)
	}
	return append(out, dimension{name: "own_answer", kind: review.KindLook, scale: stats.Nominal, levels: list(p.letters),
		of: func(b review.Body) []string { return []string{b.Look.Answer} }})
}

// dimensionsOf gives what is compared of one field: a choice as it is; of several choices at once, which are a set, each as yes or no where
// anything was chosen; regions and words not at all.
func dimensionsOf(f review.Field, kind review.Kind, answers func(review.Body) []string) []dimension {
	dim := dimension{name: f.Name, kind: kind, scale: stats.Nominal, levels: f.Options, of: answers}
	switch {
	case len(f.Options) == 0:
		return nil
	case f.Name == "support": // the numeric view: what cannot be judged from the image is missing
		dim.scale, dim.values = stats.Ordinal, []float64{0, 1, 2, 3}
		dim.levels = []string{string(review.Contradicted), string(review.Unsupported), string(review.Partly), string(review.Supported)}
	case f.Kind == "number":
		dim.scale = stats.Ordinal
		for _, o := range f.Options {
			v, err := strconv.ParseFloat(o, 64)
			if err != nil {
				panic(err) // the rubric's own data
			}
			dim.values = append(dim.values, v)
		}
	case f.Kind == "choices":
		var each []dimension
		for _, o := range f.Options {
			each = append(each, dimension{name: f.Name + "." + o, kind: kind, scale: stats.Nominal, levels: []string{"no", "yes"},
				of: func(b review.Body) []string {
					chosen := answers(b)
					if len(chosen) == 0 {
						return chosen
					}
					return yesNo(slices.Contains(chosen, o))
				}})
		}
		return each
	case f.Kind != "choice":
		return nil
	}
	return []dimension{dim}
}

func yesNo(yes bool) []string {
	if yes {
		return []string{"yes"}
	}
	return []string{"no"}
}

// rows computes every dimension: between readers over all stages and at each, and within each reader who read something twice.
func (p *panel) rows(ctx context.Context, rubric review.Rubric) ([]report.Agreement, error) {
	rows := []report.Agreement{}
	every := func(kind review.Kind, row func(at review.Stage, who review.ReaderID, readers []review.ReaderID) report.Agreement) {
		readers := p.readers(kind)
		rows = append(rows, row(review.Stage{}, "", readers))
		for _, s := range p.stages {
			if r := row(s, "", readers); r.Ratings > 0 {
				rows = append(rows, r)
			}
		}
		for _, who := range readers {
			if r := row(review.Stage{}, who, nil); r.Pairable > 0 {
				rows = append(rows, r)
			}
		}
	}
	for _, dim := range p.dimensions(rubric) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		every(dim.kind, func(at review.Stage, who review.ReaderID, readers []review.ReaderID) report.Agreement {
			return p.row(dim, at, who, readers)
		})
	}
	for _, m := range marked {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		every(m.kind, func(at review.Stage, who review.ReaderID, readers []review.ReaderID) report.Agreement {
			return p.regionRow(m, at, who, readers)
		})
	}
	return rows, nil
}

// readers lists who answered anything of this kind.
func (p *panel) readers(kind review.Kind) []review.ReaderID {
	seen := map[review.ReaderID]bool{}
	for it, by := range p.labels {
		if it.kind == kind {
			for who := range by {
				seen[who] = true
			}
		}
	}
	out := []review.ReaderID{}
	for who := range seen {
		out = append(out, who)
	}
	slices.Sort(out)
	return out
}

// row compares the first reads of these readers, or, with who, the first and the second read of one.
func (p *panel) row(dim dimension, at review.Stage, who review.ReaderID, readers []review.ReaderID) report.Agreement {
	a := report.Agreement{
		Dimension: dim.name, Stage: at.Name, K: at.K, Reader: string(who), Scale: string(dim.scale), Levels: dim.levels, LeftOut: p.leftOut[dim.kind],
		Interval: []float64{}, Resamples: resamples, Seed: p.seed, Reasons: map[string]string{},
	}
	ratings, cluster := p.table(dim, at.K, who, readers)
	count(&a, ratings, cluster)
	if who != "" {
		a.Readers = min(a.Readers, 1)
	}
	if dim.name == "support" && who == "" && at.K == 0 {
		a.TwoWay = twoWay(ratings, cluster)
	}
	measure(&a, ratings, dim.scale)
	if a.Estimable {
		interval, why := stats.AlphaInterval(ratings, dim.scale, cluster, resamples, p.seed)
		if a.Reason = why; why == "" {
			a.Interval, a.Method = []float64{interval.Low, interval.High}, string(interval.Method)
		}
	}
	return a
}

// count fills in what the numbers rest on.
func count(a *report.Agreement, r stats.Ratings, cluster []int) {
	clusters := map[int]bool{}
	for item, c := range cluster {
		n := 0
		for _, row := range r.By {
			if row[item] > 0 {
				n++
			}
		}
		a.Ratings += n
		if n > 1 {
			a.Pairable++
			clusters[c] = true
		}
	}
	a.Items, a.Readers, a.Clusters = len(cluster), len(r.By), len(clusters)
}

// measure fills in the numbers; measures that know an order are none of levels without one.
func measure(a *report.Agreement, r stats.Ratings, scale stats.Scale) {
	set := func(name string, e stats.Estimate) *float64 {
		if !e.Estimable {
			a.Reasons[name] = e.Reason
		}
		return e.Pointer()
	}
	ordered := func(name string, of func() stats.Estimate) *float64 {
		if scale == stats.Nominal {
			return set(name, stats.Estimate{Reason: "the levels have no order"})
		}
		return set(name, of())
	}
	a.Percent = set("percent", stats.Percent(r))
	headline := stats.Alpha(r, scale)
	a.Alpha, a.Estimable, a.Reason = set("alpha", headline), headline.Estimable, headline.Reason
	a.AlphaNominal = set("alpha_nominal", stats.Alpha(r, stats.Nominal))
	a.AlphaOrdinal = ordered("alpha_ordinal", func() stats.Estimate { return stats.Alpha(r, stats.Ordinal) })
	a.AlphaInterval = ordered("alpha_interval", func() stats.Estimate { return stats.Alpha(r, stats.IntervalScale) })
	a.Kappa = set("kappa", stats.Cohen(r, stats.Unweighted))
	a.KappaLinear = ordered("kappa_linear", func() stats.Estimate { return stats.Cohen(r, stats.Linear) })
	a.KappaQuadratic = ordered("kappa_quadratic", func() stats.Estimate { return stats.Cohen(r, stats.Quadratic) })
	a.Fleiss, a.AC1 = set("fleiss", stats.Fleiss(r)), set("ac1", stats.AC1(r))
	if len(r.By) < 2 {
		a.Reason = stats.Percent(r).Reason
	}
}
