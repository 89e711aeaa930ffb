package formats

import (
	"maps"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// helmFormat reads HELM's scenario_state.json. A perturbed instance is in one group with the instance that it was made of.
func helmFormat() format {
	return format{
		Format: Format{Name: "helm", Title: "HELM run", Cluster: "image", Files: []Shape{{"scenario_state.json", []string{"request_states[{instance{input{text, multimedia_content}, references,",
			"split, id, perturbation}, output_mapping, request{model}, result{completions[{text, logprob}]}}]"}}}},
		licence:   licence("of each scenario", "https://github.com/stanford-crfm/helm", false),
		asks:      true,
		container: "request_states",
		needs:     [][]string{{"@request_states", "instance", "result"}},
		open: func(w *work) (func(row), func()) {
			cases := map[string]*held{}
			return func(r row) { w.helm(r, cases) }, nil
		},
	}
}

type helmInstance struct {
	Input struct {
		Text       string `json:"text"`
		Multimedia struct {
			Objects []struct {
				Kind     string `json:"content_type"`
				Text     string `json:"text"`
				Location string `json:"location"`
			} `json:"media_objects"`
		} `json:"multimedia_content"`
	} `json:"input"`
	References []struct {
		Output struct {
			Text string `json:"text"`
		} `json:"output"`
		Tags []string `json:"tags"`
	} `json:"references"`
	ID           string `json:"id"`
	Perturbation *struct {
		Name string `json:"name"`
	} `json:"perturbation"`
}

func (w *work) helm(r row, cases map[string]*held) {
	var in helmInstance
	if !r.into("instance", &in) {
		w.note(r, "instance", "an instance with an input expected")
		return
	}
	perturbed := ""
	if in.Perturbation != nil {
		perturbed = in.Perturbation.Name
	}
	key := in.ID + "\x00" + perturbed
	h := cases[key]
	if h == nil {
		h = w.helmCase(r, in, perturbed)
		cases[key] = h
	}
	var request struct{ Model string }
	r.into("request", &request)
	var result struct {
		Completions []struct{ Text string }
		Time        float64 `json:"request_time"`
	}
	if !r.into("result", &result) || len(result.Completions) == 0 {
		w.note(r, "result", "instance %s has no completion", shorten(in.ID))
		return
	}
	a := w.reply(r, 1, said{q: &h.c.Questions[0], text: result.Completions[0].Text})
	if result.Time > 0 && result.Time < 1e7 {
		a.Seconds = result.Time
	}
	w.chain(r, h.c, made{model: request.Model, name: r.key("train_trial_index"), seconds: a.Seconds}, a)
}

func (w *work) helmCase(r row, in helmInstance, perturbed string) *held {
	d := w.draft(r, in.ID, "helm", in.ID, perturbed)
	text := in.Input.Text
	for _, m := range in.Input.Multimedia.Objects {
		if strings.HasPrefix(m.Kind, "image") {
			d.image(m.Location, "")
		}
		if m.Text != "" {
			text = strings.TrimSpace(text + "\n" + m.Text)
		}
	}
	d.c.Group = groupOf("helm", in.ID)
	if perturbed != "" {
		d.c.Level = "sentence"
	}
	mapping := map[string]string{}
	r.into("output_mapping", &mapping)
	opts := []review.Option{}
	for _, letter := range slices.Sorted(maps.Keys(mapping)) {
		if len(opts) < maxOptions {
			opts = append(opts, review.Option{Letter: letter, Text: trimmed(mapping[letter])})
		}
	}
	if len(opts) < 2 {
		opts = []review.Option{}
	}
	q := d.ask("q", "", text, opts)
	var right []string
	for _, ref := range in.References {
		if slices.Contains(ref.Tags, "correct") {
			right = append(right, ref.Output.Text)
		}
	}
	if len(opts) == 0 && len(right) > 1 {
		right = right[:1] // any of them is right; one is kept
	}
	d.gold(q, strings.Join(right, ", "))
	return d.done(in.ID)
}
