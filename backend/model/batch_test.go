package model

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/fault"
)

func batchProfile() Profile {
	return Profile{Schema: ProfileSchema, Name: "p", BaseURL: "http://127.0.0.1:1/v1", Model: "m", Structured: BySchema, Logprobs: 5}
}

// writeBatch writes n requests with a picture each and gives the folder.
func writeBatch(t *testing.T, n int, o BatchOptions) (string, Batch) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "batch")
	w, err := NewBatchWriter(dir, batchProfile(), o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		r := request()
		r.Seed, r.Images = int64(i), []Image{film(t, float64(i%2))}
		if err := w.Add(BatchItem{ID: fmt.Sprintf("r%d", i), Chain: fmt.Sprintf("c%d", i), Request: r}); err != nil {
			t.Fatal(err)
		}
	}
	b, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return dir, b
}

func TestBatchesKeepTheirLimits(t *testing.T) {
	for _, o := range []BatchOptions{{MostRequests: 3}, {MostBytes: 5000, Style: VLLMBatch}, {MostRequests: 4, Style: RayBatch}} {
		dir, b := writeBatch(t, 10, o)
		ids := []string{}
		for _, file := range b.Files {
			f, err := os.Open(filepath.Join(dir, file.Path))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			lines, size := 0, int64(0)
			for s := bufio.NewScanner(f); s.Scan(); lines++ {
				size += int64(len(s.Bytes())) + 1
				ids = append(ids, checkLine(t, dir, o.Style, s.Bytes()))
			}
			if lines == 0 || lines != file.Requests || size != file.Bytes || o.MostRequests > 0 && lines > o.MostRequests || o.MostBytes > 0 && size > o.MostBytes {
				t.Errorf("%+v: %s has %d lines and %d bytes, its manifest says %+v", o, file.Path, lines, size, file)
			}
		}
		if len(ids) != 10 || len(b.Files) < 3 {
			t.Errorf("%+v: %d requests in %d files, want 10 in 3 at least", o, len(ids), len(b.Files))
		}
		again, err := OpenBatch(dir)
		if err != nil || len(again.Requests) != 10 || again.Requests[3] != b.Requests[3] {
			t.Errorf("the manifest reads back as %+v, %v", again, err)
		}
	}
}

// checkLine looks at one line as a server does and gives its id.
func checkLine(t *testing.T, dir string, style BatchStyle, raw []byte) string {
	t.Helper()
	var line struct {
		ID     string `json:"custom_id"`
		Method string `json:"method"`
		URL    string `json:"url"`
		Body   struct {
			Model    string          `json:"model"`
			Max      int             `json:"max_tokens"`
			Stream   bool            `json:"stream"`
			Format   json.RawMessage `json:"response_format"`
			Messages []struct {
				Content []part `json:"content"`
			} `json:"messages"`
		} `json:"body"`
		Messages []struct {
			Content []part `json:"content"`
		} `json:"messages"`
		Sampling struct {
			Max      int             `json:"max_tokens"`
			Logprobs int             `json:"logprobs"`
			Guided   json.RawMessage `json:"guided_decoding"`
		} `json:"sampling_params"`
	}
	if err := json.Unmarshal(raw, &line); err != nil {
		t.Fatal(err)
	}
	messages := line.Body.Messages
	if style == RayBatch {
		messages = line.Messages
		if line.Sampling.Max != 1024 || line.Sampling.Logprobs != 5 || !bytes.Contains(line.Sampling.Guided, []byte(`"json":{`)) {
			t.Errorf("sampling_params of %.300s", raw)
		}
	} else if line.Method != "POST" || line.URL != "/v1/chat/completions" || line.Body.Model != "m" || line.Body.Max != 1024 || line.Body.Stream || len(line.Body.Format) == 0 {
		t.Errorf("the line %.200s…", raw)
	}
	if len(messages) != 1 || len(messages[0].Content) != 2 {
		t.Fatalf("no message with a picture and text in %.200s…", raw)
	}
	url := messages[0].Content[0].ImageURL.URL
	if style == "" {
		if !strings.HasPrefix(url, "data:image/png;base64,") {
			t.Errorf("the picture %.40s… does not stand in the line", url)
		}
		return line.ID
	}
	path, ok := strings.CutPrefix(url, "file://")
	if _, err := os.Stat(path); !ok || err != nil || !strings.HasPrefix(path, dir) {
		t.Errorf("the picture %s: %v", url, err)
	}
	return line.ID
}

func TestBatchRefuses(t *testing.T) {
	dir, _ := writeBatch(t, 1, BatchOptions{})
	if _, err := NewBatchWriter(dir, batchProfile(), BatchOptions{}); fault.KindOf(err) != fault.Refused {
		t.Errorf("a folder that is not empty: %v", err)
	}
	w, err := NewBatchWriter(t.TempDir(), batchProfile(), BatchOptions{MostBytes: 5000})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := w.Add(BatchItem{ID: "a", Chain: "c", Request: request()}); err != nil {
		t.Fatal(err)
	}
	long := request()
	long.Prompt = strings.Repeat("x", 6000)
	for name, i := range map[string]BatchItem{
		"an id twice":    {ID: "a", Chain: "d", Request: request()},
		"a chain twice":  {ID: "b", Chain: "c", Request: request()},
		"no id":          {Chain: "e", Request: request()},
		"a long id":      {ID: strings.Repeat("x", 65), Chain: "f", Request: request()},
		"a long line":    {ID: "g", Chain: "g", Request: long},
		"a broken image": {ID: "h", Chain: "h", Request: Request{Prompt: "?", Images: []Image{{MIME: pngType}}}},
	} {
		if err := w.Add(i); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v, want invalid", name, err)
		}
	}
	if b, err := w.Close(); err != nil || len(b.Requests) != 1 {
		t.Errorf("%+v %v, want the one good request", b, err)
	}
}

// results are those of ten requests: six answers, the shapes of failure, two lines missing, and lines that belong to nobody.
func results() []string {
	lines := []string{
		`{"id":"x","custom_id":"r6","response":null,"error":"Request timed out"}`,
		`{"id":"x","custom_id":"r7","response":{"status_code":429,"request_id":"y","body":null},"error":{"code":"insufficient_quota","message":"no more"}}`,
		`{"id":"x","custom_id":"stranger","response":{"status_code":200,"body":` + contentBody("?") + `},"error":null}`,
		`half a li`,
		`{"custom_id":"r0","response":null,"error":"an earlier try"}`,
		``,
	}
	for i := range 6 {
		lines = append(lines, fmt.Sprintf(`{"id":"x","custom_id":"r%d","response":{"status_code":200,"request_id":"y","body":%s},"error":null}`, i, contentBody(goodJSON)))
	}
	return lines
}

func TestBatchResultsInAnyOrder(t *testing.T) {
	_, b := writeBatch(t, 10, BatchOptions{})
	for round := range 20 {
		lines := results()
		rand.New(rand.NewPCG(1, uint64(round))).Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		cut := round % len(lines)
		var got []string
		out, err := b.Read(context.Background(), []io.Reader{strings.NewReader(strings.Join(lines[:cut], "\n")), strings.NewReader(strings.Join(lines[cut:], "\n"))}, func(r BatchResult) error {
			switch {
			case r.Failed == nil && r.Reply.Text == goodJSON && len(r.Reply.Raw) > 0:
				got = append(got, r.Request.ID)
			case r.Failed != nil:
				got = append(got, r.Request.ID+" "+string(r.Failed.Kind))
			default:
				t.Errorf("%+v", r)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(got)
		if want := []string{"r0", "r1", "r2", "r3", "r4", "r5", "r6 request", "r7 quota"}; !slices.Equal(got, want) {
			t.Errorf("round %d: %v, want %v", round, got, want)
		}
		if out.Answered != 6 || out.Failed != 2 || !slices.Equal(out.Missing, []string{"r8", "r9"}) || out.Unknown != 1 || len(out.Problems) != 1 {
			t.Errorf("round %d: %+v", round, out)
		}
	}
}

func TestReadResult(t *testing.T) {
	for _, c := range []struct {
		name, line, text string
		kind             FailureKind
	}{
		{"an answer with -Infinity", `{"custom_id":"a","response":{"status_code":200,"body":{"choices":[{"message":{"content":"B"},"logprobs":{"content":[{"token":"B","logprob":0,"top_logprobs":[{"token":"C","logprob":-Infinity}]}]}}]}},"error":null}`, "B", ""},
		{"Ray's row", `{"custom_id":"a","generated_text":"B","num_generated_tokens":1}`, "B", ""},
		{"an error as a body", `{"custom_id":"a","response":{"status_code":400,"body":{"error":{"message":"bad","type":"exceed_context_size_error"}}},"error":null}`, "", TooLong},
		{"neither", `{"custom_id":"a","response":null,"error":null}`, "", BadRequest},
		{"an error beside an answer", `{"custom_id":"a","response":{"status_code":200,"body":{"choices":[]}},"error":"x"}`, "", BadRequest},
	} {
		r, err := readResult([]byte(c.line))
		if err != nil || r.id != "a" || r.reply.Text != c.text || (r.failed == nil) != (c.kind == "") || r.failed != nil && (r.failed.Kind != c.kind || r.failed.Message == "") {
			t.Errorf("%s: %+v %v %v, want %q %q", c.name, r.reply, r.failed, err, c.text, c.kind)
		}
	}
}

func TestBatchReadStops(t *testing.T) {
	_, b := writeBatch(t, 1, BatchOptions{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.Read(ctx, []io.Reader{strings.NewReader("{}\n")}, func(BatchResult) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want cancelled", err)
	}
}

func FuzzReadResult(f *testing.F) {
	for _, l := range results() {
		f.Add([]byte(l))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if r, err := readResult(line); err == nil && (r.id == "" || r.failed != nil && r.failed.Kind == "") {
			t.Errorf("%+v of %q", r, line)
		}
	})
}
