package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strconv"
	"strings"
)

//go:embed *.tmpl
var pages embed.FS

// HTML writes a report as one page that needs nothing else: no script, no font, no picture from elsewhere. Every text in it is escaped.
func HTML(d Document) ([]byte, error) {
	t, err := template.New("report.html.tmpl").Funcs(template.FuncMap{
		"value": Value, "interval": Interval, "base": base, "stage": stageName, "list": func(l ...any) []any { return l }, "share": share, "total": total, "agreement": agreementTables, "few": few,
		"entry": Entry, "curves": stageCurves, "bars": bars, "forest": forest, "crossed": crossed, "calibrated": calibrated, "said": said1, "p": pOf, "testable": testable,
		"overview": overview, "relianceTable": relianceTable, "effectTable": effectTable, "cueTable": cueTable, "saidOfCues": saidOfCues, "mitigationTable": mitigationTable,
		"consistencyTable": consistencyTable, "calibrationTable": calibrationTable, "conditionTable": conditionTable, "comparisonTable": comparisonTable, "splitTable": splitTable, "silent": silent, "overturnTable": overturnTable, "anyCross": anyCross,
		"firstErrors": firstErrors, "wrongOrigins": wrongOrigins, "originRows": originRows, "relianceRows": relianceRows, "effectRows": effectRows, "classRows": classRows,
		"cueRows": cueRows, "placeRows": placeRows, "contextRows": contextRows, "textRows": textRows, "quadrantRows": quadrantRows, "definitions": Definitions,
	}).ParseFS(pages, "*.tmpl")
	if err != nil {
		return nil, fmt.Errorf("page of the report: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, d); err != nil {
		return nil, fmt.Errorf("page of the report: %w", err)
	}
	return b.Bytes(), nil
}

// Value writes a number with two digits for people, or that there is none.
func Value(n Number) string {
	if n.Value == nil {
		return "not estimable"
	}
	return digits(*n.Value, 2)
}

func digits(v float64, n int) string {
	s := strconv.FormatFloat(v, 'f', n, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return strings.Replace(s, "-", "−", 1)
}

// Interval writes the interval of a number for people, or why there is none.
func Interval(n Number) string {
	switch {
	case len(n.Interval) == 2 && n.Method != "" && strings.Contains(n.Method, "few clusters"):
		return digits(n.Interval[0], 2) + " – " + digits(n.Interval[1], 2) + " (few clusters)"
	case len(n.Interval) == 2:
		return digits(n.Interval[0], 2) + " – " + digits(n.Interval[1], 2)
	}
	return n.Reason
}

// base writes what a number stands on.
func base(n Number) string {
	s := fmt.Sprintf("n %d · %s · %s", n.N, plural(n.Patients, "patient"), plural(n.Images, "image"))
	if n.Variants > 0 {
		s += fmt.Sprintf(" (%d derived)", n.Variants)
	}
	s += " · " + plural(n.Clusters, "cluster")
	if n.DEFF != nil && n.NEff != nil {
		s += " · design effect " + digits(*n.DEFF, 2) + " · n eff " + digits(*n.NEff, 1)
	}
	return s
}

func total(counts []Count) (n int) {
	for _, c := range counts {
		n += c.N
	}
	return n
}

// share is the width of a bar, in percent.
func share(n, of int) string {
	if of == 0 {
		return "0"
	}
	return strconv.FormatFloat(100*float64(n)/float64(of), 'f', 1, 64)
}

// stageName names a stage with its number, once: packs may or may not write it into the name.
func stageName(k int, name string) string {
	number := "S" + strconv.Itoa(k)
	switch {
	case name == "":
		return number
	case strings.HasPrefix(name, number):
		return name
	}
	return number + " " + name
}
