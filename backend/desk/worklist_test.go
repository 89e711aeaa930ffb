package desk_test

import (
	"testing"

	"plumbline/backend/desktest"
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
