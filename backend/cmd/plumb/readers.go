package main

import (
	"context"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/review"
)

// readersCommand tells where the readers stand.
func readersCommand(f *face) *cobra.Command {
	return standingCommand(f, "progress", "tell how far the readers are", (*desk.Desk).Progress)
}

// standingCommand writes where the study stands, found by find.
func standingCommand(f *face, name, short string, find func(*desk.Desk, context.Context) (desk.Standing, error)) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				s, err := find(d, c.Context())
				switch {
				case err != nil:
					return err
				case f.json:
					return f.print(s)
				}
				if s.Added > 0 {
					f.say("%d assignments are new", s.Added)
				}
				for _, r := range s.Readers {
					f.say("%s\t%s\t%d of %d done\t%d started\t%d of %d answers\t%d extra\t%s", r.Reader, r.Role, r.Done, r.Assigned, r.Started, r.Answers, r.Required, r.Extra, r.Last)
				}
				return nil
			})
		},
	}
}
