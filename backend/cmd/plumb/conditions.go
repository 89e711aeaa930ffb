package main

import (
	"slices"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/review"
)

// conditionsCommand lists every name that a condition is joined of, with what it changes.
func conditionsCommand(f *face) *cobra.Command {
	var wording bool
	c := &cobra.Command{
		Use: "conditions", Short: "List every condition by name and what it changes", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if wording {
				w, err := desk.WordingOf(f.workspace)
				if err != nil {
					return err
				}
				return f.print(w)
			}
			names, standard := review.ConditionNames(), review.StandardConditions()
			if f.json {
				return f.print(struct {
					Conditions []review.ConditionName `json:"conditions"`
					Standard   []string               `json:"standard"`
					Sets       []review.ConditionSet  `json:"sets"`
				}{names, standard, review.ConditionSets()})
			}
			for _, n := range names {
				mark := ""
				if n.Stage {
					mark = "[@S<k>]"
				}
				f.say("%-12s %-32s %s", n.Factor, n.Name+mark, n.Does)
			}
			f.say("Join names with +. Sets:")
			for _, set := range review.ConditionSets() {
				f.say("%-12s %s", set.Name, set.Does)
				for part := range slices.Chunk(set.Conditions, 8) {
					f.say("  %v", part)
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&wording, "wording", false, "print what cues and mitigations say, as JSON; edited and kept as wording.json in the workspace it stands in for this")
	return c
}
