package stats

import "math"

// z975 is the 97.5 % point of the normal distribution.
const z975 = 1.959963984540054

// An Interval is a 95 % interval and how it was made.
type Interval struct {
	Low, High float64
	Method    Method
	Variance  float64 // of the bootstrap; 0 where there was none
}

// Method says how an interval was made.
type Method string

// The methods of measurement.md, 47.
const (
	FewClusters Method = "t on clustered standard error, few clusters" // 10 to 19 clusters; on the logit scale for proportions
	AtBound     Method = "Wilson at effective n"                       // a proportion of exactly 0 or 1
	Percentile  Method = "cluster bootstrap, percentile"
)

// fewest clusters for any interval, and for a bootstrap.
const (
	fewest    = 10
	forSample = 20
)

// Wilson is the score interval of x successes in n, which need not be whole numbers.
func Wilson(x, n float64) (low, high float64) {
	z2 := z975 * z975
	p, d := x/n, 1+z2/n
	centre := (p + z2/(2*n)) / d
	half := z975 * math.Sqrt(p*(1-p)/n+z2/(4*n*n)) / d
	return centre - half, centre + half
}

// MeanInterval gives the interval of a mean of clustered rows (measurement.md, 43-47); proportion says that rows are 0 or 1. Not ok under 10
// clusters.
func MeanInterval(clusters [][]float64, proportion bool, resamples int, seed uint64) (Interval, bool) {
	g := len(clusters)
	if g < fewest {
		return Interval{}, false
	}
	n, sum, _ := size(clusters)
	mean := sum / n
	if proportion && (mean == 0 || mean == 1) {
		effective := float64(g)
		if deff, ok := DEFF(clusters); ok {
			effective = n / deff
		}
		low, high := Wilson(mean*effective, effective)
		return Interval{max(0, low), min(1, high), AtBound, 0}, true
	}
	if g >= forSample {
		sums := make([][]float64, g)
		for i, c := range clusters {
			sums[i] = []float64{total(c), float64(len(c))}
		}
		low, high, variance, ok := Bootstrap(sums, ratio, resamples, seed)
		return Interval{low, high, Percentile, variance}, ok
	}
	se, _ := SE(clusters)
	return around(mean, se, g, proportion), true
}

// around is the interval for few clusters: t with g-1 degrees of freedom, on the logit scale where value is a proportion inside (0, 1).
func around(value, se float64, g int, proportion bool) Interval {
	t := StudentT975(g - 1)
	if !proportion {
		return Interval{value - t*se, value + t*se, FewClusters, 0}
	}
	slope := value * (1 - value)
	logit := math.Log(value / (1 - value))
	back := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	return Interval{back(logit - t*se/slope), back(logit + t*se/slope), FewClusters, 0}
}

// ratio is a mean from its sums: the numerator and how many rows there were.
func ratio(s []float64) (float64, bool) {
	if s[1] == 0 {
		return 0, false
	}
	return s[0] / s[1], true
}

// StatisticInterval gives the interval of any statistic of sums, by the rules of MeanInterval; with 10 to 19 clusters the standard error is that
// of the bootstrap. Not ok under 10 clusters, or where too many resamples allow no value.
func StatisticInterval(clusters [][]float64, f Statistic, resamples int, seed uint64) (Interval, bool) {
	g := len(clusters)
	value, ok := f(sumOf(clusters))
	if !ok || g < fewest {
		return Interval{}, false
	}
	low, high, variance, ok := Bootstrap(clusters, f, resamples, seed)
	if !ok {
		return Interval{}, false
	}
	if g < forSample {
		i := around(value, math.Sqrt(variance), g, false)
		i.Variance = variance
		return i, true
	}
	return Interval{low, high, Percentile, variance}, true
}

func sumOf(clusters [][]float64) []float64 {
	var out []float64
	for i, c := range clusters {
		if i == 0 {
			out = make([]float64, len(c))
		}
		for j, y := range c {
			out[j] += y
		}
	}
	return out
}

// StudentT975 is the 97.5 % point of Student's t with df ≥ 1 degrees of freedom.
func StudentT975(df int) float64 {
	low, high := 0.0, 13.0 // 12.706 with one degree of freedom
	for range 200 {
		mid := (low + high) / 2
		if twoSided(mid, df) < .95 {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

// twoSided is P(|T| < t) in closed form (Abramowitz and Stegun 26.7.3 and 26.7.4).
func twoSided(t float64, df int) float64 {
	theta := math.Atan(t / math.Sqrt(float64(df)))
	sin, cos := math.Sin(theta), math.Cos(theta)
	if df%2 == 0 {
		term, sum := 1.0, 1.0
		for k := 2; k <= df-2; k += 2 {
			term *= float64(k-1) / float64(k) * cos * cos
			sum += term
		}
		return sin * sum
	}
	sum := 0.0
	if df > 1 {
		term := cos
		sum = term
		for k := 3; k <= df-2; k += 2 {
			term *= float64(k-1) / float64(k) * cos * cos
			sum += term
		}
	}
	return 2 / math.Pi * (theta + sin*sum)
}
