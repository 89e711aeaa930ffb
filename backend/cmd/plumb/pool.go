package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/store"
)

// poolCommand adds up what several sites exported for each other.
func poolCommand(f *face) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "pool DIR…", Short: "add up what sites exported with the format federation; every number is the sum of theirs", Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, dirs []string) error {
			p, err := desk.PoolSites(dirs)
			if err != nil {
				return err
			}
			if out != "" {
				b, err := json.MarshalIndent(p, "", " ")
				if err != nil {
					return fault.In("pool sites", out, err)
				}
				if err := store.Replace(out, append(b, '\n')); err != nil {
					return err
				}
			}
			if f.json {
				return f.print(p)
			}
			f.say("%d sites: %d cases, %d patients, %d clusters", len(p.Sites), p.Data.Cases, p.Data.Patients, p.Data.Clusters)
			for _, s := range p.Sites {
				f.say("%s, study %s, signed with %s", s.Site, s.Study, s.Key)
			}
			for _, s := range p.Shares {
				f.say("%s\t%s\t%s\tstage %d\t%s %.3f of %d", s.Of, s.Model, s.Condition, s.K, s.Value, s.Share, s.N)
			}
			for _, x := range p.Conflicts {
				f.say("conflict: %s, study %s, of %s: %s", x.Site, x.Study, x.Made, x.Why)
			}
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "file to write the pooled counts into, as JSON")
	return c
}
