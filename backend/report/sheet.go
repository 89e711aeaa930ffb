package report

import (
	"fmt"
	"slices"
)

// A sheet is a table of numbers on the page. Why a number or its interval is none stands once below the table, under a letter, so that rows
// stay short and a table fits on paper.
type sheet struct {
	Label string // what the table holds, for those who hear the page
	Head  string // over the names of rows
	Heads []string
	Rows  []sheetRow
	Notes []sheetNote
	full  bool // numbers say all that they stand on
	tight bool // many columns: numbers say rows and clusters alone
}

// sheetRow is one row with its name.
type sheetRow struct {
	Name, Under string
	Cells       []sheetCell
}

// sheetCell is one entry: a value with what is beside and below it. Mark is the letter of a note.
type sheetCell struct{ Value, Interval, Mark, From string }

// sheetNote says once what a letter in the table means.
type sheetNote struct{ Mark, Text string }

// Long tells a table that may be broken between pages from one that may not.
func (g *sheet) Long() bool { return g.full || len(g.Rows) > 12 }

// Tight says that numbers stand with rows and clusters alone.
func (g *sheet) Tight() bool { return g.tight }

// row adds a row.
func (g *sheet) row(name, under string, cells ...sheetCell) {
	g.Rows = append(g.Rows, sheetRow{name, under, cells})
}

// note gives the letter of a text.
func (g *sheet) note(text string) string {
	if text == "" {
		return ""
	}
	i := slices.IndexFunc(g.Notes, func(n sheetNote) bool { return n.Text == text })
	if i < 0 {
		i = len(g.Notes)
		mark := letterOf(i)
		if i >= 26 {
			mark = letterOf(i/26-1) + letterOf(i)
		}
		g.Notes = append(g.Notes, sheetNote{mark, text})
	}
	return g.Notes[i].Mark
}

// number is a cell of a number.
func (g *sheet) number(n Number) sheetCell {
	c := sheetCell{Value: "–", From: base(n)}
	if n.N == 0 {
		c.From = ""
	}
	if n.Value == nil {
		c.Mark = g.note("not estimable: " + n.Reason)
	} else {
		c.Value = digits(*n.Value, 2)
		switch {
		case len(n.Interval) == 2:
			c.Interval = digits(n.Interval[0], 2) + " – " + digits(n.Interval[1], 2)
			if few := fewClusters(n); few != "" {
				c.Mark = g.note(few)
			}
		default:
			c.Mark = g.note(n.Reason)
		}
	}
	switch {
	case g.full || c.From == "":
	case g.tight:
		c.From = fmt.Sprintf("n %d/%d", n.N, n.Clusters)
	default:
		c.From = briefBase(n)
	}
	return c
}

// fewClusters says where an interval stands on few.
func fewClusters(n Number) string {
	if n.Clusters >= 10 && n.Clusters < 20 {
		return "few clusters: 10 to 19"
	}
	return ""
}

// briefBase is what a number stands on, in short; the whole is in the table of every number and in report.json.
func briefBase(n Number) string {
	s := fmt.Sprintf("n %d · %s", n.N, plural(n.Clusters, "cluster"))
	if n.NEff != nil {
		s += " · n eff " + digits(*n.NEff, 1)
	}
	return s
}

// words is a cell of a text.
func words(s string) sheetCell { return sheetCell{Value: s} }

// counting is a cell of a count.
func counting(n int) sheetCell { return sheetCell{Value: fmt.Sprint(n)} }
