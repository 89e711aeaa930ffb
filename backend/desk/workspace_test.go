package desk_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// newDesk gives a desk in folders of the test, closed when the test ends.
func newDesk(t *testing.T, o desk.Options) *desk.Desk {
	t.Helper()
	if o.Folders == (desk.Folders{}) {
		home := t.TempDir()
		o.Folders = desk.Folders{Data: filepath.Join(home, "data"), Config: filepath.Join(home, "config"), State: filepath.Join(home, "state")}
	}
	d := desk.New(o)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func smallDataset(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "Small set.v1")
	desktest.WriteDataset(t, dir)
	return dir
}

func TestImportMakesAWorkspaceNamedAfterTheData(t *testing.T) {
	home := t.TempDir()
	folders := desk.Folders{Data: home, Config: home, State: home}
	d := newDesk(t, desk.Options{Folders: folders})
	data, other := smallDataset(t), smallDataset(t)
	got, err := d.Import(t.Context(), data)
	if err != nil || got.Format != "plumbline" || got.Cases != 4 || got.Chains != 6 || got.Patients != 3 || got.Images != 4 || got.Clusters != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	first, _ := d.State(t.Context())
	if want := filepath.Join(home, "workspaces", "Small-set"); first.Workspace != want || first.Dataset != data || first.Role != desk.Coordinator || first.Reader != "R1" {
		t.Errorf("workspace %+v, want it in %s", first, want)
	}
	if _, err := d.Import(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	second, _ := d.State(t.Context())
	if second.Workspace != first.Workspace+"-2" || len(second.Recent) != 2 || second.Recent[1] != first.Workspace {
		t.Errorf("other data, another workspace: %+v", second)
	}
	if _, err := d.Import(t.Context(), data); err != nil {
		t.Fatal(err)
	}
	if s, _ := d.State(t.Context()); s.Workspace != first.Workspace {
		t.Errorf("the same data again: %s", s.Workspace)
	}
	if _, err := d.Import(t.Context(), data); err != nil {
		t.Errorf("into the open workspace again: %v", err)
	}
}

func TestImportStays(t *testing.T) {
	d := newDesk(t, desk.Options{Stay: true})
	ws := filepath.Join(t.TempDir(), "ws")
	if _, err := d.OpenWorkspace(t.Context(), ws); err != nil {
		t.Fatal(err)
	}
	if rows, err := d.Cases(t.Context()); err != nil || len(rows) != 0 || rows == nil {
		t.Errorf("an empty workspace lists no cases: %v, %v", rows, err)
	}
	_, err := d.OpenCase(t.Context(), "case-01")
	refused(t, err, fault.NotFound, "nothing is imported")
	if _, err := d.Import(t.Context(), smallDataset(t)); err != nil {
		t.Fatal(err)
	}
	_, err = d.Import(t.Context(), smallDataset(t))
	refused(t, err, fault.Refused, "has the dataset")
}

// X06: a cancelled or failed import leaves nothing behind, and the open workspace as it was.
func TestImportThatFailsLeavesNothing(t *testing.T) {
	home := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	told := 0
	folders := desk.Folders{Data: home, Config: filepath.Join(home, "c"), State: filepath.Join(home, "c")}
	d := newDesk(t, desk.Options{Folders: folders, Tell: func(review.Progress) { told++; cancel() }})
	data := smallDataset(t)
	_, err := d.Import(ctx, data)
	refused(t, err, fault.Cancelled, data)
	if told == 0 {
		t.Error("progress was told")
	}
	empty := t.TempDir()
	_, err = d.Import(t.Context(), empty)
	refused(t, err, fault.NotFound, empty)
	_, err = d.Import(t.Context(), filepath.Join(empty, "none"))
	refused(t, err, fault.NotFound, "none")
	if s, err := d.State(t.Context()); err != nil || s.Open || len(s.Recent) != 0 {
		t.Errorf("nothing is open: %+v, %v", s, err)
	}
	left := []string{}
	_ = filepath.WalkDir(filepath.Join(home, "workspaces"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			left = append(left, path)
		}
		return nil
	})
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Bad input: what is wrong is listed with its place, what is good works, and the coordinator's part of it is not for a reader.
func TestProblemsBySeat(t *testing.T) {
	study := desktest.New(t)
	truth := filepath.Join(study.Data, "truth.jsonl")
	f, err := os.OpenFile(truth, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"schema":"plumbline/truth/1","case":"case-01","question":"q1","gold":"` + desktest.Canary + `"}` + "\nnot json\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(study.Data, "images", "case-03.png")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		p     *desktest.Person
		truth bool
	}{{study.Coordinator(), true}, {study.As("ann"), false}} {
		for range 2 {
			problems, err := c.p.Desk.Problems(t.Context())
			b, _ := json.Marshal(problems)
			if err != nil || !strings.Contains(string(b), "case-03.png") || strings.Contains(string(b), "truth.jsonl") != c.truth {
				t.Errorf("%s: %s, %v", c.p.State().Role, b, err)
			}
			c.p.Restart() // the same after a restart
		}
		if v := c.p.Open("case-03").View; len(v.Problems) == 0 || len(v.Stacks) != 1 || len(v.Stacks[0].Frames) != 0 {
			t.Errorf("a case without its picture opens: %+v", v.Stacks)
		}
		c.p.Open("case-01").Sign()
	}
}

func TestWorkspaceTrouble(t *testing.T) {
	study := desktest.New(t)
	study.As("ann")
	d := newDesk(t, desk.Options{})
	_, err := d.OpenWorkspace(t.Context(), study.Folder("ann"))
	refused(t, err, fault.Busy, "in use by another program")
	_, err = d.OpenExisting(t.Context(), t.TempDir())
	refused(t, err, fault.NotFound, "no workspace here")
	_, err = d.OpenWorkspace(t.Context(), study.Data)
	refused(t, err, fault.Invalid, "holds other files")
	if _, err := os.Stat(filepath.Join(study.Data, "workspace.json")); err == nil {
		t.Error("a dataset folder was made a workspace")
	}
	_, err = newDesk(t, desk.Options{Seat: desk.Seat{Role: "king", Reader: "R1"}}).OpenWorkspace(t.Context(), filepath.Join(t.TempDir(), "ws"))
	refused(t, err, fault.Invalid, "role is one of")

	for name, c := range map[string]struct {
		text, words string
		kind        fault.Kind
	}{
		"newer":  {`{"schema":"plumbline/workspace/2","id":"i","study":"s","seat":{"role":"reader","reader":"R1"}}`, "newer Plumbline", fault.Invalid},
		"cut":    {`{"schema":"plumb`, "workspace.json", fault.Damaged},
		"empty":  {`{"schema":"plumbline/workspace/1","seat":{"role":"reader","reader":"R1"}}`, "id and study", fault.Damaged},
		"unseat": {`{"schema":"plumbline/workspace/1","id":"i","study":"s"}`, "role is one of", fault.Invalid},
	} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "workspace.json"), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := d.OpenWorkspace(t.Context(), dir)
		refused(t, err, c.kind, c.words)
		if _, err := os.Stat(filepath.Join(dir, "readings.db")); err == nil {
			t.Errorf("%s: a ledger was made", name)
		}
	}
	if s, err := d.State(t.Context()); err != nil || s.Open {
		t.Errorf("what failed to open leaves nothing open: %+v, %v", s, err)
	}
}

// A workspace and the dataset beside it may be moved together, and the index may be deleted at any time.
func TestWorkspaceMoves(t *testing.T) {
	study := desktest.New(t)
	ann := study.As("ann")
	ann.Open("case-01").Sign()
	if err := ann.Desk.Close(); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(filepath.Dir(study.Data), to); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(to, "ann", "index.db")); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, desk.Options{})
	s, err := d.OpenWorkspace(t.Context(), filepath.Join(to, "ann"))
	if err != nil || s.Signed != 1 || s.Cases != 4 || s.Dataset != filepath.Join(to, "data") || s.Problems != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if v, err := d.Verify(t.Context()); err != nil || v.Events != 11 || v.FirstBreak != nil {
		t.Errorf("%+v, %v", v, err)
	}
	if err := os.Rename(to, filepath.Dir(study.Data)); err != nil { // back, where the test's own end looks for it
		t.Fatal(err)
	}
}

func TestImagesAlone(t *testing.T) {
	d := newDesk(t, desk.Options{})
	data := smallDataset(t)
	for path, cases := range map[string]int{filepath.Join(data, "images"): 4, filepath.Join(data, "images", "case-02.png"): 1} {
		got, err := d.Import(t.Context(), path)
		if err != nil || got.Format != "images" || got.Cases != cases || got.Chains != 0 {
			t.Errorf("%s: %+v, %v", path, got, err)
		}
		rows, err := d.Cases(t.Context())
		if err != nil || len(rows) != cases || rows[0].State != "new" {
			t.Errorf("%s: %+v, %v", path, rows, err)
		}
	}
}

func TestPreferences(t *testing.T) {
	d := newDesk(t, desk.Options{})
	if p, err := d.Preferences(t.Context()); err != nil || p != "{}" {
		t.Errorf("at first: %q, %v", p, err)
	}
	if err := d.SetPreferences(t.Context(), `{"theme":"dark"}`); err != nil {
		t.Fatal(err)
	}
	if p, err := d.Preferences(t.Context()); err != nil || !strings.Contains(p, `"theme": "dark"`) {
		t.Errorf("%q, %v", p, err)
	}
	for _, bad := range []string{"", "[]", "null", "{"} {
		refused(t, d.SetPreferences(t.Context(), bad), fault.Invalid, "one JSON object")
	}
}

func TestDefaultFolders(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PLUMBLINE_HOME", home)
	if f, err := desk.DefaultFolders(); err != nil || f != (desk.Folders{Data: home, Config: home, State: home}) {
		t.Errorf("%+v, %v", f, err)
	}
	t.Setenv("PLUMBLINE_HOME", "")
	t.Setenv("XDG_DATA_HOME", filepath.Join(home, "data"))
	t.Setenv("XDG_STATE_HOME", "relative is ignored")
	f, err := desk.DefaultFolders()
	if err != nil || f.Data != filepath.Join(home, "data", "plumbline") || !filepath.IsAbs(f.State) {
		t.Errorf("%+v, %v", f, err)
	}
}

// The log tells what was done to what by ids: no text, no path, no answer.
func TestLogHoldsIdsOnly(t *testing.T) {
	study := desktest.New(t)
	var log bytes.Buffer
	o := study.Options(desk.Seat{})
	o.Log = zerolog.New(&log)
	d := newDesk(t, o)
	if _, err := d.Import(t.Context(), study.Data); err != nil {
		t.Fatal(err)
	}
	v, err := d.OpenCase(t.Context(), "case-01")
	if err != nil {
		t.Fatal(err)
	}
	for _, answer := range []string{"A", "PATIENT-NAME"} {
		_, _ = d.Look(t.Context(), v.Assignment, review.Look{Question: "q1", Answer: answer, Confidence: 1})
	}
	for _, secret := range []string{"PATIENT-NAME", study.Data, "finding"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log holds %q: %s", secret, &log)
		}
	}
	if !strings.Contains(log.String(), v.Assignment) || !strings.Contains(log.String(), `"act":"look"`) {
		t.Errorf("the log: %s", &log)
	}
	file, closer, err := o.Folders.OpenLog()
	if err != nil {
		t.Fatal(err)
	}
	file.Info().Msg("x")
	if err := closer.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(o.Folders.State, "plumbline.log")); err != nil {
		t.Error(err)
	}
}
