package main

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/report"
)

// write puts a file below dir.
func write(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checked makes a PNG of a checked pattern.
func checked(t *testing.T, step int) string {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 32, 32))
	for i := range m.Pix {
		m.SetGray(i%32, i/32, color.Gray{Y: uint8(i * step)})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// decoded parses the one JSON document of a command's output.
func decoded[T any](t *testing.T, text string) (v T) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	if d.More() {
		t.Fatalf("more than one document in %q", text)
	}
	return v
}

// trial is a dataset of two cases with one chain; line 2 of the cases can be broken.
func trial(t *testing.T, second string) string {
	t.Helper()
	dir := t.TempDir()
	question := `{"id":"q","k":1,"text":"side?","options":[{"letter":"A","text":"left"},{"letter":"B","text":"right"}]}`
	write(t, dir, "dataset.json", `{"name":"Trial","stage_pack":{"stages":[{"k":1,"name":"anatomy"}]}}`)
	write(t, dir, "cases.jsonl", `{"id":"c1","patient":"p1","images":[{"id":"i","path":"a.png","kind":"image"}],"questions":[`+question+`]}`+"\n"+second+"\n")
	write(t, dir, "truth.jsonl", `{"case":"c1","question":"q","gold":"A"}`+"\n")
	write(t, dir, "chains/a.jsonl", `{"id":"k1","case":"c1","answers":[{"question":"q","answer":"A","parse":"ok","steps":[{"id":"s1","text":"On the left."}]}]}`+"\n")
	write(t, dir, "chains/manifest.jsonl", `{"chain":"k1","model":{"name":"m"}}`+"\n")
	write(t, dir, "a.png", checked(t, 3))
	write(t, dir, "b.png", checked(t, 7))
	return dir
}

const goodSecond = `{"id":"c2","patient":"p2","images":[{"id":"i","path":"b.png","kind":"image"}]}`

func TestCheck(t *testing.T) {
	empty, mixed := t.TempDir(), t.TempDir()
	write(t, empty, "README", "nothing")
	write(t, mixed, "a.png", checked(t, 3))
	write(t, mixed, "cut.png", checked(t, 3)[:30])
	write(t, mixed, "notes.tsv", "a\tb")
	badGold := trial(t, goodSecond)
	write(t, badGold, "truth.jsonl", `{"case":"c1","question":"q","gold":"E"}`+"\n")
	for _, c := range []struct {
		name, path string
		exit       int
		want       string
	}{
		{"good", trial(t, goodSecond), 0, ""},
		{"a broken line", trial(t, `{"id":`), 4, "cases.jsonl:2"},
		{"gold that is no option", badGold, 4, "truth.jsonl:1 gold"},
		{"a cut file among good ones", mixed, 4, "cut.png"},
		{"nothing", empty, 3, ""},
		{"not there", filepath.Join(empty, "none"), 3, ""},
		{"one cut file", filepath.Join(mixed, "cut.png"), 6, ""},
		{"one file that is no image", filepath.Join(mixed, "notes.tsv"), 3, ""},
		{"no case", func() string { d := t.TempDir(); write(t, d, "cases.jsonl", "noise\n"); return d }(), 5, "cases.jsonl:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if out := plumb(t, c.exit, "check", c.path); !strings.Contains(out, c.want) {
				t.Errorf("%q not in %s", c.want, out)
			}
			got := decoded[checkResult](t, plumb(t, c.exit, "check", "--json", c.path))
			if (len(got.Problems) > 0) != (c.want != "") {
				t.Errorf("problems %+v", got.Problems)
			}
		})
	}
	got := decoded[checkResult](t, plumb(t, 4, "check", "--json", mixed))
	if got.Cases != 1 || got.Images != 1 || got.Skipped != 1 || got.Format != "images" {
		t.Errorf("mixed folder: %+v", got)
	}
}

func TestImportAndReport(t *testing.T) {
	workspace := filepath.Join(t.TempDir(), "w")
	data := trial(t, `{"id":`)
	got := decoded[desk.Imported](t, plumb(t, 4, "import", "--workspace", workspace, "--json", data))
	if got.Cases != 1 || got.Chains != 1 || len(got.Problems) != 1 || got.Problems[0].Line != 2 {
		t.Errorf("imported %+v", got)
	}
	out := filepath.Join(t.TempDir(), "new", "folder")
	doc := decoded[report.Document](t, plumb(t, 0, "report", "--workspace", workspace, "--json", "--out", out))
	if len(doc.Models) != 1 || doc.Models[0].Model != "m" || *doc.Models[0].Accuracy.Chain.Value != 1 || doc.Models[0].GroundingHuman.Strict.Estimable {
		t.Errorf("report %+v", doc.Models)
	}
	b, err := os.ReadFile(filepath.Join(out, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if file := decoded[report.Document](t, string(b)); file.Name != "Trial" || file.Schema != report.Schema {
		t.Errorf("report.json: %s %s", file.Name, file.Schema)
	}
	if b, err = os.ReadFile(filepath.Join(out, "report.html")); err != nil || !bytes.Contains(b, []byte("</html>")) {
		t.Errorf("report.html: %v", err)
	}
	list, err := os.ReadDir(out)
	if err != nil || len(list) != 2 {
		t.Errorf("the folder holds %v, %v", list, err)
	}
	plumb(t, 2, "report", "--workspace", workspace)
	plumb(t, 2, "import", "--workspace", workspace, "--format", "nifti", data)
	plumb(t, 5, "import", "--workspace", workspace, "--format", "images", data)
	plumb(t, 3, "import", "--workspace", workspace, filepath.Join(data, "none"))
}

// What a reader signs is in the next report, beside the accuracy and not in it.
func TestReportOfASignedReading(t *testing.T) {
	t.Setenv("PLUMBLINE_HOME", t.TempDir())
	study := desktest.New(t)
	if err := study.Coordinator().Desk.Close(); err != nil {
		t.Fatal(err)
	}
	ws := "--workspace=" + study.Folder("coordinator")
	written := func() report.Document {
		return decoded[report.Document](t, plumb(t, 0, "report", "--json", "--out", t.TempDir(), ws))
	}
	before := written()
	plumb(t, 0, "rate", "--file", readingFile(t, wholeReading()), ws)
	after := written()
	rated, given := 0, map[string]int{}
	for i, m := range after.Models {
		rated += m.GroundingHuman.Ratings
		support := m.Labels.Support
		for _, c := range m.Conditions {
			rated += c.GroundingHuman.Ratings
			support = append(support, c.Labels.Support...)
		}
		for _, c := range support {
			given[c.Label] += c.N
		}
		if before.Models[i].GroundingHuman.Ratings != 0 || !reflect.DeepEqual(m.Accuracy, before.Models[i].Accuracy) {
			t.Errorf("%s: %d ratings before any, or its accuracy changed with them", m.Model, before.Models[i].GroundingHuman.Ratings)
		}
	}
	if rated != 6 || given["supported"] != 2 || given["contradicted"] != 2 || given["unsupported"] != 2 {
		t.Errorf("%d ratings: %v", rated, given)
	}
	if len(after.Readers) != 1 || after.Readers[0].Signed != 1 || after.Readers[0].Looks != 2 || after.Data.Signed != 1 {
		t.Errorf("readers %+v", after.Readers)
	}
}

// A report joins what people said with gold and models: a reader's seat gets none.
func TestReportIsTheCoordinators(t *testing.T) {
	workspace := filepath.Join(t.TempDir(), "w")
	plumb(t, 0, "import", "--workspace", workspace, "--seat", "R7", trial(t, goodSecond))
	out := t.TempDir()
	plumb(t, 9, "report", "--workspace", workspace, "--out", out)
	if list, err := os.ReadDir(out); err != nil || len(list) != 0 {
		t.Errorf("written all the same: %v, %v", list, err)
	}
}
