package main

import (
	"slices"

	"github.com/spf13/cobra"

	"plumbline/backend/review"
)

// conditionsCommand lists every name that a condition is joined of, with what it changes.
func conditionsCommand(f *face) *cobra.Command {
	return &cobra.Command{
		Use: "conditions", Short: "List every condition by name and what it changes", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			names, standard := review.ConditionNames(), review.StandardConditions()
			if f.json {
				return f.print(struct {
					Conditions []review.ConditionName `json:"conditions"`
					Standard   []string               `json:"standard"`
				}{names, standard})
			}
			for _, n := range names {
				mark := ""
				if n.Stage {
					mark = "[@S<k>]"
				}
				f.say("%-12s %-32s %s", n.Factor, n.Name+mark, n.Does)
			}
			f.say("Join names with +. \"standard\" stands for:")
			for part := range slices.Chunk(standard, 8) {
				f.say("  %v", part)
			}
			return nil
		},
	}
}
