package desk_test

import (
	"sync"
	"testing"

	"plumbline/backend/desktest"
	"plumbline/backend/review"
)

// A face asks from many goroutines at once: nothing is lost, and the ledger holds (run with -race to see more).
func TestManyAtOnce(t *testing.T) {
	boss := desktest.New(t).Coordinator()
	r := boss.Open("case-01").LookAll()
	full, _ := desktest.Full(r.View, "x11", "s1", review.Supported)
	data := boss.State().Dataset
	var all sync.WaitGroup
	const each = 8
	for _, ask := range []func() error{
		func() error {
			_, err := boss.Desk.Rate(t.Context(), r.View.Assignment, "x11", full, "")
			return err
		},
		func() error {
			_, err := boss.Desk.Rate(t.Context(), r.View.Assignment, "x21", review.Rating{Step: "s1", Support: review.NotVisual}, "")
			return err
		},
		func() error { _, err := boss.Desk.OpenCase(t.Context(), "case-02"); return err },
		func() error { _, err := boss.Desk.Cases(t.Context()); return err },
		func() error { _, err := boss.Desk.State(t.Context()); return err },
		func() error { _, _, err := boss.Desk.Frame(t.Context(), "case-01", "xr", 0); return err },
		func() error { _, err := boss.Desk.Import(t.Context(), data); return err },
		func() error { _, err := boss.Desk.Report(t.Context()); return err },
	} {
		all.Go(func() {
			for range each {
				if err := ask(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if v := boss.Open("case-01").View; v.Done != 3 || v.Revisions != 0 {
		t.Errorf("the same answer %d times is one answer: %d done, %d revisions", each, v.Done, v.Revisions)
	}
}
