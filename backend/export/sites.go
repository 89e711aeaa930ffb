package export

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// siteFormats are those that travel between sites.
func siteFormats() []Format {
	return []Format{{Name: "federation", Title: "labels and counts for another site: no images, no words, pseudonyms", For: "sites", Signed: true, Files: []Shape{
		{siteFile, []string{"schema", "site", "study", "made", "rubric", "rubric_digest", "data{cases,patients,clusters,images,variants}", "counts[{of,model,model_revision,condition,stage_k,value,n}]"}},
		{"labels.jsonl", []string{
			"case", "cluster", "reader", "model", "model_revision", "condition", "stage_k", "stage", "category", "answer_correct", "step", "support", "error[]", "significance", "confidence", "final_support", "final_from",
		}},
	}, begin: newSite}}
}

const (
	siteFile = "site.json"
	// SiteSchema is that of what one site gives to others, as written today.
	SiteSchema = "plumbline/site/1"
)

// Site is what one site gives to others.
type Site struct {
	Schema       string        `json:"schema"`
	Site         string        `json:"site"`  // a pseudonym
	Study        string        `json:"study"` // likewise
	Made         string        `json:"made"`  // RFC 3339 UTC
	Rubric       string        `json:"rubric"`
	RubricDigest review.Digest `json:"rubric_digest"`
	Data         Amount        `json:"data"`
	Counts       []Count       `json:"counts"`
	Key          string        `json:"key,omitempty"` // of whoever signed it, as people compare it; never in the file itself
}

// Count is how often something was found. Counts of several sites add up.
type Count struct {
	CountKey
	N int `json:"n"`
}

// CountKey says what is counted: Of is answers, looks or ratings; Value is correct, wrong or unknown, or a grade of support.
type CountKey struct {
	Of        string `json:"of"`
	Model     string `json:"model,omitempty"`
	Revision  string `json:"model_revision,omitempty"`
	Condition string `json:"condition,omitempty"`
	K         int    `json:"stage_k"`
	Value     string `json:"value"`
}

// What is counted.
const (
	ofAnswers = "answers"
	ofLooks   = "looks"
	ofRatings = "ratings"
)

func (k CountKey) compare(o CountKey) int {
	return cmp.Or(cmp.Compare(k.Of, o.Of), cmp.Compare(k.Model, o.Model), cmp.Compare(k.Revision, o.Revision), cmp.Compare(k.Condition, o.Condition),
		cmp.Compare(k.K, o.K), cmp.Compare(k.Value, o.Value))
}

// siteLabel is one rating of one step without a word of anybody: no text, no note, no region, no time of day.
type siteLabel struct {
	Case         string   `json:"case"`
	Cluster      string   `json:"cluster"`
	Reader       string   `json:"reader"`
	Model        string   `json:"model"`
	Revision     string   `json:"model_revision"`
	Condition    string   `json:"condition"`
	K            int64    `json:"stage_k"`
	Stage        string   `json:"stage"`
	Category     string   `json:"category"`
	Correct      *bool    `json:"answer_correct"`
	Step         int64    `json:"step"` // its number in the chain, from 1
	Support      string   `json:"support"`
	Error        []string `json:"error"`
	Significance string   `json:"significance"`
	Confidence   *int64   `json:"confidence"`
	Final        *string  `json:"final_support"`
	FinalFrom    *string  `json:"final_from"`
}

// site writes what another site may see.
type site struct {
	*job
	labelled *file
	counts   map[CountKey]int
}

func newSite(j *job) (writer, error) {
	if j.split != nil {
		return nil, fault.New(fault.Usage, writeOp, "federation", "it has no split: a split names cases")
	}
	x, err := j.create("labels.jsonl")
	s := &site{j, x, map[CountKey]int{}}
	j.Study = s.pseudonym("study", j.Study) // in the manifest too
	return s, err
}

// pseudonym names something so that the same is always called the same, and nobody without the site's secret can tell what it is.
func (s *site) pseudonym(kind, id string) string {
	if id == "" {
		return ""
	}
	h := hmac.New(sha256.New, []byte(s.Secret))
	h.Write([]byte(kind + "\x00" + id)) // a hash never fails
	return kind + "-" + hex.EncodeToString(h.Sum(nil))[:16]
}

func (s *site) add(_ context.Context, c *Case) error {
	rows := rowsOf(c, "")
	for _, a := range rows.answers {
		s.counts[CountKey{ofAnswers, a.Model, a.Revision, a.Condition, int(a.K), outcome(a.Correct)}]++
	}
	for _, l := range rows.looks {
		if l.Counts {
			s.counts[CountKey{Of: ofLooks, K: int(l.K), Value: outcome(l.Correct)}]++
		}
	}
	for i, r := range rows.ratings {
		if !r.Counts || r.Support == "" {
			continue
		}
		s.counts[CountKey{ofRatings, r.Model, r.Revision, r.Condition, int(r.K), r.Support}]++
		reader := s.pseudonym("reader", r.Reader)
		s.label(Label{From: fromHuman, Readers: []string{reader}, Rubric: r.Rubric + " " + r.RubricOf})
		err := s.labelled.line(siteLabel{
			s.pseudonym("case", r.Case), s.pseudonym("cluster", r.Cluster), reader, r.Model, r.Revision, r.Condition, r.K, r.Stage, r.Category, r.AnswerCorrect, r.StepNumber,
			r.Support, errorsOf(c, rows.ratings[i].Event), r.Significance, r.Confidence, r.Final, r.FinalFrom,
		})
		if err != nil {
			return err
		}
	}
	s.job.counts.wrote(unitCases, 1)
	return nil
}

// errorsOf gives the kinds of error that a rating names.
func errorsOf(c *Case, event string) []string {
	for _, s := range c.Said {
		if string(s.ID) == event {
			return append([]string{}, s.Body.Rating.Error...)
		}
	}
	return []string{}
}

func outcome(right *bool) string {
	switch {
	case right == nil:
		return "unknown"
	case *right:
		return "correct"
	}
	return "wrong"
}

func (s *site) end(context.Context) error {
	out := Site{
		Schema: SiteSchema, Site: s.Site, Study: s.Study, Made: s.At, Rubric: s.Rubric.Name + " " + s.Rubric.Version, RubricDigest: s.Rubric.Digest,
		Data: s.amounts.done(), Counts: listed(s.counts),
	}
	b, err := plainJSON(out)
	if err != nil {
		return fault.New(fault.Internal, writeOp, siteFile, "%w", err)
	}
	return s.put(siteFile, b)
}

// listed gives counts in order.
func listed(counts map[CountKey]int) []Count {
	out := make([]Count, 0, len(counts))
	for k, n := range counts {
		out = append(out, Count{k, n})
	}
	slices.SortFunc(out, func(a, b Count) int { return a.compare(b.CountKey) })
	return out
}
