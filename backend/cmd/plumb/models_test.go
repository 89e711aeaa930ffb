package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/fault"
)

// plumb runs the command line and gives its exit code and what it wrote.
func plumbed(t *testing.T, args ...string) (code int, out, diag string) {
	t.Helper()
	var o, d bytes.Buffer
	code = run(context.Background(), args, &o, &d)
	return code, o.String(), d.String()
}

func TestModelsAreListedAddedAndProbed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models" {
			io.WriteString(w, `{"data":[{"id":"another"}]}`)
			return
		}
		io.WriteString(w, `{"choices":[{"message":{"content":"word"},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()
	dir := t.TempDir()
	at := "--workspace=" + filepath.Join(dir, "w")
	file := filepath.Join(dir, "near.json")
	profile := `{"schema":"plumbline.profile/1","name":"near","base_url":"` + server.URL + `/v1","model":"m"}`
	if err := os.WriteFile(file, []byte(profile), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, diag := plumbed(t, at, "models", "add", file); code != 0 {
		t.Fatalf("add: %d %s", code, diag)
	}
	code, out, diag := plumbed(t, at, "--json", "models", "probe", "near")
	var line modelLine
	if err := json.Unmarshal([]byte(out), &line); code != 0 || err != nil {
		t.Fatalf("probe: %d %s %v", code, diag, err)
	}
	if a := line.Abilities; a == nil || a.ModelKnown || a.JSONSchema || a.Grammar || a.Logprobs || !a.Images || !a.Repeats || a.Notes["model"] == "" {
		t.Errorf("abilities %+v of a server that takes everything and heeds nothing", line.Abilities)
	}
	code, out, _ = plumbed(t, at, "--json", "models")
	var list struct{ Models []modelLine }
	if err := json.Unmarshal([]byte(out), &list); code != 0 || err != nil || len(list.Models) != 7 || list.Models[6].Name != "near" || list.Models[6].Abilities == nil {
		t.Errorf("list: %d %v %s", code, err, out)
	}
	server.Close()
	if code, _, _ := plumbed(t, at, "models", "probe", "nowhere"); code != fault.NotFound.Exit() {
		t.Errorf("a profile that is not there: %d", code)
	}
}

func TestModelsRefuse(t *testing.T) {
	dir := t.TempDir()
	at := "--workspace=" + filepath.Join(dir, "w")
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	far := write("far.json", `{"schema":"plumbline.profile/1","name":"far","base_url":"https://203.0.113.5/v1","model":"m","consent":{"host":"203.0.113.5","sends":["text","images"],"by":"x","at":""}}`)
	for name, c := range map[string]struct {
		args []string
		want fault.Kind
		says string
	}{
		"no profile":        {[]string{"models", "add", write("a.json", "{")}, fault.Invalid, "profile"},
		"a control's name":  {[]string{"models", "add", write("b.json", `{"schema":"plumbline.profile/1","name":"random","base_url":"http://h/v1","model":"m"}`)}, fault.Refused, "built-in"},
		"a file not there":  {[]string{"models", "add", filepath.Join(dir, "none")}, fault.NotFound, "none"},
		"nobody's consent":  {[]string{"models", "allow", "far", "--host", "203.0.113.5"}, fault.Usage, "--by"},
		"another host":      {[]string{"models", "allow", "far", "--host", "h", "--by", "Ann"}, fault.Refused, "203.0.113.5"},
		"without a consent": {[]string{"models", "probe", "far"}, fault.Refused, "public host"},
	} {
		if code, _, diag := plumbed(t, at, "models", "add", far); code != 0 {
			t.Fatalf("add: %d %s", code, diag)
		}
		if code, _, diag := plumbed(t, append([]string{at}, c.args...)...); code != c.want.Exit() || !strings.Contains(diag, c.says) {
			t.Errorf("%s: %d %s, want %d that says %q", name, code, diag, c.want.Exit(), c.says)
		}
	}
	if code, out, diag := plumbed(t, at, "models", "allow", "far", "--host", "203.0.113.5", "--by", "Ann"); code != 0 || !strings.Contains(out, "203.0.113.5") {
		t.Errorf("a consent: %d %s", code, diag)
	}
}
