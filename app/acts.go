package app

import (
	"context"

	"plumbline/backend/bundle"
	"plumbline/backend/desk"
	"plumbline/backend/report"
	"plumbline/backend/review"
)

// acts is what the window asks of the desk.
type acts interface {
	State(ctx context.Context) (desk.State, error)
	AcceptNotice(ctx context.Context) (desk.State, error)
	OpenSample(ctx context.Context) (desk.State, error)
	OpenWorkspace(ctx context.Context, dir string) (desk.State, error)
	Import(ctx context.Context, path string) (desk.Imported, error)
	Problems(ctx context.Context) ([]review.Problem, error)
	Cases(ctx context.Context) ([]desk.CaseRow, error)
	OpenCase(ctx context.Context, id string) (desk.CaseView, error)
	Look(ctx context.Context, assignment string, look review.Look) (desk.Saved, error)
	Rate(ctx context.Context, assignment, chain string, rating review.Rating, reason string) (desk.Saved, error)
	RateChain(ctx context.Context, assignment, chain string, rating review.ChainRating, reason string) (desk.Saved, error)
	OwnAnswer(ctx context.Context, assignment, chain string, own review.OwnAnswer, reason string) (desk.Saved, error)
	Sign(ctx context.Context, assignment string) (desk.Saved, error)
	CheckDisplay(ctx context.Context, display review.Display) (desk.State, error)
	RetryTraining(ctx context.Context) (desk.State, error)
	SetReader(ctx context.Context, code string) (desk.State, error)
	Frame(ctx context.Context, caseID, image string, n int) (review.Frame, review.Samples, error)
	Rubric() review.Rubric
	Rubrics(ctx context.Context) ([]review.Rubric, error)
	CheckRubric(ctx context.Context, file []byte) (review.Rubric, []review.Problem, error)
	AddRubric(ctx context.Context, file []byte) (review.Rubric, error)
	Protocol(ctx context.Context) (review.Protocol, bool, error)
	CheckProtocol(ctx context.Context, file []byte) (review.Protocol, []review.Problem, error)
	SetProtocol(ctx context.Context, file []byte) (review.Protocol, error)
	Assign(ctx context.Context) (desk.Standing, error)
	Progress(ctx context.Context) (desk.Standing, error)
	Agreement(ctx context.Context) ([]report.Agreement, error)
	Seen(ctx context.Context, assignment, chain string, seen review.Seen) (desk.Saved, error)
	Report(ctx context.Context) (report.Document, error)
	SaveReport(ctx context.Context, dir string) ([]string, error)
	Preferences(ctx context.Context) (string, error)
	SetPreferences(ctx context.Context, preferences string) error
	About(ctx context.Context) (desk.About, error)
	Thumb(ctx context.Context, caseID, image string, n, side int) ([]byte, error)
	Disagreements(ctx context.Context) (desk.Disagreements, error)
	OpenDisagreement(ctx context.Context, id string) (desk.DisagreementView, error)
	Decide(ctx context.Context, id string, value review.FinalValue, reason string) (desk.Decided, error)
	AdoptUnanimous(ctx context.Context) (int, error)
	Overturns(ctx context.Context) (desk.Adjudicated, error)
	Keys(ctx context.Context) (desk.MachineKeys, error)
	Packages(ctx context.Context) (desk.Packages, error)
	MakeWork(ctx context.Context, reader, path string, lock bundle.Lock) (desk.Packed, error)
	MakeWords(ctx context.Context, path string, lock bundle.Lock) (desk.Packed, error)
	OpenWork(ctx context.Context, path, dir, passphrase string) (desk.Opened, error)
	Merge(ctx context.Context, path, passphrase, trust string) (desk.Merged, error)
}
