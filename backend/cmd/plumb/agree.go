package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/report"
	"plumbline/backend/review"
)

// agreeCommand says how far the readers of the workspace agree: a line for each dimension, over all stages and at each; JSON lines with --json.
func agreeCommand(f *face) *cobra.Command {
	return &cobra.Command{
		Use: "agree", Short: "How far readers agree, by what they were asked and by stage, before adjudication", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				rows, err := d.Agreement(c.Context())
				if err != nil {
					return err
				}
				for _, r := range rows {
					if !f.json {
						f.say("%s", agreementText(r))
						continue
					}
					if err := f.line(r); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

// agreementText puts a row into a line for people.
func agreementText(r report.Agreement) string {
	of := r.Dimension
	if r.Stage != "" {
		of += " at " + r.Stage
	}
	if r.Reader != "" {
		of += " of " + r.Reader + " twice"
	}
	headline := "not estimable: " + r.Reason
	switch {
	case r.Alpha != nil:
		headline = fmt.Sprintf("alpha (%s) %.3f", r.Scale, *r.Alpha)
	case r.IoU != nil:
		headline = fmt.Sprintf("IoU %.3f", *r.IoU)
	}
	switch {
	case len(r.Interval) == 2:
		headline += fmt.Sprintf(" (%.3f to %.3f, %s)", r.Interval[0], r.Interval[1], r.Method)
	case r.Estimable:
		headline += " (" + r.Reason + ")"
	}
	return fmt.Sprintf("%s\t%d items, %d of them rated twice or more, %d readers\tsame %s\t%s\tkappa %s\tAC1 %s", of, r.Items, r.Pairable, r.Readers,
		orNone(r.Percent), headline, orNone(r.Kappa), orNone(r.AC1))
}

func orNone(v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f", *v)
}
