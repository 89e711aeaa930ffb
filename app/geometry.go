package app

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"plumbline/backend/store"
)

// The smallest window that shows a reading screen whole, and the first one.
const (
	leastWide, leastTall = 1024, 700
	firstWide, firstTall = 1440, 900
)

// geometry is how large the window was when it was last closed.
type geometry struct {
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximised bool `json:"maximised"`
}

// loadGeometry reads what was kept; whatever cannot be read or is no size of a window gives the first size.
func loadGeometry(path string) geometry {
	g := geometry{}
	if b, err := os.ReadFile(path); err != nil || json.Unmarshal(b, &g) != nil || g.Width < leastWide || g.Height < leastTall {
		return geometry{Width: firstWide, Height: firstTall, Maximised: g.Maximised}
	}
	return g
}

// state is how the window starts.
func (g geometry) state() options.WindowStartState {
	if g.Maximised {
		return options.Maximised
	}
	return options.Normal
}

// keepGeometry stores the window's size when it closes; a size that cannot be stored never keeps the window open.
func (f *face) keepGeometry(path string) func(context.Context) bool {
	return func(ctx context.Context) bool {
		g := loadGeometry(path)
		if g.Maximised = runtime.WindowIsMaximised(ctx); !g.Maximised {
			g.Width, g.Height = runtime.WindowGetSize(ctx)
		}
		b, err := json.Marshal(g)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o700)
		}
		if err == nil {
			err = store.Replace(path, b)
		}
		if err != nil {
			f.log.Warn().Err(err).Msg("keep window size")
		}
		return false
	}
}
