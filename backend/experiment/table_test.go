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

// share is a mean with what its rows' spread allows.
type share struct {
	sum, squares float64
	n            int
}

func (s *share) add(v float64) { s.sum, s.squares, s.n = s.sum+v, s.squares+v*v, s.n+1 }

func (s share) mean() float64 { return s.sum / float64(s.n) }

// close says whether the mean lies within three standard deviations of want.
func (s share) close(want float64) bool {
	sd := math.Sqrt(max(s.squares/float64(s.n)-s.mean()*s.mean(), .02) / float64(s.n))
	return math.Abs(s.mean()-want) <= 3*sd
}

// row is one line of the table of controls.
type row struct {
	noop, direct2, directLater, total, corrupt, cue, history, swap, swapHeld share
	te, nde, nie                                                             float64
	inOptions                                                                share // one over the number of options
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
		r.noop.add(flip("noop"))
		direct := flip("occ+given:original") - flip("ctl+given:original")
		if a.q.K == 2 {
			r.direct2.add(direct)
		} else {
			r.directLater.add(direct)
		}
		r.total.add(flip("occ") - flip("ctl"))
		r.inOptions.add(1 / float64(a.options))
		if a.q.K == 4 {
			cells.Y11 = append(cells.Y11, right("original"))
			cells.Y00 = append(cells.Y00, right("occ+given:occ"))
			cells.Y10 = append(cells.Y10, right("given:occ"))
			cells.Y01 = append(cells.Y01, right("occ+given:original"))
		}
		follow := func(condition, baseline string, s *share) {
			target, known := targets[condition][a.of][a.q.ID]
			if known && !same(at(baseline), &target) {
				s.add(bit(same(at(condition), &target)))
			}
		}
		for _, corrupt := range []string{"corrupt-side", "corrupt-organ", "corrupt-negate"} {
			follow(corrupt, "gold", &r.corrupt)
		}
		follow("suggest-wrong", "original", &r.cue)
		follow("history-wrong", "original", &r.history)
		if target, known := targets["swap"][a.of][a.q.ID]; known && target != "" {
			r.swap.add(bit(same(at("swap"), &target)))
			r.alreadyThere.add(bit(same(base, &target)))
			if a.q.K > 2 {
				r.swapHeld.add(bit(same(at("swap+given:original"), &target)))
			}
		}
	}
	effects := stats.Mediate(cells)
	r.te, r.nde, r.nie = effects.TE.Value, effects.NDE.Value, effects.NIE.Value
	return r
}

// The table of controls: each measure gives what it must on models whose ways are known.
func TestTableOfControls(t *testing.T) {
	for _, seed := range []int64{sample.DefaultSeed, 20261} {
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
}

// checkRandom checks the lot within three standard deviations.
func checkRandom(t *testing.T, r row) {
	t.Helper()
	chance := r.inOptions.mean()
	for name, c := range map[string]struct {
		got  share
		want float64
	}{
		"noop flip": {r.noop, 1 - chance}, "N direct at S2": {r.direct2, 0}, "N direct later": {r.directLater, 0}, "N total": {r.total, 0},
		"corrupt-follow": {r.corrupt, chance}, "cue-follow": {r.cue, chance}, "swap-follow": {r.swap, chance},
	} {
		if !c.got.close(c.want) {
			t.Errorf("random: %s %.2f of %d, want about %.2f", name, c.got.mean(), c.got.n, c.want)
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
