package main

import (
	"errors"

	"github.com/spf13/cobra"

	"plumbline/backend/bundle"
	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// bundleCommand carries work to readers' own workstations and their words back.
func bundleCommand(f *face) *cobra.Command {
	c := &cobra.Command{Use: "bundle", Short: "packages: work to a reader's own workstation, and words back"}
	c.AddCommand(bundleMake(f), bundleOpen(f), bundleMerge(f), bundleConflicts(f), bundleKey(f))
	return c
}

// bundleMake packs: in the coordinator's seat what a reader reads, in a reader's seat what that reader said.
func bundleMake(f *face) *cobra.Command {
	var reader, out string
	var p passphrase
	var lock bundle.Lock
	c := &cobra.Command{
		Use: "make --out FILE", Short: "pack a reader's work (coordinator's seat, with --reader) or what was said here (a reader's seat)", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if out == "" {
				return fault.New(fault.Usage, "make package", "", "--out FILE is needed")
			}
			tell, end := f.tell()
			defer end()
			return f.atDesk(c.Context(), false, tell, func(d *desk.Desk) error {
				s, err := d.State(c.Context())
				if err != nil {
					return err
				}
				if reader == "" && s.Role == desk.Coordinator {
					return fault.New(fault.Usage, "make package", "", "--reader CODE is needed: for whom it is")
				}
				if reader != "" && s.Role != desk.Coordinator {
					return fault.New(fault.Usage, "make package", reader, "this workspace is the seat of reader %s, and packs what was said here: leave --reader out", s.Reader)
				}
				if len(lock.Recipients) == 0 && (reader != "" || p.file != "") {
					if lock.Passphrase, err = p.chosen(f); err != nil {
						return err
					}
				}
				var made desk.Packed
				if reader != "" {
					made, err = d.MakeWork(c.Context(), reader, out, lock)
				} else {
					made, err = d.MakeWords(c.Context(), out, lock)
				}
				end()
				return errors.Join(err, f.packed(made, err == nil))
			})
		},
	}
	c.Flags().StringVar(&reader, "reader", "", "for whom the work is")
	c.Flags().StringVar(&out, "out", "", "the package to write")
	c.Flags().StringArrayVar(&lock.Recipients, "recipient", nil, "lock it for this machine (plumb bundle key tells its name) in place of a passphrase; may be given again. Words are locked for whoever sent the work where nothing is said")
	p.flag(c)
	return c
}

// packed says what went into a package.
func (f *face) packed(p desk.Packed, made bool) error {
	switch {
	case !made:
		return nil
	case f.json:
		return f.print(p)
	}
	if p.Reads > 0 {
		f.say("%s: %d reads for reader %s, %d training cases, %d images of %d frames", p.Path, p.Reads, p.Reader, p.Training, p.Images, p.Frames)
	} else {
		f.say("%s: %d events of reader %s", p.Path, p.Events, p.Reader)
	}
	f.say("signed with key %s: tell it to the other side by another way than the package", p.Fingerprint)
	f.sayProblems(p.Problems)
	if len(p.Problems) > 0 {
		return fault.New(fault.Partial, "make package", p.Path, "%d images cannot be shown, here as there", len(p.Problems))
	}
	return nil
}

// bundleOpen makes a reader's workspace of a package, or adds a later one to it.
func bundleOpen(f *face) *cobra.Command {
	var p passphrase
	c := &cobra.Command{
		Use: "open PACKAGE --workspace DIR", Short: "make a reader's workspace of a package of work, or add a later package to it", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			tell, end := f.tell()
			defer end()
			return f.sit(tell, func(d *desk.Desk) error {
				var o desk.Opened
				err := p.try(f, func(secret string) (err error) {
					o, err = d.OpenWork(c.Context(), args[0], f.workspace, secret)
					return err
				})
				end()
				switch {
				case err != nil:
					return err
				case f.json:
					return f.print(o)
				}
				f.say("%s is the workspace of reader %s: %d cases are new, %d were here", o.Workspace, o.Reader, o.New, o.Kept)
				if o.First {
					f.say("the coordinator's key is %s; from now on only this key is accepted: compare it with what the coordinator told you", o.Fingerprint)
				}
				f.sayProblems(o.Problems)
				return nil
			})
		},
	}
	p.flag(c)
	return c
}

// merged is what merge writes with --json.
type merged struct {
	EventsNew   int             `json:"events_new"`
	EventsKnown int             `json:"events_known"`
	Conflicts   []desk.Conflict `json:"conflicts"`
	Packages    []desk.Merged   `json:"packages"`
}

// bundleMerge takes back what readers said. A package that is refused keeps the others from nothing.
func bundleMerge(f *face) *cobra.Command {
	var p passphrase
	var trust string
	c := &cobra.Command{
		Use: "merge PACKAGE…", Short: "take back what readers said (coordinator's seat): a union, in any order and however often", Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				out := merged{Packages: []desk.Merged{}}
				var errs []error
				for _, path := range args {
					err := p.try(f, func(secret string) error {
						m, err := d.Merge(c.Context(), path, secret, trust)
						if err == nil {
							out.Packages = append(out.Packages, m)
							out.EventsNew, out.EventsKnown = out.EventsNew+m.EventsNew, out.EventsKnown+m.EventsKnown
						}
						return err
					})
					errs = append(errs, err)
				}
				var err error
				if out.Conflicts, err = d.Conflicts(c.Context()); err != nil {
					return errors.Join(append(errs, err)...)
				}
				return errors.Join(append(errs, f.mergedPackages(out))...)
			})
		},
	}
	c.Flags().StringVar(&trust, "trust", "", "the fingerprint of another key that is accepted from now on for the reader's machine")
	p.flag(c)
	return c
}

func (f *face) mergedPackages(out merged) error {
	if f.json {
		return f.print(out)
	}
	for _, m := range out.Packages {
		f.say("reader %s on %s: %d events are new, %d were here", m.Reader, m.Machine, m.EventsNew, m.EventsKnown)
		if m.First {
			f.say("  the first package of this machine; its key is %s, and from now on only this key is accepted for it: compare it with what the reader tells you", m.Fingerprint)
		}
		for _, n := range m.Notices {
			f.say("  %s", n)
		}
	}
	f.sayConflicts(out.Conflicts)
	return nil
}

func (f *face) sayConflicts(all []desk.Conflict) {
	for _, c := range all {
		f.say("reader %s said two things of %s %s %s %s:", c.Reader, c.Case, c.Kind, c.Chain, c.Part)
		for _, v := range c.Versions {
			counts := ""
			if v.Counts {
				counts = " (counts until it is said anew)"
			}
			f.say("  %s on %s: %s%s", v.At, v.Machine, said(review.Event{Chain: review.ChainID(c.Chain), Body: v.Body}), counts)
		}
	}
}

// bundleConflicts lists what readers said differently on two machines.
func bundleConflicts(f *face) *cobra.Command {
	return &cobra.Command{
		Use: "conflicts", Short: "list what readers said differently on two machines of theirs (coordinator's seat)", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				all, err := d.Conflicts(c.Context())
				switch {
				case err != nil:
					return err
				case f.json:
					return f.print(struct {
						Conflicts []desk.Conflict `json:"conflicts"`
					}{all})
				}
				f.sayConflicts(all)
				f.say("%d conflicts", len(all))
				return nil
			})
		},
	}
}

// bundleKey tells the public keys of this machine.
func bundleKey(f *face) *cobra.Command {
	return &cobra.Command{
		Use: "key", Short: "the public keys of this machine: its fingerprint, and the name under which a package is locked for it", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.sit(review.Quiet, func(d *desk.Desk) error {
				k, err := d.Keys(c.Context())
				switch {
				case err != nil:
					return err
				case f.json:
					return f.print(k)
				}
				f.say("fingerprint %s", k.Fingerprint)
				f.say("recipient   %s", k.Recipient)
				return nil
			})
		},
	}
}
