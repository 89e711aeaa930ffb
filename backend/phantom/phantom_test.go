package phantom

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"sync"
	"testing"
)

// findingsOf gives one finding of each sort in a body, all of which fit together.
func findingsOf(b *Body) []Finding {
	return []Finding{
		{Kind: Effusion, Side: Right, SizeMM: 40},
		{Kind: Pneumothorax, Side: Left, SizeMM: 22},
		b.NewNodule(Right, UpperLobe, 22, true, 5),
		b.NewNodule(Left, LowerLobe, 10, false, 6),
	}
}

func sum[T int16 | uint16](samples []T) string {
	h := sha256.New()
	for _, v := range samples {
		h.Write(binary.LittleEndian.AppendUint16(nil, uint16(v)))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// The digests were made once; they must be the same on every machine. A change of the phantom's looks changes them.
func TestSameSamplesEverywhere(t *testing.T) {
	b := NewBody(7)
	s := &Scene{Body: b, Contrast: true, Noise: 3, Findings: findingsOf(b)}
	for _, c := range []struct {
		name string
		got  string
		want string
	}{
		{"frame 12", sum(s.Frame(12)), "84923ce238417622"},
		{"frame 28", sum(s.Frame(28)), "a7ef4ffcc1b01293"},
		{"film", sum((&Scene{Body: b, Noise: 4, Upright: true, Findings: []Finding{{Kind: Pneumothorax, Side: Left, SizeMM: 45}}}).Film()), "9a6376b1bd88f136"},
	} {
		if c.got != c.want {
			t.Errorf("%s: digest %s, want %s", c.name, c.got, c.want)
		}
	}
}

func TestFramesDoNotDependOnEachOther(t *testing.T) {
	b := NewBody(8)
	s := &Scene{Body: b, Noise: 3, Findings: findingsOf(b)}
	want := s.Frame(20)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			s.Frame(21)
			if !slices.Equal(s.Frame(20), want) {
				t.Error("frame 20 differs when it is rendered beside others")
			}
		})
	}
	group.Wait()
}

// Taking a finding out changes samples inside its extent and nowhere else: the noise outside is the same to the bit.
func TestExtentHoldsEveryChange(t *testing.T) {
	b := NewBody(9)
	s := &Scene{Body: b, Noise: 5, Findings: findingsOf(b)}
	for i, f := range s.Findings {
		e, ok := s.Extent(i)
		if !ok {
			t.Fatalf("%s: nothing changes", f.Kind)
		}
		without := s.Without(i)
		touched := Extent{X0: Columns, Y0: Rows, From: Frames, To: -1}
		for n := range Frames {
			a, c := s.Frame(n), without.Frame(n)
			for k := range a {
				if a[k] == c[k] {
					continue
				}
				x, y := k%Columns, k/Columns
				touched.X0, touched.Y0 = min(touched.X0, x), min(touched.Y0, y)
				touched.X1, touched.Y1 = max(touched.X1, x+1), max(touched.Y1, y+1)
				touched.From, touched.To = min(touched.From, n), max(touched.To, n)
			}
		}
		if touched != e {
			t.Errorf("%s: extent %+v, but samples differ in %+v", f.Kind, e, touched)
		}
		onRight := ctGrid.x((e.X0+e.X1)/2) < 0
		if onRight != (f.Side == Right) {
			t.Errorf("%s on the %s lies at columns %d to %d", f.Kind, f.Side, e.X0, e.X1)
		}
	}
}

func TestInsertIsTheOppositeOfRemove(t *testing.T) {
	b := NewBody(10)
	bare := &Scene{Body: b, Noise: 6}
	for _, f := range findingsOf(b) {
		put := bare.With(f)
		if len(bare.Findings) != 0 {
			t.Fatal("With changed the scene it was called on")
		}
		for _, n := range []int{10, 20, 30} {
			if !slices.Equal(put.Without(0).Frame(n), bare.Frame(n)) {
				t.Errorf("%s put in and taken out again: frame %d differs", f.Kind, n)
			}
			_, without := put.Pair(n, 0)
			if !slices.Equal(without, bare.Frame(n)) {
				t.Errorf("%s: Pair's second frame %d differs from the bare one", f.Kind, n)
			}
		}
	}
}

func TestAnotherExamHasOtherNoise(t *testing.T) {
	b := NewBody(11)
	a, c := (&Scene{Body: b, Noise: 1}).Frame(20), (&Scene{Body: b, Noise: 2}).Frame(20)
	total, square := 0, 0
	for i := range a {
		d := int(a[i]) - int(c[i])
		total, square = total+d, square+d*d
	}
	n := len(a)
	if mean := total / n; mean < -1 || mean > 1 {
		t.Errorf("mean difference %d HU, want about 0", mean)
	}
	if variance := square / n; variance < 100 || variance > 600 { // twice that of one exam
		t.Errorf("variance of the difference %d HU², want that of noise of about 11 HU", variance)
	}
}

func TestNoduleLiesInItsLobe(t *testing.T) {
	for seed := range uint64(6) {
		b := NewBody(100 + seed)
		for _, side := range []Side{Right, Left} {
			for _, lobe := range []Lobe{UpperLobe, LowerLobe} {
				f := b.NewNodule(side, lobe, 12, false, seed)
				if f.At.X*side.Sign() <= 0 {
					t.Errorf("seed %d: nodule of the %s side at x = %.0f mm", seed, side, f.At.X)
				}
				if above := f.At.Z > Fissure(f.At.Y); above != (lobe == UpperLobe) {
					t.Errorf("seed %d: nodule of the %s lobe at height %.0f mm, the fissure is at %.0f", seed, lobe, f.At.Z, Fissure(f.At.Y))
				}
				if free := b.free(f.At); free < 6 {
					t.Errorf("seed %d: the middle of a nodule of 12 mm lies only %.1f mm deep in the lung", seed, free)
				}
			}
		}
	}
}

// A chest has lung, fat, soft tissue and bone in about a chest's shares.
func TestFrameLooksLikeAChest(t *testing.T) {
	s := &Scene{Body: NewBody(12), Noise: 1}
	frame := s.Frame(18)
	count := func(low, high int16) (percent int) {
		for _, v := range frame {
			if v >= low && v < high {
				percent++
			}
		}
		return percent * 100 / len(frame)
	}
	for _, c := range []struct {
		what            string
		low, high       int16
		atLeast, atMost int
	}{
		{"lung", -940, -700, 10, 35}, {"fat", -140, -60, 3, 20}, {"soft tissue", 10, 100, 8, 35}, {"bone", 180, 3000, 1, 8},
	} {
		if n := count(c.low, c.high); n < c.atLeast || n > c.atMost {
			t.Errorf("%s (%d to %d HU) is %d %% of the frame, want %d to %d", c.what, c.low, c.high, n, c.atLeast, c.atMost)
		}
	}
}

func TestFilmOfAPneumothorax(t *testing.T) {
	s := &Scene{Body: NewBody(13), Noise: 1, Upright: true, Findings: []Finding{{Kind: Pneumothorax, Side: Left, SizeMM: 45}}}
	with, without := s.FilmPair(0)
	e, ok := Widen(Extent{}, false, 0, FilmColumns, with, without)
	if !ok || filmGrid.x(e.X0) < 0 || FilmZ(e.Y0) < 60 {
		t.Errorf("the film differs in %+v, want the upper part of the patient's left", e)
	}
	brighter := 0
	for i := range with {
		if with[i] > without[i] {
			brighter++
		} else if with[i] < without[i] {
			brighter--
		}
	}
	if brighter <= 0 {
		t.Error("free air must let more radiation through")
	}
}

func BenchmarkFrame(b *testing.B) {
	s := &Scene{Body: NewBody(7), Noise: 3}
	for b.Loop() {
		s.Frame(20)
	}
}
