package stats

import (
	"cmp"
	"slices"
)

// AUROC is the chance that a positive scores above a negative, ties half (measurement.md, 40; Hanley and McNeil, Radiology 143:29, 1982).
func AUROC(score []float64, positive []bool) Estimate {
	ups, downs := 0.0, 0.0
	order := byScore(score, false)
	sum := 0.0
	for i := 0; i < len(order); {
		j, up, down := i, 0.0, 0.0
		for ; j < len(order) && score[order[j]] == score[order[i]]; j++ {
			if positive[order[j]] {
				up++
			} else {
				down++
			}
		}
		sum += up * (downs + down/2)
		ups, downs = ups+up, downs+down
		i = j
	}
	if ups == 0 || downs == 0 {
		return missing("one class: right and wrong needed")
	}
	return known(sum / (ups * downs))
}

// AUROCOfCounts is the AUROC of counts of positives and negatives at each level of a score, from the lowest level: positives, negatives,
// positives, negatives … It is a Statistic, for the interval of scores on a grid.
func AUROCOfCounts(counts []float64) (float64, bool) {
	up, down, sum := 0.0, 0.0, 0.0
	for i := 0; i < len(counts); i += 2 {
		sum += counts[i] * (down + counts[i+1]/2)
		up, down = up+counts[i], down+counts[i+1]
	}
	if up == 0 || down == 0 {
		return 0, false
	}
	return sum / (up * down), true
}

// A RiskPoint is the share of wrong answers among the most confident part of all.
type RiskPoint struct {
	Coverage float64 `json:"coverage"` // 0 to 1
	Risk     float64 `json:"risk"`     // 0 to 1
}

// RiskCoverage is the curve of risk over coverage, the most confident answers first, and its area: the mean risk over all coverages 1/n … 1
// (measurement.md, 40; Geifman and El-Yaniv, NeurIPS 2017). Among equal confidences errors are spread evenly, so that no order of the
// input matters; the curve has a point after each.
func RiskCoverage(confidence []float64, correct []bool) (curve []RiskPoint, area Estimate) {
	n := float64(len(confidence))
	if n == 0 {
		return []RiskPoint{}, missing(noAnswer)
	}
	curve = []RiskPoint{}
	order := byScore(confidence, true)
	wrong, sum := 0.0, 0.0
	for i := 0; i < len(order); {
		j, here := i, 0.0
		for ; j < len(order) && confidence[order[j]] == confidence[order[i]]; j++ {
			if !correct[order[j]] {
				here++
			}
		}
		for k := i; k < j; k++ {
			sum += (wrong + here*float64(k-i+1)/float64(j-i)) / float64(k+1)
		}
		wrong += here
		curve = append(curve, RiskPoint{float64(j) / n, wrong / float64(j)})
		i = j
	}
	return curve, known(sum / n)
}

func byScore(score []float64, descending bool) []int {
	order := make([]int, len(score))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if descending {
			a, b = b, a
		}
		return cmp.Compare(score[a], score[b])
	})
	return order
}
