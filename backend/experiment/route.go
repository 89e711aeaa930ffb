package experiment

import (
	"cmp"
	"image"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/corona10/goimagehash"

	"plumbline/backend/review"
)

// Words counts the words of the card and the questions of a case.
type Words map[string]float64

// WordsOf takes the words of a case.
func WordsOf(c review.Case) Words {
	text := []string{cardText(c.Context, "", "")}
	for _, q := range c.Questions {
		text = append(text, q.Text)
	}
	out := Words{}
	for _, word := range strings.FieldsFunc(strings.ToLower(strings.Join(text, " ")), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		out[word]++
	}
	return out
}

// A Rarity counts in how many cases each word stands.
type Rarity struct {
	cases float64
	in    map[string]float64
}

// Add counts the words of one more case.
func (r *Rarity) Add(w Words) {
	if r.in == nil {
		r.in = map[string]float64{}
	}
	r.cases++
	for word := range w {
		r.in[word]++
	}
}

// Alike is the cosine of two texts by how often words stand in them, each word weighed by how rare it is (TF-IDF): 0 to 1.
func (r *Rarity) Alike(a, b Words) float64 {
	weight := func(word string) float64 { return math.Log((1+r.cases)/(1+r.in[word])) + 1 }
	dot, aa, bb := 0., 0., 0.
	for _, w := range slices.Sorted(maps.Keys(a)) { // in order, so that sums and ties are the same each time
		v := a[w] * weight(w)
		aa += v * v
		dot += v * b[w] * weight(w)
	}
	for _, w := range slices.Sorted(maps.Keys(b)) {
		v := b[w] * weight(w)
		bb += v * v
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return min(1, dot/math.Sqrt(aa*bb))
}

// A PictureHash is what pictures are compared by: a perceptual hash of 64 bits.
type PictureHash struct{ of *goimagehash.ImageHash }

// HashOf takes the hash of a picture.
func HashOf(picture image.Image) (*PictureHash, error) {
	h, err := goimagehash.PerceptionHash(picture)
	if err != nil {
		return nil, err
	}
	return &PictureHash{h}, nil
}

// Alike is the share of equal bits of two hashes, 0 to 1; nil where one of them is.
func (h *PictureHash) Alike(o *PictureHash) *float64 {
	if h == nil || o == nil {
		return nil
	}
	d, err := h.of.Distance(o.of)
	if err != nil {
		return nil // hashes of one kind always compare
	}
	same := 1 - float64(d)/64
	return &same
}

// A Neighbour is a case like another one. Likenesses go from 0 to 1.
type Neighbour struct {
	Case  review.CaseID `json:"case"`
	Image *float64      `json:"image"` // share of equal bits of the perceptual hashes; null: one of them has no picture
	Text  float64       `json:"text"`  // cosine of the TF-IDF of card and questions
	Score float64       `json:"score"` // their mean
}

// Nearest finds the n nearest of cases that are known by their text: image tells how alike the pictures are. It looks at the likest by words
// first and ends where no other can come nearer, or after so many pictures; then exact is false.
func Nearest(all []Neighbour, n, pictures int, image func(review.CaseID) (*float64, error)) (nearest []Neighbour, exact bool, err error) {
	order := func(a, b Neighbour) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Case, b.Case)) }
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Neighbour) int { return cmp.Or(cmp.Compare(b.Text, a.Text), cmp.Compare(a.Case, b.Case)) })
	nearest = []Neighbour{}
	for looked, v := range all {
		if best := (1 + v.Text) / 2; len(nearest) == n && nearest[n-1].Score > best {
			return nearest, true, nil
		}
		if looked == pictures {
			return nearest, false, nil
		}
		if v.Image, err = image(v.Case); err != nil {
			return nil, false, err
		}
		if v.Score = v.Text; v.Image != nil {
			v.Score = (*v.Image + v.Text) / 2
		}
		at, _ := slices.BinarySearchFunc(nearest, v, order)
		nearest = slices.Insert(nearest, at, v)
		nearest = nearest[:min(n, len(nearest))]
	}
	return nearest, true, nil
}
