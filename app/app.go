// Package app is the desktop face: the only Go that knows Wails. It translates; the desk decides.
package app

import (
	"context"
	"time"

	"plumbline/backend/desk"
	"plumbline/backend/report"
	"plumbline/backend/review"
)

// App holds the methods bound to the page: strings in, nouns out, a line or two each.
type App struct {
	face *face
}

// State tells which workspace is open, for whom.
func (a *App) State() (desk.State, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.State, error) { return d.State(ctx) })
}

// Start is what the page does first: open a workspace and, where the command line asked for it, go on to a case.
type Start struct {
	State desk.State `json:"state"`
	Case  string     `json:"case"` // go to the reading screen of this case; "": to the library
}

// Start does what the command line asked for.
func (a *App) Start() (Start, error) {
	return bound(a, func(ctx context.Context, d acts) (Start, error) { return a.face.first(ctx, d) })
}

// Mark notes that something came on the screen, with the time since the process began. Measurements read it from the log.
func (a *App) Mark(what string) {
	a.face.log.Info().Str("mark", what).Int64("ms", time.Since(a.face.begun).Milliseconds()).Send()
}

// AcceptNotice records that this reader accepts the research-use notice.
func (a *App) AcceptNotice() (desk.State, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.State, error) { return d.AcceptNotice(ctx) })
}

// OpenSample opens the sample study, writing it first where it is missing.
func (a *App) OpenSample() (desk.State, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.State, error) { return d.OpenSample(ctx) })
}

// OpenWorkspace opens a workspace folder, creating it where it is missing.
func (a *App) OpenWorkspace(dir string) (desk.State, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.State, error) { return d.OpenWorkspace(ctx, dir) })
}

// ChooseFolder asks for a folder by the system's dialog; "" when the reader cancels.
func (a *App) ChooseFolder(title string) (string, error) {
	return bound(a, func(context.Context, acts) (string, error) {
		return a.face.window.chooseFolder(a.face.ctx, title)
	})
}

// Import brings a folder or file into the workspace.
func (a *App) Import(path string) (desk.Imported, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Imported, error) { return d.Import(ctx, path) })
}

// Cancel stops the long operation that is running, if any.
func (a *App) Cancel() { a.face.cancelLong() }

// Problems lists what is wrong in the files of the open dataset.
func (a *App) Problems() ([]review.Problem, error) {
	return bound(a, func(ctx context.Context, d acts) ([]review.Problem, error) { return d.Problems(ctx) })
}

// Cases lists the worklist.
func (a *App) Cases() ([]desk.CaseRow, error) {
	return bound(a, func(ctx context.Context, d acts) ([]desk.CaseRow, error) { return d.Cases(ctx) })
}

// OpenCase brings everything that the reading screen needs of one case.
func (a *App) OpenCase(id string) (desk.CaseView, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.CaseView, error) { return d.OpenCase(ctx, id) })
}

// Look locks the reader's own answer to one question.
func (a *App) Look(assignment string, look review.Look) (desk.Saved, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Saved, error) { return d.Look(ctx, assignment, look) })
}

// Rate saves the full state of one step's rating; reason is needed after signing.
func (a *App) Rate(assignment, chain string, rating review.Rating, reason string) (desk.Saved, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Saved, error) {
		return d.Rate(ctx, assignment, chain, rating, reason)
	})
}

// RateChain saves the full state of a chain's own questions; reason is needed after signing.
func (a *App) RateChain(assignment, chain string, rating review.ChainRating, reason string) (desk.Saved, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Saved, error) {
		return d.RateChain(ctx, assignment, chain, rating, reason)
	})
}

// OwnAnswer saves a correction: what the reader would have said in place of a step; reason is needed after signing.
func (a *App) OwnAnswer(assignment, chain string, own review.OwnAnswer, reason string) (desk.Saved, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Saved, error) {
		return d.OwnAnswer(ctx, assignment, chain, own, reason)
	})
}

// Sign closes the reading of a case.
func (a *App) Sign(assignment string) (desk.Saved, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Saved, error) { return d.Sign(ctx, assignment) })
}

// CheckDisplay records what the reader said of the display; asked once in a session.
func (a *App) CheckDisplay(display review.Display) (desk.State, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.State, error) { return d.CheckDisplay(ctx, display) })
}

// RetryTraining begins another, blank attempt of the training.
func (a *App) RetryTraining() (desk.State, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.State, error) { return d.RetryTraining(ctx) })
}

// SetReader takes the seat of another reader code.
func (a *App) SetReader(code string) (desk.State, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.State, error) { return d.SetReader(ctx, code) })
}

// Rubric gives what readers are asked of steps and chains, and when.
func (a *App) Rubric() (review.Rubric, error) {
	return bound(a, func(_ context.Context, d acts) (review.Rubric, error) { return d.Rubric(), nil })
}

// Seen records what was on the screen while a step was rated.
func (a *App) Seen(assignment, chain string, seen review.Seen) (desk.Saved, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Saved, error) { return d.Seen(ctx, assignment, chain, seen) })
}

// Report computes the report; only the coordinator may see it.
func (a *App) Report() (report.Document, error) {
	return bound(a, func(ctx context.Context, d acts) (report.Document, error) { return d.Report(ctx) })
}

// SaveReport writes the report of what passes a filter into a folder and gives the files' paths.
func (a *App) SaveReport(dir string, f report.Filter) ([]string, error) {
	return bound(a, func(ctx context.Context, d acts) ([]string, error) { return d.SaveReport(ctx, dir, f) })
}

// Preferences gives this person's settings as JSON.
func (a *App) Preferences() (string, error) {
	return bound(a, func(ctx context.Context, d acts) (string, error) { return d.Preferences(ctx) })
}

// SetPreferences keeps this person's settings, as JSON.
func (a *App) SetPreferences(preferences string) error {
	_, err := bound(a, func(ctx context.Context, d acts) (struct{}, error) {
		return struct{}{}, d.SetPreferences(ctx, preferences)
	})
	return err
}

// About says what this program is and is made of.
func (a *App) About() (desk.About, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.About, error) { return d.About(ctx) })
}

// Disagreements lists on what readers disagree: the adjudicator's, and for the coordinator to see how much there is.
func (a *App) Disagreements() (desk.Disagreements, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Disagreements, error) { return d.Disagreements(ctx) })
}

// OpenDisagreement brings one item with its unnamed reads.
func (a *App) OpenDisagreement(id string) (desk.DisagreementView, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.DisagreementView, error) { return d.OpenDisagreement(ctx, id) })
}

// Decide gives an item its final value, with a reason.
func (a *App) Decide(id string, value review.FinalValue, reason string) (desk.Decided, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Decided, error) { return d.Decide(ctx, id, value, reason) })
}

// AdoptUnanimous settles everything on which all reads agree, in one action, and says how much that was.
func (a *App) AdoptUnanimous() (int, error) {
	return bound(a, func(ctx context.Context, d acts) (int, error) { return d.AdoptUnanimous(ctx) })
}

// Overturns tells how often adjudication overturned what readers said.
func (a *App) Overturns() (desk.Adjudicated, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Adjudicated, error) { return d.Overturns(ctx) })
}
