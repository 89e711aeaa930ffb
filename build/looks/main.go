// Command looks decodes a picture of the window and says whether a medical image can be seen in it.
//
// Usage: looks PICTURE.png. Exit 1 where the picture shows a blank or only widgets.
package main

import (
	"fmt"
	"image"
	"image/png"
	"os"
)

// A grey image fills a good part of the window with pixels whose three channels are equal and that take many levels between the
// near-black of the panels and white; text and widgets give few such pixels.
const (
	leastShare  = 0.06 // of all pixels: grey, brighter than the panels
	leastLevels = 40   // different greys with at least leastEach pixels each
	leastEach   = 50
	panels      = 40 // the brightest grey of the panels
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: looks PICTURE.png")
		os.Exit(2)
	}
	share, levels, err := look(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "looks:", err)
		os.Exit(1)
	}
	fmt.Printf("%s: %.1f %% of the window is a grey picture of %d levels\n", os.Args[1], 100*share, levels)
	if share < leastShare || levels < leastLevels {
		fmt.Fprintf(os.Stderr, "looks: no medical image to be seen (at least %.0f %% and %d levels expected)\n", 100*leastShare, leastLevels)
		os.Exit(1)
	}
}

func look(path string) (share float64, levels int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		return 0, 0, err
	}
	share, levels = greys(picture)
	return share, levels, nil
}

// greys gives the share of pixels that are grey and brighter than the panels, and how many levels they take.
func greys(p image.Image) (share float64, levels int) {
	var count [256]int
	b := p.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if r, g, bl, _ := p.At(x, y).RGBA(); r == g && g == bl {
				count[r>>8]++
			}
		}
	}
	n := 0
	for level, c := range count {
		if level > panels {
			n += c
			if c >= leastEach {
				levels++
			}
		}
	}
	return float64(n) / float64(b.Dx()*b.Dy()), levels
}
