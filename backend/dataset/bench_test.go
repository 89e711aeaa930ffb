package dataset_test

import (
	"context"
	"fmt"
	"testing"

	"plumbline/backend/dataset"
	"plumbline/backend/review"
)

// manyCases makes n cases over ten pictures, with a chain each.
func manyCases(b *testing.B, n int) string {
	dir := own(b, 10)
	var cases, chains []any
	for i := 1; i <= n; i++ {
		c := sheet(i)
		c.Images[0].Path = fmt.Sprintf("images/%d.png", i%10+1)
		cases, chains = append(cases, c), append(chains, chainOf(fmt.Sprintf("k%d", i), i))
	}
	put(b, dir, "cases.jsonl", jsonl(b, cases...))
	put(b, dir, "chains/a.jsonl", jsonl(b, chains...))
	return dir
}

func BenchmarkFirstOpen(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := manyCases(b, n)
			for b.Loop() {
				if _, _, err := dataset.Open(context.Background(), dir, newIndex(b), review.Quiet); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSecondOpen(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir, ix := manyCases(b, n), newIndex(b)
			open(b, dir, ix)
			for b.Loop() {
				open(b, dir, ix)
			}
		})
	}
}

// A folder of 2,000 files of one series, as an index of files is measured.
func BenchmarkFolder(b *testing.B) {
	dir := b.TempDir()
	for n := range 2000 {
		put(b, dir, fmt.Sprintf("%04d.dcm", n), slice(b, "P", "s", n, 1))
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := dataset.Open(context.Background(), dir, newIndex(b), review.Quiet); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("second", func(b *testing.B) {
		ix := newIndex(b)
		open(b, dir, ix)
		for b.Loop() {
			open(b, dir, ix)
		}
	})
}
