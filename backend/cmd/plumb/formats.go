package main

import (
	"strings"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/export"
	"plumbline/backend/fault"
	"plumbline/backend/formats"
	"plumbline/backend/review"
)

// formatsCommand lists what can be imported and exported, and writes the published JSON Schemas of our own records.
func formatsCommand(f *face) *cobra.Command {
	var schema string
	var stages bool
	c := &cobra.Command{
		Use: "formats [--schema NAME | --stages]", Short: "list what can be imported and exported, with fields; write the table of stages of other people's records; or the JSON Schema of a record: " + strings.Join(review.SchemaNames(), ", "), Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if stages {
				_, err := f.out.Write(formats.StagesText())
				return err
			}
			if !c.Flags().Changed("schema") {
				return f.formats()
			}
			text, known := review.SchemaOf(schema)
			if !known {
				return fault.New(fault.Usage, "write schema", schema, "--schema is one of %s", strings.Join(review.SchemaNames(), ", "))
			}
			_, err := f.out.Write(text)
			return err
		},
	}
	c.Flags().StringVar(&schema, "schema", "", "the record: "+strings.Join(review.SchemaNames(), ", "))
	c.Flags().BoolVar(&stages, "stages", false, "the table by which stages of others become ours, to be edited and given to import --stages")
	return c
}

// formats lists what can be imported and exported.
func (f *face) formats() error {
	return f.sit(review.Quiet, func(d *desk.Desk) error {
		all := formatList{d.ImportFormats(), d.ExportFormats()}
		if f.json {
			return f.print(all)
		}
		for i, list := range [][]export.Format{all.Import, all.Export} {
			f.say("%s", [...]string{"import", "export"}[i])
			for _, x := range list {
				f.say("  %s\t%s", x.Name, x.Title)
				for _, file := range x.Files {
					f.say("    %s\t%s", file.Path, strings.Join(file.Fields, ", "))
				}
			}
		}
		return nil
	})
}

// formatList is what plumb formats --json writes.
type formatList struct {
	Import []export.Format `json:"import"`
	Export []export.Format `json:"export"`
}
