package main

import (
	"strings"

	"github.com/spf13/cobra"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// formatsCommand writes the published JSON Schemas of our own records.
func formatsCommand(f *face) *cobra.Command {
	var schema string
	c := &cobra.Command{
		Use: "formats --schema NAME", Short: "write the JSON Schema of a record: " + strings.Join(review.SchemaNames(), ", "), Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			text, known := review.SchemaOf(schema)
			if !known {
				return fault.New(fault.Usage, "write schema", schema, "--schema is one of %s", strings.Join(review.SchemaNames(), ", "))
			}
			_, err := f.out.Write(text)
			return err
		},
	}
	c.Flags().StringVar(&schema, "schema", "", "the record: "+strings.Join(review.SchemaNames(), ", "))
	return c
}
