package app

import (
	"context"

	"plumbline/backend/desk"
)

// Archive reads the address of a DICOMweb service, or of a study in one, and asks nobody.
func (a *App) Archive(address string) (desk.Archive, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Archive, error) { return d.Archive(ctx, address) })
}

// FindStudies asks which studies an archive has.
func (a *App) FindStudies(ask desk.ArchiveAsk, wanted desk.ArchiveSearch) (desk.Found, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Found, error) { return d.FindStudies(ctx, ask, wanted) })
}

// FetchStudies brings studies from an archive and imports them.
func (a *App) FetchStudies(ask desk.ArchiveAsk, studies []string) (desk.Imported, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Imported, error) { return d.FetchStudies(ctx, ask, studies, "") })
}

// Changes looks whether the files of the open data changed since they were opened.
func (a *App) Changes() (desk.Changes, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Changes, error) { return d.Changes(ctx) })
}
