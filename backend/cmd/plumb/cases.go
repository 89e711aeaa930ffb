package main

import (
	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/review"
)

// casesCommand lists the cases of the workspace with where this seat's reader stands: JSON lines with --json.
func casesCommand(f *face) *cobra.Command {
	var state string
	c := &cobra.Command{
		Use: "cases", Short: "list the cases of the workspace", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				return d.EachCase(c.Context(), func(l desk.ListedCase) error {
					switch {
					case state != "" && l.State != state:
						return nil
					case f.json:
						return f.line(l)
					}
					f.say("%s\t%s\t%d of %d\t%d images\t%d questions\t%d chains\t%s", l.ID, l.State, l.Done, l.Required, len(l.Images), len(l.Questions), l.Chains, l.Assignment)
					return nil
				})
			})
		},
	}
	c.Flags().StringVar(&state, "state", "", "only cases in this state: new, look, judge, signed")
	return c
}
