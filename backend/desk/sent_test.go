package desk_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// sentStudy is the small dataset in which the chains of case-01 tell how their pictures were sent: x11 by a profile of whole eights,
// x21 not at all.
func sentStudy(t *testing.T) *desktest.Study {
	t.Helper()
	study := desktest.New(t)
	rewrite(t, filepath.Join(study.Data, "chains", "manifest.jsonl"), review.RestoreOrigin, func(o *review.Origin) {
		recipe := review.Recipe{Questions: []review.QuestionID{"q1", "q2"}, Image: "original", Regions: []review.Region{}, Frames: []int{}, Sent: 1, Window: "128/256"}
		switch o.Chain {
		case "x11":
			o.Condition, o.Model.Profile = review.Condition{Image: "original"}, "small"
		case "x21":
			o.Condition, recipe.Sent, recipe.Image = review.Condition{Image: "none"}, 0, "none"
		default:
			return
		}
		o.Recipes = []review.Recipe{recipe}
	})
	return study
}

func sentOf(t *testing.T, p *desktest.Person) (layers []desk.Layer, problems []string) {
	t.Helper()
	o, err := p.Desk.Overlays(t.Context(), "case-01")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range o.Layers {
		if l.Kind == "sent" {
			layers = append(layers, l)
		}
	}
	for _, q := range o.Problems {
		problems = append(problems, q.Text)
	}
	return layers, problems
}

// The picture as a model was sent it is in the size of its profile, comes with the chain, and whoever looks at it is noted for it.
func TestPictureAsTheModelSawIt(t *testing.T) {
	study := sentStudy(t)
	boss := study.Coordinator()
	profiles := desk.ProfilesDir(study.Folder("coordinator"))
	if err := os.MkdirAll(profiles, 0o755); err != nil {
		t.Fatal(err)
	}
	small := `{"schema": "plumbline.profile/1", "name": "small", "base_url": "http://127.0.0.1:9/v1", "model": "m", "image": {"multiple": 8, "mime": "image/jpeg"}}`
	writeFile(t, filepath.Join(profiles, "small.json"), []byte(small))
	if layers, _ := sentOf(t, boss); len(layers) != 0 {
		t.Errorf("before the chains are seen: %+v", layers)
	}
	boss.Open("case-01").LookAll()
	layers, problems := sentOf(t, boss)
	if len(layers) != 1 || layers[0].Chain != "x11" || layers[0].Columns != 16 || layers[0].Rows != 16 || layers[0].Note != "16 × 16 pixels · jpeg · W 256 L 128" {
		t.Fatalf("%+v", layers)
	}
	if len(problems) != 1 || !strings.Contains(problems[0], "was sent no image") {
		t.Errorf("%v", problems)
	}
	noted := func() bool {
		found := false
		err := boss.Desk.EachReading(t.Context(), "", func(e review.Event, _ []byte) error {
			found = found || e.Kind == review.KindUnblinded
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if noted() {
		t.Error("to list it is not to look at it")
	}
	s, err := boss.Desk.OverlayFrame(t.Context(), "case-01", layers[0].ID, 0)
	if err != nil || s.Columns != 16 || s.Rows != 16 || len(s.Data) != 256*s.PerPixel || slices.Max(s.Data) == slices.Min(s.Data) {
		t.Errorf("%d × %d, %v", s.Columns, s.Rows, err)
	}
	if !noted() {
		t.Error("whoever looked at it is noted")
	}
}

// How a picture was sent can tell the condition: a reader of the protocol sees it once nothing of the patient is hidden any more.
func TestReadersDoNotSeeHowAPictureWasSent(t *testing.T) {
	study := sentStudy(t)
	ann, boss := study.As("ann"), study.Coordinator()
	boss.Set(desktest.Rules("ann", "R1"))
	for _, p := range []*desktest.Person{ann, boss} {
		p.Open("case-01").LookAll()
		if layers, problems := sentOf(t, p); len(layers)+len(problems) != 0 {
			t.Errorf("judge: %+v, %v", layers, problems)
		}
		_, err := p.Desk.OverlayFrame(t.Context(), "case-01", "sent-1-1", 0)
		refused(t, err, fault.NotFound, "nothing is drawn")
	}
	for _, p := range []*desktest.Person{ann, boss} {
		p.Open("case-01").Sign()
		p.Open("case-02").Sign()
	}
	if layers, _ := sentOf(t, boss); len(layers) != 1 || !strings.Contains(layers[0].Note, "its size is not known") {
		t.Errorf("signed: %+v", layers)
	}
	if layers, _ := sentOf(t, ann); len(layers) != 0 {
		t.Errorf("a reader's own seat: %+v", layers)
	}
}
