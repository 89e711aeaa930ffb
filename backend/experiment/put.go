package experiment

import (
	"encoding/json"

	"plumbline/backend/model"
	"plumbline/backend/review"
)

// profiled is a model that says for itself how a prompt is put to it and how its reply is read: one behind a profile.
type profiled interface {
	Put(p model.Prompt, f model.Form) (string, error)
	Read(q review.Question, number int, sent []model.Sent, f model.Form, r model.Reply) (review.Answer, []string)
}

// put writes a prompt for a model, that asks for an answer of a form.
func (a Asked) put(p model.Prompt, f model.Form) (string, error) {
	if m, ok := a.Model.(profiled); ok {
		return m.Put(p, f)
	}
	return p.Text(), nil
}

// readReply reads what a model said to a question, of which the number counts from 1.
func (a Asked) readReply(q review.Question, number int, f model.Form, reply model.Reply, sent []model.Sent) review.Answer {
	m, ok := a.Model.(profiled)
	if !ok {
		return read(q, reply, sent)
	}
	answer, _ := m.Read(q, number, sent, f, reply)
	return answer
}

// rawReply is a reply as it came, kept beside the answer that was read from it.
type rawReply struct {
	Raw      []byte      `json:"raw"`
	Flags    []string    `json:"flags,omitempty"`
	Finish   string      `json:"finish,omitempty"`
	Usage    model.Usage `json:"usage"`
	Model    string      `json:"model,omitempty"`
	Revision string      `json:"revision,omitempty"`
	Attempts int         `json:"attempts"`
}

// rawNotes is the run under which the replies of a run are kept: apart, so that they are not read when it goes on.
func rawNotes(run string) string { return run + "/raw" }

// rawOf writes a reply as it is kept; nil where there is no raw body: what a control says can be made again.
func rawOf(r model.Reply) ([]byte, error) {
	if len(r.Raw) == 0 {
		return nil, nil
	}
	return json.Marshal(rawReply{r.Raw, r.Flags, r.Finish, r.Usage, r.Model, r.Revision, r.Attempts})
}
