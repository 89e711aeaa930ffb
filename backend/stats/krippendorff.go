package stats

// A Scale says what the distance between two levels means.
type Scale string

// The scales of Krippendorff's alpha.
const (
	Nominal       Scale = "nominal"
	Ordinal       Scale = "ordinal"
	IntervalScale Scale = "interval"
)

// Alpha is Krippendorff's alpha (Content Analysis, 4th ed., ch. 12; "Computing Krippendorff's Alpha-Reliability", 2011). Ratings may be
// missing; an item with fewer than two of them cannot be paired and is left out.
func Alpha(r Ratings, s Scale) Estimate {
	sums := make([]float64, r.Levels*r.Levels)
	for item := range r.Items() {
		r.coincide(item, sums)
	}
	return r.alpha(sums, s)
}

// coincide adds the pairs of ratings of an item to a table of levels × levels, each weighted so that the item counts as often as it was rated.
func (r Ratings) coincide(item int, table []float64) {
	by, n := r.counts(item)
	if n < 2 {
		return
	}
	for i, a := range by {
		for j, b := range by {
			if i == j {
				b--
			}
			table[i*r.Levels+j] += a * b / (n - 1)
		}
	}
}

// alpha is the coefficient of a table of coincidences. Tables of several items add up, which is what the bootstrap lives on.
func (r Ratings) alpha(table []float64, s Scale) Estimate {
	k := r.Levels
	if s == IntervalScale && len(r.Values) != k {
		return missing("the levels are words: there is no distance between them")
	}
	margin, n, used := make([]float64, k), 0.0, 0
	for i := range k {
		margin[i] = total(table[i*k : (i+1)*k])
		n += margin[i]
		if margin[i] > 0 {
			used++
		}
	}
	switch used {
	case 0:
		return missing(noPair)
	case 1:
		return missing(noVariation)
	}
	var observed, expected float64
	for i := range k {
		for j := range k {
			d := r.distance(i, j, margin, s)
			observed += table[i*k+j] * d
			expected += margin[i] * margin[j] * d
		}
	}
	if expected == 0 { // levels of the same value
		return missing(noVariation)
	}
	return known(1 - (n-1)*observed/expected)
}

// distance is the squared difference of two levels on a scale; on the ordinal one it counts the ratings between them.
func (r Ratings) distance(i, j int, margin []float64, s Scale) float64 {
	switch {
	case i == j:
		return 0
	case s == Ordinal:
		low, high := min(i, j), max(i, j)
		d := total(margin[low:high+1]) - (margin[i]+margin[j])/2
		return d * d
	case s == IntervalScale:
		d := r.Values[i] - r.Values[j]
		return d * d
	}
	return 1
}

// AlphaInterval gives the interval of Alpha by cluster bootstrap (measurement.md, 43 and 47): cluster tells for each item which cluster it
// is of, 0, 1, 2 …; clusters without an item that two readers rated do not count. The second result says in words why there is none. Readers
// are taken as fixed.
func AlphaInterval(r Ratings, s Scale, cluster []int, resamples int, seed uint64) (Interval, string) {
	if e := Alpha(r, s); !e.Estimable {
		return Interval{}, e.Reason
	}
	at, tables := map[int]int{}, [][]float64{}
	for item := range r.Items() {
		if _, n := r.counts(item); n < 2 {
			continue
		}
		i, known := at[cluster[item]]
		if !known {
			i = len(tables)
			at[cluster[item]] = i
			tables = append(tables, make([]float64, r.Levels*r.Levels))
		}
		r.coincide(item, tables[i])
	}
	if len(tables) < fewest {
		return Interval{}, missing("no interval: at least %d clusters needed, found %d", fewest, len(tables)).Reason
	}
	statistic := func(sums []float64) (float64, bool) {
		e := r.alpha(sums, s)
		return e.Value, e.Estimable
	}
	out, ok := StatisticInterval(tables, statistic, resamples, seed)
	switch {
	case !ok:
		return Interval{}, "no interval: too few resamples allow a value"
	case out.High-out.Low < 1e-12:
		return Interval{}, "no interval: the clusters do not differ"
	}
	out.High = min(1, out.High) // t knows no bound, alpha does
	return out, ""
}
