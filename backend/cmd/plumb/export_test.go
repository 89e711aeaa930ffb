package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/desktest"
	"plumbline/backend/export"
	"plumbline/backend/fault"
)

// A08, A09: two readers' scores go out in the documented shape, counted; nothing is left half written.
func TestExportIMRMC(t *testing.T) {
	t.Setenv("PLUMBLINE_HOME", t.TempDir())
	t.Setenv("LC_ALL", "de_DE.UTF-8")
	study := desktest.New(t)
	for _, who := range []*desktest.Person{study.Coordinator(), study.As("ann")} {
		if err := who.Desk.Close(); err != nil {
			t.Fatal(err)
		}
	}
	ws, out := "--workspace="+study.Folder("coordinator"), filepath.Join(t.TempDir(), "out")
	plumb(t, fault.Refused.Exit(), "export", "imrmc", "--out", out, "--workspace="+study.Folder("ann"))
	plumb(t, fault.Usage.Exit(), "export", "imrmc", ws)
	plumb(t, fault.Usage.Exit(), "export", "xlsx", "--out", out, ws)
	plumb(t, fault.NotFound.Exit(), "export", "imrmc", "--out", out, ws)
	if _, err := os.Stat(out); err == nil {
		t.Error("nothing to export made a folder")
	}
	plumb(t, 0, "rate", "--file", readingFile(t, wholeReading()), ws)
	plumb(t, 0, "rate", "--reader", "R2", "--file", readingFile(t, wholeReading()), ws)
	done := lines[export.Done](t, compact(t, plumb(t, 0, "export", "imrmc", "--out", out, "--json", ws)))[0]
	left := 0
	for _, s := range done.Side {
		left += s.N
	}
	if done.In != 4 || done.In != done.Out+left {
		t.Fatalf("%+v", done)
	}
	b, err := os.ReadFile(filepath.Join(out, "readers.imrmc"))
	if err != nil {
		t.Fatal(err)
	}
	head, data, _ := strings.Cut(string(b), "BEGIN DATA:\n")
	if !strings.Contains(head, "NR: 2\n") || !strings.Contains(data, "truth,case-01/x11,truth,") {
		t.Errorf("%s%s", head, data)
	}
	for _, want := range []string{"R1,case-01/x11,", "R2,case-01/x11,"} {
		if strings.Count(data, want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, data)
		}
	}
	if text := plumb(t, 0, "export", "imrmc", "--out", out, ws); !strings.Contains(text, "4 readings in, ") {
		t.Errorf("%s", text)
	}
}

// Every format of a study that two readers read, by the command: what goes out is counted, and each answer names its rubric's version and when
// it was given. L05: the export names the rubric version per row. S12: first view, answer, active and idle time go out per step.
func TestExportEveryFormat(t *testing.T) {
	t.Setenv("PLUMBLINE_HOME", t.TempDir())
	study := desktest.New(t)
	if err := study.Coordinator().Desk.Close(); err != nil {
		t.Fatal(err)
	}
	ws := "--workspace=" + study.Folder("coordinator")
	plumb(t, 0, "rate", "--file", readingFile(t, wholeReading()), ws)
	plumb(t, 0, "rate", "--reader", "R2", "--file", readingFile(t, wholeReading()), ws)
	var all struct {
		Import, Export []export.Format
	}
	if err := json.Unmarshal([]byte(plumb(t, 0, "formats", "--json")), &all); err != nil || len(all.Import) == 0 || len(all.Export) < 15 {
		t.Fatalf("%v: %d formats in, %d out", err, len(all.Import), len(all.Export))
	}
	// What the small study holds nothing for: it has pictures that are no DICOM, no paraphrases, and no pair of a better and a worse step.
	nothing := map[string]bool{"dicom-sr": true, "dicom-seg": true, "groups": true, "llamafactory-dpo": true, "trl-dpo": true, "mdpo": true}
	for _, f := range all.Export {
		out := filepath.Join(t.TempDir(), "out")
		if nothing[f.Name] {
			plumb(t, fault.NotFound.Exit(), "export", f.Name, "--out", out, ws)
			continue
		}
		done := lines[export.Done](t, compact(t, plumb(t, 0, "export", f.Name, "--out", out, "--json", ws)))[0]
		if f.Name != "imrmc" && (done.In != 4 || done.Data.Clusters != 3) {
			t.Errorf("%s: %+v", f.Name, done.Manifest)
		}
		if f.Name != "csv" {
			continue
		}
		b, err := os.ReadFile(filepath.Join(out, "ratings.csv"))
		if err != nil {
			t.Fatal(err)
		}
		rows := strings.Split(string(b), "\r\n")
		for _, column := range []string{"rubric_version", "first_seen", "first_answer", "active_ms", "idle_ms", "days_since_session_1"} {
			if !strings.Contains(rows[0], ","+column+",") {
				t.Errorf("no column %s", column)
			}
		}
		if !strings.Contains(rows[1], ",R1,") || !strings.Contains(rows[1], ",GRD,1,") {
			t.Errorf("%s", rows[1])
		}
	}
}

// What two sites give each other is added up by the command; one of them twice counts once.
func TestPoolByCommand(t *testing.T) {
	t.Setenv("PLUMBLINE_HOME", t.TempDir())
	var dirs []string
	for range 2 {
		study := desktest.New(t)
		if err := study.Coordinator().Desk.Close(); err != nil {
			t.Fatal(err)
		}
		ws := "--workspace=" + study.Folder("coordinator")
		plumb(t, 0, "rate", "--file", readingFile(t, wholeReading()), ws)
		dir := filepath.Join(t.TempDir(), "site")
		plumb(t, 0, "export", "federation", "--out", dir, ws)
		dirs = append(dirs, dir)
	}
	file := filepath.Join(t.TempDir(), "pool.json")
	got := lines[export.Pooled](t, compact(t, plumb(t, 0, "pool", dirs[0], dirs[1], dirs[0], "--out", file, "--json")))[0]
	if len(got.Sites) != 2 || got.Data.Cases != 8 || len(got.Shares) == 0 || len(got.Conflicts) != 0 {
		t.Errorf("%+v", got)
	}
	b, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(b), `"schema": "plumbline/pool/1"`) {
		t.Errorf("%v", err)
	}
	if text := plumb(t, 0, "pool", dirs[0]); !strings.Contains(text, "1 sites: 4 cases") || !strings.Contains(text, "signed with "+got.Sites[0].Key) || got.Sites[0].Key == "" {
		t.Errorf("%s", text)
	}
	plumb(t, fault.NotFound.Exit(), "pool", t.TempDir())
	// What somebody changes after it was signed is refused; so are labels and wordings that nobody knows.
	manifest := filepath.Join(dirs[1], export.ManifestFile)
	b, err = os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(manifest, bytes.Replace(b, []byte(`"made"`), []byte(`"made" `), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	plumb(t, fault.Damaged.Exit(), "pool", dirs[0], dirs[1])
	study := desktest.New(t)
	if err := study.Coordinator().Desk.Close(); err != nil {
		t.Fatal(err)
	}
	ws := "--workspace=" + study.Folder("coordinator")
	for _, flag := range []string{"--labels=some", "--prompt=shout"} {
		plumb(t, fault.Usage.Exit(), "export", "trl-sft", "--out", filepath.Join(t.TempDir(), "x"), ws, flag)
	}
}
