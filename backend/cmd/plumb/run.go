package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/experiment"
	"plumbline/backend/fault"
)

// runCommand asks models about the cases of the workspace under conditions. What was answered before it was stopped is not asked again with
// --resume.
func runCommand(f *face) *cobra.Command {
	var o desk.RunOrder
	var estimate bool
	var templates []string
	c := &cobra.Command{
		Use: "run --model M --conditions A,B …", Short: "Ask models about the cases under conditions; chains go into the workspace", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Conditions = append(o.Conditions, templates...)
			switch {
			case !o.Resume && (len(o.Models) == 0 || len(o.Conditions) == 0):
				return fault.New(fault.Usage, "run", "", "name models with --model and conditions with --conditions, or go on with --resume")
			case o.Resume && len(o.Models)+len(o.Conditions)+len(o.Cases) > 0:
				return fault.New(fault.Usage, "run", "", "--resume goes on with the run as it was begun: no --model, --conditions or --cases with it")
			}
			tell, end := f.tell()
			defer end()
			return f.atDesk(c.Context(), false, tell, func(d *desk.Desk) error {
				if estimate {
					return f.sayEstimate(c, d, o)
				}
				s, err := d.Run(c.Context(), o)
				end()
				if err != nil {
					if s.Answered > 0 {
						fmt.Fprintf(f.diag, "%d answers are kept; go on with --resume\n", s.Answered)
					}
					return err
				}
				return f.sayRun(s)
			})
		},
	}
	flags := c.Flags()
	flags.StringSliceVar(&o.Models, "model", nil, "models to ask; controls stands for all built-in ones")
	flags.StringSliceVar(&o.Conditions, "conditions", nil, "conditions and sets of them, as plumb conditions lists them; standard stands for those that the report needs")
	flags.StringSliceVar(&templates, "template", nil, "sets of conditions that answer a question, as plumb conditions lists them; may stand beside --conditions")
	flags.StringSliceVar(&o.Cases, "cases", nil, "only these cases")
	flags.IntVar(&o.Concurrency, "concurrency", 0, "requests at a time to one model (0: as its profile says)")
	flags.Int64Var(&o.Seed, "seed", 1, "seed of every request and of what is drawn in the pixels")
	flags.BoolVar(&o.Resume, "resume", false, "go on with the latest run that is not done")
	flags.BoolVar(&estimate, "estimate", false, "only say what it would come to")
	return c
}

// sayEstimate tells what a run would come to.
func (f *face) sayEstimate(c *cobra.Command, d *desk.Desk, o desk.RunOrder) error {
	e, err := d.EstimateRun(c.Context(), o)
	switch {
	case err != nil:
		return err
	case f.json:
		return f.print(e)
	}
	f.say("at the most %d requests for %d chains, with %d images", e.Requests, e.Chains, e.Images)
	if len(e.Added) > 0 {
		f.say("added, because others need them: %s", strings.Join(e.Added, ", "))
	}
	return nil
}

// sayRun tells how a run went. Requests without an answer make it done in part; with no answer at all the endpoint has failed.
func (f *face) sayRun(s experiment.Status) error {
	if f.json {
		if err := f.print(s); err != nil {
			return err
		}
	} else {
		f.say("%s: %d requests, %d answered (%d of them before), %d unparsed, %d chains in %.1f s", s.Run, s.Requests, s.Answered, s.Kept, s.Unparsed, s.Chains, s.Seconds)
		for _, c := range s.NotApplicable {
			f.say("%d not applicable: %s", c.Count, c.Kind)
		}
		for _, c := range s.LeftOut {
			f.say("%d questions left out: %s", c.Count, c.Kind)
		}
		for _, c := range s.Failed {
			f.say("%d failed: %s", c.Count, c.Kind)
		}
	}
	failed := 0
	for _, c := range s.Failed {
		failed += c.Count
	}
	switch {
	case failed == 0:
		return nil
	case s.Answered == 0:
		return fault.New(fault.Endpoint, "run", s.Run, "no request was answered")
	}
	return fault.New(fault.Partial, "run", s.Run, "%d chains are missing; go on with --resume", failed)
}
