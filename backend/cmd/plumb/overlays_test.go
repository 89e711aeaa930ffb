package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"plumbline/backend/dcm"
)

// drawnFile writes a CT of 4 × 3 pixels of which a plane (60xx) marks the first one, and a structure set beside it with one square around the
// last pixels of the last two rows and one contour far away.
func drawnFile(t testing.TB, dir string) (image, structures string) {
	t.Helper()
	text := func(tag uint32, vr, value string) dcm.WriteTag { return dcm.WriteTag{Tag: tag, VR: vr, Value: value} }
	put := func(name string, p dcm.WriteImage, cut bool) string {
		var b bytes.Buffer
		if err := dcm.Write(&b, p); err != nil {
			t.Fatal(err)
		}
		out := b.Bytes()
		if cut { // no pixels at all
			out = out[:bytes.Index(out, []byte{0xE0, 0x7F, 0x10, 0x00})]
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, out, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	image = put("ct.dcm", dcm.WriteImage{SOPClass: dcm.CTImageStorage, InstanceUID: "1.2.1", Pixels: make([]byte, 24), Tags: []dcm.WriteTag{
		text(0x00080060, "CS", "CT"), text(0x0020000D, "UI", "1.2"), text(0x0020000E, "UI", "1.2.3"),
		text(0x00200032, "DS", `0\0\0`), text(0x00200037, "DS", `1\0\0\0\1\0`), text(0x00200052, "UI", "1.2.9"),
		text(0x00280002, "US", "1"), text(0x00280004, "CS", "MONOCHROME2"), text(0x00280010, "US", "3"), text(0x00280011, "US", "4"), text(0x00280030, "DS", `1\1`),
		text(0x00280100, "US", "16"), text(0x00280101, "US", "12"), text(0x00280102, "US", "11"), text(0x00280103, "US", "0"),
		text(0x00281050, "DS", "40"), text(0x00281051, "DS", "400"),
		text(0x60000010, "US", "3"), text(0x60000011, "US", "4"), text(0x60000050, "SS", `1\1`), text(0x60000100, "US", "1"), text(0x60000102, "US", "0"),
		text(0x60001500, "LO", "marks"), {Tag: 0x60003000, VR: "OW", Raw: []byte{1, 0}},
	}}, false)
	contour := func(z int) []dcm.WriteTag {
		points := fmt.Sprintf(`1.6\0.6\%d\3.4\0.6\%d\3.4\2.4\%d\1.6\2.4\%d`, z, z, z, z)
		return []dcm.WriteTag{text(0x30060042, "CS", "CLOSED_PLANAR"), text(0x30060050, "DS", points)}
	}
	structures = put("rt.dcm", dcm.WriteImage{SOPClass: "1.2.840.10008.5.1.4.1.1.481.3", InstanceUID: "1.2.7", Tags: []dcm.WriteTag{
		text(0x00080060, "CS", "RTSTRUCT"), text(0x0020000D, "UI", "1.2"),
		{Tag: 0x30060020, VR: "SQ", Items: [][]dcm.WriteTag{{text(0x30060022, "IS", "1"), text(0x30060024, "UI", "1.2.9"), text(0x30060026, "LO", "tumour")}}},
		{Tag: 0x30060039, VR: "SQ", Items: [][]dcm.WriteTag{{
			text(0x3006002A, "IS", `255\0\0`), {Tag: 0x30060040, VR: "SQ", Items: [][]dcm.WriteTag{contour(0), contour(50)}}, text(0x30060084, "IS", "1"),
		}}},
	}}, true)
	return image, structures
}

// answered runs the program and reads its JSON; it ends with 4 where something was to be drawn and is not.
func answered[T any](t *testing.T, want int, args ...string) (out T) {
	t.Helper()
	code, text, diag := answer(t, append(args, "--json")...)
	if err := json.Unmarshal([]byte(text), &out); err != nil || code != want {
		t.Fatalf("%v ends with %d, want %d: %v %s%s", args, code, want, err, text, diag)
	}
	return out
}

func TestRenderWithOverlays(t *testing.T) {
	dir := t.TempDir()
	file, structures := drawnFile(t, dir)
	to := filepath.Join(dir, "x.png")
	colours := func() map[[2]int][3]uint32 {
		f, err := os.Open(to)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		img, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		out := map[[2]int][3]uint32{}
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				if r, g, b, _ := img.At(x, y).RGBA(); r != g || g != b {
					out[[2]int{x, y}] = [3]uint32{r >> 8, g >> 8, b >> 8}
				}
			}
		}
		return out
	}
	if r := answered[renderResult](t, 0, "render", file, "--out", to); len(r.Overlays) != 0 || len(colours()) != 0 {
		t.Errorf("nothing lies over a picture unless it is asked for: %+v, %v", r.Overlays, colours())
	}
	r := answered[renderResult](t, 0, "render", file, "--overlay", "--out", to)
	if got := colours(); len(r.Overlays) != 1 || r.Overlays[0].Label != "marks" || len(got) != 1 || got[[2]int{0, 0}] == [3]uint32{} {
		t.Errorf("its own plane: %+v, %v", r.Overlays, got)
	}
	r = answered[renderResult](t, 4, "render", file, "--over", structures, "--out", to)
	got := colours()
	if len(r.Overlays) != 2 || r.Overlays[1] != (laidRow{Kind: "contour", Label: "tumour", File: "rt.dcm"}) || len(r.Problems) != 1 {
		t.Errorf("with a structure set: %+v, %+v", r.Overlays, r.Problems)
	}
	for _, at := range [][2]int{{2, 1}, {3, 1}, {2, 2}, {3, 2}} {
		if got[at] != [3]uint32{255, 0, 0} {
			t.Errorf("pixel %v is %v, want red", at, got[at])
		}
	}
	if len(got) != 5 {
		t.Errorf("%d pixels are coloured, want 5: %v", len(got), got)
	}
}

func TestProbeTellsWhatLiesOnThePixel(t *testing.T) {
	file, structures := drawnFile(t, t.TempDir())
	for at, want := range map[string][]string{"0,0": {"marks"}, "3,2": {"tumour"}, "1,0": {}} {
		got := answered[probeResult](t, 4, "probe", file, "--at", at, "--over", structures)
		labels := []string{}
		for _, o := range got.Overlays {
			labels = append(labels, o.Label)
			if o.Value != 255 {
				t.Errorf("%s: %+v", at, o)
			}
		}
		if !slices.Equal(labels, want) {
			t.Errorf("at %s lie %v, want %v", at, labels, want)
		}
	}
	if got := answered[probeResult](t, 0, "probe", file, "--at", "0,0"); len(got.Overlays) != 1 {
		t.Errorf("its own planes are told without a word: %+v", got.Overlays)
	}
}

func TestVolumeTellsWhatLiesOverIt(t *testing.T) {
	dir := t.TempDir()
	drawnFile(t, dir)
	got := answered[volumeResult](t, 4, "volume", dir)
	if len(got.Volumes) != 1 || len(got.Volumes[0].Overlays) != 2 {
		t.Fatalf("%+v", got)
	}
	if o := got.Volumes[0].Overlays[1]; o.Label != "tumour" || o.File != "rt.dcm" || !slices.Equal(o.Frames, []int{0}) {
		t.Errorf("structures %+v", o)
	}
	if got.Problems[0].File != "rt.dcm" {
		t.Errorf("problems %+v", got.Problems)
	}
}
