package phantom

import "math"

// Side is a side of the patient.
type Side string

// The sides.
const (
	Right Side = "right"
	Left  Side = "left"
)

// Sign gives the direction of the side along x: the patient's left is +1.
func (s Side) Sign() float64 {
	if s == Left {
		return 1
	}
	return -1
}

// Opposite gives the other side.
func (s Side) Opposite() Side {
	if s == Left {
		return Right
	}
	return Left
}

// Body is the anatomy of one patient: the same in every exam.
type Body struct {
	seed         uint64
	width, depth float64 // scale of the whole chest
	fat          float64 // thickness under the skin, mm
	heart        float64 // scale of the heart
	dome         [2]float64
	trees        []segment // vessels of the lungs
	bronchi      []segment
	ribs         float64 // height of the first rib, mm
	rounded      float64 // 0: elliptic, .6: squarish chest
}

// NewBody makes the body of a patient.
func NewBody(seed uint64) *Body {
	c := newChance(seed, 1)
	b := &Body{
		seed: seed, width: c.between(.93, 1.03), depth: c.between(.93, 1.07), fat: c.between(7, 19), heart: c.between(.92, 1.08),
		ribs: c.between(112, 122), rounded: c.between(.12, .32),
	}
	b.dome = [2]float64{c.between(-66, -56), c.between(-76, -68)} // right above left
	for _, s := range []Side{Right, Left} {
		b.trees = append(b.trees, b.vesselTree(s, newChance(seed, 2, uint64(2+s.Sign())))...)
	}
	b.bronchi = b.airways()
	return b
}

// Half-width, half-depth and middle of the pleural cavity by height.
var (
	cavityWidth  = table{{-140, 121}, {-60, 120}, {0, 116}, {40, 107}, {75, 88}, {100, 64}, {118, 40}, {136, 20}}
	cavityDepth  = table{{-140, 88}, {-60, 87}, {0, 83}, {40, 77}, {75, 65}, {100, 48}, {118, 30}, {136, 14}}
	cavityMiddle = table{{-140, 0}, {0, 0}, {50, 4}, {90, 14}, {136, 22}}
	bodyWidth    = table{{-140, 152}, {-60, 155}, {20, 157}, {70, 163}, {110, 170}, {140, 172}}
	bodyDepth    = table{{-140, 113}, {-40, 113}, {40, 108}, {90, 96}, {140, 84}}
	bodyMiddle   = table{{-140, 0}, {40, 2}, {90, 8}, {140, 12}}
)

// level holds what is the same for all points of one height.
type level struct {
	z                   float64
	cw, cd, cy          float64 // cavity
	bw, bd, by          float64 // skin
	mediastinum, hilum  float64
	rounded             float64
	domeRight, domeLeft float64
}

func (b *Body) level(z float64) level {
	return level{
		z:  z,
		cw: mul(cavityWidth.at(z), b.width), cd: mul(cavityDepth.at(z), b.depth), cy: cavityMiddle.at(z),
		bw: mul(bodyWidth.at(z), b.width) + b.fat - 12, bd: mul(bodyDepth.at(z), b.depth) + mul(.8, b.fat-12), by: bodyMiddle.at(z),
		mediastinum: 13 + mul(14, clamp((z-30)/50, 0, 1)), hilum: mul(14, bump((z+2)/42)),
		rounded: b.rounded, domeRight: b.dome[0], domeLeft: b.dome[1],
	}
}

// ring gives the signed distance (mm, about; negative inside) of a point to a rounded ellipse.
func ring(x, y, halfWidth, halfDepth, rounded float64) float64 {
	u, v := sq(x/halfWidth), sq(y/halfDepth)
	r2 := max(u+v-mul(mul(rounded, u), v), u, v) // outside the corners the product would win
	if r2 < 1e-9 {
		return -halfDepth
	}
	scale := (mul(u, halfWidth) + mul(v, halfDepth)) / (u + v)
	return mul(math.Sqrt(r2)-1, scale)
}

// skin is the signed distance to the body's surface.
func (l *level) skin(x, y float64) float64 {
	d := ring(x, y-l.by, l.bw, l.bd, .22)
	if y > l.by { // a groove along the spine
		d += mul(mul(9, bump(x/34)), clamp((y-l.by)/60, 0, 1))
	}
	return d
}

// cavity is the signed distance to the inner chest wall.
func (l *level) cavity(x, y float64) float64 { return ring(x, y-l.cy, l.cw, l.cd, l.rounded) }

// middle gives the half-width of the mediastinum at this depth (y).
func (l *level) middle(y float64) float64 {
	spine := mul(13, bump((y-mul(.72, l.cd)-l.cy)/34))
	return l.mediastinum - 3 + mul(13, bump((y+2)/58)) + mul(l.hilum, bump((y-6)/30)) + spine
}

// diaphragm gives the height of the dome under a point.
func (l *level) diaphragm(x, y float64) float64 {
	top, cx := l.domeLeft, 62.0
	if x < 0 {
		top, cx = l.domeRight, -60
	}
	q := sq((x-cx)/72) + sq((y+10)/88)
	return top - mul(46, min(q, 2.4))
}

// lung is the signed distance (mm, about; negative inside) to the border of the pleural space of the side that x lies on: chest wall,
// mediastinum or diaphragm, whichever is nearest. The heart is not in it; it is painted over the lung.
func (l *level) lung(x, y float64) float64 {
	d := max(l.cavity(x, y)+2, l.middle(y)-math.Abs(x))
	return max(d, mul(.8, l.diaphragm(x, y)-l.z))
}

// heartDistance is the signed distance to the surface of the heart.
func (b *Body) heartDistance(p Point) float64 {
	d := p.minus(Point{15, -24, -46})
	x, y := mul(.88, d.X)-mul(.42, d.Y), mul(.42, d.X)+mul(.88, d.Y)
	z := d.Z - mul(.18, d.X)
	w, h, t := mul(55, b.heart), mul(44, b.heart), mul(47, b.heart)
	r := math.Sqrt(sq(x/w) + sq(y/h) + sq(z/t))
	return mul(r-1, h)
}

// free gives how deep inside aerated lung a point lies, in mm (negative: not in the lung).
func (b *Body) free(p Point) float64 {
	l := b.level(p.Z)
	d := max(l.lung(p.X, p.Y), 2-b.heartDistance(p))
	if p.Z < 50 { // the descending aorta bulges into the left lung
		x, y := p.X-21, p.Y-(l.cy+mul(.72, l.cd)-22)
		d = max(d, 14-math.Sqrt(sq(x)+sq(y)))
	}
	return -d
}
