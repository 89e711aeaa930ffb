package model

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"strings"
)

// ownFields are the fields of a request's body that the program writes.
var ownFields = []string{
	"model", "messages", "max_tokens", "max_completion_tokens", "seed", "temperature", "stream", "stream_options", "logprobs", "top_logprobs",
	"response_format", "grammar", "post_sampling_probs", "n",
}

type message struct {
	Role    string `json:"role"`
	Content any    `json:"content"` // a string, or parts where there are pictures
}

type part struct {
	Type     string    `json:"type"`
	Text     string    `json:"text,omitempty"`
	ImageURL *imageURL `json:"image_url,omitempty"`
}

type imageURL struct {
	URL string `json:"url"`
}

// dataURL holds a picture in an address.
func dataURL(i Image) string {
	return "data:" + i.MIME + ";base64," + base64.StdEncoding.EncodeToString(i.Bytes)
}

// body writes the body of a request; urls are the addresses of its pictures, limit the name of the limit on tokens. Fields are sorted by
// name, so the same request has the same bytes.
func (p Profile) body(r Request, urls []string, limit string) ([]byte, error) {
	m := map[string]any{"model": p.Model, "messages": []message{{Role: "user", Content: content(r.Prompt, urls)}}, "seed": r.Seed, "temperature": r.Temperature}
	for name, v := range maps.All(p.Extra) {
		m[name] = v
	}
	m[limit] = p.maxTokens()
	if !p.Whole && !p.drawsLetter(r) {
		m["stream"], m["stream_options"] = true, map[string]bool{"include_usage": true}
	}
	if p.Logprobs > 0 {
		m["logprobs"], m["top_logprobs"] = true, p.Logprobs
	}
	switch {
	case r.Form == FormLetter && len(r.Letters) > 0:
		p.askLetter(m, r.Letters, limit)
	case r.Form != FormProse && p.Structured == BySchema:
		m["response_format"] = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "answer", "strict": true, "schema": stepsSchema(r.Letters)}}
	case r.Form != FormProse && p.Structured == ByGrammar:
		m["grammar"] = stepsGrammar(r.Letters)
	}
	return json.Marshal(m)
}

// drawsLetter says whether a request is for the probabilities of the letters after a grammar.
func (p Profile) drawsLetter(r Request) bool {
	return r.Form == FormLetter && len(r.Letters) > 0 && p.Structured == ByGrammar
}

// askLetter asks for one letter. Where the server knows grammars, its probabilities are asked for as they are after the grammar, so that all
// letters are listed (llama-server); at temperature 0 it would give all to the first, so they are asked for at 1 (FlagDrawn).
func (p Profile) askLetter(m map[string]any, letters []string, limit string) {
	if p.Structured != ByGrammar {
		if p.Structured == BySchema {
			m["response_format"] = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "letter", "strict": true, "schema": map[string]any{"type": "string", "enum": letters}}}
		}
		return
	}
	m["grammar"] = "root ::= " + alternatives(letters)
	m[limit] = longest(letters)
	if p.Logprobs > 0 {
		m["top_logprobs"] = 20
		m["temperature"], m["post_sampling_probs"], m["top_k"], m["top_p"], m["min_p"] = 1, true, 0, 1, 0
	}
}

func longest(words []string) int {
	n := 1
	for _, w := range words {
		n = max(n, len(w))
	}
	return n
}

// content is plain text, or the pictures and then the text.
func content(text string, urls []string) any {
	if len(urls) == 0 {
		return text
	}
	parts := make([]part, 0, len(urls)+1)
	for _, u := range urls {
		parts = append(parts, part{Type: "image_url", ImageURL: &imageURL{u}})
	}
	return append(parts, part{Type: "text", Text: text})
}

// stepsSchema is the JSON Schema of the answer that the prompt asks for; an answer of "" says "cannot tell".
func stepsSchema(letters []string) map[string]any {
	object := func(properties map[string]any, required ...string) map[string]any {
		return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	}
	text, number, whole := map[string]any{"type": "string"}, map[string]any{"type": "number"}, map[string]any{"type": "integer", "minimum": 0}
	list := func(of any) map[string]any { return map[string]any{"type": "array", "items": of} }
	place := object(map[string]any{"from": whole, "to": whole, "box": map[string]any{"type": "array", "items": number, "minItems": 4, "maxItems": 4}}, "from", "to", "box")
	step := object(map[string]any{"text": text, "type": text, "places": list(place)}, "text", "type", "places")
	answer := text
	if len(letters) > 0 {
		answer = map[string]any{"type": "string", "enum": append(append([]string{}, letters...), "")}
	}
	return object(map[string]any{"steps": list(step), "answer": answer}, "steps", "answer")
}

// stepsGrammar is the same as a grammar of llama.cpp (GBNF), with at most 12 steps of 4 places.
func stepsGrammar(letters []string) string {
	answer := "string"
	if len(letters) > 0 {
		answer = alternatives(append(append([]string{}, quoted(letters)...), `""`))
	}
	return `root ::= "{\"steps\":[" (step ("," step){0,11})? "],\"answer\":" answer "}"
answer ::= ` + answer + `
step ::= "{\"text\":" string ",\"type\":" string ",\"places\":[" (place ("," place){0,3})? "]}"
place ::= "{\"from\":" whole ",\"to\":" whole ",\"box\":[" number "," number "," number "," number "]}"
whole ::= "0" | [1-9] [0-9]{0,4}
number ::= [0-9]{1,5} ("." [0-9]{1,6})?
string ::= "\"" ([^"\\\x00-\x1f] | "\\" ["\\/bfnrt]){0,400} "\""
`
}

func quoted(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		b, err := json.Marshal(w)
		if err != nil {
			panic(err) // a string always marshals
		}
		out[i] = string(b)
	}
	return out
}

// alternatives writes words as literals of a grammar, one of which must stand.
func alternatives(words []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = `"` + escape.Replace(w) + `"`
	}
	return strings.Join(out, " | ")
}
