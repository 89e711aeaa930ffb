package report

import "slices"

// agreementTable is one table of agreement on the page.
type agreementTable struct {
	Title string
	Rows  []agreementLine
	Note  string
}

// agreementLine is one row of it in words.
type agreementLine struct {
	What, Under, Headline, Interval, Kappas string
	Of                                      Agreement
}

// agreementTables sorts the rows for the page: everything over all stages, support at each stage, and each reader with themself, what can be
// estimated first; nothing where nobody read. report.json has every row.
func agreementTables(rows []Agreement) []agreementTable {
	tables := []agreementTable{{Title: "Between readers, over all stages"}, {Title: "Support, stage by stage"}, {Title: "A reader with themself, on repeated reads"}}
	read := false
	for _, a := range rows {
		if a.Ratings == 0 {
			continue
		}
		read = true
		line := agreementLine{What: a.Dimension, Headline: headline(a), Interval: agreementInterval(a), Kappas: kappas(a), Of: a}
		if a.LeftOut > 0 {
			line.Under = plural(a.LeftOut, "answer") + " left out"
		}
		switch {
		case a.Reader != "":
			line.What = a.Reader + ": " + a.Dimension
			tables[2].Rows = append(tables[2].Rows, line)
		case a.K == 0:
			if a.TwoWay != nil {
				tables[0].Note = twoWayText(*a.TwoWay)
			}
			tables[0].Rows = append(tables[0].Rows, line)
		case a.Dimension == "support":
			line.What = stageName(a.K, a.Stage)
			tables[1].Rows = append(tables[1].Rows, line)
		}
	}
	for _, t := range tables {
		slices.SortStableFunc(t.Rows, func(a, b agreementLine) int { return int(bit(b.Of.Estimable) - bit(a.Of.Estimable)) })
	}
	if !read {
		return nil
	}
	return tables
}

// headline writes alpha or IoU, or that there is none.
func headline(a Agreement) string {
	switch {
	case a.Alpha != nil:
		return "alpha " + digits(*a.Alpha, 2) + " (" + a.Scale + ")"
	case a.IoU != nil:
		return "IoU " + digits(*a.IoU, 2)
	}
	return "not estimable"
}

// agreementInterval writes the interval of the headline, or why there is none.
func agreementInterval(a Agreement) string {
	if len(a.Interval) != 2 {
		return a.Reason
	}
	return Interval(Number{Interval: a.Interval, Method: a.Method})
}

// kappas writes Cohen's kappa and, where the levels have an order, the quadratic one.
func kappas(a Agreement) string {
	if a.KappaQuadratic == nil {
		return few(a.Kappa)
	}
	return few(a.Kappa) + " · " + few(a.KappaQuadratic)
}

// twoWayText writes what holds beyond these readers.
func twoWayText(t TwoWay) string {
	if t.ICC == nil {
		return "Readers and cases as random: ICC(2,1) not estimable: " + t.Reason + "."
	}
	return "Readers and cases as random, of support 0 to 3, " + plural(t.Readers, "reader") + " × " + plural(t.Clusters, "cluster") + ": mean " + few(t.Mean) +
		" (SE " + few(t.SE) + "), ICC(2,1) " + few(t.ICC) + ", variance of readers " + few(t.VarReader) + ", of cases " + few(t.VarCase) + ", of error " + few(t.VarError) + "."
}

// few writes a number that may be missing.
func few(v *float64) string {
	if v == nil {
		return "–"
	}
	return digits(*v, 2)
}
