package app

import (
	"context"

	"plumbline/backend/desk"
	"plumbline/backend/experiment"
)

// RunNow is where the latest run of this window is.
type RunNow struct {
	Status  experiment.Status `json:"status"`
	Running bool              `json:"running"`
	Trouble string            `json:"trouble"` // why it ended, where it did not end in order
}

// Models lists what a run can ask.
func (a *App) Models() (desk.Models, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Models, error) { return d.Models(ctx) })
}

// SaveModel keeps a profile, given as JSON.
func (a *App) SaveModel(profile string) (desk.Models, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Models, error) { return d.SaveModel(ctx, profile) })
}

// RemoveModel takes a profile out of the workspace.
func (a *App) RemoveModel(name string) (desk.Models, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Models, error) { return d.RemoveModel(ctx, name) })
}

// ProbeModel asks the server of a profile what it can.
func (a *App) ProbeModel(name string) (desk.Models, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Models, error) { return d.ProbeModel(ctx, name) })
}

// KeepModelKey puts the key of a profile into the system's keyring; an empty one takes it out.
func (a *App) KeepModelKey(name, secret string) (desk.Models, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Models, error) { return d.KeepModelKey(ctx, name, secret) })
}

// AllowModel writes down who agrees that a public host is sent things; without a name a consent is taken back.
func (a *App) AllowModel(name, host, by string, images bool) (desk.Models, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Models, error) {
		return d.AllowModel(ctx, name, host, by, images)
	})
}

// ConditionList gives what conditions are joined of.
func (a *App) ConditionList() (desk.ConditionList, error) {
	return bound(a, func(_ context.Context, d acts) (desk.ConditionList, error) { return d.ConditionList(), nil })
}

// CheckConditions reads conditions and says which of them can be compared.
func (a *App) CheckConditions(conditions []string) ([]desk.CheckedCondition, error) {
	return bound(a, func(ctx context.Context, d acts) ([]desk.CheckedCondition, error) {
		return d.CheckConditions(ctx, conditions)
	})
}

// AnyCases lists every case of the dataset.
func (a *App) AnyCases() ([]desk.AnyCase, error) {
	return bound(a, func(ctx context.Context, d acts) ([]desk.AnyCase, error) { return d.AnyCases(ctx) })
}

// EstimateRun says what a run would come to.
func (a *App) EstimateRun(order desk.RunOrder) (experiment.Estimate, error) {
	return bound(a, func(ctx context.Context, d acts) (experiment.Estimate, error) { return d.EstimateRun(ctx, order) })
}

// StartRun begins a run, which goes on whatever else is done and cancelled in the window, until CancelRun.
func (a *App) StartRun(order desk.RunOrder) (RunNow, error) {
	return bound(a, func(ctx context.Context, d acts) (RunNow, error) {
		if err := d.StartRun(context.WithoutCancel(ctx), order); err != nil {
			return RunNow{}, err
		}
		return runNow(ctx, d)
	})
}

// RunNow tells where the latest run of this window is.
func (a *App) RunNow() (RunNow, error) { return bound(a, runNow) }

// PauseRun lets no further request begin, or lets them begin again.
func (a *App) PauseRun(paused bool) (RunNow, error) {
	return bound(a, func(ctx context.Context, d acts) (RunNow, error) {
		if err := d.PauseRun(ctx, paused); err != nil {
			return RunNow{}, err
		}
		return runNow(ctx, d)
	})
}

// CancelRun ends the run that is under way; what was answered stays.
func (a *App) CancelRun() (RunNow, error) {
	return bound(a, func(ctx context.Context, d acts) (RunNow, error) {
		if err := d.CancelRun(ctx); err != nil {
			return RunNow{}, err
		}
		return runNow(ctx, d)
	})
}

// PastRuns lists the runs of the workspace.
func (a *App) PastRuns() ([]desk.PastRun, error) {
	return bound(a, func(ctx context.Context, d acts) ([]desk.PastRun, error) { return d.PastRuns(ctx) })
}

// Arms lists the models and conditions of which there are chains.
func (a *App) Arms() ([]desk.ArmName, error) {
	return bound(a, func(ctx context.Context, d acts) ([]desk.ArmName, error) { return d.Arms(ctx) })
}

// PairsOf lists the chains of two arms by case.
func (a *App) PairsOf(name desk.PairName) (desk.Pairs, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Pairs, error) { return d.PairsOf(ctx, name) })
}

// CompareChains puts two chains of a case beside each other.
func (a *App) CompareChains(caseID, before, after string) (desk.Comparison, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Comparison, error) {
		return d.CompareChains(ctx, caseID, before, after)
	})
}

// ContinueFrom asks the later stages of a chain again with a correction.
func (a *App) ContinueFrom(order desk.ContinueOrder) (desk.Comparison, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Comparison, error) {
		return d.ContinueFrom(context.WithoutCancel(ctx), order)
	})
}

func runNow(ctx context.Context, d acts) (RunNow, error) {
	s, running, err := d.RunStatus(ctx)
	now := RunNow{Status: s, Running: running}
	if err != nil {
		now.Trouble = err.Error()
	}
	return now, nil
}
