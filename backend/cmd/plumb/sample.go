package main

import (
	"github.com/spf13/cobra"

	"plumbline/backend/review"
	"plumbline/backend/sample"
)

// sampleCommand writes the synthetic sample study: the same bytes for the same seed.
func sampleCommand(f *face) *cobra.Command {
	var seed int64
	c := &cobra.Command{
		Use: "sample DIR", Short: "write the synthetic sample study", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			made, err := sample.Write(c.Context(), args[0], seed, review.Quiet)
			if err != nil {
				return err
			}
			if f.json {
				return f.print(made)
			}
			state := "written to"
			if made.Kept {
				state = "is there already in"
			}
			f.say("sample study %s %s: %d cases of %d patients, %d images (%d frames), %d chains, seed %d",
				state, args[0], made.Cases, made.Patients, made.Images, made.Frames, made.Chains, made.Seed)
			return nil
		},
	}
	c.Flags().Int64Var(&seed, "seed", sample.DefaultSeed, "another seed gives another study of the same make-up")
	return c
}
