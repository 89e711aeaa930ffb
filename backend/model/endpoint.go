package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"plumbline/backend/fault"
)

// Endpoint is a model behind an OpenAI-compatible server. It may be asked from many goroutines; the profile's concurrency bounds how many
// requests are on their way. Cancelling a context closes the connection, which tells the server to stop.
type Endpoint struct {
	profile  Profile
	template Template // of the profile's prompts
	secret   string
	client   *http.Client
	gate     *gate
	fitted   fitted
	wait     func(context.Context, time.Duration) error // between tries

	mu    sync.Mutex
	limit string // the name of the limit on tokens that this server takes
	reach Reach
}

// NewEndpoint makes the model of a profile; secret is its key (Key.Secret), "" where none is needed. Nothing is sent before Ask.
func NewEndpoint(p Profile, secret string) (*Endpoint, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, fault.New(fault.Invalid, "open endpoint", p.Name, "the key holds a space, a line's end or another character that no key has")
	}
	t, err := templateOf(or(p.Template, stagedTemplate))
	if err != nil {
		return nil, err
	}
	dial := &net.Dialer{Timeout: p.Timeouts.connect(), Control: p.guard}
	transport := &http.Transport{ // no proxy: what is sent goes to the host that was agreed to
		DialContext: dial.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: p.Timeouts.connect(),
		MaxIdleConns: p.concurrency(), MaxIdleConnsPerHost: p.concurrency(), IdleConnTimeout: 90 * time.Second, MaxResponseHeaderBytes: 256 << 10,
	}
	client := &http.Client{Transport: transport, CheckRedirect: func(next *http.Request, via []*http.Request) error {
		if same := next.URL.Host == via[0].URL.Host && next.URL.Scheme == via[0].URL.Scheme; !same || next.Method != via[0].Method || len(via) > 3 {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	return &Endpoint{profile: p, template: t, secret: secret, client: client, gate: newGate(p.concurrency()), wait: pause, limit: or(p.TokenLimit, MaxTokens)}, nil
}

// Name is the profile's name.
func (e *Endpoint) Name() string { return e.profile.Name }

// Profile is what the endpoint was made of.
func (e *Endpoint) Profile() Profile { return e.profile }

// Close lets go of the connections that are kept.
func (e *Endpoint) Close() { e.client.CloseIdleConnections() }

// TokenLimit is the name of the limit on tokens, as the server turned out to want it.
func (e *Endpoint) TokenLimit() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.limit
}

// Ask sends one request and tries again what is transient. Its faults: Refused without the consent that a public host needs, Invalid for an
// image that cannot be read, Cancelled, and Endpoint with a *Failure in it.
func (e *Endpoint) Ask(ctx context.Context, r Request) (Reply, error) {
	if err := e.allowed(ctx, len(r.Images) > 0); err != nil {
		return Reply{}, err
	}
	r.Form = or(r.Form, e.profile.Form)
	urls, err := e.fitted.urls(e.profile.Image, r.Images)
	if err != nil {
		return Reply{}, fault.In("ask model", e.profile.Name, err)
	}
	if err := e.gate.enter(ctx); err != nil {
		return Reply{}, e.cancelled(err)
	}
	defer e.gate.leave()
	start := time.Now()
	reply, tries, err := e.tries(ctx, r, urls)
	if err != nil {
		return Reply{}, err
	}
	if e.profile.drawsLetter(r) && e.profile.Logprobs > 0 {
		reply.Flags = append(reply.Flags, FlagDrawn)
	}
	reply.Attempts, reply.Seconds = tries, time.Since(start).Seconds()
	if least := utf8.RuneCountInString(r.Prompt) / mostRunesPerToken; reply.Usage.Prompt > 0 && reply.Usage.Prompt < least {
		failed := silentlyCut(reply, least)
		failed.Attempts = tries
		return Reply{}, failed.in(e.profile.Name)
	}
	return reply, nil
}

// silentlyCut is the failure of a server that cut the prompt and answered what was left: it would be an answer to another question.
func silentlyCut(reply Reply, least int) *Failure {
	return &Failure{Kind: TooLong, Status: http.StatusOK, Raw: reply.Raw, Attempts: 1, Message: fmt.Sprintf(
		"the server cut the prompt without a word: it read %d tokens of a text that has %d at least", reply.Usage.Prompt, least)}
}

// mostRunesPerToken is more than any tokeniser puts into a token on the average of a text.
const mostRunesPerToken = 8

func (e *Endpoint) cancelled(err error) error {
	return &fault.Error{Kind: fault.Cancelled, Op: "ask model", Of: e.profile.Name, Err: err}
}

// allowed looks the host up once and asks whether so much may be sent so far.
func (e *Endpoint) allowed(ctx context.Context, images bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.reach == "" {
		reach, err := e.profile.Reach(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return e.cancelled(ctx.Err())
			}
			return (&Failure{Kind: Transient, Message: clip(err.Error()), Attempts: 1}).in(e.profile.Name)
		}
		e.reach = reach
	}
	return e.profile.Allowed(e.reach, images)
}

// tries sends a request until it is answered or no further try makes sense.
func (e *Endpoint) tries(ctx context.Context, r Request, urls []string) (Reply, int, error) {
	retries, crashes, switched := 0, 0, false
	for n := 1; ; n++ {
		limit := e.TokenLimit()
		body, err := e.profile.body(r, urls, limit)
		if err != nil {
			return Reply{}, n, fault.New(fault.Invalid, "ask model", e.profile.Name, "the request cannot be written: %w", err)
		}
		reply, failed, err := e.once(ctx, body)
		if err != nil {
			return Reply{}, n, err
		}
		if failed == nil {
			e.gate.widen()
			return reply, n, nil
		}
		failed.Attempts = n
		if !switched && failed.refusesLimit(limit) {
			switched = true
			e.switchLimit(limit)
			continue
		}
		if failed.once {
			crashes++
		}
		if failed.loading {
			e.gate.narrow()
		}
		if again := failed.Kind == Transient || failed.Kind == CutShort; !again || retries >= e.profile.retries() || crashes > 1 || failed.RetryAfter > longestWait {
			return Reply{}, n, failed.in(e.profile.Name)
		}
		if err := e.wait(ctx, max(backoff(retries), failed.RetryAfter)); err != nil {
			return Reply{}, n, e.cancelled(err)
		}
		retries++
	}
}

// longestWait is how long a server may ask us to wait before a person is told instead.
const longestWait = 2 * time.Minute

// backoff doubles from half a second to half a minute, give or take a quarter, so that many clients do not come back at once.
func backoff(retries int) time.Duration {
	d := min(500*time.Millisecond<<min(retries, 10), 30*time.Second)
	return d*3/4 + rand.N(d/2)
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// switchLimit remembers that the server wants the other name.
func (e *Endpoint) switchLimit(refused string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.limit == refused {
		e.limit = map[string]string{MaxTokens: MaxCompletionTokens, MaxCompletionTokens: MaxTokens}[refused]
	}
}

var errIdle = errors.New("no byte came for the profile's idle time")

// once sends a body once. An error is a refusal or a cancellation; everything else that goes wrong is a Failure.
func (e *Endpoint) once(parent context.Context, body []byte) (Reply, *Failure, error) {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	ctx, stop := context.WithTimeout(ctx, e.profile.Timeouts.total())
	defer stop()
	response, err := e.send(ctx, http.MethodPost, "/chat/completions", body)
	if err != nil {
		return e.unanswered(parent, ctx, err)
	}
	defer response.Body.Close()
	limit := e.profile.maxReply()
	if response.StatusCode == http.StatusOK && strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		idle := e.profile.Timeouts.idle()
		timer := time.AfterFunc(idle, func() { cancel(errIdle) })
		defer timer.Stop()
		reply, failed := readStream(&watched{response.Body, timer, idle}, limit)
		if failed != nil && ctx.Err() != nil {
			return e.unanswered(parent, ctx, ctx.Err())
		}
		e.scrub(&reply, failed)
		return reply, failed, nil
	}
	raw, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	var reply Reply
	var failed *Failure
	switch {
	case err != nil && ctx.Err() != nil:
		return e.unanswered(parent, ctx, err)
	case err != nil:
		failed = broken(err, raw)
	case int64(len(raw)) > limit:
		failed = tooMuch(limit, raw)
	case response.StatusCode != http.StatusOK:
		failed = classify(response.StatusCode, response.Header, raw, len(body))
	default:
		reply, failed = readCompletion(raw)
	}
	e.scrub(&reply, failed)
	return reply, failed, nil
}

// watched puts the idle timer back at each byte.
type watched struct {
	io.Reader
	timer *time.Timer
	idle  time.Duration
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.Reader.Read(b)
	if n > 0 {
		w.timer.Reset(w.idle)
	}
	return n, err
}

// send makes a request of the server. The key goes into the header and nowhere else.
func (e *Endpoint) send(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(e.profile.BaseURL, "/")+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("User-Agent", "plumbline")
	if e.secret != "" {
		request.Header.Set("Authorization", "Bearer "+e.secret)
	}
	return e.client.Do(request)
}

// unanswered tells why no answer came: we stopped, we may not go there, it took too long, or the network failed.
func (e *Endpoint) unanswered(parent, ctx context.Context, err error) (Reply, *Failure, error) {
	var far *tooFar
	switch {
	case parent.Err() != nil:
		return Reply{}, nil, e.cancelled(parent.Err())
	case errors.As(err, &far):
		return Reply{}, nil, far.why
	case errors.Is(context.Cause(ctx), errIdle):
		return Reply{}, &Failure{Kind: Transient, Message: fmt.Sprintf("no byte came for %v", e.profile.Timeouts.idle())}, nil
	case ctx.Err() != nil:
		return Reply{}, &Failure{Kind: Transient, Message: fmt.Sprintf("no answer within %v", e.profile.Timeouts.total())}, nil
	}
	f := &Failure{Kind: Transient, Message: clip(err.Error())}
	e.scrub(nil, f)
	return Reply{}, f, nil
}

// scrub takes the key out of everything that is kept: some servers repeat it in an error.
func (e *Endpoint) scrub(r *Reply, f *Failure) {
	if e.secret == "" {
		return
	}
	const instead = "[key]"
	clean := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(e.secret), []byte(instead)) }
	if r != nil {
		r.Raw = clean(r.Raw)
		r.Text, r.Reasoning = strings.ReplaceAll(r.Text, e.secret, instead), strings.ReplaceAll(r.Reasoning, e.secret, instead)
	}
	if f != nil {
		f.Raw, f.Message = clean(f.Raw), strings.ReplaceAll(f.Message, e.secret, instead)
	}
}

func megabytes(n int64) string { return fmt.Sprintf("%d MB", n>>20) }

// has says whether a reply has a flag.
func (r Reply) has(flag string) bool { return slices.Contains(r.Flags, flag) }
