package report

import (
	"cmp"
	"fmt"
)

// agreementTable is one table of agreement on the page.
type agreementTable struct {
	Title   string
	Sheet   *sheet
	Missing []absence // what is not estimable
	Note    string
}

// add takes a row, or, where there is no headline, the reason.
func (t *agreementTable) add(a Agreement, what string) {
	under := ""
	if a.LeftOut > 0 {
		under = plural(a.LeftOut, "answer") + " left out"
	}
	if !a.Estimable {
		if under != "" {
			what += " (" + under + ")"
		}
		t.Missing = gather(t.Missing, what, a.Reason)
		return
	}
	value := sheetCell{Value: headline(a)}
	if len(a.Interval) == 2 {
		value.Interval = Interval(Number{Interval: a.Interval, Method: a.Method})
	} else {
		value.Mark = t.Sheet.note(a.Reason)
	}
	t.Sheet.row(what, under, words(fmt.Sprintf("%d of %d", a.Pairable, a.Items)), counting(a.Readers), words(few(a.Percent)), value, words(kappas(a)), words(few(a.Fleiss)), words(few(a.AC1)))
}

// agreementTables sorts the rows for the page: everything over all stages, support at each stage, and each reader with themself; nothing where
// nobody read. report.json has every row.
func agreementTables(rows []Agreement) []agreementTable {
	var tables []agreementTable
	for _, title := range []string{"Between readers, over all stages", "Support, stage by stage", "A reader with themself, on repeated reads"} {
		tables = append(tables, agreementTable{Title: title, Sheet: &sheet{Label: title, Head: "What",
			Heads: []string{"Items read twice or more", "Readers", "Same", "Headline", "Kappa", "Fleiss", "AC1"}}})
	}
	read := false
	for _, a := range rows {
		if a.Ratings == 0 {
			continue
		}
		read = true
		switch {
		case a.Reader != "":
			tables[2].add(a, a.Reader+": "+a.Dimension)
		case a.K == 0:
			if a.TwoWay != nil {
				tables[0].Note = twoWayText(*a.TwoWay)
			}
			tables[0].add(a, a.Dimension)
		case a.Dimension == "support":
			tables[1].add(a, stageName(a.K, a.Stage))
		}
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

// overturnTable gives how often what was said first is not the final value.
func overturnTable(rows []Overturn) *sheet {
	g := &sheet{Label: "Overturned by adjudication", Head: "What · of whom", Heads: []string{"Items decided", "Overturned", "Rate", "Without a majority"}}
	for _, o := range rows {
		rate := sheetCell{Value: few(o.Rate), Mark: g.note(o.Reason)}
		if len(o.Interval) == 2 {
			rate.Interval = Interval(Number{Interval: o.Interval, Method: o.Method})
		}
		g.row(o.Dimension, cmp.Or(o.Reader, "majority of the first reads"), counting(o.Items), counting(o.Overturned), rate, counting(o.NoMajority))
	}
	return g
}
