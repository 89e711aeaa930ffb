package desk

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// Queue is what waits for an expert: cases by how unsure models are of them, and how good a sign of wrong answers that is.
type Queue struct {
	Cases    []Uncertain `json:"cases"`    // the most unsure first
	Triggers []Trigger   `json:"triggers"` // by model
}

// Trigger says how well the score of a queue tells the cases in which a model is wrong somewhere from those in which it is right throughout.
type Trigger struct {
	Model    string    `json:"model"`
	AUROC    *float64  `json:"auroc"`    // the chance that a case with a wrong answer stands above one without; null: not estimable
	Interval []float64 `json:"interval"` // low and high of 95 %, by clusters; null: none
	Cases    int       `json:"cases"`    // of which a right answer is known
	Wrong    int       `json:"wrong"`    // of them, with a wrong answer
	Clusters int       `json:"clusters"`
	Reason   string    `json:"reason"` // why there is no value, or no interval; ""
}

const (
	triggerGrid      = 51 // levels of a score, for the interval
	triggerResamples = 2000
	fewestClusters   = 20 // for an interval by resampling
	triggerSeed      = 1
)

// Queue lists what waits for an expert; as Uncertainty.
func (d *Desk) Queue(ctx context.Context) (out Queue, err error) {
	out.Triggers = []Trigger{}
	if out.Cases, err = d.Uncertainty(ctx); err != nil {
		return out, err
	}
	err = d.within("list uncertain cases", func(r *room) error {
		gold, err := r.golds(ctx)
		if err != nil {
			return err
		}
		by := map[string][]Uncertain{}
		for _, u := range out.Cases {
			by[u.Model] = append(by[u.Model], u)
		}
		for name, all := range by {
			t, err := r.trigger(name, all, gold)
			if err != nil {
				return err
			}
			out.Triggers = append(out.Triggers, t)
		}
		slices.SortFunc(out.Triggers, func(a, b Trigger) int { return cmp.Compare(a.Model, b.Model) })
		return nil
	})
	return out, err
}

// askedOf is one question of one case.
type askedOf struct {
	of review.CaseID
	q  review.QuestionID
}

// golds are the right answers that are known.
type golds map[askedOf]string

// right tells whether an answer about a case is right; known is false where no right answer is.
func (g golds) right(c review.Case, a review.Answer) (right, known bool) {
	at := slices.IndexFunc(c.Questions, func(q review.Question) bool { return q.ID == a.Question })
	gold, there := g[askedOf{c.ID, a.Question}]
	if !there || at < 0 {
		return false, false
	}
	return a.Answer != nil && c.Questions[at].Same(*a.Answer, gold), true
}

func (r *room) golds(ctx context.Context) (golds, error) {
	truth, _, err := r.set.Truth(ctx)
	if err != nil {
		return nil, err
	}
	gold := golds{}
	for _, t := range truth {
		if t.Gold != nil {
			gold[askedOf{t.Case, t.Question}] = *t.Gold
		}
	}
	return gold, nil
}

// scored is a case with a score, and whether an answer in it was wrong.
type scored struct {
	score   float64
	wrong   bool
	cluster string
}

// trigger works out how good a sign the scores of one model are, over the cases of which a right answer is known.
func (r *room) trigger(name string, all []Uncertain, gold golds) (Trigger, error) {
	var list []scored
	for _, u := range all {
		id := review.CaseID(u.Case)
		c, err := r.set.Case(id)
		if err != nil {
			return Trigger{}, err
		}
		known, wrong := false, false
		for _, a := range u.answers {
			right, there := gold.right(c, a)
			known, wrong = known || there, wrong || there && !right
		}
		if known {
			list = append(list, scored{u.Score, wrong, r.set.Cluster(id)})
		}
	}
	return triggerOf(name, list), nil
}

// triggerOf is the AUROC of scores with, from enough clusters on, its interval; that of the scores on a grid.
func triggerOf(name string, list []scored) Trigger {
	t := Trigger{Model: name, Cases: len(list)}
	scores, wrong := make([]float64, len(list)), make([]bool, len(list))
	byCluster := map[string][]float64{}
	for i, s := range list {
		scores[i], wrong[i] = s.score, s.wrong
		if byCluster[s.cluster] == nil {
			byCluster[s.cluster] = make([]float64, 2*triggerGrid)
		}
		level := 2 * min(triggerGrid-1, max(0, int(math.Round(s.score*(triggerGrid-1)))))
		if s.wrong {
			t.Wrong++
		} else {
			level++
		}
		byCluster[s.cluster][level]++
	}
	t.Clusters = len(byCluster)
	area := stats.AUROC(scores, wrong)
	if t.AUROC, t.Reason = area.Pointer(), area.Reason; !area.Estimable {
		return t
	}
	if t.Clusters < fewestClusters {
		t.Reason = fmt.Sprintf("no interval: fewer than %d clusters", fewestClusters)
		return t
	}
	var counts [][]float64
	for _, name := range slices.Sorted(maps.Keys(byCluster)) { // in their order, so that the same seed draws the same
		counts = append(counts, byCluster[name])
	}
	if low, high, _, ok := stats.Bootstrap(counts, stats.AUROCOfCounts, triggerResamples, triggerSeed); ok {
		t.Interval = []float64{low, high}
	}
	return t
}
