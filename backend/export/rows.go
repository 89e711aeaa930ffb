package export

import (
	"slices"
	"strings"

	"plumbline/backend/review"
)

// The tables of the flat exports. A nil pointer is a missing value: an empty cell in CSV, null in Parquet. Times are RFC 3339 UTC.

// place says what a row is about; every table begins with it.
type place struct {
	Case     string `parquet:"case,dict"`
	Cluster  string `parquet:"cluster_id,dict"` // cases of one cluster are not independent
	Patient  string `parquet:"patient,dict"`    // "" where it is not known
	Split    string `parquet:"split,dict"`      // "" without a split
	Modality string `parquet:"modality,dict"`   // of the first image
	Language string `parquet:"language,dict"`
	Group    string `parquet:"paraphrase_group,dict"`
}

// CaseRow is a case.
type CaseRow struct {
	place
	Level     string `parquet:"paraphrase_level,dict"`
	Study     string `parquet:"study,dict"`
	Images    int64  `parquet:"images"`
	Variants  int64  `parquet:"variants"` // of the images: those derived from others
	Frames    int64  `parquet:"frames"`
	Questions int64  `parquet:"questions"`
	Chains    int64  `parquet:"chains"`
	Readings  int64  `parquet:"readings"` // begun
	Signed    int64  `parquet:"signed"`
	Training  bool   `parquet:"training"` // it trains readers and counts nowhere
}

// made says which chain a row is about.
type made struct {
	Chain     string `parquet:"chain,dict"`
	Model     string `parquet:"model,dict"`
	Revision  string `parquet:"model_revision,dict"`
	Condition string `parquet:"condition,dict"`
}

// about says which question a row is about.
type about struct {
	Question string `parquet:"question,dict"`
	K        int64  `parquet:"stage_k"` // from 1
	Stage    string `parquet:"stage,dict"`
	Category string `parquet:"category,dict"`
}

// AnswerRow is a chain's answer to a question.
type AnswerRow struct {
	place
	made
	about
	Answer     *string  `parquet:"answer,optional,dict"` // null where it could not be parsed
	AnswerText string   `parquet:"answer_text,dict"`
	Parse      string   `parquet:"parse,dict"`
	Gold       *string  `parquet:"gold,optional,dict"`
	Correct    *bool    `parquet:"correct,optional"` // null where the right answer is not known
	Entropy    *float64 `parquet:"entropy,optional"`
	Seconds    float64  `parquet:"seconds"`
	Steps      int64    `parquet:"steps"`
}

// said says who said a row, when, and whether it counts.
type said struct {
	Event      string  `parquet:"event"`
	Reader     string  `parquet:"reader,dict"` // the code
	Session    string  `parquet:"session,dict"`
	Assignment string  `parquet:"assignment,dict"`
	At         string  `parquet:"at"`
	Rubric     string  `parquet:"rubric,dict"`
	RubricOf   string  `parquet:"rubric_version,dict"`
	Signed     bool    `parquet:"signed"`
	Counts     bool    `parquet:"counts"` // signed, this reader's first of the same thing, under the rubric of the study, no training
	FirstSeen  *string `parquet:"first_seen,optional"`
	FirstSaid  *string `parquet:"first_answer,optional"`
	ActiveMS   *int64  `parquet:"active_ms,optional"`
	IdleMS     *int64  `parquet:"idle_ms,optional"`
	DaysSince  *int64  `parquet:"days_since_session_1,optional"`
}

// LookRow is a reader's own answer before any chain was seen.
type LookRow struct {
	place
	about
	said
	Answer     string  `parquet:"answer,dict"`
	AnswerText string  `parquet:"answer_text,dict"`
	Correct    *bool   `parquet:"correct,optional"`
	Confidence *int64  `parquet:"confidence,optional"`
	Regions    int64   `parquet:"evidence_regions"`
	Evidence   string  `parquet:"evidence"` // JSON
	Final      *string `parquet:"final_answer,optional,dict"`
	FinalFrom  *string `parquet:"final_from,optional,dict"`
}

// RatingRow is what a reader said of a step.
type RatingRow struct {
	place
	made
	about
	said
	Step          string  `parquet:"step,dict"`
	StepNumber    int64   `parquet:"step_number"`        // in the chain, from 1
	StepText      *string `parquet:"step_text,optional"` // null: latent
	ClaimType     string  `parquet:"claim_type,dict"`
	AnswerCorrect *bool   `parquet:"answer_correct,optional"` // of the answer that the step belongs to
	Support       string  `parquet:"support,dict"`
	Reason        string  `parquet:"reason,dict"`
	ModelPlace    string  `parquet:"model_place,dict"`
	Error         string  `parquet:"error,dict"` // joined by ;
	BuildsOnError string  `parquet:"builds_on_error,dict"`
	Significance  string  `parquet:"significance,dict"`
	Confidence    *int64  `parquet:"confidence,optional"`
	CueAck        string  `parquet:"cue_ack,dict"`
	Note          string  `parquet:"note"`
	Regions       int64   `parquet:"evidence_regions"`
	Adopted       int64   `parquet:"evidence_adopted"` // of them: taken over from the model
	Evidence      string  `parquet:"evidence"`         // JSON
	OwnAnswer     *string `parquet:"own_answer,optional"`
	OwnText       *string `parquet:"own_text,optional"`
	Final         *string `parquet:"final_support,optional,dict"` // adjudicated, or unanimous of two readers or more
	FinalFrom     *string `parquet:"final_from,optional,dict"`    // adjudicated, human
}

// ChainRatingRow is what a reader said of a whole chain.
type ChainRatingRow struct {
	place
	made
	said
	Answer       string `parquet:"answer,dict"`
	Missed       int64  `parquet:"missed"`
	MissedText   string `parquet:"missed_text"` // JSON
	FirstBadStep string `parquet:"first_bad_step,dict"`
	Radpeer      string `parquet:"radpeer,dict"`
	Follows      string `parquet:"follows,dict"`
	ImageAlone   string `parquet:"image_alone,dict"`
	NeedsMore    string `parquet:"needs_more,dict"` // joined by ;
	Note         string `parquet:"note"`
}

// caseRows are the rows of one case.
type caseRows struct {
	cases   []CaseRow
	answers []AnswerRow
	looks   []LookRow
	ratings []RatingRow
	chains  []ChainRatingRow
	strays  []review.Event // of a version of a chain, or of a step, that is not there any more
}

// rowsOf makes the rows of a case.
func rowsOf(c *Case, split string) caseRows {
	at := place{Case: string(c.ID), Cluster: c.Cluster, Patient: string(c.Patient), Split: split, Language: c.Language, Group: c.Group}
	if len(c.Images) > 0 {
		at.Modality = c.Images[0].Modality
	}
	out := caseRows{cases: []CaseRow{caseRow(c, at)}}
	for _, chain := range c.Chains {
		for _, a := range chain.Answers {
			out.answers = append(out.answers, c.answerRow(at, chain, a))
		}
	}
	for _, s := range c.Said {
		switch b := s.Body; {
		case b.Look != nil:
			out.looks = append(out.looks, c.lookRow(at, s))
		case b.Rating != nil:
			if row, ok := c.ratingRow(at, s); ok {
				out.ratings = append(out.ratings, row)
			} else {
				out.strays = append(out.strays, s.Event)
			}
		case b.ChainRating != nil:
			if chain, ok := c.chainOf(s.Event); ok {
				out.chains = append(out.chains, c.chainRow(at, chain, s))
			} else {
				out.strays = append(out.strays, s.Event)
			}
		}
	}
	return out
}

func caseRow(c *Case, at place) CaseRow {
	r := CaseRow{place: at, Level: c.Level, Study: c.Study, Images: int64(len(c.Images)), Questions: int64(len(c.Questions)), Chains: int64(len(c.Chains)), Training: c.Train}
	for _, i := range c.Images {
		if i.DerivedFrom != "" {
			r.Variants++
		}
	}
	for _, s := range c.Stacks {
		r.Frames += int64(len(s.Frames))
	}
	begun := map[review.AssignmentID]bool{}
	for _, s := range c.Said {
		begun[s.Assignment] = begun[s.Assignment] || s.Signed
	}
	r.Readings = int64(len(begun))
	for _, signed := range begun {
		if signed {
			r.Signed++
		}
	}
	return r
}

func (c *Case) aboutOf(id review.QuestionID) about {
	q, _ := c.Question(id)
	return about{string(id), int64(q.K), q.Stage, q.Category}
}

func madeBy(c Chain) made {
	m := c.Model()
	return made{string(c.ID), m.Name, m.Revision, c.Condition()}
}

func saidBy(s Said) said {
	out := said{
		Event: string(s.ID), Reader: string(s.Reader), Session: s.Session, Assignment: string(s.Assignment), At: s.At,
		Rubric: s.Rubric.Name, RubricOf: s.Rubric.Version, Signed: s.Signed, Counts: s.Counts,
		FirstSeen: unless(s.FirstSeen, ""), FirstSaid: unless(s.FirstAnswer, ""),
	}
	if s.FirstSeen != "" || s.ActiveMS > 0 || s.IdleMS > 0 {
		out.ActiveMS, out.IdleMS = &s.ActiveMS, &s.IdleMS
	}
	if s.DaysSince != nil {
		days := int64(*s.DaysSince)
		out.DaysSince = &days
	}
	return out
}

func (c *Case) answerRow(at place, chain Chain, a review.Answer) AnswerRow {
	r := AnswerRow{place: at, made: madeBy(chain), about: c.aboutOf(a.Question), Answer: a.Answer, Parse: string(a.Parse), Entropy: a.Entropy, Seconds: a.Seconds, Steps: int64(len(a.Steps))}
	q, _ := c.Question(a.Question)
	if a.Answer != nil {
		r.AnswerText = worded(q, *a.Answer)
	}
	if gold, _, known := c.gold(q); known {
		r.Gold = &gold
	}
	if right, known := c.right(a); known {
		r.Correct = &right
	}
	return r
}

func (c *Case) lookRow(at place, s Said) LookRow {
	l := s.Body.Look
	q, _ := c.Question(l.Question)
	r := LookRow{
		place: at, about: c.aboutOf(l.Question), said: saidBy(s), Answer: l.Answer, AnswerText: worded(q, l.Answer), Confidence: certainty(l.Confidence),
		Regions: int64(len(l.Evidence)), Evidence: inline(l.Evidence),
	}
	if gold, _, known := c.gold(q); known {
		right := q.Same(l.Answer, gold)
		r.Correct = &right
	}
	if final, label, why := c.lookLabel(l.Question, SettledLabels); why == "" {
		r.Final, r.FinalFrom = &final.Answer, &label.From
	}
	return r
}

// chainOf finds the chain that an event speaks of; false where it is another version of it.
func (c *Case) chainOf(e review.Event) (Chain, bool) {
	i := slices.IndexFunc(c.Chains, func(x Chain) bool { return x.ID == e.Chain && sameChain(e, x.Chain) })
	if i < 0 {
		return Chain{}, false
	}
	return c.Chains[i], true
}

func (c *Case) ratingRow(at place, s Said) (RatingRow, bool) {
	chain, there := c.chainOf(s.Event)
	if !there {
		return RatingRow{}, false
	}
	g := s.Body.Rating
	n := 0
	for _, a := range chain.Answers {
		for _, step := range a.Steps {
			if n++; step.ID != g.Step {
				continue
			}
			r := RatingRow{
				place: at, made: madeBy(chain), about: c.aboutOf(a.Question), said: saidBy(s), Step: string(step.ID), StepNumber: int64(n), StepText: step.Text,
				ClaimType: step.ClaimType, Support: string(g.Support), Reason: g.Reason, ModelPlace: g.ModelPlace, Error: strings.Join(g.Error, ";"),
				BuildsOnError: g.BuildsOnError, Significance: g.Significance, Confidence: certainty(g.Confidence), CueAck: g.CueAck, Note: g.Note,
				Regions: int64(len(g.Evidence)), Evidence: inline(g.Evidence),
			}
			for _, e := range g.Evidence {
				if e.Adopted {
					r.Adopted++
				}
			}
			if right, known := c.right(a); known {
				r.AnswerCorrect = &right
			}
			for _, own := range c.owns(chain.ID, step.ID) {
				if own.Assignment == s.Assignment {
					r.OwnAnswer, r.OwnText = unless(own.Body.OwnAnswer.Answer, ""), unless(own.Body.OwnAnswer.Text, "")
				}
			}
			if final, label, why := c.stepLabel(chain.Chain, step.ID, SettledLabels); why == "" {
				support := string(final.Support)
				r.Final, r.FinalFrom = &support, &label.From
			}
			return r, true
		}
	}
	return RatingRow{}, false
}

func (c *Case) chainRow(at place, chain Chain, s Said) ChainRatingRow {
	g := s.Body.ChainRating
	return ChainRatingRow{
		place: at, made: madeBy(chain), said: saidBy(s), Answer: g.Answer, Missed: int64(len(g.Missed)), MissedText: inline(g.Missed),
		FirstBadStep: g.FirstBadStep, Radpeer: g.Radpeer, Follows: g.Follows, ImageAlone: g.ImageAlone, NeedsMore: strings.Join(g.NeedsMore, ";"), Note: g.Note,
	}
}

func unless[T comparable](v, nothing T) *T {
	if v == nothing {
		return nil
	}
	return &v
}

func certainty(n int) *int64 { return unless(int64(n), 0) }

// inline gives a list as JSON in one cell; "" for an empty one.
func inline[T any](list []T) string {
	if len(list) == 0 {
		return ""
	}
	b, err := plainJSON(list)
	if err != nil {
		return "" // nouns without numbers that JSON cannot hold
	}
	return string(b[:len(b)-1])
}
