package report

import "plumbline/backend/review"

// readers makes the table of readers.
func (m *maker) readers() []Reader {
	out := []Reader{}
	toRead := m.toRead()
	for _, id := range m.said.readers {
		r := Reader{Reader: string(id), Assigned: m.said.assigned[id], Signed: m.said.signed[id], Revisions: m.said.revisions[id]}
		if !m.said.dealt {
			r.Assigned = max(r.Assigned, toRead)
		}
		support := tally{}
		for _, e := range m.said.ratings {
			if e.Reader == id {
				r.Ratings++
				support.add(string(e.Body.Rating.Support))
			}
		}
		for _, e := range m.said.chains {
			if e.Reader == id {
				r.ChainRatings++
			}
		}
		var own rows
		for _, e := range m.said.looks {
			if e.Reader != id {
				continue
			}
			r.Looks++
			gold, known := m.gold[e.Case][e.Body.Look.Question]
			for _, q := range m.cases[e.Case].Questions {
				if known && q.ID == e.Body.Look.Question && m.kept(q) {
					own.add(m.subjects[e.Case], bit(q.Same(e.Body.Look.Answer, gold)))
				}
			}
		}
		r.LookAccuracy = m.counter.share(own, "no signed look at a question with a known right answer")
		r.Support = counted(support, options(m.in.Rubric.Step, "support"))
		out = append(out, r)
	}
	return out
}

// toRead counts the cases that there is something to say of.
func (m *maker) toRead() (n int) {
	chained := map[review.CaseID]bool{}
	for _, c := range m.in.Chains {
		chained[c.Case] = true
	}
	for _, c := range m.in.Cases {
		if len(c.Questions) > 0 || chained[c.ID] {
			n++
		}
	}
	return n
}
