package export_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"plumbline/backend/export"
	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

// awkward is a case whose words a spreadsheet or a line-minded program would trip over.
func awkward() *export.Case {
	c := whole("c1", "p1")
	for i, note := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "\tcmd", "a \"quoted\", line\r\nand another", " kept ", "Ελληνικά 中文 ok"} {
		rate(c, fmt.Sprint("N", i), "c1-good", "s1", review.Supported)
		c.Said[len(c.Said)-1].Body.Rating.Note = note
	}
	return c
}

// column gives a column of a CSV file.
func column(t *testing.T, text, name string) []string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(rows[0], name)
	if at < 0 {
		t.Fatalf("no column %s in %v", name, rows[0])
	}
	var out []string
	for _, r := range rows[1:] {
		out = append(out, r[at])
	}
	return out
}

// CSV as RFC 4180 has it: commas, CRLF, quotes doubled. What a spreadsheet takes for a formula has an apostrophe; JSON lines have the raw text.
func TestCSV(t *testing.T) {
	d := write(t, "csv", export.Options{}, awkward())
	text := string(load(t, d, "ratings.csv"))
	if strings.Count(text, "\r\n") != strings.Count(text, "\n") {
		t.Error("a line does not end in CRLF")
	}
	notes := column(t, text, "note")
	want := []string{"'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\tcmd", "a \"quoted\", line\nand another", " kept ", "Ελληνικά 中文 ok"} // Go's reader takes CRLF in a cell for LF
	for _, w := range want {
		if !slices.Contains(notes, w) {
			t.Errorf("%q is not among %q", w, notes)
		}
	}
	if !strings.Contains(text, "\"a \"\"quoted\"\", line\r\nand another\"") {
		t.Error("a cell of two lines is not as it was")
	}
	if raw := string(load(t, write(t, "jsonl", export.Options{}, awkward()), "readings.jsonl")); !strings.Contains(raw, `"note":"=1+1"`) {
		t.Error("JSON lines do not hold the raw text")
	}
}

// Parquet holds the same rows as CSV, read by the columns of the schema. That a missing value is null shows DuckDB (frontend/e2e/exports).
func TestParquet(t *testing.T) {
	d := write(t, "parquet", export.Options{}, awkward())
	rows, err := parquet.ReadFile[export.RatingRow](filepath.Join(d.Dir, "ratings.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(rows, func(r export.RatingRow) bool { return r.Note == "=1+1" })
	if len(rows) != 16 || i < 0 || rows[i].Case != "c1" || rows[i].K != 1 || *rows[i].Confidence != 2 || rows[i].RubricOf != "1" {
		t.Fatalf("%d rows, %+v", len(rows), rows)
	}
	csvRows := column(t, string(load(t, write(t, "csv", export.Options{}, awkward()), "ratings.csv")), "event")
	for n, r := range rows {
		if csvRows[n] != r.Event {
			t.Errorf("row %d: %s in CSV, %s in Parquet", n, csvRows[n], r.Event)
		}
	}
	// The adjudicated value stands beside each reader's own, which never changes.
	for _, r := range rows {
		if r.Chain == "c1-bad" && r.Step == "s2" && (r.Final == nil || *r.Final != "contradicted" || *r.FinalFrom != "adjudicated") {
			t.Errorf("%+v", r)
		}
	}
}

// Our own records lose nothing: cases, truth, chains, what made them and every event are read back as they were.
func TestJSONLIsLossless(t *testing.T) {
	c := awkward()
	d := write(t, "jsonl", export.Options{}, c)
	again, err := review.RestoreCase(line(t, load(t, d, "cases.jsonl"), 0))
	if err != nil || review.CaseDigest(again) != review.CaseDigest(c.Case) {
		t.Errorf("%v: %+v", err, again)
	}
	for i, x := range c.Chains {
		chain, err := review.RestoreChain(line(t, load(t, d, "chains/chains.jsonl"), i))
		if err != nil || chain.ID != x.ID || len(chain.Answers) != len(x.Answers) {
			t.Errorf("%v: %+v", err, chain)
		}
	}
	ledger := load(t, d, "ledger.jsonl")
	for i, s := range c.Said {
		e, err := review.RestoreEvent(line(t, ledger, i))
		if err != nil || e.ID != s.ID || fmt.Sprintf("%+v", e.Body.Rating) != fmt.Sprintf("%+v", s.Body.Rating) {
			t.Errorf("%v: %+v", err, e)
		}
	}
}

func line(t *testing.T, b []byte, n int) []byte {
	t.Helper()
	rows := strings.Split(string(b), "\n")
	if n >= len(rows) {
		t.Fatalf("no line %d", n)
	}
	return []byte(rows[n])
}

// A spreadsheet takes no cell of ours for a formula: LibreOffice opens the table and writes it again with the texts as they are.
func TestCSVInLibreOffice(t *testing.T) {
	if _, err := exec.LookPath("soffice"); err != nil {
		testfiles.Missing(t, err.Error())
	}
	d := write(t, "csv", export.Options{}, awkward())
	out := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "soffice", "-env:UserInstallation=file://"+t.TempDir(), "--headless", "--infilter=CSV:44,34,76,1", "--convert-to",
		"csv:Text - txt - csv (StarCalc):44,34,76", "--outdir", out, filepath.Join(d.Dir, "ratings.csv"))
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	b, err := os.ReadFile(filepath.Join(out, "ratings.csv"))
	if err != nil {
		t.Fatal(err)
	}
	notes := column(t, string(b), "note")
	for _, want := range []string{"=1+1", "@SUM(A1)", "a \"quoted\", line\nand another", "Ελληνικά 中文 ok"} {
		if !slices.ContainsFunc(notes, func(s string) bool { return strings.TrimPrefix(s, "'") == want }) {
			t.Errorf("%q is not among %q", want, notes)
		}
	}
}
