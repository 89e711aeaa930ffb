package formats

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"path"
	"slices"

	"plumbline/backend/review"
)

// Join says what records leave out, by their ids: whose patient they are, of which study, which picture they are of.
type Join struct {
	File string // its name in problems
	rows map[string]*joined
}

type joined struct {
	line                  int
	patient, study, image string
	used                  bool
}

// joinFields are the columns of such a table; id and one of the others are needed.
var joinFields = []string{"id", "patient", "study", "image"}

// JoinFields lists the columns of a table for Join.
func JoinFields() []string { return slices.Clone(joinFields) }

// ReadJoin reads such a table: CSV, or TSV by its name. Problems name the row.
func ReadJoin(name string, r io.Reader) (*Join, []review.Problem) {
	j := &Join{File: path.Base(name), rows: map[string]*joined{}}
	var problems []review.Problem
	note := func(line int, field, text string) {
		problems = append(problems, review.Problem{File: j.File, Line: line, Field: field, Text: text})
	}
	in := bufio.NewReaderSize(io.LimitReader(r, maxInflated), 64<<10)
	if b, _ := in.Peek(3); bytes.Equal(b, []byte("\xef\xbb\xbf")) {
		in.Discard(3)
	}
	comma := '\t'
	if recordsEnding(name) != ".tsv" {
		comma = commaOf(in)
	}
	t := tableReader(&counting{r: in, left: maxInflated}, comma)
	header, err := t.Read()
	names := plainNames(header)
	if err != nil || !slices.Contains(names, "id") || !slices.ContainsFunc(names, func(n string) bool { return n != "id" && slices.Contains(joinFields, n) }) {
		note(1, "", "a row of names expected: id and one or more of patient, study, image")
		return j, problems
	}
	for {
		cells, err := t.Read()
		if errors.Is(err, io.EOF) {
			return j, problems
		}
		line, _ := t.FieldPos(0)
		if err != nil {
			note(line, "", "cannot be read on from here: "+tableWords(err))
			return j, problems
		}
		v := map[string]string{}
		for i, c := range cells {
			if i < len(names) {
				v[names[i]] = trimmed(c)
			}
		}
		id := numeral(v["id"])
		switch {
		case id == "":
			note(line, "id", "missing; the id of a record expected")
		case j.rows[id] != nil:
			note(line, "id", "id "+id+" stands twice; the first row is used")
		default:
			j.rows[id] = &joined{line: line, patient: v["patient"], study: v["study"], image: v["image"]}
		}
	}
}

// of finds the row of a record by any of its names.
func (j *Join) of(names ...string) *joined {
	if j == nil {
		return nil
	}
	for _, n := range names {
		if got := j.rows[numeral(n)]; n != "" && got != nil {
			got.used = true
			return got
		}
	}
	return nil
}

// unused lists the rows that no record asked for.
func (j *Join) unused() (out []review.Problem) {
	if j == nil {
		return nil
	}
	for id, r := range j.rows {
		if !r.used {
			out = append(out, review.Problem{File: j.File, Line: r.line, Field: "id", Text: "case " + id + " is not in these records"})
		}
	}
	slices.SortFunc(out, func(a, b review.Problem) int { return a.Line - b.Line })
	return out
}
