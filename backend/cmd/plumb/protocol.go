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

// checkedProtocol is what check writes with --json.
type checkedProtocol struct {
	Protocol review.Protocol  `json:"protocol"`
	Problems []review.Problem `json:"problems"`
}

// checkProtocol writes what is wrong in a protocol file; fault Invalid, after that, where something is.
func (f *face) checkProtocol(c *cobra.Command, path string) error {
	b, err := loadInput("load protocol", path)
	if err != nil {
		return err
	}
	return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
		p, problems, err := d.CheckProtocol(c.Context(), b)
		if err != nil {
			return fault.In("load protocol", path, err)
		}
		for i := range problems {
			problems[i].File = path
		}
		if f.json {
			err = f.print(checkedProtocol{p, problems})
		} else {
			f.sayProblems(problems)
		}
		switch {
		case err != nil:
			return err
		case len(problems) > 0:
			return fault.New(fault.Invalid, "check protocol", path, "%d problems", len(problems))
		case !f.json:
			f.say("the protocol can be followed")
		}
		return nil
	})
}
