package main

import (
	"strings"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/export"
	"plumbline/backend/fault"
)

// exportCommand writes what was read for other people's programs.
func exportCommand(f *face) *cobra.Command {
	var o desk.ExportOrder
	c := &cobra.Command{
		Use: "export NAME --out DIR", Short: "write what was read for other programs: trainers, statisticians, viewers, other sites (plumb formats lists them)", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.Format = args[0]
			if o.Dir == "" {
				return fault.New(fault.Usage, "export", args[0], "name the folder with --out DIR")
			}
			tell, done := f.tell()
			defer done()
			return f.atDesk(c.Context(), false, tell, func(d *desk.Desk) error {
				result, err := d.Export(c.Context(), o)
				done()
				switch {
				case err != nil:
					return err
				case f.json:
					return f.print(result)
				}
				f.exported(result)
				return nil
			})
		},
	}
	c.Flags().StringVar(&o.Dir, "out", "", "folder to write into: new, empty, or an earlier export, which is replaced")
	c.Flags().StringVar(&o.Split, "split", "", "shares as in train=0.8,test=0.2, a CSV file with the columns case and split, or none")
	c.Flags().Uint64Var(&o.Seed, "seed", 0, "of the split (default: that of the workspace)")
	c.Flags().StringVar(&o.Labels, "labels", "", "which labels of readers count: single (of one reader alone too) or adjudicated (those alone); default: adjudicated, or the same of two readers")
	c.Flags().StringVar(&o.Prompt, "prompt", "", "how questions are worded for trainers: letters (answered by letter) or plain (the question alone); default: stage, question and options, answered in words")
	c.Flags().IntVar(&o.Frames, "frames", 0, "most frames of a volume in a sample (default 16)")
	c.Flags().StringVar(&o.Against, "against", "", "manifest.json of another export: none of its images may be in another part here")
	return c
}

// exported says what was written: files but for pictures, counts, what was left aside, the split, and what must be known.
func (f *face) exported(d export.Done) {
	pictures := 0
	for _, x := range d.Files {
		if isPicture(x.Path) {
			pictures++
			continue
		}
		f.say("%s\t%d rows\tsha256 %s", x.Path, x.Rows, x.SHA256)
	}
	if pictures > 0 {
		f.say("%d pictures", pictures)
	}
	for _, u := range d.Units {
		f.say("%d %s in, %d out", u.In, u.Unit, u.Out)
		for _, s := range u.Side {
			f.say("  %d left aside: %s", s.N, s.Why)
		}
	}
	if d.Split != nil {
		for _, p := range d.Split.Parts {
			f.say("%s: %d cases, %d clusters", p.Name, p.Cases, p.Clusters)
		}
	}
	for _, w := range d.Warnings {
		f.say("%s", w)
	}
	f.say("written to %s", d.Dir)
}

func isPicture(path string) bool { return strings.HasPrefix(path, "images/") }
