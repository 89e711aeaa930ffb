package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/model"
	"plumbline/backend/review"
	"plumbline/backend/sample"
)

// batchWorkspace is a workspace with the sample study and the profile of a server that nobody asks.
func batchWorkspace(t *testing.T) (workspace string) {
	t.Helper()
	dir := t.TempDir()
	workspace = filepath.Join(dir, "w")
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	if _, err := sample.Write(t.Context(), filepath.Join(dir, "study"), sample.DefaultSeed, review.Quiet); err != nil {
		t.Fatal(err)
	}
	plumb(t, 0, "--workspace", workspace, "--quiet", "import", filepath.Join(dir, "study"))
	profile := filepath.Join(dir, "far.json")
	if err := os.WriteFile(profile, []byte(`{"schema":"plumbline.profile/1","name":"far","base_url":"http://127.0.0.1:1/v1","model":"m","image":{"long_side":64}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	plumb(t, 0, "--workspace", workspace, "models", "add", profile)
	return workspace
}

// asked is one line of a batch, of any style.
type askedLine struct {
	ID   string `json:"custom_id"`
	URL  string `json:"url"`
	Body struct {
		Model     string
		MaxTokens int `json:"max_tokens"`
		Messages  []struct{ Content json.RawMessage }
	}
	Messages []struct{ Content json.RawMessage }
}

// linesOf reads the request files of a batch and checks them against the limits.
func linesOf(t *testing.T, dir string, b desk.BatchWritten) (all []askedLine) {
	t.Helper()
	seen := map[string]bool{}
	for _, file := range b.Files {
		raw, err := os.ReadFile(filepath.Join(dir, file.Path))
		if err != nil {
			t.Fatal(err)
		}
		if int64(len(raw)) != file.Bytes || file.Bytes > model.MostBatchBytes || file.Requests > model.MostBatchRequests || review.DigestOf(raw) != file.SHA256 {
			t.Errorf("%+v is not what lies there, or over the limits", file)
		}
		for line := range bytes.Lines(raw) {
			var l askedLine
			if err := json.Unmarshal(line, &l); err != nil {
				t.Fatal(err)
			}
			if l.ID == "" || len(l.ID) > 64 || seen[l.ID] {
				t.Errorf("custom_id %q", l.ID)
			}
			seen[l.ID] = true
			all = append(all, l)
		}
	}
	return all
}

// results answers the lines of a batch: shuffled, every n-th failing in one shape, every n+1-th in the other, every n+2-th missing.
func results(t *testing.T, path string, lines []askedLine, n int) (failed, missing int) {
	t.Helper()
	var out []string
	for i, l := range lines {
		switch {
		case n > 0 && i%n == 1:
			failed++
			out = append(out, fmt.Sprintf(`{"id":"x","custom_id":%q,"response":null,"error":"the engine died"}`, l.ID))
		case n > 0 && i%n == 2:
			failed++
			out = append(out, fmt.Sprintf(`{"id":"x","custom_id":%q,"response":{"status_code":400,"request_id":"r","body":null},"error":{"code":"bad","message":"no"}}`, l.ID))
		case n > 0 && i%n == 3:
			missing++
		default:
			out = append(out, fmt.Sprintf(`{"id":"x","custom_id":%q,"response":{"status_code":200,"request_id":"r","body":{"choices":[{"index":0,"message":{"role":"assistant","content":"{\"steps\":[{\"text\":\"Seen.\",\"type\":\"finding\",\"places\":[]}],\"answer\":\"A\"}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":500,"completion_tokens":9}}},"error":null}`, l.ID))
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	if err := os.WriteFile(path, []byte(strings.Join(out, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return failed, missing
}

// The sample study goes out as batches, one question of each chain at a time, and comes back shuffled, in part and with both shapes of error;
// what is missing is written again, nothing is asked twice, and in the end every chain is whole.
func TestSampleStudyInBatches(t *testing.T) {
	workspace := batchWorkspace(t)
	at := func(args ...string) []string {
		return append([]string{"--workspace", workspace, "--quiet", "--json"}, args...)
	}
	dir := filepath.Join(t.TempDir(), "b1")
	b := object[desk.BatchWritten](t, plumb(t, 0, at("batch", "write", dir, "--model", "far", "--conditions", "original", "--style", "vllm", "--most-requests", "10")...))
	if b.Requests != 24 || b.Stage != 1 || len(b.Files) != 3 || len(linesOf(t, dir, b)) != 24 {
		t.Fatalf("%+v", b)
	}
	dir = filepath.Join(filepath.Dir(dir), "b0")
	b = object[desk.BatchWritten](t, plumb(t, 0, at("batch", "write", dir, "--model", "far", "--conditions", "original", "--style", "vllm", "--cases", "case-01,case-02,case-03,case-04", "--seed", "2")...))
	asked := map[string]int{}
	for round := 1; ; round++ {
		lines := linesOf(t, dir, b)
		checkPictures(t, lines, dir)
		for _, l := range lines {
			asked[l.ID]++
		}
		broken := 0
		if round == 1 {
			broken = 5
		}
		failed, missing := results(t, filepath.Join(dir, "results.jsonl"), lines, broken)
		exit := 0
		if failed+missing > 0 {
			exit = 4
		}
		taken := object[desk.BatchTaken](t, plumb(t, exit, at("batch", "read", dir)...))
		if taken.Answered != len(lines)-failed-missing || taken.Failed != failed || len(taken.Missing) != missing {
			t.Fatalf("round %d: %+v; want %d failed, %d missing", round, taken.BatchRead, failed, missing)
		}
		dir = filepath.Join(filepath.Dir(dir), fmt.Sprint("b", round+1))
		code, out, diag := plumbed(t, at("batch", "write", dir, "--resume", "--run", b.Run, "--style", "vllm")...)
		if code == 3 {
			break
		}
		if code != 0 || round > 12 {
			t.Fatalf("round %d: %d %s", round, code, diag)
		}
		b = object[desk.BatchWritten](t, out)
	}
	again := 0
	for _, n := range asked {
		again += n - 1
	}
	if again != 3 { // what failed or was missing in the first round
		t.Errorf("%d requests were written again, want those without an answer", again)
	}
	listed := plumb(t, 0, at("chains")...)
	whole := 0
	for s := bufio.NewScanner(strings.NewReader(listed)); s.Scan(); {
		var c desk.ListedChain
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if c.Origin != nil && c.Origin.Model.Profile == "far" {
			whole++
		}
	}
	if whole != 4 {
		t.Errorf("%d chains came of it, want 4", whole)
	}
}

// checkPictures sees that pictures are files beside the batch under names that tell nothing.
func checkPictures(t *testing.T, lines []askedLine, dir string) {
	t.Helper()
	for _, l := range lines {
		if l.URL != "/v1/chat/completions" || l.Body.Model != "m" || l.Body.MaxTokens == 0 || len(l.Body.Messages) != 1 {
			t.Fatalf("line %+v", l)
		}
		var parts []struct {
			Type     string
			ImageURL struct{ URL string } `json:"image_url"`
		}
		if err := json.Unmarshal(l.Body.Messages[0].Content, &parts); err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			if p.Type != "image_url" {
				continue
			}
			path := strings.TrimPrefix(p.ImageURL.URL, "file://")
			if _, err := os.Stat(path); err != nil || !strings.HasPrefix(path, dir) || strings.Contains(strings.TrimPrefix(path, dir), "case") {
				t.Fatalf("picture %s: %v", p.ImageURL.URL, err)
			}
		}
	}
}

// The other styles: pictures in the lines within the limit of a file, and rows of Ray Data.
func TestBatchStyles(t *testing.T) {
	workspace := batchWorkspace(t)
	at := func(args ...string) []string {
		return append([]string{"--workspace", workspace, "--quiet", "--json"}, args...)
	}
	dir := filepath.Join(t.TempDir(), "openai")
	b := object[desk.BatchWritten](t, plumb(t, 0, at("batch", "write", dir, "--model", "far", "--conditions", "occ,none", "--cases", "case-01,case-02", "--most-requests", "2")...))
	if lines := linesOf(t, dir, b); len(lines) != 4 || len(b.Files) < 2 || !bytes.Contains(lines[0].Body.Messages[0].Content, []byte("data:image/png;base64,")) {
		t.Errorf("%d lines in %d files", len(lines), len(b.Files))
	}
	ray := filepath.Join(t.TempDir(), "ray")
	b = object[desk.BatchWritten](t, plumb(t, 0, at("batch", "write", ray, "--model", "far", "--conditions", "none", "--cases", "case-01", "--style", "ray")...))
	lines := linesOf(t, ray, b)
	if len(lines) != 1 || len(lines[0].Messages) != 1 {
		t.Fatalf("%+v", lines)
	}
	row := fmt.Sprintf(`{"custom_id":%q,"generated_text":"{\"steps\":[],\"answer\":\"B\"}","num_input_tokens":400,"num_generated_tokens":8}`, lines[0].ID)
	if err := os.WriteFile(filepath.Join(ray, "results-1.jsonl"), []byte(row+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	taken := object[desk.BatchTaken](t, plumb(t, 0, at("batch", "read", ray)...))
	if taken.Answered != 1 || taken.Unparsed != 0 || taken.Waiting != 1 {
		t.Errorf("%+v", taken)
	}
}

func TestBatchRefuses(t *testing.T) {
	workspace := batchWorkspace(t)
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		exit int
		args []string
	}{
		"no model":             {2, []string{"batch", "write", t.TempDir()}},
		"a control":            {2, []string{"batch", "write", t.TempDir(), "--model", "random", "--conditions", "original"}},
		"a folder in use":      {9, []string{"batch", "write", full, "--model", "far", "--conditions", "original"}},
		"no such style":        {2, []string{"batch", "write", t.TempDir(), "--model", "far", "--conditions", "none", "--style", "tape"}},
		"no batch":             {3, []string{"batch", "read", t.TempDir(), "x"}},
		"no results":           {3, []string{"batch", "read", t.TempDir()}},
		"resume and condition": {2, []string{"batch", "write", t.TempDir(), "--resume", "--conditions", "original"}},
	} {
		if code, _, diag := plumbed(t, append([]string{"--workspace", workspace, "--quiet"}, c.args...)...); code != c.exit {
			t.Errorf("%s: %d %s, want %d", name, code, diag, c.exit)
		}
	}
}
