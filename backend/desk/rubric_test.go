package desk_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// TestRubricFields walks measurement.md, "Judge, per step": for each support what a step with a region asks before signing, as the first
// step of its chain and later.
func TestRubricFields(t *testing.T) {
	r := desktest.New(t).As("ann").Open("case-01").LookAll()
	for _, c := range []struct {
		step    string
		support review.Support
		want    string
	}{
		{"s1", "", "support confidence"},
		{"s1", review.Supported, "evidence confidence"},
		{"s1", review.Partly, "evidence error significance confidence"},
		{"s1", review.Unsupported, "error significance confidence"},
		{"s1", review.NotVisual, "confidence"},
		{"s1", review.CannotAssess, "reason confidence"},
		{"s2", review.Supported, "evidence model_place confidence"},
		{"s2", review.Contradicted, "model_place error builds_on_error significance confidence"},
		{"s2", review.CannotAssess, "reason model_place confidence"},
		{"s3", "", "support model_place"},
		{"s3", review.Contradicted, "model_place"},
		{"s3", review.CannotAssess, "reason model_place"},
	} {
		saved, err := r.Desk().Rate(t.Context(), r.View.Assignment, "x11", review.Rating{Step: review.StepID(c.step), Support: c.support}, "")
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, m := range saved.Missing {
			if m.Chain == "x11" && m.Part == c.step {
				got = append(got, m.Field)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s %q: missing %v, want %s", c.step, c.support, got, c.want)
		}
	}
}

func TestRatingRefusesWhatIsNotOffered(t *testing.T) {
	r := desktest.New(t).As("ann").Open("case-01").LookAll()
	point := review.Region{Image: "xr", Shape: review.Point, Coords: []float64{.5, .5}}
	frame := 3
	for name, c := range map[string]struct {
		rating review.Rating
		words  string
	}{
		"support":                 {review.Rating{Step: "s1", Support: "maybe"}, "support: one of supported, partly"},
		"reason":                  {review.Rating{Step: "s1", Support: review.CannotAssess, Reason: "tired"}, "reason: one of quality"},
		"reason when supported":   {review.Rating{Step: "s1", Support: review.Supported, Reason: "quality"}, "reason: asked only with support cannot_assess"},
		"error":                   {review.Rating{Step: "s1", Support: review.Partly, Error: []string{"typo"}}, "error: one of false_finding"},
		"error twice":             {review.Rating{Step: "s1", Support: review.Partly, Error: []string{"wrong_location", "wrong_location"}}, "twice"},
		"error when supported":    {review.Rating{Step: "s1", Support: review.Supported, Error: []string{"wrong_location"}}, "error: asked only with support partly"},
		"significance":            {review.Rating{Step: "s1", Support: review.Partly, Significance: "c"}, "significance: one of a, b"},
		"place without region":    {review.Rating{Step: "s1", ModelPlace: "correct"}, "model_place: asked only of a step that cites a region"},
		"builds on, first":        {review.Rating{Step: "s1", Support: review.Partly, BuildsOnError: "yes"}, "builds_on_error: not asked of the first step"},
		"confidence":              {review.Rating{Step: "s1", Confidence: 4}, "confidence: one of 1, 2, 3"},
		"confidence of latent":    {review.Rating{Step: "s3", Confidence: 1}, "confidence: not asked of a step without text"},
		"long note":               {review.Rating{Step: "s1", Note: strings.Repeat("x", 30_000)}, "note: at most"},
		"image":                   {review.Rating{Step: "s1", Evidence: []review.Region{{Image: "ct", Shape: review.Point, Coords: []float64{.5, .5}}}}, `no image "ct"`},
		"outside":                 {review.Rating{Step: "s1", Evidence: []review.Region{{Image: "xr", Shape: review.Point, Coords: []float64{1.5, .5}}}}, "fractions"},
		"frame that is not there": {review.Rating{Step: "s1", Evidence: []review.Region{{Image: "xr", Frame: &frame, Shape: review.Point, Coords: []float64{.5, .5}}}}, "frame is not in the image"},
		"ids twice":               {review.Rating{Step: "s1", Evidence: []review.Region{{ID: "a", Image: "xr", Shape: review.Point, Coords: point.Coords}, {ID: "a", Image: "xr", Shape: review.Point, Coords: point.Coords}}}, "twice"},
	} {
		_, err := r.Desk().Rate(t.Context(), r.View.Assignment, "x11", c.rating, "")
		if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, c := range map[string]struct {
		change func(*review.ChainRating)
		words  string
	}{
		"answer":         {func(c *review.ChainRating) { c.Answer = "yes" }, "answer: one of correct"},
		"first bad step": {func(c *review.ChainRating) { c.FirstBadStep = "s9" }, "first_bad_step: one of s1, s2, s3, none"},
		"radpeer":        {func(c *review.ChainRating) { c.Radpeer = "4" }, "radpeer"},
		"none and more":  {func(c *review.ChainRating) { c.NeedsMore = []string{"none", "history"} }, "none stands alone"},
		"missed nothing": {func(c *review.ChainRating) { c.Missed = []review.Missed{{Text: " "}} }, "missed"},
		"missed, how":    {func(c *review.ChainRating) { c.Missed = []review.Missed{{Text: "nodule", Significance: "z"}} }, "missed: one of a, b"},
		"missed, where": {func(c *review.ChainRating) {
			c.Missed = []review.Missed{{Text: "nodule", Region: &review.Region{Image: "ct"}}}
		}, "missed: region 1"},
	} {
		verdict := desktest.FullChain()
		c.change(&verdict)
		_, err := r.Desk().RateChain(t.Context(), r.View.Assignment, "x11", verdict, "")
		if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if v := r.Person().Open("case-01").View; v.Done != 2 || v.Revisions != 0 {
		t.Errorf("what is refused leaves no trace: %d done, %d revisions", v.Done, v.Revisions)
	}
}

// The first bad step is the first with support 0 or 1, or with significance b; it is open while a step before it is.
func TestFirstBadStep(t *testing.T) {
	r := desktest.New(t).As("ann").Open("case-01").LookAll()
	first := func() string {
		for _, c := range r.Person().Open("case-01").View.Chains {
			if c.ID == "x11" {
				return c.FirstBadStep
			}
		}
		return "?"
	}
	rate := func(step review.StepID, s review.Support, significance string) {
		t.Helper()
		if _, err := r.Desk().Rate(t.Context(), r.View.Assignment, "x11", review.Rating{Step: step, Support: s, Significance: significance}, ""); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		step         review.StepID
		support      review.Support
		significance string
		want         string
	}{
		{"s2", review.Contradicted, "", ""}, // s1 is open
		{"s1", review.Supported, "", "s2"},
		{"s2", review.Partly, "a", ""}, // s3 is open
		{"s3", review.Supported, "", "none"},
		{"s2", review.Partly, "b", "s2"},
		{"s1", review.Unsupported, "", "s1"},
		{"s1", review.CannotAssess, "", "s2"},
	} {
		rate(c.step, c.support, c.significance)
		if got := first(); got != c.want {
			t.Errorf("after %s %s %s: %q, want %q", c.step, c.support, c.significance, got, c.want)
		}
	}
}

func TestRubricIsData(t *testing.T) {
	r := review.GRD()
	if r.Digest != review.GRD().Digest || r.Digest == "" {
		t.Error("the same rubric has the same digest")
	}
	b, err := json.Marshal(r)
	if err != nil || strings.Contains(string(b), "null") {
		t.Errorf("%s, %v", b, err)
	}
	i := slices.IndexFunc(r.Step, func(f review.Field) bool { return f.Name == "model_place" })
	if got := strings.Join(r.Step[i].Options, " "); got != "correct imprecise wrong_site wrong_side none_given" {
		t.Errorf("model_place: %s", got)
	}
}
