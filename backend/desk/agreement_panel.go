package desk

import (
	"cmp"
	"context"
	"slices"

	"plumbline/backend/dataset"
	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// item is one thing that several readers answer: a question, a step of a chain, or a chain.
type item struct {
	kind  review.Kind
	of    review.CaseID
	chain review.ChainID
	part  string // question or step
}

// place is where an item stands.
type place struct {
	item
	k       int // stage; 0 for a chain as a whole
	cluster int
}

// panel is everything that readers said of the items of a dataset.
type panel struct {
	seed    uint64
	places  []place // in dataset order
	digests map[review.ChainID]review.Digest
	stages  []review.Stage
	letters []string // of the options of all questions
	labels  map[item]map[review.ReaderID][]review.Event
	leftOut map[review.Kind]int
}

// panel gathers what readers said, with the rubric by which it counts and all that was said. acting is not held.
func (r *room) panel(ctx context.Context, op string) (*panel, review.Rubric, []review.Event, error) {
	set, err := r.data(op)
	if err != nil {
		return nil, review.Rubric{}, nil, err
	}
	var events []review.Event
	if err := r.events(ctx, func(e review.Event) {
		if e.Session != review.TrainingSession {
			events = append(events, e)
		}
	}); err != nil {
		return nil, review.Rubric{}, nil, err
	}
	r.acting.Lock()
	training, rubric := slices.Clone(r.rules.protocol.Training), r.rules.rubric.Rubric
	r.acting.Unlock()
	p := &panel{seed: r.w.Seed, labels: map[item]map[review.ReaderID][]review.Event{}, leftOut: map[review.Kind]int{}}
	if err := p.arrange(ctx, set, training); err != nil {
		return nil, rubric, nil, err
	}
	p.fill(events, rubric)
	return p, rubric, events, nil
}

// arrange lists what can be answered; training cases are read for practice and do not count.
func (p *panel) arrange(ctx context.Context, set *dataset.Set, training []review.CaseID) error {
	clusters := map[string]int{}
	p.digests = map[review.ChainID]review.Digest{}
	p.stages = slices.Clone(set.Info().StagePack.Stages)
	for _, id := range set.IDs() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if slices.Contains(training, id) {
			continue
		}
		c, err := set.Case(id)
		if err != nil {
			return err
		}
		chains, err := set.Chains(id)
		if err != nil {
			return err
		}
		name := cmp.Or(set.Cluster(id), string(id))
		if _, known := clusters[name]; !known {
			clusters[name] = len(clusters)
		}
		p.arrangeCase(c, chains, clusters[name])
	}
	slices.Sort(p.letters)
	slices.SortStableFunc(p.stages, func(a, b review.Stage) int { return a.K - b.K })
	return nil
}

func (p *panel) arrangeCase(c review.Case, chains []review.Chain, cluster int) {
	stage := map[review.QuestionID]int{}
	for _, q := range c.Questions {
		stage[q.ID] = q.K
		if !slices.ContainsFunc(p.stages, func(s review.Stage) bool { return s.K == q.K }) {
			p.stages = append(p.stages, review.Stage{K: q.K, Name: q.Stage})
		}
		if len(q.Options) == 0 {
			continue // free text is not compared
		}
		for _, o := range q.Options {
			if !slices.Contains(p.letters, o.Letter) {
				p.letters = append(p.letters, o.Letter)
			}
		}
		p.places = append(p.places, place{item{review.KindLook, c.ID, "", string(q.ID)}, q.K, cluster})
	}
	for _, chain := range chains {
		p.digests[chain.ID] = chain.Digest
		p.places = append(p.places, place{item{review.KindChainRating, c.ID, chain.ID, ""}, 0, cluster})
		for _, a := range chain.Answers {
			for _, s := range a.Steps {
				p.places = append(p.places, place{item{review.KindRating, c.ID, chain.ID, string(s.ID)}, stage[a.Question], cluster})
			}
		}
	}
}

// fill sorts what was said under the items; of each reader in the order in which the reads were signed.
func (p *panel) fill(events []review.Event, rubric review.Rubric) {
	known := map[item]bool{}
	for _, at := range p.places {
		known[at.item] = true
	}
	signed := firstOf(events, review.KindSign, func(e review.Event) review.AssignmentID { return e.Assignment })
	for _, e := range lastWords(events, signed) {
		it := item{e.Kind, e.Case, e.Chain, ""}
		switch b := e.Body; {
		case b.Look != nil:
			it.part = string(b.Look.Question)
		case b.Rating != nil:
			it.part = string(b.Rating.Step)
		}
		current := e.Kind == review.KindLook || e.Rubric.Called() == rubric.Called() &&
			(e.ChainDigest == "" || e.ChainDigest == p.digests[e.Chain])
		if !known[it] || !current {
			p.leftOut[e.Kind]++
			continue
		}
		if p.labels[it] == nil {
			p.labels[it] = map[review.ReaderID][]review.Event{}
		}
		p.labels[it][e.Reader] = append(p.labels[it][e.Reader], e)
	}
	for _, by := range p.labels {
		for _, reads := range by {
			slices.SortFunc(reads, func(a, b review.Event) int { return cmp.Compare(signed[a.Assignment], signed[b.Assignment]) })
		}
	}
}

// firstOf gives the earliest event of a kind for each key; ids sort by time.
func firstOf[K comparable](events []review.Event, kind review.Kind, key func(review.Event) K) map[K]review.EventID {
	first := map[K]review.EventID{}
	for _, e := range events {
		if e.Kind != kind {
			continue
		}
		if k := key(e); first[k] == "" || e.ID < first[k] {
			first[k] = e.ID
		}
	}
	return first
}

// lastWords gives the last revision of every answer in a signed reading. A revision that a reader made after signing and after the chain was
// adjudicated may have been made knowing the verdict: it is not looked at. Of two last revisions, from two machines, the later one counts.
func lastWords(events []review.Event, signed map[review.AssignmentID]review.EventID) []review.Event {
	type subject struct {
		of    review.CaseID
		chain review.ChainID
	}
	decided := firstOf(events, review.KindAdjudication, func(e review.Event) subject { return subject{e.Case, e.Chain} })
	last := map[string]review.Event{}
	for _, e := range events {
		if e.Body.Look == nil && e.Body.Rating == nil && e.Body.ChainRating == nil || signed[e.Assignment] == "" {
			continue
		}
		if when, is := decided[subject{e.Case, e.Chain}]; is && e.ID > when && e.ID > signed[e.Assignment] {
			continue
		}
		key := string(e.Reader) + "\x00" + e.Key
		if e.ID > last[key].ID {
			last[key] = e
		}
	}
	out := make([]review.Event, 0, len(last))
	for _, e := range last {
		out = append(out, e)
	}
	return out
}

// compared counts the reads that stand beside each other: a reader each, or two of one.
func compared(who review.ReaderID, readers []review.ReaderID) int {
	if who != "" {
		return 2
	}
	return len(readers)
}

// reads gives what is compared of an item: the first read of each reader, or with who that reader's first and second, if there are two; nil
// where there is none.
func (p *panel) reads(of item, who review.ReaderID, readers []review.ReaderID) []*review.Body {
	out := make([]*review.Body, compared(who, readers))
	if who != "" {
		if twice := p.labels[of][who]; len(twice) > 1 {
			out[0], out[1] = &twice[0].Body, &twice[1].Body
		}
		return out
	}
	for i, reader := range readers {
		if all := p.labels[of][reader]; len(all) > 0 {
			out[i] = &all[0].Body
		}
	}
	return out
}

// table gives the levels that were used, reader by item, without readers and items that used none, and the cluster of each item.
func (p *panel) table(dim dimension, k int, who review.ReaderID, readers []review.ReaderID) (stats.Ratings, []int) {
	rows := compared(who, readers)
	by, cluster := make([][]stats.Level, rows), []int{}
	for _, at := range p.places {
		if at.kind != dim.kind || k != 0 && at.k != k {
			continue
		}
		column, used := make([]stats.Level, rows), false
		for i, said := range p.reads(at.item, who, readers) {
			if said != nil {
				column[i] = dim.level(*said)
				used = used || column[i] > 0
			}
		}
		if !used {
			continue
		}
		cluster = append(cluster, at.cluster)
		for i, l := range column {
			by[i] = append(by[i], l)
		}
	}
	by = slices.DeleteFunc(by, func(row []stats.Level) bool {
		return !slices.ContainsFunc(row, func(l stats.Level) bool { return l > 0 })
	})
	return stats.Ratings{By: by, Levels: len(dim.levels), Values: dim.values}, cluster
}

// level is where an answer stands among the levels, 0 where it is none of them.
func (dim dimension) level(b review.Body) stats.Level {
	answers := dim.of(b)
	if len(answers) == 0 {
		return 0
	}
	return stats.Level(slices.Index(dim.levels, answers[0]) + 1)
}
