package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// rubricCommand shows, checks and adds what readers are asked by; the protocol's "rubric" names the one that holds.
func rubricCommand(f *face) *cobra.Command {
	c := &cobra.Command{Use: "rubric", Short: "what readers are asked of steps and chains; the protocol names the one that holds"}
	var name, version string
	show := &cobra.Command{
		Use: "show", Short: "write a rubric as JSON: the one that holds, or one by its name and version", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				if name == "" && version == "" {
					return f.print(d.Rubric())
				}
				all, err := d.Rubrics(c.Context())
				if err != nil {
					return err
				}
				for _, r := range all {
					if r.Called() == (review.RubricName{Name: name, Version: version}) {
						return f.print(r)
					}
				}
				return fault.New(fault.NotFound, "show rubric", name, "the study has no rubric %s version %s", name, version)
			})
		},
	}
	show.Flags().StringVar(&name, "name", "", "name of the rubric")
	show.Flags().StringVar(&version, "version", "", "version of the rubric")
	c.AddCommand(show,
		&cobra.Command{
			Use: "list", Short: "list the rubrics of the study", Args: cobra.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error { return f.listRubrics(c) },
		},
		&cobra.Command{
			Use: "check FILE", Short: "list what is wrong in a rubric file, changing nothing", Args: cobra.ExactArgs(1),
			RunE: func(c *cobra.Command, args []string) error { return f.checkRubric(c, args[0]) },
		},
		&cobra.Command{
			Use: "add FILE", Short: "add a rubric to the study, for a protocol to name (coordinator's seat)", Args: cobra.ExactArgs(1),
			RunE: func(c *cobra.Command, args []string) error { return f.addRubric(c, args[0]) },
		},
	)
	return c
}

func (f *face) listRubrics(c *cobra.Command) error {
	return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
		all, err := d.Rubrics(c.Context())
		if err != nil {
			return err
		}
		holds := d.Rubric().Digest
		for _, r := range all {
			if f.json {
				if err := f.line(r); err != nil {
					return err
				}
				continue
			}
			now := ""
			if r.Digest == holds {
				now = "\tholds now"
			}
			f.say("%s\tversion %s\t%d questions of a step, %d of a chain%s", r.Name, r.Version, len(r.Step), len(r.Chain), now)
		}
		return nil
	})
}

// checkRubric writes what is wrong in a rubric file; fault Invalid, after that, where something is.
func (f *face) checkRubric(c *cobra.Command, path string) error {
	return f.checkFile(c, "rubric", path, func(d *desk.Desk, b []byte) (any, string, []review.Problem, error) {
		r, problems, err := d.CheckRubric(c.Context(), b)
		return r, fmt.Sprintf("readers can be asked by %s version %s", r.Name, r.Version), problems, err
	})
}

func (f *face) addRubric(c *cobra.Command, path string) error {
	b, err := loadInput("load rubric", path)
	if err != nil {
		return err
	}
	return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
		r, err := d.AddRubric(c.Context(), b)
		switch {
		case err != nil:
			return fault.In("load rubric", path, err)
		case f.json:
			return f.print(r)
		}
		f.say("added %s version %s; it holds when the protocol names it", r.Name, r.Version)
		return nil
	})
}
