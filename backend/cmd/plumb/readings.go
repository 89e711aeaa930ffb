package main

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/review"
)

// readingsCommand lists what was said, every revision: with --json the events, one a line. What came back in a package speaks in aliases of
// cases and steps in the ledger; it is listed by their own names, with --stored as it lies there.
func readingsCommand(f *face) *cobra.Command {
	var reader string
	var stored bool
	c := &cobra.Command{
		Use: "readings", Short: "list what was said, every revision", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				return d.EachReading(c.Context(), reader, func(e review.Event, raw []byte) error {
					switch {
					case stored:
						return f.line(json.RawMessage(raw))
					case f.json:
						return f.line(e)
					}
					f.say("%s\t%s\t%s\t%s\t%s\t%s", e.At, e.Reader, e.Kind, e.Case, askedBy(e), said(e))
					return nil
				})
			})
		},
	}
	c.Flags().BoolVar(&stored, "stored", false, "the events as they lie in the ledger, byte for byte")
	c.Flags().StringVar(&reader, "reader", "", "only what this reader said")
	return c
}

// askedBy names the rubric under which an answer was given; "–" for what no rubric asks.
func askedBy(e review.Event) string {
	if e.Body.Rating == nil && e.Body.ChainRating == nil {
		return "–"
	}
	return e.Rubric.Name + " " + e.Rubric.Version
}

// said puts what an event says into a few words.
func said(e review.Event) string {
	words := ""
	switch b := e.Body; {
	case b.Look != nil:
		words = string(b.Look.Question) + ": " + b.Look.Answer
	case b.Rating != nil:
		words = string(e.Chain) + "/" + string(b.Rating.Step) + ": " + string(b.Rating.Support)
	case b.OwnAnswer != nil:
		words = strings.TrimSpace(string(e.Chain) + "/" + string(b.OwnAnswer.Step) + ": would have said " + b.OwnAnswer.Answer + " " + b.OwnAnswer.Text)
	case b.ChainRating != nil:
		words = string(e.Chain) + ": " + b.ChainRating.Answer
	case b.Seen != nil:
		words = string(e.Chain) + "/" + string(b.Seen.Step)
	}
	if e.Supersedes != "" {
		words += " (supersedes " + string(e.Supersedes) + ")"
	}
	if e.Reason != "" {
		words += " because: " + e.Reason
	}
	return words
}
