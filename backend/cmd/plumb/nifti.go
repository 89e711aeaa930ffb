package main

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"plumbline/backend/dataset"
	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// niftiResult is the answer of `plumb volume --nifti`.
type niftiResult struct {
	Out    string `json:"out"`
	Series string `json:"series"`
	dcm.Geometry
	Frames int `json:"frames"`
}

// writeNIfTI writes the volume of a series ("" is the one with most frames) below dir as a NIfTI file.
func writeNIfTI(ctx context.Context, dir, series, to string, tell review.Tell) (niftiResult, error) {
	const op = "write NIfTI"
	if !strings.HasSuffix(to, ".nii") && !strings.HasSuffix(to, ".nii.gz") {
		return niftiResult{}, fault.New(fault.Usage, op, to, "a name that ends in .nii or .nii.gz expected")
	}
	set, _, err := dataset.Open(ctx, dir, nil, tell)
	if err != nil {
		return niftiResult{}, err
	}
	var of review.CaseID
	var best review.Stack
	var image review.ImageID
	for _, id := range set.IDs() {
		c, err := set.Case(id)
		if err != nil {
			return niftiResult{}, err
		}
		stacks, _, err := set.Stacks(ctx, id)
		if err != nil {
			return niftiResult{}, err
		}
		for i, s := range stacks {
			if (series == "" || s.Series == series) && len(s.Frames) > len(best.Frames) {
				of, image, best = id, c.Images[i].ID, s
			}
		}
	}
	if len(best.Frames) == 0 {
		return niftiResult{}, fault.New(fault.NotFound, op, dir, "no image of series %q", series)
	}
	err = replaceFile(to, func(w io.Writer) error {
		return dcm.WriteNIfTI(w, best.Frames, func(i int) (review.Samples, error) {
			tell(review.Progress{Op: "write", Done: i + 1, Total: len(best.Frames)})
			_, s, err := set.Samples(ctx, of, image, i)
			return s, err
		})
	})
	return niftiResult{Out: to, Series: best.Series, Geometry: dcm.Measure(best.Frames), Frames: len(best.Frames)}, err
}

// replaceFile writes a file whole or not at all; one whose name ends in .gz is compressed.
func replaceFile(to string, write func(io.Writer) error) error {
	const op = "write file"
	file, err := os.CreateTemp(filepath.Dir(to), ".part-*")
	if err != nil {
		return fault.In(op, to, err)
	}
	defer os.Remove(file.Name()) // gone already where all went well
	var z *gzip.Writer
	w := io.Writer(file)
	if strings.HasSuffix(to, ".gz") {
		z = gzip.NewWriter(file)
		w = z
	}
	err = write(w)
	if err == nil && z != nil {
		err = z.Close()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(file.Name(), to)
	}
	return fault.In(op, to, err)
}
