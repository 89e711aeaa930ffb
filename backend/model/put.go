package model

import "plumbline/backend/review"

// Put writes the prompt of a question as the profile has it put: by its template, with boxes by its convention. FormSteps stands for the
// form of the profile.
func (e *Endpoint) Put(p Prompt, f Form) (string, error) {
	return e.template.Text(p, or(f, e.profile.Form), e.profile.Boxes)
}

// Read takes a reply to a prompt of Put in the same form apart. number is the question's place in its chain, from 1; sent are the pictures before they were
// fitted to the profile's form.
func (e *Endpoint) Read(q review.Question, number int, sent []Sent, f Form, r Reply) (review.Answer, []string) {
	fitted := make([]Sent, len(sent))
	for i, s := range sent {
		s.Columns, s.Rows = e.profile.Image.Size(s.Columns, s.Rows)
		fitted[i] = s
	}
	return Expect{Question: q, Number: number, Sent: fitted, Boxes: e.profile.Boxes, Form: or(f, e.profile.Form)}.Interpret(r)
}
