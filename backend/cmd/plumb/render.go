package main

import (
	"context"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"plumbline/backend/fault"
	"plumbline/backend/pixels"
	"plumbline/backend/review"
)

// renderResult is the answer of `plumb render`.
type renderResult struct {
	Out    string         `json:"out"`
	Window *review.Window `json:"window"` // null for colour or a table
	Invert bool           `json:"invert"`
	Width  int            `json:"width"`
	Height int            `json:"height"`
	// What lies over the picture, with --overlay or --over.
	Overlays []laidRow        `json:"overlays"`
	Problems []review.Problem `json:"problems"` // what was to lie over it and does not
}

func renderCommand(f *face) *cobra.Command {
	var frame, voi, size int
	var window, preset, to string
	var own bool
	var over []string
	c := &cobra.Command{
		Use: "render FILE --out X.png", Short: "A PNG of one frame as the viewer shows it", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if to == "" || size < 0 {
				return fault.New(fault.Usage, "render", args[0], "name the picture with --out and a size above 0")
			}
			one, err := loadFrame(c.Context(), args[0], frame)
			if err != nil {
				return err
			}
			if preset != "" {
				if window, err = one.preset(preset); err != nil {
					return err
				}
			}
			if own || len(over) > 0 {
				one.over, one.laid = over, true
			}
			out, err := one.render(c.Context(), window, voi, size, to)
			if err != nil {
				return err
			}
			if f.json {
				if err := f.print(out); err != nil {
					return err
				}
				return partly("draw overlays", args[0], out.Problems)
			}
			f.say("%s  %d×%d", out.Out, out.Width, out.Height)
			for _, o := range out.Overlays {
				f.say("    %s %q of %s", o.Kind, o.Label, o.File)
			}
			return partly("draw overlays", args[0], out.Problems)
		},
	}
	c.Flags().IntVar(&frame, "frame", 0, "frame, from 0")
	c.Flags().StringVar(&window, "window", "", "W/L in place of the file's window")
	c.Flags().StringVar(&preset, "preset", "", "a window of the file by its explanation, or one for CT: "+presetNames())
	c.Flags().IntVar(&voi, "voi", 0, "which of the file's windows and tables, from 0")
	c.Flags().IntVar(&size, "size", 0, "pixels of the longer side; 0: as stored")
	c.Flags().StringVar(&to, "out", "", "the PNG to write")
	c.Flags().BoolVar(&own, "overlay", false, "with what the file itself draws over the frame (groups 60xx)")
	c.Flags().StringArrayVar(&over, "over", nil, "with what a segmentation, structure set or report draws over it, and the file itself; may stand several times")
	return c
}

func formatWindow(w review.Window) string {
	return strconv.FormatFloat(w.Width, 'g', -1, 64) + "/" + strconv.FormatFloat(w.Center, 'g', -1, 64)
}

func presetNames() string {
	var names []string
	for _, p := range pixels.Presets() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// preset gives a window by name as W/L: one of the file's own by its explanation, or for values in HU a CT window.
func (o oneFrame) preset(name string) (string, error) {
	for _, w := range o.frame.Windows {
		if w.Explanation != "" && strings.EqualFold(w.Explanation, name) {
			return formatWindow(w), nil
		}
	}
	if o.frame.Unit != "HU" {
		return "", fault.New(fault.Usage, "choose window", name, "presets are for CT in HU")
	}
	for _, p := range pixels.Presets() {
		if p.Name == name {
			return formatWindow(p.Window), nil
		}
	}
	return "", fault.New(fault.Usage, "choose window", name, "the presets are %s", presetNames())
}

// render writes the picture.
func (o oneFrame) render(ctx context.Context, window string, voi, size int, to string) (renderResult, error) {
	out := renderResult{Out: to, Invert: o.frame.Invert, Overlays: []laidRow{}, Problems: []review.Problem{}}
	var tone pixels.Tone
	if !pixels.IsColour(o.frame) {
		var err error
		if tone, err = o.tone(window, voi); err != nil {
			return out, err
		}
		if tone.LUT == nil {
			out.Window = &tone.Window
		}
	}
	img, err := pixels.Show(o.frame, o.samples, tone)
	if err != nil {
		return out, fault.In("render", o.path, err)
	}
	if o.laid {
		stack, list, problems, err := overlaysOf(ctx, o.path, o.over)
		if err != nil {
			return out, err
		}
		out.Problems = append(out.Problems, problems...)
		if img, out.Overlays, err = lay(stack, list, o.number, img); err != nil {
			return out, fault.In("render", o.path, err)
		}
	}
	img = pixels.Fit(o.frame, img, size)
	out.Width, out.Height = img.Bounds().Dx(), img.Bounds().Dy()
	file, err := os.Create(to)
	if err != nil {
		return out, fault.In("render", to, err)
	}
	if err := pixels.PNG(file, img); err != nil {
		file.Close()
		return out, fault.In("render", to, err)
	}
	return out, fault.In("render", to, file.Close())
}
