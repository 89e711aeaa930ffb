package app

import (
	"context"
	"path/filepath"
	"strings"

	"plumbline/backend/desk"
	"plumbline/backend/export"
)

// The window's own words for exports: the binding generator makes a namespace of each package's name, and export is a word of its language.

// ExportFormat is something that can be written.
type ExportFormat struct {
	Name    string       `json:"name"`
	Title   string       `json:"title"`
	For     string       `json:"for"` // reading, training, images or sites
	Split   bool         `json:"split"`
	Singles bool         `json:"singles"` // labels of one reader alone can be asked for
	Files   []ExportFile `json:"files"`
}

// ExportFile is a file of a format with the fields of its records.
type ExportFile struct {
	Path   string   `json:"path"`
	Fields []string `json:"fields"`
}

// Exported is what an export wrote, as the page shows it: the manifest in the folder says more.
type Exported struct {
	Dir      string       `json:"dir"`
	Files    int          `json:"files"`
	Pictures int          `json:"pictures"` // of the files
	Units    []ExportUnit `json:"units"`
	Parts    []ExportPart `json:"parts"` // of the split; none where it is not split
	Warnings []string     `json:"warnings"`
}

// ExportUnit counts what came in and what became of it.
type ExportUnit struct {
	Unit string       `json:"unit"`
	In   int          `json:"in"`
	Out  int          `json:"out"`
	Side []ExportLeft `json:"side"`
}

// ExportLeft says how many were left aside, and why.
type ExportLeft struct {
	N   int    `json:"n"`
	Why string `json:"why"`
}

// ExportPart is one part of a split.
type ExportPart struct {
	Name     string  `json:"name"`
	Share    float64 `json:"share"` // that was wanted
	Cases    int     `json:"cases"`
	Clusters int     `json:"clusters"`
}

// ExportFormats lists what can be exported.
func (a *App) ExportFormats() ([]ExportFormat, error) {
	return bound(a, func(_ context.Context, d acts) ([]ExportFormat, error) {
		out := []ExportFormat{}
		for _, f := range d.ExportFormats() {
			x := ExportFormat{Name: f.Name, Title: f.Title, For: f.For, Split: f.Split, Singles: f.Singles, Files: []ExportFile{}}
			for _, s := range f.Files {
				x.Files = append(x.Files, ExportFile(s))
			}
			out = append(out, x)
		}
		return out, nil
	})
}

// Export writes an export into a folder of its own in order.Dir, which the reader chose.
func (a *App) Export(order desk.ExportOrder) (Exported, error) {
	return bound(a, func(ctx context.Context, d acts) (Exported, error) {
		if order.Dir != "" {
			order.Dir = filepath.Join(order.Dir, "plumbline-"+order.Format)
		}
		done, err := d.Export(ctx, order)
		if err != nil {
			return Exported{}, err
		}
		return exported(done), nil
	})
}

func exported(d export.Done) Exported {
	e := Exported{Dir: d.Dir, Files: len(d.Files) + 1, Units: []ExportUnit{}, Parts: []ExportPart{}, Warnings: d.Warnings} // and the manifest
	for _, u := range d.Units {
		x := ExportUnit{Unit: u.Unit, In: u.In, Out: u.Out, Side: []ExportLeft{}}
		for _, l := range u.Side {
			x.Side = append(x.Side, ExportLeft(l))
		}
		e.Units = append(e.Units, x)
	}
	if d.Split != nil {
		for _, p := range d.Split.Parts {
			e.Parts = append(e.Parts, ExportPart(p))
		}
	}
	for _, f := range d.Files {
		if strings.HasPrefix(f.Path, "images/") {
			e.Pictures++
		}
	}
	return e
}
