package main

import (
	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// verifyCommand walks the ledger of the workspace, or reads a package; a break is fault Damaged, after the result is written.
func verifyCommand(f *face) *cobra.Command {
	var p passphrase
	c := &cobra.Command{
		Use: "verify [PACKAGE]", Short: "check that nothing that was said is lost or changed, in the workspace or in a package", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return f.verifyPackage(c, args[0], p)
			}
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
	p.flag(c)
	return c
}

// verifyPackage reads a package to its end.
func (f *face) verifyPackage(c *cobra.Command, path string, p passphrase) error {
	return f.sit(review.Quiet, func(d *desk.Desk) error {
		var v desk.Inspected
		err := p.try(f, func(secret string) (err error) {
			v, err = d.Inspect(c.Context(), path, secret)
			return err
		})
		switch {
		case err != nil:
			return err
		case f.json:
			return f.print(v)
		}
		f.say("a package of %s from %s to %s, made %s, signed with key %s", v.Kind, v.From, v.To, v.Created, v.Fingerprint)
		f.say("%d files of %d bytes, as they were signed", v.Files, v.Bytes)
		return f.verified(v.Verification)
	})
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
