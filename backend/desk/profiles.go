package desk

import (
	"context"
	"path/filepath"

	"plumbline/backend/experiment"
	"plumbline/backend/model"
	"plumbline/backend/review"
)

// ProfilesDir is where a workspace keeps the profiles of model servers: one NAME.json each, without any key.
func ProfilesDir(workspace string) string { return filepath.Join(workspace, "profiles") }

// endpoint makes the model of a profile of the workspace, asked so many at a time (0: as the profile says). A public host without a consent is refused here, before a run begins.
func (r *room) endpoint(ctx context.Context, name string, concurrency int) (experiment.Asked, error) {
	p, err := FindProfile(r.dir, name)
	if err != nil {
		return experiment.Asked{}, err
	}
	if concurrency > 0 {
		p.Concurrency = concurrency
	}
	secret, err := p.Key.Secret()
	if err != nil {
		return experiment.Asked{}, err
	}
	e, err := model.NewEndpoint(p, secret)
	if err != nil {
		return experiment.Asked{}, err
	}
	if reach, err := p.Reach(ctx); err == nil { // a host that cannot be looked up now is the run's business
		if err := p.Allowed(reach, true); err != nil {
			return experiment.Asked{}, err
		}
	}
	info := review.ModelInfo{Name: p.Model, Provider: p.Host(), Revision: p.Revision, Profile: p.Name}
	if a := p.Abilities; a != nil && info.Revision == "" {
		info.Revision = a.Revision
	}
	return experiment.Asked{Model: e, Info: info, Temperature: p.Temperature, Concurrency: max(1, p.Concurrency)}, nil
}
