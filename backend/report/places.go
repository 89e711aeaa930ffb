package report

import (
	"math"

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
		cited, is := s.base.spot(i)
		if !is {
			return
		}
		out.Cited++
		p.add(it.of, cited)
		if !math.IsNaN(cited.iou) {
			at.add(it.q.K, it.of, cited.iou)
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

// spot is how the place that one answer cites compares with the evidence; NaN and neither: not estimable.
type spot struct {
	iou, matched, precision, frames float64
	pointing, side                  yes
}

// yes is yes, no or neither.
type yes int8

const (
	neither yes = iota
	isNot
	is
)

func yesOf(b bool) yes {
	if b {
		return is
	}
	return isNot
}

// spotOf compares what one answer cites with the evidence.
func spotOf(truth *review.Truth, cited []review.Region) spot {
	evidence, none := truth.Evidence, math.NaN()
	out := spot{iou: none, matched: none, precision: none, frames: none}
	put := func(into *float64, e stats.Estimate) {
		if e.Estimable {
			*into = e.Value
		}
	}
	put(&out.iou, stats.Overlap(cited, evidence))
	if len(cited)+len(evidence) <= 100 {
		overlap := make([][]float64, len(cited))
		for i := range cited {
			for j := range evidence {
				overlap[i] = append(overlap[i], stats.Overlap(cited[i:i+1], evidence[j:j+1]).Value)
			}
		}
		put(&out.matched, stats.MeanIoU(overlap))
	}
	put(&out.precision, stats.Precision(cited, evidence))
	frame, x, y, ok := stats.Centre(cited[0])
	if ok {
		out.pointing = yesOf(stats.Inside(evidence, cited[0].Image, frame, x, y))
	}
	_, right, _, ok2 := stats.Centre(evidence[0])
	if ok && ok2 && (truth.Side == "left" || truth.Side == "right") {
		out.side = yesOf((x < .5) != (right < .5))
	}
	if cited[0].From != nil || evidence[0].From != nil {
		put(&out.frames, stats.FrameDice(cited, evidence))
	}
	return out
}

// add takes what one answer cites.
func (p *placed) add(of *subject, s spot) {
	value := func(r *rows, v float64) {
		if !math.IsNaN(v) {
			r.add(of, v)
		}
	}
	value(&p.iou, s.iou)
	value(&p.matched, s.matched)
	value(&p.precision, s.precision)
	value(&p.frames, s.frames)
	if !math.IsNaN(s.iou) {
		p.half.add(of, bit(s.iou >= .5))
	}
	if !math.IsNaN(s.precision) {
		p.entailed.add(of, bit(s.precision > .5))
	}
	if s.pointing != neither {
		p.pointing.add(of, bit(s.pointing == is))
	}
	if s.side != neither {
		p.side.add(of, bit(s.side == is))
	}
}
