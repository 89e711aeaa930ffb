package main

import (
	"strings"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/report"
	"plumbline/backend/review"
)

// reportCommand writes the report of the workspace: report.json for machines, report.html for people.
func reportCommand(f *face) *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use: "report --out DIR", Short: "Write report.json and report.html: accuracy beside grounding, with intervals", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if dir == "" {
				return fault.New(fault.Usage, "write report", "", "name a folder with --out DIR")
			}
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				files, err := d.SaveReport(c.Context(), dir)
				if err != nil {
					return err
				}
				doc, err := d.Report(c.Context())
				if err != nil {
					return err
				}
				if f.json {
					return f.print(struct {
						Files []string `json:"files"`
						report.Document
					}{files, doc})
				}
				f.say("%s", strings.Join(files, "\n"))
				for _, m := range doc.Models {
					f.say("%s, %s: chain accuracy %s; grounding by readers %s", m.Model, m.Condition, text(m.Accuracy.Chain), text(m.GroundingHuman.Lenient))
				}
				for _, n := range doc.Notes {
					f.say("%s", n)
				}
				return nil
			})
		},
	}
	c.Flags().StringVar(&dir, "out", "", "folder to write into; it is made where it is missing")
	return c
}

// text writes a number with its interval on one line.
func text(n report.Number) string {
	s := report.Value(n)
	if i := report.Interval(n); i != "" {
		s += " (" + i + ")"
	}
	return s
}
