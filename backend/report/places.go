package report

import (
	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// placed holds the rows of localisation.
type placed struct{ iou, matched, half, pointing, precision, entailed, side, frames rows }

// localisation computes 39 over the answers of the baseline that cite a place, to questions with local evidence.
func (s *set) localisation() Localisation {
	out := Localisation{Stages: []StageNumber{}}
	var p placed
	at := staged{}
	s.asked(func(i int, it *item) {
		if it.truth == nil || !local(it.truth.Evidence) {
			return
		}
		out.Of++
		answer := s.answer(s.base, i)
		if answer == nil {
			return
		}
		cited := citedBy(*answer)
		if len(cited) == 0 {
			return
		}
		out.Cited++
		if iou := p.add(it, cited); iou.Estimable {
			at.add(it.q.K, it.of, iou.Value)
		}
	})
	none := "no answer cites a place"
	switch {
	case s.base == nil:
		none = noBase
	case out.Of == 0:
		none = "no question with local evidence"
	}
	if out.Estimable = out.Cited > 0; !out.Estimable {
		out.Reason = none
	}
	c := s.counter
	out.IoU, out.MeanIoU, out.Half = c.change(p.iou, none), c.change(p.matched, none), c.share(p.half, none)
	out.Pointing, out.Precision, out.Entailed = c.share(p.pointing, none), c.change(p.precision, none), c.share(p.entailed, none)
	out.WrongSide, out.Frames = c.share(p.side, "no cited place of something on one side"), c.change(p.frames, "no place in a volume is cited")
	for _, st := range s.stages {
		out.Stages = append(out.Stages, StageNumber{st.k, st.name, c.change(at.at(st.k), none)})
	}
	return out
}

// add compares what one answer cites with the evidence.
func (p *placed) add(it *item, cited []review.Region) stats.Estimate {
	evidence := it.truth.Evidence
	iou := stats.Overlap(cited, evidence)
	if iou.Estimable {
		p.iou.add(it.of, iou.Value)
		p.half.add(it.of, bit(iou.Value >= .5))
	}
	if len(cited)+len(evidence) <= 100 {
		overlap := make([][]float64, len(cited))
		for i := range cited {
			for j := range evidence {
				overlap[i] = append(overlap[i], stats.Overlap(cited[i:i+1], evidence[j:j+1]).Value)
			}
		}
		if m := stats.MeanIoU(overlap); m.Estimable {
			p.matched.add(it.of, m.Value)
		}
	}
	if e := stats.Precision(cited, evidence); e.Estimable {
		p.precision.add(it.of, e.Value)
		p.entailed.add(it.of, bit(e.Value > .5))
	}
	frame, x, y, ok := stats.Centre(cited[0])
	if ok {
		p.pointing.add(it.of, bit(stats.Inside(evidence, cited[0].Image, frame, x, y)))
	}
	_, right, _, ok2 := stats.Centre(evidence[0])
	if ok && ok2 && (it.truth.Side == "left" || it.truth.Side == "right") {
		p.side.add(it.of, bit((x < .5) != (right < .5)))
	}
	if cited[0].From != nil || evidence[0].From != nil {
		if d := stats.FrameDice(cited, evidence); d.Estimable {
			p.frames.add(it.of, d.Value)
		}
	}
	return iou
}
