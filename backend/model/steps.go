package model

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"plumbline/backend/review"
)

// spot is a box as the model wrote it, in the pictures from to to (0-based in the order sent).
type spot struct {
	from, to int
	numbers  [4]float64
}

// worded is a claim with its spots, before its regions are made.
type worded struct {
	text, kind string
	spots      []spot
}

// claim reads one claim of the JSON; what is no place of the pictures is left out and flagged.
func (w *reading) claim(c claimJSON) worded {
	out := worded{text: c.Text, kind: c.Type}
	for _, p := range c.Places {
		s := spot{to: len(w.Sent) - 1}
		if p.From != nil {
			s.from, s.to = *p.From, *p.From
		}
		if p.To != nil {
			s.to = *p.To
		}
		if len(p.Box) != 4 || s.from < 0 || s.from > s.to || s.to >= len(w.Sent) {
			w.flag(FlagBadBoxes)
			continue
		}
		copy(s.numbers[:], p.Box)
		out.spots = append(out.spots, s)
	}
	out.spots = append(out.spots, w.inline(c.Text)...)
	return out
}

// steps makes the steps of an answer: the claims of its JSON, else the sentences of the reasoning.
func (w *reading) steps(f found, reasoning string) []review.Step {
	claims := f.claims
	if len(claims) == 0 {
		for _, part := range review.Sentences(strings.TrimSpace(reasoning+"\n"+f.prose), mostSteps) {
			claims = append(claims, worded{text: part, spots: w.inline(part)})
			if len(claims) > mostSteps {
				break
			}
		}
	}
	steps := []review.Step{}
	for _, c := range claims {
		if strings.TrimSpace(c.text) == "" && len(c.spots) == 0 {
			continue
		}
		if len(steps) == mostSteps {
			w.flag(FlagCapped)
			break
		}
		id := review.StepID(fmt.Sprintf("s%d.%d", w.Number, len(steps)+1))
		step := review.Step{ID: id, ClaimType: claimType(c.kind), Regions: w.regions(id, c.spots)}
		if text := strings.TrimSpace(c.text); text != "" {
			step.Text = &text
		}
		steps = append(steps, step)
	}
	return steps
}

// claimTypes are those of the protocol (measurement.md, "Claim type"); another word of a model is none.
var claimTypes = []string{"technique", "anatomy", "finding", "comparison", "inference", "recommendation", "no_claim"}

func claimType(said string) string {
	for _, t := range claimTypes {
		if review.Fold(said) == t {
			return t
		}
	}
	return ""
}

// Stretches parts the pictures from to to (by their places among those sent) into stretches of one image, in which every picture is the next
// frame of those that were sent: only over such a stretch may a place go on from frame to frame.
func Stretches(sent []Sent, from, to int) [][2]int {
	var out [][2]int
	for ; from <= to; from++ {
		last := from
		for last < to && next(sent, sent[last], sent[last+1]) {
			last++
		}
		out = append(out, [2]int{from, last})
		from = last
	}
	return out
}

// next says whether no frame between a and a later b was sent.
func next(sent []Sent, a, b Sent) bool {
	if a.Image != b.Image || a.Frame == nil || b.Frame == nil || *a.Frame >= *b.Frame {
		return false
	}
	for _, s := range sent {
		if s.Image == a.Image && s.Frame != nil && *s.Frame > *a.Frame && *s.Frame < *b.Frame {
			return false
		}
	}
	return true
}

// regions turns spots into regions of the case's images. A spot over several images becomes one region in each, one over frames that do not
// follow each other one for each stretch of them.
func (w *reading) regions(id review.StepID, spots []spot) []review.Region {
	out := []review.Region{}
	for _, s := range spots {
		for k, at := range Stretches(w.Sent, s.from, s.to) {
			if len(out) == mostRegions {
				w.flag(FlagCapped)
				return out
			}
			r, ok := w.region(s.numbers, w.Sent[at[0]], w.Sent[at[1]])
			switch {
			case !ok:
				w.flag(FlagBadBoxes)
			case k > 0 && r.Shape == review.WholeImage && out[len(out)-1].Image == r.Image: // all of it was said already
			default:
				r.ID = review.RegionID(fmt.Sprintf("%s-r%d", id, len(out)+1))
				out = append(out, r)
			}
		}
	}
	return out
}

// region makes one region from the picture first to the picture last of one image. Zeros mean all of it.
func (w *reading) region(numbers [4]float64, first, last Sent) (review.Region, bool) {
	r := review.Region{Image: first.Image, Shape: review.WholeImage, Coords: []float64{}}
	if numbers != [4]float64{} {
		box, ok := w.Boxes.Unit(numbers, first.Columns, first.Rows, first.Turned)
		if !ok {
			return review.Region{}, false
		}
		r.Shape, r.Coords = review.Box, box[:]
		r.Source = &review.RegionSource{Coords: numbers[:], Convention: w.Boxes.String(), RefSize: []int{first.Columns, first.Rows}}
		if !first.Whole && first.Frame != nil && last.Frame != nil {
			from, to := min(*first.Frame, *last.Frame), max(*first.Frame, *last.Frame)
			r.From, r.To = &from, &to
		}
	}
	return r, true
}

var inlineImage = regexp.MustCompile(`(?i)\b(?:image|frame|slice|picture)\s*(?:no\.?|number|#)?\s*(\d{1,5})\b`)

// inline finds the boxes in a sentence. With several pictures, the sentence must name the one that is meant, counted from 1: before the box,
// or else anywhere.
func (w *reading) inline(text string) []spot {
	var out []spot
	if len(w.Sent) == 0 {
		return out
	}
	for _, b := range review.InlineBoxes(text, mostRegions) {
		at := 0
		if len(w.Sent) > 1 {
			if at = namedImage(text, b.At); at < 0 || at >= len(w.Sent) {
				w.flag(FlagBadBoxes)
				continue
			}
		}
		out = append(out, spot{from: at, to: at, numbers: b.Numbers})
	}
	return out
}

// namedImage gives the picture (from 0) that a sentence names last before a place in it, else first after it; -1 if it names none.
func namedImage(text string, before int) int {
	named := -1
	for _, m := range inlineImage.FindAllStringSubmatchIndex(text, mostRegions) {
		if named >= 0 && m[0] > before {
			break
		}
		n, err := strconv.Atoi(text[m[2]:m[3]])
		if err != nil || n < 1 {
			continue
		}
		named = n - 1
	}
	return named
}
