package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/desktest"
	"plumbline/backend/review"
)

// X08: of 40 lines of reference one is of a case that is not in the study: it is named with file, line and case, and the others are used.
func TestReferenceOfAnUnknownCase(t *testing.T) {
	t.Setenv("PLUMBLINE_HOME", t.TempDir())
	study := desktest.Many(t, 20)
	var lines []string
	for i := range 40 {
		gold := "A"
		v := review.Truth{Case: review.CaseID(fmt.Sprintf("case-%03d", i/2+1)), Question: review.QuestionID(fmt.Sprintf("q%d", i%2+1)), Gold: &gold}
		if i == 16 {
			v.Case = "C-99"
		}
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(b))
	}
	if err := os.WriteFile(filepath.Join(study.Data, "truth.jsonl"), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ws := "--workspace=" + t.TempDir()
	const want = "truth.jsonl:17 case: case C-99 is not in this dataset"
	if out := plumb(t, 4, "import", study.Data, ws); strings.Count(out, "C-99") != 1 || !strings.Contains(out, want) {
		t.Errorf("%s", out)
	}
	var doc struct {
		Data struct{ Gold int }
	}
	out := t.TempDir()
	plumb(t, 0, "report", "--out", out, ws)
	b, err := os.ReadFile(filepath.Join(out, "report.json"))
	if err != nil || json.Unmarshal(b, &doc) != nil || doc.Data.Gold != 39 {
		t.Errorf("%d questions with a known answer, %v", doc.Data.Gold, err)
	}
}
