package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"plumbline/backend/fault"
)

// FailureKind says what sort of failure of an endpoint it was, and so what may be done about it.
type FailureKind string

// The kinds of failure.
const (
	Transient     FailureKind = "transient" // the same request may be tried again
	ModelFailed   FailureKind = "model"     // it ran and the server could not use what came out: the same seed repeats it
	BadRequest    FailureKind = "request"   // the server does not take it
	TooLong       FailureKind = "context"   // the prompt does not fit
	Unauthorised  FailureKind = "auth"
	OutOfQuota    FailureKind = "quota"
	CutShort      FailureKind = "cut"      // the connection ended within the answer
	NotUnderstood FailureKind = "protocol" // no answer of this protocol
)

// Failure is why no answer came. It stands inside a fault of kind Endpoint: find it with errors.As.
type Failure struct {
	Kind       FailureKind
	Status     int // of HTTP; 0: there was none
	Code       string
	Message    string // the server's words, shortened, without the key
	Raw        []byte
	RetryAfter time.Duration // at least so long, says the server; 0: it does not
	Attempts   int
	once       bool // trying again more than once would crash the server again
	loading    bool // the server is starting
}

// Error puts the kind before the server's words.
func (f *Failure) Error() string {
	s := string(f.Kind)
	if f.Status != 0 {
		s += fmt.Sprintf(" (HTTP %d)", f.Status)
	}
	if f.Message != "" {
		s += ": " + f.Message
	}
	if f.Attempts > 1 {
		s += fmt.Sprintf(" (after %d attempts)", f.Attempts)
	}
	return s
}

// in puts a failure into the error that a caller gets.
func (f *Failure) in(profile string) error {
	return &fault.Error{Kind: fault.Endpoint, Op: "ask model", Of: profile, Err: f}
}

// serverError is what servers send for an error, in its several shapes.
type serverError struct {
	Error   json.RawMessage `json:"error"`
	Message string          `json:"message"`
	Code    json.RawMessage `json:"code"`
	Detail  json.RawMessage `json:"detail"`
}

// said is what a server said about an error.
type said struct {
	found               bool
	message, code, kind string
	param               string
	status              int
}

// readError finds the words in a body, whatever the shape.
func readError(body []byte) said {
	var e serverError
	if json.Unmarshal(body, &e) != nil {
		return said{}
	}
	var inner struct {
		Message string          `json:"message"`
		Type    string          `json:"type"`
		Param   string          `json:"param"`
		Code    json.RawMessage `json:"code"`
	}
	var text string
	switch {
	case len(e.Error) > 0 && string(e.Error) != "null" && string(e.Error) != "false":
		if json.Unmarshal(e.Error, &text) == nil {
			return said{found: true, message: text}
		}
		if json.Unmarshal(e.Error, &inner) != nil {
			return said{found: true, message: string(e.Error)}
		}
		s := said{found: true, message: inner.Message, kind: inner.Type, param: inner.Param}
		s.code, s.status = codeOf(inner.Code)
		return s
	case e.Message != "" && len(e.Code) > 0: // older vLLM
		s := said{found: true, message: e.Message}
		s.code, s.status = codeOf(e.Code)
		return s
	case len(e.Detail) > 0: // FastAPI
		if json.Unmarshal(e.Detail, &text) != nil {
			text = string(e.Detail)
		}
		return said{found: true, message: text}
	}
	return said{}
}

// codeOf reads a code that is a word, or a number of HTTP.
func codeOf(raw json.RawMessage) (code string, status int) {
	if json.Unmarshal(raw, &code) == nil {
		return code, 0
	}
	if json.Unmarshal(raw, &status) == nil {
		return "", status
	}
	return "", 0
}

// largeBody is the size of a request from which a plain "not found" is taken for "too large": some proxies answer so.
const largeBody = 1 << 20

// classify tells the kind of an answer that is no success, by the code before the words. sent is the size of the request's body.
func classify(status int, header http.Header, body []byte, sent int) *Failure {
	s := readError(body)
	f := &Failure{Kind: BadRequest, Status: status, Code: or(s.code, s.kind), Message: clip(s.message), Raw: body, RetryAfter: retryAfter(header)}
	if status == http.StatusOK && s.status != 0 {
		status = s.status
	}
	if !s.found {
		f.Message = plainWords(body)
	}
	is := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(strings.ToLower(s.message), w) {
				return true
			}
		}
		return false
	}
	switch {
	case s.code == "insufficient_quota" || s.kind == "insufficient_quota" || s.code == "billing_hard_limit_reached" || status == http.StatusPaymentRequired:
		f.Kind = OutOfQuota
	case s.kind == "exceed_context_size_error" || s.code == "context_length_exceeded" || status == http.StatusBadRequest && is("maximum context length", "context size"):
		f.Kind = TooLong
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		f.Kind = Unauthorised
	case status == http.StatusRequestEntityTooLarge || status == http.StatusNotFound && !s.found && sent > largeBody:
		f.Message = fmt.Sprintf("request body too large: %d bytes were sent", sent)
	case is("does not match the expected") && is("format"):
		f.Kind = ModelFailed
	case is("image input is not supported", "does not support image", "multimodal is not"):
		f.Kind = BadRequest
	case is("model runner has unexpectedly stopped"):
		f.Kind, f.once = Transient, true
	case status == http.StatusServiceUnavailable && is("loading model"):
		f.Kind, f.loading = Transient, true
	case status >= 300 && status < 400:
		f.Kind, f.Message = NotUnderstood, "the server redirects elsewhere, which is not followed"
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status == http.StatusTooManyRequests, status >= 500 && status != http.StatusNotImplemented:
		f.Kind = Transient
	}
	return f
}

// refusesLimit says whether a failure is about the name of the limit on tokens.
func (f *Failure) refusesLimit(name string) bool {
	return f.Kind == BadRequest && f.Status == http.StatusBadRequest && strings.Contains(f.Message, "'"+name+"'") &&
		(f.Code == "unsupported_parameter" || strings.Contains(strings.ToLower(f.Message), "unsupported parameter"))
}

// retryAfter reads the header in seconds; a date is read against the server's own clock.
func retryAfter(h http.Header) time.Duration {
	v := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 && s < 1e8 {
		return seconds(s)
	}
	then, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return max(0, then.Sub(now))
}

// plainWords says in a line what a body is that holds no error of a server.
func plainWords(body []byte) string {
	t := bytes.TrimSpace(body)
	switch {
	case len(t) == 0:
		return "the answer is empty"
	case t[0] == '<':
		return "the answer is a web page and not one of a model server"
	}
	return clip(string(t))
}

// clip shortens what a server says for a message; Raw has all of it.
func clip(s string) string {
	const most = 300
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "\uFFFD")
	if len(s) <= most {
		return s
	}
	for cut := most; ; cut-- {
		if utf8.RuneStart(s[cut]) {
			return s[:cut] + "…"
		}
	}
}
