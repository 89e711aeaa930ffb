package model

import (
	"context"
	"strings"
)

// ContextShortcut answers from the card, the patient's history, and looks at nothing else; where the card does not tell it answers as
// TextOnly.
type ContextShortcut struct{}

// Name is "context-shortcut".
func (ContextShortcut) Name() string { return "context-shortcut" }

// complaints are what words of a history speak for.
var complaints = []struct{ words, finding string }{
	{"no complaint", ""}, {"shadow", "nodule"}, {"percussion", "effusion"}, {"sudden pain", "pneumothorax"},
}

// Ask takes the option that the card names, or else the one that the complaint speaks for.
func (m ContextShortcut) Ask(ctx context.Context, r Request) (Reply, error) {
	a, err := understand(r.Prompt)
	if err != nil {
		return Reply{}, err
	}
	o, found := m.choose(a, card(r.Prompt))
	if !found {
		return TextOnly{}.Ask(ctx, r)
	}
	_, hash := guess(a)
	return Said{Steps: guessed(a, o, hash)[:1], Answer: o.Letter}.reply(), nil
}

func (ContextShortcut) choose(a asked, card string) (Option, bool) {
	for _, o := range a.options {
		if strings.Contains(card, "("+o.Text+")") {
			return o, true
		}
	}
	if strings.HasPrefix(a.stage, "S1") {
		return Option{}, false
	}
	text := strings.ToLower(card)
	for _, c := range complaints {
		if !strings.Contains(text, c.words) {
			continue
		}
		s := sight{finding: c.finding, lobe: "upper", side: "left", sizeMM: 20}
		if strings.Contains(text, "right side") {
			s.side = "right"
		}
		return s.choose(a.options)
	}
	return Option{}, false
}
