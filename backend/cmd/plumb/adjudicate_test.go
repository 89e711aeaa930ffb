package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/review"
)

func TestAdjudicateByCommand(t *testing.T) {
	t.Setenv("PLUMBLINE_HOME", t.TempDir())
	study := desktest.New(t)
	rules := desktest.Rules("R1", "R2")
	rules.Readers = append(rules.Readers, review.ProtocolReader{Code: "ADJ1", Role: review.RoleAdjudicator})
	boss := study.Coordinator().Set(rules)
	if err := boss.Desk.Close(); err != nil {
		t.Fatal(err)
	}
	if err := study.As("ann").Desk.Close(); err != nil {
		t.Fatal(err)
	}
	ws := "--workspace=" + study.Folder("coordinator")
	plumb(t, 9, "adjudicate", "list", "--workspace="+study.Folder("ann"))
	plumb(t, 0, "rate", "--reader", "R1", "--file", readingFile(t, wholeReading()), ws)
	second := wholeReading()
	changed := second.Steps["x11/s2"]
	changed.Support, changed.Significance, changed.Error, changed.BuildsOnError = review.Supported, "", nil, ""
	changed.Evidence = []review.Region{{Image: "xr", Shape: review.Point, Coords: []float64{.4, .4}}}
	second.Steps["x11/s2"] = changed
	plumb(t, 0, "rate", "--reader", "R2", "--file", readingFile(t, second), ws)

	list := func(args ...string) desk.Disagreements {
		t.Helper()
		var l desk.Disagreements
		if err := json.Unmarshal([]byte(plumb(t, 0, append([]string{"adjudicate", "list", "--json", ws}, args...)...)), &l); err != nil {
			t.Fatal(err)
		}
		return l
	}
	all := list()
	if len(all.Items) != 1 || all.May || !slices.Equal(all.Items[0].Kinds, []string{"support", "significance"}) || all.Unanimous != 9 {
		t.Fatalf("%+v", all)
	}
	if l := list("--kind", "answer"); len(l.Items) != 0 || l.Open != 1 {
		t.Errorf("%+v", l)
	}
	plumb(t, 2, "adjudicate", "list", "--kind", "nonsense", ws)
	id := all.Items[0].ID
	value := func(text string) string {
		path := filepath.Join(t.TempDir(), "value.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := value(`{"rating": {"support": "contradicted", "error": ["wrong_location"], "significance": "b", "builds_on_error": "no"}}`)
	plumb(t, 9, "adjudicate", "decide", id, "--file", good, "--reason", "R2 is no adjudicator", ws)
	plumb(t, 9, "adjudicate", "show", id, ws)
	plumb(t, 2, "adjudicate", "decide", id, "--as", "ADJ1", "--reason", "so", ws)
	plumb(t, 5, "adjudicate", "decide", id, "--as", "ADJ1", "--file", good, ws)
	plumb(t, 5, "adjudicate", "decide", id, "--file", value(`{"rating": {"suport": "partly"}}`), "--reason", "so", ws)
	plumb(t, 5, "adjudicate", "decide", id, "--file", value(`{"rating": {"support": "partly"}}`), "--reason", "so", ws)
	plumb(t, 3, "adjudicate", "decide", "d-0", "--file", good, "--reason", "so", ws)
	var v desk.DisagreementView
	if err := json.Unmarshal([]byte(plumb(t, 0, "adjudicate", "show", id, ws)), &v); err != nil || len(v.Unnamed) != 2 {
		t.Errorf("%+v, %v", v.Unnamed, err)
	}
	for range 2 {
		var done desk.Decided
		out := plumb(t, 0, "adjudicate", "decide", id, "--file", good, "--reason", "other side", "--json", ws)
		if err := json.Unmarshal([]byte(out), &done); err != nil || done.Revision != 1 || done.Open != 0 || done.Decided != 1 {
			t.Errorf("%s, %v", out, err)
		}
	}
	if out := plumb(t, 0, "adjudicate", "adopt-unanimous", "--json", ws); !strings.Contains(out, `"adopted": 9`) {
		t.Error(out)
	}
	for _, hidden := range [][]string{{"agree"}, {"report", "--out", t.TempDir()}, {"readings"}, {"assign"}} {
		plumb(t, 9, append(hidden, ws)...)
	}
	out := plumb(t, 0, "adjudicate", "list", "--as", "R1", ws)
	for _, want := range []string{"decided\tcase-01\tchain ", ", step 2\tsupport, significance\t2 reads\tThere is an opacity", "0 open, 0 waiting, 1 decided; 0 items are unanimous, 9 of that kind are settled"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in %s", want, out)
		}
	}
	plumb(t, 0, "verify", ws)
}

// An adjudicator's own workspace is made by its seat.
func TestAdjudicatorsWorkspace(t *testing.T) {
	t.Setenv("PLUMBLINE_HOME", t.TempDir())
	study := desktest.New(t)
	ws := "--workspace=" + filepath.Join(t.TempDir(), "adj")
	plumb(t, 0, "import", study.Data, "--seat", "adjudicator:ADJ1", ws)
	var l desk.Disagreements
	if err := json.Unmarshal([]byte(plumb(t, 0, "adjudicate", "list", "--json", ws)), &l); err != nil || !l.May || len(l.Items) != 0 {
		t.Errorf("%+v, %v", l, err)
	}
	plumb(t, 9, "report", "--out", t.TempDir(), ws)
}
