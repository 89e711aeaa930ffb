package app

import (
	"context"
	"path/filepath"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
)

// dialogs stand in front of the window: they name what they are told to.
type dialogs struct {
	window
	file string
}

func (d *dialogs) namePackage(_ context.Context, _, name string) (string, error) {
	if d.file == "" {
		return "", nil
	}
	return filepath.Join(d.file, name), nil
}

func appOf(t *testing.T, d *desk.Desk, dir string) (*App, *dialogs) {
	t.Helper()
	w := &dialogs{file: dir}
	f := &face{desk: d, window: w}
	f.setContext(t.Context())
	return &App{face: f}, w
}

// A package goes there and back by what the page calls; nothing happens where nobody names a file.
func TestPackagesFromThePage(t *testing.T) {
	study := desktest.New(t)
	boss := study.Coordinator().Set(desktest.Rules("R1", "R2"))
	boss.Assign()
	two := study.Away("R2")
	dir := t.TempDir()
	here, dialog := appOf(t, boss.Desk, "")
	if p, err := here.MakeWork("", "R2", "told by telephone", ""); err != nil || p.Path != "" || p.Reads != 0 {
		t.Errorf("nobody named a file: %+v, %v", p, err)
	}
	dialog.file = dir
	p, err := here.MakeWork("", "R2", "told by telephone", "")
	if err != nil || p.Path != filepath.Join(dir, "work-R2.plumb") || p.Reads != 3 {
		t.Fatalf("%+v, %v", p, err)
	}
	if _, err := two.Desk.OpenWork(t.Context(), p.Path, two.Folder(), "told by telephone"); err != nil {
		t.Fatal(err)
	}
	there, _ := appOf(t, two.Desk, dir)
	if o, err := there.OpenWork(p.Path, "told by telephone"); err != nil || o.Kept != 3 || o.Workspace != two.Folder() {
		t.Errorf("%+v, %v", o, err)
	}
	two.Open(two.Worklist()[0].ID).LookAll()
	back, err := there.HandBack("", "")
	if err != nil || back.Path != filepath.Join(dir, "answers-R2.plumb") || back.Events != 2 {
		t.Fatalf("%+v, %v", back, err)
	}
	m, err := here.Merge(back.Path, "", "")
	if err != nil || m.EventsNew != 2 {
		t.Fatalf("%+v, %v", m, err)
	}
	all, err := here.Packages()
	if err != nil || len(all.Readers) != 2 || all.Fingerprint != p.Fingerprint {
		t.Fatalf("%+v, %v", all, err)
	}
	if r := all.Readers[1]; r.GivenFor != 3 || r.Assigned != 3 || len(r.Machines) != 1 || r.Machines[0].Fingerprint != back.Fingerprint || r.Machines[0].Events != 2 {
		t.Errorf("%+v", r)
	}
	k, err := there.Keys()
	if err != nil || k.Fingerprint != back.Fingerprint {
		t.Errorf("%+v, %v", k, err)
	}
}
