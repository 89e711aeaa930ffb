package model

import (
	"context"
	"strings"
)

// ChainCopier answers the first two stages from the pixels, as Oracle does, and the later ones by a table from the earlier answers that it
// is told: it never looks at an image there.
type ChainCopier struct{ Eyes *Oracle }

// Name is "chain-copier".
func (ChainCopier) Name() string { return "chain-copier" }

// Ask looks, or reads what was said before.
func (m ChainCopier) Ask(ctx context.Context, r Request) (Reply, error) {
	a, err := understand(r.Prompt)
	if err != nil {
		return Reply{}, err
	}
	if strings.HasPrefix(a.stage, "S1") || strings.HasPrefix(a.stage, "S2") {
		return m.Eyes.Ask(ctx, r)
	}
	s, ok := sightOf(toldAnswers(r.Prompt))
	o, found := s.choose(a.options)
	if !ok || !found {
		return Said{Steps: []Claim{{Text: "The earlier answers do not tell.", Type: "no_claim", Places: []Place{}}}}.reply(), nil
	}
	step := Claim{Text: "From the earlier answers it follows: " + lowerFirst(o.Text) + ".", Type: "inference", Places: []Place{}}
	return Said{Steps: []Claim{step}, Answer: o.Letter}.reply(), nil
}

// sightOf is what somebody would have seen to whom these answers are right; ok is false where they name no finding. One that says that
// nothing is abnormal stands above the others, and a finding that is named above the place where it lies.
func sightOf(answers []string) (s sight, ok bool) {
	place := ""
	for _, answer := range answers {
		text := strings.ToLower(answer)
		for _, f := range []struct{ phrase, finding, place, lobe, side string }{
			{phrase: "neither side", finding: "none"}, {phrase: "nothing", finding: "none"}, {phrase: "no abnormal", finding: "none"},
			{phrase: "normal chest", finding: "none"}, {phrase: "no further", finding: "none"},
			{phrase: "upper lobe", place: "nodule", lobe: "upper"}, {phrase: "lower lobe", place: "nodule", lobe: "lower"},
			{phrase: "non-dependent", place: "pneumothorax"}, {phrase: "dependent", place: "effusion"},
			{phrase: "nodule", finding: "nodule"}, {phrase: "effusion", finding: "effusion"}, {phrase: "pneumothorax", finding: "pneumothorax"},
			{phrase: "consolidation", finding: "consolidation"}, {phrase: "right", side: "right"}, {phrase: "left", side: "left"},
		} {
			if !strings.Contains(text, f.phrase) {
				continue
			}
			text = strings.Replace(text, f.phrase, "", 1)
			if s.finding != "none" && f.finding != "" {
				s.finding = f.finding
			}
			if f.place != "" {
				place = f.place
			}
			if f.side != "" {
				s.side = f.side
			}
			if f.lobe != "" {
				s.lobe = f.lobe
			}
		}
	}
	if s.finding == "" {
		s.finding = place
	}
	s.sizeMM = map[string]float64{"nodule": 12, "pneumothorax": 22, "effusion": 40}[s.finding]
	if s.finding == "none" {
		s.finding = ""
		return s, true
	}
	return s, s.finding != ""
}
