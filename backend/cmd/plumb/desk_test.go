package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// plumb runs a command and gives its output, which must end with this exit code.
func plumb(t *testing.T, exit int, args ...string) string {
	t.Helper()
	var out, diag bytes.Buffer
	if got := run(t.Context(), args, &out, &diag); got != exit {
		t.Fatalf("plumb %s: exit %d, want %d\n%s%s", strings.Join(args, " "), got, exit, &out, &diag)
	}
	return out.String()
}

// lines parses JSON lines.
func lines[T any](t *testing.T, text string) []T {
	t.Helper()
	all := []T{}
	for line := range strings.Lines(text) {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		all = append(all, v)
	}
	return all
}

// readingFile writes a whole reading of a case of desktest's dataset.
func readingFile(t *testing.T, f review.ReadingFile) string {
	t.Helper()
	b, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "reading.json")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// wholeReading rates every step of both chains of case-01.
func wholeReading() review.ReadingFile {
	evidence := []review.Region{{Image: "xr", Shape: review.Point, Coords: []float64{.4, .4}}}
	f := review.ReadingFile{
		Schema: review.ReadingSchema, Assignment: "case-01", Sign: true, Steps: map[string]review.Rating{}, Chains: map[review.ChainID]review.ChainRating{},
		Look: []review.Look{{Question: "q2", Answer: "B", Confidence: 2}, {Question: "q1", Answer: "A", Confidence: 3, Evidence: evidence}},
	}
	for _, c := range []string{"x11", "x21"} {
		f.Steps[c+"/s1"] = review.Rating{Support: review.Supported, Evidence: evidence, Confidence: 3}
		f.Steps[c+"/s2"] = review.Rating{Support: review.Contradicted, ModelPlace: "wrong_side", Error: []string{"wrong_location"}, BuildsOnError: "no", Significance: "b", Confidence: 2}
		f.Steps[c+"/s3"] = review.Rating{Support: review.Unsupported, ModelPlace: "wrong_side"}
		verdict := desktest.FullChain()
		verdict.FirstBadStep = "s2"
		f.Chains[review.ChainID(c)] = verdict
	}
	return f
}

func TestReadFromFile(t *testing.T) {
	t.Setenv("PLUMBLINE_HOME", t.TempDir())
	study := desktest.New(t)
	for _, who := range []*desktest.Person{study.Coordinator(), study.As("ann")} {
		if err := who.Desk.Close(); err != nil {
			t.Fatal(err)
		}
	}
	ws := "--workspace=" + study.Folder("ann")
	plumb(t, fault.Refused.Exit(), "chains", "--case", "case-01", ws)
	if out := plumb(t, 0, "chains", ws); out != "" {
		t.Errorf("chains before any question is locked: %q", out)
	}
	saved := lines[review.Event](t, plumb(t, 0, "rate", "--json", "--file", readingFile(t, wholeReading()), ws))
	if len(saved) != 11 || saved[0].Body.Look.Question != "q1" || saved[10].Kind != review.KindSign {
		t.Fatalf("%d events saved: %+v", len(saved), saved)
	}
	again := lines[review.Event](t, plumb(t, 0, "rate", "--json", "--file", readingFile(t, wholeReading()), ws))
	if len(again) != 11 || again[10].ID != saved[10].ID {
		t.Errorf("the same reading again is the same events: %d", len(again))
	}
	if said := lines[review.Event](t, plumb(t, 0, "readings", "--json", ws)); len(said) != 11 || said[3].Reader != "ann" {
		t.Errorf("%d readings", len(said))
	}
	cases := lines[desk.ListedCase](t, plumb(t, 0, "cases", "--json", ws))
	if len(cases) != 4 || cases[0].State != "signed" || cases[0].Done != 10 || cases[1].State != "new" {
		t.Errorf("cases: %+v", cases)
	}
	if signed := lines[desk.ListedCase](t, plumb(t, 0, "cases", "--json", "--state", "signed", ws)); len(signed) != 1 {
		t.Errorf("%d signed", len(signed))
	}
	chains := plumb(t, 0, "chains", "--json", "--case", "case-01", ws)
	if got := lines[desk.ListedChain](t, chains); len(got) != 2 || got[0].Origin != nil || strings.Contains(chains, desktest.Canary) {
		t.Errorf("a reader's chains: %s", chains)
	}
	v := lines[map[string]any](t, compact(t, plumb(t, 0, "verify", "--json", ws)))[0]
	if v["events"] != 11. || v["first_break"] != nil || len(v["chains"].([]any)) != 1 {
		t.Errorf("verify: %v", v)
	}
	all := plumb(t, 0, "chains", "--json", "--workspace="+study.Folder("coordinator"))
	if !strings.Contains(all, desktest.Canary+"-cue") {
		t.Error("the coordinator sees what made a chain")
	}
	for _, command := range []string{"cases", "chains", "readings", "verify"} {
		if plumb(t, 0, command, ws) == "" {
			t.Errorf("%s says nothing to people", command)
		}
	}
}

func compact(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRateExitCodes(t *testing.T) {
	t.Setenv("PLUMBLINE_HOME", t.TempDir())
	study := desktest.New(t)
	ann := study.As("ann")
	ws := "--workspace=" + study.Folder("ann")
	plumb(t, fault.Busy.Exit(), "cases", ws)
	if err := ann.Desk.Close(); err != nil {
		t.Fatal(err)
	}
	changed := func(change func(*review.ReadingFile)) string {
		f := wholeReading()
		change(&f)
		return readingFile(t, f)
	}
	broken := filepath.Join(t.TempDir(), "broken.json")
	if err := os.WriteFile(broken, []byte(`{"schema":"plumbline/reading/1","look":[`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		file string
		want fault.Kind
	}{
		{"no file named", "", fault.Usage},
		{"a file that is not there", filepath.Join(t.TempDir(), "none.json"), fault.NotFound},
		{"broken JSON", broken, fault.Invalid},
		{"a newer format", changed(func(f *review.ReadingFile) { f.Schema = "plumbline/reading/2" }), fault.Invalid},
		{"no assignment", changed(func(f *review.ReadingFile) { f.Assignment = "" }), fault.Usage},
		{"another's assignment", changed(func(f *review.ReadingFile) { f.Assignment = "a-1" }), fault.NotFound},
		{"an answer that is no option", changed(func(f *review.ReadingFile) { f.Look[1].Answer = "C" }), fault.Invalid},
		{"steps before the looks", changed(func(f *review.ReadingFile) { f.Look = nil }), fault.Refused},
		{"a step of two chains", changed(func(f *review.ReadingFile) { f.Steps = map[string]review.Rating{"s1": {}} }), fault.Invalid},
		{"an unknown step", changed(func(f *review.ReadingFile) { f.Steps = map[string]review.Rating{"s9": {}} }), fault.NotFound},
		{"signing too early", changed(func(f *review.ReadingFile) { f.Steps = nil }), fault.Refused},
		{"one verdict for two chains", changed(func(f *review.ReadingFile) { f.Chain = &review.ChainRating{} }), fault.Invalid},
		{"everything", changed(func(*review.ReadingFile) {}), ""},
		{"a change without a reason", changed(func(f *review.ReadingFile) {
			f.Steps["x11/s3"] = review.Rating{Support: review.NotVisual, ModelPlace: "wrong_side"}
		}), fault.Refused},
		{"a change with a reason", changed(func(f *review.ReadingFile) {
			f.Steps["x11/s3"], f.Reason = review.Rating{Support: review.NotVisual, ModelPlace: "wrong_side"}, "slip"
		}), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			exit := 0
			if c.want != "" {
				exit = c.want.Exit()
			}
			plumb(t, exit, "rate", "--file", c.file, ws)
		})
	}
	plumb(t, fault.Refused.Exit(), "rate", "--reader", "bob", "--file", changed(func(*review.ReadingFile) {}), ws)
	plumb(t, fault.Refused.Exit(), "readings", "--reader", "bob", ws)
	plumb(t, fault.NotFound.Exit(), "cases", "--workspace="+t.TempDir())
	t.Setenv("PLUMBLINE_WORKSPACE", "")
	plumb(t, fault.Usage.Exit(), "cases")
	plumb(t, fault.Usage.Exit(), "cases", "--seat", "reader", ws)
	if out := plumb(t, 0, "version", "--json"); !strings.Contains(out, "go.etcd.io/bbolt") {
		t.Errorf("version: %s", out)
	}
}

// The sample study, into a coordinator's workspace and into a reader's: the reader's files, opened as bytes after a whole case was read,
// hold no model, no condition and no truth.
func TestSampleStudyBySeat(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PLUMBLINE_HOME", home)
	study, boss, reader := filepath.Join(home, "study"), "--workspace="+filepath.Join(home, "boss"), "--workspace="+filepath.Join(home, "reader")
	plumb(t, 0, "sample", study, "--open", "--quiet", boss)
	plumb(t, 0, "import", study, "--seat", "R2", "--quiet", reader)
	c := lines[desk.ListedCase](t, plumb(t, 0, "cases", "--json", reader))[0]
	f := review.ReadingFile{Schema: review.ReadingSchema, Assignment: review.AssignmentID(c.Assignment), Sign: true, Steps: map[string]review.Rating{}, Chains: map[review.ChainID]review.ChainRating{}}
	for _, q := range c.Questions {
		f.Look = append(f.Look, review.Look{Question: q.ID, Answer: q.Options[0].Letter, Confidence: 1})
	}
	for _, chain := range lines[desk.ListedChain](t, plumb(t, 0, "chains", "--json", "--case", string(c.ID), boss)) {
		for _, a := range chain.Answers {
			for _, s := range a.Steps {
				r := review.Rating{Support: review.NotVisual, Confidence: 1}
				if len(s.Regions) > 0 {
					r.ModelPlace = "imprecise"
				}
				if s.Text == nil {
					r.Confidence = 0
				}
				f.Steps[string(chain.ID)+"/"+string(s.ID)] = r
			}
		}
		f.Chains[chain.ID] = desktest.FullChain()
	}
	plumb(t, 0, "rate", "--file", readingFile(t, f), reader)
	if signed := lines[desk.ListedCase](t, plumb(t, 0, "cases", "--json", "--state", "signed", reader)); len(signed) != 1 {
		t.Errorf("%d cases signed", len(signed))
	}
	hidden := []string{"gold", "oracle", "text-only", "cue-follower", "suggest", "truth"}
	found := map[string]map[string]bool{"boss": {}, "reader": {}}
	for seat, words := range found {
		files, err := os.ReadDir(filepath.Join(home, seat))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			b, err := os.ReadFile(filepath.Join(home, seat, file.Name()))
			if err != nil {
				t.Fatal(err)
			}
			for _, word := range hidden {
				if bytes.Contains(b, []byte(word)) {
					words[word] = true
				}
			}
		}
	}
	if len(found["reader"]) > 0 {
		t.Errorf("a reader's files hold %v", found["reader"])
	}
	if !found["boss"]["oracle"] || !found["boss"]["suggest"] {
		t.Errorf("the search finds what a coordinator's files do hold: %v", found["boss"])
	}
}
