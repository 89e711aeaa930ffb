package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// The files of our own format.
const (
	infoFile     = "dataset.json"
	casesFile    = "cases.jsonl"
	truthFile    = "truth.jsonl"
	chainsFolder = "chains"
	originsFile  = "manifest.jsonl"
)

// record is where one line of a file of the dataset lies.
type record struct {
	File   string `json:"f"` // relative, with forward slashes
	Line   int    `json:"n"`
	Offset int64  `json:"o"`
	Length int    `json:"l"`
}

// loadInfo gives what dataset.json says; without one the folder's name serves.
func loadInfo(dir string, t *troubles) review.Dataset {
	info := review.Dataset{Schema: review.DatasetSchema, Name: filepath.Base(dir)}
	b, err := loadSmall(filepath.Join(dir, infoFile))
	switch {
	case os.IsNotExist(err):
		t.addf("", infoFile, 0, "", "file not found; the dataset's name, licence and stage pack expected")
	case err != nil:
		t.addf("", infoFile, 0, "", "cannot be read: %s", cause(err))
	default:
		found, err := review.RestoreDataset(b)
		if err != nil {
			t.addf("", infoFile, 0, fieldOf(err), "%v", err)
			break
		}
		if found.Name == "" {
			found.Name = info.Name
		}
		info = found
	}
	if info.Languages == nil {
		info.Languages = []string{}
	}
	if info.StagePack.Stages == nil {
		info.StagePack.Stages = []review.Stage{}
	}
	for i := range info.StagePack.Stages {
		if s := &info.StagePack.Stages[i]; s.Categories == nil {
			s.Categories = []string{}
		}
	}
	if info.ClusterKey == "" {
		info.ClusterKey = "patient"
	}
	return info
}

// loadSmall gives a file of at most review.MaxRecord bytes.
func loadSmall(name string) ([]byte, error) {
	f, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, review.MaxRecord+1))
	if err == nil && len(b) > review.MaxRecord {
		err = fmt.Errorf("more than %d bytes", review.MaxRecord)
	}
	return b, err
}

// openRegular opens a regular file: a pipe or a device would never end.
func openRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	return os.Open(name)
}

// fieldOf names the field of a record that has the wrong type, "" when err is about something else.
func fieldOf(err error) string {
	var f *review.FieldError
	if errors.As(err, &f) {
		return f.Field
	}
	return ""
}

// A batch of lines is parsed on all processors before the next is read: so many lines, or bytes, at the most.
const (
	batchLines = 256
	batchBytes = 4 << 20
)

// parsed is one line on its way.
type parsed[T any] struct {
	at   record
	text []byte
	v    T
	err  error
}

// eachRecord streams a JSONL file of the dataset from its beginning: see eachRecordFrom.
func eachRecord[T any](ctx context.Context, dir, file string, t *troubles, restore func([]byte) (T, error), f func(record, T)) error {
	return eachRecordFrom(ctx, dir, file, grown{}, t, restore, f)
}

// eachRecordFrom streams a JSONL file of the dataset from where it has grown. Lines are restored on all processors, so restore must not change anything; f gets every record
// in the order of the file, one at a time. Lines that are no record become problems. An error is the file's or the context's.
func eachRecordFrom[T any](ctx context.Context, dir, file string, from grown, t *troubles, restore func([]byte) (T, error), f func(record, T)) error {
	in, err := openRegular(filepath.Join(dir, filepath.FromSlash(file)))
	if err != nil {
		return err
	}
	defer in.Close()
	if _, err := in.Seek(from.from, io.SeekStart); err != nil {
		return err
	}
	var held []parsed[T]
	bytesHeld := 0
	flush := func() error {
		err := eachParallel(ctx, len(held), func(i int) { held[i].v, held[i].err = restore(held[i].text) }, func(int) {})
		if err != nil {
			return err
		}
		for _, p := range held {
			if p.err != nil {
				t.addf("", file, p.at.Line, fieldOf(p.err), "%v", p.err)
				continue
			}
			f(p.at, p.v)
		}
		held, bytesHeld = held[:0], 0
		return nil
	}
	for l := newLines(in).after(from); ; {
		next, err := l.next()
		if errors.Is(err, io.EOF) {
			return flush()
		}
		if err != nil {
			failed := flush()
			t.addf("", file, l.number+1, "", "cannot be read on from here: %s", cause(err))
			return failed
		}
		if next.long {
			if err := flush(); err != nil {
				return err
			}
			t.addf("", file, next.number, "", "a record has at most %d bytes, this one has more", review.MaxRecord)
			continue
		}
		held = append(held, parsed[T]{at: record{file, next.number, next.offset, len(next.bytes)}, text: bytes.Clone(next.bytes)})
		if bytesHeld += len(next.bytes); len(held) >= batchLines || bytesHeld >= batchBytes {
			if err := flush(); err != nil {
				return err
			}
		}
	}
}

// load gives the bytes of one record again.
func (s *Set) load(r record) ([]byte, error) {
	name := filepath.Join(s.root.dir, filepath.FromSlash(r.File))
	f, err := openRegular(name)
	if err != nil {
		return nil, fault.In("load record", r.File, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fault.In("load record", r.File, err)
	}
	if was, known := s.sources[r.File]; known && was != stampOf(info) {
		return nil, fault.New(fault.Invalid, "load record", r.File, "the file was changed since the dataset was opened; open it again")
	}
	b := make([]byte, r.Length)
	if _, err := f.ReadAt(b, r.Offset); err != nil {
		return nil, fault.New(fault.Damaged, "load record", fmt.Sprintf("%s line %d", r.File, r.Line), "%v", err)
	}
	return b, nil
}

// idFault says why an id cannot be one, or "". Ids stand in addresses, file names and logs.
func idFault(id string) string {
	switch {
	case id == "":
		return "missing; an id expected"
	case len(id) > 200:
		return "an id has at most 200 bytes"
	case id != strings.TrimSpace(id):
		return "an id has no space around it"
	case id == "." || id == "..":
		return "an id is more than dots"
	}
	for _, r := range id {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return "an id has no control characters and is valid UTF-8"
		}
	}
	return ""
}

// checkCase notes what is wrong inside one case, apart from its images' files. It changes nothing.
func checkCase(c review.Case, at record, pack review.StagePack, t *troubles) {
	note := func(field, format string, args ...any) {
		t.addf(c.ID, at.File, at.Line, field, "case %s: %s", c.ID, fmt.Sprintf(format, args...))
	}
	images := map[review.ImageID]bool{}
	for i, m := range c.Images {
		field := fmt.Sprintf("images[%d]", i)
		if f := idFault(string(m.ID)); f != "" {
			note(field+".id", "%s", f)
		} else if images[m.ID] {
			note(field+".id", "image %s stands twice; the first is used", m.ID)
		}
		images[m.ID] = true
		if m.Kind != review.SingleImage && m.Kind != review.FrameSet && m.Kind != review.Volume {
			note(field+".kind", "%q found; image, frames or volume expected", m.Kind)
		}
		if m.Path == "" && m.Series == "" {
			note(field, "neither path nor series; one of them expected")
		}
	}
	for i, m := range c.Images {
		if m.DerivedFrom == "" && (m.Intervention == review.Removed || m.Intervention == review.Inserted) {
			note(fmt.Sprintf("images[%d].derived_from", i), "missing; intervention %q names the counterpart of another image of this case", m.Intervention)
		}
		if m.DerivedFrom != "" && (!images[m.DerivedFrom] || m.DerivedFrom == m.ID) {
			note(fmt.Sprintf("images[%d].derived_from", i), "%q is no other image of this case", m.DerivedFrom)
		}
	}
	stages := map[int]bool{}
	for _, s := range pack.Stages {
		stages[s.K] = true
	}
	asked := map[review.QuestionID]bool{}
	for i, q := range c.Questions {
		field := fmt.Sprintf("questions[%d]", i)
		if f := idFault(string(q.ID)); f != "" {
			note(field+".id", "%s", f)
		} else if asked[q.ID] {
			note(field+".id", "question %s stands twice", q.ID)
		}
		asked[q.ID] = true
		if q.K < 1 || len(stages) > 0 && !stages[q.K] {
			note(field+".k", "stage %d is not in the stage pack", q.K)
		}
		checkOptions(q, field, note)
	}
	for i, q := range c.Questions {
		for j, p := range q.Parents {
			if !asked[p] || p == q.ID {
				note(fmt.Sprintf("questions[%d].parents[%d]", i, j), "%q is no other question of this case", p)
			}
		}
	}
}

func checkOptions(q review.Question, field string, note noted) {
	letters := map[string]bool{}
	for j, o := range q.Options {
		at := fmt.Sprintf("%s.options[%d].letter", field, j)
		switch {
		case o.Letter == "":
			note(at, "missing; a letter expected")
		case letters[o.Letter]:
			note(at, "letter %s stands twice", o.Letter)
		}
		letters[o.Letter] = true
	}
	if len(q.Options) == 1 {
		note(field+".options", "one option is no choice; none or at least two expected")
	}
}

// isOption says whether an answer is the letter or the text of an option; with no options every answer is.
func isOption(q review.Question, answer string) bool {
	for _, o := range q.Options {
		if strings.EqualFold(o.Letter, strings.TrimSpace(answer)) || strings.EqualFold(strings.TrimSpace(o.Text), strings.TrimSpace(answer)) {
			return true
		}
	}
	return len(q.Options) == 0
}
