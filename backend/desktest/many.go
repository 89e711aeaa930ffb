package desktest

import (
	"fmt"
	"path/filepath"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/review"
)

// Many gives a study of n cases "case-001" …, two to a patient, each without images, with two questions and two chains of three steps.
func Many(t testing.TB, n int) *Study {
	t.Helper()
	s := &Study{T: t, home: t.TempDir(), desk: map[string]*desk.Desk{}, afar: map[string]*afar{}}
	s.Data = filepath.Join(s.home, "data")
	s.Grow(n)
	return s
}

// Grow writes the dataset anew with n cases: those before stay as they were. A desk sees it once it starts again.
func (s *Study) Grow(n int) {
	s.T.Helper()
	writeJSON(s.T, filepath.Join(s.Data, "dataset.json"), review.Dataset{Schema: review.DatasetSchema, Name: "many", Version: "1", ClusterKey: "patient"})
	var cases, chains [][]byte
	for i := range n {
		id := review.CaseID(fmt.Sprintf("case-%03d", i+1))
		cases = append(cases, encode(s.T, review.Case{
			Schema: review.CaseSchema, ID: id, Patient: review.PatientID(fmt.Sprintf("p%d", i/2+1)), Images: []review.Image{}, FramesShown: []int{},
			Questions: []review.Question{question("q1", 1, "Findings"), question("q2", 2, "Impression")},
		}))
		for _, name := range []string{"x", "y"} {
			c := chain(review.ChainID(fmt.Sprintf("%s%03d", name, i+1)), id)
			for j := range c.Answers {
				for k := range c.Answers[j].Steps {
					c.Answers[j].Steps[k].Regions = []review.Region{}
				}
			}
			chains = append(chains, encode(s.T, c))
		}
	}
	write(s.T, filepath.Join(s.Data, "cases.jsonl"), cases)
	write(s.T, filepath.Join(s.Data, "chains", "all.jsonl"), chains)
}

// Rules gives a fully crossed protocol with these readers, to be changed and set.
func Rules(readers ...review.ReaderID) review.Protocol {
	p := review.DefaultProtocol()
	p.Seed = 7
	for _, code := range readers {
		p.Readers = append(p.Readers, review.ProtocolReader{Code: code, Role: review.RoleReader})
	}
	return p
}

// Set makes p the protocol.
func (p *Person) Set(rules review.Protocol) *Person {
	p.study.T.Helper()
	if _, err := p.Desk.SetProtocol(p.study.T.Context(), encode(p.study.T, rules)); err != nil {
		p.study.T.Fatal(err)
	}
	return p
}

// Assign assigns by the protocol.
func (p *Person) Assign() desk.Standing {
	p.study.T.Helper()
	s, err := p.Desk.Assign(p.study.T.Context())
	if err != nil {
		p.study.T.Fatal(err)
	}
	return s
}

// Worklist gives the person's lines.
func (p *Person) Worklist() []desk.CaseRow {
	p.study.T.Helper()
	rows, err := p.Desk.Cases(p.study.T.Context())
	if err != nil {
		p.study.T.Fatal(err)
	}
	return rows
}
