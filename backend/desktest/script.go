// Package desktest writes tests as scripts of several people, each at a real desk over real folders:
//
//	study := desktest.New(t)
//	study.As("ann").Open("case-01").Look("q1", "A").Rate("s2", review.Partly).Sign()
//
// A script that goes wrong ends the test. What a script expects to be refused is asked of the Desk itself.
package desktest

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// A Study is one dataset and the people who work on it.
type Study struct {
	T    testing.TB
	Data string // the dataset's folder
	home string
	desk map[string]*desk.Desk

	afar  map[string]*afar // of those who work from packages
	clock *Clock           // nil: the computer's
}

// New writes the small dataset (see WriteDataset) into a folder of the test.
func New(t testing.TB) *Study {
	s := &Study{T: t, home: t.TempDir(), desk: map[string]*desk.Desk{}, afar: map[string]*afar{}}
	s.Data = filepath.Join(s.home, "data")
	WriteDataset(t, s.Data)
	return s
}

// Folder gives the workspace folder of a person.
func (s *Study) Folder(name string) string { return filepath.Join(s.home, name) }

// Options gives the options of a person's desk: folders of the test only.
func (s *Study) Options(seat desk.Seat) desk.Options {
	home := filepath.Join(s.home, "home")
	o := desk.Options{Folders: desk.Folders{Data: home, Config: home, State: home}, Seat: seat}
	if s.clock != nil {
		o.Now = s.clock.Now
	}
	return o
}

// As gives the desk of a reader with a workspace of their own, into which the dataset is imported.
func (s *Study) As(reader string) *Person {
	return s.person(reader, desk.Seat{Role: desk.Reader, Reader: review.ReaderID(reader)})
}

// Coordinator gives the coordinator's desk, reading as R1.
func (s *Study) Coordinator() *Person {
	return s.person("coordinator", desk.Seat{Role: desk.Coordinator, Reader: "R1"})
}

func (s *Study) person(name string, seat desk.Seat) *Person {
	s.T.Helper()
	if s.desk[name] == nil {
		s.desk[name] = s.start(name, seat)
		if _, err := s.desk[name].Import(s.T.Context(), s.Data); err != nil {
			s.T.Fatal(err)
		}
	}
	return &Person{study: s, name: name, seat: seat, Desk: s.desk[name]}
}

// start opens a person's desk, and sees to it that their ledger holds when the test ends.
func (s *Study) start(name string, seat desk.Seat) *desk.Desk {
	s.T.Helper()
	d := s.sit(name, seat)
	if _, err := d.OpenWorkspace(s.T.Context(), s.Folder(name)); err != nil {
		s.T.Fatal(err)
	}
	return d
}

// sit gives a person's desk with nothing open, and sees to it that the ledger they leave holds when the test ends.
func (s *Study) sit(name string, seat desk.Seat) *desk.Desk {
	s.T.Helper()
	o := s.Options(seat)
	if s.afar[name] != nil {
		o.Folders = s.afar[name].folders
	}
	d := desk.New(o)
	s.T.Cleanup(func() {
		if err := d.Close(); err != nil {
			s.T.Error(err)
		}
		if s.desk[name] == d {
			s.mustHold(name)
		}
	})
	return d
}

// mustHold checks the ledger that a person leaves.
func (s *Study) mustHold(name string) {
	l, err := store.OpenLedger(filepath.Join(s.Folder(name), "readings.db"))
	if err != nil {
		s.T.Error(err)
		return
	}
	defer l.Close()
	if v, err := l.Check(); err != nil || v.FirstBreak != nil {
		s.T.Errorf("the ledger of %s does not hold: %+v, %v", name, v.FirstBreak, err)
	}
}

// A Person sits at a desk.
type Person struct {
	study *Study
	name  string
	seat  desk.Seat
	Desk  *desk.Desk
}

// Restart closes the program and starts it again.
func (p *Person) Restart() *Person {
	p.study.T.Helper()
	if err := p.Desk.Close(); err != nil {
		p.study.T.Fatal(err)
	}
	p.Desk = p.study.start(p.name, p.seat)
	p.study.desk[p.name] = p.Desk
	return p
}

// State gives where the person's desk stands.
func (p *Person) State() desk.State {
	p.study.T.Helper()
	s, err := p.Desk.State(p.study.T.Context())
	if err != nil {
		p.study.T.Fatal(err)
	}
	return s
}

// Open opens a case.
func (p *Person) Open(id string) *Reading {
	p.study.T.Helper()
	v, err := p.Desk.OpenCase(p.study.T.Context(), p.called(id))
	if err != nil {
		p.study.T.Fatal(err)
	}
	return &Reading{person: p, View: v}
}

// A Reading is a case in front of a person, as it was after the last act.
type Reading struct {
	person *Person
	View   desk.CaseView
	Saved  desk.Saved // what the last act answered
}

// then takes over what an act answered.
func (r *Reading) then(s desk.Saved, err error) *Reading {
	t := r.person.study.T
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	r.Saved = s
	r.View = r.person.Open(string(r.View.Case.ID)).View
	return r
}

func (r *Reading) context() context.Context { return r.person.study.T.Context() }

// Look answers a question, quite sure.
func (r *Reading) Look(question review.QuestionID, answer string) *Reading {
	r.person.study.T.Helper()
	question = questionCalled(r.View, question)
	return r.then(r.person.Desk.Look(r.context(), r.View.Assignment, review.Look{Question: question, Answer: answer, Confidence: 3}))
}

// LookAll answers every open question with its first option.
func (r *Reading) LookAll() *Reading {
	r.person.study.T.Helper()
	if r.View.Phase != "look" {
		return r
	}
	for _, q := range r.View.Case.Questions[len(r.View.Looks):] {
		r.Look(q.ID, q.Options[0].Letter)
	}
	return r
}

// Rate rates a step of the first chain that has it, with everything that the rubric requires beside the support.
func (r *Reading) Rate(step review.StepID, s review.Support) *Reading {
	r.person.study.T.Helper()
	return r.Correct(step, s, "")
}

// Correct is Rate with a reason, for after signing.
func (r *Reading) Correct(step review.StepID, s review.Support, reason string) *Reading {
	r.person.study.T.Helper()
	for _, c := range r.View.Chains {
		if full, ok := Full(r.View, c.ID, step, s); ok {
			return r.then(r.person.Desk.Rate(r.context(), r.View.Assignment, c.ID, full, reason))
		}
	}
	r.person.study.T.Fatalf("no chain with step %s is open", step)
	return r
}

// RateRest answers whatever is missing: open questions with their first option, steps as supported, chains as correct.
func (r *Reading) RateRest() *Reading {
	r.person.study.T.Helper()
	r.LookAll()
	for len(r.View.Missing) > 0 {
		m := r.View.Missing[0]
		if m.Part == "chain" {
			r.then(r.person.Desk.RateChain(r.context(), r.View.Assignment, m.Chain, FullChain(), ""))
			continue
		}
		full, _ := Full(r.View, m.Chain, review.StepID(m.Part), review.Supported)
		r.then(r.person.Desk.Rate(r.context(), r.View.Assignment, m.Chain, full, ""))
	}
	return r
}

// Sign signs, once RateRest has answered what is missing.
func (r *Reading) Sign() *Reading {
	r.person.study.T.Helper()
	r.RateRest()
	return r.then(r.person.Desk.Sign(r.context(), r.View.Assignment))
}

// Full gives a rating of a step with everything that GRD v1 requires beside the support; false where the chain has no such step.
func Full(v desk.CaseView, chain string, step review.StepID, s review.Support) (review.Rating, bool) {
	i := slices.IndexFunc(v.Chains, func(c desk.ChainView) bool { return c.ID == chain })
	if i < 0 {
		return review.Rating{}, false
	}
	step = stepCalled(v.Chains[i], step)
	r := review.Rating{Step: step, Support: s}
	n := 0
	for _, a := range v.Chains[i].Answers {
		for _, at := range a.Steps {
			if n++; at.ID == step {
				fill(&r, at, n > 1, v.Case.Images)
				return r, true
			}
		}
	}
	return r, false
}

// fill answers what is asked beside the support.
func fill(r *review.Rating, s review.Step, later bool, images []review.Image) {
	wrong := slices.Contains([]review.Support{review.Partly, review.Unsupported, review.Contradicted}, r.Support)
	if r.Support == review.CannotAssess {
		r.Reason = "quality"
	}
	if len(s.Regions) > 0 {
		r.ModelPlace = "correct"
	}
	if s.Text == nil {
		return
	}
	r.Confidence = 2
	if wrong {
		r.Error, r.Significance = []string{"false_finding"}, "a"
	}
	if wrong && later {
		r.BuildsOnError = "no"
	}
	if (r.Support == review.Supported || r.Support == review.Partly) && len(images) > 0 {
		r.Evidence = []review.Region{{ID: "r1", Image: images[0].ID, Shape: review.Point, Coords: []float64{.5, .5}}}
	}
}

// FullChain gives a chain's rating with everything that GRD v1 requires.
func FullChain() review.ChainRating {
	return review.ChainRating{Answer: "correct", FirstBadStep: "none", Radpeer: "1", Follows: "yes", ImageAlone: "yes", NeedsMore: []string{"none"}}
}

// Desk gives the desk at which the reading is done.
func (r *Reading) Desk() *desk.Desk { return r.person.Desk }

// Person gives who reads.
func (r *Reading) Person() *Person { return r.person }
