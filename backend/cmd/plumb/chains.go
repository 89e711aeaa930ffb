package main

import (
	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/review"
)

// chainsCommand lists the chains of the workspace as far as its seat may see them: JSON lines with --json.
func chainsCommand(f *face) *cobra.Command {
	var only string
	c := &cobra.Command{
		Use: "chains", Short: "list the chains of the workspace", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				return d.EachChain(c.Context(), only, func(l desk.ListedChain) error {
					if f.json {
						return f.line(l)
					}
					steps := 0
					for _, a := range l.Answers {
						steps += len(a.Steps)
					}
					model := ""
					if l.Origin != nil {
						model = l.Origin.Model.Name
					}
					f.say("%s\t%s\t%d answers\t%d steps\t%s", l.ID, l.Case, len(l.Answers), steps, model)
					return nil
				})
			})
		},
	}
	c.Flags().StringVar(&only, "case", "", "only the chains of this case")
	return c
}
