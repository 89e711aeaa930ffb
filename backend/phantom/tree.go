package phantom

import "math"

// segment is a tapering tube between two points.
type segment struct {
	from, to   Point
	radius     float64 // at from
	end        float64 // at to
	low, high  float64 // extent along z
	wallRadius float64 // beyond the lumen; 0: solid
}

func newSegment(from, to Point, radius, end, wall float64) segment {
	r := max(radius, end) + wall
	return segment{from, to, radius, end, min(from.Z, to.Z) - r, max(from.Z, to.Z) + r, wall}
}

// distance gives how far p lies from the tube's surface (negative inside).
func (s *segment) distance(p Point) float64 {
	axis, off := s.to.minus(s.from), p.minus(s.from)
	t := clamp(off.dot(axis)/max(axis.dot(axis), 1e-9), 0, 1)
	return off.minus(axis.scale(t)).norm() - (s.radius + mul(t, s.end-s.radius))
}

// hilum is where the vessels of a side enter the lung.
func hilum(s Side) Point {
	if s == Left {
		return Point{27, 4, 4}
	}
	return Point{-28, 4, -2}
}

// node is a point of a growing tree.
type node struct {
	at     Point
	parent int
	path   float64 // length back to the root
	flow   float64 // leaves served
}

const (
	leaves   = 1100 // of the vessel tree of one lung
	stepMM   = 11.0 // length of one piece of vessel
	leafSize = .6   // radius of the last piece, mm
	trunk    = 6.4  // radius at most
)

// vesselTree grows the vessels of one lung: each target in the lung is joined to the nearest branch, and a branch is as wide as the leaves
// it serves ask for (the area is kept at each fork).
func (b *Body) vesselTree(s Side, c *chance) []segment {
	nodes := []node{{at: hilum(s), parent: -1}}
	for range leaves {
		target := b.inLung(s, 4, c)
		best, cost := 0, math.Inf(1)
		for i, n := range nodes {
			if k := target.minus(n.at).norm() + mul(.35, n.path); k < cost {
				best, cost = i, k
			}
		}
		nodes = reach(nodes, best, target, c)
	}
	for i := len(nodes) - 1; i > 0; i-- { // children come after their parents
		n := &nodes[i]
		n.flow = max(n.flow, 1)
		nodes[n.parent].flow += n.flow
	}
	size := func(n node) float64 { return min(trunk, mul(leafSize, math.Sqrt(n.flow))) }
	var tree []segment
	for _, n := range nodes[1:] {
		p := nodes[n.parent]
		away := n.at.minus(nodes[0].at).norm()
		limit := clamp(trunk-mul(.12, away), 1.7, trunk) // peripheral vessels are thin
		tree = append(tree, newSegment(p.at, n.at, min(size(p), mul(1.3, size(n)), limit+.2), min(size(n), limit), 0))
	}
	return tree
}

// reach adds the nodes of one slightly winding branch.
func reach(nodes []node, from int, target Point, c *chance) []node {
	for {
		at := nodes[from]
		way := target.minus(at.at)
		length := way.norm()
		if length < 1 {
			return nodes
		}
		next := target
		if length > mul(1.3, stepMM) {
			next = at.at.plus(way.scale(stepMM / length)).plus(c.direction().scale(1.3))
		}
		nodes = append(nodes, node{at: next, parent: from, path: at.path + next.minus(at.at).norm()})
		from = len(nodes) - 1
		if next == target {
			return nodes
		}
	}
}

// inLung draws a point at least this deep in the lung of a side.
func (b *Body) inLung(s Side, depth float64, c *chance) Point {
	for {
		p := Point{mul(s.Sign(), c.between(12, 122)), c.between(-92, 92), c.between(-122, 122)}
		if b.free(p) > depth {
			return p
		}
	}
}

// airways gives trachea, main and first lobar bronchi: air with a wall.
func (b *Body) airways() []segment {
	carina := Point{0, 12, 22}
	tubes := []segment{
		newSegment(Point{1, 16, 140}, Point{0, 14, 70}, 8.6, 8.6, 1.6),
		newSegment(Point{0, 14, 70}, carina, 8.6, 8.8, 1.6),
	}
	for _, s := range []Side{Right, Left} {
		end := Point{mul(s.Sign(), 30), 12, 2}
		if s == Left {
			end = Point{38, 14, -2}
		}
		tubes = append(tubes, newSegment(carina, end, 7.2, 5.6, 1.5))
		x := s.Sign()
		for _, to := range []Point{{mul(x, 50), -4, 40}, {mul(x, 54), 4, 22}, {mul(x, 48), 26, -38}, {mul(x, 58), 12, -34}, {mul(x, 56), -22, -22}} {
			mid := end.plus(to.minus(end).scale(.5))
			tubes = append(tubes, newSegment(end, mid, 3.4, 2.6, 1.1), newSegment(mid, to, 2.6, 1.3, .8))
		}
	}
	return tubes
}
