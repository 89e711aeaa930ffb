package app

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"

	"plumbline/backend/desk"
	"plumbline/frontend"
)

// start is what the command line of the window asks for.
type start struct {
	sample bool   // open the sample study, writing it first where it is missing
	accept bool   // the research-use notice is accepted by whoever started the program
	path   string // a workspace to open
}

// Main opens the window and gives the exit code when it is closed.
func Main() int {
	var s start
	flags := flag.NewFlagSet("plumbline", flag.ContinueOnError)
	flags.BoolVar(&s.sample, "sample", false, "open the sample study")
	flags.BoolVar(&s.accept, "accept-research-use", false, "accept for this reader: for research and education; not a medical device; not for diagnosis")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: plumbline [--sample] [--accept-research-use] [WORKSPACE]")
		flags.PrintDefaults()
	}
	if err := flags.Parse(os.Args[1:]); err != nil {
		return 2
	}
	s.path = flags.Arg(0)
	if err := open(s); err != nil {
		fmt.Fprintln(os.Stderr, "plumbline:", err)
		return 1
	}
	return 0
}

func open(s start) error {
	dist, err := fs.Sub(frontend.Dist, "dist")
	if err != nil {
		return err
	}
	f := &face{window: wailsWindow{}, begun: time.Now(), start: s}
	folders, err := desk.DefaultFolders()
	if err != nil {
		return err
	}
	file, closer, err := folders.OpenLog()
	if err != nil {
		return err
	}
	defer closer.Close()
	f.log = file
	// Most of what is held are frames, without pointers and cheap to mark: collecting early keeps a long series from lying twice in memory.
	debug.SetGCPercent(50)
	d := desk.New(desk.Options{Folders: folders, Tell: f.tell, Log: f.log})
	defer d.Close()
	f.desk = d
	kept := filepath.Join(folders.Config, "window.json")
	g := loadGeometry(kept)
	return wails.Run(&options.App{
		Title: "Plumbline", Width: g.Width, Height: g.Height, MinWidth: leastWide, MinHeight: leastTall, WindowStartState: g.state(),
		BackgroundColour: &options.RGBA{R: 14, G: 16, B: 19, A: 255},
		AssetServer:      &assetserver.Options{Assets: dist, Middleware: f.serve},
		OnStartup:        func(ctx context.Context) { f.setContext(ctx) },
		OnBeforeClose:    f.keepGeometry(kept),
		Bind:             []any{&App{face: f}},
		ErrorFormatter:   trouble,
		DragAndDrop:      &options.DragAndDrop{EnableFileDrop: true},
	})
}
