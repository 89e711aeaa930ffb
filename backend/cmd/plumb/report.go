package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/report"
	"plumbline/backend/review"
)

// reportCommand writes the report of the workspace: report.json for machines, report.html for people.
func reportCommand(f *face) *cobra.Command {
	var dir, split string
	var schema bool
	var filter report.Filter
	c := &cobra.Command{
		Use: "report --out DIR", Short: "Write report.json and report.html: accuracy beside grounding, with intervals", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if schema {
				_, err := f.out.Write(report.JSONSchema())
				return err
			}
			if dir == "" {
				return fault.New(fault.Usage, "write report", "", "name a folder with --out DIR")
			}
			parts, err := splitFile(split)
			if err != nil {
				return err
			}
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				doc, err := d.SplitReport(c.Context(), filter, parts)
				if err != nil {
					return err
				}
				files, err := desk.WriteReport(doc, dir)
				if err != nil {
					return err
				}
				return tellReport(f, doc, files)
			})
		},
	}
	c.Flags().StringVar(&dir, "out", "", "folder to write into; it is made where it is missing")
	c.Flags().StringVar(&split, "split", "", "held-out split: CSV with the columns case and split; every number is given for each part too")
	c.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of report.json and write nothing")
	c.Flags().IntSliceVar(&filter.Stages, "stage", nil, "only questions of these stages, by number")
	for name, list := range map[string]*[]string{"category": &filter.Categories, "modality": &filter.Modalities, "language": &filter.Languages, "model": &filter.Models, "condition": &filter.Conditions, "reader": &filter.Readers} {
		c.Flags().StringSliceVar(list, name, nil, "only what is of this "+name+"; may be given several times")
	}
	return c
}

// splitFile reads a held-out split; none is a report that is not split.
func splitFile(path string) (map[review.CaseID]string, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fault.New(fault.NotFound, "read split", path, "%w", err)
	}
	defer file.Close()
	parts, err := report.ReadSplit(file)
	if err != nil {
		return nil, fault.New(fault.Invalid, "read split", path, "%w", err)
	}
	return parts, nil
}

// tellReport says in short what the report says.
func tellReport(f *face, doc report.Document, files []string) error {
	if f.json {
		return f.print(struct {
			Files []string `json:"files"`
			report.Document
		}{files, doc})
	}
	f.say("%s", strings.Join(files, "\n"))
	for _, m := range doc.Models {
		f.say("%s: chain accuracy %s; grounding by readers %s; by intervention %s", report.Entry(m), text(m.Accuracy.Chain), text(m.GroundingHuman.Lenient), text(m.GroundingCausal.Share))
	}
	for _, n := range doc.Notes {
		f.say("%s", n)
	}
	return nil
}

// text writes a number with its interval on one line.
func text(n report.Number) string {
	s := report.Value(n)
	if i := report.Interval(n); i != "" {
		s += " (" + i + ")"
	}
	return s
}
