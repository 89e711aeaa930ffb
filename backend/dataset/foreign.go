package dataset

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/formats"
	"plumbline/backend/review"
)

// Other people's records (formats) are brought to our nouns as they are read. Cases and chains, which anybody may see, are remembered in the index
// like everything else; what is right and what made the chains is read from the files each time it is asked for. Originals are never changed.

// Several is the format of a folder with records of more than one.
const Several = "several"

// With says how Open takes other people's records. The zero value finds it out.
type With struct {
	Format string // of the records; "" or "auto": as their fields say
	Join   string // a table of what they leave out: id, patient, study, image; "" is none
	Stages string // a table of how their stages become ours; "" is the built-in one
}

// Formats lists by name what Open takes for records of others.
func Formats() []formats.Format { return formats.Formats() }

// foreign is what a Set knows of other people's records.
type foreign struct {
	with  With
	names map[string]string // file -> format
	found []review.Problem  // while they were looked for
}

// isForeign says whether the records are other people's.
func (s *Set) isForeign() bool { return s.format != Plumbline && s.format != Images }

// key tells whether records were read in the same way.
func (f foreign) key() string {
	var b strings.Builder
	fmt.Fprint(&b, f.with)
	for _, name := range sortedKeys(f.names) {
		fmt.Fprint(&b, "\x00", name, "\x00", f.names[name])
	}
	return b.String()
}

func sortedKeys(m map[string]string) []string {
	out := []string{}
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// lookForRecords finds records of others below the root, or in the one file that was opened.
func (s *Set) lookForRecords(with With) error {
	want := with.Format
	switch {
	case want == "auto":
		want = ""
	case want == Plumbline || want == Images:
		return nil
	}
	if s.only != "" {
		if err := formats.Refused(s.only); err != nil {
			return err
		}
	}
	dir, err := os.OpenRoot(s.root.real)
	if err != nil {
		return err
	}
	defer dir.Close()
	s.foreign = foreign{with: with}
	s.foreign.names, s.foreign.found = formats.Find(context.Background(), dir.FS(), s.only, want)
	kinds := []string{}
	for _, f := range s.foreign.names {
		if name := formats.NameOf(f); !slices.Contains(kinds, name) {
			kinds = append(kinds, name)
		}
	}
	switch len(kinds) {
	case 0:
		if want != "" {
			return fault.New(fault.Invalid, "look for records", "", "nothing of format %s: %s expected", want, formats.Expected(want))
		}
	case 1:
		s.format = kinds[0]
	default:
		s.format = Several
	}
	return nil
}

// reading gives the source of the records with its tables, and what is wrong with those.
func (s *Set) reading() (src formats.Source, problems []review.Problem, end func(), err error) {
	dir, err := os.OpenRoot(s.root.real)
	if err != nil {
		return src, nil, nil, err
	}
	end = func() { dir.Close() } // it was read from only
	src = formats.Source{Files: dir.FS(), Names: s.foreign.names, Size: s.sizeOf}
	problems = slices.Clone(s.foreign.found)
	if name := s.foreign.with.Join; name != "" {
		f, err := openRegular(name)
		if err != nil {
			end()
			return src, nil, nil, fault.In("open table", name, err)
		}
		defer f.Close()
		var wrong []review.Problem
		src.Join, wrong = formats.ReadJoin(name, f)
		problems = append(problems, wrong...)
	}
	if name := s.foreign.with.Stages; name != "" {
		b, err := os.ReadFile(name)
		if err == nil {
			if src.Stages, err = formats.RestoreStages(b); err != nil {
				err = fault.New(fault.Invalid, "open table of stages", name, "%v", err)
			}
		}
		if err != nil {
			end()
			return src, nil, nil, fault.In("open table of stages", name, err)
		}
	}
	return src, problems, end, nil
}

// sizeOf gives the size of a picture as stored, by its header alone.
func (s *Set) sizeOf(path string) (columns, rows int, ok bool) {
	if at := s.root.locate(path); at.wrong != "" || at.outside || at.info.IsDir() {
		return 0, 0, false
	}
	got := s.peek(filepath.Join(s.root.dir, filepath.FromSlash(path)))
	if !got.image {
		return 0, 0, false
	}
	return got.header.Frames[0].Columns, got.header.Frames[0].Rows, true
}

// buildForeign makes cases and chains of other people's records.
func (s *Set) buildForeign(ctx context.Context, tell review.Tell, t *troubles) error {
	for _, name := range sortedKeys(s.foreign.names) {
		s.watch(name)
	}
	for _, name := range []string{s.foreign.with.Join, s.foreign.with.Stages} {
		if rel, err := filepath.Rel(s.root.dir, name); name != "" && err == nil {
			s.watch(filepath.ToSlash(rel))
		}
	}
	src, problems, end, err := s.reading()
	if err != nil {
		return err
	}
	defer end()
	for _, p := range problems {
		t.add("", p)
	}
	b := &batch{ix: s.ix}
	want := &pictures{set: s, byKey: map[string]*picture{}}
	info, err := formats.Read(ctx, src, formats.Sink{
		Case: func(c review.Case) {
			s.take(c, record{Line: c.Source.Line}, c.Source.File, t, want)
			b.add(bucketMade, string(c.ID), encode(c))
			s.tellCount(tell, c.Source.File)
		},
		Chain: func(c review.Chain, _ review.Origin, at formats.Place) {
			s.chains[c.Case] = append(s.chains[c.Case], chainEntry{ID: c.ID, Case: c.Case, At: record{Line: at.Line}})
			s.counts.Chains++
			b.add(bucketMadeChains, string(c.ID), encode(c))
		},
		Picture: func(e formats.Embedded) {
			s.files.embed(filepath.Join(s.root.dir, filepath.FromSlash(e.Path)), embedded{s.root.real, e})
			b.add(bucketEmbedded, e.Path, encode(e))
		},
		Problem: func(p formats.Problem) {
			if !p.Hidden {
				t.add(p.Case, p.Problem)
			}
		},
	})
	if err == nil {
		err = b.flush()
	}
	if err != nil {
		return err
	}
	if len(s.order) == 0 {
		return s.noRecords(t)
	}
	s.info = info
	s.info.Name = filepath.Base(s.root.dir)
	if s.only != "" {
		s.info.Name = stem(s.only)
	}
	if err := want.scan(ctx, tell, t); err != nil {
		return err
	}
	return s.checkMadeChains(ctx, t)
}

// tellCount tells how many cases were read, now and then.
func (s *Set) tellCount(tell review.Tell, file string) {
	if n := len(s.order); n%500 == 0 {
		tell(review.Progress{Op: "cases", Done: n, Of: file})
	}
}

// noRecords says why there is no case.
func (s *Set) noRecords(t *troubles) error {
	if list := t.list(); len(list) > 0 {
		return fault.New(fault.Invalid, "look for records", s.only, "no record can be used; the first problem: %s line %d: %s", list[0].File, list[0].Line, list[0].Text)
	}
	return fault.New(fault.NotFound, "look for records", s.only, "the files of format %s hold no record", s.format)
}

// checkMadeChains notes what has no place in the cases that the chains answer.
func (s *Set) checkMadeChains(ctx context.Context, t *troubles) error {
	for _, id := range s.order {
		if len(s.chains[id]) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		c, err := s.Case(id)
		if err != nil {
			return err
		}
		for _, e := range s.chains[id] {
			chain, err := s.chainAt(e)
			if err != nil {
				return err
			}
			mendChain(chain, c, s.cases[id].frameCounts(), func(field, format string, args ...any) {
				t.addf(id, c.Source.File, e.At.Line, field, "chain of case %s: %s", id, fmt.Sprintf(format, args...))
			})
		}
	}
	return nil
}

// chainAt gives a chain as it was read.
func (s *Set) chainAt(e chainEntry) (review.Chain, error) {
	var b []byte
	var err error
	if e.At.File != "" {
		b, err = s.load(e.At)
	} else if b, err = s.ix.Get(bucketMadeChains, string(e.ID)); err == nil && b == nil {
		err = fault.New(fault.Damaged, "look up in index", string(e.ID), "the index does not hold it; delete index.db and open again")
	}
	if err != nil {
		return review.Chain{}, fault.In("open chain", string(e.ID), err)
	}
	chain, err := review.RestoreChain(b)
	if err != nil {
		return review.Chain{}, fault.New(fault.Damaged, "open chain", string(e.ID), "%v", err)
	}
	return chain, nil
}

// foreignTruth reads what is right from other people's records.
func (s *Set) foreignTruth(ctx context.Context) ([]review.Truth, []review.Problem, error) {
	src, _, end, err := s.reading()
	if err != nil {
		return nil, nil, err
	}
	defer end()
	var t troubles
	out := []review.Truth{}
	_, err = formats.Read(ctx, src, formats.Sink{
		Truth: func(v review.Truth, at formats.Place) {
			c, err := s.Case(v.Case)
			if err != nil {
				t.addf(v.Case, at.File, at.Line, "", "%v", err)
				return
			}
			note := func(field, format string, args ...any) { t.addf(v.Case, at.File, at.Line, field, format, args...) }
			if mendTruth(&v, c, s.cases[v.Case].frameCounts(), note) {
				out = append(out, v)
			}
		},
		Problem: func(p formats.Problem) {
			if p.Hidden {
				t.add(p.Case, p.Problem)
			}
		},
	})
	return out, plain(t.list()), fault.In("load truth", s.root.dir, err)
}

// foreignOrigins reads what made the chains of other people's records.
func (s *Set) foreignOrigins(ctx context.Context) ([]review.Origin, []review.Problem, error) {
	if len(s.chains) == 0 { // the records need not be read again
		return []review.Origin{}, []review.Problem{}, nil
	}
	src, _, end, err := s.reading()
	if err != nil {
		return nil, nil, err
	}
	defer end()
	out := []review.Origin{}
	_, err = formats.Read(ctx, src, formats.Sink{Chain: func(_ review.Chain, o review.Origin, _ formats.Place) { out = append(out, o) }})
	return out, []review.Problem{}, fault.In("load origins", s.root.dir, err)
}

// embedded is a picture inside a file of records.
type embedded struct {
	dir string // that its path is relative to
	at  formats.Embedded
}

// open unpacks the picture.
func (e embedded) open() (dcm.Opened, error) {
	dir, err := os.OpenRoot(e.dir)
	if err != nil {
		return dcm.Opened{}, err
	}
	defer dir.Close()
	b, err := e.at.Open(dir.FS())
	if err != nil {
		return dcm.Opened{}, err
	}
	return dcm.Opened{ReaderAt: bytes.NewReader(b), Size: int64(len(b)), Close: func() error { return nil }}, nil
}

// embed makes a picture inside a file known by its path.
func (a *archives) embed(name string, e embedded) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.inside[name] = e
}

// embeds gives a picture inside a file by its path.
func (a *archives) embeds(name string) (embedded, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e, ok := a.inside[name]
	return e, ok
}
