package report

import (
	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// What interventions say of one answer.
const (
	grounded     = "grounded"
	notGrounded  = "not_grounded"
	undetermined = "undetermined"
	notTested    = "not_testable"
)

// groundedness tells whether an answer is causally image-grounded (20): it changes where the evidence is covered, and neither where the control
// is nor where nothing is changed; earlier answers held, one fill, the best that both were run with. Undetermined where a run is missing, a
// reply cannot be read, or the question is not testable.
func (s *set) groundedness(at int) string {
	if s.notTestable(at) != allTestable {
		return notTested
	}
	base := s.base.said[at]
	occ, ctl, _, ok := s.both("occ+given:original", "ctl+given:original", at)
	noop, _ := s.first("noop", at)
	if !ok || noop == absent || occ.unreadable() || ctl.unreadable() || noop.unreadable() {
		return undetermined
	}
	if occ != base && ctl == base && noop == base {
		return grounded
	}
	return notGrounded
}

// judgedAnswer says of one right or wrong answer how readers grade it: whether any of them found a step that the image does not carry.
type judgedAnswer struct{ rated, bad bool }

// readersOn gives for each item what readers said of the baseline's answer; steps without a grade do not count.
func (s *set) readersOn(ratings []judged) map[int]judgedAnswer {
	out := map[int]judgedAnswer{}
	for _, r := range ratings {
		v, ok := grade(r.rating.Support)
		if !ok || r.at < 0 || s.base == nil {
			continue
		}
		j := out[r.at]
		out[r.at] = judgedAnswer{true, j.bad || v <= 1}
	}
	return out
}

// causal computes 20, 23 and 24, with what readers say of the same answers beside it.
func (s *set) causal(readers map[int]judgedAnswer) Causal {
	out := Causal{Stages: []StageNumber{}, Counts: []Count{}}
	out.RightGrounded = Cross{Rows: "right", Columns: "grounded by intervention"}
	out.RightHuman = Cross{Rows: "right", Columns: "grounded by readers"}
	out.Human = Cross{Rows: "grounded by intervention", Columns: "grounded by readers"}
	none := s.missing("occ+given:original", "ctl+given:original", "noop")
	out.Estimable = s.base != nil && s.has("occ+given:original") && s.has("ctl+given:original") && s.has("noop")
	if s.base == nil {
		none = noBase
	}
	if !out.Estimable {
		out.Reason = none
	}
	var all, wrongReason rows
	byStage, counts := staged{}, tally{}
	s.asked(func(at int, it *item) {
		right, known := s.right(at, s.base.said[at]), it.gold != absent
		read := readers[at]
		if known && read.rated {
			out.RightHuman.count(right, !read.bad)
		}
		is := s.groundedness(at)
		counts.add(is)
		if is != grounded && is != notGrounded {
			return
		}
		all.add(it.of, bit(is == grounded))
		byStage.add(it.q.K, it.of, bit(is == grounded))
		if known {
			out.RightGrounded.count(right, is == grounded)
			if right {
				wrongReason.add(it.of, bit(is != grounded))
			}
		}
		if read.rated {
			out.Human.count(is == grounded, !read.bad)
		}
	})
	out.Counts = counted(counts, []string{grounded, notGrounded, undetermined, notTested})
	out.Share, out.RWR = s.counter.share(all, none), s.counter.share(wrongReason, "no right answer to a testable question; "+none)
	for _, st := range s.stages {
		out.Stages = append(out.Stages, StageNumber{st.k, st.name, s.counter.share(byStage.at(st.k), none)})
	}
	for _, c := range []*Cross{&out.RightGrounded, &out.RightHuman, &out.Human} {
		c.agree()
	}
	return out
}

// count takes one thing with both properties.
func (c *Cross) count(row, column bool) { c.N[1-int(bit(row))][1-int(bit(column))]++ }

// agree computes kappa from the counts.
func (c *Cross) agree() {
	r := stats.Ratings{By: make([][]stats.Level, 2), Levels: 2}
	for i, columns := range c.N {
		for j, n := range columns {
			for range n {
				r.By[0], r.By[1] = append(r.By[0], stats.Level(i+1)), append(r.By[1], stats.Level(j+1))
			}
		}
	}
	if r.Items() == 0 {
		c.Reason = "nothing has both"
		return
	}
	kappa := stats.Cohen(r, stats.Unweighted)
	c.Kappa, c.Reason = kappa.Pointer(), kappa.Reason
}

// final gives what readers' items came to in adjudication, as ratings by nobody: one for each step with a final value.
func (m *maker) final(a *arm) []judged {
	at := a.heardAt()
	var out []judged
	for _, e := range m.said.final {
		i, known := at[e.Chain]
		if !known || !sameChain(e, a.heard[i]) || e.Body.Adjudication.Rating == nil {
			continue
		}
		r := *e.Body.Adjudication.Rating
		r.Step = review.StepID(e.Body.Adjudication.Part)
		if p, known := m.placed(a.heard[i], r.Step); known && r.Support != review.Unrated {
			out = append(out, judged{"", r, p, i, ""})
		}
	}
	return out
}
