package desktest

import (
	"testing"

	"plumbline/backend/review"
)

func TestTwoReaders(t *testing.T) {
	study := New(t)
	ann, bob := study.As("ann"), study.As("bob")
	ann.Open("case-01").LookAll().Rate("s2", review.Partly).Sign()
	if s := bob.State(); s.Signed != 0 || s.Cases != 4 {
		t.Errorf("bob after ann signed: %d of %d", s.Signed, s.Cases)
	}
	bob.Open("case-01").LookAll().Rate("s2", review.Contradicted).Sign()
	ann.Open("case-01").Correct("s2", review.Unsupported, "looked again")
	for _, c := range []struct {
		p         *Person
		want      review.Support
		revisions int
	}{{ann, review.Unsupported, 1}, {bob, review.Contradicted, 0}} {
		v := c.p.Open("case-01").View
		if v.Phase != "signed" || v.Revisions != c.revisions {
			t.Errorf("%s: phase %s, %d revisions", c.p.name, v.Phase, v.Revisions)
		}
		if r := v.Chains[0].Ratings[1]; r.Step != "s2" || r.Support != c.want {
			t.Errorf("%s: %+v", c.p.name, r)
		}
	}
}
