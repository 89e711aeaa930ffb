package formats_test

import (
	"archive/zip"
	"bytes"
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"

	"plumbline/backend/formats"
	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

// got is everything that was read.
type got struct {
	info     review.Dataset
	cases    []review.Case
	truth    []review.Truth
	chains   []review.Chain
	origins  []review.Origin
	labels   []formats.Label
	pictures []formats.Embedded
	problems []formats.Problem
}

func read(t testing.TB, files fs.FS, only string, change func(*formats.Source)) got {
	t.Helper()
	names, _ := formats.Find(t.Context(), files, only, "")
	src := formats.Source{Files: files, Names: names}
	if change != nil {
		change(&src)
	}
	return readSource(t, src)
}

func readSource(t testing.TB, src formats.Source) (g got) {
	t.Helper()
	info, err := formats.Read(context.Background(), src, formats.Sink{
		Case: func(c review.Case) { g.cases = append(g.cases, c) }, Truth: func(v review.Truth, _ formats.Place) { g.truth = append(g.truth, v) },
		Chain: func(c review.Chain, o review.Origin, _ formats.Place) {
			g.chains, g.origins = append(g.chains, c), append(g.origins, o)
		},
		Label: func(l formats.Label) { g.labels = append(g.labels, l) }, Picture: func(e formats.Embedded) { g.pictures = append(g.pictures, e) },
		Problem: func(p formats.Problem) { g.problems = append(g.problems, p) },
	})
	if err != nil {
		t.Fatal(err)
	}
	g.info = info
	return g
}

func file(name, text string) fstest.MapFS { return fstest.MapFS{name: {Data: []byte(text)}} }

func said(list []formats.Problem, words string) bool {
	return slices.ContainsFunc(list, func(p formats.Problem) bool { return strings.Contains(p.Text, words) })
}

// Every fixture is known by its fields, and brings what it holds.
func TestFixtures(t *testing.T) {
	dir := testfiles.Shared(t, "fixtures")
	for name, want := range map[string]struct {
		format         string
		cases, chains  int
		gold, key      string
		patient, group string
	}{
		"vqa_rad.json":                {"vqa-rad", 2, 0, "B", "case", "", "vqa-rad:INV-LINK-01"},
		"slake.json":                  {"slake", 2, 0, "Left", "image", "", ""},
		"cslake.json":                 {"c-slake", 1, 0, "A", "image", "", ""},
		"pmc_vqa.csv":                 {"pmc-vqa", 1, 0, "B", "article", "", ""},
		"omnimedvqa.json":             {"omnimedvqa", 2, 0, "B", "image", "", ""},
		"schain_svcot.jsonl":          {"s-chain", 1, 1, "Locate both hippocampi", "patient", "", "s-chain:p1_s1"},
		"m3cot_dataset.tsv":           {"m3cotbench", 1, 0, "Chest CT, axial", "image", "", ""},
		"echobench.tsv":               {"echobench", 1, 0, "B", "image", "", ""},
		"cot_eval.jsonl":              {"cot-eval", 1, 1, "B", "image", "", ""},
		"expert_cfg_input.json":       {"expert-cfg", 1, 0, "A", "image", "", ""},
		"expert_cfg_output.json":      {"expert-cfg", 1, 1, "A", "image", "", ""},
		"gemex_test.jsonl":            {"gemex", 1, 1, "B", "patient", "p10000001", ""},
		"gemex_thinkvg.jsonl":         {"gemex-thinkvg", 1, 1, "B", "patient", "p10000001", ""},
		"drvd_joint.jsonl":            {"drvd", 1, 1, "A", "image", "", ""},
		"drvd_visual_evidence.jsonl":  {"drvd", 1, 0, "C", "image", "", ""},
		"medxpertqa_mm.jsonl":         {"medxpertqa", 1, 0, "B", "image", "", ""},
		"gmai_mmbench.tsv":            {"gmai-mmbench", 1, 0, "B", "image", "", ""},
		"vlmevalkit_dataset.tsv":      {"vlmevalkit", 1, 0, "B", "image", "", ""},
		"llava.json":                  {"llava", 1, 0, "Yes, on the left.", "image", "", ""},
		"lmms_eval_samples.jsonl":     {"lmms-eval", 2, 2, "Left", "image", "", ""},
		"helm_scenario_state.json":    {"helm", 1, 1, "A", "image", "", "helm:id1"},
		"inspect_log.json":            {"inspect", 1, 1, "A", "image", "P1", ""},
		"mimic_cxr_vqa.json":          {"mimic-cxr-vqa", 1, 0, "B", "patient", "10000001", ""},
		"ms_cxr.csv":                  {"ms-cxr", 1, 0, "A", "patient", "p10000001", ""},
		"vindr_annotations_train.csv": {"vindr-cxr", 1, 3, "A", "image", "", ""},
		"radfact.json":                {"radfact", 1, 1, "Small left effusion.", "image", "", ""},
		"prm800k.jsonl":               {"prm800k", 1, 1, "Left", "image", "", ""},
		"export.imrmc":                {"imrmc", 4, 0, "B", "image", "", ""},
	} {
		g := read(t, os.DirFS(dir), name, nil)
		if len(g.cases) != want.cases || len(g.chains) != want.chains || len(g.truth) == 0 {
			t.Errorf("%s: %d cases, %d chains, %d truths", name, len(g.cases), len(g.chains), len(g.truth))
			continue
		}
		c := g.cases[0]
		if c.Source.Format != want.format || g.info.ClusterKey != want.key || string(c.Patient) != want.patient || c.Group != want.group {
			t.Errorf("%s: format %s, key %s, patient %q, group %q", name, c.Source.Format, g.info.ClusterKey, c.Patient, c.Group)
		}
		if g.truth[0].Gold == nil || *g.truth[0].Gold != want.gold {
			t.Errorf("%s: gold %v", name, g.truth[0].Gold)
		}
	}
}

// Trap 1: boxes of each convention come to the same fractions; pixels of a picture of unknown size are refused, not guessed.
func TestBoxes(t *testing.T) {
	g := read(t, os.DirFS(testfiles.Shared(t, "fixtures")), "ms_cxr.csv", nil)
	e := g.truth[0].Evidence[0]
	if want := []float64{300. / 2048, 900. / 2500, 720. / 2048, 1260. / 2500}; !slices.Equal(e.Coords, want) || e.Source.Convention != "pixels xywh" || !slices.Equal(e.Source.RefSize, []int{2048, 2500}) {
		t.Errorf("%+v %+v", e, e.Source)
	}
	table := "image_id,rad_id,class_name,x_min,y_min,x_max,y_max\naaaa,R1,Nodule/Mass,100,200,180,300\n"
	if g := read(t, file("a.csv", table), "a.csv", nil); !said(g.problems, "size of the film aaaa is not known") || len(g.chains[0].Answers[0].Steps[0].Regions) != 0 {
		t.Errorf("unknown size: %+v", g.problems)
	}
	g = read(t, file("a.csv", table), "a.csv", func(s *formats.Source) { s.Size = func(string) (int, int, bool) { return 1000, 1000, true } })
	if r := g.chains[0].Answers[0].Steps[0].Regions; len(r) != 1 || !slices.Equal(r[0].Coords, []float64{.1, .2, .18, .3}) {
		t.Errorf("known size: %+v", r)
	}
}

// Trap 2: a log packed by zstd (zip method 93) opens; bare NaN outside strings is null, inside it is text.
func TestEvalArchive(t *testing.T) {
	sample := `{"id": 1, "epoch": 1, "input": "NaN or not?", "choices": ["Left", "Right"], "target": "A", "output": {"choices": [{"message": {"content": "A"}}]}, "scores": {"m": {"value": NaN, "low": -Infinity}}}`
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
	for name, text := range map[string]string{"header.json": `{"eval": {"model": "m/one"}}`, "samples/1_epoch_1.json": sample} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zstd.ZipMethodWinZip})
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(path.Join(dir, "log.eval"), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	g := read(t, os.DirFS(dir), "log.eval", nil)
	if len(g.chains) != 1 || g.cases[0].Questions[0].Text != "NaN or not?" || g.origins[0].Model.Name != "m/one" {
		t.Errorf("%+v %+v", g.cases, g.problems)
	}
}

// Trap 3 and X08: rows without patients ask for a table; a table names rows that nothing asks for.
func TestJoin(t *testing.T) {
	lines := `{"doc_id": 0, "target": "Left", "input": "Which side?", "filtered_resps": "Left"}` + "\n"
	if g := read(t, file("a.jsonl", lines), "a.jsonl", nil); !said(g.problems, "these records name no patient") {
		t.Errorf("%+v", g.problems)
	}
	join, wrong := formats.ReadJoin("join.csv", strings.NewReader("id,patient\n0,P7\nC-99,P8\n"))
	g := read(t, file("a.jsonl", lines), "a.jsonl", func(s *formats.Source) { s.Join = join })
	if len(wrong) != 0 || g.cases[0].Patient != "P7" || said(g.problems, "name no patient") || !said(g.problems, "case C-99 is not in these records") || g.problems[0].Line != 3 {
		t.Errorf("%+v %+v %+v", wrong, g.cases, g.problems)
	}
}

// Traps 5 and 6: an answer that fits no option is unparsed, a refusal and an empty one are kept apart; a pickle is refused.
func TestAnswers(t *testing.T) {
	rows := "index\tquestion\tA\tB\tanswer\timage_path\tprediction\n"
	for i, p := range []string{"B", "b. Nodule", "Nodule", "I'm sorry, but I can't help with that.", "", "perhaps"} {
		rows += string(rune('0'+i)) + "\tWhich?\tCyst\tNodule\tB\tx.png\t" + p + "\n"
	}
	g := read(t, file("m_d.tsv", rows), "m_d.tsv", nil)
	want := []review.Parse{review.ParseOK, review.ParseOK, review.ParseOK, review.Declined, review.Empty, review.Unparsed}
	for i, c := range g.chains {
		if a := c.Answers[0]; a.Parse != want[i] || a.Parse == review.ParseOK && *a.Answer != "B" {
			t.Errorf("%d: %s %v", i, a.Parse, a.Answer)
		}
	}
	if len(g.chains) != len(want) {
		t.Errorf("%d chains", len(g.chains))
	}
	if formats.Refused("results.pkl") == nil {
		t.Error("a pickle is taken")
	}
}

// FuzzRead reads any bytes under any ending: nothing may panic past Read, and what comes out keeps its ids.
func FuzzRead(f *testing.F) {
	f.Add("a.json", []byte(`[{"qid":1,"phrase_type":"para","image_name":"a","question":"q","answer":"No"}]`))
	f.Add("a.tsv", []byte("index\timage\tquestion\tA\tB\tanswer\n0\tiVBORw0KGgo=\tq\ta\tb\tA\n"))
	f.Add("a.imrmc", []byte("x\nBEGIN DATA:\ntruth,c,truth,1\nr,c,m,2\n"))
	f.Add("a.jsonl", []byte(`{"image_path":"a","sv_cot":[{"step_text":"x","evidence_bbox":[0,0,1,NaN]}]}`))
	f.Add("a.json", []byte(`{"eval":{},"samples":[{"id":1,"input":"data:image/png;base64,iVBO\/w==","output":{"choices":[]}}]}`))
	for _, e := range []string{"a.xlsx", "a.eval", "a.parquet", "a.csv"} {
		f.Add(e, []byte("PK\x03\x04"))
	}
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		name = "a" + path.Ext(path.Base(name))
		files := fstest.MapFS{name: {Data: b}}
		names, _ := formats.Find(t.Context(), files, name, "")
		if len(names) == 0 {
			return
		}
		seen := map[review.CaseID]bool{}
		for _, c := range readSource(t, formats.Source{Files: files, Names: names}).cases {
			if seen[c.ID] || c.ID == "" {
				t.Errorf("case %q twice", c.ID)
			}
			seen[c.ID] = true
		}
	})
}
