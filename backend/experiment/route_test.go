package experiment

import (
	"image"
	"image/color"
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

// The nearest case is the one with the like picture and the like words; the patient's own other cases never count.
func TestNearest(t *testing.T) {
	var all []Likeness
	for _, c := range []struct {
		id      review.CaseID
		patient review.PatientID
		at      int
		text    string
	}{
		{"a", "p1", 4, "Is there a pleural effusion?"}, {"own", "p1", 4, "Is there a pleural effusion?"}, {"like", "p2", 5, "Is there an effusion?"},
		{"words", "p3", 36, "Is there an effusion?"}, {"other", "p4", 36, "How large is the liver?"},
	} {
		l, err := LikenessOf(review.Case{ID: c.id, Patient: c.patient, Questions: []review.Question{{Text: c.text}}}, pattern(c.at))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	got := Nearest(all[0], all, 3)
	if len(got) != 3 || got[0].Case != "like" || got[1].Case != "words" || got[2].Case != "other" || got[0].Image == nil || *got[0].Image <= *got[1].Image {
		t.Errorf("%+v", got)
	}
	bare, err := LikenessOf(review.Case{ID: "text"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := Nearest(bare, all, 1); n[0].Image != nil || n[0].Score != 0 {
		t.Errorf("without picture and words: %+v", n)
	}
}
