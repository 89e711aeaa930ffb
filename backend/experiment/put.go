package experiment

import (
	"bytes"
	"encoding/json"
	"image"

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
func (a Asked) readReply(q review.Question, number int, f model.Form, reply model.Reply, of review.ImageID, images []model.Image, frames int) review.Answer {
	m, ok := a.Model.(profiled)
	if !ok {
		return read(q, reply, of, len(images), frames)
	}
	answer, _ := m.Read(q, number, sentOf(of, images, frames), f, reply)
	return answer
}

// sentOf tells of the pictures that were sent which frames of the image they are. Where only some of several frames were sent it is not known
// which, and no place in them counts.
func sentOf(of review.ImageID, images []model.Image, frames int) []model.Sent {
	if of == "" || frames > 1 && len(images) != frames {
		return nil
	}
	var out []model.Sent
	for n, i := range images {
		size, _, err := image.DecodeConfig(bytes.NewReader(i.Bytes))
		if err != nil {
			return nil
		}
		s := model.Sent{Image: of, Whole: frames <= 1, Columns: size.Width, Rows: size.Height}
		if frames > 1 {
			s.Frame = &n
		}
		out = append(out, s)
	}
	return out
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
