package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// benchRow is a line of `plumb bench`: a work of ours beside the physical limit or the peer that ran in turn with it. Times are in
// milliseconds of wall time.
type benchRow struct {
	Work     string  `json:"work"`
	Items    int     `json:"items"` // frames, files or events in one run
	Runs     int     `json:"runs"`
	Median   float64 `json:"median_ms"`
	P95      float64 `json:"p95_ms"`
	Limit    string  `json:"limit"`     // what ran beside it
	LimitMS  float64 `json:"limit_ms"`  // median
	PerLimit float64 `json:"per_limit"` // median of ours by that of the limit
}

// benchResult is the answer of `plumb bench`.
type benchResult struct {
	Processors int        `json:"processors"`
	Rows       []benchRow `json:"rows"`
}

// benchCommand measures on this machine what needs no window: the ledger on the disk of --on and, with PATH, the reading and decoding of
// its files. The window and programs of others are measured by build/bench.
func benchCommand(f *face) *cobra.Command {
	var on string
	c := &cobra.Command{
		Use: "bench [PATH]", Short: "Measure this machine: the ledger beside a bare fsync and, with PATH, its files read and decoded beside plain reads",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := os.MkdirTemp(on, "plumb-bench-")
			if err != nil {
				return fault.In("make a folder to measure in", on, err)
			}
			defer os.RemoveAll(dir)
			tell, end := f.tell()
			rows, err := benchLedger(c.Context(), dir, tell)
			if err == nil && len(args) == 1 {
				var more []benchRow
				more, err = benchPictures(c.Context(), args[0], dir, tell)
				rows = append(rows, more...)
			}
			end()
			if err != nil {
				return err
			}
			return f.benched(rows)
		},
	}
	c.Flags().StringVar(&on, "on", "", "a folder on the disk to measure (default: where temporary files lie)")
	return c
}

func (f *face) benched(rows []benchRow) error {
	if f.json {
		return f.print(benchResult{processors(), rows})
	}
	f.say("%-44s %7s %10s %10s   %-30s %10s %6s", "work", "items", "median ms", "p95 ms", "beside", "ms", "×")
	for _, r := range rows {
		f.say("%-44s %7d %10.2f %10.2f   %-30s %10.2f %6.2f", r.Work, r.Items, r.Median, r.P95, r.Limit, r.LimitMS, r.PerLimit)
	}
	return nil
}

// race runs ours and the limit in turn, so that both meet the same disk and the same neighbours, and gives their times.
func race(ctx context.Context, row benchRow, ours, limit func() error) (benchRow, error) {
	var times, limits []float64
	for range row.Runs {
		for _, one := range []struct {
			run func() error
			at  *[]float64
		}{{limit, &limits}, {ours, &times}} {
			if err := ctx.Err(); err != nil {
				return row, err
			}
			began := time.Now()
			if err := one.run(); err != nil {
				return row, err
			}
			*one.at = append(*one.at, float64(time.Since(began).Nanoseconds())/1e6)
		}
	}
	slices.Sort(times)
	slices.Sort(limits)
	row.Median, row.P95, row.LimitMS = times[len(times)/2], times[len(times)*95/100], limits[len(limits)/2]
	if row.LimitMS > 0 {
		row.PerLimit = row.Median / row.LimitMS
	}
	return row, nil
}

const (
	benchAppends = 200
	benchEvents  = 20_000
	// eventBytes is about what a rating takes in the ledger.
	eventBytes = 1000
)

// benchLedger measures a click (one event, on the disk before it is said to be saved) and the walk over all that was said.
func benchLedger(ctx context.Context, dir string, tell review.Tell) ([]benchRow, error) {
	tell(review.Progress{Op: "append events", Of: dir})
	path := filepath.Join(dir, "readings.db")
	ledger, err := store.OpenLedger(path)
	if err != nil {
		return nil, err
	}
	defer ledger.Close()
	bare, err := os.Create(filepath.Join(dir, "bare"))
	if err != nil {
		return nil, fault.In("make a file", dir, err)
	}
	defer bare.Close()
	n := 0
	appended, err := race(ctx, benchRow{Work: "append an event, saved on the disk", Items: 1, Runs: benchAppends, Limit: "a bare fsync of as many bytes"},
		func() error {
			n++
			_, err := ledger.Append(benchEvent(n))
			return err
		}, func() error {
			if _, err := bare.Write(make([]byte, eventBytes)); err != nil {
				return err
			}
			return bare.Sync()
		})
	if err != nil {
		return nil, err
	}
	events := make([]review.Event, benchEvents)
	for i := range events {
		events[i] = benchEvent(n + 1 + i)
	}
	if err := ledger.AppendAll(events); err != nil {
		return nil, err
	}
	tell(review.Progress{Op: "verify events", Of: dir})
	verified, err := race(ctx, benchRow{Work: "verify the ledger", Items: n + benchEvents, Runs: 5, Limit: "a read and SHA-256 of its file"},
		func() error {
			v, err := ledger.Check()
			if err == nil && v.Events != n+benchEvents {
				return fault.New(fault.Internal, "verify the ledger", path, "%d events of %d", v.Events, n+benchEvents)
			}
			return err
		}, func() error { return hashFile(path) })
	return []benchRow{appended, verified}, err
}

// benchEvent is the nth rating of one reader, twenty steps an assignment.
func benchEvent(n int) review.Event {
	a, step := review.AssignmentID(fmt.Sprint("a", n/20)), review.StepID(fmt.Sprint("s", n%20))
	return review.Event{
		Study: "bench", Workspace: "bench", Machine: "bench", Reader: "R1", Session: "1", Assignment: a, Kind: review.KindRating,
		Key: review.EventKey(a, review.KindRating, "c1", string(step)), Case: "case-01", Chain: "c1",
		Body: review.Body{Rating: &review.Rating{Step: step, Support: review.Supported, Evidence: []review.Region{}, Error: []string{}}},
	}
}

func hashFile(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(sha256.New(), file)
	return err
}
