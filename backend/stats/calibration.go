package stats

import "math"

const noAnswer = "no answer"

// Brier is the mean squared difference between a confidence, 0 to 1, and whether the answer was right, 0 or 1 (measurement.md, 40; Brier,
// Mon. Weather Rev. 78:1, 1950).
func Brier(confidence, correct []float64) Estimate {
	if len(confidence) == 0 {
		return missing(noAnswer)
	}
	sum := 0.0
	for i, p := range confidence {
		sum += (p - correct[i]) * (p - correct[i])
	}
	return known(sum / float64(len(confidence)))
}

// bins of ECE.
const bins = 10

// ECE is the expected calibration error over 10 bins of equal width, closed on the right; 0 falls into the first (measurement.md, 40; Naeini
// et al., AAAI 2015).
func ECE(confidence, correct []float64) Estimate {
	if len(confidence) == 0 {
		return missing(noAnswer)
	}
	var gap [bins]float64
	for i, p := range confidence {
		b := min(bins-1, max(0, int(math.Ceil(p*bins))-1))
		gap[b] += correct[i] - p
	}
	sum := 0.0
	for _, g := range gap {
		sum += math.Abs(g)
	}
	return known(sum / float64(len(confidence)))
}
