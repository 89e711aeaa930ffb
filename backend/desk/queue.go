package desk

import (
	"cmp"
	"context"
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

// golds gives the right answers that are known.
func (r *room) golds(ctx context.Context) (map[askedOf]string, error) {
	truth, _, err := r.set.Truth(ctx)
	if err != nil {
		return nil, err
	}
	gold := map[askedOf]string{}
	for _, t := range truth {
		if t.Gold != nil {
			gold[askedOf{t.Case, t.Question}] = *t.Gold
		}
	}
	return gold, nil
}

// trigger works out how good a sign the scores of one model are.
func (r *room) trigger(name string, all []Uncertain, gold map[askedOf]string) (Trigger, error) {
	t := Trigger{Model: name}
	var scores []float64
	var wrong []bool
	clusters := map[string][]float64{}
	for _, u := range all {
		id := review.CaseID(u.Case)
		c, err := r.set.Case(id)
		if err != nil {
			return t, err
		}
		known, bad := false, false
		for _, a := range u.answers {
			at := slices.IndexFunc(c.Questions, func(q review.Question) bool { return q.ID == a.Question })
			g, there := gold[askedOf{id, a.Question}]
			if !there || at < 0 {
				continue
			}
			known = true
			bad = bad || a.Answer == nil || !c.Questions[at].Same(*a.Answer, g)
		}
		if !known {
			continue
		}
		scores, wrong = append(scores, u.Score), append(wrong, bad)
		cluster := r.set.Cluster(id)
		if clusters[cluster] == nil {
			clusters[cluster] = make([]float64, 2*triggerGrid)
		}
		level := 2 * min(triggerGrid-1, max(0, int(math.Round(u.Score*(triggerGrid-1)))))
		if bad {
			t.Wrong++
		} else {
			level++
		}
		clusters[cluster][level]++
	}
	t.Cases, t.Clusters = len(scores), len(clusters)
	area := stats.AUROC(scores, wrong)
	if t.AUROC, t.Reason = area.Pointer(), area.Reason; !area.Estimable {
		return t, nil
	}
	if t.Clusters < fewestClusters {
		t.Reason = "no interval: fewer than 20 clusters"
		return t, nil
	}
	var counts [][]float64
	for _, c := range clusters {
		counts = append(counts, c)
	}
	if low, high, _, ok := stats.Bootstrap(counts, stats.AUROCOfCounts, triggerResamples, triggerSeed); ok {
		t.Interval = []float64{low, high}
	}
	return t, nil
}
