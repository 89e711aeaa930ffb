package pixels

import (
	"math"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// A Tone turns modality values into grey: a window with its function, or a table.
type Tone struct {
	Window   review.Window
	Function string      // LINEAR, LINEAR_EXACT or SIGMOID
	LUT      *review.LUT // in place of the window
	Invert   bool        // after all else, once
}

// Grey gives 0 (black) to 255 (white), before rounding (PS3.3 C.11.2.1). LINEAR has its centre between two pixel values, c-0.5, and the width
// of the values inclusive, w-1; a width below 1, which it does not allow, is taken as LINEAR_EXACT.
func (t Tone) Grey(value float64) float64 {
	g := t.grey(value)
	if t.Invert {
		return 255 - g
	}
	return g
}

func (t Tone) grey(x float64) float64 {
	if t.LUT != nil {
		return float64(entry(*t.LUT, x)) / float64(uint(1)<<t.LUT.Bits-1) * 255
	}
	c, w := t.Window.Center, t.Window.Width
	switch {
	case math.IsNaN(x) || !(w > 0):
		return 0
	case t.Function == "SIGMOID":
		return 255 / (1 + math.Exp(-4*(x-c)/w))
	case t.Function == "LINEAR_EXACT" || w < 1:
		if x <= c-w/2 {
			return 0
		}
		if x > c+w/2 {
			return 255
		}
		return ((x-c)/w + .5) * 255
	}
	if x <= c-.5-(w-1)/2 {
		return 0
	}
	if x > c-.5+(w-1)/2 {
		return 255
	}
	return ((x-(c-.5))/(w-1) + .5) * 255
}

// Windowed gives f a window: where the file brings neither a usable one nor a table, one over all values of the frame, marked as computed.
func Windowed(f review.Frame, s review.Samples) review.Frame {
	if IsColour(f) || len(f.Windows)+len(f.VOILUTs) > 0 {
		return f
	}
	f.Windows = []review.Window{AutoWindow(f, s)}
	f.VOIFunction, f.WindowComputed = "LINEAR", true
	return f
}

// AutoWindow gives the LINEAR window that shows the least value of the frame black and the greatest white.
func AutoWindow(f review.Frame, s review.Samples) review.Window {
	low, high, ok := Range(f, s)
	if !ok {
		low, high = 0, 1
	}
	return review.Window{Center: (low+high)/2 + .5, Width: high - low + 1, Explanation: "computed"}
}

// ToneOf gives choice n (0-based) of a frame: its windows in order, then its tables. The first is the default.
func ToneOf(f review.Frame, s review.Samples, n int) (Tone, error) {
	f = Windowed(f, s)
	t := Tone{Function: f.VOIFunction, Invert: f.Invert}
	switch {
	case n >= 0 && n < len(f.Windows):
		t.Window = f.Windows[n]
	case n >= 0 && n < len(f.Windows)+len(f.VOILUTs):
		t.LUT = &f.VOILUTs[n-len(f.Windows)]
	default:
		return t, fault.New(fault.Usage, "choose window", "", "there is no window %d among %d", n, len(f.Windows)+len(f.VOILUTs))
	}
	return t, nil
}

// WindowTone is the tone of a window that a reader chose.
func WindowTone(f review.Frame, w review.Window) Tone {
	return Tone{Window: w, Function: f.VOIFunction, Invert: f.Invert}
}

// Preset is a named window for CT in HU.
type Preset struct {
	Name   string
	Window review.Window
}

// Presets lists the windows for CT in HU in the order of their keys.
func Presets() []Preset {
	return []Preset{
		{"brain", review.Window{Center: 40, Width: 80}},
		{"subdural", review.Window{Center: 75, Width: 200}},
		{"stroke", review.Window{Center: 40, Width: 40}},
		{"lung", review.Window{Center: -600, Width: 1500}},
		{"mediastinum", review.Window{Center: 40, Width: 400}},
		{"abdomen", review.Window{Center: 50, Width: 350}},
		{"liver", review.Window{Center: 90, Width: 150}},
		{"bone", review.Window{Center: 500, Width: 2000}},
	}
}
