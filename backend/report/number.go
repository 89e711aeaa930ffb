package report

import (
	"fmt"
	"path"

	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// subject is what the counts beside a number need of a case.
type subject struct {
	patient          string
	cluster          int
	images, variants []string
}

// subjects prepares every case.
func subjects(in Input) map[review.CaseID]*subject {
	numbers := map[string]int{}
	out := make(map[review.CaseID]*subject, len(in.Cases))
	for _, c := range in.Cases {
		name := "cluster/" + in.Clusters[c.ID]
		if in.Clusters[c.ID] == "" {
			name = "case/" + string(c.ID)
		}
		if _, known := numbers[name]; !known {
			numbers[name] = len(numbers)
		}
		s := &subject{patient: string(c.Patient), cluster: numbers[name]}
		for _, m := range c.Images {
			key := imageKey(m)
			s.images = append(s.images, key)
			if m.DerivedFrom != "" {
				s.variants = append(s.variants, key)
			}
		}
		out[c.ID] = s
	}
	return out
}

// imageKey tells images apart: one that several cases name is one image.
func imageKey(m review.Image) string {
	p := m.Path
	if p != "" {
		p = path.Clean(p)
	}
	return p + "#" + m.Series
}

// row is one observation; a mean takes its first value, another statistic all of them.
type row struct {
	of *subject
	y  []float64
}

// counter computes numbers.
type counter struct {
	seed      uint64
	resamples int
}

// spread counts what rows come from, and puts them in clusters in the order of their cases' numbers.
func spread(rows []row) (n Number, clusters [][]row) {
	patients, images, variants := map[string]bool{}, map[string]bool{}, map[string]bool{}
	at := map[int]int{}
	for _, r := range rows {
		if r.of.patient != "" {
			patients[r.of.patient] = true
		}
		for _, m := range r.of.images {
			images[m] = true
		}
		for _, m := range r.of.variants {
			variants[m] = true
		}
		i, known := at[r.of.cluster]
		if !known {
			i = len(clusters)
			at[r.of.cluster] = i
			clusters = append(clusters, nil)
		}
		clusters[i] = append(clusters[i], r)
	}
	n.N, n.Patients, n.Images, n.Variants, n.Clusters = len(rows), len(patients), len(images), len(variants), len(clusters)
	return n, clusters
}

// share gives a proportion: the mean of rows of 0 and 1. None is why there may be no rows.
func (c counter) share(rows []row, none string) Number {
	n, groups := spread(rows)
	if n.N == 0 {
		n.Reason = none
		return n
	}
	clusters := make([][]float64, len(groups))
	for i, g := range groups {
		for _, r := range g {
			clusters[i] = append(clusters[i], r.y[0])
		}
	}
	mean := stats.Mean(clusters)
	n.Value, n.Estimable = &mean, true
	if deff, ok := stats.DEFF(clusters); ok {
		n.setDEFF(deff)
	}
	interval, ok := stats.MeanInterval(clusters, true, c.resamples, c.seed)
	n.setInterval(interval, ok)
	return n
}

// statistic gives a number that is no mean: f of the sums of the rows' values.
func (c counter) statistic(rows []row, f stats.Statistic, none string) Number {
	n, groups := spread(rows)
	var clusters, single [][]float64
	for _, g := range groups {
		sum := make([]float64, len(g[0].y))
		for _, r := range g {
			single = append(single, r.y)
			for j, y := range r.y {
				sum[j] += y
			}
		}
		clusters = append(clusters, sum)
	}
	total := []float64{}
	for i, s := range clusters {
		if i == 0 {
			total = make([]float64, len(s))
		}
		for j, y := range s {
			total[j] += y
		}
	}
	value, ok := 0.0, false
	if n.N > 0 {
		value, ok = f(total)
	}
	if !ok {
		n.Reason = none
		return n
	}
	n.Value, n.Estimable = &value, true
	_, _, byCluster, ok := stats.Bootstrap(clusters, f, c.resamples, c.seed)
	_, _, byRow, okRow := stats.Bootstrap(single, f, c.resamples, c.seed)
	if n.Clusters == n.N {
		n.setDEFF(1)
	} else if ok && okRow && byRow > 0 {
		n.setDEFF(max(1, byCluster/byRow)) // as for means, clusters that even each other out make no rows
	}
	interval, ok := stats.StatisticInterval(clusters, f, c.resamples, c.seed)
	n.setInterval(interval, ok)
	return n
}

func (n *Number) setDEFF(deff float64) {
	effective := float64(n.N) / deff
	n.DEFF, n.NEff = &deff, &effective
}

func (n *Number) setInterval(i stats.Interval, ok bool) {
	switch {
	case ok && i.High-i.Low < 1e-12:
		n.Reason = "no interval: the clusters do not differ"
	case ok:
		n.Interval, n.Method = []float64{i.Low, i.High}, string(i.Method)
	case n.Clusters < 10:
		n.Reason = fmt.Sprintf("no interval: %s, at least 10 needed", plural(n.Clusters, "cluster"))
	default:
		n.Reason = "no interval: too few resamples allow a value"
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
