package review

import "testing"

// S10: several answers are a set.
func TestSameAnswer(t *testing.T) {
	choice := Question{Options: []Option{{Letter: "1", Text: "nodule"}, {Letter: "2", Text: "mass, large"}, {Letter: "A", Text: "none"}}}
	for _, c := range []struct {
		q    Question
		a, b string
		want bool
	}{
		{choice, "[2,1]", "[1,2]", true},
		{choice, "2, 1", "1;2", true},
		{choice, "Mass,  large", "2", true},
		{choice, "none; nodule", "1,A", true},
		{choice, "1,9", "1", false},
		{choice, "a", "A", true},
		{choice, "1", "1,2", false},
		{choice, "1,1", "1", true},
		{choice, "", "1", false},
		{choice, "1,2", "1,A", false},
		{Question{}, "Left  upper lobe", "left upper lobe", true},
		{Question{}, "b, a", "a, b", false},
	} {
		if got := c.q.Same(c.a, c.b); got != c.want || c.q.Same(c.b, c.a) != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
