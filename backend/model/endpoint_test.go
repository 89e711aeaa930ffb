package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// answerBody is a completion as servers send it; message holds the fields of the message as JSON.
func answerBody(message, finish string) string {
	return fmt.Sprintf(`{"model":"m","choices":[{"index":0,"message":{"role":"assistant",%s},"finish_reason":%q}],"usage":{"prompt_tokens":2000,"completion_tokens":5}}`, message, finish)
}

func contentBody(text string) string { return answerBody(`"content":`+quote(text), "stop") }

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

const goodJSON = `{"steps":[{"text":"Fluid at the left base [100, 200, 300, 400].","type":"finding","places":[]}],"answer":"B"}`

func sideQuestion() review.Question {
	q := review.Question{ID: "q", Options: []review.Option{}}
	for _, o := range sideOptions {
		q.Options = append(q.Options, review.Option{Letter: o.Letter, Text: o.Text})
	}
	return q
}

// server answers the n-th request (from 0) with what answer writes, and gives an endpoint to it that waits for nothing.
func server(t *testing.T, set func(*Profile), answer func(n int, w http.ResponseWriter, r *http.Request)) (*Endpoint, *atomic.Int32, *[]time.Duration) {
	t.Helper()
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer(int(asked.Add(1))-1, w, r)
	}))
	t.Cleanup(s.Close)
	p := Profile{Schema: ProfileSchema, Name: "test", BaseURL: s.URL + "/v1", Model: "m", Boxes: review.BoxConvention{Space: review.SpaceThousand}}
	if set != nil {
		set(&p)
	}
	e, err := NewEndpoint(p, "secret-key-1234")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	var waited []time.Duration
	e.wait = func(ctx context.Context, d time.Duration) error {
		waited = append(waited, d)
		return ctx.Err()
	}
	return e, &asked, &waited
}

func request() Request {
	return Request{Prompt: filmPrompt().Text(), Letters: []string{"A", "B", "C", "D"}, Seed: 3}
}

// reply is one thing that a server does.
type served struct {
	status int
	header map[string]string
	body   string
}

func (s served) write(w http.ResponseWriter) {
	for k, v := range s.header {
		w.Header().Set(k, v)
	}
	w.WriteHeader(or(s.status, http.StatusOK))
	io.WriteString(w, s.body)
}

var sse = map[string]string{"Content-Type": "text/event-stream"}

func piece(text, finish string) string {
	f := "null"
	if finish != "" {
		f = quote(finish)
	}
	return `data: {"choices":[{"delta":{"content":` + quote(text) + `},"finish_reason":` + f + "}]}\n\n"
}

// TestServerResponses goes through "Server response → right behaviour" of the design, by its numbers.
func TestServerResponses(t *testing.T) {
	good := served{body: contentBody(goodJSON)}
	large := func(p *Profile) {
		p.Extra = ExtraOptions{"padding": json.RawMessage(quote(strings.Repeat("x", 2<<20)))}
	}
	for _, c := range []struct {
		name   string
		set    func(*Profile)
		served []served // the last one again and again
		kind   FailureKind
		parse  review.Parse
		answer string
		flags  []string
		asked  int
		says   string
	}{
		{name: "1 off the grammar", served: []served{{status: 500, body: `{"error":{"code":500,"message":"The model produced output that does not match the expected peg-native format","type":"server_error"}}`}}, kind: ModelFailed, asked: 1, says: "does not match"},
		{name: "1 off the grammar, in a stream", served: []served{{header: sse, body: piece("{", "") + `data: {"error":{"code":500,"message":"output does not match the expected peg-native format"}}` + "\n\n"}}, kind: ModelFailed, asked: 1},
		{name: "2 half a JSON", served: []served{{body: answerBody(`"content":"{\"steps\":[{\"text\":\"Flu"`, "length")}}, parse: review.Unparsed, flags: []string{FlagTruncated}, asked: 1},
		{name: "3 blanks to the limit", served: []served{{body: answerBody(`"content":"\n\n   \n"`, "length")}}, parse: review.Empty, flags: []string{FlagTruncated}, asked: 1},
		{name: "4 the JSON in the reasoning", served: []served{{body: answerBody(`"content":null,"reasoning":`+quote(goodJSON), "stop")}}, parse: review.ParseOK, answer: "B", flags: []string{FlagInReasoning}, asked: 1},
		{name: "5 all in the reasoning", served: []served{{body: answerBody(`"content":"","reasoning_content":"First I look at"`, "length")}}, parse: review.Empty, flags: []string{FlagTruncated, FlagBudgetSpent}, asked: 1},
		{name: "6 thinking in the text", served: []served{{body: contentBody("<think>Not {\"answer\":\"A\"}. </think> so</think>" + goodJSON)}}, parse: review.ParseOK, answer: "B", flags: []string{FlagThink}, asked: 1},
		{name: "7 the schema not enforced", set: func(p *Profile) { p.Structured = BySchema }, served: []served{{body: contentBody("Here it is:\n```json\n" + goodJSON + "\n```")}}, parse: review.ParseOK, answer: "B", flags: []string{FlagFenced}, asked: 1},
		{name: "7 no option", set: func(p *Profile) { p.Structured = BySchema }, served: []served{{body: contentBody(`{"steps":[],"answer":"Q"}`)}}, parse: review.Unparsed, asked: 1},
		{name: "8 cut without a word", served: []served{{body: strings.Replace(contentBody(goodJSON), "2000", "4", 1)}}, kind: TooLong, asked: 1, says: "4 tokens"},
		{name: "9 the runner crashes", served: []served{{status: 500, body: `{"error":"model runner has unexpectedly stopped, this may be due to resource limitations"}`}}, kind: Transient, asked: 2},
		{name: "10 an error as a string", served: []served{{status: 400, body: `{"error":"illegal base64 data at input byte 4"}`}}, kind: BadRequest, asked: 1, says: "illegal base64 data at input byte 4"},
		{name: "11 too large", served: []served{{status: 413, body: "<html><h1>413 Request Entity Too Large</h1></html>"}}, kind: BadRequest, asked: 1, says: "request body too large"},
		{name: "11 not found for a large body", set: large, served: []served{{status: 404, body: "<html>Not Found</html>"}}, kind: BadRequest, asked: 1, says: "request body too large"},
		{name: "12 no quota", served: []served{{status: 429, body: `{"error":{"message":"Please slow down","type":"x","code":"insufficient_quota"}}`}}, kind: OutOfQuota, asked: 1},
		{name: "12 slow down, whatever the words", served: []served{{status: 429, body: `{"error":{"message":"You exceeded your current quota per minute","code":"rate_limit_exceeded"}}`}, good}, parse: review.ParseOK, answer: "B", asked: 2},
		{name: "13 much later", served: []served{{status: 503, header: map[string]string{"Retry-After": "3600"}}}, kind: Transient, asked: 1},
		{name: "14 loading", served: []served{{status: 503, body: `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`}, good}, parse: review.ParseOK, answer: "B", asked: 2},
		{name: "15 comments and empty data", served: []served{{header: sse, body: ": ping\n\ndata:\n\n" + piece(goodJSON, "stop") + ": ping\n\ndata: [DONE]\n\n"}}, parse: review.ParseOK, answer: "B", asked: 1},
		{name: "16 a stream cut short", served: []served{{header: sse, body: piece(`{"answer":"A"`, "")}, {header: sse, body: piece(goodJSON, "stop")}}, parse: review.ParseOK, answer: "B", asked: 2},
		{name: "16 only the end mark", served: []served{{header: sse, body: piece(goodJSON, "") + "data: [DONE]\n\n"}}, parse: review.ParseOK, answer: "B", asked: 1},
		{name: "17 a lost character", served: []served{{body: contentBody(`{"steps":[],"answer":"B","note":"` + "\uFFFD" + `"}`)}}, parse: review.ParseOK, answer: "B", flags: []string{FlagBroken}, asked: 1},
		{name: "19 the other name of the limit", served: []served{{status: 400, body: `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","code":"unsupported_parameter","param":"max_tokens"}}`}, good}, parse: review.ParseOK, answer: "B", asked: 2},
		{name: "20 no images", served: []served{{status: 500, body: `{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"}}`}}, kind: BadRequest, asked: 1, says: "image input"},
		{name: "21 a tool call", served: []served{{body: answerBody(`"content":"","tool_calls":[{"function":{"name":"answer","arguments":`+quote(goodJSON)+`}}]`, "tool_calls")}}, parse: review.ParseOK, answer: "B", flags: []string{FlagToolCall}, asked: 1},
		{name: "a prompt too long", served: []served{{status: 400, body: `{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size","type":"exceed_context_size_error"}}`}}, kind: TooLong, asked: 1},
		{name: "an error in a success", served: []served{{body: `{"error":{"message":"boom","code":400}}`}}, kind: BadRequest, asked: 1, says: "boom"},
		{name: "an empty answer", served: []served{{}}, kind: NotUnderstood, asked: 1, says: "empty"},
		{name: "asked for in one piece", set: func(p *Profile) { p.Whole = true }, served: []served{good}, parse: review.ParseOK, answer: "B", asked: 1},
		{name: "a web page", served: []served{{body: "<!doctype html><title>Sign in</title>"}}, kind: NotUnderstood, asked: 1, says: "web page"},
		{name: "a wrong key", served: []served{{status: 401, body: `{"error":{"message":"Incorrect API key provided: secret-key-1234"}}`}}, kind: Unauthorised, asked: 1, says: "[key]"},
		{name: "no choices", served: []served{{body: `{"choices":[]}`}}, kind: NotUnderstood, asked: 1},
		{name: "a refusal apart", served: []served{{body: answerBody(`"content":null,"refusal":"I cannot help."`, "stop")}}, parse: review.Declined, asked: 1},
		{name: "filtered", served: []served{{body: answerBody(`"content":""`, "content_filter")}}, parse: review.Declined, asked: 1},
		{name: "down for good", served: []served{{status: 502}}, kind: Transient, asked: 5},
		{name: "a body without an end", set: func(p *Profile) { p.MaxReplyMB = 1 }, served: []served{{body: strings.Repeat(" ", 2<<20)}}, kind: NotUnderstood, asked: 1, says: "longer than the profile allows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, asked, _ := server(t, c.set, func(n int, w http.ResponseWriter, _ *http.Request) { c.served[min(n, len(c.served)-1)].write(w) })
			reply, err := e.Ask(context.Background(), request())
			if int(asked.Load()) != c.asked {
				t.Errorf("asked %d times, want %d", asked.Load(), c.asked)
			}
			var f *Failure
			if errors.As(err, &f) != (c.kind != "") || f != nil && f.Kind != c.kind {
				t.Fatalf("failure %v, want kind %q", err, c.kind)
			}
			if f != nil {
				if fault.KindOf(err) != fault.Endpoint || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error()+string(f.Raw), "secret-key") {
					t.Errorf("fault %v (%s), want an endpoint's that says %q and no key", err, fault.KindOf(err), c.says)
				}
				return
			}
			if len(reply.Raw) == 0 || reply.Attempts != c.asked {
				t.Errorf("raw of %d bytes after %d attempts", len(reply.Raw), reply.Attempts)
			}
			a, flags := Expect{Question: sideQuestion(), Number: 1, Sent: []Sent{{Image: "i", Whole: true, Columns: 64, Rows: 64}}, Boxes: e.profile.Boxes}.Interpret(reply)
			if a.Parse != c.parse || (a.Answer == nil) != (c.answer == "") || a.Answer != nil && *a.Answer != c.answer {
				t.Errorf("%s %v, want %s %q", a.Parse, a.Answer, c.parse, c.answer)
			}
			if !slices.Equal(flags, c.flags) {
				t.Errorf("flags %v, want %v", flags, c.flags)
			}
		})
	}
}

// 13: what the server asks for is a lower bound.
func TestRetryAfterIsALowerBound(t *testing.T) {
	e, _, waited := server(t, nil, func(n int, w http.ResponseWriter, _ *http.Request) {
		if n == 0 {
			served{status: 429, header: map[string]string{"Retry-After": "17"}}.write(w)
			return
		}
		served{body: contentBody(goodJSON)}.write(w)
	})
	if _, err := e.Ask(context.Background(), request()); err != nil {
		t.Fatal(err)
	}
	if len(*waited) != 1 || (*waited)[0] < 17*time.Second {
		t.Errorf("waited %v, want 17 s at least", *waited)
	}
}

// 14: a server that is starting is asked by one at a time.
func TestLoadingNarrowsTheGate(t *testing.T) {
	e, _, _ := server(t, func(p *Profile) { p.Concurrency = 8 }, func(n int, w http.ResponseWriter, _ *http.Request) {
		if n == 0 {
			served{status: 503, body: `{"error":{"message":"Loading model"}}`}.write(w)
			return
		}
		served{body: contentBody(goodJSON)}.write(w)
	})
	e.wait = func(context.Context, time.Duration) error {
		if e.gate.allowed != 1 {
			t.Errorf("%d may ask while the model is loading, want 1", e.gate.allowed)
		}
		return nil
	}
	if _, err := e.Ask(context.Background(), request()); err != nil {
		t.Fatal(err)
	}
	if e.gate.allowed != 2 {
		t.Errorf("%d may ask after a success, want 2", e.gate.allowed)
	}
}

// 17: a character that is split between two packets stays whole.
func TestSplitCharacter(t *testing.T) {
	body := piece(`{"steps":[{"text":"Überlagerung","type":"finding","places":[]}],"answer":"B"}`, "stop")
	at := strings.Index(body, "Ü") + 1
	e, _, _ := server(t, nil, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, part := range []string{body[:at], body[at:]} {
			io.WriteString(w, part)
			w.(http.Flusher).Flush()
		}
	})
	reply, err := e.Ask(context.Background(), request())
	if err != nil || !strings.Contains(reply.Text, "Überlagerung") || reply.has(FlagBroken) {
		t.Errorf("%q %v %v", reply.Text, reply.Flags, err)
	}
}

// 18: what the server could not list is no probability of 0.
func TestUnlistedProbabilities(t *testing.T) {
	tokens := `"logprobs":{"content":[{"token":"B","logprob":-0.5,"top_logprobs":[{"token":"B","logprob":-0.5},{"token":" A","logprob":-1.5},{"token":"C","logprob":-Infinity},{"token":"D","logprob":-9999.0},{"token":"x-Infinity","logprob":-3}]}]}`
	body := `{"choices":[{"message":{"content":"B"},"finish_reason":"stop",` + tokens + `}],"usage":{"prompt_tokens":900}}`
	e, _, _ := server(t, func(p *Profile) { p.Logprobs = 5 }, func(_ int, w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) })
	r := request()
	r.Form = FormLetter
	reply, err := e.Ask(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	p, ok := OptionProbabilities(reply, r.Letters)
	if !ok || len(p.Of) != 2 || !near(p.Of["B"], .7310585786) || !near(p.Missing, 1-.6065306597-.2231301601) || !near(p.Entropy, .5822030) {
		t.Errorf("%+v %v, want A and B alone", p, ok)
	}
}

func near(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 }

// 19: the switch is remembered, per endpoint.
func TestTokenLimitIsRemembered(t *testing.T) {
	var seen []string
	e, _, _ := server(t, nil, func(_ int, w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		if _, old := body["max_tokens"]; old {
			seen = append(seen, "old")
			served{status: 400, body: `{"error":{"message":"Unsupported parameter: 'max_tokens'","code":"unsupported_parameter"}}`}.write(w)
			return
		}
		seen = append(seen, fmt.Sprint(body["max_completion_tokens"]))
		served{body: contentBody(goodJSON)}.write(w)
	})
	for range 2 {
		if _, err := e.Ask(context.Background(), request()); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"old", "1024", "1024"}; !slices.Equal(seen, want) {
		t.Errorf("limits sent %v, want %v", seen, want)
	}
}

// 22: a cancelled run closes the connection, which the server sees.
func TestCancelFreesTheServer(t *testing.T) {
	arrived, gone := make(chan struct{}), make(chan struct{})
	e, _, _ := server(t, nil, func(_ int, _ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		close(arrived)
		<-r.Context().Done()
		close(gone)
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-arrived
		cancel()
	}()
	if _, err := e.Ask(ctx, request()); fault.KindOf(err) != fault.Cancelled {
		t.Errorf("%v, want cancelled", err)
	}
	<-gone
}

func TestSlowServers(t *testing.T) {
	none := 0
	for name, c := range map[string]struct {
		times Timeouts
		begin string
		says  string
	}{
		"no answer":            {Timeouts{Total: .05}, "", "no answer within"},
		"a stream that stands": {Timeouts{Idle: .05}, ": ping\n\n", "no byte came"},
	} {
		t.Run(name, func(t *testing.T) {
			e, _, _ := server(t, func(p *Profile) { p.Retries, p.Timeouts = &none, c.times }, func(_ int, w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				if c.begin != "" {
					w.Header().Set("Content-Type", "text/event-stream")
					io.WriteString(w, c.begin)
					w.(http.Flusher).Flush()
				}
				<-r.Context().Done()
			})
			_, err := e.Ask(context.Background(), request())
			var f *Failure
			if !errors.As(err, &f) || f.Kind != Transient || !strings.Contains(f.Message, c.says) {
				t.Errorf("%v, want transient: %s", err, c.says)
			}
		})
	}
}

func TestNoRedirectElsewhere(t *testing.T) {
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	e, _, _ := server(t, nil, func(_ int, w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/v1/chat/completions", http.StatusTemporaryRedirect)
	})
	_, err := e.Ask(context.Background(), request())
	var f *Failure
	if !errors.As(err, &f) || f.Kind != NotUnderstood || elsewhere.Load() != 0 {
		t.Errorf("%v; the other host was asked %d times", err, elsewhere.Load())
	}
}

func TestBrokenImagesAreNotSent(t *testing.T) {
	e, asked, _ := server(t, nil, func(_ int, w http.ResponseWriter, _ *http.Request) { io.WriteString(w, contentBody(goodJSON)) })
	good := film(t, 0)
	for name, i := range map[string]Image{"none": {}, "cut": {MIME: pngType, Bytes: good.Bytes[:len(good.Bytes)/2]}, "a web page": {MIME: pngType, Bytes: []byte("<html>")}} {
		r := request()
		r.Images = []Image{good, i}
		if _, err := e.Ask(context.Background(), r); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "image 2") {
			t.Errorf("%s: %v, want the second image refused", name, err)
		}
	}
	if asked.Load() != 0 {
		t.Errorf("%d requests were sent", asked.Load())
	}
}

func TestConcurrencyIsBounded(t *testing.T) {
	var inside, most atomic.Int32
	e, _, _ := server(t, func(p *Profile) { p.Concurrency = 3 }, func(_ int, w http.ResponseWriter, _ *http.Request) {
		n := inside.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		io.WriteString(w, contentBody(goodJSON))
		inside.Add(-1)
	})
	done := make(chan error)
	const all = 60
	for range all {
		go func() {
			_, err := e.Ask(context.Background(), request())
			done <- err
		}()
	}
	for range all {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if most.Load() > 3 || e.gate.inside != 0 {
		t.Errorf("%d at a time, %d left inside; want 3 and 0", most.Load(), e.gate.inside)
	}
}
