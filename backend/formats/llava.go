package formats

import (
	"encoding/json"
	"strings"
)

// llavaFormat reads conversations as LLaVA, ShareGPT and LLaMA-Factory keep them: each pair of turns is a question and its right answer.
func llavaFormat() format {
	return format{
		Format: Format{Name: "llava", Title: "LLaVA, ShareGPT, LLaMA-Factory", Cluster: "image", Files: []Shape{{"*.json, *.jsonl", []string{"id", "image | images[]",
			"conversations[{from,value}] | messages[{role,content}]"}}}},
		licence: licence("of each data set", "", false),
		asks:    true,
		needs:   [][]string{{"conversations"}, {"conversatons"}, {"messages"}},
		never:   []string{"chosen", "kto_tag"},
		open:    plainly(llava),
	}
}

// turnOf is a turn of a conversation, in either spelling.
type turnOf struct {
	From    string          `json:"from"`
	Value   string          `json:"value"`
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"` // text, or parts
}

// said gives who speaks (human, gpt or another) and what.
func (t turnOf) said() (who, text string) {
	switch t.From + t.Role {
	case "human", "user":
		who = "human"
	case "gpt", "assistant":
		who = "gpt"
	}
	text = t.Value
	for _, p := range parts(t.Content) {
		text += p.Text
	}
	return who, strings.TrimSpace(strings.ReplaceAll(text, "<image>", ""))
}

func llava(w *work, r row) {
	var turns []turnOf
	if !r.into("conversations", &turns) && !r.into("conversatons", &turns) && !r.into("messages", &turns) {
		w.note(r, "conversations", "a list of turns expected")
		return
	}
	id := r.key("id")
	if id == "" {
		id = w.serial()
	}
	d := w.draft(r, id, "llava", id)
	images := r.list("images")
	if image := r.text("image"); image != "" {
		images = r.list("image")
	}
	for _, m := range images {
		d.image(m, "")
	}
	asked := ""
	for _, t := range turns[:min(len(turns), 2*maxOptions)] {
		who, text := t.said()
		switch {
		case who == "human":
			asked = text
		case who == "gpt" && asked != "":
			answer, _ := thinking(text)
			question, opts := embeddedOptions(asked)
			q := d.ask("q"+itoa(len(d.c.Questions)+1), "", question, opts)
			d.gold(q, answer)
			asked = ""
		}
	}
	if len(d.c.Questions) == 0 {
		w.note(r, "conversations", "a turn of a human and one of an assistant expected; left out")
		return
	}
	d.done("llava/" + id)
}

// llavaAnswersFormat reads the answers of a model to such questions, or to those of a file that is not here.
func llavaAnswersFormat() format {
	return format{
		id: "llava-answers",
		Format: Format{Name: "llava", Title: "LLaVA, ShareGPT, LLaMA-Factory", Cluster: "image", Files: []Shape{{"*.jsonl (answers)", []string{"question_id", "prompt", "text", "answer_id",
			"model_id", "metadata"}}}},
		licence: licence("of each data set", "", false),
		when:    answering,
		asks:    true,
		needs:   [][]string{{"question_id", "text", "model_id"}, {"question_id", "prompt", "text"}},
		open:    plainly(llavaAnswer),
	}
}

func llavaAnswer(w *work, r row) {
	w.keep = true
	id := r.key("question_id")
	h := w.cases["llava/"+id]
	if h == nil {
		h = w.cases[id]
	}
	if h == nil {
		d := w.draft(r, id, "llava", id)
		text, opts := embeddedOptions(strings.TrimSpace(strings.ReplaceAll(r.text("prompt"), "<image>", "")))
		d.ask("q1", "", text, opts)
		h = d.done("llava/" + id)
	}
	q := &h.c.Questions[len(h.c.Questions)-1]
	if prompt := r.text("prompt"); prompt != "" {
		for i := range h.c.Questions {
			if strings.Contains(prompt, h.c.Questions[i].Text) {
				q = &h.c.Questions[i]
				break
			}
		}
	}
	w.chain(r, h.c, made{model: r.text("model_id"), name: r.text("answer_id")}, w.reply(r, len(h.c.Questions), said{q: q, text: r.text("text")}))
}
