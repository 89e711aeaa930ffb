package desk

import (
	"testing"

	"plumbline/backend/review"
)

// What a reader elsewhere saw comes back under the names that images have here; the record itself is not changed.
func TestSeenImagesComeBackByTheirNames(t *testing.T) {
	back := wayBack{of: "case-01", images: map[review.ImageID]review.ImageID{"i1": "ct"}, steps: map[review.StepID]review.StepID{"s9": "s1"}}
	said := review.Seen{Step: "s9", Images: []review.SeenImage{{Image: "i1", Frames: []int{3}}, {Image: "unknown"}}}
	got := back.meaning(review.Event{Kind: review.KindSeen, Body: review.Body{Seen: &said}}).Body.Seen
	if got.Step != "s1" || got.Images[0].Image != "ct" || got.Images[1].Image != "unknown" || got.Images[0].Frames[0] != 3 {
		t.Errorf("%+v", got)
	}
	if said.Images[0].Image != "i1" {
		t.Errorf("the record was changed: %+v", said)
	}
}
