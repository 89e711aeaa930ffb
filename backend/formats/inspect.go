package formats

import (
	"encoding/json"
	"strings"
)

// inspectFormat reads logs of Inspect AI: .json, or .eval (a zip archive, packed by zstd or deflate). A sample is a case, each epoch of it a chain.
func inspectFormat() format {
	return format{
		Format: Format{Name: "inspect", Title: "Inspect AI log", Cluster: "image", Files: []Shape{{"*.json, *.eval", []string{"eval{model, created, task}", "samples[{id, epoch, input, choices,",
			"target, output{choices[{message{content}}]}, metadata{patient, stage}, attachments}]"}}}},
		licence:   licence("of each data set", "https://inspect.aisi.org.uk", false),
		asks:      true,
		container: "samples",
		needs:     [][]string{{"@samples", "id", "input", "output"}},
		open: func(w *work) (func(row), func()) {
			cases := map[string]*held{}
			return func(r row) { w.inspect(r, cases) }, nil
		},
	}
}

// message is a turn of a log: its content is text or parts.
type message struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Reasoning string          `json:"reasoning"`
}

type contentPart struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Image     json.RawMessage `json:"image"`
	Reasoning string          `json:"reasoning"`
	ImageURL  json.RawMessage `json:"image_url"`
}

// parts takes a content apart.
func parts(raw json.RawMessage) (out []contentPart) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []contentPart{{Type: "text", Text: text}}
	}
	if json.Unmarshal(raw, &out) != nil {
		return nil
	}
	return out
}

// attached puts what a sample keeps apart in the place of its name.
func attached(s string, attachments map[string]string) string {
	if name, ok := strings.CutPrefix(s, "attachment://"); ok {
		return attachments[name]
	}
	return s
}

func (w *work) inspect(r row, cases map[string]*held) {
	attachments := map[string]string{}
	r.into("attachments", &attachments)
	id := r.key("id")
	h := cases[id]
	if h == nil {
		h = w.inspectCase(r, id, attachments)
		cases[id] = h
	}
	var output struct {
		Model   string `json:"model"`
		Choices []struct {
			Message message `json:"message"`
		} `json:"choices"`
		Time float64 `json:"time"`
	}
	if !r.into("output", &output) || len(output.Choices) == 0 {
		w.note(r, "output", "sample %s has no answer", shorten(id))
		return
	}
	s := said{q: &h.c.Questions[0]}
	answer := output.Choices[0].Message
	s.reasoning = answer.Reasoning
	for _, p := range parts(answer.Content) {
		s.text += attached(p.Text, attachments)
		if p.Reasoning != "" {
			s.reasoning = strings.TrimSpace(s.reasoning + "\n" + attached(p.Reasoning, attachments))
		}
	}
	model := output.Model
	if model == "" {
		model = r.headText("eval", "model")
	}
	a := w.reply(r, 1, s)
	if output.Time > 0 && output.Time < 1e7 {
		a.Seconds = output.Time
	}
	w.chain(r, h.c, made{model: model, name: r.key("epoch"), seconds: a.Seconds, at: utc(r.headText("eval", "created"))}, a)
}

// inspectCase makes a case of a sample.
func (w *work) inspectCase(r row, id string, attachments map[string]string) *held {
	var about map[string]json.RawMessage
	r.into("metadata", &about)
	meta := func(names ...string) string {
		for _, n := range names {
			if v := textOf(about[n]); v != "" {
				return trimmed(v)
			}
		}
		return ""
	}
	d := w.draft(r, id, "inspect", id)
	d.patient(meta("patient", "patient_id", "subject_id"), meta("study", "study_id"))
	var turns []message
	text := ""
	if !r.into("input", &turns) {
		text = attached(r.text("input"), attachments)
	}
	for _, t := range turns {
		if t.Role != "user" {
			continue
		}
		for _, p := range parts(t.Content) {
			if p.Type == "text" {
				text = strings.TrimSpace(text + "\n" + attached(p.Text, attachments))
			}
			for _, at := range []json.RawMessage{p.Image, p.ImageURL} {
				d.image(attached(pathIn(at), attachments), meta("modality"))
			}
		}
	}
	q := d.ask("q", meta("stage", "level"), text, options(r.list("choices")...))
	d.gold(q, strings.Join(r.list("target"), ", "))
	return d.done(id)
}

// pathIn gives the path that a picture is named by: text, or an object with a url.
func pathIn(raw json.RawMessage) string {
	var object struct{ URL string }
	if s := textOf(raw); s != "" {
		return s
	}
	if json.Unmarshal(raw, &object) != nil {
		return ""
	}
	return object.URL
}
