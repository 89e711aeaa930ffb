package app

import (
	"context"
	"fmt"
	"io/fs"
	"os"

	"github.com/rs/zerolog"
	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"plumbline/frontend"
)

// Main opens the window and gives the exit code when it is closed.
func Main() int {
	dist, err := fs.Sub(frontend.Dist, "dist")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	f := &face{ctx: context.Background(), window: wailsWindow{}, log: zerolog.New(os.Stderr)}
	err = wails.Run(&options.App{
		Title: "Plumbline", Width: 1440, Height: 900, MinWidth: 1024, MinHeight: 700,
		BackgroundColour: &options.RGBA{R: 14, G: 16, B: 19, A: 255},
		AssetServer:      &assetserver.Options{Assets: dist},
		Bind:             []any{&App{face: f}},
		ErrorFormatter:   trouble,
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "plumbline:", err)
		return 1
	}
	return 0
}

// wailsWindow is the real window.
type wailsWindow struct{}

func (wailsWindow) chooseFolder(ctx context.Context, title string) (string, error) {
	return runtime.OpenDirectoryDialog(ctx, runtime.OpenDialogOptions{Title: title})
}
