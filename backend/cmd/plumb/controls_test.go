package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/experiment"
	"plumbline/backend/report"
	"plumbline/backend/review"
)

// everyName lists every name of a condition, with a value where it takes one, and every set.
func everyName(t *testing.T) string {
	t.Helper()
	values := map[string]string{
		"given:<condition>": "given:occ", "gold:<n>": "gold:2", "context:<field>=<value>": "context:age=30", "lang:<code>": "lang:de", "word:<n>": "word:1",
		"sentence:<n>": "sentence:1", "semantic:<n>": "semantic:1", "early:<k>": "early:1", "mistake:<k>": "mistake:1", "confident:<p>": "confident:90", "mitigate:<name>": "mitigate:triple_combo",
		"slices:<frames>": "slices:every-4", "window:<W/L>": "window:400/40",
	}
	all := object[struct {
		Conditions []review.ConditionName
		Sets       []struct{ Name string }
	}](t, plumb(t, 0, "--json", "conditions"))
	names := []string{"occ/tissue", "occ/blur", "occ/mean"}
	for _, c := range all.Conditions {
		if value, takes := values[c.Name]; takes {
			names = append(names, value)
		} else {
			names = append(names, c.Name)
		}
	}
	for _, s := range all.Sets {
		names = append(names, s.Name)
	}
	return strings.Join(names, ",")
}

// The controls under every condition, on a study of a fresh seed and by the commands alone: nothing fails, and the report says of each what
// the table of controls says (experiment.TestTableOfControls holds the whole of it on whole studies).
func TestControlsUnderEveryCondition(t *testing.T) {
	if testing.Short() {
		t.Skip("asks the controls thousands of times")
	}
	dir := t.TempDir()
	for _, name := range []string{"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(name, t.TempDir())
	}
	study, workspace, out := filepath.Join(dir, "study"), filepath.Join(dir, "w"), filepath.Join(dir, "report")
	plumb(t, 0, "--quiet", "sample", study, "--seed", "4711")
	plumb(t, 0, "--workspace", workspace, "--quiet", "import", study)
	s := object[experiment.Status](t, plumb(t, 0, "--workspace", workspace, "--json", "--quiet", "run", "--model", "controls", "--conditions", everyName(t),
		"--cases", "case-01,case-02,case-03,case-04"))
	if s.Units != s.Of || s.Requests != s.Answered || s.Unparsed != 0 || len(s.Failed) > 0 || s.Chains == 0 {
		t.Errorf("%+v", s)
	}
	plumb(t, 0, "--workspace", workspace, "--quiet", "report", "--out", out)
	b, err := os.ReadFile(filepath.Join(out, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc report.Document
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	// noop flip, N direct at S4, N total, TE, NDE, NIE at S4, corrupt-follow, cue-follow
	want := map[string][8]float64{
		"oracle-pixels": {0, 1, 1, 1, 1, 0, 0, 0}, "text-only": {}, "cue-follower": {7: 1}, "context-shortcut": {}, "chain-copier": {0, 0, 1, 1, 0, 1, 1, 0},
	}
	for _, m := range doc.Models {
		w, fixed := want[m.Model]
		if m.Run == "" || !fixed {
			continue
		}
		delete(want, m.Model)
		if got := lineOf(m); got != w {
			t.Errorf("%s: %v, want %v", m.Model, got, w)
		}
	}
	if len(want) > 0 {
		t.Errorf("no line for %v", want)
	}
}

// lineOf reads the line of a control out of the report; what is not estimable is no number, and so equal to nothing.
func lineOf(m report.Model) (line [8]float64) {
	value := func(n report.Number) float64 {
		if n.Value == nil {
			return math.NaN()
		}
		return *n.Value
	}
	r := m.ImageReliance
	line[0], line[2], line[6] = value(r.Noise.Number), value(r.NetTotal.Number), value(m.Origin.CorruptFollow)
	for _, at := range r.ByStage {
		if at.K == 4 {
			line[1] = value(at.NetNecessity.Number)
		}
	}
	for _, at := range m.Mediation.Stages {
		if at.K == 4 {
			line[3], line[4], line[5] = value(at.TE), value(at.NDE), value(at.NIE)
		}
	}
	for _, c := range m.Cues.Rows {
		if c.Cue == "suggest-wrong" {
			line[7] = value(c.Follow)
		}
	}
	return line
}
