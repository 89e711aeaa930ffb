package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/model"
)

// batchCommand sends a run out as files and takes the answers in. A chain's next stage is told what the one before says, so a run of K stages
// goes out and comes back K times and more: once for each question of a chain.
func batchCommand(f *face) *cobra.Command {
	c := &cobra.Command{Use: "batch", Short: "A run as batch files for OpenAI, vLLM run-batch or Ray Data: write requests, read results"}
	c.AddCommand(writeBatch(f), readBatch(f))
	return c
}

func writeBatch(f *face) *cobra.Command {
	var o desk.BatchOrder
	var style string
	c := &cobra.Command{
		Use: "write DIR --model M --conditions A,B …", Short: "Write the next request of every chain into DIR, within the limits of batch servers", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case !o.Resume && (len(o.Models) == 0 || len(o.Conditions) == 0):
				return fault.New(fault.Usage, "batch write", "", "name a model with --model and conditions with --conditions, or write the next stage with --resume")
			case o.Resume && len(o.Models)+len(o.Conditions)+len(o.Cases) > 0:
				return fault.New(fault.Usage, "batch write", "", "--resume goes on with the run as it was begun: no --model, --conditions or --cases with it")
			}
			o.Dir, o.Style = args[0], model.BatchStyle(style)
			tell, end := f.tell()
			defer end()
			return f.atDesk(c.Context(), false, tell, func(d *desk.Desk) error {
				b, err := d.WriteBatch(c.Context(), o)
				end()
				if err != nil {
					return err
				}
				return f.sayWritten(args[0], b)
			})
		},
	}
	flags := c.Flags()
	flags.StringSliceVar(&o.Models, "model", nil, "the profile to ask")
	flags.StringSliceVar(&o.Conditions, "conditions", nil, "conditions and sets of them, as plumb conditions lists them")
	flags.StringSliceVar(&o.Cases, "cases", nil, "only these cases")
	flags.Int64Var(&o.Seed, "seed", 1, "seed of every request and of what is drawn in the pixels")
	flags.BoolVar(&o.Resume, "resume", false, "write what is left to ask of a run: the next stage, and what failed or is missing")
	flags.StringVar(&o.Run, "run", "", "the run to go on with (default: the latest that is not done)")
	flags.StringVar(&style, "style", string(model.OpenAIBatch), "openai (pictures in the lines), vllm or ray (pictures beside, named by file://)")
	flags.IntVar(&o.MostRequests, "most-requests", 0, "of a file (0: 50,000)")
	flags.Int64Var(&o.MostBytes, "most-bytes", 0, "of a file (0: 200 MB)")
	return c
}

// sayWritten tells what was written.
func (f *face) sayWritten(dir string, b desk.BatchWritten) error {
	failed := 0
	for _, c := range b.Failed {
		failed += c.Count
	}
	if f.json {
		if err := f.print(b); err != nil {
			return err
		}
	} else {
		stage := fmt.Sprintf("stage %d", b.Stage)
		if b.Stage == 0 {
			stage = "several stages"
		}
		f.say("%s: %d requests of %s in %d files in %s; %d chains are done", b.Run, b.Requests, stage, len(b.Files), dir, b.Chains)
		for _, file := range b.Files {
			f.say("%s\t%d requests\t%d bytes", file.Path, file.Requests, file.Bytes)
		}
		for _, c := range b.NotApplicable {
			f.say("%d not applicable: %s", c.Count, c.Kind)
		}
		for _, c := range b.Failed {
			f.say("%d not written: %s", c.Count, c.Kind)
		}
	}
	if failed > 0 {
		return fault.New(fault.Partial, "batch write", b.Run, "%d chains are left out", failed)
	}
	return nil
}

func readBatch(f *face) *cobra.Command {
	return &cobra.Command{
		Use: "read DIR [RESULTS …]", Short: "Take the results of the batch in DIR in, in any order and in part; without names DIR's results*.jsonl", Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			results := args[1:]
			if len(results) == 0 {
				var err error
				if results, err = desk.ResultFiles(args[0]); err != nil {
					return err
				}
			}
			tell, end := f.tell()
			defer end()
			return f.atDesk(c.Context(), false, tell, func(d *desk.Desk) error {
				b, err := d.ReadBatch(c.Context(), args[0], results)
				end()
				if err != nil {
					return err
				}
				return f.sayTaken(b)
			})
		},
	}
}

// mostNamed is how many missing requests are named to people; JSON has them all.
const mostNamed = 20

// sayTaken tells what came back. What failed or is missing makes it done in part; with no answer at all the endpoint has failed.
func (f *face) sayTaken(b desk.BatchTaken) error {
	if f.json {
		if err := f.print(b); err != nil {
			return err
		}
	} else {
		f.say("%s: %d answered, %d unparsed, %d failed, %d missing; %d chains are done, %d wait for their next request", b.Run, b.Answered, b.Unparsed, b.Failed, len(b.Missing), b.Chains, b.Waiting)
		for _, k := range b.Kinds {
			f.say("%d failed: %s", k.Count, k.Kind)
		}
		for _, id := range b.Missing[:min(len(b.Missing), mostNamed)] {
			f.say("missing %s", id)
		}
		for _, p := range b.Problems {
			f.say("%s", p)
		}
	}
	switch {
	case b.Answered == 0:
		return fault.New(fault.Endpoint, "batch read", b.Run, "no request was answered")
	case b.Failed+len(b.Missing)+len(b.Problems) > 0:
		return fault.New(fault.Partial, "batch read", b.Run, "%d requests are without an answer; write them again with --resume", b.Failed+len(b.Missing))
	}
	return nil
}
