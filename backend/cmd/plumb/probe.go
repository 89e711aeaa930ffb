package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/pixels"
	"plumbline/backend/review"
)

// probeResult is the answer of `plumb probe`: one pixel.
type probeResult struct {
	Stored []float64      `json:"stored"`
	Value  *float64       `json:"value"` // modality units; null for colour
	Unit   string         `json:"unit"`
	Grey   *float64       `json:"grey,omitempty"` // 0-255 before rounding
	RGB    []int          `json:"rgb,omitempty"`
	Window *review.Window `json:"window,omitempty"`
	Note   string         `json:"note,omitempty"`
	// What lies on the pixel, of the file's own planes (60xx) and of the files of --over.
	Overlays []laidRow        `json:"overlays"`
	Problems []review.Problem `json:"problems"` // what was to lie over the frame and does not
}

func probeCommand(f *face) *cobra.Command {
	var frame, voi int
	var at, window string
	var over []string
	c := &cobra.Command{
		Use: "probe FILE", Short: "One pixel: stored, modality and grey value", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			one, err := loadFrame(c.Context(), args[0], frame)
			if err != nil {
				return err
			}
			one.over = over
			out, err := one.probe(c.Context(), at, window, voi)
			if err != nil {
				return err
			}
			if f.json {
				if err := f.print(out); err != nil {
					return err
				}
				return partly("probe overlays", args[0], out.Problems)
			}
			f.say("stored %v", out.Stored)
			if out.Value != nil {
				f.say("value %g %s", *out.Value, out.Unit)
				f.say("grey %.2f", *out.Grey)
			} else {
				f.say("rgb %v", out.RGB)
			}
			for _, o := range out.Overlays {
				f.say("%s %q of %s", o.Kind, o.Label, o.File)
			}
			return partly("probe overlays", args[0], out.Problems)
		},
	}
	c.Flags().IntVar(&frame, "frame", 0, "frame, from 0")
	c.Flags().StringVar(&at, "at", "0,0", "COL,ROW from 0")
	c.Flags().StringVar(&window, "window", "", "W/L in place of the file's window")
	c.Flags().IntVar(&voi, "voi", 0, "which of the file's windows and tables, from 0")
	c.Flags().StringArrayVar(&over, "over", nil, "a segmentation, structure set or report that draws over the frame; may stand several times")
	return c
}

// oneFrame is a decoded frame.
type oneFrame struct {
	path    string
	frame   review.Frame
	samples review.Samples
	number  int
	laid    bool     // overlays are drawn
	over    []string // files that draw
}

// loadFrame decodes frame n of a file.
func loadFrame(ctx context.Context, path string, n int) (oneFrame, error) {
	file, err := dcm.Load(path)
	if err != nil {
		return oneFrame{}, err
	}
	defer file.Close()
	s, err := file.Samples(ctx, n)
	if err != nil {
		return oneFrame{}, err
	}
	return oneFrame{path: path, frame: file.Header().Frames[n], samples: s, number: n}, nil
}

// tone chooses the window: given as W/L, else by number.
func (o oneFrame) tone(window string, voi int) (pixels.Tone, error) {
	if window == "" {
		return pixels.ToneOf(o.frame, o.samples, voi)
	}
	w, err := parseWindow(window)
	return pixels.WindowTone(o.frame, w), err
}

// parseWindow reads "W/L".
func parseWindow(s string) (review.Window, error) {
	width, level, ok := strings.Cut(s, "/")
	w, err1 := strconv.ParseFloat(width, 64)
	l, err2 := strconv.ParseFloat(level, 64)
	if !ok || err1 != nil || err2 != nil || !(w > 0) {
		return review.Window{}, fault.New(fault.Usage, "read window", s, "a window is WIDTH/LEVEL with a width above 0, as 400/40")
	}
	return review.Window{Center: l, Width: w}, nil
}

// probe reads the pixel at "COL,ROW" of the picture as shown.
func (o oneFrame) probe(ctx context.Context, at, window string, voi int) (probeResult, error) {
	var column, row int
	if n, err := fmt.Sscanf(at, "%d,%d", &column, &row); n != 2 || err != nil {
		return probeResult{}, fault.New(fault.Usage, "read position", at, "a position is COL,ROW")
	}
	columns, rows := pixels.ShownSize(o.frame)
	if column < 0 || row < 0 || column >= columns || row >= rows {
		return probeResult{}, fault.New(fault.Usage, "read position", at, "the frame has %d columns and %d rows", columns, rows)
	}
	column, row = pixels.StoredPixel(o.frame, column, row)
	pixel := row*o.samples.Columns + column
	out := probeResult{Unit: o.frame.Unit, Overlays: []laidRow{}}
	stack, list, problems, err := overlaysOf(ctx, o.path, o.over)
	if err != nil {
		return out, err
	}
	if out.Problems = problems; len(list) > 0 {
		if out.Overlays, err = overlaysAt(stack, list, o.number, column, row); err != nil {
			return out, fault.In("probe overlays", o.path, err)
		}
	}
	for i := range o.samples.PerPixel {
		out.Stored = append(out.Stored, pixels.Stored(o.samples, pixel*o.samples.PerPixel+i))
	}
	if pixels.IsColour(o.frame) {
		rgb, err := pixels.RGB(o.frame, o.samples)
		if err != nil {
			return out, err
		}
		for _, v := range rgb.Data[3*pixel : 3*pixel+3] {
			out.RGB = append(out.RGB, int(v))
		}
		return out, nil
	}
	t, err := o.tone(window, voi)
	if err != nil {
		return out, err
	}
	value := pixels.Value(o.frame, out.Stored[0])
	grey := t.Grey(value)
	out.Value, out.Grey = &value, &grey
	if t.LUT == nil {
		out.Window = &t.Window
	}
	if window == "" && pixels.Windowed(o.frame, o.samples).WindowComputed {
		out.Note = "window computed"
	}
	return out, nil
}
