package report

import (
	"math"
	"strings"

	"plumbline/backend/review"
)

// Why a question is not testable, the first that holds.
const (
	notPresent   = "gold asserts nothing present"
	notLocal     = "no local evidence"
	notSmall     = "evidence covers more than 25 % of the body"
	notControl   = "no control region"
	notReadable  = "the answer without intervention is not readable"
	mostCovered  = .25
	allTestable  = ""
	changedAlike = "no testable question"
)

// notTestable says why image reliance cannot be tested on an item, "" where it can (measurement.md, "Image reliance").
func (s *set) notTestable(at int) string {
	it := &s.items[at]
	switch {
	case it.truth == nil || it.truth.Present == nil || !*it.truth.Present:
		return notPresent
	case !local(it.truth.Evidence):
		return notLocal
	}
	control := false
	for _, name := range controls {
		if c, a := s.first(name, at); c != absent {
			control = true
			if a.share(at) > mostCovered {
				return notSmall
			}
		}
	}
	for _, name := range []string{"occ", "occ+given:original"} {
		if c, a := s.first(name, at); c != absent && a.share(at) > mostCovered {
			return notSmall
		}
	}
	switch {
	case !control:
		return s.whyNoControl(at)
	case !s.base.said[at].answered():
		return notReadable
	}
	return allTestable
}

// controls are the conditions under which a control region stands in for the evidence.
var controls = []string{"ctl", "ctl+given:original"}

// whyNoControl says why an item has no control: what was noted where the question was left out, else that there is none.
func (s *set) whyNoControl(at int) string {
	for _, name := range controls {
		for _, f := range s.fills {
			if a := s.arms[name][f]; a != nil && a.leftOut[at] != "" {
				return a.leftOut[at]
			}
		}
	}
	return notControl
}

// local says whether there is evidence and none of it is the whole image.
func local(evidence []review.Region) bool {
	for _, r := range evidence {
		if r.Shape == review.WholeImage {
			return false
		}
	}
	return len(evidence) > 0
}

// flips gathers a measure that adds up flips of arms against the baseline, each with a sign.
type flips struct {
	rows                  rows
	low, high             float64
	n                     int
	abstained, unreadable int
}

// signed is an answer under an intervention: 1 where a flip adds, −1 where it takes away.
type signed struct {
	said code
	sign float64
}

// add takes one item.
func (f *flips) add(of *subject, base code, answers ...signed) {
	y, low, high, unread := 0.0, 0.0, 0.0, false
	for _, a := range answers {
		switch {
		case a.said.unreadable():
			unread = true
			low, high = low+min(0, a.sign), high+max(0, a.sign)
			continue
		case !a.said.answered():
			f.abstained++
		}
		flip := a.sign * bit(a.said != base)
		y, low, high = y+flip, low+flip, high+flip
	}
	f.low, f.high, f.n = f.low+low, f.high+high, f.n+1
	if unread {
		f.unreadable++
		return
	}
	f.rows.add(of, y)
}

// reliance gives the measure; proportion says that rows are 0 or 1.
func (c counter) reliance(f flips, proportion bool, none string) Reliance {
	r := Reliance{Number: c.mean(f.rows, proportion, none), Abstained: f.abstained, Unreadable: f.unreadable}
	if f.n > 0 {
		low, high := f.low/float64(f.n), f.high/float64(f.n)
		r.Low, r.High = &low, &high
	}
	return r
}

// measures are the flips of one part of the items.
type measures struct{ noise, direct, total, occ, ctl, only flips }

// take adds an item to every measure that it was run for, with the best fill or the one given.
func (m *measures) take(s *set, at int, fill string) {
	it, base := &s.items[at], s.base.said[at]
	pair := func(one, other string) (a, b code, ok bool) {
		if fill == "" {
			a, b, _, ok = s.both(one, other, at)
			return a, b, ok
		}
		x, y := s.arms[one][fill], s.arms[other][fill]
		if x == nil || y == nil || x.said[at] == absent || y.said[at] == absent || !x.in(at) || !y.in(at) {
			return absent, absent, false
		}
		return x.said[at], y.said[at], true
	}
	if c, _ := s.first("noop", at); c != absent {
		m.noise.add(it.of, base, signed{c, 1})
	}
	if occ, ctl, ok := pair("occ+given:original", "ctl+given:original"); ok {
		m.direct.add(it.of, base, signed{occ, 1}, signed{ctl, -1})
		m.occ.add(it.of, base, signed{occ, 1})
		m.ctl.add(it.of, base, signed{ctl, 1})
	}
	if occ, ctl, ok := pair("occ", "ctl"); ok {
		m.total.add(it.of, base, signed{occ, 1}, signed{ctl, -1})
	}
	if only, ctl, ok := pair("only+given:original", "onlyctl+given:original"); ok {
		m.only.add(it.of, base, signed{ctl, 1}, signed{only, -1}) // 1(only = a) − 1(ctl = a)
	} else if only, ctl, ok := pair("only", "onlyctl"); ok {
		m.only.add(it.of, base, signed{ctl, 1}, signed{only, -1})
	}
}

// imageReliance computes 13 to 19.
func (s *set) imageReliance() ImageReliance {
	r := ImageReliance{Testable: Testable{Stages: []TestableStage{}, Not: []Count{}}, ByStage: []RelianceStage{}, ByFill: []RelianceFill{}}
	if s.base == nil {
		r.Reason = noBase
	} else if !s.has("occ", "ctl", "occ+given:original", "ctl+given:original", "noop", "none", "swap", "only", "onlyctl", "mirror", "insert") {
		r.Reason = "no intervention was run"
	}
	r.Estimable = r.Reason == ""
	all, byStage, byFill := &measures{}, map[int]*measures{}, map[string]*measures{}
	whyNot := tally{}
	testable, of := map[int]int{}, map[int]int{}
	var carried rows
	s.asked(func(at int, it *item) {
		r.Testable.Of++
		of[it.q.K]++
		if why := s.notTestable(at); why != allTestable {
			whyNot.add(why)
			return
		}
		r.Testable.N++
		testable[it.q.K]++
		if byStage[it.q.K] == nil {
			byStage[it.q.K] = &measures{}
		}
		all.take(s, at, "")
		byStage[it.q.K].take(s, at, "")
		for _, f := range review.Fills() {
			if byFill[f] == nil {
				byFill[f] = &measures{}
			}
			byFill[f].take(s, at, f)
		}
		s.addCarried(&carried, at)
	})
	r.Testable.Not = counted(whyNot, nil)
	s.fillReliance(&r, all, carried)
	for _, st := range s.stages {
		r.Testable.Stages = append(r.Testable.Stages, TestableStage{st.k, st.name, testable[st.k], of[st.k]})
		m := byStage[st.k]
		if m == nil {
			m = &measures{}
		}
		r.ByStage = append(r.ByStage, RelianceStage{K: st.k, Name: st.name, Noise: s.noise(m), NetNecessity: s.direct(m), NetTotal: s.total(m), Sufficiency: s.sufficiency(m)})
	}
	for _, f := range review.Fills() {
		if m := byFill[f]; m != nil && m.direct.n+m.total.n > 0 {
			r.ByFill = append(r.ByFill, RelianceFill{f, s.direct(m), s.total(m)})
		}
	}
	s.otherImages(&r)
	return r
}

func (s *set) noise(m *measures) Reliance {
	return s.counter.reliance(m.noise, true, s.untested("noop"))
}

func (s *set) direct(m *measures) Reliance {
	return s.counter.reliance(m.direct, false, s.untested("occ+given:original", "ctl+given:original"))
}

func (s *set) total(m *measures) Reliance {
	return s.counter.reliance(m.total, false, s.untested("occ", "ctl"))
}

func (s *set) sufficiency(m *measures) Reliance {
	return s.counter.reliance(m.only, false, s.untested("only", "onlyctl"))
}

// untested says why a measure over testable questions has none.
func (s *set) untested(names ...string) string {
	for _, n := range names {
		if !s.has(n) {
			return s.missing(names...)
		}
	}
	return changedAlike
}

// addCarried adds the total less the direct effect of an item that was run for both.
func (s *set) addCarried(carried *rows, at int) {
	base := s.base.said[at]
	od, cd, fill, ok := s.both("occ+given:original", "ctl+given:original", at)
	if !ok {
		return
	}
	x, y := s.with("occ", fill), s.with("ctl", fill)
	if x == nil || y == nil || x.said[at] == absent || y.said[at] == absent {
		return
	}
	ot, ct := x.said[at], y.said[at]
	for _, c := range []code{od, cd, ot, ct} {
		if c.unreadable() {
			return
		}
	}
	carried.add(s.items[at].of, bit(ot != base)-bit(ct != base)-bit(od != base)+bit(cd != base))
}

// fillReliance computes the headline measures over all testable items.
func (s *set) fillReliance(r *ImageReliance, m *measures, carried rows) {
	held := s.untested("occ+given:original", "ctl+given:original")
	r.Noise, r.NetNecessity, r.NetTotal, r.NetSufficiency = s.noise(m), s.direct(m), s.total(m), s.sufficiency(m)
	r.OccFlip, r.CtlFlip = s.counter.reliance(m.occ, true, held), s.counter.reliance(m.ctl, true, held)
	r.Carried = s.counter.change(carried, s.untested("occ", "ctl", "occ+given:original", "ctl+given:original"))
	var comp, suff rows
	s.asked(func(at int, it *item) {
		if s.notTestable(at) != allTestable {
			return
		}
		p0, ok := s.probability(s.base, at, s.base.said[at])
		if !ok {
			return
		}
		for _, c := range []struct {
			into  *rows
			names []string
		}{{&comp, []string{"occ+given:original", "occ"}}, {&suff, []string{"only+given:original", "only"}}} {
			for _, name := range c.names {
				if said, a := s.first(name, at); said != absent {
					if p, ok := s.probability(a, at, s.base.said[at]); ok {
						c.into.add(it.of, p0-p)
						break
					}
				}
			}
		}
	})
	const none = "no testable question with option probabilities"
	r.Comprehensive, r.SufficiencyDrop = s.counter.change(comp, none), s.counter.change(suff, none)
}

// probability is what an arm gave to an answer of an item.
func (s *set) probability(a *arm, at int, of code) (float64, bool) {
	if a == nil || a.odds == nil || !of.answered() {
		return 0, false
	}
	sum, found := 0.0, false
	for _, c := range a.odds[at] {
		if c.of == of {
			sum, found = sum+c.p, true
		}
	}
	return sum, found && !math.IsNaN(sum) && sum >= 0 && sum <= 1+1e-9
}

// otherImages computes what other images do: none, another patient's, the mirrored (17 to 19), and with a finding put in, which tests the
// questions whose right answer asserts nothing.
func (s *set) otherImages(r *ImageReliance) {
	var blank, gain, gainAll, swap, held, mirror, insert rows
	swapAt, heldAt := staged{}, staged{}
	s.asked(func(at int, it *item) {
		base := s.base.said[at]
		if c, _ := s.first("none", at); c != absent && it.gold != absent {
			gainAll.add(it.of, bit(s.right(at, base))-bit(s.right(at, c)))
		}
		if c, a := s.first("insert", at); c != absent && it.truth != nil && it.truth.Present != nil && !*it.truth.Present {
			if target := a.target(at); target != absent && base.answered() && base != target {
				insert.add(it.of, bit(c == target))
			}
		}
		if s.notTestable(at) != allTestable {
			return
		}
		if c, _ := s.first("none", at); c != absent {
			if base.answered() && !c.unreadable() {
				blank.add(it.of, bit(c == base))
			}
			if it.gold != absent {
				gain.add(it.of, bit(s.right(at, base))-bit(s.right(at, c)))
			}
		}
		for _, f := range []struct {
			name  string
			into  *rows
			stage staged
		}{{"swap", &swap, swapAt}, {"swap+given:original", &held, heldAt}, {"mirror", &mirror, staged{}}} {
			c, a := s.first(f.name, at)
			if c == absent {
				continue
			}
			target := a.target(at)
			if f.name == "mirror" && target == absent {
				target = s.mirrored(at)
			}
			if target != absent && base != target {
				f.into.add(it.of, bit(c == target))
				f.stage.add(it.q.K, it.of, bit(c == target))
			}
		}
	})
	c := s.counter
	r.BlankRate, r.ImageGain, r.ImageGainAll = c.share(blank, s.untested("none")), c.change(gain, s.untested("none")), c.change(gainAll, s.missing("none"))
	r.SwapFollow, r.SwapFollowHeld = c.share(swap, s.untested("swap")), c.share(held, s.untested("swap+given:original"))
	r.MirrorFollow, r.InsertFollow = c.share(mirror, s.untested("mirror")), c.share(insert, s.missing("insert"))
	for i := range r.ByStage {
		at := &r.ByStage[i]
		at.SwapFollow, at.SwapFollowHeld = c.share(swapAt.at(at.K), s.untested("swap")), c.share(heldAt.at(at.K), s.untested("swap+given:original"))
	}
}

// mirrored gives the right answer where left and right are exchanged, absent for a question without a side.
func (s *set) mirrored(at int) code {
	it := &s.items[at]
	if it.gold == absent {
		return absent
	}
	gold := s.words[at][it.gold]
	for _, o := range it.q.Options {
		if strings.EqualFold(o.Letter, gold) {
			gold = o.Text
		}
	}
	turned := strings.NewReplacer("left", "right", "right", "left").Replace(strings.ToLower(gold))
	if strings.EqualFold(turned, gold) {
		return absent
	}
	if len(it.q.Options) == 0 {
		return s.code(at, turned)
	}
	for _, o := range it.q.Options {
		if strings.EqualFold(o.Text, turned) {
			return s.code(at, o.Letter)
		}
	}
	return absent
}
