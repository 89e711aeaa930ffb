package main

import (
	"time"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/review"
)

// timesCommand tells how long each reading took, from the record of what was seen: with --json one reading a line.
func timesCommand(f *face) *cobra.Command {
	return &cobra.Command{
		Use: "times", Short: "tell how long each reading took: active, idle and on the clock", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				return d.EachTimes(c.Context(), func(t desk.Times) error {
					if f.json {
						return f.line(t)
					}
					f.say("%s\t%s\tsession %s\tactive %s\tidle %s in %d breaks\tfrom %s to %s%s", t.Reader, t.Case, t.Session,
						spent(t.ActiveMS), spent(t.IdleMS), t.Breaks, t.First, t.Last, timeMarks(t))
					return nil
				})
			})
		},
	}
}

func spent(ms int64) time.Duration {
	return (time.Duration(ms) * time.Millisecond).Round(time.Second)
}

// timeMarks says what is unusual about a reading.
func timeMarks(t desk.Times) string {
	marks := ""
	if t.Unblinded {
		marks += "\tunblinded"
	}
	if t.NotShown > 0 {
		marks += "\tbefore the frame was shown"
	}
	return marks
}
