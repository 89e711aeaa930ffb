package formats

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// What is looked at to find records in a folder.
const (
	mostFolders = 400
	mostFiles   = 400
	mostDepth   = 4
)

// endings are those of files that may hold records.
var endings = []string{".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".xlsx", ".eval", ".imrmc", ".txt", ".parquet"}

// Find finds the files of records below a folder, or in the one file that is named: those at the depth at which the first is met. format, where it
// is not "", keeps those of that format. Problems are files that are never read, such as pickles.
func Find(ctx context.Context, files fs.FS, only, format string) (map[string]string, []review.Problem) {
	problems := []review.Problem{}
	if only != "" {
		out := map[string]string{}
		if name := sniff(ctx, files, only, format); name != "" {
			out[only] = name
		}
		if p, bad := refused(only); bad {
			problems = append(problems, p)
		}
		return out, problems
	}
	level, folders, looked := []string{"."}, 0, 0
	for depth := 0; depth < mostDepth && len(level) > 0; depth++ {
		out := map[string]string{}
		var next []string
		var bad []review.Problem
		for _, dir := range level {
			if folders++; folders > mostFolders || ctx.Err() != nil {
				break
			}
			entries, err := fs.ReadDir(files, dir)
			if err != nil {
				continue
			}
			for _, e := range entries {
				name := path.Join(dir, e.Name())
				switch {
				case strings.HasPrefix(e.Name(), "."):
				case e.IsDir():
					next = append(next, name)
				case slices.Contains(endings, recordsEnding(name)) && looked < mostFiles:
					looked++
					if f := sniff(ctx, files, name, format); f != "" {
						out[name] = f
					}
				default:
					if p, is := refused(name); is {
						bad = append(bad, p)
					}
				}
			}
		}
		if len(out) > 0 {
			return out, append(problems, bad...)
		}
		level = next
	}
	return map[string]string{}, problems
}

// refused says why a file is never read.
func refused(name string) (review.Problem, bool) {
	switch recordsEnding(name) {
	case ".pkl", ".pickle":
		return review.Problem{File: name, Text: "a pickle is a program and is not opened: save the table as xlsx, tsv or json"}, true
	}
	return review.Problem{}, false
}

// Refused gives the fault of a file that is never read, nil for another.
func Refused(name string) error {
	if p, is := refused(name); is {
		return fault.New(fault.Invalid, "import", name, "%s", p.Text)
	}
	return nil
}

// sniff finds the format of a file by the fields of its first record; "" where it is of none, or not of the one that is wanted.
func sniff(ctx context.Context, files fs.FS, name, want string) (found string) {
	defer func() {
		if recover() != nil { // a library's, on a file made to hurt it: it is of no format
			found = ""
		}
	}()
	if !slices.Contains(endings, recordsEnding(name)) {
		return ""
	}
	w := newWork(ctx, Source{Files: files}, Sink{})
	fields := map[string]bool{}
	text := ""
	w.rows(name, anyContainer, func(r row) bool {
		for f := range maps.Keys(r.fields) {
			fields[f] = true
		}
		for f := range maps.Keys(r.cells) {
			fields[f] = true
		}
		if c := r.headText("@container"); c != "" {
			fields["@"+c] = true
		}
		text = r.cells[""]
		return false
	})
	if text != "" {
		fields = map[string]bool{}
		if isIMRMC(text) {
			fields["@imrmc"] = true
		}
	}
	for _, f := range registered() {
		if (want == "" || want == f.Name) && f.fits(fields) {
			return f.key()
		}
	}
	return ""
}

// fits says whether a record with these fields may be of a format.
func (f format) fits(fields map[string]bool) bool {
	for _, n := range f.never {
		if fields[n] {
			return false
		}
	}
	return slices.ContainsFunc(f.needs, func(set []string) bool {
		return !slices.ContainsFunc(set, func(n string) bool { return !fields[n] })
	})
}

// Expected says in words what a format needs.
func Expected(name string) string {
	f, known := formatOf(name)
	if !known {
		return ""
	}
	var sets []string
	for _, s := range f.needs {
		sets = append(sets, strings.Join(s, ", "))
	}
	return fmt.Sprintf("records with %s", strings.Join(sets, "; or "))
}
