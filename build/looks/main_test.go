package main

import (
	"image"
	"image/color"
	"testing"
)

func TestGreys(t *testing.T) {
	blank := image.NewGray(image.Rect(0, 0, 100, 100))
	gradient := image.NewGray(image.Rect(0, 0, 256, 100))
	for x := range 256 {
		for y := range 100 {
			gradient.SetGray(x, y, color.Gray{Y: uint8(x)})
		}
	}
	coloured := image.NewRGBA(image.Rect(0, 0, 100, 100))
	for i := range coloured.Pix {
		coloured.Pix[i] = uint8(i * 7)
	}
	for _, c := range []struct {
		name string
		p    image.Image
		sees bool
	}{{"blank", blank, false}, {"gradient", gradient, true}, {"coloured", coloured, false}} {
		share, levels := greys(c.p)
		if got := share >= leastShare && levels >= leastLevels; got != c.sees {
			t.Errorf("%s: seen %v (share %.3f, levels %d), want %v", c.name, got, share, levels, c.sees)
		}
	}
}
