package desk_test

import (
	"testing"

	"plumbline/backend/desktest"
	"plumbline/backend/review"
)

// BenchmarkAssign measures what a large study costs: 10,000 cases for three readers, a tenth of them repeated; then a start with all of it.
func BenchmarkAssign(b *testing.B) {
	study := desktest.Many(b, 10_000)
	boss := study.Coordinator()
	rules := desktest.Rules("R1", "R2", "R3")
	rules.Repeats = &review.Repeats{Share: .1, MinDistance: 20}
	boss.Set(rules)
	b.Run("assign", func(b *testing.B) {
		for b.Loop() {
			if s := boss.Assign(); s.Readers[0].Assigned != 11_000 {
				b.Fatalf("%+v", s)
			}
		}
	})
	b.Run("restart", func(b *testing.B) {
		for b.Loop() {
			boss.Restart()
		}
	})
	b.Run("progress", func(b *testing.B) {
		for b.Loop() {
			if _, err := boss.Desk.Progress(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
