package dataset_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/dataset"
	"plumbline/backend/dcm"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// put writes a file below dir.
func put(t testing.TB, dir, name string, content []byte) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// picture makes a PNG of 24 by 20 pixels with noise of the given seed; seed 0 is black.
func picture(t testing.TB, seed uint64) []byte {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	m := image.NewGray(image.Rect(0, 0, 24, 20))
	for i := range m.Pix {
		if seed != 0 {
			m.Pix[i] = uint8(random.IntN(256))
		}
	}
	m.SetGray(0, 0, color.Gray{})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// slice makes frame n of a CT series of 16 by 16 pixels.
func slice(t testing.TB, patient, series string, n int, seed uint64, more ...dcm.WriteTag) []byte {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	pixels := make([]byte, 16*16*2)
	for i := range pixels {
		pixels[i] = byte(random.IntN(200))
		if i%2 == 1 {
			pixels[i] = 0
		}
	}
	type tag struct {
		Tag       uint32
		VR, Value string
	}
	var tags []dcm.WriteTag
	for _, v := range []tag{
		{0x00080060, "CS", "CT"},
		{0x00100020, "LO", patient},
		{0x0020000D, "UI", dcm.UID("study of", series)},
		{0x0020000E, "UI", dcm.UID("series", series)},
		{0x00200013, "IS", fmt.Sprint(n)},
		{0x00200032, "DS", fmt.Sprintf(`0\0\%d`, 3*n)},
		{0x00200037, "DS", `1\0\0\0\1\0`},
		{0x00280002, "US", "1"},
		{0x00280004, "CS", "MONOCHROME2"},
		{0x00280010, "US", "16"},
		{0x00280011, "US", "16"},
		{0x00280030, "DS", `1\1`},
		{0x00280100, "US", "16"},
		{0x00280101, "US", "16"},
		{0x00280102, "US", "15"},
		{0x00280103, "US", "0"},
	} {
		if v.Tag > 0x00200037 { // what more there is to say stands after the place
			tags, more = append(tags, more...), nil
		}
		tags = append(tags, dcm.WriteTag{Tag: v.Tag, VR: v.VR, Value: v.Value})
	}
	var b bytes.Buffer
	err := dcm.Write(&b, dcm.WriteImage{SOPClass: dcm.CTImageStorage, InstanceUID: dcm.UID(series, fmt.Sprint(n)), Pixels: pixels, Tags: tags})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// noImage makes a DICOM file that holds no image.
func noImage(t testing.TB) []byte {
	t.Helper()
	b := slice(t, "P", "sr", 1, 1)
	at := bytes.Index(b, []byte{0xE0, 0x7F, 0x10, 0x00})
	return b[:at]
}

// jsonl writes records one a line; a string goes in as it is.
func jsonl(t testing.TB, records ...any) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, r := range records {
		if s, ok := r.(string); ok {
			b.WriteString(s + "\n")
			continue
		}
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

// sheet makes a case with one picture and two questions.
func sheet(n int) review.Case {
	return review.Case{ID: review.CaseID(fmt.Sprintf("c%d", n)), Patient: review.PatientID(fmt.Sprintf("p%d", n)),
		Images: []review.Image{{ID: "i", Path: fmt.Sprintf("images/%d.png", n), Kind: review.SingleImage}},
		Questions: []review.Question{
			{ID: "q1", K: 1, Stage: "anatomy", Text: "Which side?", Options: []review.Option{{Letter: "A", Text: "left"}, {Letter: "B", Text: "right"}}},
			{ID: "q2", K: 2, Stage: "findings", Text: "What?", Options: []review.Option{{Letter: "A", Text: "nodule"}, {Letter: "B", Text: "nothing"}}, Parents: []review.QuestionID{"q1"}},
		}}
}

func ptr[T any](v T) *T { return &v }

// chainOf makes a chain of two answers of one step each.
func chainOf(id string, of int) review.Chain {
	step := func(name string) review.Step {
		return review.Step{ID: review.StepID(name), Text: ptr("a claim"), Regions: []review.Region{{ID: "r", Image: "i", Shape: review.Box, Coords: []float64{.1, .1, .5, .5}}}}
	}
	return review.Chain{ID: review.ChainID(id), Case: review.CaseID(fmt.Sprintf("c%d", of)), ImageDigests: []review.Digest{}, Answers: []review.Answer{
		{Question: "q1", Answer: ptr("A"), Parse: review.ParseOK, Steps: []review.Step{step("s1")}},
		{Question: "q2", Answer: ptr("nothing"), Parse: review.ParseOK, Steps: []review.Step{step("s2")}},
	}}
}

// own makes a dataset of our own format with n good cases, a chain and a truth for each question.
func own(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	var cases, chains, truth, origins []any
	for i := 1; i <= n; i++ {
		cases = append(cases, sheet(i))
		chains = append(chains, chainOf(fmt.Sprintf("k%d", i), i))
		origins = append(origins, review.Origin{Chain: review.ChainID(fmt.Sprintf("k%d", i)), Model: review.ModelInfo{Name: "hidden-model"}})
		for _, q := range []review.QuestionID{"q1", "q2"} {
			truth = append(truth, review.Truth{Case: review.CaseID(fmt.Sprintf("c%d", i)), Question: q, Gold: ptr("B"), Expectation: "hidden-gold"})
		}
		put(t, dir, fmt.Sprintf("images/%d.png", i), picture(t, uint64(i)))
	}
	put(t, dir, "dataset.json", jsonl(t, review.Dataset{Name: "Trial", ClusterKey: "patient",
		StagePack: review.StagePack{Stages: []review.Stage{{K: 1, Name: "anatomy"}, {K: 2, Name: "findings"}}}}))
	put(t, dir, "cases.jsonl", jsonl(t, cases...))
	put(t, dir, "truth.jsonl", jsonl(t, truth...))
	put(t, dir, "chains/a.jsonl", jsonl(t, chains...))
	put(t, dir, "chains/manifest.jsonl", jsonl(t, origins...))
	return dir
}

// open opens a dataset that can be opened.
func open(t testing.TB, dir string, ix *store.Index) (*dataset.Set, []review.Problem) {
	t.Helper()
	s, problems, err := dataset.Open(context.Background(), dir, ix, review.Quiet)
	if err != nil {
		t.Fatal(err)
	}
	return s, problems
}

func newIndex(t testing.TB) *store.Index {
	t.Helper()
	ix, _, err := store.OpenIndex(filepath.Join(t.TempDir(), "index.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return ix
}

// want is a problem that must be there: all of it, and Text in part.
type want = review.Problem

// expect compares problems one by one.
func expect(t testing.TB, got []review.Problem, wanted ...want) {
	t.Helper()
	for i, w := range wanted {
		if i >= len(got) {
			t.Errorf("missing problem: %+v", w)
			continue
		}
		if g := got[i]; g.File != w.File || g.Line != w.Line || g.Field != w.Field || !strings.Contains(g.Text, w.Text) {
			t.Errorf("problem %d\n got %+v\nwant %+v", i, g, w)
		}
	}
	for _, g := range got[min(len(got), len(wanted)):] {
		t.Errorf("one problem too many: %+v", g)
	}
}
