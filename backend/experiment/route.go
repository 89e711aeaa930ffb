package experiment

import (
	"cmp"
	"image"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/corona10/goimagehash"

	"plumbline/backend/review"
)

// A Likeness is what cases are compared by: a perceptual hash of one picture (64 bits) and the words of card and questions.
type Likeness struct {
	Case    review.CaseID
	Patient review.PatientID
	hash    *goimagehash.ImageHash // nil: no picture
	words   map[string]float64     // how often each stands there
}

// LikenessOf takes a case and one picture of it; nil: there is none.
func LikenessOf(c review.Case, picture image.Image) (Likeness, error) {
	l := Likeness{Case: c.ID, Patient: c.Patient, words: map[string]float64{}}
	if picture != nil {
		h, err := goimagehash.PerceptionHash(picture)
		if err != nil {
			return l, err
		}
		l.hash = h
	}
	text := []string{cardText(c.Context, "", "")}
	for _, q := range c.Questions {
		text = append(text, q.Text)
	}
	for _, word := range strings.FieldsFunc(strings.ToLower(strings.Join(text, " ")), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		l.words[word]++
	}
	return l, nil
}

// A Neighbour is a case like another one. Likenesses go from 0 to 1.
type Neighbour struct {
	Case  review.CaseID `json:"case"`
	Image *float64      `json:"image"` // share of equal bits of the perceptual hashes; null: one of them has no picture
	Text  float64       `json:"text"`  // cosine of the TF-IDF of card and questions
	Score float64       `json:"score"` // their mean
}

// Nearest lists the n cases that are most like one, of other patients: what is known of the same patient would be no experience but memory.
func Nearest(of Likeness, all []Likeness, n int) []Neighbour {
	idf := map[string]float64{}
	for _, l := range all {
		for w := range l.words {
			idf[w]++
		}
	}
	for w, in := range idf {
		idf[w] = math.Log(float64(1+len(all))/(1+in)) + 1
	}
	out := []Neighbour{}
	for _, l := range all {
		if l.Case == of.Case || l.Patient != "" && l.Patient == of.Patient {
			continue
		}
		v := Neighbour{Case: l.Case, Text: cosine(of.words, l.words, idf)}
		v.Score = v.Text
		if of.hash != nil && l.hash != nil {
			if d, err := of.hash.Distance(l.hash); err == nil { // hashes of one kind always compare
				same := 1 - float64(d)/64
				v.Image, v.Score = &same, (same+v.Text)/2
			}
		}
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b Neighbour) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Case, b.Case)) })
	return out[:min(n, len(out))]
}

// cosine is that of two texts by how often words stand in them, each word weighed by how rare it is.
func cosine(a, b, idf map[string]float64) float64 {
	dot, aa, bb := 0., 0., 0.
	for w, n := range a {
		v := n * idf[w]
		aa += v * v
		dot += v * b[w] * idf[w]
	}
	for w, n := range b {
		bb += n * idf[w] * n * idf[w]
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return min(1, dot/math.Sqrt(aa*bb))
}
