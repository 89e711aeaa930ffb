package stats

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// A Statistic is a number computed from the sums over all clusters of whatever each cluster adds; not ok where those allow none. It is
// called from several goroutines at once.
type Statistic func(sums []float64) (value float64, ok bool)

// block is how many resamples share one stream of random numbers: the streams, and so the numbers, are the same on any number of cores.
const block = 50

// Bootstrap resamples clusters with replacement (measurement.md, 43; Davison and Hinkley, Bootstrap Methods and their Application, 1997, 3.8):
// each is given by what it adds to the sums that f is computed from. It gives the 2.5 % and 97.5 % points and the variance of f over the
// resamples. The same seed gives the same numbers, whatever the order of the clusters. Not ok where more than one resample in ten allows no
// value.
func Bootstrap(clusters [][]float64, f Statistic, resamples int, seed uint64) (low, high, variance float64, ok bool) {
	if len(clusters) == 0 || resamples < 1 {
		return 0, 0, 0, false
	}
	values := resampled(kindsOf(clusters), f, resamples, seed)
	if len(values) < 2 || len(values)*10 < resamples*9 {
		return 0, 0, 0, false
	}
	mean := total(values) / float64(len(values))
	for _, v := range values {
		variance += (v - mean) * (v - mean)
	}
	variance /= float64(len(values) - 1)
	slices.Sort(values)
	return quantile(values, .025), quantile(values, .975), variance, true
}

// kinds are clusters sorted by what they add: equal ones are one kind with a count. Which of equal clusters are drawn makes no difference, so
// that how often each kind is drawn, a multinomial number, is all that a resample needs.
type kinds struct {
	width  int
	values []float64 // width of each kind, one after the other
	counts []int
	all    int   // clusters
	of     []int // the kind of each cluster
}

func kindsOf(clusters [][]float64) kinds {
	type kind struct {
		values []float64
		n      int
	}
	at := map[string]int{}
	var found []kind
	var key []byte
	for _, c := range clusters {
		key = key[:0]
		for _, y := range c {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(y+0)) // -0 is 0
		}
		i, known := at[string(key)]
		if !known {
			i = len(found)
			at[string(key)] = i
			found = append(found, kind{c, 0})
		}
		found[i].n++
	}
	slices.SortFunc(found, func(a, b kind) int { return slices.Compare(a.values, b.values) })
	k := kinds{width: len(clusters[0]), all: len(clusters)}
	for i, f := range found {
		k.values, k.counts = append(k.values, f.values...), append(k.counts, f.n)
		for range f.n {
			k.of = append(k.of, i)
		}
	}
	return k
}

// resampled computes f of each resample, leaving out those that allow no value.
func resampled(k kinds, f Statistic, resamples int, seed uint64) []float64 {
	blocks := (resamples + block - 1) / block
	by := make([][]float64, blocks)
	next := make(chan int, blocks)
	for b := range blocks {
		next <- b
	}
	close(next)
	var wait sync.WaitGroup
	for range min(blocks, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			sums := make([]float64, k.width)
			for b := range next {
				random := rand.New(rand.NewPCG(seed, 0x9E3779B97F4A7C15^uint64(b)))
				for range min(block, resamples-b*block) {
					k.draw(random, sums)
					if v, ok := f(sums); ok {
						by[b] = append(by[b], v)
					}
				}
			}
		})
	}
	wait.Wait()
	return slices.Concat(by...)
}

// worth is how many plain draws a binomial number costs.
const worth = 12

// draw puts the sums of one resample into sums.
func (k kinds) draw(random *rand.Rand, sums []float64) {
	clear(sums)
	if len(k.counts)*worth < k.all {
		left, of := k.all, k.all
		for i, n := range k.counts {
			drawn := left
			if n < of {
				drawn = binomial(random, left, float64(n)/float64(of))
			}
			for j := range sums {
				sums[j] += float64(drawn) * k.values[i*k.width+j]
			}
			left, of = left-drawn, of-n
		}
		return
	}
	n := uint64(k.all)
	for i := 0; i < k.all; i += 2 { // two draws of 32 bits from each number; the bias is below n/2^32
		x := random.Uint64()
		k.add(sums, int((x>>32)*n>>32))
		if i+1 < k.all {
			k.add(sums, int((x&math.MaxUint32)*n>>32))
		}
	}
}

// add takes the cluster at a place into the sums.
func (k kinds) add(sums []float64, cluster int) {
	from := k.of[cluster] * k.width
	for j, y := range k.values[from : from+len(sums)] {
		sums[j] += y
	}
}

// binomial draws how many of n tries succeed with chance p: by inversion where few do, else by transformed rejection (Hörmann, J. Stat. Comput.
// Simul. 46:101, 1993, algorithm BTRS).
func binomial(random *rand.Rand, n int, p float64) int {
	if p > .5 {
		return n - binomial(random, n, 1-p)
	}
	if n == 0 || p == 0 {
		return 0
	}
	q := 1 - p
	if float64(n)*p < 10 {
		// geometric gaps between successes
		k, at, ln := -1, 0, math.Log(q)
		for at <= n {
			k++
			at += int(math.Floor(math.Log(1-random.Float64())/ln)) + 1
		}
		return k
	}
	spq := math.Sqrt(float64(n) * p * q)
	b := 1.15 + 2.53*spq
	a := -.0873 + .0248*b + .01*p
	c, vr, alpha := float64(n)*p+.5, .92-4.2/b, (2.83+5.1/b)*spq
	m := math.Floor(float64(n+1) * p)
	ln := func(x float64) float64 { v, _ := math.Lgamma(x + 1); return v }
	h := ln(m) + ln(float64(n)-m)
	for {
		u, v := random.Float64()-.5, random.Float64()
		us := .5 - math.Abs(u)
		k := math.Floor((2*a/us+b)*u + c)
		if us >= .07 && v <= vr {
			return int(k)
		}
		if k < 0 || k > float64(n) {
			continue
		}
		if math.Log(v*alpha/(a/(us*us)+b)) <= h-ln(k)-ln(float64(n)-k)+(k-m)*math.Log(p/q) {
			return int(k)
		}
	}
}

// quantile interpolates linearly between order statistics (Hyndman and Fan's type 7).
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
