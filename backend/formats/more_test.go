package formats_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"plumbline/backend/review"
)

// MS-CXR as COCO gives the boxes of its table, whatever the order of its lists; a box of a film that is not there is told.
func TestMSCXRAsCOCO(t *testing.T) {
	marks := `"annotations": [{"id": 1, "image_id": 7, "category_id": 3, "bbox": [300, 900, 420, 360], "label_text": "left effusion"},
 {"id": 2, "image_id": 7, "category_id": 3, "bbox": [30, 90, 42, 36], "label_text": "left effusion"}, {"id": 3, "image_id": 9, "category_id": 3, "bbox": [0,0,1,1], "label_text": "none"}]`
	films := `"images": [{"id": 7, "file_name": "aaaa-bb.jpg", "path": "files/p10/p10000001/s50000001/aaaa-bb.jpg", "width": 2048, "height": 2500}], "categories": [{"id": 3, "name": "Pleural Effusion"}]`
	for _, text := range []string{"{" + films + "," + marks + "}", "{" + marks + "," + films + "}"} {
		g := read(t, file("ms.json", text), "ms.json", nil)
		if len(g.cases) != 1 || len(g.truth) != 1 || len(g.truth[0].Evidence) != 2 {
			t.Fatalf("%+v %+v %+v", g.cases, g.truth, g.problems)
		}
		c, e := g.cases[0], g.truth[0].Evidence[0]
		if want := []float64{300. / 2048, 900. / 2500, 720. / 2048, 1260. / 2500}; c.Patient != "p10000001" || !slices.Equal(e.Coords, want) || e.Label != "Pleural Effusion" {
			t.Errorf("%s %+v", c.Patient, e)
		}
		if !said(g.problems, "image 9 is not in this file") {
			t.Errorf("%+v", g.problems)
		}
	}
}

// Each of VinDr's radiologists is a chain; right is what at least half of them said of the film.
func TestVinDrLabels(t *testing.T) {
	table := "image_id,rad_id,Aortic enlargement,Nodule/Mass,No finding\nf1,R1,0,1,0\nf1,R2,1,1,0\nf1,R3,0,0,1\nf2,R1,0,0,1\n"
	g := read(t, file("image_labels_train.csv", table), "image_labels_train.csv", nil)
	if len(g.cases) != 2 || len(g.chains) != 4 || g.cases[0].Source.Format != "vindr-cxr" {
		t.Fatalf("%d cases, %d chains, %+v", len(g.cases), len(g.chains), g.problems)
	}
	q := g.cases[0].Questions[0]
	if q.Options[1].Text != "Nodule/mass" || *g.truth[0].Gold != "B" || *g.truth[1].Gold != "C" {
		t.Errorf("%+v %v %v", q.Options, *g.truth[0].Gold, *g.truth[1].Gold)
	}
	var said []string
	for i, c := range g.chains {
		said = append(said, g.origins[i].Model.Name+" "+*c.Answers[0].Answer)
	}
	if want := []string{"R1 B", "R2 A, B", "R3 C", "R1 C"}; !slices.Equal(said, want) {
		t.Errorf("%v, want %v", said, want)
	}
}

// A step of PARC that errs, one that only builds on it, and a right one are told apart; premises are citations of earlier steps.
func TestPARC(t *testing.T) {
	line := `{"question": "2+2+1?", "ground_truth_answer": "5", "model_answer": "6", "steps": ["2+2=5", "5+1=6", "So it is 6"],
"premise_annotation": {"steps": [{"step_number": 1, "original_step": "2+2=5", "premises": [[0, "the question"]]}, {"step_number": 2, "premises": [[1, "sum"]]}, {"step_number": 3, "premises": [2, 9]}]},
"error_annotation": {"error_annotations": {"step_level": [{"step_number": 1, "has_error": true, "errors": [{"error_type": "Mathematical_Error"}]},
{"step_number": 2, "has_error": true, "errors": [{"error_type": "Accumulation_Error"}]}, {"step_number": 3, "has_error": false, "errors": []}]}}}`
	g := read(t, file("parc.json", "["+line+"]"), "parc.json", nil)
	if len(g.chains) != 1 || len(g.labels) != 3 {
		t.Fatalf("%+v %+v", g.chains, g.problems)
	}
	values := []int{g.labels[0].Value, g.labels[1].Value, g.labels[2].Value}
	steps := g.chains[0].Answers[0].Steps
	if !slices.Equal(values, []int{-1, 0, 1}) || len(steps[1].Citations) != 1 || steps[1].Citations[0].Source != string(steps[0].ID) || !said(g.problems, "stands on step 9") {
		t.Errorf("%v %+v %+v", values, steps, g.problems)
	}
}

// Readers of cot-eval bring an answer before and one under the modification; several readers of the same answers make them once.
func TestCotEvalReaders(t *testing.T) {
	line := `{"index": 0, "uid": "u1", "flip": true, "question": "Is there congestion?", "target": "no", "original_answer": "no", "biased_answer": "yes",
 "cot_with_hint": "<think><step>Wide vessels</step><external_influence>A box</external_influence></think>", "modification_type": "vb_bb", "model_name": "m1", "completeness_score": 4}`
	g := read(t, file("r.json", "["+line+","+line+"]"), "r.json", nil)
	if len(g.cases) != 1 || len(g.chains) != 2 {
		t.Fatalf("%d cases, %d chains, %+v", len(g.cases), len(g.chains), g.problems)
	}
	before, after := g.chains[0].Answers[0], g.chains[1].Answers[0]
	if *before.Answer != "B" || *after.Answer != "A" || len(after.Steps) != 2 || g.origins[0].Condition.Cue != "" || g.origins[1].Condition.Cue == "" || g.origins[1].Model.Name != "m1" {
		t.Errorf("%+v %+v %+v", before, after, g.origins)
	}
}

// The workbook of VQA-RAD has other names for the same; a result of VLMEvalKit is named after its model.
func TestWorkbooksOfOthers(t *testing.T) {
	dir := t.TempDir()
	workbook(t, filepath.Join(dir, "VQA_RAD.xlsx"),
		[]any{"QID_unique", "QID_para", "QID_linked", "IMAGEID_case", "IMAGE", "IMAGE_organ", "EVALUATION", "QUESTION", "Q_REPHASE", "Q_RELATION", "Q_FRAMED", "Q_TYPE", "ANSWER", "A_TYPE"},
		[]any{1, "freeform", "L1", "case-a", "a.jpg", "CHEST", "evaluated", "Is there an effusion?", "", "", "", "PRES", "No", "CLOSED "},
		[]any{2.0, "para", "L1", "case-a", "a.jpg", "CHEST", "evaluated", "Do you see an effusion?", "", "", "", "PRES", "no ", "CLOSED "},
	)
	g := read(t, os.DirFS(dir), "VQA_RAD.xlsx", nil)
	if len(g.cases) != 2 || g.cases[0].Group != "vqa-rad:L1" || g.cases[0].Group != g.cases[1].Group || g.cases[0].Patient != g.cases[1].Patient ||
		g.cases[1].Level != "sentence" || *g.truth[0].Gold != "B" || *g.truth[1].Gold != "B" {
		t.Errorf("%+v %+v", g.cases, g.truth)
	}
	workbook(t, filepath.Join(dir, "Model-7B_MySet.xlsx"), []any{"index", "question", "A", "B", "answer", "category", "image_path", "prediction", "thinking"},
		[]any{0, "Which?", "Cyst", "Nodule", "B", "x", "a.png", "B", "It is solid. It is round."})
	g = read(t, os.DirFS(dir), "Model-7B_MySet.xlsx", nil)
	if len(g.chains) != 1 || g.origins[0].Model.Name != "Model-7B" || g.chains[0].Answers[0].Parse != review.ParseOK || len(g.chains[0].Answers[0].Steps) != 2 {
		t.Errorf("%+v %+v", g.chains, g.problems)
	}
}

// Answers of LLaVA find their question by question_id in the conversations beside them.
func TestLLaVAAnswersAreJoined(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"questions.json": `[{"id": "11", "image": "a.png", "conversations": [{"from": "human", "value": "<image>\nIs there fluid?"}, {"from": "gpt", "value": "Yes"}]}]`,
		"answers.jsonl":  `{"question_id": 11, "prompt": "Is there fluid?", "text": "Yes", "answer_id": "x", "model_id": "m1", "metadata": {}}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g := read(t, os.DirFS(dir), "", nil)
	if len(g.cases) != 1 || len(g.chains) != 1 || g.chains[0].Case != g.cases[0].ID || g.origins[0].Model.Name != "m1" {
		t.Errorf("%+v %+v %+v", g.cases, g.chains, g.problems)
	}
}
