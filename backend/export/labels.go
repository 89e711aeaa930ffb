package export

import (
	"cmp"
	"slices"

	"plumbline/backend/review"
)

// Labels says which labels of readers count.
type Labels string

// The choices of Labels.
const (
	SettledLabels     Labels = ""            // adjudicated, or the same of two readers or more
	SingleLabels      Labels = "single"      // those of one reader alone too
	AdjudicatedLabels Labels = "adjudicated" // the adjudicated alone
)

// Label says where a value is from: who gave it, under which rubric, and whether anybody settled it.
type Label struct {
	From    string   `json:"from"`              // human, adjudicated, gold or model
	How     string   `json:"how,omitempty"`     // of human labels: unanimous or single
	Readers []string `json:"readers,omitempty"` // whose reads it rests on, by code
	Rubric  string   `json:"rubric,omitempty"`  // name and version
	Event   string   `json:"event,omitempty"`   // the adjudication
}

// Where labels are from.
const (
	fromHuman       = "human"
	fromAdjudicated = "adjudicated"
	fromGold        = "gold"
	fromModel       = "model"

	unanimous = "unanimous"
	single    = "single"
)

// Why a step has no label.
const (
	notRated   = "nobody rated it in a signed reading"
	oneReader  = "one reader alone rated it"
	unsettled  = "readers differ and nobody has settled it"
	noGrade    = "not visual or cannot be assessed"
	isTraining = "a training case"
	notSettled = "nobody has adjudicated it"
)

// rubricOf names a rubric in a label.
func rubricOf(r review.RubricRef) string {
	if r.Name == "" {
		return ""
	}
	return r.Name + " " + r.Version
}

// stepLabel gives the label of a step that holds: the adjudicated one where there is one; else what two readers or more agree on, or one
// reader alone where that counts. The evidence of what readers agree on is their consensus. Without a label, why says what is missing.
func (c *Case) stepLabel(chain review.Chain, step review.StepID, which Labels) (r review.Rating, l Label, why string) {
	if c.Train {
		return r, l, isTraining
	}
	for _, e := range c.Final {
		a := e.Body.Adjudication
		if e.Chain == chain.ID && a.Rating != nil && a.Part == string(step) && sameChain(e, chain) {
			return *a.Rating, adjudicated(e), ""
		}
	}
	var reads []Said
	for _, s := range c.Said {
		if s.Counts && s.Chain == chain.ID && s.Body.Rating != nil && s.Body.Rating.Step == step && s.Body.Rating.Support != review.Unrated {
			reads = append(reads, s)
		}
	}
	if l, why = settled(reads, which, func(s Said) string { return string(s.Body.Rating.Support) }); why != "" {
		return r, l, why
	}
	r = *reads[0].Body.Rating
	r.Evidence = consensus(reads, func(s Said) []review.Region { return s.Body.Rating.Evidence })
	return r, l, ""
}

// lookLabel is stepLabel for the readers' own answers to a question.
func (c *Case) lookLabel(q review.QuestionID, which Labels) (look review.Look, l Label, why string) {
	if c.Train {
		return look, l, isTraining
	}
	for _, e := range c.Final {
		if a := e.Body.Adjudication; a.Look != nil && a.Part == string(q) {
			return *a.Look, adjudicated(e), ""
		}
	}
	var reads []Said
	for _, s := range c.Said {
		if s.Counts && s.Body.Look != nil && s.Body.Look.Question == q {
			reads = append(reads, s)
		}
	}
	if l, why = settled(reads, which, func(s Said) string { return s.Body.Look.Answer }); why != "" {
		return look, l, why
	}
	look = *reads[0].Body.Look
	look.Evidence = consensus(reads, func(s Said) []review.Region { return s.Body.Look.Evidence })
	return look, l, ""
}

// settled tells whether reads say the same, and of readers enough for the labels that count.
func settled(reads []Said, which Labels, says func(Said) string) (Label, string) {
	l := Label{From: fromHuman, How: unanimous}
	for _, s := range reads {
		if !slices.Contains(l.Readers, string(s.Reader)) {
			l.Readers = append(l.Readers, string(s.Reader))
		}
		l.Rubric = cmp.Or(l.Rubric, rubricOf(s.Rubric))
		if says(s) != says(reads[0]) {
			return Label{}, unsettled
		}
	}
	switch {
	case len(reads) == 0:
		return Label{}, notRated
	case which == AdjudicatedLabels:
		return Label{}, notSettled
	case len(l.Readers) == 1 && which != SingleLabels:
		return Label{}, oneReader
	case len(l.Readers) == 1:
		l.How = single
	}
	return l, ""
}

func adjudicated(e review.Event) Label {
	l := Label{From: fromAdjudicated, Readers: []string{string(e.Reader)}, Rubric: rubricOf(e.Rubric), Event: string(e.ID)}
	if e.Body.Adjudication.Unanimous {
		l.How = unanimous
	}
	return l
}

// sameChain tells whether an event speaks of this very chain.
func sameChain(e review.Event, c review.Chain) bool {
	return e.ChainDigest == "" || e.ChainDigest == c.Digest
}

// reward is the process reward of measurement.md: supported +1, partly 0, unsupported and contradicted -1; false for others.
func reward(s review.Support) (int, bool) {
	switch s {
	case review.Supported:
		return 1, true
	case review.Partly:
		return 0, true
	case review.Unsupported, review.Contradicted:
		return -1, true
	}
	return 0, false
}

// owns lists the corrections of a step, of signed readings, in order of reader.
func (c *Case) owns(chain review.ChainID, step review.StepID) []Said {
	if c.Train {
		return nil
	}
	var out []Said
	for _, s := range c.Said {
		if s.Signed && s.Chain == chain && s.Body.OwnAnswer != nil && s.Body.OwnAnswer.Step == step && !s.Body.OwnAnswer.Empty() {
			out = append(out, s)
		}
	}
	return out
}

// inOrder sorts questions by stage.
func inOrder(questions []review.Question) []review.Question {
	out := slices.Clone(questions)
	slices.SortStableFunc(out, func(a, b review.Question) int { return a.K - b.K })
	return out
}
