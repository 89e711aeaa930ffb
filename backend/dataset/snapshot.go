package dataset

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"plumbline/backend/formats"
	"plumbline/backend/review"
)

// The buckets of the index.
const (
	bucketHead       = "dataset/head"
	bucketSources    = "dataset/sources"     // file -> stamp
	bucketCases      = "dataset/cases"       // place in the order -> entry
	bucketMade       = "dataset/made"        // case id -> case of a folder of images
	bucketMadeChains = "dataset/made-chains" // chain id -> chain of other people's records
	bucketEmbedded   = "dataset/embedded"    // path -> formats.Embedded
	bucketChains     = "dataset/chains"      // place in the order -> chainEntry
	bucketStacks     = "dataset/stacks"      // stack key -> stackRow
	bucketGlances    = "dataset/glances"     // stack key -> glance
	bucketProblems   = "dataset/problems"    // place in the order -> trouble
	headKey          = "head"
)

// snapshotVersion counts what this package writes; another one is not taken from the index but found out again. So is one whose records had
// other fields.
const snapshotVersion = 1

func layout() string {
	row := stackRow{Stack: review.Stack{Frames: []review.Frame{{}}}}
	fields := slices.Concat(encode(row), encode(entry{Images: []imageEntry{{}}}), encode(chainEntry{}), encode(trouble{}), encode(glance{}), encode(head{}))
	return fmt.Sprint(snapshotVersion, " ", review.DigestOf(fields))
}

// head is written last: without it nothing in the index counts.
type head struct {
	Layout  string         `json:"layout"`
	Root    string         `json:"root"`
	Only    string         `json:"only"`
	Format  string         `json:"format"`
	Info    review.Dataset `json:"info"`
	Counts  Counts         `json:"counts"`
	Sources int            `json:"sources"`
	Foreign string         `json:"foreign"` // how other people's records were taken

	Heads map[string]string `json:"heads"` // file of records -> digest of it
}

// stamp tells whether a file is still the one that was looked at.
type stamp struct {
	Size     int64 `json:"s"` // -1: not there
	Modified int64 `json:"m"` // nanoseconds since 1970
}

func stampOf(info fs.FileInfo) stamp {
	if info.IsDir() { // its size says nothing on some systems
		return stamp{0, info.ModTime().UnixNano()}
	}
	return stamp{info.Size(), info.ModTime().UnixNano()}
}

// look gives the stamp of a file as it is now.
func look(name string) stamp {
	info, err := os.Stat(name)
	if err != nil {
		return stamp{Size: -1}
	}
	return stampOf(info)
}

// watch remembers that a file of the dataset was looked at; rel is its name relative to the root.
func (s *Set) watch(rel string) {
	s.sources[rel] = look(filepath.Join(s.root.dir, filepath.FromSlash(rel)))
}

// recall takes everything from the index when no file has changed since, and reads on where files of records have only grown. A part that cannot be understood is as good as none.
func (s *Set) recall(ctx context.Context, tell review.Tell) (bool, error) {
	b, err := s.ix.Get(bucketHead, headKey)
	if err != nil || b == nil {
		return false, err
	}
	var h head
	if json.Unmarshal(b, &h) != nil || h.Layout != layout() || h.Root != s.root.real || h.Only != s.only || h.Format != s.format || h.Foreign != s.foreign.key() {
		return false, nil
	}
	same, err := s.unchanged(ctx, h.Sources)
	var more map[string]grown
	if err == nil && !same && len(s.sources) == h.Sources {
		if more = s.grew(ctx, h.Heads); len(more) > 0 {
			same = true
		}
	}
	if err != nil || !same {
		s.sources = map[string]stamp{}
		return false, err
	}
	s.info, s.counts = h.Info, h.Counts
	err = eachJSON(s.ix, bucketCases, func(e entry) { s.order = append(s.order, e.ID); s.cases[e.ID] = &e })
	if err == nil {
		err = eachJSON(s.ix, bucketChains, func(c chainEntry) { s.chains[c.Case] = append(s.chains[c.Case], c) })
	}
	if err == nil {
		err = eachJSON(s.ix, bucketProblems, func(t trouble) { s.troubles = append(s.troubles, t) })
	}
	if err == nil {
		err = eachJSON(s.ix, bucketEmbedded, func(e formats.Embedded) {
			s.files.embed(filepath.Join(s.root.dir, filepath.FromSlash(e.Path)), embedded{s.root.real, e})
		})
	}
	if err != nil || len(s.order) != s.counts.Cases {
		s.forget()
		return false, nil
	}
	if len(more) > 0 {
		return s.goOn(ctx, more, tell)
	}
	return true, nil
}

// forget empties the Set for another try.
func (s *Set) forget() {
	s.order, s.troubles, s.counts = nil, nil, Counts{}
	s.sources, s.cases, s.chains = map[string]stamp{}, map[review.CaseID]*entry{}, map[review.CaseID][]chainEntry{}
}

// unchanged compares every file that was looked at with how it is now, and with what a walk would find now where the folder is one of images.
func (s *Set) unchanged(ctx context.Context, want int) (bool, error) {
	same := true
	err := eachJSON(s.ix, bucketSources, func(f sourceRow) {
		s.sources[f.File] = f.Stamp
	})
	if err != nil || len(s.sources) != want {
		return false, nil
	}
	now := s.sources
	if s.format == Images && s.only == "" {
		found, err := walk(ctx, s.root.dir)
		if err != nil {
			return false, err
		}
		if len(found)+1 != want { // and the root itself
			return false, nil
		}
		for _, f := range found {
			same = same && now[f.rel] == f.stamp
		}
		return same, nil
	}
	for rel, was := range now {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if look(filepath.Join(s.root.dir, filepath.FromSlash(rel))) != was {
			return false, nil
		}
	}
	return same, nil
}

type sourceRow struct {
	File  string `json:"f"`
	Stamp stamp  `json:"t"`
}

// eachJSON decodes every value of a bucket.
func eachJSON[T any](ix index, bucket string, f func(T)) error {
	return ix.Each(bucket, "", func(_ string, b []byte) error {
		var v T
		if err := json.Unmarshal(b, &v); err != nil {
			return err
		}
		f(v)
		return nil
	})
}

// remember writes everything but the stacks, which are there already, and the head last.
func (s *Set) remember(ctx context.Context) error {
	b := &batch{ix: s.ix}
	for i, id := range s.order {
		b.add(bucketCases, ordinal(i), encode(s.cases[id]))
	}
	n := 0
	for _, id := range s.order {
		for _, c := range s.chains[id] {
			b.add(bucketChains, ordinal(n), encode(c))
			n++
		}
	}
	for file, st := range s.sources {
		b.add(bucketSources, file, encode(sourceRow{file, st}))
	}
	return s.rememberHead(ctx, b)
}

// rememberHead writes the problems and, once all else is there, the head.
func (s *Set) rememberHead(ctx context.Context, b *batch) error {
	for i, t := range s.troubles {
		b.add(bucketProblems, ordinal(i), encode(t))
	}
	heads, err := s.heads(ctx)
	if err != nil {
		return err
	}
	if err := b.flush(); err != nil {
		return err
	}
	b.add(bucketHead, headKey, encode(head{layout(), s.root.real, s.only, s.format, s.info, s.counts, len(s.sources), s.foreign.key(), heads}))
	return b.flush()
}

// ordinal makes a key that sorts by number.
func ordinal(i int) string { return fmt.Sprintf("%010d", i) }

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data always marshals
	}
	return b
}
