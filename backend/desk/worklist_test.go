package desk_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/review"
)

// S05: one step back in a shuffled worklist is the row above, in the same order after a restart, and the counter says so.
func TestBackInAShuffledWorklist(t *testing.T) {
	study := desktest.Many(t, 40)
	ann := study.Coordinator().Set(desktest.Rules("R1"))
	ann.Assign()
	rows := ann.Worklist()
	if rows[5].ID == "case-006" && rows[6].ID == "case-007" {
		t.Fatal("the worklist is not shuffled")
	}
	v := ann.Open(rows[6].ID).View
	if v.Position != 7 || v.Total != 40 || v.Previous != rows[5].ID || v.Next != rows[7].ID {
		t.Fatalf("%d of %d, back to %s, on to %s", v.Position, v.Total, v.Previous, v.Next)
	}
	back := ann.Restart().Open(v.Previous).View
	if back.Position != 6 || back.Total != 40 || back.Previous != rows[4].ID || back.Next != rows[6].ID {
		t.Errorf("%d of %d, back to %s, on to %s", back.Position, back.Total, back.Previous, back.Next)
	}
}

// S01: of five questions three are answered and the program is closed: the case is not done, and opens again at question four.
func TestThreeOfFiveQuestions(t *testing.T) {
	study := desktest.Many(t, 1)
	path := filepath.Join(study.Data, "cases.jsonl")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := review.RestoreCase(bytes.TrimSpace(b))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []review.QuestionID{"q3", "q4", "q5"} {
		q := c.Questions[1]
		q.ID, q.K = id, q.K+len(c.Questions)
		c.Questions = append(c.Questions, q)
	}
	if b, err = json.Marshal(c); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(b, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	ann := study.As("ann")
	ann.Open("case-001").Look("q1", "A").Look("q2", "A").Look("q3", "B")
	s := ann.Restart().State()
	if s.Signed != 0 || s.Resume != (desk.Place{Case: "case-001", Phase: "look", Step: "q4"}) {
		t.Errorf("%+v", s)
	}
	if row := ann.Worklist()[0]; row.State != "look" || row.Done != 3 || row.Required != 13 {
		t.Errorf("%+v", row)
	}
	if p, err := ann.Desk.Progress(t.Context()); err != nil || p.Readers[0].Done != 0 || p.Readers[0].Started != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}
