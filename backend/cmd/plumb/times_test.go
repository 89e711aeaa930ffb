package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

func TestTimesByCommand(t *testing.T) {
	t.Setenv("PLUMBLINE_HOME", t.TempDir())
	study := desktest.New(t)
	ann := study.As("ann")
	v := ann.Open("case-01").LookAll().View
	for _, s := range []review.Seen{
		{Step: "s2", DwellMS: 30_000, FirstAt: "2026-03-02T09:00:00Z", RegionOnScreen: true}, {Step: "s2", DwellMS: 20_000, IdleMS: 90_000, Breaks: 1},
	} {
		if _, err := ann.Desk.Seen(t.Context(), v.Assignment, "x11", s); err != nil {
			t.Fatal(err)
		}
	}
	file := review.ReadingFile{OwnAnswers: map[string]review.OwnAnswer{"x11/s2": {Answer: "B", Text: "Nothing there."}}}
	if err := ann.Desk.Close(); err != nil {
		t.Fatal(err)
	}
	ws := "--workspace=" + study.Folder("ann")
	times := lines[desk.Times](t, plumb(t, 0, "times", "--json", ws))
	if len(times) != 1 || times[0].ActiveMS != 50_000 || times[0].IdleMS != 90_000 || times[0].First != "2026-03-02T09:00:00Z" || times[0].DaysSince != nil {
		t.Errorf("%+v", times)
	}
	if out := plumb(t, 0, "times", ws); !strings.Contains(out, "ann\tcase-01\tsession 1\tactive 50s\tidle 1m30s in 1 breaks") {
		t.Errorf("for people: %s", out)
	}
	saved := lines[review.Event](t, plumb(t, 0, "rate", "--json", "--assignment", v.Assignment, "--file", readingFile(t, file), ws))
	if len(saved) != 1 || saved[0].Kind != review.KindOwnAnswer || saved[0].Body.OwnAnswer.Question != "q1" {
		t.Errorf("a correction in a file: %+v", saved)
	}
	if out := plumb(t, 0, "readings", ws); !strings.Contains(out, "x11/s2: would have said B Nothing there.") {
		t.Errorf("readings: %s", out)
	}
}

func TestTrainingByCommand(t *testing.T) {
	t.Setenv("PLUMBLINE_HOME", t.TempDir())
	study := desktest.New(t)
	rules := desktest.Rules("R1")
	rules.Training, rules.TrainingPass = []review.CaseID{"case-01"}, 1
	if err := study.Coordinator().Set(rules).Desk.Close(); err != nil {
		t.Fatal(err)
	}
	ws := "--workspace=" + study.Folder("coordinator")
	var key review.TrainingKey
	if err := json.Unmarshal([]byte(plumb(t, 0, "training", "show", ws)), &key); err != nil || len(key.Cases) != 1 || len(key.Cases[0].Looks) != 2 {
		t.Fatalf("%+v, %v", key, err)
	}
	key.Cases[0].Words = "Look at the edges."
	b, err := json.Marshal(key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "key.json")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	plumb(t, 0, "training", "set", file, ws)
	if out := plumb(t, 0, "training", "show", ws); !strings.Contains(out, "Look at the edges.") {
		t.Errorf("kept: %s", out)
	}
	rows := lines[desk.ListedCase](t, plumb(t, 0, "cases", "--json", ws))
	if len(rows) != 4 || rows[0].ID != "case-01" {
		t.Errorf("the training comes first: %+v", rows)
	}
	plumb(t, fault.Refused.Exit(), "rate", "--assignment", "case-02", "--file", readingFile(t, review.ReadingFile{}), ws)
}
