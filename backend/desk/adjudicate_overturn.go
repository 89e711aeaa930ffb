package desk

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/report"
	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// Adjudicated is what adjudication came to: how much was decided and how often it overturned what readers said.
type Adjudicated struct {
	Decided   int               `json:"decided"` // by a person
	Open      int               `json:"open"`
	Waiting   int               `json:"waiting"`
	Adopted   int               `json:"adopted"`   // final values taken over because all agreed
	Unanimous int               `json:"unanimous"` // that could be
	Overturns []report.Overturn `json:"overturns"`
}

// Overturns tells what adjudication came to. It names readers, so it is the coordinator's: fault Refused elsewhere.
func (d *Desk) Overturns(ctx context.Context) (sum Adjudicated, err error) {
	const op = "count overturned labels"
	err = d.within(op, func(r *room) error {
		if !r.leads() {
			return fault.New(fault.Refused, op, "", "it tells what each reader said; it is the coordinator's")
		}
		if err := r.unblind("overturned labels"); err != nil {
			return err
		}
		all, err := r.disputes(ctx, op)
		if err != nil {
			return err
		}
		r.acting.Lock()
		defer r.acting.Unlock()
		list, err := r.listed(ctx, all)
		if err != nil {
			return err
		}
		sum = Adjudicated{Decided: list.Decided, Open: list.Open, Waiting: list.Waiting, Adopted: list.Adopted, Unanimous: list.Unanimous, Overturns: all.overturns()}
		return nil
	})
	return sum, err
}

// overturns computes every dimension that a decided item has: of the majority, then of each reader.
func (all *disputes) overturns() []report.Overturn {
	out := []report.Overturn{}
	for _, dim := range all.dimensions {
		majority, by := tally{}, map[review.ReaderID]*tally{}
		for _, item := range all.items {
			if item.kind == dim.kind && item.decided() {
				majority.add(dim, item, by)
			}
		}
		if majority.items+majority.noMajority > 0 {
			out = append(out, majority.rate(dim.name, "", all.seed))
		}
		for _, reader := range slices.Sorted(maps.Keys(by)) {
			out = append(out, by[reader].rate(dim.name, reader, all.seed))
		}
	}
	return out
}

// tally counts overturned items by cluster.
type tally struct {
	items, overturned, noMajority int
	clusters                      map[int][]float64
}

// add counts an item for the majority, and for each of its readers.
func (t *tally) add(dim dimension, item *dispute, by map[review.ReaderID]*tally) {
	said := func(b review.Body) string { return strings.Join(dim.of(b), "\x00") }
	final := said(item.decision.Body.Adjudication.Body())
	votes, any := map[string]int{}, final != ""
	for _, e := range item.reads {
		votes[said(e.Body)]++
		any = any || said(e.Body) != ""
	}
	if !any {
		return
	}
	for _, e := range item.reads {
		if by[e.Reader] == nil {
			by[e.Reader] = &tally{}
		}
		by[e.Reader].count(item.cluster, said(e.Body) != final)
	}
	for answer, n := range votes {
		if 2*n > len(item.reads) {
			t.count(item.cluster, answer != final)
			return
		}
	}
	t.noMajority++
}

func (t *tally) count(cluster int, overturned bool) {
	if t.clusters == nil {
		t.clusters = map[int][]float64{}
	}
	value := 0.0
	if overturned {
		value = 1
		t.overturned++
	}
	t.items++
	t.clusters[cluster] = append(t.clusters[cluster], value)
}

// rate gives the share with its interval.
func (t *tally) rate(dimension string, reader review.ReaderID, seed uint64) report.Overturn {
	o := report.Overturn{
		Dimension: dimension, Reader: string(reader), Items: t.items, Overturned: t.overturned, NoMajority: t.noMajority, Clusters: len(t.clusters), Interval: []float64{},
	}
	if t.items == 0 {
		o.Reason = "no decided item has a majority"
		return o
	}
	rate := float64(t.overturned) / float64(t.items)
	o.Rate = &rate
	clusters := [][]float64{}
	for _, name := range slices.Sorted(maps.Keys(t.clusters)) {
		clusters = append(clusters, t.clusters[name])
	}
	interval, ok := stats.MeanInterval(clusters, true, resamples, seed)
	if !ok {
		o.Reason = fmt.Sprintf("no interval: at least 10 clusters needed, found %d", len(clusters))
		return o
	}
	o.Interval, o.Method = []float64{interval.Low, interval.High}, string(interval.Method)
	return o
}
