package model

import "plumbline/backend/review"

// Put writes the prompt of a question as the profile has it put: by its template and form, with boxes by its convention.
func (e *Endpoint) Put(p Prompt) (string, error) {
	return e.template.Text(p, e.profile.Form, e.profile.Boxes)
}

// Read takes a reply to a prompt of Put apart. number is the question's place in its chain, from 1; sent are the pictures before they were
// fitted to the profile's form.
func (e *Endpoint) Read(q review.Question, number int, sent []Sent, r Reply) (review.Answer, []string) {
	fitted := make([]Sent, len(sent))
	for i, s := range sent {
		s.Columns, s.Rows = e.profile.Image.Size(s.Columns, s.Rows)
		fitted[i] = s
	}
	return Expect{Question: q, Number: number, Sent: fitted, Boxes: e.profile.Boxes, Form: e.profile.Form}.Interpret(r)
}
