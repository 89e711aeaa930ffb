package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/review"
)

// casesCommand lists the cases of the workspace with where this seat's reader stands: JSON lines with --json.
func casesCommand(f *face) *cobra.Command {
	var state string
	var unsure bool
	c := &cobra.Command{
		Use: "cases", Short: "list the cases of the workspace", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				if unsure {
					return f.sayUnsure(c.Context(), d)
				}
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
	c.Flags().BoolVar(&unsure, "unsure", false, "by how unsure models are of them, the most unsure first (the coordinator's)")
	return c
}

// sayUnsure lists cases by how unsure models are of them.
func (f *face) sayUnsure(ctx context.Context, d *desk.Desk) error {
	all, err := d.Uncertainty(ctx)
	if err != nil {
		return err
	}
	said := func(v *float64) string {
		if v == nil {
			return "-"
		}
		return strconv.FormatFloat(*v, 'f', 3, 64)
	}
	for _, u := range all {
		if !f.json {
			f.say("%s\t%s\tentropy %s\tdisagreement %s", u.Case, u.Model, said(u.Entropy), said(u.Disagreement))
			continue
		}
		if err := f.line(u); err != nil {
			return err
		}
	}
	return nil
}
