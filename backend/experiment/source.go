package experiment

import (
	"context"

	"plumbline/backend/model"
	"plumbline/backend/review"
)

// A Source holds what is asked about. Its methods are called from several goroutines at once.
type Source interface {
	Case(review.CaseID) (review.Case, error)
	Stacks(context.Context, review.CaseID) ([]review.Stack, []review.Problem, error)
	Samples(ctx context.Context, of review.CaseID, image review.ImageID, frame int) (review.Frame, review.Samples, error)
}

// A Bare study can give an image without its finding, rendered or from a supplied pair: every frame's samples as stored. Fault NotFound where
// it cannot; Invalid or Damaged where what is supplied cannot be used.
type Bare interface {
	Without(context.Context, review.CaseID, review.ImageID) ([][]byte, error)
}

// An Inserter is a Bare that can also give the images of a case with a finding put in, where there is none: every frame's samples as stored,
// the right answers that this makes, and where the finding lies. right is nil where that is left to the truth (Truth.Inserted). Faults as of
// Bare.
type Inserter interface {
	With(context.Context, review.CaseID) (frames map[review.ImageID][][]byte, right map[review.QuestionID]string, at []review.Region, err error)
}

// A Book keeps the work of runs; what it was given is on the disk when it answers.
type Book interface {
	SavePlan(run string, plan []byte) error
	Note(run string, notes map[string][]byte) error
	Noted(run string) (map[string][]byte, error)
	Finish(run, key string, note []byte, c review.Chain, o review.Origin) error
}

// Asked is a model to ask.
type Asked struct {
	model.Model
	Info        review.ModelInfo
	Temperature float64
	Concurrency int // requests at a time; 0: one
}

// Study is what a run is about.
type Study struct {
	Source Source
	Bare   Bare // nil: no image can be rendered without its finding
	Truth  []review.Truth
	Group  func(group string) ([]review.Case, error) // the cases of a paraphrase group; nil: there are none
	// Wording says cues and mitigations; the zero value: as they come with the program.
	Wording Wording
}

// Controls gives the built-in control models, ready to be asked.
func Controls() []Asked {
	var out []Asked
	for _, c := range model.Controls() {
		out = append(out, Asked{
			Model: c.Model, Temperature: c.Temperature, Concurrency: 4,
			Info: review.ModelInfo{Name: c.Name(), Provider: "built-in", Revision: "1", Profile: "control"},
		})
	}
	return out
}
