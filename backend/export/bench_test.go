package export_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"plumbline/backend/export"
	"plumbline/backend/review"
)

// stream makes so many ratings, a hundred to a case, one case at a time: what an export holds of them is what it holds in memory.
func stream(ratings int) export.Source {
	src := sourceOf()
	src.Total = ratings / 100
	src.Each = func(_ context.Context, fn func(*export.Case) error) error {
		for i := range ratings / 100 {
			id := fmt.Sprintf("c%06d", i)
			c := caseOf(id, fmt.Sprint("p", i/2), chainOf(id+"-x", id, review.Condition{}, [2]string{"A", "A"}, [2][]string{{"a", "b", "c", "d", "e"}, {"f", "g", "h", "i", "j"}}))
			for reader := range 10 {
				for step := range 10 {
					rate(c, fmt.Sprint("R", reader), id+"-x", fmt.Sprint("s", step+1), review.Supported, review.Region{ID: "r", Image: "ct", Shape: review.Box, Coords: []float64{.1, .2, .3, .4}})
				}
			}
			if err := fn(c); err != nil {
				return err
			}
		}
		return nil
	}
	return src
}

// P05: 100,000 ratings; the figure beside it is a peer's 4 minutes for 50,000 rows.
func BenchmarkExport(b *testing.B) {
	const ratings = 100_000
	for _, format := range []string{"jsonl", "csv", "parquet"} {
		b.Run(format, func(b *testing.B) {
			for b.Loop() {
				if _, err := export.Write(b.Context(), filepath.Join(b.TempDir(), "out"), format, stream(ratings), export.Options{}, review.Quiet); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(ratings*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
