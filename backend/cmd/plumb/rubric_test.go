package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// A coordinator checks a rubric file, adds it and lets the protocol ask by it; what is written is what can be loaded again.
func TestRubricByCommand(t *testing.T) {
	t.Setenv("PLUMBLINE_HOME", t.TempDir())
	study := desktest.New(t)
	if err := study.Coordinator().Desk.Close(); err != nil {
		t.Fatal(err)
	}
	ws := "--workspace=" + study.Folder("coordinator")
	grd := plumb(t, 0, "rubric", "show", ws)
	file := filepath.Join(t.TempDir(), "rubric.json")
	save := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	save(strings.Replace(grd, `"version": "1"`, `"version": "1"`+",\n"+`"extra": 1`, 1))
	plumb(t, fault.Invalid.Exit(), "rubric", "check", file, ws)
	save(strings.Replace(grd, `"supported",`, `"maybe",`, 1))
	out := plumb(t, fault.Invalid.Exit(), "rubric", "check", file, ws)
	if !strings.Contains(out, "rubric.json:4 version: ") || !strings.Contains(out, `step[0].options[0]: one of supported`) {
		t.Errorf("%s", out)
	}
	save(strings.Replace(grd, `"version": "1"`, `"version": "1b"`, 1))
	plumb(t, 0, "rubric", "check", file, ws)
	added := lines[review.Rubric](t, compact(t, plumb(t, 0, "rubric", "add", "--json", file, ws)))[0]
	if added.Version != "1b" || added.Digest == review.GRD().Digest {
		t.Errorf("%s %s", added.Version, added.Digest)
	}
	if out := plumb(t, 0, "rubric", "list", ws); !strings.Contains(out, "GRD\tversion 1\t10 questions of a step, 8 of a chain\tholds now") || !strings.Contains(out, "version 1b") {
		t.Errorf("%s", out)
	}
	plumb(t, fault.NotFound.Exit(), "rubric", "show", "--name", "GRD", "--version", "9", ws)
	if again := plumb(t, 0, "rubric", "show", "--name", "GRD", "--version", "1b", ws); !strings.Contains(again, string(added.Digest)) {
		t.Errorf("%s", again)
	}
	rules := filepath.Join(t.TempDir(), "protocol.json")
	if err := os.WriteFile(rules, []byte(`{"readers":[{"code":"R1","role":"reader"}],"rubric":{"name":"GRD","version":"1b"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	plumb(t, 0, "protocol", "set", rules, ws)
	if out := plumb(t, 0, "rubric", "show", ws); !strings.Contains(out, `"version": "1b"`) {
		t.Errorf("what holds: %s", out)
	}
}
