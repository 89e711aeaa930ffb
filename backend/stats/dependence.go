package stats

// Dependence says how far the rows of clusters hang together (measurement.md, 44 to 46).
type Dependence struct {
	Mean          Estimate `json:"mean"`
	ICC           Estimate `json:"icc"`
	DEFF          Estimate `json:"deff"`
	NEff          Estimate `json:"n_eff"`
	SE            Estimate `json:"se"`
	SENaive       Estimate `json:"se_naive"`
	DEFFEmpirical Estimate `json:"deff_empirical"`
}

// Describe computes all that is said of clusters; none of them is empty.
func Describe(clusters [][]float64) Dependence {
	n, _, _ := size(clusters)
	if n == 0 {
		none := missing("no row")
		return Dependence{none, none, none, none, none, none, none}
	}
	flat := missing("no variance, or no cluster with two rows")
	d := Dependence{Mean: known(Mean(clusters)), SENaive: known(NaiveSE(clusters)), ICC: flat, DEFF: flat, NEff: flat}
	if rho, ok := ICC(clusters); ok {
		d.ICC = known(rho)
	}
	if deff, ok := DEFF(clusters); ok {
		d.DEFF, d.NEff = known(deff), known(n/deff)
	}
	d.SE = missing("two clusters needed")
	d.DEFFEmpirical = d.SE
	if se, ok := SE(clusters); ok {
		d.SE, d.DEFFEmpirical = known(se), missing("no variance")
		if d.SENaive.Value > 0 {
			ratio := se / d.SENaive.Value
			d.DEFFEmpirical = known(ratio * ratio)
		}
	}
	return d
}
