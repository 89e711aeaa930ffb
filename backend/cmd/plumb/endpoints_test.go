package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/experiment"
	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

// childEnv holds the arguments with which this test program runs as plumb itself, to be killed.
const childEnv = "PLUMB_TEST_ARGS"

func TestMain(m *testing.M) {
	if args := os.Getenv(childEnv); args != "" {
		os.Exit(run(context.Background(), strings.Split(args, "\n"), os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// smallWorkspace holds the small dataset and a profile of a server.
func smallWorkspace(t *testing.T, base, more string) string {
	t.Helper()
	dir := t.TempDir()
	workspace := filepath.Join(dir, "w")
	for _, name := range []string{"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(name, t.TempDir())
	}
	desktest.WriteDataset(t, filepath.Join(dir, "study"))
	plumb(t, 0, "--workspace", workspace, "--quiet", "import", filepath.Join(dir, "study"))
	profile := filepath.Join(dir, "near.json")
	text := fmt.Sprintf(`{"schema":"plumbline.profile/1","name":"near","base_url":%q,"model":"tiny"%s}`, base+"/v1", more)
	if err := os.WriteFile(profile, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	plumb(t, 0, "--workspace", workspace, "models", "add", profile)
	return workspace
}

// A run on the real server is killed in the middle and goes on: every request reaches the server once.
func TestRealRunKilledAndResumed(t *testing.T) {
	for _, kind := range []string{"idefics3", "qwen25vl"} {
		t.Run(kind, func(t *testing.T) {
			target, err := url.Parse(testfiles.Llama(t, kind))
			if err != nil {
				t.Fatal(err)
			}
			const fatal = 8 // the request at which the program dies; it does not reach the server
			var mu sync.Mutex
			answered, n := map[string]int{}, 0
			child := &exec.Cmd{}
			proxy := httputil.NewSingleHostReverseProxy(target)
			between := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					return
				}
				mu.Lock()
				n++
				dies := n == fatal
				if !dies {
					answered[string(body)]++
				}
				mu.Unlock()
				if dies {
					child.Process.Kill() // Wait tells whether it died
					return
				}
				r.Body = io.NopCloser(bytes.NewReader(body))
				proxy.ServeHTTP(w, r)
			}))
			defer between.Close()
			workspace := smallWorkspace(t, between.URL, `,"structured":"grammar","max_tokens":300,"concurrency":1`)
			args := []string{"--workspace", workspace, "--quiet", "run", "--model", "near", "--conditions", "original,suggest-wrong,suggest-right,leak"}
			*child = *exec.Command(os.Args[0])
			child.Env = append(os.Environ(), childEnv+"="+strings.Join(args, "\n"))
			if err := child.Run(); err == nil {
				t.Fatal("the program was not killed")
			}
			s := object[experiment.Status](t, plumb(t, 0, "--workspace", workspace, "--quiet", "--json", "run", "--resume"))
			if s.Kept != fatal-1 || len(s.Failed) > 0 || s.Answered != s.Kept+s.Requests || s.Chains != 12 || s.Answered != 24 {
				t.Errorf("%+v", s)
			}
			total := 0
			for body, times := range answered {
				total += times
				if times != 1 {
					t.Errorf("asked %d times: %.200s", times, body)
				}
			}
			if total != 24 {
				t.Errorf("the server answered %d requests, want 24", total)
			}
		})
	}
}

// A server that fails in each way: the run goes on where it can, says what failed by kind, ends with 4 or 10, and can be resumed.
func TestRunOnBadServers(t *testing.T) {
	const good = `{"choices":[{"message":{"content":"{\"steps\":[],\"answer\":\"A\"}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":900,"completion_tokens":5}}`
	say := func(status int, body string) func(int, http.ResponseWriter, *http.Request) {
		return func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	for name, c := range map[string]struct {
		serve      func(n int, w http.ResponseWriter, r *http.Request)
		conditions string
		exit       int
		kind       string
	}{
		"slow": {func(_ int, _ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // the server hears of the end only once it has read everything
			<-r.Context().Done()
		}, "original", 10, "transient"},
		"wrong":    {say(404, `{"error":{"message":"model 'tiny' not found","type":"not_found_error"}}`), "original", 10, "request"},
		"HTML":     {say(200, "<!doctype html><title>Sign in</title>"), "original", 10, "protocol"},
		"quota":    {say(429, `{"error":{"message":"no","code":"insufficient_quota"}}`), "original", 10, "quota"},
		"no key":   {say(401, `{"error":{"message":"Incorrect API key"}}`), "original", 10, "auth"},
		"too long": {say(400, `{"error":{"code":400,"message":"too long","type":"exceed_context_size_error"}}`), "original", 10, "context"},
		"cut":      {say(200, strings.Replace(good, "900", "2", 1)), "original", 10, "context"},
		"no images": {func(n int, w http.ResponseWriter, r *http.Request) {
			if b, _ := io.ReadAll(r.Body); bytes.Contains(b, []byte("image_url")) {
				say(500, `{"error":{"code":500,"message":"image input is not supported"}}`)(n, w, r)
				return
			}
			io.WriteString(w, good)
		}, "original,none", 4, "request"},
		"truncating": {func(n int, w http.ResponseWriter, r *http.Request) {
			if n%2 == 0 {
				w.Header().Set("Content-Length", "4000")
			}
			io.WriteString(w, good)
		}, "original,none", 4, "cut"},
		"down": {nil, "original", 10, "transient"},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			n, healthy := 0, false
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				n++
				at, well := n, healthy
				mu.Unlock()
				if well {
					io.WriteString(w, good)
					return
				}
				c.serve(at, w, r)
			}))
			defer server.Close()
			if c.serve == nil {
				server.Close()
			}
			workspace := smallWorkspace(t, server.URL, `,"retries":0,"whole":true,"timeouts":{"connect":2,"total":0.2}`)
			code, out, diag := plumbed(t, "--workspace", workspace, "--quiet", "--json", "run", "--model", "near", "--conditions", c.conditions)
			if code != c.exit {
				t.Fatalf("%d %s %s, want %d", code, out, diag, c.exit)
			}
			s := object[experiment.Status](t, out)
			if !strings.Contains(fmt.Sprint(s.Failed), c.kind) || (c.exit == 4) != (s.Answered > 0) {
				t.Errorf("failed %v, answered %d; want kind %s", s.Failed, s.Answered, c.kind)
			}
			if c.serve == nil {
				return
			}
			mu.Lock()
			healthy = true
			mu.Unlock()
			before := s.Answered
			s = object[experiment.Status](t, plumb(t, 0, "--workspace", workspace, "--quiet", "--json", "run", "--resume"))
			if s.Kept != before || len(s.Failed) > 0 || s.Units != s.Of {
				t.Errorf("resumed: %+v, %d were answered before", s, before)
			}
		})
	}
}

// Nothing that identifies anybody, and nothing that a model may not know, is in a prompt, in a picture's name or in a log.
func TestNothingIdentifyingLeaves(t *testing.T) {
	var mu sync.Mutex
	var sent bytes.Buffer
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		fmt.Fprintln(&sent, r.Method, r.URL, r.Header)
		io.Copy(&sent, r.Body)
		mu.Unlock()
		io.WriteString(w, `{"choices":[{"message":{"content":"{\"steps\":[{\"text\":\"Seen.\"}],\"answer\":\"A\"}"},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()
	workspace := smallWorkspace(t, server.URL, "")
	plumb(t, 0, "--workspace", workspace, "--quiet", "run", "--model", "near", "--conditions", "standard,pressure,drawn,wording,reasoning")
	secrets := []string{desktest.Canary, "case-0", `"p1"`, "images/", "xr", filepath.Base(workspace) + "/study", "original", "suggest"}
	for _, s := range secrets {
		if at := bytes.Index(sent.Bytes(), []byte(s)); at >= 0 {
			t.Errorf("%q was sent: %.300s", s, sent.Bytes()[max(0, at-100):])
		}
	}
	if sent.Len() < 100000 {
		t.Errorf("only %d bytes were sent", sent.Len())
	}
	batch := filepath.Join(t.TempDir(), "b")
	plumb(t, 0, "--workspace", workspace, "--quiet", "batch", "write", batch, "--model", "near", "--conditions", "original,occ", "--style", "vllm")
	noTrace(t, batch, secrets[:4])
	noTrace(t, os.Getenv("XDG_STATE_HOME"), []string{desktest.Canary, "Seen.", "Hint:", `"p1"`})
}

// noTrace looks for words in the names and the bytes of every file of a folder.
func noTrace(t *testing.T, dir string, words []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path) // path lies in dir
		for _, w := range words {
			if bytes.Contains(b, []byte(w)) && w != "images/" || strings.Contains(rel, w) && w != "images/" {
				t.Errorf("%q is in %s", w, rel)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Cases are listed by how unsure models are of them, and routed to the model that was right on others.
func TestUnsureAndRouted(t *testing.T) {
	workspace := smallWorkspace(t, "http://127.0.0.1:1", "")
	plumb(t, 0, "--workspace", workspace, "--quiet", "run", "--model", "random", "--conditions", "original,noop")
	lines := strings.Split(strings.TrimSpace(plumb(t, 0, "--workspace", workspace, "--json", "cases", "--unsure")), "\n")
	if first := object[desk.Uncertain](t, lines[0]); len(lines) != 3 || first.Disagreement == nil {
		t.Errorf("%q", lines)
	}
	v := object[desk.Route](t, plumb(t, 0, "--workspace", workspace, "--json", "models", "route", "case-01"))
	if v.Model == "" || v.Reason == "" || len(v.Neighbours) == 0 {
		t.Errorf("%+v", v)
	}
	plumb(t, 3, "--workspace", workspace, "models", "route", "case-99")
}

// Chains of two runs of the same model, and recorded ones, are told apart by the run in their origins.
func TestRunsAreToldApart(t *testing.T) {
	workspace := smallWorkspace(t, "http://127.0.0.1:1", "")
	runs := map[string]bool{}
	for range 2 {
		s := object[experiment.Status](t, plumb(t, 0, "--workspace", workspace, "--quiet", "--json", "run", "--model", "text-only", "--template", "guess"))
		runs[s.Run] = true
	}
	found := map[string]int{}
	for line := range strings.Lines(plumb(t, 0, "--workspace", workspace, "--json", "chains")) {
		c := object[struct{ Origin *review.Origin }](t, line)
		found[c.Origin.Run]++
	}
	if len(found) != 3 || found[""] != 6 {
		t.Errorf("chains by run %v", found)
	}
	for r := range runs {
		if found[r] == 0 {
			t.Errorf("no chains of %s", r)
		}
	}
}

// How sure a model is comes from the real server; the reasoning is said in its place, since the tiny model gives none. It ends at once where
// little sureness is asked for, and is kept whole where more is asked for than the model has.
func TestRealReasoningEndsWhereTheModelIsSure(t *testing.T) {
	target, err := url.Parse(testfiles.Llama(t, "idefics3"))
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	between := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if bytes.Contains(body, []byte("Answer with JSON only")) {
			io.WriteString(w, `{"choices":[{"message":{"content":"{\"steps\":[{\"text\":\"It is white.\"},{\"text\":\"So it is there.\"}],\"answer\":\"A\"}"},"finish_reason":"stop"}]}`)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	defer between.Close()
	workspace := smallWorkspace(t, between.URL, `,"structured":"grammar","logprobs":5,"whole":true,"max_tokens":300`)
	s := object[experiment.Status](t, plumb(t, 0, "--workspace", workspace, "--json", "--quiet", "run", "--model", "near", "--conditions", "original,confident:1,confident:100", "--cases", "case-01,case-02"))
	if len(s.Failed) > 0 || s.Chains != 6 || s.Requests != 4+4+8 { // one round where it is sure at once, one for each step where it never is
		t.Fatalf("%+v", s)
	}
	told := map[int]int{} // answers by their number of steps, of the chains of the run
	for _, c := range lines[review.Chain](t, plumb(t, 0, "--workspace", workspace, "--json", "chains")) {
		for _, a := range c.Answers {
			if !strings.HasPrefix(string(c.ID), "ch-") {
				continue
			}
			told[len(a.Steps)]++
			if sum := 0.; len(a.Steps) == 0 {
				for _, p := range a.Probs {
					sum += p
				}
				if sum < .99 || sum > 1.01 || a.Answer == nil || a.Entropy == nil {
					t.Errorf("%s %s: %+v", c.ID, a.Question, a)
				}
			}
		}
	}
	if told[0] != 4 || told[2] != 8 || len(told) != 2 {
		t.Errorf("answers by their number of steps: %v", told)
	}
}
