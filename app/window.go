package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"plumbline/backend/review"
)

// window is what the face asks of the window system; tests stand in front of it.
type window interface {
	chooseFolder(ctx context.Context, title string) (string, error)
	chooseFile(ctx context.Context, title string) (string, error)
	chooseResults(ctx context.Context, title string) ([]string, error)
	chooseList(ctx context.Context, title string) (string, error)
	nameFile(ctx context.Context, title, name string) (string, error)
	nameFigure(ctx context.Context, title, name string) (string, error)
	choosePackage(ctx context.Context, title string) (string, error)
	namePackage(ctx context.Context, title, name string) (string, error)
	emit(ctx context.Context, event string, data any)
}

// wailsWindow is the real one.
type wailsWindow struct{}

func (wailsWindow) chooseFolder(ctx context.Context, title string) (string, error) {
	home, _ := os.UserHomeDir() // without a place to begin, GTK shows an empty list of recent files
	return runtime.OpenDirectoryDialog(ctx, runtime.OpenDialogOptions{Title: title, DefaultDirectory: home, CanCreateDirectories: true})
}

func (wailsWindow) chooseFile(ctx context.Context, title string) (string, error) {
	home, _ := os.UserHomeDir()
	return runtime.OpenFileDialog(ctx, runtime.OpenDialogOptions{Title: title, DefaultDirectory: home, Filters: jsonFiles()})
}

func (wailsWindow) chooseResults(ctx context.Context, title string) ([]string, error) {
	home, _ := os.UserHomeDir()
	return runtime.OpenMultipleFilesDialog(ctx, runtime.OpenDialogOptions{Title: title, DefaultDirectory: home,
		Filters: []runtime.FileFilter{{DisplayName: "JSON lines (*.jsonl)", Pattern: "*.jsonl"}}})
}

func (wailsWindow) chooseList(ctx context.Context, title string) (string, error) {
	home, _ := os.UserHomeDir()
	return runtime.OpenFileDialog(ctx, runtime.OpenDialogOptions{Title: title, DefaultDirectory: home,
		Filters: []runtime.FileFilter{{DisplayName: "CSV, JSON (*.csv, *.json)", Pattern: "*.csv;*.json"}}})
}

func (wailsWindow) nameFile(ctx context.Context, title, name string) (string, error) {
	home, _ := os.UserHomeDir()
	return runtime.SaveFileDialog(ctx, runtime.SaveDialogOptions{Title: title, DefaultDirectory: home, DefaultFilename: name, CanCreateDirectories: true, Filters: jsonFiles()})
}

func (wailsWindow) nameFigure(ctx context.Context, title, name string) (string, error) {
	home, _ := os.UserHomeDir()
	ending := filepath.Ext(name)
	return runtime.SaveFileDialog(ctx, runtime.SaveDialogOptions{Title: title, DefaultDirectory: home, DefaultFilename: name, CanCreateDirectories: true,
		Filters: []runtime.FileFilter{{DisplayName: strings.ToUpper(strings.TrimPrefix(ending, ".")) + " (*" + ending + ")", Pattern: "*" + ending}}})
}

func (wailsWindow) choosePackage(ctx context.Context, title string) (string, error) {
	home, _ := os.UserHomeDir()
	return runtime.OpenFileDialog(ctx, runtime.OpenDialogOptions{Title: title, DefaultDirectory: home, Filters: packageFiles()})
}

func (wailsWindow) namePackage(ctx context.Context, title, name string) (string, error) {
	home, _ := os.UserHomeDir()
	return runtime.SaveFileDialog(ctx, runtime.SaveDialogOptions{Title: title, DefaultDirectory: home, DefaultFilename: name, CanCreateDirectories: true, Filters: packageFiles()})
}

func packageFiles() []runtime.FileFilter {
	return []runtime.FileFilter{{DisplayName: "Plumbline (*" + packageEnding + ")", Pattern: "*" + packageEnding}}
}

func jsonFiles() []runtime.FileFilter {
	return []runtime.FileFilter{{DisplayName: "JSON (*.json)", Pattern: "*.json"}}
}

func (wailsWindow) emit(ctx context.Context, event string, data any) {
	runtime.EventsEmit(ctx, event, data)
}

// Step is one report of progress as the page receives it. Events may arrive out of order: Seq tells.
type Step struct {
	review.Progress
	Seq uint64 `json:"seq"`
}

// tell sends progress to the page.
func (f *face) tell(p review.Progress) {
	f.mu.Lock()
	ctx := f.ctx
	f.told++
	seq := f.told
	f.mu.Unlock()
	if ctx != nil {
		f.window.emit(ctx, "progress", Step{Progress: p, Seq: seq})
	}
}
