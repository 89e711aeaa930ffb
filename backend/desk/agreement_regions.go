package desk

import (
	"fmt"

	"plumbline/backend/report"
	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// evidence is one place where readers mark regions.
type evidence struct {
	name string
	kind review.Kind
	of   func(review.Body) []review.Region
}

// marked lists where readers mark regions.
var marked = []evidence{
	{"evidence", review.KindRating, func(b review.Body) []review.Region { return b.Rating.Evidence }},
	{"own_evidence", review.KindLook, func(b review.Body) []review.Region { return b.Look.Evidence }},
}

// regionRow compares the regions of these readers' first reads, or, with who, of the first and the second read of one. An item counts where
// two marked an area; regions adopted from the model are left out.
func (p *panel) regionRow(m evidence, at review.Stage, who review.ReaderID, readers []review.ReaderID) report.Agreement {
	a := report.Agreement{
		Dimension: m.name, Stage: at.Name, K: at.K, Reader: string(who), Scale: "region", Levels: []string{}, LeftOut: p.leftOut[m.kind],
		Interval: []float64{}, Resamples: resamples, Seed: p.seed, Reasons: map[string]string{},
	}
	took := map[int]bool{}
	number, clusters := map[int]int{}, [][]float64{}
	for _, it := range p.places {
		if it.kind != m.kind || at.K != 0 && it.k != at.K {
			continue
		}
		iou, marks := m.compare(p.reads(it.item, who, readers), took)
		if marks > 0 {
			a.Items++
			a.Ratings += marks
		}
		if iou.Estimable {
			a.Pairable++
			i, known := number[it.cluster]
			if !known {
				i = len(clusters)
				number[it.cluster], clusters = i, append(clusters, nil)
			}
			clusters[i] = append(clusters[i], iou.Value)
		}
	}
	a.Readers, a.Clusters = len(took), len(clusters)
	if who != "" {
		a.Readers = min(a.Readers, 1)
	}
	meanIoU(&a, clusters)
	return a
}

// compare gives the mean IoU over the pairs of reads that both marked an area, how many reads marked anything, and notes which.
func (m evidence) compare(reads []*review.Body, took map[int]bool) (mean stats.Estimate, marks int) {
	sum, pairs := 0.0, 0
	for i, said := range reads {
		if said == nil || len(m.of(*said)) == 0 {
			continue
		}
		marks++
		took[i] = true
		for _, other := range reads[:i] {
			if other == nil {
				continue
			}
			if iou := stats.Overlap(m.of(*other), m.of(*said)); iou.Estimable {
				sum += iou.Value
				pairs++
			}
		}
	}
	if pairs == 0 {
		return stats.Estimate{}, marks
	}
	return stats.Estimate{Value: sum / float64(pairs), Estimable: true}, marks
}

// meanIoU fills in the headline of clustered values.
func meanIoU(a *report.Agreement, clusters [][]float64) {
	switch {
	case a.Readers < 2 && a.Reader == "":
		a.Reason = fmt.Sprintf("two readers needed, found %d", a.Readers)
	case len(clusters) == 0:
		a.Reason = "on no item did two readers mark an area"
	}
	if a.Reason != "" {
		a.Reasons["iou"] = a.Reason
		return
	}
	mean := stats.Mean(clusters)
	a.IoU, a.Estimable = &mean, true
	interval, ok := stats.MeanInterval(clusters, false, resamples, a.Seed)
	switch {
	case !ok:
		a.Reason = fmt.Sprintf("no interval: at least 10 clusters needed, found %d", len(clusters))
	case interval.High-interval.Low < 1e-12:
		a.Reason = "no interval: the clusters do not differ"
	default: // t knows no bounds, a share does
		a.Interval, a.Method = []float64{max(0, interval.Low), min(1, interval.High)}, string(interval.Method)
	}
}
