package experiment

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"slices"
	"testing"

	"plumbline/backend/review"
)

// pattern draws a picture with a light square at a place.
func pattern(at int) image.Image {
	img := image.NewGray(image.Rect(0, 0, 64, 64))
	for y := range 24 {
		for x := range 24 {
			img.SetGray(at+x, at+y, color.Gray{Y: 220})
		}
	}
	return img
}

// The nearest case is the one with the like picture and the like words.
func TestNearest(t *testing.T) {
	hashes := map[review.CaseID]*PictureHash{}
	words := map[review.CaseID]Words{}
	var rarity Rarity
	for _, c := range []struct {
		id   review.CaseID
		at   int
		text string
	}{
		{"a", 4, "Is there a pleural effusion?"}, {"like", 5, "Is there an effusion?"}, {"words", 36, "Is there an effusion?"}, {"other", 36, "How large is the liver?"},
	} {
		h, err := HashOf(pattern(c.at))
		if err != nil {
			t.Fatal(err)
		}
		hashes[c.id], words[c.id] = h, WordsOf(review.Case{ID: c.id, Questions: []review.Question{{Text: c.text}}})
		rarity.Add(words[c.id])
	}
	var all []Neighbour
	for _, id := range []review.CaseID{"other", "like", "words"} {
		all = append(all, Neighbour{Case: id, Text: rarity.Alike(words["a"], words[id])})
	}
	got, exact, err := Nearest(all, 3, 10, func(id review.CaseID) (*float64, error) { return hashes["a"].Alike(hashes[id]), nil })
	if err != nil || !exact || len(got) != 3 || got[0].Case != "like" || got[1].Case != "words" || got[2].Case != "other" || *got[0].Image <= *got[1].Image {
		t.Errorf("%+v, %v, %v", got, exact, err)
	}
	if v := rarity.Alike(Words{}, words["a"]); v != 0 {
		t.Errorf("without words: %g", v)
	}
	if v := rarity.Alike(words["a"], words["a"]); v < 1-1e-12 || v > 1 {
		t.Errorf("the same words: %g", v)
	}
	if v := hashes["a"].Alike(nil); v != nil {
		t.Errorf("without a picture: %g", *v)
	}
}

// The nearest are those that comparing everything gives, with fewer pictures; where the pictures end before that is sure, it says so.
func TestNearestLooksAtFewPictures(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		image := map[review.CaseID]float64{}
		var all, whole []Neighbour
		for n := range 300 {
			v := Neighbour{Case: review.CaseID(fmt.Sprint("case-", n)), Text: float64(r.IntN(100)) / 100}
			image[v.Case] = float64(32+r.IntN(33)) / 64
			all = append(all, v)
			i := image[v.Case]
			whole = append(whole, Neighbour{v.Case, &i, v.Text, (i + v.Text) / 2})
		}
		slices.SortFunc(whole, func(a, b Neighbour) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Case, b.Case)) })
		looked := 0
		look := func(id review.CaseID) (*float64, error) { looked++; i := image[id]; return &i, nil }
		got, exact, err := Nearest(all, 5, 300, look)
		if err != nil || !exact || looked > 200 {
			t.Fatalf("exact %v after %d pictures, %v", exact, looked, err)
		}
		for i, v := range got {
			if v.Case != whole[i].Case || v.Score != whole[i].Score {
				t.Errorf("neighbour %d is %+v, want %+v", i+1, v, whole[i])
			}
		}
		if got, exact, _ := Nearest(all, 5, 6, look); exact || len(got) != 5 {
			t.Errorf("after six pictures: %d, exact %v", len(got), exact)
		}
	}
}
