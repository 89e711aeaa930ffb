package main

import (
	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// trainingCommand shows and sets what is expected of the training cases.
func trainingCommand(f *face) *cobra.Command {
	c := &cobra.Command{Use: "training", Short: "what is expected of the training cases (coordinator's seat)"}
	c.AddCommand(
		&cobra.Command{
			Use: "show", Short: "write the key as JSON: gold of the training cases, and the grades that are expected", Args: cobra.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error {
				return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
					key, err := d.TrainingKey(c.Context())
					if err != nil {
						return err
					}
					return f.print(key)
				})
			},
		},
		&cobra.Command{
			Use: "set FILE", Short: "keep a key, in place of the one before", Args: cobra.ExactArgs(1),
			RunE: func(c *cobra.Command, args []string) error {
				b, err := loadInput("load training key", args[0])
				if err != nil {
					return err
				}
				return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
					if err := d.SetTrainingKey(c.Context(), b); err != nil {
						return fault.In("load training key", args[0], err)
					}
					return nil
				})
			},
		},
	)
	return c
}
