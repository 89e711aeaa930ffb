package main

import (
	"github.com/spf13/cobra"

	"plumbline/backend/desk"
)

// versionCommand tells version, commit and the licences of what is inside.
func versionCommand(f *face) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "version, commit, licences of what is inside", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			about, err := desk.New(desk.Options{}).About(c.Context())
			if err != nil {
				return err
			}
			if f.json {
				return f.print(about)
			}
			f.say("plumb %s %s\n%s", about.Version, about.Commit, about.Notice)
			for _, l := range about.Licences {
				f.say("%s %s: %s", l.Name, l.Version, l.Licence)
			}
			return nil
		},
	}
}
