package phantom

// An Extent is the smallest box of pixels that holds every sample that a finding changes: columns [X0, X1), rows [Y0, Y1), and for a CT
// exam frames From to To, both in it (0-based).
type Extent struct {
	X0, Y0, X1, Y1 int
	From, To       int
}

// Extent finds what finding i of a CT exam changes; ok is false where it changes nothing.
func (s *Scene) Extent(i int) (e Extent, ok bool) {
	for n := range Frames {
		if s.Findings[i].reaches(FrameZ(n)) {
			with, without := s.Pair(n, i)
			e, ok = Widen(e, ok, n, Columns, with, without)
		}
	}
	return e, ok
}

// Widen takes into e (nothing yet when ok is false) the samples of one picture in which a and b differ.
func Widen[T comparable](e Extent, ok bool, frame, columns int, a, b []T) (Extent, bool) {
	for k := range a {
		if a[k] == b[k] {
			continue
		}
		x, y := k%columns, k/columns
		if !ok {
			e, ok = Extent{x, y, x + 1, y + 1, frame, frame}, true
		}
		e.X0, e.Y0, e.X1, e.Y1 = min(e.X0, x), min(e.Y0, y), max(e.X1, x+1), max(e.Y1, y+1)
		e.From, e.To = min(e.From, frame), max(e.To, frame)
	}
	return e, ok
}

// reaches says whether the finding of a lying patient can have a part at this height.
func (f *Finding) reaches(z float64) bool {
	switch f.Kind {
	case Effusion:
		return z < FluidTop
	case Pneumothorax:
		return z > AirLow && z < AirTop
	}
	return z > f.At.Z-f.SizeMM-5 && z < f.At.Z+f.SizeMM+5
}

// NewNodule puts a nodule of this diameter into a lobe, clear of chest wall, hilum, larger vessels and the border between the lobes, with its
// middle within a millimetre of a frame, so that a frame shows its full width. Where no such place is found, it asks for less and less room.
func (b *Body) NewNodule(s Side, lobe Lobe, diameter float64, spiculate bool, salt uint64) Finding {
	c := newChance(b.seed, salt, 11)
	reach := diameter/2 + 4
	if spiculate {
		reach = mul(.8, diameter) + 4
	}
	for try := 0; ; try++ {
		less := float64(try/400) / 4
		reach := max(reach-less, diameter/2)
		p := b.inLung(s, reach, c)
		frame := int((p.Z-FrameZ(0))/FrameMM + .5)
		p.Z = FrameZ(frame) + c.between(-1, 1)
		border := Fissure(p.Y)
		fits := lobe == UpperLobe && p.Z > border+22 && p.Z < 85 || lobe == LowerLobe && p.Z < border-22 && p.Z > -72
		if fits && p.minus(hilum(s)).norm() > 44 && b.deep(p, reach) && b.clearOfVessels(p, diameter/2+3, 1+less/5) {
			return Finding{Kind: Nodule, Side: s, Lobe: lobe, At: p, SizeMM: diameter, Spiculate: spiculate, Salt: salt}
		}
	}
}

// deep says whether a ball around p lies in the lung.
func (b *Body) deep(p Point, reach float64) bool {
	for _, d := range []Point{{}, {reach, 0, 0}, {-reach, 0, 0}, {0, reach, 0}, {0, -reach, 0}, {0, 0, reach}, {0, 0, -reach}} {
		if b.free(p.plus(d)) < 1 {
			return false
		}
	}
	return true
}

// clearOfVessels says whether no vessel of this radius or more comes so near to p.
func (b *Body) clearOfVessels(p Point, reach, radius float64) bool {
	for i := range b.trees {
		if s := &b.trees[i]; s.radius >= radius && p.Z > s.low-reach && p.Z < s.high+reach && s.distance(p) < reach {
			return false
		}
	}
	return true
}

// Fissure gives the height of the oblique fissure at a depth y: it runs from high at the back to low at the front.
func Fissure(y float64) float64 { return -8 + mul(.62, y) }
