package main

import (
	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// verifyCommand walks the ledger of the workspace; a break is fault Damaged, after the result is written.
func verifyCommand(f *face) *cobra.Command {
	return &cobra.Command{
		Use: "verify", Short: "check that nothing that was said is lost or changed", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				v, err := d.Verify(c.Context())
				if err != nil {
					return err
				}
				if err := f.verified(v); err != nil {
					return err
				}
				if b := v.FirstBreak; b != nil {
					return fault.New(fault.Damaged, "verify", f.workspace, "reader %s, machine %s, seq %d: %s", b.Reader, b.Machine, b.Seq, b.Text)
				}
				return nil
			})
		},
	}
}

func (f *face) verified(v store.Verification) error {
	if f.json {
		return f.print(v)
	}
	for _, h := range v.Chains {
		f.say("reader %s on %s: %d events, head %s", h.Reader, h.Machine, h.Count, h.Head)
	}
	if v.FirstBreak == nil {
		f.say("%d events, every hash chain holds", v.Events)
	}
	return nil
}
