package model

import (
	"fmt"
	"strings"
)

// sight is what the oracle saw.
type sight struct {
	film     bool
	enhanced bool
	finding  string // nodule, effusion, pneumothorax, or "": nothing abnormal
	side     string // of the finding: right or left
	lobe     string // of a nodule: upper or lower
	sizeMM   float64
	value    float64 // mean of the finding, in HU or grey
	place    Place
	vessels  Place   // where contrast was looked for
	blood    float64 // share of bright soft tissue there, in per cent
	searched []Place // both lungs
}

// facts are the phrases that the oracle understands, the longer ones first, each with whether it is so. A phrase that was found is taken out
// of the text before the next is looked for ("non-dependent" before "dependent").
var facts = []struct {
	phrase string
	holds  func(s *sight) bool
}{
	{"without intravenous contrast", func(s *sight) bool { return !s.film && !s.enhanced }},
	{"with intravenous contrast", func(s *sight) bool { return !s.film && s.enhanced }},
	{"radiograph", func(s *sight) bool { return s.film }},
	{"axial ct", func(s *sight) bool { return !s.film }},
	{"axial mr", func(*sight) bool { return false }},
	{"neither side", func(s *sight) bool { return s.finding == "" }},
	{"no abnormal", func(s *sight) bool { return s.finding == "" }},
	{"nothing", func(s *sight) bool { return s.finding == "" }},
	{"normal chest", func(s *sight) bool { return s.finding == "" }},
	{"no further", func(s *sight) bool { return s.finding == "" }},
	{"non-dependent", func(s *sight) bool { return s.finding == "pneumothorax" }},
	{"dependent", func(s *sight) bool { return s.finding == "effusion" }},
	{"consolidation", func(*sight) bool { return false }},
	{"nodule", func(s *sight) bool { return s.finding == "nodule" }},
	{"effusion", func(s *sight) bool { return s.finding == "effusion" }},
	{"pneumothorax", func(s *sight) bool { return s.finding == "pneumothorax" }},
	{"upper lobe", func(s *sight) bool { return s.finding == "nodule" && s.lobe == "upper" }},
	{"lower lobe", func(s *sight) bool { return s.finding == "nodule" && s.lobe == "lower" }},
	{"under 15 mm", func(s *sight) bool { return s.finding != "" && s.sizeMM < 15 }},
	{"15 to 30 mm", func(s *sight) bool { return s.finding != "" && s.sizeMM >= 15 && s.sizeMM <= 30 }},
	{"over 30 mm", func(s *sight) bool { return s.finding != "" && s.sizeMM > 30 }},
	{"right", func(s *sight) bool { return s.finding != "" && s.side == "right" }},
	{"left", func(s *sight) bool { return s.finding != "" && s.side == "left" }},
}

// choose takes the option of which most phrases are so and none is not; ok is false where there is none.
func (s *sight) choose(options []Option) (Option, bool) {
	best, most := Option{}, 0
	for _, o := range options {
		text, true_ := strings.ToLower(o.Text), 0
		for _, f := range facts {
			if !strings.Contains(text, f.phrase) {
				continue
			}
			text = strings.Replace(text, f.phrase, "", 1)
			if !f.holds(s) {
				true_ = 0
				break
			}
			true_++
		}
		if true_ > most {
			best, most = o, true_
		}
	}
	return best, most > 0
}

// explain puts into sentences what was measured, and where.
func (s *sight) explain(stage string, o Option) []Claim {
	answer := lowerFirst(o.Text)
	if strings.HasPrefix(stage, "S1") {
		return s.explainTechnique(answer)
	}
	if s.finding == "" {
		return s.explainNothing(stage, answer)
	}
	here := []Place{s.place}
	where := "in the picture"
	if !s.film {
		where = fmt.Sprintf("in frames %d–%d", s.place.From+1, s.place.To+1)
	}
	thing := map[string]string{
		"nodule":       "A round dense body surrounded by aerated lung",
		"effusion":     "A homogeneous layer of water density inside the chest wall",
		"pneumothorax": "A space of pure air without vessels inside the chest wall",
	}[s.finding]
	switch {
	case strings.HasPrefix(stage, "S2"):
		return []Claim{{Text: fmt.Sprintf("%s lies on the %s side %s: %s.", thing, s.side, where, answer), Type: "anatomy", Places: here}}
	case strings.HasPrefix(stage, "S3"):
		measure := Claim{Text: fmt.Sprintf("It measures %.0f mm and has a mean density of %.0f HU.", s.sizeMM, s.value), Type: "finding", Places: here}
		if s.film {
			measure.Text = fmt.Sprintf("On the %s the grey value differs from the other side by %.0f of 255.", s.side, s.value)
		}
		return []Claim{measure, {Text: fmt.Sprintf("The finding on the %s fits this: %s.", s.side, answer), Type: "finding", Places: here}}
	}
	return []Claim{{Text: fmt.Sprintf("%s on the %s explains the images; therefore: %s.", withArticle(s.finding), s.side, answer), Type: "inference", Places: here}}
}

func withArticle(noun string) string {
	if noun == "effusion" {
		return "An effusion"
	}
	return "A " + noun
}

func (s *sight) explainTechnique(answer string) []Claim {
	if s.film {
		return []Claim{{Text: "A single picture with overlapping ribs, heart and lungs: " + answer + ".", Type: "technique", Places: []Place{{}}}}
	}
	text := fmt.Sprintf("Of the heart and great vessels %.0f %% is brighter than plain blood: %s.", s.blood, answer)
	return []Claim{{Text: text, Type: "technique", Places: []Place{s.vessels}}}
}

func (s *sight) explainNothing(stage, answer string) []Claim {
	switch {
	case strings.HasPrefix(stage, "S2"):
		return []Claim{{Text: "Both lungs and their borders were searched and nothing abnormal stands out.", Type: "anatomy", Places: s.searched}}
	case strings.HasPrefix(stage, "S3"):
		return []Claim{
			{Text: "There is no dense body in either lung, and no fluid or free air beside it.", Type: "finding", Places: s.searched},
			{Text: "This fits: " + answer + ".", Type: "finding", Places: s.searched},
		}
	}
	return []Claim{{Text: "With nothing abnormal to be seen: " + answer + ".", Type: "inference", Places: s.searched}}
}
