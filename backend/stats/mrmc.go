package stats

import "math"

// MRMC is the analysis of readers × cases, fully crossed (measurement.md, 50): what generalises to other readers and other cases.
type MRMC struct {
	Mean      Estimate `json:"mean"`
	VarReader Estimate `json:"var_reader"` // floored at 0
	VarCase   Estimate `json:"var_case"`   // floored at 0
	VarError  Estimate `json:"var_error"`
	SE        Estimate `json:"se"`  // of the mean, readers and cases random
	ICC       Estimate `json:"icc"` // ICC(2,1): absolute agreement of single readers
}

// TwoWay is the two-way random-effects ANOVA without replication of scores[reader][case] and ICC(2,1) (Shrout and Fleiss, Psychol. Bull.
// 86:420, 1979). Rows are of the same length.
func TwoWay(scores [][]float64) MRMC {
	r := float64(len(scores))
	if r == 0 || len(scores[0]) == 0 {
		return noMRMC(missing("no score"), missing("no score"))
	}
	c := float64(len(scores[0]))
	sum := 0.0
	byCase := make([]float64, len(scores[0]))
	for _, row := range scores {
		sum += total(row)
		for i, y := range row {
			byCase[i] += y / r
		}
	}
	mean := sum / (r * c)
	if r < 2 || c < 2 {
		return noMRMC(known(mean), missing("two readers and two cases needed, there are %.0f and %.0f", r, c))
	}
	if constant(scores) {
		out := noMRMC(known(mean), known(0))
		out.ICC = missing("no variation: every score is the same")
		return out
	}
	var readers, cases, rest float64
	for _, m := range byCase {
		cases += (m - mean) * (m - mean)
	}
	for _, row := range scores {
		m := total(row) / c
		readers += (m - mean) * (m - mean)
		for i, y := range row {
			d := y - m - byCase[i] + mean
			rest += d * d
		}
	}
	msr, msc, mse := c*readers/(r-1), r*cases/(c-1), rest/((r-1)*(c-1))
	varR, varC := max(0, (msr-mse)/c), max(0, (msc-mse)/r)
	out := MRMC{
		Mean: known(mean), VarReader: known(varR), VarCase: known(varC), VarError: known(mse),
		SE: known(math.Sqrt(varR/r + varC/c + mse/(r*c))), ICC: missing("neither readers nor cases differ beyond error"),
	}
	// d is never negative for two or more readers and cases; what rounding leaves of a zero is none.
	if d := msc + (r-1)*mse + r*(msr-mse)/c; d > 1e-12*(msr+msc+mse) {
		out.ICC = known((msc - mse) / d)
	}
	return out
}

// noMRMC is a result with the same for everything but the mean.
func noMRMC(mean, rest Estimate) MRMC {
	return MRMC{Mean: mean, VarReader: rest, VarCase: rest, VarError: rest, SE: rest, ICC: rest}
}

// constant tells whether every score is the same, to the last bit: rounding must not look like variation.
func constant(scores [][]float64) bool {
	for _, row := range scores {
		for _, y := range row {
			if y != scores[0][0] {
				return false
			}
		}
	}
	return true
}
