package dcm

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"plumbline/backend/review"
)

var axial = []float64{1, 0, 0, 0, 1, 0}

// slice is the header of one CT file at a position.
func slice(path string, number int, position, orientation []float64) Header {
	return Header{
		Path: path, SeriesUID: "1.2", InstanceUID: path, Modality: "CT", InstanceNumber: number, HasPixels: true,
		Frames: []review.Frame{{Rows: 8, Columns: 8, Samples: 1, SpacingMM: []float64{.7, .7}, Position: position, Orientation: orientation}},
	}
}

func paths(s review.Stack) string {
	var out []string
	for _, f := range s.Frames {
		out = append(out, f.Path)
	}
	return strings.Join(out, " ")
}

func TestSeriesBecomeStacks(t *testing.T) {
	at := func(z float64) []float64 { return []float64{0, 0, z} }
	acquired := func(h Header, n int) Header { h.AcquisitionNumber = n; return h }
	tests := []struct {
		name string
		in   []Header
		want []string
	}{
		{"by position, not number", []Header{slice("a", 1, at(0), axial), slice("b", 1, at(20), axial), slice("c", 1, at(5), axial)}, []string{"a c b"}},
		{"by number without position", []Header{slice("a", 3, nil, nil), slice("b", 1, nil, nil), slice("c", 2, nil, nil)}, []string{"b c a"}},
		{"two acquisitions", []Header{
			acquired(slice("a", 1, at(0), axial), 2), acquired(slice("b", 2, at(5), axial), 2),
			acquired(slice("c", 3, at(0), axial), 1), acquired(slice("d", 4, at(5), axial), 1),
		}, []string{"c d", "a b"}},
		{"phases told apart by number alone", []Header{
			slice("a", 1, at(0), axial), slice("b", 2, at(5), axial), slice("c", 3, at(0), axial), slice("d", 4, at(5), axial),
		}, []string{"a b", "c d"}},
		{"a localizer stays apart and comes last", []Header{
			slice("l", 0, at(0), []float64{1, 0, 0, 0, 0, -1}), slice("a", 1, at(0), axial), slice("b", 2, at(5), axial),
		}, []string{"a b", "l"}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, s := range Group(c.in) {
				got = append(got, paths(s))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("stacks %q, want %q", got, c.want)
			}
		})
	}
}

func TestProjectionsAndPicturesAreImagesOfTheirOwn(t *testing.T) {
	film := func(path string) Header {
		h := slice(path, 1, nil, nil)
		h.Modality = "DX"
		return h
	}
	picture := Header{Path: "p.png", HasPixels: true, Frames: []review.Frame{{Rows: 1, Columns: 1, Samples: 3}}}
	clip := slice("clip", 1, nil, nil)
	clip.Modality, clip.Frames = "XA", append(clip.Frames, clip.Frames[0])
	got := Group([]Header{film("f1"), film("f2"), picture, clip})
	if len(got) != 4 {
		t.Fatalf("%d stacks, want 4", len(got))
	}
	kinds := map[review.ImageKind]int{}
	for _, s := range got {
		kinds[s.Kind]++
	}
	if kinds[review.SingleImage] != 3 || kinds[review.FrameSet] != 1 {
		t.Errorf("kinds %v", kinds)
	}
}

func TestACopyOfAFileIsLeftOut(t *testing.T) {
	a, b := slice("a", 1, []float64{0, 0, 0}, axial), slice("b", 2, []float64{0, 0, 5}, axial)
	again := a
	again.Path = "copy of a"
	got := Group([]Header{a, b, again})
	if len(got) != 1 || paths(got[0]) != "a b" || !slices.Contains(got[0].Reasons, "copies of files left out: 1") {
		t.Errorf("%d stacks, %q, %q", len(got), paths(got[0]), got[0].Reasons)
	}
	cut := slice("a", 1, []float64{0, 0, 0}, axial)
	cut.Path, cut.Frames[0].Problem = "cut copy of a", "pixel data cut short"
	for _, in := range [][]Header{{cut, a, b}, {a, b, cut}} {
		if got := Group(in); paths(got[0]) != "a b" {
			t.Errorf("of a good and a cut copy stays %q", paths(got[0]))
		}
	}
	other := slice("a", 1, []float64{0, 0, 0}, axial)
	other.Path, other.Size = "the same in another encoding", 7
	if got := Group([]Header{a, b, other}); len(got) != 2 {
		t.Errorf("with another encoding of a file there are %d stacks, want 2", len(got))
	}
	same, bent := a, a
	same.Path, bent.Path = writeFile(t, "same", []byte{1, 2}), writeFile(t, "bent", []byte{1, 3})
	if got := Group([]Header{same, bent}); len(got) != 2 {
		t.Errorf("two files of other bytes make %d stacks, want 2", len(got))
	}
	if bent.Path = writeFile(t, "again", []byte{1, 2}); len(Group([]Header{same, bent})) != 1 {
		t.Error("two files of the same bytes are not one")
	}
	b.InstanceUID = a.InstanceUID // all files with one instance UID, at places of their own
	if got := Group([]Header{a, b}); len(got) != 1 || len(got[0].Frames) != 2 {
		t.Errorf("files of one instance at two places: %q", paths(got[0]))
	}
}

func TestOrderOfFilesDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "frames")
		step := rapid.Float64Range(.5, 10).Draw(t, "step")
		angle := rapid.Float64Range(0, 3).Draw(t, "angle")
		o := []float64{math.Cos(angle), math.Sin(angle), 0, 0, 0, -1}
		across := normal(o)
		var all []Header
		for i := range n {
			d := step * float64(i)
			all = append(all, slice(fmt.Sprintf("%02d", i), n-i, []float64{across[0] * d, across[1] * d, across[2] * d}, o))
		}
		want := Group(all)
		got := Group(rapid.Permutation(all).Draw(t, "shuffled"))
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("stacks differ")
		}
		if len(got) != 1 || !slices.IsSortedFunc(got[0].Frames, func(a, b review.Frame) int { return strings.Compare(a.Path, b.Path) }) {
			t.Fatalf("order %q", paths(got[0]))
		}
	})
}

func TestGeometryInWords(t *testing.T) {
	positions := func(o []float64, at ...[]float64) []review.Frame {
		var out []review.Frame
		for _, p := range at {
			out = append(out, slice("", 0, p, o).Frames...)
		}
		return out
	}
	z := func(v ...float64) [][]float64 {
		var out [][]float64
		for _, x := range v {
			out = append(out, []float64{0, 0, x})
		}
		return out
	}
	angle := 13.5 * math.Pi / 180
	tilted := []float64{1, 0, 0, 0, math.Cos(angle), math.Sin(angle)}
	t.Run("even", func(t *testing.T) {
		g := Measure(positions(axial, z(0, 2, 4, 6)...))
		if !g.MPR || len(g.Gaps)+len(g.Reasons) != 0 || math.Abs(g.SpacingMM[2]-2) > 1e-9 {
			t.Errorf("%+v", g)
		}
	})
	t.Run("gap", func(t *testing.T) {
		g := Measure(positions(axial, z(0, 1.6, 3.2, 6.4)...))
		if g.MPR || len(g.Gaps) != 1 || g.Gaps[0].After != 2 || g.Reasons[0] != "expected 1.60 mm, found 3.20 mm between frames 3 and 4" {
			t.Errorf("%+v", g)
		}
	})
	t.Run("tilt", func(t *testing.T) {
		g := Measure(positions(tilted, z(0, 5, 10)...))
		if g.MPR || math.Abs(g.TiltDeg-13.5) > .01 || math.Abs(g.ShearMM-1.1672) > 1e-3 || math.Abs(g.SpacingMM[2]-4.8618) > 1e-3 {
			t.Errorf("%+v", g)
		}
	})
	t.Run("a clip goes through time", func(t *testing.T) {
		frames := positions(nil, nil, nil)
		for i := range frames {
			frames[i].DurationMS = 33.3
		}
		if g := Measure(frames); g.MPR || len(g.Reasons) != 0 {
			t.Errorf("%+v", g)
		}
	})
	t.Run("nowhere", func(t *testing.T) {
		g := Measure(positions(nil, nil, nil))
		if g.MPR || g.SpacingMM != nil || g.Reasons[0] != "ordered by instance number: position unknown" {
			t.Errorf("%+v", g)
		}
	})
}
