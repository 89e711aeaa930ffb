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

// object parses one JSON document.
func object[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return v
}

// The whole way of a package by the command line, on two machines: work out, words back, a reading said twice, and what verify says of each.
func TestBundleThereAndBack(t *testing.T) {
	home, away := t.TempDir(), t.TempDir()
	t.Setenv("PLUMBLINE_HOME", home)
	t.Setenv("PLUMBLINE_PASSPHRASE", "")
	study := desktest.New(t)
	boss := study.Coordinator().Set(desktest.Rules("R1", "R2"))
	boss.Assign()
	if err := boss.Desk.Close(); err != nil {
		t.Fatal(err)
	}
	ws, theirs := "--workspace="+study.Folder("coordinator"), "--workspace="+filepath.Join(away, "work")
	secret, wrong := filepath.Join(home, "secret"), filepath.Join(home, "wrong")
	for path, text := range map[string]string{secret: "told by telephone\n", wrong: "told by telegraph\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	work, words := filepath.Join(home, "r2.plumb"), filepath.Join(away, "back.plumb")
	plumb(t, fault.Usage.Exit(), "bundle", "make", "--reader", "R2", ws)
	plumb(t, fault.Usage.Exit(), "bundle", "make", "--out", work, ws)
	plumb(t, fault.Invalid.Exit(), "bundle", "make", "--reader", "R2", "--out", work, ws) // no lock
	made := object[desk.Packed](t, plumb(t, 0, "bundle", "make", "--reader", "R2", "--out", work, "--passphrase-file", secret, "--json", "--quiet", ws))
	if made.Reads != 3 || made.Images != 3 {
		t.Errorf("%+v", made)
	}
	plumb(t, fault.Refused.Exit(), "verify", work, "--passphrase-file", wrong)
	plumb(t, fault.Refused.Exit(), "verify", work)
	if out := plumb(t, 0, "verify", work, "--passphrase-file", secret); !strings.Contains(out, "a package of work from coordinator to R2") || !strings.Contains(out, "every hash chain holds") {
		t.Errorf("verify: %s", out)
	}

	t.Setenv("PLUMBLINE_HOME", away)
	plumb(t, fault.Refused.Exit(), "bundle", "open", work, "--passphrase-file", wrong, "--quiet", theirs)
	if out := plumb(t, 0, "bundle", "open", work, "--passphrase-file", secret, "--quiet", theirs); !strings.Contains(out, "3 cases are new") || !strings.Contains(out, made.Fingerprint) {
		t.Errorf("open: %s", out)
	}
	plumb(t, fault.NotFound.Exit(), "bundle", "make", "--out", words, theirs) // nothing said yet
	row := lines[desk.ListedCase](t, plumb(t, 0, "cases", "--json", theirs))[0]
	reading := review.ReadingFile{Schema: review.ReadingSchema, Assignment: review.AssignmentID(row.Assignment)}
	for _, q := range row.Questions {
		reading.Look = append(reading.Look, review.Look{Question: q.ID, Answer: "A", Confidence: 2})
	}
	plumb(t, 0, "rate", "--file", readingFile(t, reading), theirs)
	plumb(t, fault.Refused.Exit(), "bundle", "merge", work, theirs)
	back := object[desk.Packed](t, plumb(t, 0, "bundle", "make", "--out", words, "--json", theirs))
	if back.Events != 2 {
		t.Errorf("%+v", back)
	}

	t.Setenv("PLUMBLINE_HOME", home)
	first := object[merged](t, plumb(t, 0, "bundle", "merge", words, "--json", ws))
	again := object[merged](t, plumb(t, 0, "bundle", "merge", words, words, "--json", ws))
	if first.EventsNew != 2 || first.EventsKnown != 0 || again.EventsNew != 0 || again.EventsKnown != 4 || first.Conflicts == nil || len(again.Packages) != 2 {
		t.Errorf("%+v, then %+v", first, again)
	}
	listed := plumb(t, 0, "readings", "--reader", "R2", "--json", ws)
	stored := plumb(t, 0, "readings", "--reader", "R2", "--stored", ws)
	if !strings.Contains(listed, `"case":"case-0`) || strings.Contains(stored, `"case":"case-0`) || !strings.Contains(stored, string(row.ID)) {
		t.Errorf("listed:\n%s\nstored:\n%s", listed, stored)
	}
	if out := plumb(t, 0, "verify", words, "--json"); object[desk.Inspected](t, out).Events != 2 {
		t.Errorf("verify: %s", out)
	}
	if v := object[map[string]any](t, plumb(t, 0, "verify", "--json", ws)); v["first_break"] != nil {
		t.Errorf("%v", v)
	}
	if out := plumb(t, 0, "bundle", "conflicts", ws); !strings.Contains(out, "0 conflicts") {
		t.Errorf("conflicts: %s", out)
	}
	broken := filepath.Join(home, "broken.plumb")
	b, err := os.ReadFile(words)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(broken, b[:len(b)-100], 0o600); err != nil {
		t.Fatal(err)
	}
	plumb(t, fault.Damaged.Exit(), "bundle", "merge", broken, ws)
	plumb(t, fault.Damaged.Exit(), "verify", broken)
	plumb(t, fault.Invalid.Exit(), "verify", secret)
	key := object[desk.MachineKeys](t, plumb(t, 0, "bundle", "key", "--json"))
	if key.Fingerprint != made.Fingerprint || !strings.HasPrefix(key.Recipient, "age1") {
		t.Errorf("%+v", key)
	}
	if out := plumb(t, 0, "bundle", "make", "--reader", "R2", "--out", work, "--recipient", key.Recipient, "--quiet", ws); !strings.Contains(out, "3 reads for reader R2") {
		t.Errorf("make: %s", out)
	}
}
