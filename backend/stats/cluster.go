package stats

import "math"

// ICC is the one-way random-effects intraclass correlation ICC(1) by ANOVA, for clusters of unequal size (measurement.md, 45). Not ok where
// there are fewer than two clusters, no cluster with two rows, or no variance.
func ICC(clusters [][]float64) (rho float64, ok bool) {
	n, sum, squares := size(clusters)
	g := float64(len(clusters))
	if g < 2 || n == g {
		return 0, false
	}
	mean := sum / n
	var between, within float64
	for _, c := range clusters {
		m := total(c) / float64(len(c))
		between += float64(len(c)) * (m - mean) * (m - mean)
		for _, y := range c {
			within += (y - m) * (y - m)
		}
	}
	msb, msw, m0 := between/(g-1), within/(n-g), (n-squares/n)/(g-1)
	if msb+(m0-1)*msw == 0 {
		return 0, false
	}
	return (msb - msw) / (msb + (m0-1)*msw), true
}

// DEFF is Kish's design effect from ICC(1), a negative one counting as 0 (measurement.md, 46): 1 when every cluster is single. Not ok without
// variance.
func DEFF(clusters [][]float64) (deff float64, ok bool) {
	n, _, squares := size(clusters)
	if n == float64(len(clusters)) {
		return 1, n > 0
	}
	rho, ok := ICC(clusters)
	if !ok {
		return 0, false
	}
	return 1 + (squares/n-1)*max(0, rho), true
}

// Mean is the mean over all rows.
func Mean(clusters [][]float64) float64 {
	n, sum, _ := size(clusters)
	return sum / n
}

// SE is the linearised standard error of the mean with clusters (measurement.md, 44). Not ok with fewer than two clusters.
func SE(clusters [][]float64) (se float64, ok bool) {
	n, sum, _ := size(clusters)
	g, mean := float64(len(clusters)), sum/n
	if g < 2 {
		return 0, false
	}
	var ss float64
	for _, c := range clusters {
		d := total(c) - mean*float64(len(c))
		ss += d * d
	}
	return math.Sqrt(g/(g-1)*ss) / n, true
}

// NaiveSE is the standard error of the mean as if rows were independent; it holds for differences too.
func NaiveSE(clusters [][]float64) float64 {
	n, sum, _ := size(clusters)
	var ss float64
	for _, c := range clusters {
		for _, y := range c {
			ss += (y - sum/n) * (y - sum/n)
		}
	}
	return math.Sqrt(ss) / n
}

// size gives the rows, their sum, and the sum of the squared cluster sizes.
func size(clusters [][]float64) (n, sum, squares float64) {
	for _, c := range clusters {
		m := float64(len(c))
		n += m
		squares += m * m
		sum += total(c)
	}
	return n, sum, squares
}

func total(c []float64) (sum float64) {
	for _, y := range c {
		sum += y
	}
	return sum
}
