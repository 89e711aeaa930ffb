package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"plumbline/backend/desk"
)

// EstimateBatch says what the next batch of an order would come to.
func (a *App) EstimateBatch(order desk.BatchOrder) (desk.BatchEstimate, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.BatchEstimate, error) { return d.EstimateBatch(ctx, order) })
}

// WriteBatch writes the next requests of a run into a folder of its own in order.Dir, which the reader chose.
func (a *App) WriteBatch(order desk.BatchOrder) (desk.BatchWritten, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.BatchWritten, error) {
		order.Dir = nextBatch(order.Dir)
		return d.WriteBatch(ctx, order)
	})
}

// nextBatch names the first folder for a batch in dir that is not there yet.
func nextBatch(dir string) string {
	for n := 1; ; n++ {
		next := filepath.Join(dir, fmt.Sprintf("plumbline-batch-%d", n))
		if _, err := os.Lstat(next); err != nil { // a folder that cannot be looked at is told when it is written to
			return next
		}
	}
}

// Batches lists the batches that the workspace wrote.
func (a *App) Batches() ([]desk.KeptBatch, error) {
	return bound(a, func(ctx context.Context, d acts) ([]desk.KeptBatch, error) { return d.Batches(ctx) })
}

// LookIntoBatch tells what lies in the folder of a batch.
func (a *App) LookIntoBatch(dir string) (desk.BatchFolder, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.BatchFolder, error) { return d.LookIntoBatch(ctx, dir) })
}

// ChooseResults asks for the result files of a batch by the system's dialog; none when nobody chose any.
func (a *App) ChooseResults(title string) ([]string, error) {
	return bound(a, func(context.Context, acts) ([]string, error) {
		chosen, err := a.face.window.chooseResults(a.face.ctx, title)
		return append([]string{}, chosen...), err
	})
}

// ReadBatch takes the results of a batch in.
func (a *App) ReadBatch(dir string, results []string) (desk.BatchTaken, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.BatchTaken, error) { return d.ReadBatch(ctx, dir, results) })
}

// Queue lists the cases of which models are most unsure.
func (a *App) Queue() (desk.Queue, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Queue, error) { return d.Queue(ctx) })
}

// RouteCase says which model to ask of a case, and why.
func (a *App) RouteCase(caseID string) (desk.Route, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Route, error) { return d.RouteCase(ctx, caseID) })
}

// Emphasise has a model look again at what a reader points to.
func (a *App) Emphasise(order desk.EmphasisOrder) (desk.Comparison, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Comparison, error) {
		return d.Emphasise(context.WithoutCancel(ctx), order)
	})
}
