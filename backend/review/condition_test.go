package review

import (
	"slices"
	"strings"
	"testing"
)

func TestParseCondition(t *testing.T) {
	for _, c := range []struct {
		text, name, wrong string
	}{
		{text: "original", name: "original"},
		{text: "noop", name: "noop"},
		{text: "occ/remove", name: "occ/remove"},
		{text: "none+suggest-right", name: "none+suggest-right"},
		{text: "occ+given:orig", name: "occ+given:original"},
		{text: "original+given:occ", name: "given:occ"},
		{text: "given:occ/remove", name: "given:occ/remove"},
		{text: "corrupt-side@S2", name: "corrupt-side@S2"},
		{text: "suggest-wrong@S4", name: "suggest-wrong@S4"},
		{text: "gold:2", name: "gold:2"},
		{text: "context:age=80", name: "context:age=80"},
		{text: "lang:de + word:2", name: "lang:de+word:2"},
		{text: "slices:4-9+window:1500/-600", name: "slices:4-9+window:1500/-600"},
		{text: "slices:9-4", wrong: "from the first to the last"},
		{text: "slices:every-0", wrong: "a number from 1"},
		{text: "slices:some", wrong: "4-9, every-3 or middle-5"},
		{text: "window:0/40", wrong: "width/level"},
		{text: "window:wide", wrong: "width/level"},
		{text: "", wrong: "no condition"},
		{text: "occ+ctl", wrong: "both change the image"},
		{text: "noop/remove", wrong: "a fill"},
		{text: "occ/pink", wrong: "a fill"},
		{text: "occ@S2", wrong: "a stage"},
		{text: "suggest-wrong@two", wrong: "a stage"},
		{text: "gold:0", wrong: "a number from 1"},
		{text: "gold:", wrong: "no condition"},
		{text: "given:gold", wrong: "its own"},
		{text: "context:age", wrong: "<field>=<value>"},
		{text: "suggest", wrong: "no condition"},
	} {
		got, err := ParseCondition(c.text)
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%q: %v, want an error about %q", c.text, err, c.wrong)
			}
			continue
		}
		if err != nil || got.Name() != c.name {
			t.Errorf("%q: %q, %v; want %q", c.text, got.Name(), err, c.name)
		}
	}
}

func TestEveryConditionNameIsRead(t *testing.T) {
	values := strings.NewReplacer("<n>", "2", "<k>", "1", "<p>", "90", "<condition>", "occ", "<frames>", "every-3", "<W/L>", "400/40", "<field>=<value>", "sex=male", "<code>", "de", "<name>", "plain")
	for _, n := range ConditionNames() {
		c, err := ParseCondition(values.Replace(n.Name))
		if err != nil {
			t.Errorf("%s: %v", n.Name, err)
			continue
		}
		untouched := n.Name == "original" || n.Name == "own" || n.Name == "full"
		if factors := c.Differences(Condition{}); untouched != (len(factors) == 0) || !untouched && !slices.Equal(factors, []string{n.Factor}) {
			t.Errorf("%s changes %v, want %s", n.Name, factors, n.Factor)
		}
	}
	for _, text := range StandardConditions() {
		if _, err := ParseCondition(text); err != nil {
			t.Errorf("standard condition %s: %v", text, err)
		}
	}
}

// A comparison changes one field; the 2×2 two.
func TestComparable(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want []string
	}{
		{"original", "noop", []string{"image"}},
		{"original", "occ", []string{"image"}},
		{"original", "occ+given:orig", []string{"image"}},
		{"given:orig", "original", []string{}},
		{"occ", "occ+given:orig", []string{"given"}},
		{"given:orig", "occ+given:occ", []string{"image", "given"}},
		{"occ/remove", "occ/tissue", []string{"fill"}},
		{"none", "none+suggest-right", []string{"cue"}},
		{"original", "none+suggest-right", []string{"image", "cue"}},
		{"gold", "corrupt-side", []string{"given"}},
		{"suggest-wrong", "suggest-wrong+mitigate:plain", []string{"mitigation"}},
	} {
		a, errA := ParseCondition(c.a)
		b, errB := ParseCondition(c.b)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if got := a.Differences(b); !slices.Equal(got, c.want) {
			t.Errorf("%s and %s differ in %v, want %v", c.a, c.b, got, c.want)
		}
		if got := b.Differences(a); !slices.Equal(got, c.want) {
			t.Errorf("%s and %s differ in %v, want %v", c.b, c.a, got, c.want)
		}
		if (a.Comparable(b, 1) == nil) != (len(c.want) <= 1) {
			t.Errorf("%s and %s: comparable %v", c.a, c.b, a.Comparable(b, 1))
		}
	}
}

func FuzzParseCondition(f *testing.F) {
	for _, s := range StandardConditions() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCondition(text)
		if err != nil {
			return
		}
		again, err := ParseCondition(c.Name())
		if err != nil || again.Name() != c.Name() {
			t.Errorf("%q is written %q, which reads %q, %v", text, c.Name(), again.Name(), err)
		}
	})
}
