package desktest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"plumbline/backend/review"
	"plumbline/backend/sample"
)

// schemas compiles published schemas as another program would.
type schemas map[string]*jsonschema.Schema

func (s schemas) check(t *testing.T, name, where string, record []byte) {
	t.Helper()
	if s[name] == nil {
		text, known := review.SchemaOf(name)
		if !known {
			t.Fatalf("no schema of %s", name)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(name, doc); err != nil {
			t.Fatal(err)
		}
		if s[name], err = c.Compile(name); err != nil {
			t.Fatal(err)
		}
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(record))
	if err == nil {
		err = s[name].Validate(v)
	}
	if err != nil {
		t.Errorf("%s: %v", where, err)
	}
}

// files checks the records of a dataset folder and counts them.
func (s schemas) files(t *testing.T, dir string) (n int) {
	t.Helper()
	for name, pattern := range map[string]string{"dataset": "dataset.json", "case": "cases.jsonl", "truth": "truth.jsonl", "origin": "chains/manifest.jsonl", "chain": "chains/[^m]*.jsonl"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			records := [][]byte{b}
			if strings.HasSuffix(path, "l") {
				records = bytes.Split(bytes.TrimSpace(b), []byte("\n"))
			}
			for _, r := range records {
				s.check(t, name, path, r)
				n++
			}
		}
	}
	return n
}

// What the program writes and takes is as the published schemas say: the sample study, the dataset of scripts, every event of a study that
// was set up, read, corrected and adjudicated.
func TestRecordsAreAsPublished(t *testing.T) {
	s := schemas{}
	dir := t.TempDir()
	if _, err := sample.Write(t.Context(), dir, 1, review.Quiet); err != nil {
		t.Fatal(err)
	}
	study := New(t)
	if a, b := s.files(t, dir), s.files(t, study.Data); a < 50 || b < 4 {
		t.Errorf("%d and %d records", a, b)
	}
	boss := study.Coordinator()
	rubric := review.GRD()
	rubric.Version = "1-other"
	if _, err := boss.Desk.AddRubric(t.Context(), encode(t, rubric)); err != nil {
		t.Fatal(err)
	}
	rules := Rules("R1", "R2")
	rules.Repeats = &review.Repeats{Share: .5, MinDistance: 1}
	rules.Rubric = rubric.Called()
	s.check(t, "protocol", "protocol", encode(t, rules))
	boss.Set(rules)
	if _, err := boss.Desk.AcceptNotice(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := boss.Open("case-01").LookAll().Rate("s2", review.Partly).Sign()
	r.Correct("s2", review.Contradicted, "a slip")
	if _, err := boss.Desk.Seen(t.Context(), r.View.Assignment, "", review.Seen{DwellMS: 5}); err != nil {
		t.Fatal(err)
	}
	kinds := map[review.Kind]int{}
	if err := boss.Desk.EachReading(t.Context(), "", func(e review.Event, raw []byte) error {
		s.check(t, "event", string(e.Kind), raw)
		kinds[e.Kind]++
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, k := range []review.Kind{review.KindProtocol, review.KindRubric, review.KindLook, review.KindRating, review.KindChainRating, review.KindSign, review.KindSeen, review.KindConsent} {
		if kinds[k] == 0 {
			t.Errorf("no event of kind %s: %v", k, kinds)
		}
	}
	reading := review.ReadingFile{Schema: review.ReadingSchema, Assignment: "a", Steps: map[string]review.Rating{"x/s1": {Step: "s1", Support: review.Partly}}}
	b, err := json.Marshal(reading)
	if err != nil {
		t.Fatal(err)
	}
	s.check(t, "reading", "reading", b)
}
