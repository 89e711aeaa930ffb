package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// adjudicateCommand lists disagreements and settles them. Deciding is an adjudicator's: in an adjudicator's workspace, or in the
// coordinator's under an adjudicator's code (--as, which stays).
func adjudicateCommand(f *face) *cobra.Command {
	var as string
	c := &cobra.Command{Use: "adjudicate", Short: "disagreements of readers, and final values"}
	c.PersistentFlags().StringVar(&as, "as", "", "take the seat of this code from now on (coordinator's workspace)")
	seated := func(c *cobra.Command, fn func(*desk.Desk) error) error {
		return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
			if as != "" {
				if _, err := d.SetReader(c.Context(), as); err != nil {
					return err
				}
			}
			return fn(d)
		})
	}
	c.AddCommand(f.listDisagreements(seated), f.showDisagreement(seated), f.decideCommand(seated), f.adoptCommand(seated))
	return c
}

type seated func(*cobra.Command, func(*desk.Desk) error) error

func (f *face) listDisagreements(at seated) *cobra.Command {
	var kind string
	c := &cobra.Command{
		Use: "list", Short: "on what readers disagree, by kind", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return at(c, func(d *desk.Desk) error {
				list, err := d.Disagreements(c.Context())
				if err != nil {
					return err
				}
				if kind != "" {
					names := []string{}
					for _, k := range list.Counts {
						names = append(names, k.Kind)
					}
					if !slices.Contains(names, kind) {
						return fault.New(fault.Usage, "list disagreements", kind, "a kind is one of %s", strings.Join(names, ", "))
					}
					list.Items = slices.DeleteFunc(list.Items, func(l desk.Disagreement) bool { return !slices.Contains(l.Kinds, kind) })
				}
				if f.json {
					return f.print(list)
				}
				for _, l := range list.Items {
					f.say("%s\t%s\t%s\t%s\t%s\t%d reads\t%s", l.ID, l.State, l.Case, itemText(l), strings.Join(l.Kinds, ", "), l.Reads, l.Text)
				}
				for _, k := range list.Counts {
					if n := k.Open + k.Waiting + k.Barred + k.Decided; n > 0 {
						f.say("%s: %d open, %d waiting, %d decided", k.Kind, k.Open+k.Barred, k.Waiting, k.Decided)
					}
				}
				f.say("%d open, %d waiting, %d decided; %d items are unanimous, %d of that kind are settled", list.Open+list.Barred, list.Waiting, list.Decided, list.Unanimous, list.Adopted)
				return nil
			})
		},
	}
	c.Flags().StringVar(&kind, "kind", "", "only this kind: support, significance, place, origin, answer, omission, own_answer")
	return c
}

// itemText names an item for people.
func itemText(l desk.Disagreement) string {
	switch l.On {
	case "question":
		return "question at " + l.Stage
	case "step":
		return fmt.Sprintf("chain %s, step %d", l.Chain, l.Step)
	}
	return "chain " + l.Chain
}

func (f *face) showDisagreement(at seated) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "write one disagreement with its unnamed reads as JSON (adjudicator)", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return at(c, func(d *desk.Desk) error {
				v, err := d.OpenDisagreement(c.Context(), args[0])
				if err != nil {
					return err
				}
				return f.print(v)
			})
		},
	}
}

func (f *face) decideCommand(at seated) *cobra.Command {
	var file, reason string
	c := &cobra.Command{
		Use: "decide ID --file F.json --reason TEXT", Short: "give an item its final value (adjudicator)", Args: cobra.ExactArgs(1),
		Long: "Give an item its final value. The file holds one object with the value in the shape of a read, under look, rating or chain_rating:\n" +
			`{"rating": {"support": "contradicted", "error": ["wrong_location"], "significance": "b"}}` + "\nWhat all reads say alike may be left out.",
		RunE: func(c *cobra.Command, args []string) error {
			if file == "" {
				return fault.New(fault.Usage, "load decision", "", "--file F.json is needed")
			}
			b, err := loadInput("load decision", file)
			if err != nil {
				return err
			}
			value, err := review.RestoreFinalValue(b)
			if err != nil {
				return fault.New(fault.Invalid, "load decision", file, "%w", err)
			}
			return at(c, func(d *desk.Desk) error {
				done, err := d.Decide(c.Context(), args[0], value, reason)
				switch {
				case err != nil:
					return err
				case f.json:
					return f.print(done)
				}
				f.say("decided %s (revision %d): %d open, %d decided", done.Event, done.Revision, done.Open, done.Decided)
				return nil
			})
		},
	}
	c.Flags().StringVar(&file, "file", "", "the final value; - is standard input")
	c.Flags().StringVar(&reason, "reason", "", "why")
	return c
}

// adopted is what adopt-unanimous writes with --json.
type adopted struct {
	Adopted int `json:"adopted"`
}

func (f *face) adoptCommand(at seated) *cobra.Command {
	return &cobra.Command{
		Use: "adopt-unanimous", Short: "give every item on which all reads agree its final value, in one action (adjudicator)", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return at(c, func(d *desk.Desk) error {
				n, err := d.AdoptUnanimous(c.Context())
				switch {
				case err != nil:
					return err
				case f.json:
					return f.print(adopted{n})
				}
				f.say("%d items have their final value now", n)
				return nil
			})
		},
	}
}
