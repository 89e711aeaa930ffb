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
	"plumbline/backend/review"
	"plumbline/backend/sample"
	"plumbline/backend/stats"
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

// answers holds what each model said: model, condition as it was asked for, case, question.
type answers map[string]map[string]map[review.CaseID]map[review.QuestionID]*string

// made gathers the chains of a study's runs, by the condition without its fill, and the targets.
func (s study) made(t *testing.T) (answers, map[string]map[review.CaseID]map[review.QuestionID]string) {
	t.Helper()
	origins, err := s.runs.Origins()
	if err != nil {
		t.Fatal(err)
	}
	of := map[review.ChainID]review.Origin{}
	for _, o := range origins {
		of[o.Chain] = o
	}
	out, targets := answers{}, map[string]map[review.CaseID]map[review.QuestionID]string{}
	err = s.runs.Made("", func(c review.Chain) error {
		o := of[c.ID]
		o.Condition.Fill = ""
		model, condition := o.Model.Name, o.Condition.Name()
		if out[model] == nil {
			out[model] = map[string]map[review.CaseID]map[review.QuestionID]*string{}
		}
		if out[model][condition] == nil {
			out[model][condition] = map[review.CaseID]map[review.QuestionID]*string{}
		}
		if targets[condition] == nil {
			targets[condition] = map[review.CaseID]map[review.QuestionID]string{}
		}
		said := map[review.QuestionID]*string{}
		for _, a := range c.Answers {
			said[a.Question] = a.Answer
		}
		out[model][condition][c.Case], targets[condition][c.Case] = said, o.Targets
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, targets
}

// asked is a testable question.
type asked struct {
	of      review.CaseID
	q       review.Question
	gold    string
	options int
}

// testable lists the questions of S2 to S4 whose gold asserts something, with local evidence and a control.
func (s study) testable(t *testing.T, control map[review.CaseID]map[review.QuestionID]*string) (list []asked, all int) {
	t.Helper()
	truth := map[review.CaseID]map[review.QuestionID]review.Truth{}
	for _, v := range s.about.Truth {
		if truth[v.Case] == nil {
			truth[v.Case] = map[review.QuestionID]review.Truth{}
		}
		truth[v.Case][v.Question] = v
	}
	for _, id := range s.set.IDs() {
		c, err := s.set.Case(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range c.Questions {
			v := truth[id][q.ID]
			if q.K < 2 || v.Present == nil || !*v.Present {
				continue
			}
			all++
			if control[id] != nil {
				list = append(list, asked{id, q, *v.Gold, len(q.Options)})
			}
		}
	}
	return list, all
}

func same(a, b *string) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// share is a mean beside what a lot would give: the sum of its rows' chances and of their variances.
type share struct {
	sum, chance, variance float64
	n                     int
}

// add takes a row that a lot among so many options hits with a chance of 1 to that.
func (s *share) add(v float64, options int) {
	p := 1 / float64(options)
	s.sum, s.chance, s.variance, s.n = s.sum+v, s.chance+p, s.variance+p*(1-p), s.n+1
}

func (s share) mean() float64 { return s.sum / float64(s.n) }

// near says whether the sum lies within three standard deviations of want, of a variance so many times that of one lot a row.
func (s share) near(want, lots float64) bool {
	return math.Abs(s.sum-want) <= 3*math.Sqrt(lots*s.variance)
}

// row is one line of the table of controls.
type row struct {
	noop, direct2, directLater, total, corrupt, cue, history, swap, swapHeld share
	atEnd                                                                    int // questions at S4
	te, nde, nie                                                             float64
	alreadyThere                                                             share // the baseline is the swapped image's answer already
}

func measure(said map[string]map[review.CaseID]map[review.QuestionID]*string, targets map[string]map[review.CaseID]map[review.QuestionID]string, list []asked) row {
	var r row
	var cells stats.Cells
	for _, a := range list {
		at := func(condition string) *string { return said[condition][a.of][a.q.ID] }
		base := at("original")
		flip := func(condition string) float64 { return bit(!same(at(condition), base)) }
		right := func(condition string) float64 { return bit(same(at(condition), &a.gold)) }
		r.noop.add(flip("noop"), a.options)
		direct := flip("occ+given:original") - flip("ctl+given:original")
		if a.q.K == 2 {
			r.direct2.add(direct, a.options)
		} else {
			r.directLater.add(direct, a.options)
		}
		r.total.add(flip("occ")-flip("ctl"), a.options)
		if a.q.K == 4 {
			cells.Y11 = append(cells.Y11, right("original"))
			cells.Y00 = append(cells.Y00, right("occ+given:occ"))
			cells.Y10 = append(cells.Y10, right("given:occ"))
			cells.Y01 = append(cells.Y01, right("occ+given:original"))
		}
		follow := func(condition, baseline string, s *share) {
			target, known := targets[condition][a.of][a.q.ID]
			if known && !same(at(baseline), &target) {
				s.add(bit(same(at(condition), &target)), a.options)
			}
		}
		for _, corrupt := range []string{"corrupt-side", "corrupt-organ", "corrupt-negate"} {
			follow(corrupt, "gold", &r.corrupt)
		}
		follow("suggest-wrong", "original", &r.cue)
		follow("history-wrong", "original", &r.history)
		// How large the thing in another image is, no earlier answer tells: there chain-copier's table can only guess.
		if target, known := targets["swap"][a.of][a.q.ID]; known && target != "" && a.q.Category != "size" {
			r.swap.add(bit(same(at("swap"), &target)), a.options)
			r.alreadyThere.add(bit(same(base, &target)), a.options)
			if a.q.K > 2 {
				r.swapHeld.add(bit(same(at("swap+given:original"), &target)), a.options)
			}
		}
	}
	r.atEnd = len(cells.Y11)
	effects := stats.Mediate(cells)
	r.te, r.nde, r.nie = effects.TE.Value, effects.NDE.Value, effects.NIE.Value
	return r
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
	said, targets := s.made(t)
	rename(said, targets)
	list, all := s.testable(t, said["oracle-pixels"]["ctl"])
	t.Logf("%d of %d questions testable", len(list), all)
	if len(list)*2 < all {
		t.Errorf("only %d of %d questions are testable", len(list), all)
	}
	for _, name := range names {
		r := measure(said[name], targets, list)
		t.Logf("%-16s noop %.2f  N direct S2 %.2f, S3–S4 %.2f  total %.2f  TE/NDE/NIE %.2f/%.2f/%.2f  corrupt %.2f (%d)  cue %.2f  history %.2f  swap %.2f, held %.2f (%d)", name,
			r.noop.mean(), r.direct2.mean(), r.directLater.mean(), r.total.mean(), r.te, r.nde, r.nie, r.corrupt.mean(), r.corrupt.n, r.cue.mean(), r.history.mean(), r.swap.mean(), r.swapHeld.mean(), r.swap.n)
		want, fixed := map[string][11]float64{
			// noop, N direct at S2 and later, N total, TE, NDE, NIE, corrupt-follow, cue-follow, history-follow, swap-follow
			"oracle-pixels":    {0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1},
			"text-only":        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, r.alreadyThere.mean()},
			"cue-follower":     {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, r.alreadyThere.mean()},
			"context-shortcut": {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, r.alreadyThere.mean()},
			"chain-copier":     {0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1},
		}[name]
		if !fixed {
			continue
		}
		got := [11]float64{r.noop.mean(), r.direct2.mean(), r.directLater.mean(), r.total.mean(), r.te, r.nde, r.nie, r.corrupt.mean(), r.cue.mean(), r.history.mean(), r.swap.mean()}
		if got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if name == "chain-copier" && r.swapHeld.mean() != 0 {
			t.Errorf("%s follows a swapped image with the earlier answers held: %.2f", name, r.swapHeld.mean())
		}
	}
	checkRandom(t, measure(said["random"], targets, list))
	checkNothingElse(t, s, said["oracle-pixels"]["original"])
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
	said, _ := other.made(t)
	for id, answers := range said["oracle-pixels"]["original"] {
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

// checkRandom checks the lot within three standard deviations.
func checkRandom(t *testing.T, r row) {
	t.Helper()
	for name, c := range map[string]struct {
		got        share
		want, lots float64 // in sums over the rows
	}{
		"noop flip":      {r.noop, float64(r.noop.n) - r.noop.chance, 1},
		"N direct at S2": {r.direct2, 0, 2}, "N direct later": {r.directLater, 0, 2}, "N total": {r.total, 0, 2},
		"corrupt-follow": {r.corrupt, r.corrupt.chance, 1}, "cue-follow": {r.cue, r.cue.chance, 1}, "swap-follow": {r.swap, r.swap.chance, 1},
	} {
		if !c.got.near(c.want, c.lots) {
			t.Errorf("random: %s %.2f of %d, want about %.2f", name, c.got.mean(), c.got.n, c.want/float64(c.got.n))
		}
	}
	lots := 3 * math.Sqrt(2*(1./7)*(6./7)/float64(r.atEnd)) // the last question has seven options
	for name, effect := range map[string]float64{"TE": r.te, "NDE": r.nde, "NIE": r.nie} {
		if math.Abs(effect) > lots {
			t.Errorf("random: %s %.2f, want 0 within %.2f", name, effect, lots)
		}
	}
}

// rename takes the fill out of what others are held at, too.
func rename(said answers, targets map[string]map[review.CaseID]map[review.QuestionID]string) {
	for _, byCondition := range said {
		for from, to := range map[string]string{"occ+given:occ/remove": "occ+given:occ", "given:occ/remove": "given:occ"} {
			byCondition[to] = byCondition[from]
		}
	}
}
