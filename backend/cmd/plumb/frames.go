package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/pixels"
	"plumbline/backend/review"
)

// frameRow is a frame with the digest of its samples.
type frameRow struct {
	review.Frame
	SHA256    string `json:"sha256,omitempty"`     // absent where the frame cannot be decoded
	RGBSHA256 string `json:"rgb_sha256,omitempty"` // where a colour conversion applies
}

// shown describes a frame as it is seen: rows and columns of the turned picture. Samples and their digests stay as stored.
func shown(f review.Frame) review.Frame {
	f.Columns, f.Rows = pixels.ShownSize(f)
	return f
}

// framesResult is the answer of `plumb frames`.
type framesResult struct {
	File          string           `json:"file"`
	Modality      string           `json:"modality"`
	Frames        []frameRow       `json:"frames"`
	SamplesSHA256 string           `json:"samples_sha256,omitempty"` // over all frames, absent unless every one decodes
	RGBSHA256     string           `json:"rgb_sha256,omitempty"`
	Notes         []string         `json:"notes"`    // what a reader should know of how the frames are shown
	Overlays      []overlayRow     `json:"overlays"` // what the file, and those of --over, draw over the frames
	Problems      []review.Problem `json:"problems"`
}

func framesCommand(f *face) *cobra.Command {
	var raw string
	var over []string
	c := &cobra.Command{
		Use: "frames FILE", Short: "Every frame of an image file, with the digests of its samples", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			tell, end := f.tell()
			out, err := listFrames(c.Context(), args[0], raw, tell)
			if err == nil {
				err = out.draw(c.Context(), over)
			}
			end()
			if f.json {
				if printErr := f.print(out); printErr != nil {
					return printErr
				}
				return err
			}
			for _, r := range out.Frames {
				f.say("%d  %d×%d×%d  %d of %d bits  %s  %s  %s%s", r.Index, r.Columns, r.Rows, r.Samples, r.BitsStored, r.BitsAllocated,
					r.Photometric, r.TransferSyntax, r.SHA256, r.Problem)
			}
			for _, n := range out.Notes {
				f.say("%s", n)
			}
			for _, o := range out.Overlays {
				f.say("%s %q: %d regions, %d frames drawn", o.Kind, o.Label, len(o.Regions), len(o.Planes))
			}
			return err
		},
	}
	c.Flags().StringArrayVar(&over, "over", nil, "a segmentation, structure set or report that draws over the frames; may stand several times")
	c.Flags().StringVar(&raw, "raw", "", "also write the samples of each frame to DIR/N.raw")
	return c
}

// listFrames decodes every frame of a file. The result holds what could be decoded even when err is not nil.
func listFrames(ctx context.Context, path, raw string, tell review.Tell) (framesResult, error) {
	out := framesResult{File: path, Frames: []frameRow{}, Notes: []string{}, Overlays: []overlayRow{}, Problems: []review.Problem{}}
	file, err := dcm.Load(path)
	if err == nil && !file.Header().HasPixels {
		err = fault.New(fault.NotFound, "list frames", path, "the file has no pixels")
	}
	if err != nil {
		out.Problems = append(out.Problems, review.Problem{File: filepath.Base(path), Text: err.Error()})
		return out, err
	}
	defer file.Close()
	if raw != "" {
		if err := os.MkdirAll(raw, 0o755); err != nil {
			return out, err
		}
	}
	out.Modality = file.Header().Modality
	out.Notes = append(out.Notes, file.Header().Notes...)
	all, allRGB := sha256.New(), sha256.New()
	var failed error
	for i, frame := range file.Header().Frames {
		tell(review.Progress{Op: "decode frames", Done: i, Total: len(file.Header().Frames), Of: path})
		row := frameRow{Frame: shown(frame)}
		s, err := file.Samples(ctx, i)
		if err == nil {
			row, err = digestFrame(frame, s, all, allRGB)
		}
		if err == nil && raw != "" {
			err = os.WriteFile(filepath.Join(raw, strconv.Itoa(i)+".raw"), s.Data, 0o644)
		}
		if err != nil {
			row.Problem = err.Error()
			out.Problems = append(out.Problems, review.Problem{File: filepath.Base(path), Field: "frame " + strconv.Itoa(i), Text: err.Error()})
			if failed == nil {
				failed = err
			}
		}
		out.Frames = append(out.Frames, row)
		if fault.KindOf(err) == fault.Cancelled || fault.KindOf(err) == fault.IO {
			return out, err
		}
	}
	if failed == nil {
		out.SamplesSHA256 = hexSum(all)
		if pixels.Converts(file.Header().Frames[0]) {
			out.RGBSHA256 = hexSum(allRGB)
		}
	}
	return out, failed
}

// digestFrame fills a row and adds the frame to the digests over all frames.
func digestFrame(frame review.Frame, s review.Samples, all, allRGB hash.Hash) (frameRow, error) {
	row := frameRow{Frame: shown(pixels.Windowed(frame, s))}
	one := sha256.Sum256(s.Data)
	row.SHA256 = hex.EncodeToString(one[:])
	all.Write(s.Data)
	if pixels.Converts(frame) {
		rgb, err := pixels.RGB(frame, s)
		if err != nil {
			return row, err
		}
		one := sha256.Sum256(rgb.Data)
		row.RGBSHA256 = hex.EncodeToString(one[:])
		allRGB.Write(rgb.Data)
	}
	return row, nil
}

func hexSum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }
