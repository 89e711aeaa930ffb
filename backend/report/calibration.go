package report

import (
	"math"

	"plumbline/backend/stats"
)

const (
	bins       = 10     // of ECE
	grid       = 51     // confidences are rounded to .02 for the interval of a rank statistic
	mostRanked = 20_000 // rows for which such an interval is computed; above, by the influence of each
)

// sure is one answer with its confidence.
type sure struct {
	of         *subject
	confidence float64
	right      bool
}

// calibration computes 40 over the answers with option probabilities and gold.
func (s *set) calibration() Calibration {
	out := Calibration{Bins: []Bin{}, Curve: []RiskPoint{}}
	var list, uncertain []sure
	var brier, deferred rows
	s.asked(func(at int, it *item) {
		said := s.base.said[at]
		deferred.add(it.of, bit(said == abstained || said == declined))
		if it.gold == absent {
			return
		}
		right := s.right(at, said)
		if s.base.entropies != nil && !math.IsNaN(s.base.entropies[at]) {
			uncertain = append(uncertain, sure{it.of, s.base.entropies[at], !right})
		}
		if p, ok := s.probability(s.base, at, said); ok {
			list = append(list, sure{it.of, min(1, p), right})
			brier.add(it.of, (p-bit(right))*(p-bit(right)))
		}
	})
	none := "no answer with option probabilities and a known right answer"
	if s.base == nil {
		none = noBase
	}
	if out.Estimable = len(list) > 0; !out.Estimable {
		out.Reason = none
	}
	c := s.counter
	out.Brier, out.ECE, out.Defer = c.change(brier, none), c.ece(list, none), c.share(deferred, none)
	confidence, right := make([]float64, len(list)), make([]bool, len(list))
	for i, x := range list {
		confidence[i], right[i] = x.confidence, x.right
	}
	curve, area := stats.RiskCoverage(confidence, right)
	for _, p := range thinned(curve) {
		out.Curve = append(out.Curve, RiskPoint(p))
	}
	out.AURC = c.ranked(list, ranking{area, riskArea, stats.RiskInfluence}, none)
	byRank := func(value stats.Estimate) ranking { return ranking{value, stats.AUROCOfCounts, stats.AUROCInfluence} }
	out.AUROC = c.ranked(list, byRank(stats.AUROC(confidence, right)), none)
	scores, wrong := make([]float64, len(uncertain)), make([]bool, len(uncertain))
	for i, x := range uncertain {
		scores[i], wrong[i] = x.confidence, x.right
	}
	out.Trigger = c.ranked(uncertain, byRank(stats.AUROC(scores, wrong)), "no answer with an entropy over its options")
	out.Bins = binsOf(list)
	s.expert(&out)
	return out
}

// thinned keeps a curve short enough to be drawn.
func thinned(curve []stats.RiskPoint) []stats.RiskPoint {
	const most = 200
	if len(curve) <= most {
		return curve
	}
	var out []stats.RiskPoint
	for i := range most {
		out = append(out, curve[i*(len(curve)-1)/(most-1)])
	}
	return out
}

// ece is a statistic of the sums of each bin.
func (c counter) ece(list []sure, none string) Number {
	var all rows
	for _, x := range list {
		y := make([]float64, bins+1)
		y[binOf(x.confidence)], y[bins] = bit(x.right)-x.confidence, 1
		all.add(x.of, y...)
	}
	return c.statistic(all, func(s []float64) (float64, bool) {
		sum := 0.0
		for _, gap := range s[:bins] {
			sum += math.Abs(gap)
		}
		return sum / s[bins], s[bins] > 0
	}, none)
}

func binOf(p float64) int { return min(bins-1, max(0, int(math.Ceil(p*bins))-1)) }

// binsOf gives what a reliability diagram shows.
func binsOf(list []sure) []Bin {
	out := make([]Bin, bins)
	confidence, right := [bins]float64{}, [bins]float64{}
	for _, x := range list {
		b := binOf(x.confidence)
		out[b].N++
		confidence[b] += x.confidence
		right[b] += bit(x.right)
	}
	for i := range out {
		out[i].Low, out[i].High = float64(i)/bins, float64(i+1)/bins
		if n := float64(out[i].N); n > 0 {
			c, a := confidence[i]/n, right[i]/n
			out[i].Confidence, out[i].Accuracy = &c, &a
		}
	}
	return out
}

// ranking is a rank statistic: its exact value, the same of counts on the grid, and how far each answer moves it.
type ranking struct {
	exact     stats.Estimate
	ofCounts  stats.Statistic
	influence func(score []float64, is []bool) []float64
}

// ranked gives a rank statistic: its exact value, with the interval of the same statistic of scores on a grid, or, of very many answers, of the
// mean of their influence.
func (c counter) ranked(list []sure, r ranking, none string) Number {
	var all rows
	switch {
	case len(list) == 0:
		return Number{Reason: none}
	case !r.exact.Estimable:
		for _, x := range list {
			all.add(x.of, 0)
		}
		n, _ := c.spread(all)
		n.Reason = r.exact.Reason
		return n
	case len(list) > mostRanked:
		score, is := make([]float64, len(list)), make([]bool, len(list))
		for i, x := range list {
			score[i], is[i] = x.confidence, x.right
		}
		for i, moves := range r.influence(score, is) {
			all.add(list[i].of, r.exact.Value+moves)
		}
		return c.change(all, none)
	}
	for _, x := range list {
		y := make([]float64, 2*grid)
		y[2*min(grid-1, max(0, int(math.Round(x.confidence*(grid-1)))))+int(bit(!x.right))] = 1
		all.add(x.of, y...)
	}
	n := c.statistic(all, r.ofCounts, none)
	n.Value, n.Estimable = r.exact.Pointer(), true
	return n
}

// riskArea is the AURC of counts on the grid, to the size of a level.
func riskArea(s []float64) (float64, bool) {
	n, wrong, sum := 0.0, 0.0, 0.0
	for i := len(s) - 2; i >= 0; i -= 2 {
		here, bad := s[i]+s[i+1], s[i+1]
		if here == 0 {
			continue
		}
		// the mean risk while the level is taken in: at its first and last answer, halfway
		first, last := (wrong+bad/here)/(n+1), (wrong+bad)/(n+here)
		sum += here * (first + last) / 2
		n, wrong = n+here, wrong+bad
	}
	return sum / n, n > 0
}

// expert computes what becomes of answers after an expert's corrections (40).
func (s *set) expert(out *Calibration) {
	var gain, harm rows
	s.asked(func(at int, it *item) {
		after, _ := s.first("expert", at)
		if after == absent || it.gold == absent {
			return
		}
		before := s.right(at, s.base.said[at])
		gain.add(it.of, bit(s.right(at, after))-bit(before))
		if before {
			harm.add(it.of, bit(!s.right(at, after)))
		}
	})
	none := s.missing("expert")
	out.Gain, out.Harm = s.counter.change(gain, none), s.counter.share(harm, none)
}
