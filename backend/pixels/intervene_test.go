package pixels

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"plumbline/backend/review"
)

// chest makes a CT of n frames: air, a body of muscle, two lungs mirrored about the middle, and a ball in the right one (the picture's left).
func chest(t *testing.T, n int) (*Changeable, []review.Samples, review.Region) {
	t.Helper()
	const columns, rows = 96, 64
	frame := review.Frame{Rows: rows, Columns: columns, Samples: 1, BitsAllocated: 16, BitsStored: 16, Signed: true, Slope: 1, Intercept: -1024, Unit: "HU"}
	var frames []review.Frame
	var samples []review.Samples
	for k := range n {
		s := review.Samples{Rows: rows, Columns: columns, PerPixel: 1, BitsAllocated: 16, Signed: true, Data: make([]byte, 2*rows*columns)}
		for i := range rows * columns {
			x, y := float64(i%columns)-47.5, float64(i/columns)-31.5
			hu := -1000.0
			if x*x/1600+y*y/784 < 1 {
				hu = 50
			}
			if l := math.Abs(x) - 20; l*l/196+y*y/400 < 1 {
				hu = -860 + float64((i*7)%23)
			}
			if dx, dy := x+20, y; dx*dx+dy*dy < 25 {
				hu = 40
			}
			store(s, i, hu+1024, 16)
		}
		frames, samples = append(frames, frame), append(samples, s)
		frames[k].Index = k
	}
	c, err := NewChangeable(frames, samples)
	if err != nil {
		t.Fatal(err)
	}
	from, to := 0, n-1
	return c, samples, review.Region{ID: "e1", Shape: review.Box, From: &from, To: &to, Coords: []float64{22. / columns, 26. / rows, 34. / columns, 38. / rows}}
}

func maskOf(t *testing.T, c *Changeable, r ...review.Region) Mask {
	t.Helper()
	m, err := MaskOf(r, c.Plane(), c.Frames())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestFillReplacesTheRegionAlone(t *testing.T) {
	for _, fill := range []string{"tissue", "mean", "blur"} {
		c, before, r := chest(t, 3)
		kept := bytes.Clone(before[1].Data)
		to := 1
		r.From, r.To = &to, &to
		m := maskOf(t, c, r)
		if err := c.Fill(m, fill, 5); err != nil {
			t.Fatal(err)
		}
		_, after := c.Frame(1)
		for i := range 96 * 64 {
			if !m.Has(1, i) && Stored(after, i) != Stored(before[1], i) {
				t.Fatalf("%s: pixel %d outside of the region was changed", fill, i)
			}
		}
		if !bytes.Equal(kept, before[1].Data) {
			t.Errorf("%s: the samples that were handed in were changed", fill)
		}
		if !slices.Equal(c.Changed(), []int{1}) || c.Change() <= 0 {
			t.Errorf("%s: frames %v changed by %g", fill, c.Changed(), c.Change())
		}
		middle := c.value(1, 32*96+28)
		if fill != "blur" && math.Abs(middle+850) > 25 || fill == "blur" && middle > 0 {
			t.Errorf("%s: %g HU where the ball was, lung expected", fill, middle)
		}
	}
}

func TestFillIsTheSameForTheSameSeed(t *testing.T) {
	made := func(seed uint64) []byte {
		c, _, r := chest(t, 1)
		if err := c.Fill(maskOf(t, c, r), "tissue", seed); err != nil {
			t.Fatal(err)
		}
		_, s := c.Frame(0)
		return s.Data
	}
	if !bytes.Equal(made(1), made(1)) || bytes.Equal(made(1), made(2)) {
		t.Error("the same seed gives other pixels, or another seed the same")
	}
}

func TestFillRefuses(t *testing.T) {
	c, _, r := chest(t, 1)
	m := maskOf(t, c, r)
	if err := c.Fill(m, "black", 1); err == nil {
		t.Error("black on a CT was not refused: it is a pneumothorax")
	}
	if err := c.Fill(m, "pink", 1); err == nil {
		t.Error("an unknown fill was not refused")
	}
	if err := c.Fill(NewMask(c.Plane(), 1), "mean", 1); err == nil {
		t.Error("no pixels were not refused")
	}
	for name, r := range map[string]review.Region{
		"a mask file":    {Shape: review.Mask},
		"no such frame":  {Shape: review.Slab, From: ref(4), To: ref(5)},
		"outside of all": {Shape: review.Box, Coords: []float64{0, 0, 2, 2}},
	} {
		if _, err := MaskOf([]review.Region{r}, c.Plane(), 1); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func ref(n int) *int { return &n }

// The control has the evidence's shape and size, lies in the body, clear of the evidence, in the same tissue, and on the other side.
func TestControlIsTheMirroredPlace(t *testing.T) {
	c, _, r := chest(t, 2)
	r.Coords = []float64{24. / 96, 40. / 64, 30. / 96, 46. / 64} // lung below the ball
	m := maskOf(t, c, r)
	got, ok := c.Control(m, m, 1, func(Mask) bool { return true })
	if !ok || got.Pixels() != m.Pixels() || got.overlaps(m) || got.overlaps(c.Body().Not()) {
		t.Fatalf("control: %v, %d of %d pixels", ok, got.Pixels(), m.Pixels())
	}
	x0, _, x1, _, _, _, _ := got.Bounds()
	if x0 < 60 || x1 > 76 {
		t.Errorf("columns %d to %d, the other lung expected", x0, x1)
	}
	if math.Abs(c.Mean(got)-c.Mean(m)) > 100 {
		t.Errorf("means %g and %g", c.Mean(got), c.Mean(m))
	}
	if _, ok := c.Control(m, c.Body(), 1, func(Mask) bool { return true }); ok {
		t.Error("a control where everything is to be avoided")
	}
	if _, ok := c.Control(m, m, 1, func(Mask) bool { return false }); ok {
		t.Error("a control though none is alike")
	}
	whole := maskOf(t, c, review.Region{Shape: review.WholeImage})
	if _, ok := c.Control(whole, whole, 1, func(Mask) bool { return true }); ok {
		t.Error("a control for a region larger than the body")
	}
}

func TestJitterKeepsTheTissue(t *testing.T) {
	c, _, r := chest(t, 1)
	m := maskOf(t, c, r)
	before := c.Mean(m)
	c.Jitter(m, 3)
	if c.Change() == 0 || math.Abs(c.Mean(m)-before) > 60 {
		t.Errorf("changed by %g, mean %g before and %g after", c.Change(), before, c.Mean(m))
	}
}

func TestMirrorTwiceIsNothing(t *testing.T) {
	c, before, _ := chest(t, 1)
	c.Mirror()
	if _, s := c.Frame(0); bytes.Equal(s.Data, before[0].Data) {
		t.Error("nothing was mirrored")
	}
	c.Mirror()
	if _, s := c.Frame(0); !bytes.Equal(s.Data, before[0].Data) {
		t.Error("mirrored twice it is another picture")
	}
}

func TestEvenAndReplace(t *testing.T) {
	c, before, _ := chest(t, 1)
	other := bytes.Clone(before[0].Data)
	store(review.Samples{BitsAllocated: 16, Signed: true, Data: other}, 77, 500, 16)
	m, err := c.Replace(0, other)
	if err != nil || m.Pixels() != 1 || !m.Has(0, 77) || c.value(0, 77) != 500-1024 {
		t.Errorf("replaced %d pixels, %v", m.Pixels(), err)
	}
	if _, err := c.Replace(0, other[2:]); err == nil {
		t.Error("samples of another size were taken")
	}
	c.Even()
	if low, high, _ := Range(c.frames[0], c.samples[0]); low != high {
		t.Errorf("an even picture from %g to %g", low, high)
	}
}

func TestDrawCueStaysByTheRegion(t *testing.T) {
	for _, cue := range []string{"box", "arrow", "heatmap", "highlight"} {
		c, before, r := chest(t, 3)
		r.From, r.To = ref(1), ref(1)
		if err := c.DrawCue(maskOf(t, c, r), cue); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(c.Changed(), []int{1}) {
			t.Errorf("%s: frames %v were changed", cue, c.Changed())
		}
		_, s := c.Frame(1)
		if Stored(s, 2*96+90) != Stored(before[1], 2*96+90) {
			t.Errorf("%s: a far pixel was changed", cue)
		}
	}
	c, _, r := chest(t, 1)
	if err := c.DrawCue(maskOf(t, c, r), "circle"); err == nil {
		t.Error("an unknown cue was drawn")
	}
}

// A line is seen on what is dark and on what is bright.
func TestDrawnLinesStandOut(t *testing.T) {
	for around, want := range map[float64]float64{-800: 400, 40: 400, 390: -1000} {
		c, _, r := chest(t, 1)
		for i := range c.Plane().Columns * c.Plane().Rows {
			c.put(0, i, around)
		}
		m := maskOf(t, c, r)
		if err := c.DrawCue(m, "box"); err != nil {
			t.Fatal(err)
		}
		x0, y0, _, _, _, _, _ := m.Bounds()
		if got := c.value(0, (y0-2)*c.Plane().Columns+x0-2); got != want {
			t.Errorf("around %g the line is %g, want %g", around, got, want)
		}
	}
}

func TestWidenedIsASquareAround(t *testing.T) {
	p := review.Plane{Columns: 12, Rows: 9}
	for _, px := range []int{0, 1, 3} {
		m := NewMask(p, 2)
		m.set(1, 4*12+5)
		m.set(1, 0)
		got := m.Widened(px)
		for i := range 12 * 9 {
			x, y := i%12, i/12
			want := x <= px && y <= px || max(x-5, 5-x) <= px && max(y-4, 4-y) <= px
			if got.Has(1, i) != want || got.Has(0, i) {
				t.Fatalf("%d px: pixel %d,%d is %v, want %v", px, x, y, got.Has(1, i), want)
			}
		}
	}
}

// halves makes a frame of two flat halves, of which the left is even and the right higher, with one pixel at low and one at high.
func halves(t *testing.T, unit string, left, right, low, high float64) *Changeable {
	t.Helper()
	const columns, rows = 80, 40
	f := review.Frame{Rows: rows, Columns: columns, Samples: 1, BitsAllocated: 16, BitsStored: 16, Signed: true, Slope: 1, Unit: unit}
	s := review.Samples{Rows: rows, Columns: columns, PerPixel: 1, BitsAllocated: 16, Signed: true, Data: make([]byte, 2*rows*columns)}
	for i := range rows * columns {
		v := left
		if i%columns >= columns/2 {
			v = right
		}
		store(s, i, v, 16)
	}
	store(s, 0, low, 16)
	store(s, 1, high, 16)
	c, err := NewChangeable([]review.Frame{f}, []review.Samples{s})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The same tissue is a mean within 100 HU, elsewhere within a tenth of the range (measurement.md, Conditions): the left half is all evidence or
// to be avoided, so that a control is found in the right half or nowhere.
func TestControlLiesInTheSameTissue(t *testing.T) {
	for _, c := range []struct {
		unit        string
		left, right float64
		found       bool
	}{{"HU", 0, 99, true}, {"HU", 0, 101, false}, {"HU", 0, -101, false}, {"", 500, 599, true}, {"", 500, 601, false}, {"", 500, 401, true}} {
		made := halves(t, c.unit, c.left, c.right, 0, 1000)
		evidence := maskOf(t, made, review.Region{Shape: review.Box, Coords: []float64{.2, .4, .3, .6}})
		avoid := maskOf(t, made, review.Region{Shape: review.Box, Coords: []float64{0, 0, .5, 1}})
		m, found := made.Control(evidence, avoid, 1, func(Mask) bool { return true })
		if found != c.found || found && (m.Pixels() != evidence.Pixels() || m.overlaps(avoid)) {
			t.Errorf("%q %g beside %g: found %v, want %v", c.unit, c.left, c.right, found, c.found)
		}
	}
}

// A blur has a sigma of at least half the region's short side: its spread is that of its answer to one bright pixel.
func TestBlurIsAsWideAsTheRegionAsks(t *testing.T) {
	for _, short := range []int{3, 4, 7, 10} {
		const columns, rows = 160, 41
		f := review.Frame{Rows: rows, Columns: columns, Samples: 1, BitsAllocated: 64, Slope: 1}
		s := review.Samples{Rows: rows, Columns: columns, PerPixel: 1, BitsAllocated: 64, Float: true, Data: make([]byte, 8*rows*columns)}
		middle := rows / 2
		store(s, middle*columns+columns/2, 1e6, 0)
		c, err := NewChangeable([]review.Frame{f}, []review.Samples{s})
		if err != nil {
			t.Fatal(err)
		}
		m := NewMask(c.Plane(), 1)
		for row := middle - short/2; row < middle-short/2+short; row++ {
			for x := range columns {
				m.set(0, row*columns+x)
			}
		}
		if err := c.Fill(m, "blur", 1); err != nil {
			t.Fatal(err)
		}
		sum, second := 0., 0.
		for x := range columns {
			v, d := c.value(0, middle*columns+x), float64(x-columns/2)
			sum, second = sum+v, second+v*d*d
		}
		if sigma := math.Sqrt(second / sum); sigma < float64(short)/2 || sigma > float64(short)/2+1 {
			t.Errorf("short side %d: sigma %.2f, want %.1f or a little more", short, sigma, float64(short)/2)
		}
	}
}

// A copy and what it was made of are changed apart, also where that was changed before.
func TestCopyIsChangedApart(t *testing.T) {
	c, _, r := chest(t, 2)
	m := maskOf(t, c, r)
	if err := c.Fill(m, "mean", 1); err != nil {
		t.Fatal(err)
	}
	other := c.Copy()
	_, before := other.Frame(0)
	kept := bytes.Clone(before.Data)
	c.Mirror()
	if _, now := other.Frame(0); !bytes.Equal(now.Data, kept) || other.Change() != 0 || len(other.Changed()) != 0 {
		t.Error("the copy changed with what it was made of")
	}
	_, was := c.Frame(0)
	kept = bytes.Clone(was.Data)
	other.Even()
	if _, now := c.Frame(0); !bytes.Equal(now.Data, kept) {
		t.Error("what was copied changed with the copy")
	}
}

// Of a long image few frames may be there: the body is looked for in these, and a control is found in these.
func TestFewFramesOfMany(t *testing.T) {
	c, samples, r := chest(t, 1)
	want := c.Body().Pixels()
	const frames, at = 120, 60
	all, data := make([]review.Frame, frames), make([]review.Samples, frames)
	all[at], _ = c.Frame(0)
	data[at] = samples[0]
	long, err := NewChangeable(all, data)
	if err != nil {
		t.Fatal(err)
	}
	if got := long.Body().Pixels(); got != want || long.First() != at {
		t.Errorf("a body of %d pixels in frame %d, want %d", got, long.First(), want)
	}
	r.Coords = []float64{24. / 96, 40. / 64, 30. / 96, 46. / 64}
	r.From, r.To = nil, nil
	m, err := long.Marked([]review.Region{r})
	if err != nil || m.Pixels() != 36 {
		t.Fatalf("%d pixels of evidence, %v", m.Pixels(), err)
	}
	control, found := long.Control(m, m, 1, func(Mask) bool { return true })
	if _, _, _, _, from, to, _ := control.Bounds(); !found || from != at || to != at || control.Pixels() != m.Pixels() {
		t.Errorf("a control in frames %d to %d, found %v", from, to, found)
	}
}
