package app

import (
	"context"

	"plumbline/backend/desk"
)

// Overlays lists what may be laid over the images of a case; the drawings are asked for by URL.
func (a *App) Overlays(id string) (desk.Overlays, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Overlays, error) { return d.Overlays(ctx, id) })
}
