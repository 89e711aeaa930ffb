package experiment_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"
	"time"

	"plumbline/backend/dataset"
	"plumbline/backend/experiment"
	"plumbline/backend/report"
	"plumbline/backend/review"
	"plumbline/backend/sample"
	"plumbline/backend/store"
)

// study is the sample study with what runs made of it.
type study struct {
	set   *dataset.Set
	about experiment.Study
	runs  *store.Runs
}

func openSample(t *testing.T, seed int64) study {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "study")
	if _, err := sample.Write(context.Background(), dir, seed, review.Quiet); err != nil {
		t.Fatal(err)
	}
	set, problems, err := dataset.Open(context.Background(), dir, nil, review.Quiet)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	truth, _, err := set.Truth(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	runs, err := store.OpenRuns(filepath.Join(t.TempDir(), "runs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := runs.Close(); err != nil {
			t.Error(err)
		}
	})
	bare, ok := sample.OpenStudy(set.Info())
	if !ok {
		t.Fatal("the sample study is not known again")
	}
	return study{set, experiment.Study{Source: set, Bare: bare, Truth: truth}, runs}
}

// reported computes the report of what runs made of the study: the table's numbers are its own.
func (s study) reported(t *testing.T) report.Document {
	t.Helper()
	in := report.Input{Dataset: s.set.Info(), Truth: s.about.Truth, Clusters: map[review.CaseID]string{}, Seed: 7, Resamples: 200}
	for _, id := range s.set.IDs() {
		c, err := s.set.Case(id)
		if err != nil {
			t.Fatal(err)
		}
		in.Cases, in.Clusters[id] = append(in.Cases, c), s.set.Cluster(id)
	}
	var err error
	if in.Origins, err = s.runs.Origins(); err != nil {
		t.Fatal(err)
	}
	if err := s.runs.Made("", func(c review.Chain) error { in.Chains = append(in.Chains, c); return nil }); err != nil {
		t.Fatal(err)
	}
	doc, err := report.Make(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// row is one line of the table of controls.
type row struct {
	noop, direct2, directLater, total, te, nde, nie, corrupt, cue, history, swap, swapHeld report.Number
}

// measure reads a model's line out of the report. At S3 and S4, where the same is expected, the one further from that stands for both.
func measure(t *testing.T, m report.Model) row {
	t.Helper()
	r := m.ImageReliance
	out := row{noop: r.Noise.Number, total: r.NetTotal.Number, corrupt: m.Origin.CorruptFollow, swap: r.SwapFollow}
	for _, at := range r.ByStage {
		if at.K > 2 && (out.swapHeld.Value == nil || value(at.SwapFollowHeld) > *out.swapHeld.Value) {
			out.swapHeld = at.SwapFollowHeld
		}
		switch {
		case at.K == 2:
			out.direct2 = at.NetNecessity.Number
		case at.K > 2 && (out.directLater.Value == nil || math.Abs(value(at.NetNecessity.Number)) > math.Abs(*out.directLater.Value)):
			out.directLater = at.NetNecessity.Number
		}
	}
	for _, at := range m.Mediation.Stages {
		if at.K == 4 {
			out.te, out.nde, out.nie = at.TE, at.NDE, at.NIE
		}
	}
	for _, c := range m.Cues.Rows {
		switch c.Cue {
		case "suggest-wrong":
			out.cue = c.Follow
		case "history-wrong":
			out.history = c.Follow
		}
	}
	for name, n := range map[string]report.Number{"noop": out.noop, "direct at S2": out.direct2, "direct later": out.directLater, "total": out.total, "TE": out.te,
		"corrupt": out.corrupt, "cue": out.cue, "history": out.history, "swap": out.swap, "swap held": out.swapHeld} {
		if n.Value == nil {
			t.Errorf("%s: %s is not estimable: %s", m.Model, name, n.Reason)
		}
	}
	return out
}

func value(n report.Number) float64 {
	if n.Value == nil {
		return math.NaN()
	}
	return *n.Value
}

// The table of controls: each measure gives what it must on models whose ways are known.
func TestTableOfControls(t *testing.T) {
	for _, seed := range []int64{sample.DefaultSeed, 20261} {
		if testing.Short() && seed != sample.DefaultSeed {
			continue
		}
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { tableOfControls(t, seed) })
	}
}

func tableOfControls(t *testing.T, seed int64) {
	s := openSample(t, seed)
	conditions := []string{
		"original", "noop", "occ/remove", "ctl/remove", "occ/remove+given:orig", "ctl/remove+given:orig", "occ/remove+given:occ/remove",
		"original+given:occ/remove", "swap", "swap+given:orig", "gold", "corrupt-side", "corrupt-organ", "corrupt-negate", "suggest-wrong", "history-wrong",
	}
	models := experiment.Controls()
	var names []string
	for _, m := range models {
		names = append(names, m.Name())
	}
	plan, err := experiment.NewPlan(names, s.set.IDs(), conditions, 7, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	status, err := experiment.Runner{Study: s.about, Models: models, Book: s.runs, Now: time.Now}.Do(context.Background(), plan)
	if err != nil || len(status.Failed) > 0 {
		t.Fatalf("%+v, %v", status, err)
	}
	t.Logf("%d requests, %d chains, %.1f s, not applicable %v", status.Requests, status.Chains, status.Seconds, status.NotApplicable)
	for _, m := range s.reported(t).Models {
		checkRow(t, m)
	}
	checkNothingElse(t, s, s.said(t, "oracle-pixels"))
}

// checkRow holds a model's line against the table; what the control does decides it, so that equality is asked for.
func checkRow(t *testing.T, m report.Model) {
	t.Helper()
	r := measure(t, m)
	if n := m.ImageReliance.Testable; n.N == 0 || m.ImageReliance.Noise.N != n.N {
		t.Errorf("%s: %d of %d questions testable, noise of %d", m.Model, n.N, n.Of, m.ImageReliance.Noise.N)
	}
	got := [12]float64{value(r.noop), value(r.direct2), value(r.directLater), value(r.total), value(r.te), value(r.nde), value(r.nie), value(r.corrupt), value(r.cue), value(r.history), value(r.swap), value(r.swapHeld)}
	t.Logf("%-16s %d testable; noop, N direct S2 and later, total, TE, NDE, NIE, corrupt, cue, history, swap, held: %.2f", m.Model, m.ImageReliance.Testable.N, got)
	want, fixed := map[string][10]float64{
		// noop, N direct at S2 and later, N total, TE, NDE, NIE, corrupt-follow, cue-follow, history-follow
		"oracle-pixels":    {0, 1, 1, 1, 1, 1, 0, 0, 0, 0},
		"text-only":        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		"cue-follower":     {0, 0, 0, 0, 0, 0, 0, 0, 1, 0},
		"context-shortcut": {0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
		"chain-copier":     {0, 1, 0, 1, 1, 0, 1, 1, 0, 0},
	}[m.Model]
	if fixed && [10]float64(got[:10]) != want {
		t.Errorf("%s: %v, want %v", m.Model, got, want)
	}
	switch m.Model {
	case "oracle-pixels":
		if got[10] != 1 || got[11] != 1 {
			t.Errorf("%s follows a swapped image in %.2f, held in %.2f", m.Model, got[10], got[11])
		}
	case "text-only", "cue-follower", "context-shortcut":
		if got[10] != 0 || got[11] != 0 {
			t.Errorf("%s follows a swapped image that it does not see: %.2f, %.2f", m.Model, got[10], got[11])
		}
	case "chain-copier": // how large the thing in another image is, no earlier answer tells: there its table can only guess
		if got[10] < .95 || got[11] != 0 {
			t.Errorf("%s follows a swapped image in %.2f, held in %.2f", m.Model, got[10], got[11])
		}
	case "random":
		checkRandom(t, r)
	}
}

// said gives what a model said under the original condition.
func (s study) said(t *testing.T, model string) map[review.CaseID]map[review.QuestionID]*string {
	t.Helper()
	origins, err := s.runs.Origins()
	if err != nil {
		t.Fatal(err)
	}
	of := map[review.ChainID]bool{}
	for _, o := range origins {
		of[o.Chain] = o.Model.Name == model && o.Condition.Name() == "original"
	}
	out := map[review.CaseID]map[review.QuestionID]*string{}
	err = s.runs.Made("", func(c review.Chain) error {
		if !of[c.ID] {
			return nil
		}
		out[c.Case] = map[review.QuestionID]*string{}
		for _, a := range c.Answers {
			out[c.Case][a.Question] = a.Answer
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// exchanged is a study of which every case shows the images of another, while the program goes on to believe in its own.
type exchanged struct {
	experiment.Source
	by map[review.CaseID]review.CaseID
}

func (e exchanged) Samples(ctx context.Context, of review.CaseID, image review.ImageID, n int) (review.Frame, review.Samples, error) {
	return e.Source.Samples(ctx, e.by[of], image, n)
}

// checkNothingElse exchanges the pixels of cases with the same questions, takes gold away and takes another seed: the answers go with the
// pixels, and with nothing else.
func checkNothingElse(t *testing.T, s study, before map[review.CaseID]map[review.QuestionID]*string) {
	t.Helper()
	byKind := map[string][]review.Case{}
	for _, id := range s.set.IDs() {
		c, err := s.set.Case(id)
		if err != nil {
			t.Fatal(err)
		}
		kind := fmt.Sprint(c.Images[0].Modality, len(c.Questions))
		byKind[kind] = append(byKind[kind], c)
	}
	by, cases, ids := map[review.CaseID]review.CaseID{}, map[review.CaseID]review.Case{}, []review.CaseID{}
	for _, list := range byKind {
		for i, c := range list[:min(4, len(list))] {
			by[c.ID], cases[c.ID] = list[(i+1)%min(4, len(list))].ID, c
			ids = append(ids, c.ID)
		}
	}
	runs, err := store.OpenRuns(filepath.Join(t.TempDir(), "runs.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer runs.Close()
	other := study{s.set, experiment.Study{Source: exchanged{s.set, by}}, runs}
	plan, err := experiment.NewPlan([]string{"oracle-pixels"}, ids, []string{"original"}, 99, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (experiment.Runner{Study: other.about, Models: experiment.Controls()[:1], Book: runs, Now: time.Now}).Do(context.Background(), plan); err != nil {
		t.Fatal(err)
	}
	for id, answers := range other.said(t, "oracle-pixels") {
		for q, got := range answers {
			if a, b := textOf(cases[id], q, got), textOf(cases[by[id]], q, before[by[id]][q]); a != b {
				t.Errorf("%s shown the pixels of %s: %s is %q, want %q as there", id, by[id], q, a, b)
			}
		}
	}
}

// textOf gives the text of the option that an answer names.
func textOf(c review.Case, q review.QuestionID, letter *string) string {
	for _, asked := range c.Questions {
		for _, o := range asked.Options {
			if asked.ID == q && letter != nil && o.Letter == *letter {
				return o.Text
			}
		}
	}
	return ""
}

// checkRandom checks the lot: questions have two to eleven options, most of them about seven, so that a chance is between .05 and .5; sums of so
// many lots lie within three standard deviations of at most a half each.
func checkRandom(t *testing.T, r row) {
	t.Helper()
	for name, c := range map[string]struct {
		got       report.Number
		low, high float64
		lots      float64 // whose variances add up in each row
	}{
		"noop flip": {r.noop, .5, .95, 1}, "N direct at S2": {r.direct2, 0, 0, 2}, "N direct later": {r.directLater, 0, 0, 2}, "N total": {r.total, 0, 0, 2},
		"corrupt-follow": {r.corrupt, .05, .5, 1}, "cue-follow": {r.cue, .05, .5, 1}, "swap-follow": {r.swap, .05, .5, 1},
		"TE": {r.te, 0, 0, 2}, "NDE": {r.nde, 0, 0, 2}, "NIE": {r.nie, 0, 0, 2},
	} {
		off := 3 * math.Sqrt(c.lots*.25/float64(c.got.N))
		if v := value(c.got); !(v >= c.low-off && v <= c.high+off) {
			t.Errorf("random: %s %.2f of %d, want %.2f to %.2f within %.2f", name, v, c.got.N, c.low, c.high, off)
		}
	}
}
