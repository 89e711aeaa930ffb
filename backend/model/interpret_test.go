package model

import (
	"math"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/review"
)

func TestInterpretAnswers(t *testing.T) {
	free := review.Question{ID: "q"}
	for _, c := range []struct {
		name, text string
		form       Form
		free       bool
		finish     string
		parse      review.Parse
		answer     string
		flags      []string
	}{
		{name: "a letter", text: `{"answer":"B"}`, parse: review.ParseOK, answer: "B"},
		{name: "a small letter in brackets", text: `{"answer":" (b). "}`, parse: review.ParseOK, answer: "B"},
		{name: "an option's text", text: `{"answer":"left  pneumothorax."}`, parse: review.ParseOK, answer: "D"},
		{name: "letter and text", text: `{"answer":"D) Left pneumothorax"}`, parse: review.ParseOK, answer: "D"},
		{name: "a letter with another's text", text: `{"answer":"A. Left pneumothorax"}`, parse: review.Unparsed},
		{name: "a list", text: `{"answer":["D","a"]}`, parse: review.ParseOK, answer: "A, D"},
		{name: "a list in words", text: `{"answer":"C and A, Normal chest"}`, parse: review.ParseOK, answer: "A, C"},
		{name: "a list with a stranger", text: `{"answer":["A","E"]}`, parse: review.Unparsed},
		{name: "cannot tell", text: `{"steps":[],"answer":""}`, parse: review.Abstained},
		{name: "null", text: `{"answer":null}`, parse: review.Abstained},
		{name: "cannot tell in words", text: `{"answer":"Cannot be determined."}`, parse: review.Abstained},
		{name: "an object", text: `{"answer":{"letter":"A"}}`, parse: review.Unparsed},
		{name: "no answer", text: `{"steps":[]}`, parse: review.Unparsed},
		{name: "the last of two", text: `{"answer":"A"} No: {"steps":[],"answer":"B"}`, parse: review.ParseOK, answer: "B", flags: []string{FlagFenced}},
		{name: "JSON cut short", text: `{"steps":[{"text":"the answer is B`, parse: review.Unparsed},
		{name: "words in place of JSON", text: "The base is white.\nAnswer: B", parse: review.ParseOK, answer: "B", flags: []string{FlagOffForm}},
		{name: "a refusal", text: "I’m sorry, but I can’t help with medical images.", parse: review.Declined, flags: []string{FlagOffForm}},
		{name: "blank", text: " \n", parse: review.Empty},
		{name: "prose", form: FormProse, text: "Fluid at the left. The answer is B, not A.\n**Answer: (C)**", parse: review.ParseOK, answer: "C"},
		{name: "a tag", form: FormProse, text: "So <answer> d </answer>", parse: review.ParseOK, answer: "D"},
		{name: "boxed", form: FormProse, text: `Thus \boxed{A}.`, parse: review.ParseOK, answer: "A"},
		{name: "prose without an end", form: FormProse, text: "I look at the left base and", finish: "length", parse: review.Unparsed},
		{name: "a letter alone", form: FormLetter, text: ` "C"`, parse: review.ParseOK, answer: "C"},
		{name: "no letter", form: FormLetter, text: "E", parse: review.Unparsed},
		{name: "free text", free: true, text: `{"answer":" Left pleural effusion. "}`, parse: review.ParseOK, answer: "Left pleural effusion."},
		{name: "a number", free: true, text: `{"answer":12.5}`, parse: review.ParseOK, answer: "12.5"},
		{name: "half a free text", free: true, form: FormProse, text: "Answer: Left pleu", finish: "length", parse: review.Unparsed},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := Expect{Question: sideQuestion(), Number: 1, Form: c.form}
			if c.free {
				x.Question = free
			}
			a, flags := x.Interpret(Reply{Text: c.text, Finish: c.finish})
			got := ""
			if a.Answer != nil {
				got = *a.Answer
			}
			if a.Parse != c.parse || got != c.answer || !slices.Equal(flags, c.flags) {
				t.Errorf("%s %q %v, want %s %q %v", a.Parse, got, flags, c.parse, c.answer, c.flags)
			}
			if c.answer != "" && !x.Question.Same(got, c.answer) {
				t.Errorf("the nouns do not know %q", got)
			}
		})
	}
}

// volume is three pictures of a volume and one of a film, as sent.
func volume() []Sent {
	var sent []Sent
	for _, frame := range []int{10, 20, 30} {
		sent = append(sent, Sent{Image: "ct", Frame: &frame, Columns: 100, Rows: 50})
	}
	return append(sent, Sent{Image: "film", Whole: true, Columns: 200, Rows: 400})
}

func TestInterpretSteps(t *testing.T) {
	x := Expect{Question: sideQuestion(), Number: 2, Sent: volume(), Boxes: review.BoxConvention{Space: review.SpacePixels}}
	a, flags := x.Interpret(Reply{Text: `{"steps":[
		{"text":"A body.","type":"Finding","places":[{"from":0,"to":1,"box":[10,10,20,30]}]},
		{"text":"In both.","type":"guess","places":[{"from":2,"to":3,"box":[0,0,50,50]}]},
		{"text":"Nowhere.","type":"finding","places":[{"from":0,"to":9,"box":[1,1,2,2]},{"from":3,"to":3,"box":[190,0,290,10]}]},
		{"text":"All of image 4, and slice 2 (10, 10, 20, 20).","type":"technique","places":[{"from":3,"to":3,"box":[0,0,0,0]}]},
		"a sentence alone"],"answer":"A"}`})
	if a.Parse != review.ParseOK || len(a.Steps) != 5 || !slices.Equal(flags, []string{FlagBadBoxes, FlagOffForm}) {
		t.Fatalf("%s, %d steps, %v", a.Parse, len(a.Steps), flags)
	}
	first := a.Steps[0]
	if first.ID != "s2.1" || *first.Text != "A body." || first.ClaimType != "finding" || len(first.Regions) != 1 {
		t.Fatalf("%+v", first)
	}
	r := first.Regions[0]
	if r.ID != "s2.1-r1" || r.Image != "ct" || *r.From != 10 || *r.To != 20 || !slices.Equal(r.Coords, []float64{.1, .2, .2, .6}) ||
		!slices.Equal(r.Source.Coords, []float64{10, 10, 20, 30}) || r.Source.Convention != "pixels xyxy" || r.Fault(40) != "" {
		t.Errorf("%+v %+v", r, r.Source)
	}
	both := a.Steps[1]
	if both.ClaimType != "" || len(both.Regions) != 2 || both.Regions[0].Image != "ct" || both.Regions[1].Image != "film" || both.Regions[1].From != nil {
		t.Errorf("a place over two images: %+v", both)
	}
	if len(a.Steps[2].Regions) != 0 {
		t.Errorf("places outside of the pictures: %+v", a.Steps[2])
	}
	last := a.Steps[3].Regions
	if len(last) != 2 || last[0].Shape != review.WholeImage || last[1].Image != "ct" || *last[1].From != 20 {
		t.Errorf("a whole image and the inline box of the picture that is named last: %+v", last)
	}
}

func TestInterpretReasoning(t *testing.T) {
	x := Expect{Question: sideQuestion(), Number: 1, Sent: volume()[3:], Boxes: review.BoxConvention{Space: review.SpaceThousand}, Form: FormProse}
	a, flags := x.Interpret(Reply{Text: "<think>Left base is white [100, 500, 400, 900]. Depth approx. 1.5 cm.\n- Box <loc0100><loc0512><loc0400><loc0900> too\nAlso (100,100),(200,200)!</think>Answer: A"})
	texts, boxes := []string{}, 0
	for _, s := range a.Steps {
		texts = append(texts, *s.Text)
		boxes += len(s.Regions)
	}
	if want := []string{"Left base is white [100, 500, 400, 900].", "Depth approx. 1.5 cm.", "Box <loc0100><loc0512><loc0400><loc0900> too", "Also (100,100),(200,200)!"}; !slices.Equal(texts, want) {
		t.Errorf("steps %q, want %q", texts, want)
	}
	if boxes != 3 || !slices.Equal(flags, []string{FlagThink}) || a.Answer == nil || *a.Answer != "A" {
		t.Errorf("%d boxes, flags %v, answer %v", boxes, flags, a.Answer)
	}
	if got := a.Steps[0].Regions[0].Coords; !slices.Equal(got, []float64{.1, .5, .4, .9}) {
		t.Errorf("box %v", got)
	}
}

func TestInterpretIsBounded(t *testing.T) {
	x := Expect{Question: sideQuestion(), Number: 1, Sent: volume()[3:], Form: FormProse}
	a, flags := x.Interpret(Reply{Text: "Answer: A", Reasoning: strings.Repeat("One more [0.1,0.1,0.2,0.2].\n", 5000)})
	if len(a.Steps) != mostSteps || !slices.Contains(flags, FlagCapped) {
		t.Errorf("%d steps, %v", len(a.Steps), flags)
	}
	if a, flags := x.Interpret(Reply{Text: strings.Repeat("x", mostReplyText+1)}); a.Parse != review.Unparsed || !slices.Contains(flags, FlagCapped) {
		t.Errorf("%s %v", a.Parse, flags)
	}
}

// A text of half objects in each other would be read through thousands of times if nothing bounded it.
func TestInterpretOfACostlyText(t *testing.T) {
	x := Expect{Question: sideQuestion(), Number: 1}
	costly := strings.Repeat(`x {"answer":[`, 100_000)
	if a, _ := x.Interpret(Reply{Text: costly}); a.Parse != review.Unparsed || a.Answer != nil {
		t.Errorf("%s %v", a.Parse, a.Answer)
	}
}

func TestDrawnLetterIsTheLikeliest(t *testing.T) {
	x := Expect{Question: sideQuestion(), Number: 1, Form: FormLetter}
	a, _ := x.Interpret(Reply{Text: "D", Flags: []string{FlagDrawn}, Tokens: []Token{{Text: "D", Top: []Likely{{"A", .2}, {"B", .5}, {"C", .2}, {"D", .1}}}}})
	if a.Answer == nil || *a.Answer != "B" || !near(a.Probs["B"], .5) || *a.MissingMass > 1e-9 || !near(*a.Entropy, 1.2206073) {
		t.Errorf("%+v", a)
	}
}

func TestProbabilitiesAtTheAnswer(t *testing.T) {
	tokens := []Token{{Text: `{"steps":[`}, {Text: "A"}, {Text: `],"ans`}, {Text: `wer":"`}, {Text: "B", Top: []Likely{{"B", .6}, {"b", .1}, {"C", .1}, {"x", .1}}}, {Text: `"}`}}
	p, ok := OptionProbabilities(Reply{Tokens: tokens}, []string{"A", "B", "C", "D"})
	if !ok || !near(p.Of["B"], .875) || !near(p.Of["C"], .125) || !near(p.Missing, .2) {
		t.Errorf("%+v %v", p, ok)
	}
	if _, ok := OptionProbabilities(Reply{Tokens: tokens[:2]}, []string{"A"}); ok {
		t.Error("a letter among the words was taken for the answer")
	}
}

func TestConventions(t *testing.T) {
	sent := Sent{Columns: 200, Rows: 100}
	want := [4]float64{.1, .2, .3, .6}
	for _, c := range []struct {
		review.BoxConvention
		numbers [4]float64
	}{
		{review.BoxConvention{}, want},
		{review.BoxConvention{Space: review.SpaceThousand}, [4]float64{100, 200, 300, 600}},
		{review.BoxConvention{Space: review.SpaceThousand, Order: "yxyx"}, [4]float64{200, 100, 600, 300}},
		{review.BoxConvention{Space: review.SpacePixels}, [4]float64{20, 20, 60, 60}},
		{review.BoxConvention{Space: review.SpacePercent, Order: "xywh"}, [4]float64{10, 20, 20, 40}},
		{review.BoxConvention{Order: "cxcywh"}, [4]float64{.2, .4, .2, .4}},
		{review.BoxConvention{Space: review.SpaceLoc}, [4]float64{102.4, 204.8, 307.2, 614.4}},
		{review.BoxConvention{Space: review.SpacePadded}, [4]float64{.1, .35, .3, .55}}, // the film is half as high as wide: a quarter is padded above
	} {
		got, ok := c.Unit(c.numbers, sent.Columns, sent.Rows, 0)
		if !ok || !close4(got, want) || c.Fault() != "" {
			t.Errorf("%s: %v %v, want %v", c.BoxConvention, got, ok, want)
		}
	}
	for name, numbers := range map[string][4]float64{"inside out": {.5, .1, .2, .3}, "outside": {.5, .5, 1.5, .9}, "no number": {math.NaN(), 0, 1, 1}, "of thousand": {100, 200, 300, 400}, "no area": {.1, .1, .1, .5}} {
		if got, ok := (review.BoxConvention{}).Unit(numbers, sent.Columns, sent.Rows, 0); ok {
			t.Errorf("%s: %v was taken for a box: %v", name, numbers, got)
		}
	}
}

func close4(a, b [4]float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-9 {
			return false
		}
	}
	return true
}

// turn shows a stored point as a viewer does that heeds the EXIF orientation.
func turn(x, y float64, o int) (float64, float64) {
	switch o {
	case 2:
		return 1 - x, y
	case 3:
		return 1 - x, 1 - y
	case 4:
		return x, 1 - y
	case 5:
		return y, x
	case 6:
		return 1 - y, x
	case 7:
		return 1 - y, 1 - x
	case 8:
		return y, 1 - x
	}
	return x, y
}

func TestBoxesReturnToStoredOrientation(t *testing.T) {
	want := [4]float64{.1, .2, .4, .9}
	for o := range 9 {
		ax, ay := turn(want[0], want[1], o)
		bx, by := turn(want[2], want[3], o)
		got, ok := (review.BoxConvention{}).Unit([4]float64{min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)}, 10, 10, o)
		if !ok || !close4(got, want) {
			t.Errorf("orientation %d: %v, want %v", o, got, want)
		}
	}
}

func FuzzInterpret(f *testing.F) {
	f.Add(goodJSON, "", "stop", 0)
	f.Add("<think>a [1,2,3,4]</think>Answer: A", "x", "length", 1)
	f.Add("```json\n{\"answer\":[\"A\"]}\n```", "{\"answer\":", "", 2)
	f.Fuzz(func(t *testing.T, text, reasoning, finish string, form int) {
		x := Expect{Question: sideQuestion(), Number: 1, Sent: volume(), Boxes: review.BoxConvention{Space: review.SpacePercent}, Form: []Form{FormSteps, FormLetter, FormProse}[uint(form)%3]}
		a, _ := x.Interpret(Reply{Text: text, Reasoning: reasoning, Finish: finish})
		if (a.Answer != nil) != (a.Parse == review.ParseOK) || len(a.Steps) > mostSteps {
			t.Errorf("%s with answer %v and %d steps", a.Parse, a.Answer, len(a.Steps))
		}
		for _, s := range a.Steps {
			for _, r := range s.Regions {
				if why := r.Fault(0); why != "" {
					t.Errorf("%+v: %s", r, why)
				}
			}
		}
	})
}

func FuzzCompletion(f *testing.F) {
	f.Add([]byte(contentBody(goodJSON)))
	f.Add([]byte(piece("x", "stop")))
	f.Add([]byte(`{"choices":[{"logprobs":{"content":[{"logprob":-Infinity}]}}]}`))
	f.Add([]byte("data: {\"error\":1}\n\nerror: {}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if _, failed := readCompletion(raw); failed != nil && failed.Kind == "" {
			t.Errorf("a failure of no kind: %+v", failed)
		}
	})
}
