package desk_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// trained gives a coordinator who reads as R1, of the small dataset with case-02 and case-01 for training, and what is expected of them.
func trained(t *testing.T, pass float64) (*desktest.Person, review.TrainingKey) {
	t.Helper()
	study := desktest.New(t)
	rules := desktest.Rules("R1", "R2")
	rules.Training, rules.TrainingPass = []review.CaseID{"case-02", "case-01"}, pass
	ann := study.Coordinator().Set(rules)
	ann.Assign()
	key, err := ann.Desk.TrainingKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range key.Cases {
		if key.Cases[i].Case == "case-01" {
			key.Cases[i].Steps = []review.ExpectedSupport{{Chain: "x11", Step: "s1", Supports: []review.Support{review.Supported, review.Partly}, Words: "The picture is sharp."}}
		}
	}
	b, err := json.Marshal(key)
	if err != nil {
		t.Fatal(err)
	}
	if err := ann.Desk.SetTrainingKey(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	return ann, key
}

func TestTrainingComesFirst(t *testing.T) {
	ann, key := trained(t, .9)
	if len(key.Cases) != 2 || len(key.Cases[0].Looks) != 2 || *key.Cases[0].Looks[0].Gold != "A" {
		t.Fatalf("the key: %+v", key)
	}
	rows := ann.Worklist()
	if len(rows) != 3 || !rows[0].Training || rows[0].ID != "case-02" || rows[1].ID != "case-01" || rows[0].Locked != "" || rows[2].Training || rows[2].Locked != "the training cases come first" {
		t.Fatalf("rows: %+v", rows)
	}
	s := ann.State()
	if s.Assigned != 1 || s.Signed != 0 || s.Training == nil || *s.Training != (desk.TrainingStands{Attempt: 1, Cases: 2}) {
		t.Errorf("state: %+v, %+v", s, s.Training)
	}
	_, err := ann.Desk.OpenCase(t.Context(), "case-03")
	refused(t, err, fault.Refused, "the training cases come first")
	_, err = ann.Desk.Look(t.Context(), rows[2].Assignment, review.Look{Question: "q1", Answer: "A", Confidence: 1})
	refused(t, err, fault.Refused, "the training cases come first")

	r := ann.Open("case-02")
	if v := r.View; v.Position != 1 || v.Total != 2 || v.Training == nil || len(v.Training.Feedback) != 0 {
		t.Fatalf("opened: %+v", v.Training)
	}
	r.Look("q1", "A").Look("q2", "B").Sign()
	f := r.View.Training.Feedback
	if len(f) != 2 || !f[0].Right || f[0].Own != "A" || f[1].Right || f[1].Own != "B" || f[1].Expected[0] != "A" || len(f[1].Evidence) != 1 {
		t.Errorf("feedback: %+v", f)
	}
	full, _ := desktest.Full(r.View, "x12", "s1", review.Contradicted)
	_, err = ann.Desk.Rate(t.Context(), r.View.Assignment, "x12", full, "now I know")
	refused(t, err, fault.Refused, "stay as they are")
	_, err = ann.Desk.RetryTraining(t.Context())
	refused(t, err, fault.Refused, "1 of 2 training cases are signed")

	r = ann.Restart().Open("case-01").Look("q1", "A").Look("q2", "A").Rate("s1", review.Supported).Sign()
	if f := r.View.Training.Feedback; len(f) != 3 || !f[2].Right || f[2].Step != "s1" || f[2].Words != "The picture is sharp." || r.View.Next != "" {
		t.Errorf("feedback with grades: %+v, next %q", f, r.View.Next)
	}
	want := desk.TrainingStands{Attempt: 1, Cases: 2, Signed: 2, Done: true, Right: 4, Expected: 5, Needed: 5}
	if got := *ann.State().Training; got != want {
		t.Errorf("not passed: %+v", got)
	}
	_, err = ann.Desk.OpenCase(t.Context(), "case-03")
	refused(t, err, fault.Refused, "4 of 5 answers as expected, 5 needed")

	// Another attempt is blank and another read; then the worklist opens.
	first := ann.Worklist()[0].Assignment
	if s, err := ann.Desk.RetryTraining(t.Context()); err != nil || *s.Training != (desk.TrainingStands{Attempt: 2, Cases: 2}) {
		t.Fatalf("again: %+v, %v", s.Training, err)
	}
	if row := ann.Restart().Worklist()[0]; row.State != "new" || row.Assignment == first {
		t.Errorf("the second attempt: %+v", row)
	}
	ann.Open("case-02").Sign()
	ann.Open("case-01").Sign()
	if s := ann.Restart().State(); !s.Training.Passed || s.Training.Attempt != 2 || s.Signed != 0 || s.Resume.Case != "case-03" {
		t.Errorf("passed: %+v, %+v", s.Training, s)
	}
	if v := ann.Open("case-03").Sign().View; v.Position != 1 || v.Total != 1 || v.Training != nil {
		t.Errorf("the study itself: %+v", v)
	}
	if s := ann.State(); s.Signed != 1 || s.Assigned != 1 {
		t.Errorf("counts: %+v", s)
	}
	if _, err := ann.Desk.SetReader(t.Context(), "R2"); err != nil {
		t.Fatal(err)
	}
	if s := ann.State(); s.Training.Passed || s.Training.Attempt != 1 {
		t.Errorf("R2 has a training of their own: %+v", s.Training)
	}
}

// A training read counts in nothing of the study.
func TestTrainingCountsInNothing(t *testing.T) {
	ann, _ := trained(t, 0)
	for _, code := range []string{"R1", "R2"} {
		if _, err := ann.Desk.SetReader(t.Context(), code); err != nil {
			t.Fatal(err)
		}
		ann.Open("case-02").Look("q1", "B").Sign()
		ann.Open("case-01").Look("q1", "B").Sign()
		ann.Open("case-03").Sign()
	}
	s, err := ann.Desk.Progress(t.Context())
	if err != nil || len(s.Readers) != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, r := range s.Readers {
		if r.Assigned != 1 || r.Done != 1 || r.Started != 0 || r.Extra != 0 || r.Answers != 10 || r.Training == nil || !r.Training.Passed || r.Training.Expected != 5 {
			t.Errorf("%+v, %+v", r, r.Training)
		}
	}
	doc, err := ann.Desk.Report(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range doc.Readers {
		if r.Looks != 2 || r.Signed != 1 {
			t.Errorf("in the report: %+v", r)
		}
	}
}

func TestTrainingKey(t *testing.T) {
	ann, key := trained(t, 0)
	b, err := os.ReadFile(filepath.Join(ann.Folder(), "training.json"))
	if err != nil || !bytes.Contains(b, []byte("case-01")) || bytes.Contains(b, []byte("case-03")) || len(key.Cases) != 2 {
		t.Errorf("gold of the training cases and of no other: %s, %v", b, err)
	}
	for _, c := range []struct{ name, file, words string }{
		{"another case", `{"cases":[{"case":"case-03"}]}`, "no training case of the protocol"},
		{"twice", `{"cases":[{"case":"case-01"},{"case":"case-01"}]}`, "stands here twice"},
		{"no grade", `{"cases":[{"case":"case-01","steps":[{"chain":"x11","step":"s1","supports":["good"]}]}]}`, "grades of support expected"},
		{"no key", `[]`, "an object expected"},
		{"newer", `{"schema":"plumbline/training/9","cases":[]}`, "newer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(t, ann.Desk.SetTrainingKey(t.Context(), []byte(c.file)), fault.Invalid, c.words)
		})
	}
	bob := desktest.New(t).As("R2")
	_, err = bob.Desk.TrainingKey(t.Context())
	refused(t, err, fault.Refused, "the coordinator's")
}
