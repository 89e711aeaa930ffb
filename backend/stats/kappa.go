package stats

import "math"

// A Weight says how far apart two levels of a rubric are for Cohen's kappa.
type Weight int

// The weights. Distances are of positions among all levels of the rubric.
const (
	Unweighted Weight = iota // any two levels are as far apart as any others
	Linear                   // |i−j| / (levels−1)
	Quadratic                // (i−j)² / (levels−1)²
)

// between is the disagreement of the levels at positions i and j, 0 to 1.
func (w Weight) between(i, j, levels int) float64 {
	if i == j {
		return 0
	}
	d := math.Abs(float64(i-j)) / float64(levels-1)
	switch w {
	case Linear:
		return d
	case Quadratic:
		return d * d
	}
	return 1
}

// Cohen is Cohen's kappa of two readers over the items that both rated (Cohen, Educ. Psychol. Meas. 20:37, 1960; weighted: Psychol. Bull.
// 70:213, 1968).
func Cohen(r Ratings, w Weight) Estimate {
	if len(r.By) != 2 {
		return missing("Cohen's kappa is of two readers, found %d", len(r.By))
	}
	k := r.Levels
	table, rows, columns, n := make([]float64, k*k), make([]float64, k), make([]float64, k), 0.0
	for item, a := range r.By[0] {
		if b := r.By[1][item]; a > 0 && b > 0 {
			table[int(a-1)*k+int(b-1)]++
			rows[a-1]++
			columns[b-1]++
			n++
		}
	}
	if n == 0 {
		return missing(noPair)
	}
	var observed, expected float64
	for i := range k {
		for j := range k {
			d := w.between(i, j, k)
			observed += d * table[i*k+j] / n
			expected += d * rows[i] / n * columns[j] / n
		}
	}
	if expected == 0 {
		return missing(noVariation)
	}
	return known(1 - observed/expected)
}

// Fleiss is Fleiss' kappa (Psychol. Bull. 76:378, 1971). It needs the same number of ratings, at least two, of every item; items that nobody
// rated are left out.
func Fleiss(r Ratings) Estimate {
	each, items, agreed := 0.0, 0.0, 0.0
	share := make([]float64, r.Levels)
	for item := range r.Items() {
		by, n := r.counts(item)
		switch {
		case n == 0:
			continue
		case each == 0:
			each = n
		case n != each:
			return missing("Fleiss' kappa needs the same number of ratings of every item")
		}
		items++
		same := 0.0
		for l, c := range by {
			share[l] += c
			same += c * (c - 1)
		}
		if n > 1 {
			agreed += same / (n * (n - 1))
		}
	}
	if each < 2 {
		return missing(noPair)
	}
	expected, used := 0.0, 0
	for _, s := range share {
		p := s / (items * each)
		expected += p * p
		if s > 0 {
			used++
		}
	}
	if used == 1 {
		return missing(noVariation)
	}
	return known((agreed/items - expected) / (1 - expected))
}

// AC1 is Gwet's first-order agreement coefficient (Br. J. Math. Stat. Psychol. 61:29, 2008), unweighted. The number of ratings may differ
// between items: chance agreement takes every rated item, observed agreement those with two ratings.
func AC1(r Ratings) Estimate {
	var rated, paired, agreed float64
	share := make([]float64, r.Levels)
	for item := range r.Items() {
		by, n := r.counts(item)
		if n == 0 {
			continue
		}
		rated++
		same := 0.0
		for l, c := range by {
			share[l] += c / n
			same += c * (c - 1)
		}
		if n > 1 {
			paired++
			agreed += same / (n * (n - 1))
		}
	}
	if paired == 0 {
		return missing(noPair)
	}
	chance, used := 0.0, 0
	for _, s := range share {
		p := s / rated
		chance += p * (1 - p)
		if s > 0 {
			used++
		}
	}
	if used == 1 {
		return missing(noVariation)
	}
	chance /= float64(r.Levels - 1)
	return known((agreed/paired - chance) / (1 - chance))
}
