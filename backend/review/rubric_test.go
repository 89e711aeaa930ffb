package review

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const short = `{"schema": "plumbline/rubric/1", "name": "GRD", "version": "1-short",
 "step": [
  {"name": "support", "label": "holds", "options": ["supported", "unsupported", "contradicted"], "labels": {"supported": "holds"}, "keys": {"supported": "x"}},
  {"name": "error", "options": ["false_finding", "miscounted"], "required": []},
  {"name": "note"}
 ],
 "chain": [{"name": "radpeer"}, {"name": "answer"}]}`

func TestRubricFile(t *testing.T) {
	r, err := RestoreRubric([]byte(short))
	if err != nil {
		t.Fatal(err)
	}
	if problems := r.Problems(); len(problems) > 0 {
		t.Errorf("%+v", problems)
	}
	got := fmt.Sprint(r.Step[1].Options, r.Step[1].Asked.Support, r.Step[1].Required, r.Step[0].Kind, r.Step[0].Required, r.Chain[0].Name, len(r.Chain[0].Options))
	if got != "[false_finding miscounted] [unsupported contradicted] []choice[*]radpeer5" {
		t.Errorf("got %s", got)
	}
	if r.Digest == "" || r.Digest == GRD().Digest || r.Called() != (RubricName{"GRD", "1-short"}) {
		t.Errorf("%s %v", r.Digest, r.Called())
	}
}

// What is shown can be loaded again, and is the same.
func TestRubricRoundTrip(t *testing.T) {
	made, err := RestoreRubric([]byte(short))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []Rubric{GRD(), made} {
		b, err := json.Marshal(r)
		if err != nil || strings.Contains(string(b), "null") {
			t.Fatalf("%s, %v", b, err)
		}
		again, err := RestoreRubric(b)
		if err != nil || again.Digest != r.Digest || len(again.Problems()) > 0 {
			t.Errorf("%s again: %v, %+v", r.Version, err, again.Problems())
		}
	}
}

// The digest of GRD v1 lies in ledgers: it never changes.
func TestDigestOfGRD(t *testing.T) {
	if got := GRD().Digest; got != "sha256:9a64f901fe6f50ac07cd9dd25e4bbf3c14bfe48a6404d69451451f6e6d7d99e5" {
		t.Errorf("%s", got)
	}
}

func TestRubricProblems(t *testing.T) {
	support := `{"name": "support"}`
	with := func(step string) string {
		return `{"name": "X", "version": "1", "step": [` + support + `, ` + step + `], "chain": []}`
	}
	for _, c := range []struct{ name, file, field, want string }{
		{"no name", `{"version": "1", "step": [` + support + `], "chain": []}`, "name", "1 to 64 letters"},
		{"the program's own", `{"name": "GRD", "version": "1", "step": [` + support + `], "chain": []}`, "version", "a version of its own"},
		{"nothing graded", `{"name": "X", "version": "1", "step": [], "chain": []}`, "step", "the field support expected"},
		{"unknown field", with(`{"name": "colour"}`), "step[1].name", "one of support, reason"},
		{"a field of the other card", with(`{"name": "radpeer"}`), "step[1].name", "found \"radpeer\""},
		{"twice", with(`{"name": "note"}, {"name": "note"}`), "step[2].name", "stands here twice"},
		{"another kind", with(`{"name": "error", "kind": "choice"}`), "step[1].kind", "error is a choices"},
		{"asked at another time", with(`{"name": "model_place", "asked": {"region": false}}`), "step[1].asked", "cannot be changed"},
		{"options of text", with(`{"name": "note", "options": ["a", "b"]}`), "step[1].options", "no options"},
		{"one option", with(`{"name": "error", "options": ["a"]}`), "step[1].options", "2 to 30"},
		{"a new grade of significance", with(`{"name": "significance", "options": ["a", "c"]}`), "step[1].options[1]", "computed with"},
		{"odd option", with(`{"name": "error", "options": ["a", "A b"]}`), "step[1].options[1]", "small letters"},
		{"option twice", with(`{"name": "error", "options": ["a", "a"]}`), "step[1].options[1]", "twice"},
		{"falling numbers", with(`{"name": "confidence", "options": ["3", "2"]}`), "step[1].options[1]", "rising"},
		{"label of nothing", with(`{"name": "error", "labels": {"x": "y"}}`), "step[1].labels.x", "no option"},
		{"label without end", with(`{"name": "error", "label": "` + strings.Repeat("x", 201) + `"}`), "step[1].label", "at most 200"},
		{"label of two lines", with(`{"name": "error", "label": "a\nb"}`), "step[1].label", "one line"},
		{"required for what is not offered", with(`{"name": "note", "required": ["maybe"]}`), "step[1].required[0]", "grade of support"},
		{"a grade that may be left out", `{"name": "X", "version": "1", "step": [{"name": "support", "required": []}], "chain": []}`, "step[0].required", "every step is graded"},
		{"asked after signing", with(`{"name": "cue_ack", "required": ["*"]}`), "step[1].required", "after signing"},
		{"two keys in one", with(`{"name": "error", "keys": {"false_finding": "ab"}}`), "step[1].keys.false_finding", "one printed character"},
		{"the same key twice", with(`{"name": "error", "keys": {"false_finding": "x"}}, {"name": "significance", "keys": {"a": "x"}}`), "step[2].keys.a", "key x is that of error false_finding and of significance a"},
	} {
		r, err := RestoreRubric([]byte(c.file))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		problems := r.Problems()
		if len(problems) != 1 || problems[0].Field != c.field || !strings.Contains(problems[0].Text, c.want) {
			t.Errorf("%s: %+v, want %s: %s", c.name, problems, c.field, c.want)
		}
	}
}

func TestRubricRefusesWhatItDoesNotKnow(t *testing.T) {
	for file, want := range map[string]string{
		`{"name": "X", "version": "1", "steps": []}`:           `unknown field "steps"`,
		`{"schema": "plumbline/rubric/2"}`:                     "newer Plumbline",
		`{"schema": "plumbline/protocol/1"}`:                   "plumbline/rubric/1",
		`{"name": "X", "version": 1, "step": [], "chain": []}`: "field version: text expected",
	} {
		if _, err := RestoreRubric([]byte(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", file, err, want)
		}
	}
}

func FuzzRestoreRubric(f *testing.F) {
	f.Add([]byte(short))
	if b, err := json.Marshal(GRD()); err == nil {
		f.Add(b)
	}
	f.Add([]byte(`{"step":[{"name":"support","asked":{"support":null},"keys":{"":""}}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := RestoreRubric(b)
		if err != nil || len(r.Problems()) > 0 {
			return
		}
		shown, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := RestoreRubric(shown)
		if err != nil || again.Digest != r.Digest {
			t.Errorf("%s: %v", shown, err)
		}
	})
}
