package model

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"
)

var sideOptions = []Option{{"A", "Left pleural effusion"}, {"B", "Right pleural effusion"}, {"C", "Normal chest"}, {"D", "Left pneumothorax"}}

// film draws a film of one grey with a bright base on one side of the picture: -1 the patient's right, 1 the left, 0 neither.
func film(t testing.TB, side float64) Image {
	t.Helper()
	s := stack{columns: 384, rows: 320, geometry: Geometry{PixelMM: .9375}}
	grey := image.NewGray(image.Rect(0, 0, s.columns, s.rows))
	for i := range grey.Pix {
		grey.Pix[i] = 90
	}
	if side != 0 {
		p := s.mirrored(baseWindow, side)
		for y := int(p.Box[1] * 320); y < int(p.Box[3]*320); y++ {
			for x := int(p.Box[0] * 384); x < int(p.Box[2]*384); x++ {
				grey.Pix[y*grey.Stride+x] = 200
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, grey); err != nil {
		t.Fatal(err)
	}
	return Image{MIME: "image/png", Bytes: b.Bytes()}
}

func filmPrompt() Prompt {
	return Prompt{
		Geometry: Geometry{Images: 1, PixelMM: .9375}, Context: "60 years, female. Cough.", Stage: "S4 Impression", Question: "What is the impression?",
		Options: sideOptions,
	}
}

func ask(t *testing.T, m Model, p Prompt, images ...Image) Said {
	t.Helper()
	r, err := m.Ask(context.Background(), Request{Prompt: p.Text(), Images: images})
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseReply(r, []string{"A", "B", "C", "D"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOracleFollowsThePixels(t *testing.T) {
	oracle := &Oracle{}
	for side, want := range map[float64]string{-1: "B", 1: "A", 0: "C"} {
		said := ask(t, oracle, filmPrompt(), film(t, side))
		if said.Answer != want {
			t.Errorf("bright base on side %g: answer %q, want %q", side, said.Answer, want)
		}
		if len(said.Steps) == 0 || len(said.Steps[0].Places) == 0 {
			t.Errorf("side %g: no step with a place in %+v", side, said)
		}
	}
}

func TestOracleIgnoresTheText(t *testing.T) {
	p := filmPrompt()
	p.Context, p.Earlier, p.Cue = "Left pleural effusion was seen before.", []string{"On which side? Left"}, "it is (A) Left pleural effusion."
	if said := ask(t, &Oracle{}, p, film(t, -1)); said.Answer != "B" {
		t.Errorf("answer %q, want B whatever card, earlier answers and hint say", said.Answer)
	}
}

func TestOracleCannotTellWithoutAnImage(t *testing.T) {
	if said := ask(t, &Oracle{}, filmPrompt()); said.Answer != "" {
		t.Errorf("answer %q without an image, want none", said.Answer)
	}
}

func TestOracleRefusesWhatIsNoPicture(t *testing.T) {
	good := film(t, 0)
	for name, images := range map[string][]Image{
		"no picture":     {{MIME: "image/png", Bytes: []byte("no picture")}},
		"cut short":      {{MIME: "image/png", Bytes: good.Bytes[:len(good.Bytes)/2]}},
		"an empty one":   {{}},
		"a broken third": {good, good, {Bytes: []byte{1}}},
	} {
		if _, err := (&Oracle{}).Ask(context.Background(), Request{Prompt: filmPrompt().Text(), Images: images}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestOracleLooksAtAnEmptyVolume(t *testing.T) {
	p := filmPrompt()
	p.Geometry = Geometry{}
	empty := film(t, 0)
	if said := ask(t, &Oracle{}, p, empty, empty, empty, empty); said.Answer != "C" {
		t.Errorf("answer %q to pictures without a chest, want C", said.Answer)
	}
}

func TestOracleStopsWhenAsked(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (&Oracle{}).Ask(ctx, Request{Prompt: filmPrompt().Text(), Images: []Image{film(t, 0)}}); err == nil {
		t.Error("no error though the context had ended")
	}
}

func TestTextOnlySeesNothingButTheQuestion(t *testing.T) {
	want := ask(t, TextOnly{}, filmPrompt(), film(t, 1))
	p := filmPrompt()
	p.Context, p.Earlier, p.Cue = "Other card.", []string{"An earlier question? B"}, "it is (B) Right pleural effusion."
	for name, got := range map[string]Said{
		"another image": ask(t, TextOnly{}, filmPrompt(), film(t, -1)),
		"no image":      ask(t, TextOnly{}, filmPrompt()),
		"other text":    ask(t, TextOnly{}, p, film(t, 1)),
	} {
		if got.Answer != want.Answer {
			t.Errorf("%s: answer %q, want %q", name, got.Answer, want.Answer)
		}
	}
	for _, s := range want.Steps {
		if len(s.Places) > 0 {
			t.Errorf("a model that sees nothing names a place: %+v", s)
		}
	}
}

func TestCueFollower(t *testing.T) {
	for _, letter := range []string{"A", "B", "C", "D"} {
		p := filmPrompt()
		p.Cue = "a colleague thinks it is (" + letter + ")."
		silent, open := ask(t, CueFollower{}, p), ask(t, CueFollower{Open: true}, p)
		if silent.Answer != letter || open.Answer != letter {
			t.Errorf("cue %s: answers %q and %q", letter, silent.Answer, open.Answer)
		}
		mentions := func(s Said) bool {
			return slices.ContainsFunc(s.Steps, func(c Claim) bool { return strings.Contains(c.Text, "hint") })
		}
		if mentions(silent) || !mentions(open) {
			t.Errorf("cue %s: mentioned by the silent one %v, by the open one %v", letter, mentions(silent), mentions(open))
		}
	}
	if got, want := ask(t, CueFollower{}, filmPrompt()).Answer, ask(t, TextOnly{}, filmPrompt()).Answer; got != want {
		t.Errorf("without a cue %q, want text-only's %q", got, want)
	}
}

func TestPromptIsUnderstood(t *testing.T) {
	p := filmPrompt()
	p.Geometry = Geometry{Images: 40, PixelMM: 1.40625, BetweenMM: 7, Center: -600, Width: 1500}
	p.Earlier, p.Cue = []string{"Which way? A. Left"}, "it is (A)."
	a, err := understand(p.Text())
	if err != nil {
		t.Fatal(err)
	}
	if a.geometry != p.Geometry || a.question != p.Question || a.stage != p.Stage || a.cue != p.Cue || !slices.Equal(a.options, p.Options) {
		t.Errorf("understood %+v of %+v", a, p)
	}
	for _, text := range []string{"", "Question (S1): What?", "A. Left\nB. Right"} {
		if _, err := understand(text); err == nil {
			t.Errorf("%q: no error though there is no question with options", text)
		}
	}
}

func TestParseReply(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		fails            bool
	}{
		{"a letter", `{"steps":[],"answer":"B"}`, "B", false},
		{"a small letter with spaces", `{"answer":" b "}`, "B", false},
		{"cannot tell", `{"steps":[],"answer":""}`, "", false},
		{"no option", `{"answer":"Z"}`, "", true},
		{"no JSON", `The answer is B.`, "", true},
	} {
		s, err := ParseReply(Reply{Text: c.text}, []string{"A", "B"})
		if (err != nil) != c.fails || s.Answer != c.want {
			t.Errorf("%s: %q, %v; want %q, failing %v", c.name, s.Answer, err, c.want, c.fails)
		}
	}
}

func FuzzUnderstand(f *testing.F) {
	f.Add(filmPrompt().Text())
	f.Add("Images: 40 in order; pixel x mm; distance; window centre.\nQuestion (S1\nA. ")
	f.Fuzz(func(t *testing.T, text string) {
		if a, err := understand(text); err == nil && (a.question == "" || len(a.options) == 0) {
			t.Errorf("understood nothing of %q without an error", text)
		}
		if r, err := (TextOnly{}).Ask(context.Background(), Request{Prompt: text}); err == nil && r.Text == "" {
			t.Error("an empty reply")
		}
	})
}

// A prompt tells of size and window what is known and holds for all of its images.
func TestPromptTellsWhatIsKnown(t *testing.T) {
	ct := Geometry{Images: 3, PixelMM: .7, BetweenMM: 5, Center: 40, Width: 400}
	for _, c := range []struct {
		g    Geometry
		want string
	}{
		{ct, "Images: 3 in order; pixel 0.7 mm; distance 5 mm; window centre 40 width 400."},
		{Geometry{Images: 1}, "Images: 1 in order."},
		{ct.Common(ct), "Images: 3 in order; pixel 0.7 mm; distance 5 mm; window centre 40 width 400."},
		{ct.Common(Geometry{Images: 1, PixelMM: .7}), "Images: 3 in order; pixel 0.7 mm."},
		{ct.Common(Geometry{Images: 3, PixelMM: .5, BetweenMM: 5, Center: 40, Width: 350}), "Images: 3 in order; distance 5 mm."},
	} {
		if got, _, _ := strings.Cut((Prompt{Geometry: c.g, Question: "?"}).Text(), "\n"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
