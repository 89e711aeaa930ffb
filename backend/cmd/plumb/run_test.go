package main

import (
	"strings"
	"testing"

	"plumbline/backend/desktest"
	"plumbline/backend/experiment"
	"plumbline/backend/review"
)

func TestRunByCommand(t *testing.T) {
	dir, workspace := t.TempDir(), t.TempDir()+"/w"
	desktest.WriteDataset(t, dir)
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	plumb(t, 0, "--workspace", workspace, "import", dir)
	e := object[experiment.Estimate](t, plumb(t, 0, "--workspace", workspace, "--json", "run", "--model", "controls", "--conditions", "standard", "--estimate"))
	if e.Chains != 6*4*len(review.StandardConditions()) {
		t.Errorf("estimate %+v", e)
	}
	s := object[experiment.Status](t, plumb(t, 0, "--workspace", workspace, "--json", "--quiet", "run", "--model", "text-only,random", "--conditions", "original,noop"))
	if s.Answered != 24 || s.Chains != 12 {
		t.Errorf("run %+v", s)
	}
	text := plumb(t, 0, "--workspace", workspace, "--quiet", "run", "--model", "text-only", "--conditions", "original", "--cases", "case-01")
	if !strings.Contains(text, "2 requests, 2 answered") {
		t.Errorf("said %q", text)
	}
	for exit, args := range map[int][]string{
		2: {"run", "--model", "text-only"},
		3: {"run", "--model", "gpt", "--conditions", "original"},
	} {
		plumb(t, exit, append([]string{"--workspace", workspace}, args...)...)
	}
	plumb(t, 3, "--workspace", workspace, "run", "--resume")
	plumb(t, 2, "--workspace", workspace, "run", "--resume", "--model", "random")
	plumb(t, 2, "--workspace", workspace, "run", "--model", "random", "--conditions", "occ+ctl")
}

func TestConditionsByCommand(t *testing.T) {
	all := object[struct {
		Conditions []review.ConditionName
		Standard   []string
	}](t, plumb(t, 0, "--json", "conditions"))
	if len(all.Conditions) != len(review.ConditionNames()) || len(all.Standard) == 0 || all.Conditions[0].Name != "original" {
		t.Errorf("%+v", all)
	}
	if text := plumb(t, 0, "conditions"); !strings.Contains(text, "corrupt-side") || !strings.Contains(text, "[@S<k>]") {
		t.Error("the list for people lacks a condition")
	}
}
