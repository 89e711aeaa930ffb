package main

import (
	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// exportCommand writes what was read for other people's programs.
func exportCommand(f *face) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "export NAME --out DIR", Short: "write what was read for other programs: imrmc (scores of readers, for AUC)", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case args[0] != "imrmc":
				return fault.New(fault.Usage, "export", args[0], "one of imrmc expected")
			case out == "":
				return fault.New(fault.Usage, "export", args[0], "name the folder with --out DIR")
			}
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				done, err := d.ExportIMRMC(c.Context(), out)
				switch {
				case err != nil:
					return err
				case f.json:
					return f.print(done)
				}
				for _, file := range done.Files {
					f.say("%s\t%d rows\tsha256 %s", file.Path, file.Rows, file.SHA256)
				}
				f.say("%d readings in, %d scores out", done.In, done.Out)
				for _, s := range done.Side {
					f.say("%d left out: %s", s.N, s.Label)
				}
				return nil
			})
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder to write into")
	return c
}
