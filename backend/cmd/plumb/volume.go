package main

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"plumbline/backend/dataset"
	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// volumeRow is one stack of frames in order.
type volumeRow struct {
	Image    review.ImageID   `json:"image"`
	Series   string           `json:"series"`
	Kind     review.ImageKind `json:"kind"`
	Modality string           `json:"modality"`
	Files    []string         `json:"files"` // of each frame, in order; once for a file of many frames
	Frames   int              `json:"frames"`
	dcm.Geometry
	Overlays []volumeOverlay `json:"overlays"` // what files draw over it
}

// volumeResult is the answer of `plumb volume`.
type volumeResult struct {
	Volumes  []volumeRow      `json:"volumes"`
	Problems []review.Problem `json:"problems"`
}

func volumeCommand(f *face) *cobra.Command {
	var nifti, series string
	c := &cobra.Command{
		Use: "volume DIR", Short: "Series and volumes of a folder, a zip archive or a DICOMDIR, frames in order; --nifti writes one of them", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			tell, end := f.tell()
			if nifti != "" {
				out, err := writeNIfTI(c.Context(), args[0], series, nifti, tell)
				end()
				switch {
				case err != nil:
					return err
				case f.json:
					return f.print(out)
				}
				f.say("%s  %d frames  %v mm", out.Out, out.Frames, out.SpacingMM)
				return nil
			}
			out, err := listVolumes(c.Context(), args[0], tell)
			end()
			if err != nil {
				return err
			}
			if f.json {
				err = f.print(out)
			} else {
				for _, v := range out.Volumes {
					f.say("%s  %s  %d frames  %v", v.Image, v.Kind, v.Frames, v.SpacingMM)
					for _, r := range v.Reasons {
						f.say("    %s", r)
					}
					for _, o := range v.Overlays {
						f.say("    %s %q of %s over %d frames", o.Kind, o.Label, o.File, len(o.Frames))
					}
				}
			}
			switch {
			case err != nil:
				return err
			case len(out.Volumes) == 0:
				return fault.New(fault.NotFound, "list volumes", args[0], "no images")
			case len(out.Problems) > 0:
				return fault.New(fault.Partial, "list volumes", args[0], "%d problems", len(out.Problems))
			}
			return nil
		},
	}
	c.Flags().StringVar(&nifti, "nifti", "", "write the volume as this .nii or .nii.gz file: samples as stored, scale, and the way into the patient")
	c.Flags().StringVar(&series, "series", "", "which series to write, by its UID; else the one with most frames")
	return c
}

// listVolumes reads the headers of every image file below a folder, or of one file, and groups them.
func listVolumes(ctx context.Context, dir string, tell review.Tell) (volumeResult, error) {
	out := volumeResult{Volumes: []volumeRow{}, Problems: []review.Problem{}}
	if dataset.Lists(dir) {
		err := out.listed(ctx, dir, tell)
		return out, err
	}
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		return out, fault.In("list volumes", dir, err)
	}
	loaded, err := loadHeaders(ctx, paths, tell)
	if err != nil {
		return out, fault.In("list volumes", dir, err)
	}
	var headers []dcm.Header
	var objects []string
	for i, l := range loaded {
		if l.err == nil && l.header.Draws() {
			objects = append(objects, paths[i])
		}
		switch {
		case errors.Is(l.err, dcm.ErrNotImage):
		case l.err != nil:
			out.Problems = append(out.Problems, review.Problem{File: relative(dir, paths[i]), Text: l.err.Error()})
		case l.header.HasPixels:
			headers = append(headers, l.header)
			for n, frame := range l.header.Frames {
				if frame.Problem != "" {
					out.Problems = append(out.Problems, review.Problem{File: relative(dir, paths[i]), Field: "frame " + strconv.Itoa(n), Text: frame.Problem})
				}
			}
		}
	}
	stacks := dcm.Group(headers)
	laid, err := out.overlays(ctx, stacks, headers, objects)
	if err != nil {
		return out, fault.In("list volumes", dir, err)
	}
	out.add(dir, stacks, laid)
	return out, nil
}

// add lists stacks with what lies over each, the largest first.
func (r *volumeResult) add(dir string, stacks []review.Stack, laid [][]dcm.Overlay) {
	for n, s := range stacks {
		row := volumeRow{Image: s.Image, Series: s.Series, Kind: s.Kind, Modality: s.Modality, Frames: len(s.Frames), Geometry: dcm.Measure(s.Frames), Overlays: rowsOf(laid[n])}
		if len(s.Frames) > 1 || len(s.Reasons) > 0 {
			row.Reasons = s.Reasons // those of its geometry, and what grouping had to say
		}
		for i, fr := range s.Frames {
			if i == 0 || fr.Path != s.Frames[i-1].Path {
				row.Files = append(row.Files, relative(dir, fr.Path))
			}
		}
		r.Volumes = append(r.Volumes, row)
	}
	slices.SortStableFunc(r.Volumes, func(a, b volumeRow) int { return b.Frames - a.Frames })
}

// listed lists what a zip archive holds, or a DICOMDIR names.
func (r *volumeResult) listed(ctx context.Context, path string, tell review.Tell) error {
	set, problems, err := dataset.Open(ctx, path, nil, tell)
	if err != nil {
		return err
	}
	r.Problems = append(r.Problems, problems...)
	var stacks []review.Stack
	var laid [][]dcm.Overlay
	for _, id := range set.IDs() {
		found, _, err := set.Stacks(ctx, id) // its problems stand among those above
		if err != nil {
			return err
		}
		for _, st := range found {
			over := []dcm.Overlay{}
			if len(st.Frames) > 0 {
				var problems []review.Problem
				if over, problems, err = set.Overlays(ctx, id, st.Image); err != nil {
					return err
				}
				r.Problems = append(r.Problems, problems...)
			}
			stacks, laid = append(stacks, st), append(laid, over)
		}
	}
	r.add(filepath.Dir(path), stacks, laid)
	return nil
}

// loaded is the header of a file, or why there is none.
type loaded struct {
	header dcm.Header
	err    error
}

// loadHeaders reads the headers of files on all processors, in the order of paths.
func loadHeaders(ctx context.Context, paths []string, tell review.Tell) ([]loaded, error) {
	out := make([]loaded, len(paths))
	var next, done atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(paths) || ctx.Err() != nil {
					return
				}
				file, err := dcm.Load(paths[i])
				if out[i].err = err; err == nil {
					out[i].header = file.Header()
				}
				tell(review.Progress{Op: "read headers", Done: int(done.Add(1)), Total: len(paths)})
			}
		})
	}
	workers.Wait()
	return out, ctx.Err()
}

// relative names a file below a folder with forward slashes.
func relative(dir, path string) string {
	rel, err := filepath.Rel(dir, path)
	if err != nil || rel == "." {
		return filepath.Base(path)
	}
	return filepath.ToSlash(rel)
}
