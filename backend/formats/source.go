package formats

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// A Source is what is read.
type Source struct {
	Files  fs.FS             // what was opened; its paths have forward slashes
	Names  map[string]string // the files of records, each with the name of its format (Find)
	Stages *Stages           // how stages of others become ours; nil: the built-in table
	Join   *Join             // what the records leave out: patients, pictures; nil: nothing
	// Size gives the size of a picture as it is stored; nil: no size is known.
	Size func(path string) (columns, rows int, ok bool)
}

// A Sink takes what is read, in the order of the files and their lines. What is nil is not wanted. A case comes before its truth and chains.
type Sink struct {
	Case    func(review.Case)
	Truth   func(review.Truth, Place)
	Chain   func(review.Chain, review.Origin, Place)
	Label   func(Label)
	Picture func(Embedded) // that lies inside a file of records; it comes before the case that shows it
	Problem func(Problem)
}

// Place is where a record stands.
type Place struct {
	File string
	Line int // from 1; the row of a table
}

// Problem is a problem and the case that it concerns, "" for none. A hidden one may tell the right answer: it is for a coordinator alone.
type Problem struct {
	review.Problem
	Case   review.CaseID
	Hidden bool
}

// Label is what somebody outside said of a step: PRM800K's -1, 0 and 1.
type Label struct {
	Chain  review.ChainID
	Step   review.StepID
	Reader string
	Value  int
	At     string // when, as it stands there
}

// Read reads all files of a source, those that bring cases before those that only answer them. The dataset says what is known of all together:
// name, licence, stages, how far identity goes. Faults: Invalid for a format that is not known, NotFound without a file, Cancelled.
func Read(ctx context.Context, src Source, sink Sink) (review.Dataset, error) {
	const op = "read records"
	if len(src.Names) == 0 {
		return review.Dataset{}, fault.New(fault.NotFound, op, "", "no file of records of a known format")
	}
	w := newWork(ctx, src, sink)
	for _, name := range w.inOrder() {
		f, known := formatOf(src.Names[name])
		if !known {
			return review.Dataset{}, fault.New(fault.Invalid, op, name, "format %q is not known", src.Names[name])
		}
		w.readFile(name, f)
		if err := ctx.Err(); err != nil {
			return review.Dataset{}, fault.In(op, name, err)
		}
	}
	w.finish()
	return w.dataset(), nil
}

// inOrder lists the files: those with cases first, then by format and name.
func (w *work) inOrder() []string {
	var names []string
	turnOf := func(name string) int {
		f, _ := formatOf(w.Names[name])
		return int(f.when)
	}
	for name := range w.Names {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(turnOf(a)-turnOf(b), strings.Compare(w.Names[a], w.Names[b]), strings.Compare(a, b))
	})
	return names
}

// readFile reads one file; what stops it is a problem of the file, and what was read before stays.
func (w *work) readFile(name string, f format) {
	w.file, w.format = name, f
	w.model = ""
	w.used[f.Name]++
	defer func() {
		if p := recover(); p != nil { // a library's, on a file made to hurt it
			w.problem(Problem{Problem: review.Problem{File: name, Text: fmt.Sprintf("cannot be read: %v", p)}})
		}
	}()
	each, end := f.open(w)
	n := 0
	err := w.rows(name, f.container, func(r row) bool {
		n++
		if n%256 == 0 && w.ctx.Err() != nil {
			return false
		}
		if n > maxRows {
			w.problem(Problem{Problem: review.Problem{File: name, Line: r.line, Text: fmt.Sprintf("more than %d records; the rest is left out", maxRows)}})
			return false
		}
		each(r)
		return true
	})
	if err != nil {
		w.problem(Problem{Problem: review.Problem{File: name, Line: err.line, Text: err.text}})
	}
	if end != nil {
		end()
	}
}

// stopped says from which line a file cannot be read on, and why.
type stopped struct {
	line int
	text string
}
