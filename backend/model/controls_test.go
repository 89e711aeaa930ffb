package model

import (
	"context"
	"slices"
	"testing"
)

func TestChainCopierReadsWhatWasSaid(t *testing.T) {
	p := filmPrompt()
	for _, c := range []struct {
		name, want string
		earlier    []string
	}{
		{"side and finding", "A", []string{Told("Side?", "B", "Left"), Told("What?", "A", "Pleural effusion")}},
		{"side and place", "D", []string{Told("Side?", "B", "Left"), Told("Where?", "D", "Pleural space, non-dependent part")}},
		{"a finding stands above its place", "B", []string{
			Told("Side?", "A", "Right"), Told("Where?", "D", "Pleural space, non-dependent part"), Told("What?", "A", "Pleural effusion")}},
		{"nothing stands above all", "C", []string{Told("Side?", "C", "Neither side: nothing abnormal"), Told("What?", "A", "Pleural effusion")}},
		{"nothing was said", "", nil},
	} {
		p.Earlier = c.earlier
		if said := ask(t, ChainCopier{&Oracle{}}, p, film(t, -1)); said.Answer != c.want {
			t.Errorf("%s: %q, want %q", c.name, said.Answer, c.want)
		}
	}
}

func TestContextShortcutReadsTheCard(t *testing.T) {
	for _, c := range []struct{ name, card, want string }{
		{"a complaint", "60 years, male. Short of breath for two weeks; dull percussion on the right side.", "B"},
		{"no complaint", "60 years, male. Check before a planned operation; no complaint of the chest.", "C"},
		{"an option by name", "60 years. Referred for this (Left pneumothorax).", "D"},
	} {
		p := filmPrompt()
		p.Context = c.card
		if said := ask(t, ContextShortcut{}, p, film(t, -1)); said.Answer != c.want {
			t.Errorf("%s: %q, want %q", c.name, said.Answer, c.want)
		}
	}
	p := filmPrompt()
	if got, want := ask(t, ContextShortcut{}, p).Answer, ask(t, TextOnly{}, p).Answer; got != want {
		t.Errorf("without a complaint %q, want text-only's %q", got, want)
	}
}

func TestRandomIsDrawnBySeedRequestAndRepeat(t *testing.T) {
	answers := func(change func(*Request, int)) []string {
		var out []string
		for i := range 60 {
			r := Request{Prompt: filmPrompt().Text(), Images: []Image{{Bytes: []byte{1}}}}
			change(&r, i)
			reply, err := Random{}.Ask(context.Background(), r)
			if err != nil {
				t.Fatal(err)
			}
			s, err := ParseReply(reply, []string{"A", "B", "C", "D"})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(out, s.Answer) {
				out = append(out, s.Answer)
			}
		}
		return out
	}
	if got := answers(func(*Request, int) {}); len(got) != 1 {
		t.Errorf("the same request is answered %v", got)
	}
	for name, change := range map[string]func(*Request, int){
		"seed":   func(r *Request, i int) { r.Seed = int64(i) },
		"repeat": func(r *Request, i int) { r.Repeat = i },
		"image":  func(r *Request, i int) { r.Images[0].Bytes = []byte{byte(i)} },
		"prompt": func(r *Request, i int) { r.Prompt = "Patient: " + string(rune('a'+i)) + "\n" + r.Prompt },
	} {
		if got := answers(change); len(got) != 4 {
			t.Errorf("60 draws by another %s give only %v", name, got)
		}
	}
}
