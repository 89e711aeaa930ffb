package experiment_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"plumbline/backend/experiment"
	"plumbline/backend/model"
	"plumbline/backend/review"
	"plumbline/backend/sample"
)

// talker reasons in three sentences before it answers, always the same: no control does, and conditions on reasoning need one.
type talker struct{}

func (talker) Name() string { return "talker" }

func (talker) Ask(_ context.Context, r model.Request) (model.Reply, error) {
	return model.Reply{Text: `{"steps":[{"text":"The left base is white.","type":"finding","places":[]},{"text":"The layer is 20 mm deep.","type":"finding","places":[]},` +
		`{"text":"There is no air.","type":"finding","places":[]}],"answer":"` + r.Letters[0] + `"}`}, nil
}

// named lists every name of a condition with a value, as cli.md has them.
func named() []string {
	values := map[string][]string{
		"given:<condition>": {"given:occ"}, "gold:<n>": {"gold:2"}, "context:<field>=<value>": {"context:age=30", "context:weight=80"}, "lang:<code>": {"lang:de"},
		"word:<n>": {"word:1"}, "sentence:<n>": {"sentence:1"}, "semantic:<n>": {"semantic:1"}, "early:<k>": {"early:1"}, "mistake:<k>": {"mistake:2"}, "confident:<p>": {"confident:90"},
		"mitigate:<name>": {"mitigate:triple_combo", "mitigate:gone"}, "slices:<frames>": {"slices:every-4"}, "window:<W/L>": {"window:400/40"},
	}
	out := []string{"occ/remove", "occ/tissue", "occ/blur", "occ/mean", "occ/black", "suggest-wrong@S3+mitigate:std_resistance", "corrupt-side@S2"}
	for _, n := range review.ConditionNames() {
		if v, takes := values[n.Name]; takes {
			out = append(out, v...)
		} else {
			out = append(out, n.Name)
		}
	}
	return out
}

// Every name applies to some case of the sample study, with another prompt or other pictures than the plain one, or says why it does not.
func TestEveryCondition(t *testing.T) {
	s := openSample(t, sample.DefaultSeed)
	cases := pickCases(t, s)
	never := map[string]string{
		"lang:de": "not there in this language", "semantic:1": "no question of the case has such a paraphrase", "expert": "no reader has corrected", "emphasis": "no reader pointed",
		"context:weight=80": "no field weight", "mitigate:gone": "no mitigation", "occ/black": "black is air", "confident:90": "tells no probabilities",
	}
	unchanged := []string{"original", "noop", "own", "full", "given:occ"} // the same input on purpose, and told the same answers by one who never changes them
	all := named()
	plan, err := experiment.NewPlan([]string{"talker"}, cases, append([]string{"original"}, all...), 7, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	models := []experiment.Asked{{Model: talker{}, Info: review.ModelInfo{Name: "talker"}, Concurrency: 2}}
	status, err := experiment.Runner{Study: s.about, Models: models, Book: s.runs, Now: time.Now}.Do(t.Context(), plan)
	if err != nil || len(status.Failed) > 0 {
		t.Fatalf("%+v, %v", status, err)
	}
	plain, found := map[review.CaseID]review.Origin{}, map[string][]review.Origin{}
	chains := map[review.ChainID]review.Chain{}
	if err := s.runs.Made("", func(c review.Chain) error { chains[c.ID] = c; return nil }); err != nil {
		t.Fatal(err)
	}
	origins, err := s.runs.Origins()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range origins {
		if o.Condition.Name() == "original" {
			plain[chains[o.Chain].Case] = o
		}
	}
	for _, o := range origins {
		c := o.Condition
		if c.Image == "occ" && !slices.ContainsFunc(all, func(n string) bool { return n == c.Name() }) {
			t.Errorf("a chain of %s, which nobody asked for", c.Name())
		}
		found[c.Name()] = append(found[c.Name()], o)
	}
	checkApplied(t, s, all, never, unchanged, found, plain, chains, cases)
}

// checkApplied looks at each name by itself.
func checkApplied(t *testing.T, s study, all []string, never map[string]string, unchanged []string, found map[string][]review.Origin, plain map[review.CaseID]review.Origin, chains map[review.ChainID]review.Chain, cases []review.CaseID) {
	t.Helper()
	for _, name := range all {
		c, err := review.ParseCondition(name)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := experiment.NewPlan([]string{"talker"}, cases, []string{name}, 7, time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		applied := applying(found, c)
		if says, none := never[name]; none {
			if len(applied) > 0 {
				t.Errorf("%s applies to %d cases, want none", name, len(applied))
			}
			status, err := experiment.Runner{Study: s.about, Models: []experiment.Asked{{Model: talker{}, Info: review.ModelInfo{Name: "alone"}}}, Book: s.runs, Now: time.Now}.Do(t.Context(), alone)
			if err != nil || !strings.Contains(fmt.Sprint(status.NotApplicable), says) {
				t.Errorf("%s says %v, %v; want %q", name, status.NotApplicable, err, says)
			}
			continue
		}
		if len(applied) == 0 {
			t.Errorf("%s applies to no case", name)
			continue
		}
		differs := false
		for _, o := range applied {
			before := plain[chains[o.Chain].Case]
			differs = differs || o.PromptDigest != before.PromptDigest || !slices.Equal(chains[o.Chain].ImageDigests, chains[before.Chain].ImageDigests)
		}
		if differs == slices.Contains(unchanged, name) {
			t.Errorf("%s: input differs from the plain one: %v", name, differs)
		}
	}
}

// applying gives the chains of a condition, whatever fill was chosen for it.
func applying(found map[string][]review.Origin, c review.Condition) []review.Origin {
	if out := found[c.Name()]; len(out) > 0 {
		return out
	}
	for _, all := range found {
		if o := all[0].Condition; c.Fill == "" {
			o.Fill = ""
			if o.CueTarget = ""; o.Name() == c.Name() {
				return all
			}
		}
	}
	return nil
}

// pickCases takes the first CT with a finding, the first without, and the first film of either kind.
func pickCases(t *testing.T, s study) []review.CaseID {
	t.Helper()
	present := map[review.CaseID]bool{}
	for _, v := range s.about.Truth {
		present[v.Case] = present[v.Case] || v.Present != nil && *v.Present
	}
	var out []review.CaseID
	count := map[string]int{}
	for _, id := range s.set.IDs() {
		c, err := s.set.Case(id)
		if err != nil {
			t.Fatal(err)
		}
		kind := fmt.Sprint(c.Images[0].Modality, present[id])
		if count[kind]++; count[kind] == 1 {
			out = append(out, id)
		}
	}
	return out
}
