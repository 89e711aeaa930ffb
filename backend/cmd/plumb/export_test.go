package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
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
	plumb(t, fault.Usage.Exit(), "export", "parquet", "--out", out, ws)
	plumb(t, fault.NotFound.Exit(), "export", "imrmc", "--out", out, ws)
	if _, err := os.Stat(out); err == nil {
		t.Error("nothing to export made a folder")
	}
	plumb(t, 0, "rate", "--file", readingFile(t, wholeReading()), ws)
	plumb(t, 0, "rate", "--reader", "R2", "--file", readingFile(t, wholeReading()), ws)
	done := lines[desk.Exported](t, compact(t, plumb(t, 0, "export", "imrmc", "--out", out, "--json", ws)))[0]
	left := 0
	for _, s := range done.Side {
		left += s.N
	}
	if done.In != 4 || done.In != done.Out+left || len(done.Files) != 1 {
		t.Fatalf("%+v", done)
	}
	b, err := os.ReadFile(filepath.Join(out, "readers.imrmc"))
	if err != nil {
		t.Fatal(err)
	}
	head, data, _ := strings.Cut(string(b), "BEGIN DATA:\n")
	if !strings.Contains(head, "NR: 2\n") || !strings.HasPrefix(data, "truth,case-01/x11,truth,") || strings.Count(data, "\n") != done.Files[0].Rows {
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
	if found, err := os.ReadDir(out); err != nil || len(found) != 1 {
		t.Errorf("%v, %v", found, err)
	}
}
