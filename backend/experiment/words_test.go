package experiment

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"plumbline/backend/review"
)

func TestOtherSentences(t *testing.T) {
	for text, want := range map[string]string{
		"On which side is the main abnormality?":         "State on which side the main abnormality is.",
		"What is the best next step?":                    "State what the best next step is.",
		"How large is it (greatest diameter)?":           "State how large it is (greatest diameter).",
		"Is there a pleural effusion?":                   "State whether there is a pleural effusion.",
		"Which finding is it?":                           "State which finding it is.",
		"CT or MR?":                                      "Answer this question: CT or MR?",
		"Look at the left lung. Is there a nodule?":      "Answer this question: Look at the left lung. Is there a nodule?",
		"In which part of that side is the abnormality?": "State in which part of that side the abnormality is.",
		"Where does the main abnormality lie?":           "State where the main abnormality does lie.",
		"Does the heart look enlarged?":                  "Answer this question: Does the heart look enlarged?",
	} {
		if got := inAnotherSentence(text); got[0] != want {
			t.Errorf("%q: %q, want %q", text, got[0], want)
		}
	}
}

// A paraphrase is never the question itself, never twice the same, and the same each time.
func TestParaphrasesDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`(Which|On which side is|Is there) [a-z ]{0,20}(abnormality|image|finding|chest)?[a-z ]{0,10}\?`).Draw(t, "question")
		for _, rule := range []func(string) []string{inOtherWords, inAnotherSentence} {
			all := rule(text)
			if !slices.Equal(all, rule(text)) {
				t.Fatal("not the same again")
			}
			seen := map[string]bool{text: true}
			for _, p := range all {
				if seen[p] || p == "" {
					t.Errorf("%q stands twice or is the question %q", p, text)
				}
				seen[p] = true
			}
		}
	})
}

func TestGroupsComeBeforeRules(t *testing.T) {
	q := review.Question{ID: "q1", Text: "Which side is abnormal?", Options: []review.Option{{Letter: "A", Text: "Left"}}}
	u := &subject{Case: review.Case{ID: "c1", Language: "en", Questions: []review.Question{q}}}
	sibling := func(id review.CaseID, level, language, text string) review.Case {
		o := q
		o.Text = text
		return review.Case{ID: id, Level: level, Language: language, Questions: []review.Question{o}}
	}
	u.siblings = []review.Case{sibling("c3", "word", "en", "Which flank?"), sibling("c2", "word", "en", "Which half?"), sibling("c4", "language", "de", "Welche Seite?")}
	for condition, want := range map[string]string{"word:1": "Which half?", "word:2": "Which flank?", "word:3": "", "sentence:1": "State which side is abnormal.", "semantic:1": ""} {
		if got, _ := u.paraphrased(review.Condition{Paraphrase: condition}, q); got != want {
			t.Errorf("%s: %q, want %q", condition, got, want)
		}
	}
	if got, ok := u.translated("de", q); !ok || got.Text != "Welche Seite?" || got.ID != "q1" {
		t.Errorf("in German: %+v", got)
	}
	if _, ok := u.translated("fr", q); ok {
		t.Error("a language that is not there")
	}
}

func TestReasoningGivenBack(t *testing.T) {
	a := review.Answer{}
	for _, text := range []string{"The left base is white.", "The layer is 20 mm deep.", "There is no air."} {
		a.Steps = append(a.Steps, review.Step{Text: &text})
	}
	say := DefaultWording()
	for condition, want := range map[string][]string{
		"early:1":   {"The left base is white."},
		"early:2":   {"The left base is white.", "The layer is 20 mm deep."},
		"early:3":   nil,
		"mistake:1": {"The right base is white."},
		"mistake:2": {"The left base is white.", "The layer is 41 mm deep."},
		"mistake:3": {"The left base is white.", "The layer is 20 mm deep.", "There is air."},
		"mistake:4": nil,
	} {
		got, ok := givenBack(review.Condition{Text: condition}, a, say)
		if !slices.Equal(got, want) || ok != (want != nil) {
			t.Errorf("%s: %q, %v; want %q", condition, got, ok, want)
		}
	}
	filler, ok := givenBack(review.Condition{Text: "filler"}, a, say)
	if !ok || len(filler) != 1 || strings.Trim(filler[0], ". ") != "" || len(filler[0]) < 40 {
		t.Errorf("filler %q", filler)
	}
	if _, ok := givenBack(review.Condition{Text: "early:1"}, review.Answer{Steps: []review.Step{{}}}, say); ok {
		t.Error("a latent step has no words to give back")
	}
}

// What is altered is never what was said.
func TestMistakesDiffer(t *testing.T) {
	for _, text := range []string{"Fluid at the base of the left lung.", "It measures 12.5 mm.", "The heart is normal.", "No nodule.", "It lies in the upper lobe.", "The margin shows spicules."} {
		if got, made := mistaken(text); !made || got == text {
			t.Errorf("%q: %q, %v", text, got, made)
		}
	}
}

func TestWording(t *testing.T) {
	base := DefaultWording()
	if len(base.Cues) < 11 || len(base.Mitigations) < 11 {
		t.Errorf("%d cues, %d mitigations", len(base.Cues), len(base.Mitigations))
	}
	w, err := ReadWording([]byte(`{"schema":"plumbline/wording/1","cues":{"leak":"It says {option}."},"mitigations":{"mine":"Look again."}}`))
	if err != nil || w.Cues["leak"] != "It says {option}." || w.Mitigations["mine"] == "" || w.Cues["emotional"] != base.Cues["emotional"] || w.Filler != base.Filler {
		t.Errorf("%+v, %v", w, err)
	}
	for text, says := range map[string]string{
		`{`: "no JSON", `{"schema":"x"}`: "expected", `{"schema":"plumbline/wording/1","more":1}`: "unknown field",
		`{"schema":"plumbline/wording/1","cues":{"nudge":"{option}"}}`:        "no cue of this name",
		`{"schema":"plumbline/wording/1","cues":{"leak":"It says nothing."}}`: "{option}",
		`{"schema":"plumbline/wording/1","mitigations":{"a+b":"x"}}`:          "a name without",
		`{"schema":"plumbline/wording/1","filler":"a\nb"}`:                    "one line",
	} {
		if _, err := ReadWording([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}

func FuzzReadWording(f *testing.F) {
	f.Add(shippedWording)
	f.Add([]byte(`{"schema":"plumbline/wording/1"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		w, err := ReadWording(b)
		if err == nil && (w.Cues["leak"] == "" || w.Filler == "") {
			t.Error("a wording without its texts")
		}
	})
}

// Questions for which there are no other words are asked in their own, and the chain says so.
func TestQuestionsWithoutOtherWords(t *testing.T) {
	a := "A"
	s := one{
		questions: []review.Question{{ID: "q1", K: 2, Text: "Where does the lesion lie?", Options: options("AB")}, {ID: "q2", K: 3, Text: "Why?", Options: options("AB")}},
		truth:     []review.Truth{{Case: "case-1", Question: "q1", Gold: &a}},
	}
	_, book := s.asked(t, "original", "word:1")
	for _, o := range book.made {
		want := []review.QuestionID(nil)
		if o.Condition.Paraphrase != "" {
			want = []review.QuestionID{"q2"}
		}
		if !slices.Equal(o.Unworded, want) {
			t.Errorf("%s: %v, want %v", o.Condition.Name(), o.Unworded, want)
		}
	}
}
