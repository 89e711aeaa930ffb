package experiment

import (
	"strings"
	"testing"

	"plumbline/backend/review"
)

func TestSides(t *testing.T) {
	for text, want := range map[string]string{
		"left":                    "right",
		"Right lower lobe":        "Left lower lobe",
		"LEFT, behind the heart":  "RIGHT, behind the heart",
		"a right-sided effusion":  "a left-sided effusion",
		"leftward shift":          "rightward shift",
		"both, left more":         "both, right more",
		"left and right":          "",
		"a bright rim":            "",
		"cleft":                   "",
		"bright nodule, left":     "bright nodule, right",
		"upright film, right leg": "upright film, left leg",
		"midline":                 "",
		"":                        "",
	} {
		if got := otherSide(text); got != want {
			t.Errorf("other side of %q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{"No effusion": true, "none": true, "Normal heart": true, "absent": true, "not seen": true, "nodule": false, "Notched border": false, "abnormal": false, "": false} {
		if got := negates(text); got != want {
			t.Errorf("%q says that nothing is there: %v", text, got)
		}
	}
}

// The image that stands in for a case's is of another patient, of the same modality, organ and view, and another answer is right to it.
func TestDonorIsSeenAlike(t *testing.T) {
	axial, coronal := []float64{1, 0, 0, 0, 1, 0}, []float64{1, 0, 0, 0, 0, -1}
	of := func(id, patient, modality string, orientation []float64, letters []string, view, finding string) *subject {
		two := func(a, b string) []review.Option {
			return []review.Option{{Letter: "A", Text: a}, {Letter: "B", Text: b}}
		}
		u := &subject{Case: review.Case{ID: review.CaseID(id), Patient: review.PatientID(patient)}}
		u.questions = []review.Question{
			{ID: "view", K: 1, Category: "plane/view", Options: two("frontal", "lateral")}, {ID: "finding", K: 3, Options: two("nodule", "none")},
		}
		u.truth = map[review.QuestionID]review.Truth{"finding": {Gold: &finding}}
		if view != "" {
			u.truth["view"] = review.Truth{Gold: &view}
		}
		f := review.Frame{Orientation: orientation, PatientOrientation: letters}
		u.stacks = []review.Stack{{Modality: modality, Kind: review.SingleImage, Frames: []review.Frame{f}}}
		return u
	}
	own := of("case-1", "p1", "DX", nil, []string{"L", "F"}, "A", "A")
	tilted := of("case-1", "p1", "CT", []float64{.99, .1, 0, -.1, .95, .3}, nil, "", "A")
	for name, c := range map[string]struct {
		own, other *subject
		fits       bool
	}{
		"another patient, other answer":     {own, of("case-2", "p2", "DX", nil, []string{"L", "F"}, "A", "B"), true},
		"rows run the other way":            {own, of("case-2", "p2", "DX", nil, []string{"R", "F"}, "A", "B"), true},
		"the view is not known":             {own, of("case-2", "p2", "DX", nil, []string{"L", "F"}, "", "B"), true},
		"the same patient":                  {own, of("case-2", "p1", "DX", nil, []string{"L", "F"}, "A", "B"), false},
		"no patient is named":               {own, of("case-2", "", "DX", nil, []string{"L", "F"}, "A", "B"), false},
		"the same answer":                   {own, of("case-2", "p2", "DX", nil, []string{"L", "F"}, "A", "A"), false},
		"another modality":                  {own, of("case-2", "p2", "CT", nil, []string{"L", "F"}, "A", "B"), false},
		"another view by the file":          {own, of("case-2", "p2", "DX", nil, []string{"A", "F"}, "A", "B"), false},
		"another view by the right answers": {own, of("case-2", "p2", "DX", nil, []string{"L", "F"}, "B", "B"), false},
		"axial beside tilted axial":         {tilted, of("case-2", "p2", "CT", axial, nil, "", "B"), true},
		"axial by letters beside axial":     {tilted, of("case-2", "p2", "CT", nil, []string{"L", "P"}, "", "B"), true},
		"the file says nothing of the view": {tilted, of("case-2", "p2", "CT", nil, nil, "", "B"), true},
		"coronal beside axial":              {tilted, of("case-2", "p2", "CT", coronal, nil, "", "B"), false},
	} {
		if got := c.own.findDonor([]donor{{*c.other, c.other.kind(), c.other.view()}}); (got != "") != c.fits {
			t.Errorf("%s: donor %q", name, got)
		}
	}
}

// Of another patient's answers all are told that can be given here, also those that are right here too.
func TestAnotherPatientsAnswersAreToldWhole(t *testing.T) {
	options, right, wrong := []review.Option{{Letter: "A", Text: "left"}, {Letter: "B", Text: "right"}}, "A", "B"
	of := func(id string, second *string) *subject {
		u := &subject{Case: review.Case{ID: review.CaseID(id)}, truth: map[review.QuestionID]review.Truth{"q1": {Gold: &right}, "q2": {Gold: second}}}
		for i, q := range []review.QuestionID{"q1", "q2", "q3"} {
			u.questions = append(u.questions, review.Question{ID: q, K: i + 1, Text: string(q), Options: options})
		}
		return u
	}
	u := of("case-1", &right)
	u.donor = of("case-2", &wrong)
	if lines := u.tell(review.Condition{Given: "given-swap"}, 2, nil, nil).lines; len(lines) != 2 || !strings.Contains(lines[0], "A. left") || !strings.Contains(lines[1], "B. right") {
		t.Errorf("%q", lines)
	}
}

// What a cue points to is right or wrong in the image as it is shown: mirrored, or another patient's.
func TestCuesAreRightInTheImageShown(t *testing.T) {
	side := []review.Option{{Letter: "A", Text: "Left"}, {Letter: "B", Text: "Right"}, {Letter: "C", Text: "Neither side"}}
	left, right := "A", "B"
	q := review.Question{ID: "q1", K: 2, Options: side}
	of := func(gold *string) *subject {
		return &subject{questions: []review.Question{q}, truth: map[review.QuestionID]review.Truth{"q1": {Gold: gold}}}
	}
	u := of(&left)
	u.donor = of(&right)
	for _, c := range []struct{ image, cue, want string }{
		{"", "suggest-right", "A"}, {"", "suggest-wrong", "B"}, {"mirror", "suggest-right", "B"}, {"mirror", "suggest-wrong", "A"},
		{"swap", "suggest-right", "B"}, {"swap", "suggest-wrong", "A"}, {"mirror", "box-right", "B"},
	} {
		if got, cued := u.cueFor(review.Condition{Image: c.image, Cue: c.cue}, q, DefaultWording()); !cued || got.target != c.want {
			t.Errorf("%s+%s points to %q, want %q", c.image, c.cue, got.target, c.want)
		}
	}
}
