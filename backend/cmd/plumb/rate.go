package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// rateCommand takes over a reading written as a file (dataset.md).
func rateCommand(f *face) *cobra.Command {
	var file, assignment, reader string
	c := &cobra.Command{
		Use: "rate --file F.json", Short: "give a reading that is written as a file", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			reading, err := loadReading(file)
			if err != nil {
				return err
			}
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				if reader != "" {
					if _, err := d.SetReader(c.Context(), reader); err != nil {
						return err
					}
				}
				saved, err := d.RateFile(c.Context(), reading, assignment)
				return errors.Join(err, f.savedEvents(c.Context(), d, saved))
			})
		},
	}
	c.Flags().StringVar(&file, "file", "", "the reading; - is standard input")
	c.Flags().StringVar(&assignment, "assignment", "", "assignment or case, in place of the file's own")
	c.Flags().StringVar(&reader, "reader", "", "read under this code from now on (coordinator's seat)")
	return c
}

// savedEvents writes what was saved: with --json the events as they lie in the ledger.
func (f *face) savedEvents(ctx context.Context, d *desk.Desk, saved []desk.Saved) error {
	for _, s := range saved {
		if !f.json {
			f.say("saved %s (revision %d): %s, %d of %d", s.Event, s.Revision, s.Phase, s.Done, s.Required)
			continue
		}
		raw, err := d.Event(ctx, s.Event)
		if err != nil {
			return err
		}
		if err := f.line(json.RawMessage(raw)); err != nil {
			return err
		}
	}
	return nil
}

// loadReading reads a reading file.
func loadReading(path string) (review.ReadingFile, error) {
	const op = "load reading"
	if path == "" {
		return review.ReadingFile{}, fault.New(fault.Usage, op, "", "--file F.json is needed")
	}
	in := io.Reader(os.Stdin)
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return review.ReadingFile{}, fault.In(op, path, err)
		}
		defer file.Close()
		in = file
	}
	b, err := io.ReadAll(io.LimitReader(in, review.MaxRecord+1))
	if err != nil {
		return review.ReadingFile{}, fault.New(fault.IO, op, path, "%w", err)
	}
	reading, err := review.RestoreReadingFile(b)
	if err != nil {
		return reading, fault.New(fault.Invalid, op, path, "%w", err)
	}
	return reading, nil
}
