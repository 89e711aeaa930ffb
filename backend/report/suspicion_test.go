package report_test

import (
	"testing"

	"plumbline/backend/report"
	"plumbline/backend/review"
)

// By hand: of four chains one is wrong; R1 doubts it most, R2 cannot judge one of them.
func TestSuspicionByHand(t *testing.T) {
	s := newStudy(4).chain("m", 0, "AAA").chain("m", 1, "ABA").chain("m", 2, "AAA").chain("m", 3, "AAA")
	s.read("R1", "m", 0, []review.Support{review.Supported, review.Partly, review.Supported}, true)
	s.read("R1", "m", 1, []review.Support{review.Supported, review.Contradicted, review.NotVisual}, true)
	s.read("R1", "m", 3, []review.Support{review.Supported, review.Supported, review.Supported}, false) // not signed
	s.read("R2", "m", 0, []review.Support{review.NotVisual, review.CannotAssess, review.NotVisual}, true)
	s.read("R2", "m", 2, []review.Support{review.Supported, review.Supported, review.Unsupported}, true)
	s.Truth = s.Truth[:len(s.Truth)-1] // of the last case one answer is unknown
	s.read("R2", "m", 3, []review.Support{review.Supported, review.Supported, review.Supported}, true)
	got, err := report.Suspect(s.Input)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"R1 m-00": 4, "R1 m-01": 10, "R2 m-02": 7}
	if len(got.Scores) != len(want) {
		t.Errorf("scores %+v", got.Scores)
	}
	for _, x := range got.Scores {
		if w, known := want[string(x.Reader)+" "+string(x.Chain)]; !known || w != x.Score {
			t.Errorf("%+v, want %v", x, w)
		}
	}
	for _, c := range got.Chains {
		if c.Wrong != (c.Chain == "m-01") || c.Model != "m · original" {
			t.Errorf("%+v", c)
		}
	}
	left := 0
	for _, c := range got.Side {
		left += c.N
	}
	if len(got.Chains) != 3 || got.Rated != 5 || got.Rated != len(got.Scores)+left {
		t.Errorf("%d chains, rated %d, side %+v", len(got.Chains), got.Rated, got.Side)
	}
}
