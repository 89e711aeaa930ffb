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
	Labels  bool         `json:"labels"`  // which labels of readers count can be asked for
	Prompts bool         `json:"prompts"` // how questions and answers are worded can be asked for
	Signed  bool         `json:"signed"`  // with the keys of this machine
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
	Patients int     `json:"patients"`
	Images   int     `json:"images"`
}

// PooledSites is what several sites found together, as the page shows it.
type PooledSites struct {
	Sites     []PooledSite     `json:"sites"` // that are in the sums
	Cases     int              `json:"cases"`
	Patients  int              `json:"patients"`
	Clusters  int              `json:"clusters"`
	Shares    []PooledShare    `json:"shares"`
	Conflicts []PooledConflict `json:"conflicts"`
}

// PooledSite is a site that is in the sums.
type PooledSite struct {
	Site  string `json:"site"`
	Study string `json:"study"`
	Made  string `json:"made"`
	Key   string `json:"key"` // that signed it, to be compared by telephone
	Cases int    `json:"cases"`
}

// PooledShare is a proportion of pooled counts.
type PooledShare struct {
	Of        string  `json:"of"`
	Model     string  `json:"model"`
	Condition string  `json:"condition"`
	K         int     `json:"k"`
	Value     string  `json:"value"`
	N         int     `json:"n"`
	Share     float64 `json:"share"`
}

// PooledConflict is something of a site that is not in the sums, and why.
type PooledConflict struct {
	Site  string `json:"site"`
	Study string `json:"study"`
	Made  string `json:"made"`
	Why   string `json:"why"`
}

// ExportFormats lists what can be exported.
func (a *App) ExportFormats() ([]ExportFormat, error) {
	return bound(a, func(_ context.Context, d acts) ([]ExportFormat, error) {
		out := []ExportFormat{}
		for _, f := range d.ExportFormats() {
			x := ExportFormat{Name: f.Name, Title: f.Title, For: f.For, Split: f.Split, Labels: f.Labels, Prompts: f.Prompts, Signed: f.Signed, Files: []ExportFile{}}
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

// ChooseList asks for a list of a split or the manifest of another export by the system's dialog; "" when nobody chose one.
func (a *App) ChooseList(title string) (string, error) {
	return bound(a, func(context.Context, acts) (string, error) { return a.face.window.chooseList(a.face.ctx, title) })
}

// PoolSites adds up what sites gave each other: folders of the export federation.
func (a *App) PoolSites(dirs []string) (PooledSites, error) {
	return bound(a, func(context.Context, acts) (PooledSites, error) {
		p, err := desk.PoolSites(dirs)
		if err != nil {
			return PooledSites{}, err
		}
		out := PooledSites{Cases: p.Data.Cases, Patients: p.Data.Patients, Clusters: p.Data.Clusters, Sites: []PooledSite{}, Shares: []PooledShare{}, Conflicts: []PooledConflict{}}
		for _, s := range p.Sites {
			out.Sites = append(out.Sites, PooledSite{s.Site, s.Study, s.Made, s.Key, s.Data.Cases})
		}
		for _, s := range p.Shares {
			out.Shares = append(out.Shares, PooledShare{s.Of, s.Model, s.Condition, s.K, s.Value, s.N, s.Share})
		}
		for _, c := range p.Conflicts {
			out.Conflicts = append(out.Conflicts, PooledConflict(c))
		}
		return out, nil
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
			e.Parts = append(e.Parts, ExportPart{p.Name, p.Share, p.Cases, p.Clusters, p.Patients, p.Images})
		}
	}
	for _, f := range d.Files {
		if strings.HasPrefix(f.Path, "images/") {
			e.Pictures++
		}
	}
	return e
}
