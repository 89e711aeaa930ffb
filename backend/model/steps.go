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

// stretches parts the pictures from to to (by their places among those sent) into stretches of one image, in which every picture is the next
// frame of those that were sent: only over such a stretch may a place go on from frame to frame.
func stretches(sent []Sent, from, to int) [][2]int {
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

// regions turns spots into regions of the case's images.
func (w *reading) regions(id review.StepID, spots []spot) []review.Region {
	out := []review.Region{}
	for _, s := range spots {
		places, ok := Regions(w.Boxes, w.Sent, s.from, s.to, s.numbers)
		if !ok {
			w.flag(FlagBadBoxes)
		}
		for _, r := range places {
			if len(out) == mostRegions {
				w.flag(FlagCapped)
				return out
			}
			r.ID = review.RegionID(fmt.Sprintf("%s-r%d", id, len(out)+1))
			out = append(out, r)
		}
	}
	return out
}

// Regions makes regions of a box in the pictures from to to, by their places among those sent: one in each image, or, where its frames do not
// follow each other, one over each stretch of them. Zeros mean all of an image. false where the numbers are no box of a picture.
func Regions(boxes review.BoxConvention, sent []Sent, from, to int, numbers [4]float64) (out []review.Region, ok bool) {
	ok = true
	for _, at := range stretches(sent, from, to) {
		first, last := sent[at[0]], sent[at[1]]
		r := review.Region{Image: first.Image, Shape: review.WholeImage, Coords: []float64{}}
		switch {
		case first.Image == "": // one of another patient's images, for which the case has none
			continue
		case numbers == [4]float64{}:
			if len(out) > 0 && out[len(out)-1].Image == r.Image {
				continue // all of it was said already
			}
		default:
			box, is := boxes.Unit(numbers, first.Columns, first.Rows, first.Turned)
			if !is {
				ok = false
				continue
			}
			r.Shape, r.Coords = review.Box, box[:]
			r.Source = &review.RegionSource{Coords: numbers[:], Convention: boxes.String(), RefSize: []int{first.Columns, first.Rows}}
			if !first.Whole {
				r.From, r.To = first.Frame, last.Frame
			}
		}
		out = append(out, r)
	}
	return out, ok
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
