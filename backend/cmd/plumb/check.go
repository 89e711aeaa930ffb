package main

import (
	"context"

	"github.com/spf13/cobra"

	"plumbline/backend/dataset"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// checkResult is the answer of `plumb check`.
type checkResult struct {
	Format     string `json:"format"`
	Name       string `json:"name"`
	ClusterKey string `json:"cluster_key"`
	dataset.Counts
	Problems []review.Problem `json:"problems"`
}

// checkCommand says what a folder or file holds; it changes nothing and needs no workspace.
func checkCommand(f *face) *cobra.Command {
	var with dataset.With
	c := &cobra.Command{
		Use: "check PATH", Short: "What a folder or file holds and what is wrong in it, changing nothing", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			tell, end := f.tell()
			out, err := checkResult{Problems: []review.Problem{}}, checkFormat(with, args[0])
			if err == nil {
				out, err = check(c.Context(), args[0], with, tell)
			}
			end()
			if f.json {
				if printErr := f.print(out); printErr != nil {
					return printErr
				}
			} else {
				f.sayCounts(out.Format, out.Name, out.Counts)
				f.sayProblems(out.Problems)
			}
			return err
		},
	}
	recordFlags(c, &with)
	return c
}

// check opens a dataset without remembering anything. The result holds the problems even when err is not nil.
func check(ctx context.Context, path string, with dataset.With, tell review.Tell) (checkResult, error) {
	out := checkResult{Problems: []review.Problem{}}
	set, problems, err := dataset.OpenWith(ctx, path, with, nil, tell)
	if err != nil {
		out.Problems = append(out.Problems, problems...)
		return out, err
	}
	_, truth, err := set.Truth(ctx)
	if err != nil {
		return out, err
	}
	_, origins, err := set.Origins(ctx)
	if err != nil {
		return out, err
	}
	info := set.Info()
	out.Format, out.Name, out.ClusterKey, out.Counts = set.Format(), info.Name, info.ClusterKey, set.Counts()
	out.Problems = append(append(append(out.Problems, problems...), truth...), origins...)
	return out, partly("check", path, out.Problems)
}

// partly is the fault of something done as far as its problems allowed, nil without any.
func partly(op, of string, problems []review.Problem) error {
	switch n := len(problems); n {
	case 0:
		return nil
	case 1:
		return fault.New(fault.Partial, op, of, "one problem, the rest is good")
	default:
		return fault.New(fault.Partial, op, of, "%d problems, the rest is good", n)
	}
}

// sayCounts writes in a line what there is.
func (f *face) sayCounts(format, name string, n dataset.Counts) {
	if format == "" {
		return // nothing was found, and why follows
	}
	f.say("%s (%s): %d cases, %d patients, %d images (%d of them derived), %d frames, %d clusters, %d chains, %d files skipped",
		name, format, n.Cases, n.Patients, n.Images, n.Variants, n.Frames, n.Clusters, n.Chains, n.Skipped)
}

// sayProblems writes a line for each problem: file:line field: text.
func (f *face) sayProblems(list []review.Problem) {
	for _, p := range list {
		switch {
		case p.Line > 0 && p.Field != "":
			f.say("%s:%d %s: %s", p.File, p.Line, p.Field, p.Text)
		case p.Line > 0:
			f.say("%s:%d: %s", p.File, p.Line, p.Text)
		case p.Field != "":
			f.say("%s %s: %s", p.File, p.Field, p.Text)
		default:
			f.say("%s: %s", p.File, p.Text)
		}
	}
}
