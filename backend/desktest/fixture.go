package desktest

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"plumbline/backend/review"
)

// Canary stands in everything of the fixture that a reader may not see: gold, evidence, model, condition, names of raw files.
const Canary = "CANARY"

// WriteDataset writes a small dataset of four cases of three patients into dir: each a 16×12 picture, two questions of two stages and two
// chains ("x1", "x2" and the case's number) of three steps s1–s3, of which s2 cites a region and s3 is latent; the second chain of each was
// given a cue. case-04 is a picture alone.
func WriteDataset(t testing.TB, dir string) {
	t.Helper()
	writeJSON(t, filepath.Join(dir, "dataset.json"), review.Dataset{
		Schema: review.DatasetSchema, Name: "small", Version: "1", ClusterKey: "patient", Languages: []string{"en"},
		StagePack: review.StagePack{Stages: []review.Stage{{K: 1, Name: "Findings"}, {K: 2, Name: "Impression"}}},
	})
	var cases, truth, chains, manifest [][]byte
	for i, patient := range []string{"p1", "p1", "p2", "p3"} {
		n := string(rune('1' + i))
		id := review.CaseID("case-0" + n)
		picture := "images/" + string(id) + ".png"
		writePicture(t, filepath.Join(dir, filepath.FromSlash(picture)), uint8(40*i))
		c := review.Case{
			Schema: review.CaseSchema, ID: id, Patient: review.PatientID(patient), Language: "en", FramesShown: []int{},
			Images: []review.Image{{ID: "xr", Path: picture, Kind: review.SingleImage, Modality: "DX", Intervention: Canary + "-condition"}},
			Source: review.Source{File: Canary + "-source.json"},
		}
		if i < 3 {
			c.Questions = []review.Question{question("q2", 2, "Impression"), question("q1", 1, "Findings")}
			for _, m := range []string{"x1", "x2"} {
				chains = append(chains, encode(t, chain(review.ChainID(m+n), id)))
				manifest = append(manifest, encode(t, origin(review.ChainID(m+n), m == "x2")))
			}
			gold := Canary + "-gold"
			for _, q := range c.Questions {
				truth = append(truth, encode(t, review.Truth{
					Schema: review.TruthSchema, Case: id, Question: q.ID, Gold: &q.Options[0].Letter, Implies: []review.Implication{},
					Expectation: gold, Evidence: []review.Region{{ID: "e", Image: "xr", Shape: review.Box, Coords: []float64{.1, .1, .4, .4}, Label: Canary + "-evidence"}},
				}))
			}
		}
		cases = append(cases, encode(t, c))
	}
	write(t, filepath.Join(dir, "cases.jsonl"), cases)
	write(t, filepath.Join(dir, "truth.jsonl"), truth)
	write(t, filepath.Join(dir, "chains", "all.jsonl"), chains)
	write(t, filepath.Join(dir, "chains", "manifest.jsonl"), manifest)
}

func question(id review.QuestionID, k int, stage string) review.Question {
	return review.Question{
		ID: id, K: k, Stage: stage, Text: "Is there a finding (" + string(id) + ")?", Parents: []review.QuestionID{},
		Options: []review.Option{{Letter: "A", Text: "yes"}, {Letter: "B", Text: "no"}},
	}
}

func chain(id review.ChainID, of review.CaseID) review.Chain {
	text := func(s string) *string { return &s }
	region := review.Region{ID: "m1", Image: "xr", Shape: review.Box, Coords: []float64{.2, .2, .5, .6}}
	return review.Chain{
		Schema: review.ChainSchema, ID: id, Case: of, ImageDigests: []review.Digest{},
		Answers: []review.Answer{
			{Question: "q1", Raw: "raw/" + Canary + "-model.txt", Answer: text("A"), Parse: review.ParseOK, Steps: []review.Step{
				{ID: "s1", Text: text("The picture is adequate."), Regions: []review.Region{}},
				{ID: "s2", Text: text("There is an opacity on the right."), Regions: []review.Region{region}},
			}},
			{Question: "q2", Answer: text("B"), Parse: review.ParseOK, Steps: []review.Step{{ID: "s3", Regions: []review.Region{region}}}},
		},
	}
}

func origin(id review.ChainID, cued bool) review.Origin {
	o := review.Origin{Schema: review.OriginSchema, Chain: id, Model: review.ModelInfo{Name: Canary + "-model", Provider: Canary + "-provider"}}
	if cued {
		o.Condition = review.Condition{Cue: Canary + "-cue", CueTarget: "B"}
	}
	return o
}

func writePicture(t testing.TB, path string, grey uint8) {
	t.Helper()
	picture := image.NewGray(image.Rect(0, 0, 16, 12))
	for y := range 12 {
		for x := range 16 {
			picture.SetGray(x, y, color.Gray{Y: grey + uint8(8*x+y)})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	write(t, path, [][]byte{b.Bytes()})
}

func writeJSON(t testing.TB, path string, v any) { write(t, path, [][]byte{encode(t, v)}) }

func encode(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t testing.TB, path string, lines [][]byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(bytes.Join(lines, []byte("\n")), '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
