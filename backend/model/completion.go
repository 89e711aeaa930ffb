package model

import (
	"bytes"
	"encoding/json"
	"math"
	"net/http"
	"strings"
)

// Flags say what was odd about a reply. They are no failures: the run stores them.
const (
	FlagTruncated   = "truncated"       // it ended at the limit of tokens
	FlagBudgetSpent = "budget_spent"    // all tokens went into reasoning
	FlagInReasoning = "in_reasoning"    // the answer stood where the reasoning belongs
	FlagToolCall    = "tool_call"       // the answer came as the arguments of a call
	FlagThink       = "inline_thinking" // reasoning stood in the text
	FlagBroken      = "broken_text"     // characters were lost on the way (U+FFFD)
	FlagFenced      = "fenced"          // the JSON stood in a fence or among other words
	FlagOffForm     = "off_form"        // the JSON is not what was asked for; what could be read was
	FlagBadBoxes    = "bad_boxes"       // some boxes were no boxes of the picture by the profile's convention
	FlagDrawn       = "drawn"           // a letter drawn at temperature 1 for its probabilities: the likeliest one is the answer, not the text
	FlagCapped      = "capped"          // more steps or boxes than are read
)

// completion is the answer of the server, whole (message) or a piece of a stream (delta).
type completion struct {
	Model       string   `json:"model"`
	Fingerprint string   `json:"system_fingerprint"`
	Choices     []choice `json:"choices"`
	Usage       *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	} `json:"usage"`
}

type choice struct {
	Message  messageSaid `json:"message"`
	Delta    messageSaid `json:"delta"`
	Finish   *string     `json:"finish_reason"`
	Logprobs *struct {
		Content []wireToken `json:"content"`
	} `json:"logprobs"`
}

// messageSaid is what a message says, in the several fields in which servers put it.
type messageSaid struct {
	Content          json.RawMessage `json:"content"` // string, null or parts
	Reasoning        *string         `json:"reasoning"`
	ReasoningContent *string         `json:"reasoning_content"`
	Refusal          *string         `json:"refusal"`
	ToolCalls        []struct {
		Function struct {
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

type wireToken struct {
	Token       string      `json:"token"`
	Bytes       []int       `json:"bytes"`
	Logprob     *float64    `json:"logprob"`
	Prob        *float64    `json:"prob"`
	TopLogprobs []wireToken `json:"top_logprobs"`
	TopProbs    []wireToken `json:"top_probs"`
}

// gathered is a reply that is being put together.
type gathered struct {
	text, reasoning, refusal, arguments strings.Builder
	reply                               Reply
	finished                            bool
}

// add takes a whole answer or a piece of a stream.
func (g *gathered) add(c completion) {
	g.reply.Model, g.reply.Revision = or(c.Model, g.reply.Model), or(c.Fingerprint, g.reply.Revision)
	if c.Usage != nil {
		g.reply.Usage = Usage{c.Usage.Prompt, c.Usage.Completion}
	}
	if len(c.Choices) == 0 {
		return
	}
	first := c.Choices[0]
	for _, m := range []messageSaid{first.Message, first.Delta} {
		g.text.WriteString(contentText(m.Content))
		for _, s := range []*string{m.Reasoning, m.ReasoningContent} {
			if s != nil && *s != "" {
				g.reasoning.WriteString(*s)
				break // a server that fills both says the same twice
			}
		}
		if m.Refusal != nil {
			g.refusal.WriteString(*m.Refusal)
		}
		for _, t := range m.ToolCalls {
			g.arguments.WriteString(contentText(t.Function.Arguments))
		}
	}
	if first.Finish != nil && *first.Finish != "" {
		g.reply.Finish, g.finished = *first.Finish, true
	}
	if first.Logprobs != nil {
		for _, t := range first.Logprobs.Content {
			g.reply.Tokens = append(g.reply.Tokens, t.token())
		}
	}
}

// contentText reads content that is a string, a list of parts, or an object (arguments of some servers); null is "".
func contentText(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []part
	if json.Unmarshal(raw, &parts) != nil {
		return string(raw)
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// token turns a token of the wire into ours. What a server could not list is left out: null, -Infinity, vLLM's -9999.
func (w wireToken) token() Token {
	t := Token{Text: w.text()}
	for _, l := range append(w.TopLogprobs, w.TopProbs...) {
		switch {
		case l.Prob != nil && *l.Prob >= 0:
			t.Top = append(t.Top, Likely{l.text(), *l.Prob})
		case l.Logprob != nil && *l.Logprob > -9990:
			t.Top = append(t.Top, Likely{l.text(), math.Exp(*l.Logprob)})
		}
	}
	return t
}

// text prefers the bytes: a token may hold half a character.
func (w wireToken) text() string {
	if len(w.Bytes) == 0 {
		return w.Token
	}
	b := make([]byte, len(w.Bytes))
	for i, v := range w.Bytes {
		b[i] = byte(v)
	}
	return string(b)
}

// done gives the reply with its flags.
func (g *gathered) done(raw []byte) Reply {
	r := g.reply
	r.Raw, r.Text, r.Reasoning, r.Refusal = raw, g.text.String(), g.reasoning.String(), g.refusal.String()
	flag := func(f string) { r.Flags = append(r.Flags, f) }
	blank := strings.TrimSpace(r.Text) == ""
	if r.Finish == "length" {
		flag(FlagTruncated)
		if blank && strings.TrimSpace(r.Reasoning) != "" {
			flag(FlagBudgetSpent)
		}
	}
	if blank && g.arguments.Len() > 0 {
		r.Text = g.arguments.String()
		flag(FlagToolCall)
	}
	if strings.ContainsRune(r.Text, '\uFFFD') || strings.ContainsRune(r.Reasoning, '\uFFFD') {
		flag(FlagBroken)
	}
	return r
}

// readCompletion takes the body of a success apart, whether it is JSON or, unasked, a stream. An error in it is a failure whatever the status
// says.
func readCompletion(raw []byte) (Reply, *Failure) {
	body := bytes.TrimSpace(raw)
	if bytes.HasPrefix(body, []byte("data:")) || bytes.HasPrefix(body, []byte(":")) || bytes.HasPrefix(body, []byte("event:")) {
		return readStream(bytes.NewReader(raw), int64(len(raw))+1)
	}
	c, err := readJSON(body)
	if err != nil {
		kind := NotUnderstood
		if len(body) > 0 && body[0] == '{' && strings.Contains(err.Error(), "unexpected end") {
			kind = CutShort
		}
		return Reply{}, &Failure{Kind: kind, Status: http.StatusOK, Message: plainWords(body), Raw: raw}
	}
	if readError(body).found && len(c.Choices) == 0 {
		return Reply{}, classify(http.StatusOK, nil, raw, 0)
	}
	if len(c.Choices) == 0 {
		return Reply{}, &Failure{Kind: NotUnderstood, Status: http.StatusOK, Message: "the answer has no choices: " + plainWords(body), Raw: raw}
	}
	var g gathered
	g.add(c)
	return g.done(raw), nil
}

// readJSON reads a completion. Python servers write -Infinity and NaN, which are no JSON: they are read as null.
func readJSON(b []byte) (completion, error) {
	var c completion
	err := json.Unmarshal(b, &c)
	if err != nil && (bytes.Contains(b, []byte("Infinity")) || bytes.Contains(b, []byte("NaN"))) {
		c = completion{}
		err = json.Unmarshal(withoutInfinity(b), &c)
	}
	return c, err
}

// withoutInfinity puts null in place of the words that are no JSON, outside strings.
func withoutInfinity(b []byte) []byte {
	out := make([]byte, 0, len(b))
	inString := false
	for i := 0; i < len(b); {
		if inString {
			if b[i] == '\\' && i+1 < len(b) {
				out = append(out, b[i], b[i+1])
				i += 2
				continue
			}
			inString = b[i] != '"'
			out = append(out, b[i])
			i++
			continue
		}
		word := ""
		for _, w := range []string{"-Infinity", "Infinity", "NaN"} {
			if bytes.HasPrefix(b[i:], []byte(w)) {
				word = w
				break
			}
		}
		if word != "" {
			out = append(out, "null"...)
			i += len(word)
			continue
		}
		inString = b[i] == '"'
		out = append(out, b[i])
		i++
	}
	return out
}
