package stats

// A Level is what a reader said of an item: 1, 2, 3 … for the levels of the rubric in their order, 0 for nothing.
type Level int

// Ratings are what several readers said of the same items (measurement.md, 41). All levels of the rubric count, used or not.
type Ratings struct {
	By     [][]Level // [reader][item]; every reader has a cell for every item
	Levels int       // how many levels the rubric has; no Level is above it
	Values []float64 // of the levels, for the interval scale; empty where they are words
}

// Items counts the items, rated or not.
func (r Ratings) Items() int {
	if len(r.By) == 0 {
		return 0
	}
	return len(r.By[0])
}

// counts gives how many readers chose each level of an item, and how many rated it.
func (r Ratings) counts(item int) (by []float64, n float64) {
	by = make([]float64, r.Levels)
	for _, reader := range r.By {
		if l := reader[item]; l > 0 {
			by[l-1]++
			n++
		}
	}
	return by, n
}

const (
	noPair      = "no item was rated by two readers"
	noVariation = "no variation: every rating is of the same level"
)

// Percent is the share of items of which two readers said the same, 0 to 1; with more readers its mean over the pairs of readers that have
// an item in common (measurement.md, 41).
func Percent(r Ratings) Estimate {
	sum, pairs := 0.0, 0.0
	for i := range r.By {
		for j := range i {
			same, n := 0.0, 0.0
			for item, a := range r.By[i] {
				if b := r.By[j][item]; a > 0 && b > 0 {
					n++
					if a == b {
						same++
					}
				}
			}
			if n > 0 {
				sum += same / n
				pairs++
			}
		}
	}
	switch {
	case len(r.By) < 2:
		return missing("two readers needed, found %d", len(r.By))
	case pairs == 0:
		return missing(noPair)
	}
	return known(sum / pairs)
}
