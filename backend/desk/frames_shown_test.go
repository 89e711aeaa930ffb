package desk_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/review"
	"plumbline/backend/sample"
)

// A case that shows some frames of its image shows them alone, by their own numbers, to its reader and to a model.
func TestFramesShown(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "study")
	if _, err := sample.Write(t.Context(), dir, sample.DefaultSeed, review.Quiet); err != nil {
		t.Fatal(err)
	}
	cases := filepath.Join(dir, "cases.jsonl")
	text, err := os.ReadFile(cases)
	if err != nil {
		t.Fatal(err)
	}
	want := []int{4, 5, 9, 12}
	text = bytes.Replace(text, []byte(`"frames_shown":[]`), []byte(`"frames_shown":[4,5,9,12]`), 1) // of the first case
	if err := os.WriteFile(cases, text, 0o600); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, desk.Options{})
	if _, err := d.Import(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	numbers := func(stacks []review.Stack) (out []int) {
		for _, f := range stacks[0].Frames {
			out = append(out, f.Index)
		}
		return out
	}
	v, err := d.OpenCase(t.Context(), "case-01")
	if err != nil || !slices.Equal(numbers(v.Stacks), want) {
		t.Errorf("the reader is shown frames %v, %v", numbers(v.Stacks), err)
	}
	chain := ranOver(t, d, "random", "mirror", "case-01")
	before := ranOver(t, d, "random", "original", "case-01")
	c, err := d.CompareChains(t.Context(), "case-01", before, chain)
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for _, arm := range c.Arms {
		for _, p := range arm.Pictures {
			if p.Recipe.Sent != len(want) {
				t.Errorf("%s: %d frames were sent", arm.Origin.Condition.Name(), p.Recipe.Sent)
			}
			if len(p.Sent) == 0 {
				continue
			}
			if made++; !slices.Equal(p.Sent[0], want) || !slices.Equal(numbers(p.Stacks), want) || !slices.Equal(p.Changed[0], want) {
				t.Errorf("sent %v, shown %v, changed %v", p.Sent[0], numbers(p.Stacks), p.Changed[0])
			}
		}
	}
	if made == 0 {
		t.Error("no picture was made")
	}
	other, err := d.OpenCase(t.Context(), "case-02")
	if err != nil || len(other.Stacks[0].Frames) < 20 {
		t.Errorf("a case that shows all: %d frames, %v", len(other.Stacks[0].Frames), err)
	}
}
