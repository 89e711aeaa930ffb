package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"io"
	"net/http"
	"slices"
	"strings"

	"plumbline/backend/fault"
)

// Abilities are what a server turned out to be able to do. They are measured by asking; nothing is taken from a name.
type Abilities struct {
	Models     []string          `json:"models"`      // that the server lists; empty: it lists none
	ModelKnown bool              `json:"model_known"` // the profile's model is among them. Some servers ignore the name and answer with what they have
	Images     bool              `json:"images"`
	JSONSchema bool              `json:"json_schema"` // enforced, not only accepted
	Grammar    bool              `json:"grammar"`     // of llama-server
	Logprobs   bool              `json:"logprobs"`
	Repeats    bool              `json:"repeats"` // the same seed gave the same text twice
	Reasons    bool              `json:"reasons"` // gives reasoning apart
	TokenLimit string            `json:"token_limit"`
	Context    int               `json:"context,omitempty"` // tokens, where the server tells
	Revision   string            `json:"revision,omitempty"`
	Notes      map[string]string `json:"notes,omitempty"` // why something is not there, in the server's words
}

// Probe asks the server what it can, with a dozen short requests and a grey square as the picture: nothing of a patient is sent. It fails only
// where the server does not answer a plain question at all.
func (e *Endpoint) Probe(ctx context.Context) (Abilities, error) {
	a := Abilities{Models: []string{}, Notes: map[string]string{}}
	e.listModels(ctx, &a)
	plain := Request{Prompt: "Write one word.", Form: FormProse, Seed: 7}
	simple := e.with(func(p *Profile) { p.Structured, p.Logprobs, p.MaxTokens = ByPrompt, 0, 16 })
	first, err := simple.Ask(ctx, plain)
	if err != nil {
		return a, fault.In("probe model", e.profile.Name, err)
	}
	if limit := simple.TokenLimit(); limit != e.TokenLimit() {
		e.switchLimit(e.TokenLimit())
	}
	a.Revision, a.Reasons = first.Revision, first.Reasoning != ""
	try := func(name string, set func(*Profile), r Request, works func(Reply) bool) bool {
		if ctx.Err() != nil {
			return false
		}
		probe := e.with(func(p *Profile) { p.Structured, p.Logprobs, p.MaxTokens = ByPrompt, 0, 16; set(p) })
		reply, err := probe.Ask(ctx, r)
		switch {
		case err != nil:
			a.Notes[name] = probeNote(err)
		case !works(reply):
			a.Notes[name] = "accepted but without effect: " + clip(reply.Text)
		default:
			return true
		}
		return false
	}
	letters := []string{"Q", "Z"}
	oneOf := func(r Reply) bool { return slices.Contains(letters, strings.Trim(strings.TrimSpace(r.Text), `"`)) }
	letter := Request{Prompt: "Write the word no.", Form: FormLetter, Letters: letters, Seed: 7}
	picture := plain
	picture.Images = []Image{greySquare()}
	a.Repeats = try("repeats", func(*Profile) {}, plain, func(r Reply) bool { return r.Text == first.Text && r.Reasoning == first.Reasoning })
	a.Images = try("images", func(*Profile) {}, picture, func(Reply) bool { return true })
	a.JSONSchema = try("json_schema", func(p *Profile) { p.Structured = BySchema }, letter, oneOf)
	a.Grammar = try("grammar", func(p *Profile) { p.Structured = ByGrammar }, letter, oneOf)
	a.Logprobs = try("logprobs", func(p *Profile) { p.Logprobs = 5 }, plain, func(r Reply) bool {
		return slices.ContainsFunc(r.Tokens, func(t Token) bool { return len(t.Top) > 0 })
	})
	a.TokenLimit = e.TokenLimit()
	if err := ctx.Err(); err != nil {
		return a, e.cancelled(err)
	}
	return a, nil
}

// with is the same endpoint with another profile: it shares the connections and the places at the server.
func (e *Endpoint) with(set func(*Profile)) *Endpoint {
	p := e.profile
	set(&p)
	none := 1
	p.Retries = &none
	return &Endpoint{profile: p, secret: e.secret, client: e.client, gate: e.gate, wait: e.wait, limit: e.TokenLimit(), reach: e.reach}
}

// probeNote is why something did not work, in the server's words.
func probeNote(err error) string {
	var f *Failure
	if errors.As(err, &f) {
		return f.Error()
	}
	return err.Error()
}

// listModels reads /models; a server without the list is no failure.
func (e *Endpoint) listModels(ctx context.Context, a *Abilities) {
	if err := e.allowed(ctx, false); err != nil {
		a.Notes["models"] = err.Error()
		return
	}
	ctx, stop := context.WithTimeout(ctx, e.profile.Timeouts.connect()+e.profile.Timeouts.idle())
	defer stop()
	response, err := e.send(ctx, http.MethodGet, "/models", nil)
	if err != nil {
		a.Notes["models"] = clip(err.Error())
		return
	}
	defer response.Body.Close()
	var list struct {
		Data []struct {
			ID          string `json:"id"`
			MaxModelLen int    `json:"max_model_len"` // vLLM
			Meta        struct {
				Context int `json:"n_ctx"` // llama-server
			} `json:"meta"`
		} `json:"data"`
	}
	raw, err := io.ReadAll(io.LimitReader(response.Body, 4<<20))
	if err != nil || response.StatusCode != http.StatusOK || json.Unmarshal(raw, &list) != nil {
		a.Notes["models"] = "the server lists no models: " + plainWords(raw)
		return
	}
	for _, m := range list.Data {
		a.Models = append(a.Models, m.ID)
		if m.ID == e.profile.Model {
			a.ModelKnown, a.Context = true, max(m.MaxModelLen, m.Meta.Context)
		}
	}
	if len(a.Models) > 0 && !a.ModelKnown {
		a.Notes["model"] = "the server does not list this model; it may answer with another one"
	}
}

// greySquare is a picture that shows nothing.
func greySquare() Image {
	const side = 64
	grey := image.NewGray(image.Rect(0, 0, side, side))
	for i := range grey.Pix {
		grey.Pix[i] = 128
	}
	var b bytes.Buffer
	if err := png.Encode(&b, grey); err != nil {
		panic(err) // a picture in memory always encodes
	}
	return Image{MIME: pngType, Bytes: b.Bytes()}
}
