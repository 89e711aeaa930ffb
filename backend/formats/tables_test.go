package formats_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"plumbline/backend/review"
)

// workbook writes rows into an Excel workbook as it is saved by people: numbers as numbers, text as text.
func workbook(t *testing.T, path string, rows ...[]any) {
	t.Helper()
	book := excelize.NewFile()
	defer book.Close()
	for i, row := range rows {
		at, err := excelize.CoordinatesToCellName(1, i+1)
		if err == nil {
			err = book.SetSheetRow("Sheet1", at, &row)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := book.SaveAs(path); err != nil {
		t.Fatal(err)
	}
}

// Trap 4: the index of a workbook is a whole number, a fraction or text, and names the same row in each; the picture is found by what lies there,
// whatever its ending; a gold step may be missing.
func TestWorkbooks(t *testing.T) {
	dir := t.TempDir()
	workbook(t, filepath.Join(dir, "M3CoTBench.xlsx"),
		[]any{"index", "question", "answer", "modality", "feature", "key_conclusion", "additional_analysis"},
		[]any{1, "Select one option. Which lesion is shown?\nA. Cyst\nB. Nodule", "B", "CT", "round and dense", "a nodule", "follow it up"},
		[]any{2.0, "True or false: there is fluid.\nA. True\nB. False", "A", "MR", "a bright layer", "an effusion", nil},
		[]any{"3", "Name the organ.", "Liver", "US", "even echo", "the liver", nil},
	)
	workbook(t, filepath.Join(dir, "type.xlsx"), []any{"index", "analysis_type"}, []any{"1", "Diagnosis"}, []any{2, "Recognition"}, []any{3.0, "Localization"})
	for name, text := range map[string]string{
		"model-x.json": `[{"index":"1","prediction":"It is round. Answer: B","duration_s":2.5},{"index":2,"prediction":"A"},{"index":3.0,"prediction":"Liver"}]`,
		"images/1.png": "\x89PNG", "images/2.jpg": "\xff\xd8", "images/3.webp": "RIFF",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g := read(t, os.DirFS(dir), "", nil)
	if len(g.cases) != 3 || len(g.truth) != 5+4+4 { // the question, and the gold steps that there are
		t.Fatalf("%d cases, %d truths; %+v", len(g.cases), len(g.truth), g.problems)
	}
	for i, want := range []struct{ image, kind string }{{"images/1.png", "Diagnosis"}, {"images/2.jpg", "Recognition"}, {"images/3.webp", "Localization"}} {
		c := g.cases[i]
		asked := c.Questions[len(c.Questions)-1]
		if len(c.Images) != 1 || c.Images[0].Path != want.image || asked.SourceStage != want.kind {
			t.Errorf("%s: %+v %+v", c.ID, c.Images, asked)
		}
	}
	if n := len(g.cases[0].Questions[4].Options); n != 2 {
		t.Errorf("%d options out of the question", n)
	}
	answers := map[string]int{}
	for _, c := range g.chains {
		if c.Answers[len(c.Answers)-1].Parse == review.ParseOK {
			answers[string(c.Case)]++
		}
	}
	if len(answers) != 3 {
		t.Errorf("answers of %v; %+v", answers, g.problems)
	}
}

// sChainRow is a row of S-Chain by its columns, as Hugging Face keeps it: the picture is a structure of bytes and a path.
func sChainRow(patient string, slide int, picture []byte) map[string]any {
	return map[string]any{
		"Q1": "Where is the region?", "A1": "left hippocampus", "Q2": "What is seen?", "A2": "atrophy", "Q3": "Which grade?", "A3": "mild", "Q4": "Which class?", "A4": "Mild dementia",
		"Bbox coordinates normalized (X, Y, W, H)": "[[0.25, 0.5, 0.25, 0.125]]", "Patient ID": patient, "Slide": int32(slide), "image.bytes": picture, "image.path": "slide.png",
	}
}

// sChainTable is the schema of such rows.
func sChainTable() *parquet.Schema {
	g := parquet.Group{"image": parquet.Group{"bytes": parquet.Leaf(parquet.ByteArrayType), "path": parquet.String()}, "Slide": parquet.Int(32)}
	for _, name := range []string{"Q1", "A1", "Q2", "A2", "Q3", "A3", "Q4", "A4", "Bbox coordinates normalized (X, Y, W, H)", "Patient ID"} {
		g[name] = parquet.String()
	}
	return parquet.NewSchema("schain", g)
}

// Trap 7: a real Parquet file of several row groups, its pictures in a structure: the chain of four answers, the box in fractions, the patient,
// and the bytes of the picture as they went in.
func TestParquetAsHuggingFaceKeepsIt(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "english.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	table := sChainTable()
	w := parquet.NewWriter(f, table, parquet.Compression(&parquet.Zstd))
	picture := func(n int) []byte { return append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{byte(n)}, 3000)...) }
	for n := range 3 {
		values := sChainRow(string("PQR"[n]), n, picture(n))
		var row parquet.Row
		for i, path := range table.Columns() {
			row = append(row, parquet.ValueOf(values[strings.Join(path, ".")]).Level(0, 0, i))
		}
		_, err := w.WriteRows([]parquet.Row{row})
		if err == nil {
			err = w.Flush() // a row group of its own
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	g := read(t, os.DirFS(dir), "", nil)
	if len(g.cases) != 3 || len(g.pictures) != 3 || len(g.chains) != 3 {
		t.Fatalf("%d cases, %d pictures, %d chains; %+v", len(g.cases), len(g.pictures), len(g.chains), g.problems)
	}
	for i, c := range g.cases {
		if string(c.Patient) != string("PQR"[i]) || len(c.Questions) != 4 || c.Questions[3].K != 4 {
			t.Errorf("%+v", c)
		}
		got, err := g.pictures[i].Open(os.DirFS(dir))
		if err != nil || !bytes.Equal(got, picture(i)) {
			t.Errorf("picture %d: %d bytes, %v", i, len(got), err)
		}
	}
	found := false
	for _, a := range g.chains[0].Answers {
		for _, s := range a.Steps {
			for _, r := range s.Regions {
				found = found || len(r.Coords) == 4 && r.Coords[0] == .25 && r.Coords[1] == .5 && r.Coords[2] == .5 && r.Coords[3] == .625
			}
		}
	}
	if !found {
		t.Errorf("the box is not among the steps: %+v", g.chains[0].Answers)
	}
}
