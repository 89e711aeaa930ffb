package dataset_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/dataset"
	"plumbline/backend/review"
)

// sorted gives what a Set says, whatever the order of problems.
func sorted(said string) string {
	lines := strings.Split(said, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// said is everything but the order of the problems.
func said(t *testing.T, s *dataset.Set, problems []review.Problem) string {
	t.Helper()
	texts := []string{everything(t, s, nil)}
	for _, p := range problems {
		texts = append(texts, fmt.Sprint(p))
	}
	return sorted(strings.Join(texts, "\n"))
}

// more appends to a file of a dataset.
func more(t testing.TB, dir, name string, b []byte) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, filepath.FromSlash(name)), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.Write(b)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// X05: of a dataset that has grown only what came is read, and it is as if all had been read.
func TestAGrownDatasetIsReadOn(t *testing.T) {
	const images = 9
	for name, c := range map[string]struct {
		grow func(dir string)
		want int // images looked at; all: everything was read again
	}{
		"a case and its chain": {func(dir string) {
			more(t, dir, "cases.jsonl", jsonl(t, sheet(5)))
			more(t, dir, "chains/a.jsonl", jsonl(t, chainOf("k5", 5)))
		}, 1},
		"two cases, one of a known image, one broken line": {func(dir string) {
			twin := sheet(6)
			twin.Images[0].Path = "images/2.png"
			more(t, dir, "cases.jsonl", jsonl(t, sheet(5), "{", twin))
		}, 2},
		"a case that is there already": {func(dir string) { more(t, dir, "cases.jsonl", jsonl(t, sheet(2))) }, 0},
		"a chain of an old case":       {func(dir string) { more(t, dir, "chains/a.jsonl", jsonl(t, chainOf("z", 2), chainOf("k1", 1))) }, 0},
		"a case of an image that is missing": {func(dir string) {
			lost := sheet(7)
			lost.Images[0].Path = "images/none.png"
			more(t, dir, "cases.jsonl", jsonl(t, lost))
		}, 1},
		"other lines before": {func(dir string) {
			put(t, dir, "cases.jsonl", jsonl(t, sheet(1), sheet(3), sheet(2), sheet(4), sheet(5)))
		}, 5},
		"an image changed too": {func(dir string) {
			more(t, dir, "cases.jsonl", jsonl(t, sheet(5)))
			put(t, dir, "images/1.png", picture(t, 77))
		}, 5},
		"another file of chains": {func(dir string) { put(t, dir, "chains/b.jsonl", jsonl(t, chainOf("z", 2))) }, 4},
		"a file of chains before": {func(dir string) {
			more(t, dir, "cases.jsonl", jsonl(t, sheet(5)))
			put(t, dir, "chains/0.jsonl", jsonl(t, chainOf("k1", 2)))
		}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			dir := own(t, images)
			put(t, dir, "cases.jsonl", jsonl(t, sheet(1), sheet(2), sheet(3), sheet(4)))
			put(t, dir, "chains/a.jsonl", jsonl(t, chainOf("k1", 1), chainOf("k2", 2)))
			ix := newIndex(t)
			open(t, dir, ix)
			c.grow(dir)
			looked := 0
			s, problems, err := dataset.Open(context.Background(), dir, ix, func(p review.Progress) {
				if p.Op == "headers" {
					looked = max(looked, p.Total)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			fresh, freshProblems := open(t, dir, nil)
			if got, want := said(t, s, problems), said(t, fresh, freshProblems); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if looked != c.want {
				t.Errorf("%d images were looked at, want %d", looked, c.want)
			}
			again, againProblems, told := work(t, dir, ix)
			if told != 0 || said(t, again, againProblems) != said(t, fresh, freshProblems) {
				t.Errorf("once more: told %d\n%s", told, said(t, again, againProblems))
			}
		})
	}
}

func TestALineWithoutAnEndIsReadAgain(t *testing.T) {
	dir, ix := own(t, 3), newIndex(t)
	whole := jsonl(t, sheet(1), sheet(2), sheet(3))
	cut := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 30 // somebody is still writing the third case
	put(t, dir, "cases.jsonl", whole[:cut])
	if _, problems := open(t, dir, ix); len(problems) != 2 { // the line, and the chain of its case
		t.Fatalf("problems %v", problems)
	}
	put(t, dir, "cases.jsonl", whole)
	s, problems := open(t, dir, ix)
	expect(t, problems)
	if s.Counts().Cases != 3 {
		t.Errorf("counts %+v", s.Counts())
	}
}

// BenchmarkGrown opens a dataset to which one case came, beside BenchmarkFirstOpen of all. Each time another one comes.
func BenchmarkGrown(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir, ix := manyCases(b, n), newIndex(b)
			open(b, dir, ix)
			for next := n + 1; b.Loop(); next++ {
				c := sheet(next)
				c.Images[0].Path = "images/1.png"
				more(b, dir, "cases.jsonl", jsonl(b, c))
				open(b, dir, ix)
			}
		})
	}
}
