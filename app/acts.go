package app

import (
	"context"

	"plumbline/backend/bundle"
	"plumbline/backend/desk"
	"plumbline/backend/experiment"
	"plumbline/backend/export"
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
	Archive(ctx context.Context, address string) (desk.Archive, error)
	FindStudies(ctx context.Context, ask desk.ArchiveAsk, wanted desk.ArchiveSearch) (desk.Found, error)
	FetchStudies(ctx context.Context, ask desk.ArchiveAsk, studies []string, dir string) (desk.Imported, error)
	Changes(ctx context.Context) (desk.Changes, error)
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
	Overlays(ctx context.Context, caseID string) (desk.Overlays, error)
	OverlayFrame(ctx context.Context, caseID, layer string, n int) (review.Samples, error)
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
	SaveReport(ctx context.Context, dir string, f report.Filter) ([]string, error)
	ExportFormats() []export.Format
	Export(ctx context.Context, o desk.ExportOrder) (export.Done, error)
	ReportOf(ctx context.Context, filter report.Filter) (report.Document, error)
	CompareReport(ctx context.Context, filter report.Filter, pair report.Pair) ([]report.Comparison, error)
	BehindReport(ctx context.Context, filter report.Filter, key string) ([]report.Fact, error)
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
	Models(ctx context.Context) (desk.Models, error)
	SaveModel(ctx context.Context, profile string) (desk.Models, error)
	RemoveModel(ctx context.Context, name string) (desk.Models, error)
	ProbeModel(ctx context.Context, name string) (desk.Models, error)
	KeepModelKey(ctx context.Context, name, secret string) (desk.Models, error)
	AllowModel(ctx context.Context, name, host, by string, images bool) (desk.Models, error)
	ConditionList() desk.ConditionList
	CheckConditions(ctx context.Context, conditions []string) ([]desk.CheckedCondition, error)
	AnyCases(ctx context.Context) ([]desk.AnyCase, error)
	EstimateRun(ctx context.Context, order desk.RunOrder) (experiment.Estimate, error)
	StartRun(ctx context.Context, order desk.RunOrder) error
	RunStatus(ctx context.Context) (experiment.Status, bool, error)
	PauseRun(ctx context.Context, paused bool) error
	CancelRun(ctx context.Context) error
	PastRuns(ctx context.Context) ([]desk.PastRun, error)
	Arms(ctx context.Context) ([]desk.ArmName, error)
	PairsOf(ctx context.Context, name desk.PairName) (desk.Pairs, error)
	FrameAs(ctx context.Context, caseID, image string, n int, chain, question string) (review.Frame, review.Samples, error)
	CompareChains(ctx context.Context, caseID, before, after string) (desk.Comparison, error)
	ContinueFrom(ctx context.Context, order desk.ContinueOrder) (desk.Comparison, error)
	EstimateBatch(ctx context.Context, order desk.BatchOrder) (desk.BatchEstimate, error)
	WriteBatch(ctx context.Context, order desk.BatchOrder) (desk.BatchWritten, error)
	Batches(ctx context.Context) ([]desk.KeptBatch, error)
	LookIntoBatch(ctx context.Context, dir string) (desk.BatchFolder, error)
	ReadBatch(ctx context.Context, dir string, results []string) (desk.BatchTaken, error)
	Queue(ctx context.Context) (desk.Queue, error)
	RouteCase(ctx context.Context, caseID string) (desk.Route, error)
	Emphasise(ctx context.Context, order desk.EmphasisOrder) (desk.Comparison, error)
}
