package stats

import "math"

// McNemar is the exact two-sided test of paired yes/no answers: b and c count the pairs that changed, one way and the other (measurement.md,
// 48; McNemar, Psychometrika 12:153, 1947). Without any such pair p is 1. It holds only with one row per patient.
func McNemar(b, c int) (p float64) {
	n, k := b+c, min(b, c)
	if n == 0 {
		return 1
	}
	ln := func(m int) float64 { v, _ := math.Lgamma(float64(m) + 1); return v }
	term := math.Exp(ln(n) - ln(k) - ln(n-k) - float64(n)*math.Ln2) // P(X = k) of a fair coin
	sum := 0.0
	for i := k; i >= 0 && term > 0; i-- {
		sum += term
		term *= float64(i) / float64(n-i+1)
	}
	return min(1, 2*sum)
}
