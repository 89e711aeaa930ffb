package model

import (
	"embed"
	"errors"
	"io/fs"
	"strings"
	"text/template"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

//go:embed templates/*.tmpl
var shippedTemplates embed.FS

// Template writes prompts. It is data: the text of a Go text/template over the fields of Prompt and .Form, the sentence that says how the
// answer is to look. A study may bring its own; Digest says which one wrote a prompt.
type Template struct {
	Name   string
	Source string
	Digest review.Digest
	parsed *template.Template
}

// mostPrompt is the length of a prompt in bytes at most.
const mostPrompt = 4 << 20

// ParseTemplate reads a template and tries it on a question; the error says where it is wrong.
func ParseTemplate(name, source string) (Template, error) {
	bad := func(err error) (Template, error) {
		return Template{}, fault.New(fault.Invalid, "read template", name, "%w", err)
	}
	if len(source) > 1<<20 {
		return bad(errors.New("it is longer than 1 MB"))
	}
	parsed, err := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{"decimal": decimal}).Parse(source)
	if err != nil {
		return bad(err)
	}
	t := Template{Name: name, Source: source, Digest: review.DigestOf([]byte(source)), parsed: parsed}
	trial := Prompt{Question: "What is the impression?", Stage: "S4", Options: []Option{{"A", "First of two"}, {"B", "Second of two"}}}
	text, err := t.Text(trial, FormSteps, review.BoxConvention{})
	if err != nil {
		return bad(err)
	}
	for _, must := range []string{trial.Question, "First of two", "Second of two"} {
		if !strings.Contains(text, must) {
			return bad(errors.New("a prompt must hold the question and the text of every option"))
		}
	}
	return t, nil
}

// Templates gives the templates that come with the program, by name. "staged" writes what Prompt.Text writes: the control models read it.
func Templates() ([]Template, error) {
	var out []Template
	err := fs.WalkDir(shippedTemplates, "templates", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := shippedTemplates.ReadFile(path)
		if err != nil {
			return err
		}
		t, err := ParseTemplate(strings.TrimSuffix(d.Name(), ".tmpl"), string(b))
		out = append(out, t)
		return err
	})
	return out, err
}

const stagedTemplate = "staged"

// templateOf reads the template of a name.
func templateOf(name string) (Template, error) {
	b, err := shippedTemplates.ReadFile("templates/" + name + ".tmpl")
	if err != nil {
		return Template{}, fault.New(fault.NotFound, "find template", name, "no template of this name comes with the program")
	}
	return ParseTemplate(name, string(b))
}

// Text writes a prompt that asks for an answer of a form, with boxes by a convention.
func (t Template) Text(p Prompt, f Form, c review.BoxConvention) (string, error) {
	var b bounded
	err := t.parsed.Execute(&b, struct {
		Prompt
		Form string
	}{p, f.ask(c, len(p.Options) > 0)})
	if err != nil {
		return "", fault.New(fault.Invalid, "write prompt", t.Name, "%w", err)
	}
	return b.text.String(), nil
}

// bounded is a text that refuses to grow over the length of a prompt.
type bounded struct{ text strings.Builder }

func (b *bounded) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > mostPrompt {
		return 0, errors.New("the prompt is longer than 4 MB")
	}
	return b.text.Write(p)
}

// ask says how an answer is to look. Fractions in the JSON are what a box is without a word, so the default adds none.
func (f Form) ask(c review.BoxConvention, options bool) string {
	switch {
	case f == FormLetter && options:
		return "Answer with the letter of one option only."
	case f == FormLetter:
		return "Answer with the answer only."
	case f == FormProse && options:
		return `Explain step by step what you see. ` + askBox(c) + ` End with a line "Answer: <letter>".`
	case f == FormProse:
		return `Explain step by step what you see. ` + askBox(c) + ` End with a line "Answer: <answer>".`
	}
	line := formLine
	if !options {
		line = strings.Replace(line, "<letter>", "<answer>", 1)
	}
	if (c != review.BoxConvention{} && c != review.BoxConvention{Space: review.SpaceUnit, Order: "xyxy"}) {
		line += "\n" + askBox(c)
	}
	return line
}

// PromptDigest names the text of a prompt.
func PromptDigest(r Request) review.Digest { return review.DigestOf([]byte(r.Prompt)) }
