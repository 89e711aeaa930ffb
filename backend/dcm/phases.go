package dcm

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Mark is what tells frames apart that lie in one place: when and how each was taken. Zero is: the file does not say.
type Mark struct {
	Acquisition int     `json:"acquisition,omitempty"`
	Temporal    int     `json:"temporal,omitempty"` // position in time, counted
	EchoMS      float64 `json:"echo_ms,omitempty"`
	BValue      float64 `json:"b_value,omitempty"` // s/mm²
	TriggerMS   float64 `json:"trigger_ms,omitempty"`
	Stack       string  `json:"stack,omitempty"` // Stack ID of a functional group
}

// mark gives that of frame n.
func (h *Header) mark(n int) Mark {
	if n < len(h.Marks) {
		return h.Marks[n]
	}
	return Mark{Acquisition: h.AcquisitionNumber, Temporal: h.TemporalPosition, EchoMS: h.EchoTime, BValue: h.BValue, TriggerMS: h.TriggerTime}
}

// marksOf reads the marks of functional groups (PS3.3 C.7.6.16.2.2, C.8.13.5); nil where there are none.
func marksOf(n *node, h Header) []Mark {
	perFrame := n.items[tagPerFrameGroups]
	if len(perFrame) == 0 {
		return nil
	}
	shared := n.first(tagSharedGroups)
	common := h.mark(0)
	common.read(shared)
	out := make([]Mark, len(h.Frames))
	for i := range out {
		out[i] = common
		if i < len(perFrame) {
			out[i].read(perFrame[i])
		}
	}
	return out
}

// read takes what a functional group says.
func (m *Mark) read(g *node) {
	content := g.first(tagFrameContent)
	m.Acquisition = content.integer(tagFrameAcquisition, m.Acquisition)
	m.Temporal = content.integer(tagTemporalIndex, m.Temporal)
	if s := content.text(tagStackID); s != "" {
		m.Stack = s
	}
	for _, from := range []struct {
		to        *float64
		group, at tag
	}{{&m.EchoMS, tagEchoSequence, tagEffectiveEchoTime}, {&m.BValue, tagDiffusion, tagBValue}, {&m.TriggerMS, tagCardiac, tagCardiacDelay}} {
		if v, ok := g.first(from.group).number(from.at); ok {
			*from.to = v
		}
	}
}

// aspect is one thing by which frames of one place may be told apart, in words.
type aspect func(Mark) string

func aspects() []aspect {
	number := func(v float64) string { return strconv.FormatFloat(math.Round(v*1000)/1000, 'g', -1, 64) }
	return []aspect{
		func(m Mark) string { return fmt.Sprintf("acquisition number %d", m.Acquisition) },
		func(m Mark) string { return fmt.Sprintf("position in time %d", m.Temporal) },
		func(m Mark) string { return "echo time " + number(m.EchoMS) + " ms" },
		func(m Mark) string { return "b-value " + number(m.BValue) + " s/mm²" },
		func(m Mark) string { return "trigger time " + number(m.TriggerMS) + " ms" },
		func(m Mark) string { return "stack " + m.Stack },
	}
}

// phases parts frames that share places: by the first aspect that tells them apart, else the first two, else by their order in each place.
// Each part says what it is.
func phases(all []*entry) [][]*entry {
	slices.SortStableFunc(all, (*entry).earlier)
	if !placedInSpace(all[0].frame) {
		return [][]*entry{all}
	}
	if most, _ := crowd(all); most == 1 {
		return [][]*entry{ordered(all)}
	}
	list := aspects()
	for _, a := range list {
		if parts := partBy(all, func(e *entry) string { return a(e.mark) }); parts != nil {
			return parts
		}
	}
	for i, a := range list {
		for _, b := range list[i+1:] {
			if parts := partBy(all, func(e *entry) string { return a(e.mark) + ", " + b(e.mark) }); parts != nil {
				return parts
			}
		}
	}
	_, rank := crowd(all)
	return partBy(all, func(e *entry) string {
		return fmt.Sprintf("number %d by order, nothing else tells them apart", rank[e]+1)
	})
}

// partBy parts frames by a key, in words; nil where a part still has two frames in one place. Parts keep the order of their first frame.
func partBy(all []*entry, key func(*entry) string) [][]*entry {
	parts := map[string][]*entry{}
	var order []string
	for _, e := range all {
		k := key(e)
		if parts[k] == nil {
			order = append(order, k)
		}
		parts[k] = append(parts[k], e)
	}
	out := make([][]*entry, 0, len(order))
	for _, k := range order {
		if most, _ := crowd(parts[k]); most > 1 {
			return nil
		}
		out = append(out, ordered(parts[k]))
	}
	for i, part := range out {
		for _, e := range part {
			if e.note != "" {
				e.note += "; "
			}
			e.note += fmt.Sprintf("one of %d volumes of the same places: %s", len(order), order[i])
		}
	}
	return out
}

// apart says why frames of a series stand in stacks of their own.
func apart(stacks int, localizer bool) string {
	if localizer {
		return "a localizer: kept apart from the other frames of its series"
	}
	return fmt.Sprintf("one of %d stacks of a series whose frames differ in plane, size, spacing or frame of reference", stacks)
}

// even tells whether two distances are the same, as Measure judges.
func even(d, usual float64) bool { return math.Abs(d-usual) <= max(evenMM, .02*math.Abs(usual)) }
