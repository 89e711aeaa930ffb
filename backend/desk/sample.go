package desk

import (
	"context"
	"path/filepath"

	"plumbline/backend/sample"
)

// OpenSample opens the synthetic sample study in the default folder, writing it first where it is missing.
func (d *Desk) OpenSample(ctx context.Context) (State, error) {
	d.bringing.Lock()
	defer d.bringing.Unlock()
	home := filepath.Join(d.options.Folders.Data, "sample")
	study, workspace := filepath.Join(home, "study"), filepath.Join(home, "workspace")
	if _, err := sample.Write(ctx, study, sample.DefaultSeed, d.options.Tell); err != nil {
		return State{}, err
	}
	if w, err := loadWorkspace(workspace); err == nil && w.datasetDir(workspace) == study {
		if err := d.enter(ctx, workspace, false); err != nil {
			return State{}, err
		}
	} else if _, err := d.importAnew(ctx, workspace, study, nil); err != nil {
		return State{}, err
	}
	return d.State(ctx)
}
