package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// protocolCommand shows, checks and sets the rules of the study.
func protocolCommand(f *face) *cobra.Command {
	c := &cobra.Command{Use: "protocol", Short: "the rules of the study: who reads what, blind to what"}
	c.AddCommand(
		&cobra.Command{
			Use: "show", Short: "write the rules as JSON", Args: cobra.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error {
				return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
					p, set, err := d.Protocol(c.Context())
					if err != nil {
						return err
					}
					if !set {
						fmt.Fprintln(f.diag, "plumb: no protocol is set; this is the default")
					}
					return f.print(p)
				})
			},
		},
		&cobra.Command{
			Use: "check FILE", Short: "list what is wrong in a protocol file, changing nothing", Args: cobra.ExactArgs(1),
			RunE: func(c *cobra.Command, args []string) error { return f.checkProtocol(c, args[0]) },
		},
		&cobra.Command{
			Use: "set FILE", Short: "make a protocol file the rules from now on (coordinator's seat)", Args: cobra.ExactArgs(1),
			RunE: func(c *cobra.Command, args []string) error {
				b, err := loadInput("load protocol", args[0])
				if err != nil {
					return err
				}
				return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
					p, err := d.SetProtocol(c.Context(), b)
					switch {
					case err != nil:
						return fault.In("load protocol", args[0], err)
					case f.json:
						return f.print(p)
					}
					f.say("the protocol holds from now on: %d readers, %s", len(p.Readers), p.Design)
					return nil
				})
			},
		},
	)
	return c
}

// checkProtocol writes what is wrong in a protocol file; fault Invalid, after that, where something is.
func (f *face) checkProtocol(c *cobra.Command, path string) error {
	return f.checkFile(c, "protocol", path, func(d *desk.Desk, b []byte) (any, string, []review.Problem, error) {
		p, problems, err := d.CheckProtocol(c.Context(), b)
		return p, "the protocol can be followed", problems, err
	})
}

// checkFile writes what is wrong in a file of the study's rules: with --json under "problems", beside what was read under the noun. check
// also says in words what it means that nothing is.
func (f *face) checkFile(c *cobra.Command, noun, path string, check func(*desk.Desk, []byte) (read any, good string, problems []review.Problem, err error)) error {
	b, err := loadInput("load "+noun, path)
	if err != nil {
		return err
	}
	return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
		read, good, problems, err := check(d, b)
		if err != nil {
			return fault.In("load "+noun, path, err)
		}
		for i := range problems {
			problems[i].File = path
		}
		if f.json {
			err = f.print(map[string]any{noun: read, "problems": problems})
		} else {
			f.sayProblems(problems)
		}
		switch {
		case err != nil:
			return err
		case len(problems) > 0:
			return fault.New(fault.Invalid, "check "+noun, path, "%d problems", len(problems))
		case !f.json:
			f.say("%s", good)
		}
		return nil
	})
}
