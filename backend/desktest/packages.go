package desktest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"plumbline/backend/bundle"
	"plumbline/backend/desk"
	"plumbline/backend/review"
)

// afar is somebody who works at a workstation of their own, from packages.
type afar struct {
	folders desk.Folders
	codes   map[string]string // by case: the first code under which it is read there
}

// Laptop gives a workstation of a reader of its own, on which nothing was opened yet. One reader may have several.
func (s *Study) Laptop(reader, laptop string) *Person {
	s.T.Helper()
	seat := desk.Seat{Role: desk.Reader, Reader: review.ReaderID(reader)}
	if s.afar[laptop] == nil {
		home := filepath.Join(s.home, "home of "+laptop)
		s.afar[laptop] = &afar{folders: desk.Folders{Data: home, Config: home, State: home}, codes: map[string]string{}}
		s.desk[laptop] = s.sit(laptop, seat)
	}
	return &Person{study: s, name: laptop, seat: seat, Desk: s.desk[laptop]}
}

// Away gives the workstation of a reader who has one.
func (s *Study) Away(reader string) *Person { return s.Laptop(reader, reader) }

// NewFile gives a path in the test's folder where nothing is yet.
func (s *Study) NewFile(name string) string {
	for n := 1; ; n++ {
		path := filepath.Join(s.home, strconv.Itoa(n)+"-"+name)
		if _, err := os.Stat(path); err != nil {
			return path
		}
	}
}

// HandTo takes what p, the coordinator, has for a reader to that reader's workstation, in a package. A script goes on naming cases, questions
// and steps by what the coordinator calls them.
func (p *Person) HandTo(reader *Person) *Person {
	t := p.study.T
	t.Helper()
	path := p.Pack(reader)
	if _, err := reader.Desk.OpenWork(t.Context(), path, p.study.Folder(reader.name), ""); err != nil {
		t.Fatal(err)
	}
	p.learnCodes(reader)
	return reader
}

// Pack makes a package of work for a reader's workstation.
func (p *Person) Pack(reader *Person) string {
	t := p.study.T
	t.Helper()
	keys, err := reader.Desk.Keys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	path := p.study.NewFile("work.plumb")
	if _, err := p.Desk.MakeWork(t.Context(), string(reader.seat.Reader), path, bundle.Lock{Recipients: []string{keys.Recipient}}); err != nil {
		t.Fatal(err)
	}
	return path
}

// HandBack packs what a reader said for the coordinator.
func (p *Person) HandBack() string {
	t := p.study.T
	t.Helper()
	path := p.study.NewFile("words.plumb")
	if _, err := p.Desk.MakeWords(t.Context(), path, bundle.Lock{}); err != nil {
		t.Fatal(err)
	}
	return path
}

// TakeBack merges packages of words at p, the coordinator.
func (p *Person) TakeBack(paths ...string) []desk.Merged {
	t := p.study.T
	t.Helper()
	all := []desk.Merged{}
	for _, path := range paths {
		m, err := p.Desk.Merge(t.Context(), path, "", "")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

// Folder gives the person's workspace folder.
func (p *Person) Folder() string { return p.study.Folder(p.name) }

// learnCodes finds under which codes a reader far away knows the cases.
func (p *Person) learnCodes(reader *Person) {
	t := p.study.T
	t.Helper()
	cases := map[string]string{}
	err := p.Desk.EachReading(t.Context(), "", func(e review.Event, _ []byte) error {
		if a := e.Body.Assign; a != nil && e.Reader == desk.Coordinator && a.Reader == reader.seat.Reader {
			cases[string(a.ID)] = string(a.Case)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	codes := p.study.afar[reader.name].codes
	mine, _, err := p.Desk.Protocol(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	theirs, _, err := reader.Desk.Protocol(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range theirs.Training {
		codes[string(mine.Training[i])] = string(id)
	}
	for _, row := range reader.Worklist() {
		if id := cases[row.Assignment]; id != "" && codes[id] == "" {
			codes[id] = row.ID
		}
	}
}

// called gives the name under which a person knows a case.
func (p *Person) called(id string) string {
	if a := p.study.afar[p.name]; a != nil && a.codes[id] != "" {
		return a.codes[id]
	}
	return id
}

// questionCalled finds a question of the fixtures, whose text has its id in brackets, whatever it is called here.
func questionCalled(v desk.CaseView, id review.QuestionID) review.QuestionID {
	for _, q := range v.Case.Questions {
		if strings.Contains(q.Text, fmt.Sprintf("(%s)", id)) {
			return q.ID
		}
	}
	return id
}

// stepCalled finds a step of the fixtures, which are called s1, s2 … in their order, whatever it is called here.
func stepCalled(c desk.ChainView, id review.StepID) review.StepID {
	all := []review.StepID{}
	for _, a := range c.Answers {
		for _, s := range a.Steps {
			all = append(all, s.ID)
		}
	}
	n, err := strconv.Atoi(strings.TrimPrefix(string(id), "s"))
	if err != nil || n < 1 || n > len(all) || slices.Contains(all, id) {
		return id
	}
	return all[n-1]
}

// CopyOf copies a person's workspace and sits down at the copy.
func (s *Study) CopyOf(p *Person, name string) *Person {
	s.T.Helper()
	if err := p.Desk.Close(); err != nil {
		s.T.Fatal(err)
	}
	if err := os.CopyFS(s.Folder(name), os.DirFS(s.Folder(p.name))); err != nil {
		s.T.Fatal(err)
	}
	p.Restart()
	return s.person(name, p.seat)
}
