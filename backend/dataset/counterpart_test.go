package dataset_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// paired makes a dataset of one case with a counterpart of its image.
func paired(t testing.TB, change func(*review.Image), counterpart []byte) (string, review.Case) {
	t.Helper()
	dir := own(t, 1)
	c := sheet(1)
	without := review.Image{ID: "w", Path: "images/w.png", Kind: review.SingleImage, DerivedFrom: "i", Intervention: review.Removed}
	if change != nil {
		change(&without)
	}
	c.Images = append([]review.Image{without}, c.Images...) // before the image that it belongs to
	put(t, dir, "cases.jsonl", jsonl(t, c))
	if counterpart != nil {
		put(t, dir, "images/w.png", counterpart)
	}
	return dir, c
}

func greyOf(t testing.TB, columns, rows int, at func(x, y int) uint8) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, columns, rows))
	for y := range rows {
		for x := range columns {
			m.SetGray(x, y, color.Gray{Y: at(x, y)})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCounterpartIsNotShown(t *testing.T) {
	flat := greyOf(t, 24, 20, func(int, int) uint8 { return 9 })
	dir, _ := paired(t, nil, flat)
	ix := newIndex(t)
	for range 2 { // built, and taken from the index
		s, problems := open(t, dir, ix)
		expect(t, problems)
		c, err := s.Case("c1")
		if err != nil || len(c.Images) != 1 || c.Images[0].ID != "i" {
			t.Fatalf("images %+v, %v", c.Images, err)
		}
		stacks, _, err := s.Stacks(t.Context(), "c1")
		if err != nil || len(stacks) != 1 || stacks[0].Image != "i" || s.Place("c1", "i") != 1 {
			t.Fatalf("stacks %+v, place %d, %v", stacks, s.Place("c1", "i"), err)
		}
		if n := s.Counts(); n.Images != 2 || n.Variants != 1 {
			t.Errorf("%+v", n)
		}
		frames, err := s.Without(t.Context(), "c1", "i")
		if err != nil || len(frames) != 1 || !bytes.Equal(frames[0], bytes.Repeat([]byte{9}, 24*20)) {
			t.Errorf("%d frames, %v", len(frames), err)
		}
		if _, _, _, err := s.With(t.Context(), "c1"); fault.KindOf(err) != fault.NotFound {
			t.Errorf("a finding put in: %v", err)
		}
	}
}

func TestCounterpartWithAFindingPutIn(t *testing.T) {
	dir, _ := paired(t, func(m *review.Image) { m.Intervention = review.Inserted }, greyOf(t, 24, 20, func(x, y int) uint8 { return uint8(x) }))
	put(t, dir, "truth.jsonl", jsonl(t,
		review.Truth{Case: "c1", Question: "q1", Gold: ptr("A"), Inserted: &review.InsertedGold{Gold: ptr("Z")}},
		review.Truth{Case: "c1", Question: "q2", Gold: ptr("B"), Inserted: &review.InsertedGold{Gold: ptr("A"), Evidence: []review.Region{{ID: "e", Image: "nowhere", Shape: review.Box, Coords: []float64{.1, .1, .2, .2}}, {ID: "f", Image: "i", Shape: review.Box, Coords: []float64{.1, .1, .2, .2}}}}}))
	s, problems := open(t, dir, nil)
	expect(t, problems)
	frames, right, at, err := s.With(t.Context(), "c1")
	if err != nil || len(frames["i"]) != 1 || right != nil || at != nil {
		t.Fatalf("%d images, %v", len(frames), err)
	}
	truth, wrong, err := s.Truth(t.Context())
	if err != nil || len(truth) != 2 || truth[0].Inserted.Gold != nil || len(truth[1].Inserted.Evidence) != 1 {
		t.Fatalf("%+v, %v", truth, err)
	}
	expect(t, wrong, want{File: "truth.jsonl", Line: 1, Field: "inserted.gold", Text: "is no option"}, want{File: "truth.jsonl", Line: 2, Field: "inserted.evidence[0]", Text: "nowhere"})
}

// What is wrong with a counterpart is a problem of the case, which is used without it.
func TestBadCounterparts(t *testing.T) {
	good := greyOf(t, 24, 20, func(x, y int) uint8 { return uint8(x + y) })
	for name, c := range map[string]struct {
		change func(*review.Image)
		file   []byte
		says   string
	}{
		"of another size":     {nil, greyOf(t, 12, 20, func(x, y int) uint8 { return uint8(x) }), "24 × 20 pixels expected, found 12 × 20"},
		"missing":             {nil, nil, "images/w.png"},
		"no picture":          {nil, []byte("no picture at all, but long enough to be looked at"), "images/w.png"},
		"of nothing":          {func(m *review.Image) { m.DerivedFrom = "elsewhere" }, good, "no image of this case"},
		"of itself":           {func(m *review.Image) { m.DerivedFrom = "w" }, good, "no image of this case"},
		"of no image":         {func(m *review.Image) { m.DerivedFrom = "" }, good, "names the counterpart of another image"},
		"with colour samples": {nil, colourPNG(t), "samples of 8 bits expected"},
	} {
		dir, _ := paired(t, c.change, c.file)
		s, problems := open(t, dir, nil)
		said := false
		for _, p := range problems {
			said = said || strings.Contains(p.File+" "+p.Text, c.says)
		}
		if !said {
			t.Errorf("%s: problems %+v; %q expected", name, problems, c.says)
		}
		if _, err := s.Without(t.Context(), "c1", "i"); fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s: %v", name, err)
		}
		if stacks, _, err := s.Stacks(t.Context(), "c1"); err != nil || len(stacks[len(stacks)-1].Frames) != 1 {
			t.Errorf("%s: the image itself: %+v, %v", name, stacks, err)
		}
	}
}

func colourPNG(t testing.TB) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 24, 20))
	for i := range m.Pix {
		m.Pix[i] = uint8(i) | 1
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A file that is cut after the dataset was opened is a fault of that counterpart.
func TestCounterpartGoneMeanwhile(t *testing.T) {
	dir, _ := paired(t, nil, greyOf(t, 24, 20, func(x, y int) uint8 { return uint8(x + y) }))
	s, problems := open(t, dir, nil)
	expect(t, problems)
	if err := os.Remove(filepath.Join(dir, "images", "w.png")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Without(t.Context(), "c1", "i"); err == nil {
		t.Error("frames of a file that is gone")
	}
}
