package dcm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plumbline/backend/review"
)

// D16: bits above the high bit are masked, and the sign is that of bit 11.
func TestTwelveSignedBits(t *testing.T) {
	m := make10(explicitLittleUID).image(1, 4, 1, 16, 12, true, "MONOCHROME2")
	f := m.native("OW", words(m.order, 0x0FFF, 0x0800, 0x07FF, 0x1FFF)).load(t)
	if got, want := frame(t, f, 0), words(binary.LittleEndian, -1, -2048, 2047, -1); !bytes.Equal(got, want) {
		t.Errorf("samples %x, want %x", got, want)
	}
}

// C02: planes one behind the other become pixels.
func TestPlanesOfColourBecomePixels(t *testing.T) {
	m := make10(explicitLittleUID).image(1, 2, 3, 8, 8, false, "RGB").us(tagPlanar, 1)
	f := m.native("OB", []byte{0xFF, 0, 0, 0xFF, 0, 0}).load(t)
	if got := frame(t, f, 0); !bytes.Equal(got, []byte{255, 0, 0, 0, 255, 0}) {
		t.Errorf("pixels %v", got)
	}
}

// G06: G07: G10: G11: the order of slices is that of their places, whatever their names and numbers; without places that of the numbers.
func TestOrderOfSlices(t *testing.T) {
	for _, c := range []struct {
		line    string
		z       []float64 // in the order of files; none: no place
		numbers []int
		want    []int // files in the order shown
		reason  string
	}{
		{"G06", []float64{0, 20, 5, 15, 10}, []int{1, 1, 1, 1, 1}, []int{0, 2, 4, 3, 1}, ""},
		{"G07", nil, []int{3, 1, 2}, []int{1, 2, 0}, "ordered by instance number: position unknown"},
		{"G10", []float64{0, 15, 10, 5, 20}, []int{1, 2, 3, 4, 5}, []int{0, 3, 2, 1, 4}, ""},
		{"G11", []float64{0, 1.6, 3.2, 6.4}, []int{1, 2, 3, 4}, []int{0, 1, 2, 3}, "expected 1.60 mm, found 3.20 mm between frames 3 and 4"},
	} {
		var headers []Header
		var want []string
		for i, n := range c.numbers {
			var position, orientation []float64
			if c.z != nil {
				position, orientation = []float64{0, 0, c.z[i]}, axial
			}
			headers = append(headers, slice(strconv.Itoa(i), n, position, orientation))
		}
		for _, i := range c.want {
			want = append(want, strconv.Itoa(i))
		}
		stacks := Group(headers)
		g := Measure(stacks[0].Frames)
		if len(stacks) != 1 || paths(stacks[0]) != strings.Join(want, " ") {
			t.Errorf("%s: %d stacks, %s", c.line, len(stacks), paths(stacks[0]))
		}
		if (c.reason == "") != g.MPR || c.reason != "" && !slices.Contains(g.Reasons, c.reason) {
			t.Errorf("%s: planes across %v, %q", c.line, g.MPR, g.Reasons)
		}
	}
}

// G11: the way from the first slice to the last is that of their places, and no multiple of one distance.
func TestAGapIsNotBridged(t *testing.T) {
	var headers []Header
	for i, z := range []float64{0, 1.6, 3.2, 6.4} {
		headers = append(headers, slice(strconv.Itoa(i), i, []float64{0, 0, z}, axial))
	}
	frames := Group(headers)[0].Frames
	g := Measure(frames)
	if d := along(frames[3]) - along(frames[0]); d != 6.4 || g.SpacingMM[2] != 1.6 || len(g.Gaps) != 1 || g.Gaps[0].After != 2 {
		t.Errorf("%g mm, %+v", d, g)
	}
}

// I02: a 16-bit PNG keeps its values, and its window is made of them.
func TestSixteenBitsOfAPNGStay(t *testing.T) {
	deep := image.NewGray16(image.Rect(0, 0, 3, 1))
	for x, v := range []uint16{0, 600, 1176} {
		deep.SetGray16(x, 0, color.Gray16{Y: v})
	}
	f, err := Load(writeFile(t, "a.png", pngBytes(t, deep)))
	if err != nil {
		t.Fatal(err)
	}
	if got := frame(t, f, 0); !bytes.Equal(got, words(binary.LittleEndian, 0, 600, 1176)) || !f.Header().Frames[0].WindowComputed {
		t.Errorf("samples %v, %+v", got, f.Header().Frames[0])
	}
}

// I01: a JPEG says how it lies and stays as stored; D23: what is no image is not broken.
func TestATurnedJPEGStaysAsStored(t *testing.T) {
	f, err := Load(writeFile(t, "a.jpg", jpegWithOrientation(t, 6)))
	if err != nil {
		t.Fatal(err)
	}
	fr := f.Header().Frames[0]
	if s := frame(t, f, 0); fr.ExifOrientation != 6 || len(s) != fr.Rows*fr.Columns*fr.Samples {
		t.Errorf("%+v, %d bytes", fr, len(s))
	}
}

// G21: a box on voxel (100,200,30) that went into a structured report comes back on the same voxel, at the same place.
func TestABoxComesBackOnItsVoxel(t *testing.T) {
	const uid, column, row, plane = "1.2.9.7.30", 100, 200, 30
	h := slice("a", plane, []float64{-120, -110, 3 * plane}, axial)
	h.InstanceUID, h.StudyUID = uid, ctStudy
	h.Frames[0].Rows, h.Frames[0].Columns, h.Frames[0].SpacingMM = 512, 512, []float64{.7, .5}
	s := Group([]Header{h})[0]
	report := reportOf(func(m *made) []*made {
		return []*made{scoord(m, uid, "POLYLINE", column, row, column+1, row, column+1, row+1, column, row+1, column, row)}
	})
	got, said := over(t, s, []Header{h}, report.write(t))
	if len(got) != 1 || len(got[0].Regions) != 1 {
		t.Fatalf("%+v, %q", got, said)
	}
	b := got[0].Regions[0].Coords
	for i, want := range []float64{column, row, column + 1, row, column + 1, row + 1, column, row + 1} {
		if d := b[i]*512 - want; d > 1e-9 || d < -1e-9 {
			t.Errorf("corner %d is at %g, want %g", i, b[i]*512, want)
		}
	}
}

// D08: stored 100 under the window of frame 1, and of frame 2: the windows stay with their frames.
func TestEachFrameHasItsWindow(t *testing.T) {
	m := make10(explicitLittleUID).image(1, 1, 1, 16, 16, false, "MONOCHROME2").text(tagNumberOfFrames, "IS", "2")
	var items []*made
	want := []review.Window{{Center: 100, Width: 200}, {Center: 600, Width: 300}}
	for _, w := range want {
		items = append(items, m.item().sequence(tagFrameVOI,
			m.item().text(tagWindowCenter, "DS", fmt.Sprint(w.Center)).text(tagWindowWidth, "DS", fmt.Sprint(w.Width))))
	}
	for i, f := range m.sequence(tagPerFrameGroups, items...).native("OW", words(m.order, 100, 100)).load(t).Header().Frames {
		if len(f.Windows) != 1 || f.Windows[0] != want[i] {
			t.Errorf("frame %d has %+v", i, f.Windows)
		}
	}
}
