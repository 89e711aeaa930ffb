package review

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestRestoreRefuses(t *testing.T) {
	for _, c := range []struct{ name, record, want string }{
		{"broken JSON", `{"id": "case-07", broken`, "not valid JSON at byte"},
		{"cut short", `{"id": "case-07"`, "not valid JSON"},
		{"two records in one line", `{"id":"a"} {"id":"b"}`, "not valid JSON at byte 12"},
		{"wrong type", `{"id":"a","questions":[{"k":"two"}]}`, "questions.k: a whole number expected, found string"},
		{"newer", `{"schema":"plumbline/case/99","id":"a"}`, "newer Plumbline"},
		{"another noun", `{"schema":"plumbline/chain/1","id":"a"}`, `"plumbline/case/1" expected`},
		{"no version", `{"schema":"plumbline/case/x"}`, `"plumbline/case/1" expected`},
		{"nothing", ``, "not valid JSON"},
		{"a list", `[]`, "an object expected, found array"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := RestoreCase([]byte(c.record))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want words with %q", err, c.want)
			}
		})
	}
}

func TestRestoreBoundsARecord(t *testing.T) {
	long := `{"id":"` + strings.Repeat("x", MaxRecord) + `"}`
	if _, err := RestoreCase([]byte(long)); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("got %v, want the limit in words", err)
	}
}

// A record without a schema counts as the first version; whatever is absent becomes an empty list, never null.
func TestRestoredListsAreNeverNull(t *testing.T) {
	for name, restored := range map[string]func() (any, error){
		"case":  func() (any, error) { return RestoreCase([]byte(`{"id":"a","questions":[{"id":"q"}]}`)) },
		"truth": func() (any, error) { return RestoreTruth([]byte(`{"case":"a","evidence":[{"id":"e"}]}`)) },
		"chain": func() (any, error) {
			return RestoreChain([]byte(`{"id":"c","answers":[{"question":"q","steps":[{"id":"s","regions":[{"id":"r"}]}]}]}`))
		},
		"event": func() (any, error) {
			return RestoreEvent([]byte(`{"id":"e","body":{"look":{"question":"q"},"rating":{"step":"s"},"chain_rating":{}}}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := restored()
			if err != nil {
				t.Fatal(err)
			}
			b, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			for _, list := range []string{"images", "frames_shown", "questions", "options", "parents", "evidence", "implies", "image_digests", "answers", "steps", "regions", "coords", "error", "missed", "needs_more"} {
				if strings.Contains(string(b), `"`+list+`":null`) {
					t.Errorf("%s is null in %s", list, b)
				}
			}
		})
	}
}

func TestChainDigest(t *testing.T) {
	c, err := RestoreChain([]byte(`{"id":"c","case":"a","answers":[{"question":"q","answer":"B","parse":"ok"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if c.Digest != ChainDigest(c) || !strings.HasPrefix(string(c.Digest), "sha256:") {
		t.Errorf("a missing digest is filled in: got %q, want %q", c.Digest, ChainDigest(c))
	}
	other := c
	b := "A"
	other.Answers = []Answer{{Question: "q", Answer: &b, Parse: ParseOK, Steps: []Step{}}}
	if ChainDigest(other) == c.Digest {
		t.Error("another answer has the same digest")
	}
}

// FuzzRestore holds every reader of outside records to: no panic, and what is read once is read the same again.
func FuzzRestore(f *testing.F) {
	for _, s := range []string{`{}`, `{"id":"a","questions":[{"id":"q","options":[{"letter":"A"}]}]}`, `{"schema":"plumbline/case/1","images":null}`, `{"context":{"vitals":{"a":"b"}}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		_, _ = RestoreTruth(b)
		_, _ = RestoreChain(b)
		_, _ = RestoreEvent(b)
		_, _ = RestoreDataset(b)
		_, _ = RestoreOrigin(b)
		_, _ = RestoreReadingFile(b)
		c, err := RestoreCase(b)
		if err != nil {
			return
		}
		written, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		again, err := RestoreCase(written)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, written)
		}
		if CaseDigest(again) != CaseDigest(c) {
			t.Errorf("digest changed by writing and reading\n%s", written)
		}
	})
}
