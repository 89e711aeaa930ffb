package export

import (
	"context"
	"math/rand/v2"

	"plumbline/backend/review"
)

// groupFormat is what consistency training goes by: the same question in other words, and the same words over images with another answer.
func groupFormat() Format {
	return Format{Name: "groups", Title: "paraphrase and contrast groups for consistency training", For: "training", Split: true, Files: []Shape{
		{"paraphrase.PART.jsonl", []string{"group", "k", "answer", "members[{case,level,language,image,question}]"}},
		{"contrast.PART.jsonl", []string{"question", "anchor{case,image,answer}", "negatives[{case,image,answer}]"}},
	}, begin: func(j *job) (writer, error) {
		return &groups{samples: newSamples(j), phrased: map[string][]phrased{}, same: map[string][]phrased{}}, nil
	}}
}

// mostNegatives is how many images with another answer stand against one.
const mostNegatives = 4

// mostTries is how many images are looked at for one.
const mostTries = 1000

// phrased is one question of one case.
type phrased struct {
	Case     review.CaseID `json:"case"`
	Level    string        `json:"level,omitempty"`
	Language string        `json:"language,omitempty"`
	Image    string        `json:"image,omitempty"`
	Question string        `json:"question"`

	q       review.QuestionID
	k       int
	answer  string
	cluster string
	group   string
}

// groups gathers questions while cases come by: a line each stays in memory.
type groups struct {
	*samples
	phrased map[string][]phrased // by group and stage
	same    map[string][]phrased // by part and words
	cases   []*Case              // id and cluster alone
}

func (w *groups) add(ctx context.Context, c *Case) error {
	part := w.partOf(c)
	if part == "" {
		return w.counts.left(unitCases, string(c.ID), notListed)
	}
	w.cases = append(w.cases, &Case{Case: review.Case{ID: c.ID}, Cluster: c.Cluster})
	for _, q := range c.asked() {
		_, answer, known := c.gold(q)
		if !known {
			continue
		}
		path, _, err := w.keyImage(ctx, c, c.Truth[q.ID].Evidence)
		if err != nil {
			return err
		}
		p := phrased{c.ID, c.Level, c.Language, path, c.asking(q), q.ID, q.K, answer, c.Cluster, c.Group}
		if c.Group != "" {
			key := c.Group + "\x00" + string(rune(q.K))
			w.phrased[key] = append(w.phrased[key], p)
		}
		if path != "" {
			key := part + "\x00" + p.Question
			w.same[key] = append(w.same[key], p)
		}
	}
	return nil
}

func (w *groups) end(context.Context) error {
	written := map[review.CaseID]bool{}
	byID := map[review.CaseID]*Case{}
	for _, c := range w.cases {
		byID[c.ID] = c
	}
	for _, key := range sortedKeys(w.phrased) {
		members := w.phrased[key]
		if len(members) < 2 {
			continue
		}
		first := members[0]
		if err := w.row("paraphrase.jsonl", byID[first.Case], from{Question: first.q, Label: Label{From: fromGold}}, struct {
			Group   string    `json:"group"`
			K       int       `json:"k"`
			Answer  string    `json:"answer"`
			Members []phrased `json:"members"`
		}{first.group, first.k, first.answer, members}); err != nil {
			return err
		}
		for _, m := range members {
			written[m.Case] = true
		}
	}
	for _, key := range sortedKeys(w.same) {
		for _, anchor := range w.same[key] {
			if err := w.contrast(byID[anchor.Case], anchor, w.same[key], written); err != nil {
				return err
			}
		}
	}
	for _, c := range w.cases {
		if written[c.ID] {
			w.counts.wrote(unitCases, 1)
		} else if err := w.counts.left(unitCases, string(c.ID), "in no paraphrase group, and no other image has another answer to the same question"); err != nil {
			return err
		}
	}
	return w.close()
}

// shownAnswer is an image with its answer.
type shownAnswer struct {
	Case   review.CaseID `json:"case"`
	Image  string        `json:"image"`
	Answer string        `json:"answer"`
}

// contrast writes one image against others of the same part, of other clusters, to which the right answer is another.
func (w *groups) contrast(c *Case, anchor phrased, all []phrased, written map[review.CaseID]bool) error {
	var other []shownAnswer
	r := rand.New(rand.NewPCG(w.Seed, hashed(string(anchor.Case), string(anchor.q))))
	for i, start := 0, r.IntN(len(all)); i < min(len(all), mostTries) && len(other) < mostNegatives; i++ {
		if p := all[(start+i)%len(all)]; p.answer != anchor.answer && p.cluster != anchor.cluster {
			other = append(other, shownAnswer{p.Case, p.Image, p.answer})
		}
	}
	if len(other) == 0 {
		return nil
	}
	written[anchor.Case] = true
	return w.row("contrast.jsonl", c, from{Question: anchor.q, Label: Label{From: fromGold}}, struct {
		Question  string        `json:"question"`
		Anchor    shownAnswer   `json:"anchor"`
		Negatives []shownAnswer `json:"negatives"`
	}{anchor.Question, shownAnswer{anchor.Case, anchor.Image, anchor.answer}, other})
}
