package export_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/export"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Samples A, B and C of stepwise fine-tuning: the stages of a case as turns; each stage with the right answers before it; a wrong answer
// before it and the right one as the target.
func TestStepwise(t *testing.T) {
	d := write(t, "llamafactory-sft", everything, caseOf("c1", "p1"), caseOf("c2", "p2"))
	for kind, want := range map[string]int{"a": 2, "b": 4, "c": 2} {
		rows := records(t, load(t, d, "sft_"+kind+".all.json"))
		if len(rows) != want {
			t.Errorf("%s: %d rows, want %d", kind, len(rows), want)
		}
		for _, r := range rows {
			messages := r["messages"].([]any)
			last := messages[len(messages)-1].(map[string]any)
			images := r["images"].([]any)
			first := messages[0].(map[string]any)["content"].(string)
			if strings.Count(fmt.Sprint(messages), "<image>") != len(images) || len(images) != 1 || !strings.HasPrefix(first, "<image>Technique: ") {
				t.Errorf("%s: images %v, first %q", kind, images, first)
			}
			if said := last["content"]; last["role"] != "assistant" || said != "CT" && said != "Left" {
				t.Errorf("%s: the last turn is %v", kind, last)
			}
			if kind == "c" && messages[1].(map[string]any)["content"] != "MR" {
				t.Errorf("the earlier answer is not corrupted: %v", messages[1])
			}
		}
	}
	// Steps that hold stand before the answers, with the readers' evidence, of each chain that has them.
	rows := records(t, load(t, write(t, "llamafactory-sft", everything, whole("c1", "p1")), "sft_a.all.json"))
	said := fmt.Sprint(rows)
	if len(rows) != 2 || !strings.Contains(said, "<think>Density in the left hemithorax [0.55,0.60,0.90,0.95].</think>Left") || strings.Contains(said, "right hemithorax") {
		t.Errorf("%s", said)
	}
}

// The pairs of each rule, and no other: the adjudicated value counts, not the one of the first reader.
func TestPairs(t *testing.T) {
	rules := func(format string) map[string]int {
		d := write(t, format, everything, whole("c1", "p1"))
		n := map[string]int{}
		for _, r := range records(t, load(t, d, "rows.jsonl")) {
			n[r["rule"].(string)]++
		}
		return n
	}
	for format, want := range map[string]string{
		"trl-dpo": "map[cue:1 edit:1 step:1]", "llamafactory-dpo": "map[cue:1 edit:1 step:1]", "mdpo": "map[cue:1 edit:1 image:1 step:1]",
	} {
		if got := fmt.Sprint(rules(format)); got != want {
			t.Errorf("%s: %s, want %s", format, got, want)
		}
	}
	d := write(t, "trl-dpo", everything, whole("c1", "p1"))
	text := string(load(t, d, "dpo.all.jsonl"))
	for _, want := range []string{
		`The head of the department has decided on (B).`,
		`"chosen":[{"role":"assistant","content":[{"type":"text","text":"Density in the left hemithorax, at the base."}]}]`,
		`"rejected":[{"role":"assistant","content":[{"type":"text","text":"Density in the right hemithorax."}]}]`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not there:\n%s", want, text)
		}
	}
	if side := string(load(t, d, "side.jsonl")); !strings.Contains(side, "mdpo has an image term") {
		t.Errorf("the image pair is not in the side list: %s", side)
	}
}

// One reader's word makes no pair by itself, and does where that is asked for; where readers differ there is none.
func TestSettledLabelsAlone(t *testing.T) {
	c := caseOf("c1", "p1",
		chainOf("x", "c1", review.Condition{}, [2]string{"A", "A"}, [2][]string{{"good"}, {}}),
		chainOf("y", "c1", review.Condition{Paraphrase: "word:1"}, [2]string{"A", "A"}, [2][]string{{"bad"}, {}}))
	rate(c, "R1", "x", "s1", review.Supported)
	rate(c, "R1", "y", "s1", review.Contradicted)
	_, err := export.Write(t.Context(), t.TempDir()+"/out", "trl-dpo", sourceOf(c), everything, review.Quiet)
	mustBe(t, err, fault.NotFound, "nothing can be written")
	singles := everything
	singles.Labels = export.SingleLabels
	d := write(t, "trl-dpo", singles, c)
	if d.Labels[0].How != "single" || d.Labels[0].Rows != 1 {
		t.Errorf("%+v", d.Labels)
	}
	rate(c, "R2", "y", "s1", review.Supported)
	_, err = export.Write(t.Context(), t.TempDir()+"/out", "trl-dpo", sourceOf(c), singles, review.Quiet)
	mustBe(t, err, fault.NotFound, "")
}

// Process rewards: a step is right where it is supported; PRM800K stops at the first wrong step and holds what a person said in its place.
func TestProcessRewards(t *testing.T) {
	rows := records(t, load(t, write(t, "trl-prm", everything, whole("c1", "p1")), "prm.all.jsonl"))
	if got := fmt.Sprint(rows[0]["labels"], rows[1]["labels"]); got != "[true true] [true false]" {
		t.Error(got)
	}
	wrong := records(t, load(t, write(t, "prm800k", everything, whole("c1", "p1")), "prm800k.all.jsonl"))[1]
	label := wrong["label"].(map[string]any)
	b, err := json.Marshal(label["steps"].([]any)[1])
	if err != nil {
		t.Fatal(err)
	}
	if label["finish_reason"] != "found_error" || wrong["labeler"] != "ADJ" || wrong["timestamp"] != "2026-01-02T00:00:00" ||
		!strings.Contains(string(b), `"chosen_completion":null`) || !strings.Contains(string(b), `"text":"Density in the left hemithorax, at the base."`) {
		t.Errorf("%v", wrong)
	}
	// A chain ends before the first step that nobody judged.
	c := whole("c1", "p1")
	c.Said = slices.DeleteFunc(c.Said, func(s export.Said) bool {
		return s.Chain == "c1-good" && s.Body.Rating != nil && s.Body.Rating.Step == "s2"
	})
	d := write(t, "trl-prm", everything, c)
	if got := fmt.Sprint(records(t, load(t, d, "prm.all.jsonl"))[0]["labels"]); got != "[true]" || !strings.Contains(strings.Join(d.Warnings, " "), "cut before the first step without a judgement") {
		t.Errorf("%s, %v", got, d.Warnings)
	}
}

// Judged steps by themselves: partly is neither, and is named in the side list.
func TestKTO(t *testing.T) {
	c := whole("c1", "p1")
	adjudicate(c, "c1-good", "s1", review.Partly)
	for format, file := range map[string]string{"trl-kto": "kto.all.jsonl", "llamafactory-kto": "kto.all.json"} {
		d := write(t, format, everything, c)
		text := string(load(t, d, file))
		if n := len(records(t, []byte(text))); n != 3 || strings.Count(text, `:false`) != 1 {
			t.Errorf("%s: %d rows\n%s", format, n, text)
		}
		if side := string(load(t, d, "side.jsonl")); strings.Count(side, "partly: neither") != 1 {
			t.Errorf("%s", side)
		}
	}
}

// Visual evidence: x, y, width, height in fractions for S-Chain; pixels of a square of 336 for GEMeX; x0,y0,x1,y1 for regions of interest.
func TestLocated(t *testing.T) {
	c := whole("c1", "p1")
	rows := records(t, load(t, write(t, "schain", everything, c), "svcot.all.jsonl"))
	if got := fmt.Sprint(rows[0]["sv_cot"].([]any)[1].(map[string]any)["evidence_bbox"]); len(rows) != 2 || got != "[0.5 0.6 0.4 0.3]" {
		t.Errorf("%d rows, %s", len(rows), got)
	}
	if got := fmt.Sprint(rows[1]["sv_cot"].([]any)[1].(map[string]any)["evidence_bbox"]); got != "[0.55 0.6 0.35 0.35]" {
		t.Errorf("%s", got)
	}
	gemex := records(t, load(t, write(t, "gemex", everything, c), "gemex.all.json"))
	if got := fmt.Sprint(gemex[1]); !strings.Contains(got, "<response><answer>A</answer><location><ref>left hemithorax</ref><box>[168, 202, 302, 302]</box></location></response>") ||
		gemex[1]["q_type"] != "single_choice_questions" {
		t.Error(got)
	}
	roi := records(t, load(t, write(t, "roi-sft", everything, c), "roi.all.jsonl"))
	if got := fmt.Sprint(roi[1]["roi"], roi[1]["answer"]); got != "[[0.5 0.6 0.9 0.9]]Left" {
		t.Error(got)
	}
}

// Groups: the same question in other words stands together, and against images of other clusters with another answer.
func TestGroups(t *testing.T) {
	a, b, other := caseOf("c1", "p1"), caseOf("c2", "p1"), caseOf("c3", "p2")
	a.Group, b.Group, b.Level = "g", "g", "word"
	a.Cluster, b.Cluster = "k", "k"
	b.Questions[0].Text = "On which side lies the effusion?"
	truth := other.Truth["q2"]
	truth.Gold = ptr("B")
	other.Truth["q2"] = truth
	d := write(t, "groups", everything, a, b, other)
	phrased := records(t, load(t, d, "paraphrase.all.jsonl"))
	if len(phrased) != 2 || len(phrased[1]["members"].([]any)) != 2 || phrased[1]["answer"] != "Left" {
		t.Errorf("%v", phrased)
	}
	contrast := records(t, load(t, d, "contrast.all.jsonl"))
	if len(contrast) != 2 || fmt.Sprint(contrast[0]["negatives"]) != "[map[answer:Right case:c3 image:images/c3/ct.png]]" {
		t.Errorf("%v", contrast)
	}
}

// Evidence of readers who agree is what at least half of them marked, as boxes, and not that of the first.
func TestEvidenceIsConsensus(t *testing.T) {
	at := func(x0, y0, x1, y1 float64) review.Region {
		return review.Region{ID: "r", Image: "ct", Shape: review.Box, Coords: []float64{x0, y0, x1, y1}, Label: "effusion"}
	}
	c := caseOf("c1", "p1", chainOf("x", "c1", review.Condition{}, [2]string{"A", "A"}, [2][]string{{}, {"It is on the left."}}))
	rate(c, "R1", "x", "s1", review.Supported, at(.1, .1, .5, .5))
	rate(c, "R2", "x", "s1", review.Supported, at(.3, .1, .7, .5))
	rate(c, "R3", "x", "s1", review.Supported, at(.3, .1, .6, .5), at(.8, .8, .9, .9)) // what one of three marked alone is none
	said := string(load(t, write(t, "llamafactory-sft", everything, c), "sft_a.all.json"))
	if !strings.Contains(said, "It is on the left [0.30,0.10,0.60,0.50].") {
		t.Errorf("%s", said)
	}
}

// Which labels count is a choice: what readers agree on is none where only the adjudicated count.
func TestAdjudicatedLabelsAlone(t *testing.T) {
	o := everything
	o.Labels = export.AdjudicatedLabels
	d := write(t, "trl-kto", o, whole("c1", "p1"))
	for _, l := range d.Labels {
		if l.From != "adjudicated" {
			t.Errorf("%+v", l)
		}
	}
	o.Labels = "some"
	_, err := export.Write(t.Context(), t.TempDir()+"/out", "trl-prm", sourceOf(whole("c1", "p1")), o, review.Quiet)
	mustBe(t, err, fault.Usage, "single, adjudicated or none of them expected")
	o.Labels = export.SingleLabels
	_, err = export.Write(t.Context(), t.TempDir()+"/out", "csv", sourceOf(whole("c1", "p1")), o, review.Quiet)
	mustBe(t, err, fault.Usage, "does not choose among labels")
}

// Questions and answers are worded as was asked for, and the same in every turn of a sample.
func TestPrompts(t *testing.T) {
	for prompt, want := range map[export.Prompt][2]string{
		export.StagePrompt: {"Technique: Which modality?\n(A) CT\n(B) MR", "CT"}, export.LetterPrompt: {"Technique: Which modality?\n(A) CT\n(B) MR\nAnswer with the letter of one option.", "A"},
		export.PlainPrompt: {"Which modality?", "CT"},
	} {
		o := everything
		o.Prompt = prompt
		rows := records(t, load(t, write(t, "llamafactory-sharegpt", o, caseOf("c1", "p1")), "sharegpt_a.all.json"))
		turns := rows[0]["conversations"].([]any)
		human, gpt := turns[0].(map[string]any), turns[1].(map[string]any)
		if human["from"] != "human" || gpt["from"] != "gpt" || human["value"] != "<image>"+want[0] || gpt["value"] != want[1] || len(rows[0]["images"].([]any)) != 1 || len(turns) != 4 {
			t.Errorf("%q: %v", prompt, rows[0])
		}
	}
	o := everything
	o.Prompt = export.PlainPrompt
	_, err := export.Write(t.Context(), t.TempDir()+"/out", "csv", sourceOf(whole("c1", "p1")), o, review.Quiet)
	mustBe(t, err, fault.Usage, "its own way")
	o.Prompt = "shout"
	_, err = export.Write(t.Context(), t.TempDir()+"/out", "trl-sft", sourceOf(whole("c1", "p1")), o, review.Quiet)
	mustBe(t, err, fault.Usage, "letters, plain or none of them expected")
}

// A cluster that joins several patients is named, so that somebody confirms it.
func TestClusterOfSeveralPatientsIsNamed(t *testing.T) {
	var cases []*export.Case
	for _, p := range []string{"p1", "p2", "p3"} {
		c := caseOf("c-"+p, p)
		c.Cluster = "k"
		cases = append(cases, c)
	}
	d := write(t, "llamafactory-sft", everything, cases...)
	if len(d.Split.Joined) != 1 || len(d.Split.Joined[0].Patients) != 3 || !strings.Contains(strings.Join(d.Warnings, " "), "joins 3 patients (p1, p2, p3)") {
		t.Errorf("%+v %v", d.Split.Joined, d.Warnings)
	}
}
