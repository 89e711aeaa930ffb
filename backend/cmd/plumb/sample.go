package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/sample"
)

// sampleResult is the answer of `plumb sample`.
type sampleResult struct {
	sample.Made
	Workspace string `json:"workspace,omitempty"` // with --open
}

// sampleCommand writes the synthetic sample study: the same bytes for the same seed.
func sampleCommand(f *face) *cobra.Command {
	var seed int64
	var open bool
	c := &cobra.Command{
		Use: "sample DIR", Short: "Write the synthetic sample study", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			tell, end := f.tell()
			defer end()
			made, err := sample.Write(c.Context(), args[0], seed, tell)
			if err != nil {
				return err
			}
			out := sampleResult{Made: made}
			if open {
				if f.workspace == "" {
					f.workspace = filepath.Clean(args[0]) + "-workspace"
				}
				out.Workspace = f.workspace
				err := f.atDesk(c.Context(), true, tell, func(d *desk.Desk) error {
					_, err := d.Import(c.Context(), args[0])
					return err
				})
				if err != nil {
					return err
				}
			}
			end()
			return f.saySample(args[0], out)
		},
	}
	c.Flags().Int64Var(&seed, "seed", sample.DefaultSeed, "another seed gives another study of the same make-up")
	c.Flags().BoolVar(&open, "open", false, "import it into the workspace too (without --workspace: DIR-workspace)")
	return c
}

// saySample tells what was written, and where.
func (f *face) saySample(dir string, r sampleResult) error {
	if f.json {
		return f.print(r)
	}
	state := "written to"
	if r.Kept {
		state = "already in"
	}
	f.say("sample study %s %s: %d cases of %d patients, %d images (%d frames), %d chains, seed %d",
		state, dir, r.Cases, r.Patients, r.Images, r.Frames, r.Chains, r.Seed)
	if r.Workspace != "" {
		f.say("imported into the workspace %s", r.Workspace)
	}
	return nil
}
