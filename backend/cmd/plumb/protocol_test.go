package main

import (
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

// A coordinator sets rules, assigns and follows; two readers read by their assignments, one of them a case twice.
func TestProtocolByCommand(t *testing.T) {
	t.Setenv("PLUMBLINE_HOME", t.TempDir())
	study := desktest.Many(t, 4)
	boss := study.Coordinator()
	if err := boss.Desk.Close(); err != nil {
		t.Fatal(err)
	}
	ws := "--workspace=" + study.Folder("coordinator")
	if shown := lines[review.Protocol](t, compact(t, plumb(t, 0, "protocol", "show", ws))); shown[0].Design != review.Crossed {
		t.Errorf("by default: %+v", shown)
	}
	file := filepath.Join(t.TempDir(), "protocol.json")
	rules := desktest.Rules("R1", "R2")
	rules.Repeats = &review.Repeats{Share: .25, MinDistance: 2}
	save := func(p review.Protocol) {
		b, err := json.MarshalIndent(p, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rules.ReadsPerCase = 3
	save(rules)
	if out := plumb(t, fault.Invalid.Exit(), "protocol", "check", file, ws); !strings.Contains(out, "protocol.json:19 reads_per_case: ") {
		t.Errorf("problems for people: %s", out)
	}
	checked := lines[struct{ Problems []review.Problem }](t, compact(t, plumb(t, fault.Invalid.Exit(), "protocol", "check", "--json", file, ws)))[0]
	if len(checked.Problems) != 1 || checked.Problems[0].Line != 19 || checked.Problems[0].File != file {
		t.Errorf("%+v", checked.Problems)
	}
	plumb(t, fault.Invalid.Exit(), "protocol", "set", file, ws)
	plumb(t, fault.NotFound.Exit(), "protocol", "set", file+".none", ws)
	plumb(t, fault.Refused.Exit(), "assign", ws)
	rules.ReadsPerCase = 0
	save(rules)
	plumb(t, 0, "protocol", "check", file, ws)
	if out := plumb(t, 0, "protocol", "set", file, ws); !strings.Contains(out, "2 readers, crossed") {
		t.Errorf("set: %s", out)
	}
	plumb(t, fault.Refused.Exit(), "rate", "--reader", "R7", "--file", readingFile(t, wholeReading()), ws)
	s := lines[desk.Standing](t, compact(t, plumb(t, 0, "assign", "--json", ws)))[0]
	if s.Added != 10 || s.Readers[1].Assigned != 5 {
		t.Errorf("%+v", s)
	}
	twice := map[review.CaseID]int{}
	for _, c := range lines[desk.ListedCase](t, plumb(t, 0, "cases", "--json", ws)) {
		twice[c.ID]++
		f := review.ReadingFile{Schema: review.ReadingSchema, Look: []review.Look{{Question: "q1", Answer: "A", Confidence: 1}}}
		saved := lines[review.Event](t, plumb(t, 0, "rate", "--json", "--assignment", c.Assignment, "--file", readingFile(t, f), ws))
		if len(saved) != 1 || string(saved[0].Assignment) != c.Assignment || saved[0].Case != c.ID || saved[0].Supersedes != "" {
			t.Errorf("%s: %+v", c.Assignment, saved)
		}
	}
	if len(twice) != 4 {
		t.Errorf("cases: %v", twice)
	}
	s = lines[desk.Standing](t, compact(t, plumb(t, 0, "progress", "--json", ws)))[0]
	if r := s.Readers[0]; r.Started != 5 || r.Answers != 5 || r.Done != 0 || s.Readers[1].Started != 0 {
		t.Errorf("%+v", s)
	}
	if out := plumb(t, 0, "progress", ws); !strings.Contains(out, "R1\treader\t0 of 5 done\t5 started") {
		t.Errorf("for people: %s", out)
	}
	if out := plumb(t, 0, "verify", ws); !strings.Contains(out, "every hash chain holds") {
		t.Errorf("verify: %s", out)
	}
}
