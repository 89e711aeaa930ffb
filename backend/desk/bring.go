package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"plumbline/backend/dataset"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Import opens a dataset folder, a folder of images or a single image and makes it the open workspace's dataset. Where no workspace is open,
// or the open one has another dataset, a workspace in the default folder, named after the data, is opened for it (with Options.Stay: fault
// Refused). Originals are never changed. In a reader's seat nothing is taken over of gold or of what made the chains.
//
// Other people's records are taken as the workspace took them before, else as their fields say.
//
// Faults: as dataset.Open; a failed or cancelled import leaves everything as it was.
func (d *Desk) Import(ctx context.Context, path string) (Imported, error) {
	return d.importing(ctx, path, nil)
}

// ImportRecords is Import, told how to take other people's records; the workspace keeps to it. Faults also: as dataset.OpenWith.
func (d *Desk) ImportRecords(ctx context.Context, path string, with dataset.With) (Imported, error) {
	for _, name := range []*string{&with.Join, &with.Stages} {
		if *name == "" {
			continue
		}
		abs, err := filepath.Abs(*name)
		if err != nil {
			return Imported{}, fault.In("import", *name, err)
		}
		*name = abs
	}
	return d.importing(ctx, path, &with)
}

// importing imports; with is nil where nobody said how.
func (d *Desk) importing(ctx context.Context, path string, with *dataset.With) (Imported, error) {
	d.bringing.Lock()
	defer d.bringing.Unlock()
	path, err := filepath.Abs(path)
	if err != nil {
		return Imported{}, fault.In("import", path, err)
	}
	if _, err := os.Stat(path); err != nil {
		return Imported{}, fault.In("import", path, err)
	}
	other := d.room != nil && d.room.w.Dataset != "" && d.room.w.datasetDir(d.room.dir) != path
	if other && d.options.Stay {
		return Imported{}, fault.New(fault.Refused, "import", path, "workspace %s has the dataset %s already: name another workspace", d.room.dir, d.room.w.datasetDir(d.room.dir))
	}
	if d.room != nil && d.room.w.Seat.Role == Coordinator && d.room.adjudicating.Load() {
		return Imported{}, fault.New(fault.Refused, "import", path, "an adjudicator sits here, %s: take the coordinator's own code first", d.room.w.Seat.Reader)
	}
	if d.room != nil && !other {
		return d.bringIn(ctx, d.room, path, with)
	}
	dir, err := d.workspaceFor(path)
	if err != nil {
		return Imported{}, err
	}
	return d.importAnew(ctx, dir, path, with)
}

// importAnew opens (or makes) the workspace dir and imports into it; a workspace that was made for an import that failed goes again.
func (d *Desk) importAnew(ctx context.Context, dir, path string, with *dataset.With) (Imported, error) {
	made := !isWorkspace(dir)
	if made {
		if err := createWorkspace(dir, d.options.Seat); err != nil {
			return Imported{}, err
		}
	}
	r, err := d.openRoom(ctx, dir)
	if err != nil {
		return Imported{}, err
	}
	imported, err := d.bringIn(ctx, r, path, with)
	if err != nil {
		err = errors.Join(err, r.close())
		if made {
			for _, name := range []string{workspaceFile, ledgerFile, runsFile, indexFile} {
				_ = os.Remove(filepath.Join(dir, name))
			}
			_ = os.Remove(dir) // only where nothing else lies in it
		}
		return Imported{}, err
	}
	return imported, d.swap(r)
}

// bringIn makes path the dataset of r.
func (d *Desk) bringIn(ctx context.Context, r *room, path string, with *dataset.With) (Imported, error) {
	how := dataset.With{}
	if with != nil {
		how = *with
	} else if r.w.datasetDir(r.dir) == path {
		how = r.w.with(r.dir)
	}
	found, err := r.take(ctx, path, how, d.options.Tell)
	if err != nil {
		return Imported{}, err
	}
	set, problems := found.set, found.problems
	if r.runs != nil {
		hidden, err := r.keepHidden(ctx, set)
		if err != nil {
			return Imported{}, err
		}
		problems = append(problems, hidden...)
	}
	d.mu.Lock() // nobody is inside any act now
	defer d.mu.Unlock()
	w := r.w
	w.Dataset, w.Records = relative(r.dir, path), keptRecords(r.dir, how)
	if err := w.save(r.dir); err != nil {
		return Imported{}, err
	}
	r.w, r.set, r.outline, r.problems, r.changed = w, set, found.outline, problems, nil
	r.forget()
	if err := r.learnCues(); err != nil {
		return Imported{}, err
	}
	info, n := set.Info(), set.Counts()
	return Imported{
		Format: set.Format(), Name: info.Name, Cases: n.Cases, Chains: n.Chains, Patients: n.Patients, Images: n.Images, Frames: n.Frames,
		Variants: n.Variants, Skipped: n.Skipped, Clusters: n.Clusters, ClusterKey: info.ClusterKey, Problems: problems,
	}, nil
}

// keepHidden keeps what made the chains, and gives the problems of that and of the gold, which is read for its problems only and kept
// nowhere. Both are the coordinator's alone.
func (r *room) keepHidden(ctx context.Context, set *dataset.Set) ([]review.Problem, error) {
	origins, problems, err := set.Origins(ctx)
	if err != nil {
		return nil, err
	}
	_, more, err := set.Truth(ctx)
	if err != nil {
		return nil, err
	}
	problems = append(problems, more...)
	return problems, r.runs.Put(origins, problems)
}

// workspaceFor finds the default workspace of a dataset: the one that has it, or a free folder named after it.
func (d *Desk) workspaceFor(data string) (string, error) {
	name := plainName(filepath.Base(data))
	for n := 1; n < 10_000; n++ {
		dir := filepath.Join(d.options.Folders.Data, "workspaces", name)
		if n > 1 {
			dir = fmt.Sprintf("%s-%d", dir, n)
		}
		w, err := loadWorkspace(dir)
		if fault.KindOf(err) == fault.NotFound || err == nil && (w.Dataset == "" || w.datasetDir(dir) == data) {
			return dir, nil
		}
	}
	return "", fault.New(fault.IO, "import", data, "no free folder for a workspace in %s", d.options.Folders.Data)
}

// plainName makes a file name of any name.
func plainName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_", r) {
			return r
		}
		return '-'
	}, strings.TrimSuffix(name, filepath.Ext(name)))
	if name = strings.Trim(name, "-"); name == "" {
		return "workspace"
	}
	return name
}
