package dataset_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"plumbline/backend/dataset"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// work counts the progress that an opening tells: an opening from the index tells none.
func work(t *testing.T, dir string, ix *store.Index) (*dataset.Set, []review.Problem, int) {
	t.Helper()
	told := 0
	s, problems, err := dataset.Open(context.Background(), dir, ix, func(review.Progress) { told++ })
	if err != nil {
		t.Fatal(err)
	}
	return s, problems, told
}

// everything that a Set says.
func everything(t *testing.T, s *dataset.Set, problems []review.Problem) string {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintln(&b, s.Format(), s.Info(), s.Counts(), s.IDs(), problems)
	for _, id := range s.IDs() {
		c, errCase := s.Case(id)
		chains, errChains := s.Chains(id)
		stacks, own, errStacks := s.Stacks(context.Background(), id)
		fmt.Fprintf(&b, "%+v %+v %+v %+v %s %v %v %v\n", c, len(chains), stacks, own, s.Cluster(id), errCase, errChains, errStacks)
	}
	return b.String()
}

func TestSecondOpenComesFromTheIndex(t *testing.T) {
	bad := own(t, 3)
	put(t, bad, "cases.jsonl", jsonl(t, sheet(1), "{", sheet(3)))
	folder := t.TempDir()
	put(t, folder, "a.png", picture(t, 1))
	put(t, folder, "b.dcm", slice(t, "P", "s", 0, 1))
	for name, dir := range map[string]string{"own": bad, "images": folder, "file": filepath.Join(folder, "a.png")} {
		t.Run(name, func(t *testing.T) {
			ix := newIndex(t)
			s, problems, told := work(t, dir, ix)
			first := everything(t, s, problems)
			if told == 0 {
				t.Error("the first opening told no progress")
			}
			s, problems, told = work(t, dir, ix)
			if told != 0 {
				t.Errorf("the second opening worked: %d", told)
			}
			if second := everything(t, s, problems); second != first {
				t.Errorf("first\n%s\nsecond\n%s", first, second)
			}
		})
	}
}

func TestAChangedDatasetIsFoundOutAgain(t *testing.T) {
	later := time.Now().Add(time.Hour)
	for _, c := range []struct {
		name   string
		own    bool
		change func(dir string) error
	}{
		{"a case more", true, func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "cases.jsonl"), jsonl(t, sheet(1), sheet(2), sheet(3)), 0o644)
		}},
		{"an image touched", true, func(dir string) error { return os.Chtimes(filepath.Join(dir, "images/1.png"), later, later) }},
		{"an image gone", true, func(dir string) error { return os.Remove(filepath.Join(dir, "images/1.png")) }},
		{"a chain file more", true, func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "chains/z.jsonl"), jsonl(t, chainOf("z", 1)), 0o644)
		}},
		{"dataset.json gone", true, func(dir string) error { return os.Remove(filepath.Join(dir, "dataset.json")) }},
		{"a picture more", false, func(dir string) error { return os.WriteFile(filepath.Join(dir, "c.png"), picture(t, 8), 0o644) }},
		{"a picture gone", false, func(dir string) error { return os.Remove(filepath.Join(dir, "a.png")) }},
		{"a picture touched", false, func(dir string) error { return os.Chtimes(filepath.Join(dir, "a.png"), later, later) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if c.own {
				dir = own(t, 2)
			} else {
				put(t, dir, "a.png", picture(t, 1))
				put(t, dir, "b.png", picture(t, 2))
			}
			ix := newIndex(t)
			work(t, dir, ix)
			if err := c.change(dir); err != nil {
				t.Fatal(err)
			}
			s, problems, told := work(t, dir, ix)
			if told == 0 {
				t.Error("the change was not seen")
			}
			fresh, freshProblems, _ := work(t, dir, nil)
			if got, want := everything(t, s, problems), everything(t, fresh, freshProblems); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestAMissingImageIsFoundWhenItComes(t *testing.T) {
	dir := own(t, 2)
	if err := os.Remove(filepath.Join(dir, "images/2.png")); err != nil {
		t.Fatal(err)
	}
	ix := newIndex(t)
	_, problems, _ := work(t, dir, ix)
	if len(problems) != 1 {
		t.Fatalf("problems %v", problems)
	}
	if s, _ := open(t, dir, ix); len(s.CaseProblems("c2")) != 1 {
		t.Error("the case does not know its problem")
	}
	put(t, dir, "images/2.png", picture(t, 2))
	s, problems, _ := work(t, dir, ix)
	expect(t, problems)
	if s.Counts().Images != 2 {
		t.Errorf("counts %+v", s.Counts())
	}
}

func TestAnotherDatasetInTheSameIndex(t *testing.T) {
	ix := newIndex(t)
	one, two := own(t, 1), own(t, 2)
	work(t, one, ix)
	if s, _, _ := work(t, two, ix); s.Counts().Cases != 2 {
		t.Errorf("counts %+v", s.Counts())
	}
}

func TestAnIndexOfNonsenseIsFoundOutAgain(t *testing.T) {
	dir, ix := own(t, 2), newIndex(t)
	s, problems, _ := work(t, dir, ix)
	want := everything(t, s, problems)
	for _, bucket := range []string{"dataset/head", "dataset/cases", "dataset/chains", "dataset/sources", "dataset/problems"} {
		err := ix.Update(func(b *store.Batch) error { return b.Put(bucket, "head", []byte("nonsense")) })
		if err != nil {
			t.Fatal(err)
		}
		s, problems, told := work(t, dir, ix)
		if got := everything(t, s, problems); got != want || told == 0 {
			t.Errorf("%s: worked %d, got\n%s", bucket, told, got)
		}
	}
}

func TestCancelLeavesNothing(t *testing.T) {
	dir, ix := own(t, 30), newIndex(t)
	for at := 1; ; at++ {
		ctx, stop := context.WithCancel(context.Background())
		told := 0
		_, _, err := dataset.Open(ctx, dir, ix, func(review.Progress) {
			if told++; told == at {
				stop()
			}
		})
		stop()
		if err == nil {
			if at < 3 {
				t.Errorf("an opening of 30 cases told progress %d times", told)
			}
			break
		}
		if fault.KindOf(err) != fault.Cancelled {
			t.Fatalf("cancelled at %d: %v", at, err)
		}
		if b, err := ix.Get("dataset/head", "head"); err != nil || b != nil {
			t.Fatalf("cancelled at %d: the index has a head, %v", at, err)
		}
		at += 6
	}
}

// A reader's seat keeps this index: another program that opens it finds no truth and no origin.
func TestTheIndexHoldsNoTruth(t *testing.T) {
	dir := own(t, 3)
	path := filepath.Join(t.TempDir(), "index.db")
	ix, _, err := store.OpenIndex(path)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := open(t, dir, ix)
	for _, load := range []func() error{
		func() error { _, _, err := s.Truth(context.Background()); return err },
		func() error { _, _, err := s.Origins(context.Background()); return err },
	} {
		if err := load(); err != nil {
			t.Fatal(err)
		}
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte("cases.jsonl")) {
		t.Error("the index does not hold the cases either: this test sees nothing")
	}
	for _, hidden := range []string{"hidden-gold", "hidden-model", "truth.jsonl", "manifest.jsonl"} {
		if bytes.Contains(b, []byte(hidden)) {
			t.Errorf("the index holds %s", hidden)
		}
	}
}

func TestAFileThatChangesWhileOpenIsNotMixedUp(t *testing.T) {
	dir := own(t, 2)
	s, _ := open(t, dir, nil)
	put(t, dir, "cases.jsonl", jsonl(t, "", sheet(2), sheet(1)))
	if _, err := s.Case("c1"); fault.KindOf(err) != fault.Invalid {
		t.Errorf("%v, want invalid", err)
	}
}

// Many at once ask for the same few frames; everybody gets the right one.
func TestFramesForManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	for n := range 8 {
		put(t, dir, fmt.Sprintf("%d.dcm", n), slice(t, "P", "s", n, 3))
	}
	s, _ := open(t, dir, newIndex(t))
	id := s.IDs()[0]
	ctx := context.Background()
	var first [8]review.Samples
	for n := range first {
		_, got, err := s.Samples(ctx, id, "1", n)
		if err != nil {
			t.Fatal(err)
		}
		first[n] = got
	}
	s, _ = open(t, dir, nil)
	var all sync.WaitGroup
	for g := range 16 {
		all.Go(func() {
			for i := range 24 {
				n := (g*3 + i*5) % 8
				f, got, err := s.Samples(ctx, id, "1", n)
				if err != nil || f.Index != n || !reflect.DeepEqual(got, first[n]) {
					t.Errorf("frame %d: %v", n, err)
				}
			}
		})
	}
	all.Wait()
}

func TestSamplesOfACancelledReader(t *testing.T) {
	s, _ := open(t, own(t, 1), nil)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, _, err := s.Samples(ctx, "c1", "i", 0); fault.KindOf(err) != fault.Cancelled {
		t.Errorf("%v, want cancelled", err)
	}
	if _, _, err := s.Samples(context.Background(), "c1", "i", 0); err != nil {
		t.Errorf("the next one: %v", err)
	}
}
