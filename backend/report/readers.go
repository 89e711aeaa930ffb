package report

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
			if at, known := m.table.find(e.Case, e.Body.Look.Question); known && m.table.items[at].gold != absent && m.table.items[at].kept {
				it := &m.table.items[at]
				own.add(it.of, bit(it.q.Same(e.Body.Look.Answer, m.table.word(at, it.gold))))
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
	for _, c := range m.in.Cases {
		if len(c.Questions) > 0 || m.chained[c.ID] {
			n++
		}
	}
	return n
}
