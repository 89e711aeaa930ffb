package report

import (
	"fmt"
	"path"
	"slices"

	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// subject is what the counts beside a number need of a case, by numbers from 0; a patient of -1 is none.
type subject struct {
	patient, cluster int
	images, variants []int
}

// numbered gives the same number for the same name.
type numbered map[string]int

func (n numbered) of(name string) int {
	i, known := n[name]
	if !known {
		i = len(n)
		n[name] = i
	}
	return i
}

// subjects prepares every case, and says how many patients, images and clusters there are.
func subjects(in Input) (out map[review.CaseID]*subject, size extent) {
	patients, images, clusters := numbered{}, numbered{}, numbered{}
	out = make(map[review.CaseID]*subject, len(in.Cases))
	for _, c := range in.Cases {
		name := "cluster/" + in.Clusters[c.ID]
		if in.Clusters[c.ID] == "" {
			name = "case/" + string(c.ID)
		}
		s := &subject{patient: -1, cluster: clusters.of(name)}
		if c.Patient != "" {
			s.patient = patients.of(string(c.Patient))
		}
		for _, m := range c.Images {
			key := images.of(imageKey(m))
			s.images = append(s.images, key)
			if m.DerivedFrom != "" {
				s.variants = append(s.variants, key)
			}
		}
		out[c.ID] = s
	}
	return out, extent{len(patients), len(images), len(clusters)}
}

// extent says how many there are.
type extent struct{ patients, images, clusters int }

// imageKey tells images apart: one that several cases name is one image.
func imageKey(m review.Image) string {
	p := m.Path
	if p != "" {
		p = path.Clean(p)
	}
	return p + "#" + m.Series
}

// rows are observations as columns: whom each is of, and so many values each; a mean takes one value, another statistic several. The zero
// value holds none.
type rows struct {
	of []*subject
	y  []float64
}

func (r *rows) add(of *subject, y ...float64) {
	r.of, r.y = append(r.of, of), append(r.y, y...)
}

// width is how many values a row has.
func (r rows) width() int {
	if len(r.of) == 0 {
		return 0
	}
	return len(r.y) / len(r.of)
}

func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// counter computes numbers.
type counter struct {
	seed      uint64
	resamples int
	size      extent
}

// spread counts what rows come from, and gives the place of each cluster among those met, in order of first mention; -1: not met.
func (c counter) spread(r rows) (n Number, at []int) {
	patients, images, variants := make([]bool, c.size.patients), make([]bool, c.size.images), make([]bool, c.size.images)
	at = make([]int, c.size.clusters)
	for i := range at {
		at[i] = -1
	}
	meet := func(met []bool, i int, count *int) {
		if i >= 0 && !met[i] {
			met[i] = true
			*count++
		}
	}
	for _, s := range r.of {
		meet(patients, s.patient, &n.Patients)
		for _, m := range s.images {
			meet(images, m, &n.Images)
		}
		for _, m := range s.variants {
			meet(variants, m, &n.Variants)
		}
		if at[s.cluster] < 0 {
			at[s.cluster] = n.Clusters
			n.Clusters++
		}
	}
	n.N = len(r.of)
	return n, at
}

// grouped gives the rows' first values by cluster.
func grouped(r rows, at []int, clusters int) [][]float64 {
	width := r.width()
	ends := make([]int, clusters+1)
	for _, s := range r.of {
		ends[at[s.cluster]+1]++
	}
	for i := range clusters {
		ends[i+1] += ends[i]
	}
	all, out := make([]float64, len(r.of)), make([][]float64, clusters)
	for i := range out {
		out[i] = all[ends[i]:ends[i]:ends[i+1]]
	}
	for i, s := range r.of {
		g := at[s.cluster]
		out[g] = append(out[g], r.y[i*width])
	}
	return out
}

// share gives a proportion: the mean of rows of 0 and 1. None is why there may be no rows.
func (c counter) share(r rows, none string) Number { return c.mean(r, true, none) }

// change gives a mean of differences, or of any other values.
func (c counter) change(r rows, none string) Number { return c.mean(r, false, none) }

func (c counter) mean(r rows, proportion bool, none string) Number {
	n, at := c.spread(r)
	if n.N == 0 {
		n.Reason = none
		return n
	}
	clusters := grouped(r, at, n.Clusters)
	mean := stats.Mean(clusters)
	n.Value, n.Estimable = &mean, true
	if deff, ok := stats.DEFF(clusters); ok {
		n.setDEFF(deff)
	}
	interval, ok := stats.MeanInterval(clusters, proportion, c.resamples, c.seed)
	if ok && !slices.ContainsFunc(r.y, func(y float64) bool { return y < -1 || y > 1 }) {
		interval.Low, interval.High = max(-1, interval.Low), min(1, interval.High) // a difference of shares is at most 1
	}
	n.setInterval(interval, ok)
	return n
}

// paired gives a mean of paired differences with the p of there being none; ok where there is a p.
func (c counter) paired(r rows, none string) (n Number, p float64, ok bool) {
	n = c.change(r, none)
	if n.N == 0 {
		return n, 0, false
	}
	_, at := c.spread(r)
	p, ok = stats.TTest(grouped(r, at, n.Clusters))
	return n, p, ok
}

// statistic gives a number that is no mean: f of the sums of the rows' values.
func (c counter) statistic(r rows, f stats.Statistic, none string) Number {
	n, at := c.spread(r)
	width := r.width()
	total, flat := make([]float64, width), make([]float64, n.Clusters*width)
	single, clusters := make([][]float64, n.N), make([][]float64, n.Clusters)
	for i := range clusters {
		clusters[i] = flat[i*width : (i+1)*width]
	}
	for i, s := range r.of {
		single[i] = r.y[i*width : (i+1)*width]
		sums := clusters[at[s.cluster]]
		for j, y := range single[i] {
			sums[j] += y
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
	interval, ok := stats.StatisticInterval(clusters, f, c.resamples, c.seed)
	if n.Clusters == n.N {
		n.setDEFF(1)
	} else if variance, known := c.variance(clusters, f, interval); known {
		_, _, byRow, okRow := stats.Bootstrap(single, f, c.resamples, c.seed)
		if okRow && byRow > 0 {
			n.setDEFF(max(1, variance/byRow)) // as for means, clusters that even each other out make no rows
		}
	}
	n.setInterval(interval, ok)
	return n
}

// variance is the bootstrap's by cluster, which an interval has found already.
func (c counter) variance(clusters [][]float64, f stats.Statistic, found stats.Interval) (float64, bool) {
	if found.Variance > 0 {
		return found.Variance, true
	}
	_, _, variance, ok := stats.Bootstrap(clusters, f, c.resamples, c.seed)
	return variance, ok
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
