package model

import (
	"strings"
	"testing"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// prompts are some with every part and some with few.
func prompts() []Prompt {
	full := filmPrompt()
	full.Geometry = Geometry{Images: 40, PixelMM: 1.40625, BetweenMM: 7, Center: -600, Width: 1500}
	full.Earlier, full.Cue = []string{"Which way? A. Left", "Where? B. Low"}, "it is (A)."
	return []Prompt{full, filmPrompt(), {Question: "What?", Stage: "S1", Options: sideOptions}}
}

func TestStagedTemplateWritesThePrompt(t *testing.T) {
	all, err := Templates()
	if err != nil {
		t.Fatal(err)
	}
	for _, staged := range all {
		for _, p := range prompts() {
			got, err := staged.Text(p, FormSteps, review.BoxConvention{})
			if err != nil || staged.Name == "staged" && got != p.Text() {
				t.Errorf("%s, %v:\n%s\nwant\n%s", staged.Name, err, got, p.Text())
			}
		}
		if staged.Digest == "" {
			t.Errorf("%s has no digest", staged.Name)
		}
	}
	if len(all) == 0 || all[0].Name != "staged" {
		t.Errorf("templates %v", all)
	}
}

func TestTemplateSaysTheForm(t *testing.T) {
	all, err := Templates()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		form Form
		box  review.BoxConvention
		says string
	}{
		{FormSteps, review.BoxConvention{Space: review.SpaceThousand}, "A box is [x0,y0,x1,y1] in whole numbers from 0 to 1000."},
		{FormSteps, review.BoxConvention{Space: review.SpaceThousand, Order: "yxyx"}, "[y0,x0,y1,x1]"},
		{FormLetter, review.BoxConvention{}, "the letter of one option only"},
		{FormProse, review.BoxConvention{Space: review.SpacePixels}, `pixels of the picture. End with a line "Answer: <letter>".`},
	} {
		text, err := all[0].Text(filmPrompt(), c.form, c.box)
		if err != nil || !strings.Contains(text, c.says) {
			t.Errorf("%q %v: %v, want it to say %q:\n%s", c.form, c.box, err, c.says, text)
		}
	}
}

func TestBadTemplates(t *testing.T) {
	for name, source := range map[string]string{
		"broken":          "{{.Question",
		"no such field":   "{{.Gold}} {{.Question}}",
		"no options":      "{{.Question}}",
		"without an end":  "{{range 100000000}}{{$.Question}}{{end}}",
		"longer than all": strings.Repeat("x", 2<<20),
	} {
		if _, err := ParseTemplate(name, source); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v, want invalid", name, err)
		}
	}
}
