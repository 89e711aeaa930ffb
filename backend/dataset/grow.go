package dataset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// grown is a file of records that has more of them than when it was read, and is otherwise the same.
type grown struct {
	from  int64 // offset of the first new byte
	lines int   // lines before it
}

// headOf digests the first size bytes of a file of records and counts their lines. whole: the last line has an end.
func headOf(ctx context.Context, name string, size int64) (digest string, lines int, whole bool, err error) {
	f, err := openRegular(name)
	if err != nil {
		return "", 0, false, err
	}
	defer f.Close()
	sum, last := sha256.New(), byte('\n')
	held := make([]byte, 1<<20)
	for in := io.LimitReader(f, size); ; {
		n, err := in.Read(held)
		for _, b := range held[:n] {
			if b == '\n' {
				lines++
			}
		}
		if n > 0 {
			sum.Write(held[:n])
			last = held[n-1]
			size -= int64(n)
		}
		switch {
		case err == io.EOF && size == 0:
			return hex.EncodeToString(sum.Sum(nil)), lines, last == '\n', nil
		case err == io.EOF:
			return "", 0, false, io.ErrUnexpectedEOF
		case err != nil:
			return "", 0, false, err
		case ctx.Err() != nil:
			return "", 0, false, ctx.Err()
		}
	}
}

// recordFiles lists the files of records whose growth is read alone.
func (s *Set) recordFiles() []string {
	if s.format != Plumbline {
		return nil
	}
	return append([]string{casesFile}, chainFiles(s.root.dir)...)
}

// heads digests every file of records as far as it was there when it was read.
func (s *Set) heads(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	for _, rel := range s.recordFiles() {
		if was := s.sources[rel]; was.Size > 0 {
			name := filepath.Join(s.root.dir, filepath.FromSlash(rel))
			digest, _, _, err := headOf(ctx, name, was.Size)
			if err == nil && look(name) == was { // else it is being written: all of it will be read again
				out[rel] = digest
			}
		}
	}
	return out, ctx.Err()
}

// grew tells which files of records have grown, where nothing else is different: other files are as they were, and what was there of these
// too. Chains grow at the end of the last of their files alone, since of two with one name the first is used. nil: there is more to it.
func (s *Set) grew(ctx context.Context, heads map[string]string) map[string]grown {
	files := s.recordFiles()
	out := map[string]grown{}
	for rel, was := range s.sources {
		name := filepath.Join(s.root.dir, filepath.FromSlash(rel))
		is := look(name)
		if is == was {
			continue
		}
		if heads[rel] == "" || is.Size <= was.Size || rel != casesFile && rel != files[len(files)-1] {
			return nil
		}
		digest, lines, whole, err := headOf(ctx, name, was.Size)
		if err != nil || digest != heads[rel] || !whole {
			return nil
		}
		out[rel] = grown{was.Size, lines}
	}
	return out
}

// readOn adds what came to a Set that was recalled: new cases with their images, and new chains. false: it cannot be told apart from what was
// there, and everything is to be read again.
func (s *Set) readOn(ctx context.Context, more map[string]grown, tell review.Tell) (bool, error) {
	for _, e := range s.cases {
		if g, ok := more[casesFile]; ok && e.At.Offset+int64(e.At.Length) > g.from {
			return false, nil // it was written to while it was read
		}
	}
	for _, list := range s.chains {
		for _, c := range list {
			if g, ok := more[c.At.File]; ok && c.At.Offset+int64(c.At.Length) > g.from {
				return false, nil
			}
		}
	}
	t := troubles{}
	for _, p := range s.troubles {
		switch {
		case p.Linked: // found again below
		case strings.HasPrefix(p.File, chainsFolder+"/") && p.Field == "case", p.File == casesFile && p.Line == 0, strings.HasSuffix(p.Text, moreProblems):
			return false, nil // a new case may be the one that was missing; a count would be told twice
		default:
			t.add(p.Case, p.Problem)
		}
	}
	for rel := range more {
		s.watch(rel)
	}
	if g, ok := more[casesFile]; ok {
		pictures := &pictures{set: s, byKey: map[string]*picture{}}
		if err := s.scanCases(ctx, g, tell, &t, pictures); err != nil {
			return false, err
		}
		if err := pictures.scan(ctx, tell, &t); err != nil {
			return false, err
		}
		if len(pictures.outside) > 0 {
			return false, nil
		}
	}
	if err := s.scanChains(ctx, more, tell, &t); err != nil {
		return false, err
	}
	s.counts = Counts{Chains: s.counts.Chains, Skipped: s.counts.Skipped}
	if err := s.link(ctx, tell, &t); err != nil {
		return false, err
	}
	s.troubles = once(t.list())
	s.count()
	return true, nil
}

// once leaves out what is told again: an image that an earlier case names too was looked at again.
func once(list []trouble) []trouble {
	seen := map[review.Problem]bool{}
	return slices.DeleteFunc(list, func(t trouble) bool {
		again := seen[t.Problem]
		seen[t.Problem] = true
		return again
	})
}

// goOn reads on and remembers what came; where that cannot be done the Set is empty and all is to be read again.
func (s *Set) goOn(ctx context.Context, more map[string]grown, tell review.Tell) (bool, error) {
	cases, clusters, chains, sources := len(s.order), map[review.CaseID]string{}, map[review.CaseID]int{}, maps.Clone(s.sources)
	for id, e := range s.cases {
		clusters[id] = e.Cluster
	}
	known := 0
	for id, list := range s.chains {
		chains[id] = len(list)
		known += len(list)
	}
	ok, err := s.readOn(ctx, more, tell)
	if err != nil || !ok {
		s.forget()
		return false, err
	}
	// The head goes first and comes last, as in a build.
	if err := s.ix.drop(bucketHead, bucketProblems); err != nil {
		return false, err
	}
	b := &batch{ix: s.ix}
	for i, id := range s.order {
		if e := s.cases[id]; i >= cases || clusters[id] != e.Cluster {
			b.add(bucketCases, ordinal(i), encode(e))
		}
	}
	for _, id := range s.order {
		for _, c := range s.chains[id][chains[id]:] {
			b.add(bucketChains, ordinal(known), encode(c))
			known++
		}
	}
	for file, st := range s.sources {
		if sources[file] != st {
			b.add(bucketSources, file, encode(sourceRow{file, st}))
		}
	}
	return true, s.rememberHead(ctx, b)
}
