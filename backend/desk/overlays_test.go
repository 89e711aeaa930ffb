package desk_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/dcm"
	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Words that stand in the drawings of the fixture, and nowhere else.
const (
	planeWord   = "CANARY-arrow"
	contourWord = "CANARY-lesion"
)

// overlayStudy is the small dataset with a CT slice in case-01 that has a plane of its own (60xx) and a structure set beside it, a heatmap for
// step s3 of chain x11, one that does not fit for x21, and case-04 as an image alone with the same drawings.
func overlayStudy(t *testing.T) *desktest.Study {
	t.Helper()
	study := desktest.New(t)
	for _, id := range []string{"case-01", "case-04"} {
		dir := filepath.Join(study.Data, "images", id)
		writeFile(t, filepath.Join(dir, "slice.dcm"), drawnSlice(t, id))
		writeFile(t, filepath.Join(dir, "structures.dcm"), structures(t, id))
	}
	rewrite(t, filepath.Join(study.Data, "cases.jsonl"), review.RestoreCase, func(c *review.Case) {
		if c.ID == "case-01" || c.ID == "case-04" {
			c.Images[0].Path, c.Images[0].Modality = "images/"+string(c.ID), "CT"
		}
	})
	writeFile(t, filepath.Join(study.Data, "heat", "fits.npy"), dcm.Heat{Frames: 1, Rows: 3, Columns: 4, Values: []float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -3}}.WriteNPY())
	writeFile(t, filepath.Join(study.Data, "heat", "square.npy"), dcm.Heat{Frames: 1, Rows: 4, Columns: 4, Values: make([]float32, 16)}.WriteNPY())
	rewrite(t, filepath.Join(study.Data, "chains", "all.jsonl"), review.RestoreChain, func(c *review.Chain) {
		name := map[review.ChainID]string{"x11": "heat/fits.npy", "x21": "heat/square.npy"}[c.ID]
		c.Answers[1].Steps[0].Heatmap = name
		c.Digest = review.ChainDigest(*c)
	})
	return study
}

func writeFile(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// rewrite changes the records of a file of lines.
func rewrite[T any](t *testing.T, path string, restore func([]byte) (T, error), change func(*T)) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for line := range bytes.Lines(b) {
		v, err := restore(bytes.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		change(&v)
		if err := json.NewEncoder(&out).Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, path, out.Bytes())
}

func text(tag uint32, vr, value string) dcm.WriteTag {
	return dcm.WriteTag{Tag: tag, VR: vr, Value: value}
}

// drawnSlice makes a CT slice of 12 rows and 16 columns of which a plane marks the first pixel.
func drawnSlice(t *testing.T, of string) []byte {
	t.Helper()
	bits := make([]byte, 24)
	bits[0] = 1
	var b bytes.Buffer
	err := dcm.Write(&b, dcm.WriteImage{SOPClass: dcm.CTImageStorage, InstanceUID: dcm.UID("slice", of), Pixels: make([]byte, 2*16*12), Tags: []dcm.WriteTag{
		text(0x00080060, "CS", "CT"), text(0x0020000D, "UI", dcm.UID("study", of)), text(0x0020000E, "UI", dcm.UID("series", of)),
		text(0x00200032, "DS", `0\0\0`), text(0x00200037, "DS", `1\0\0\0\1\0`), text(0x00200052, "UI", dcm.UID("space", of)),
		text(0x00280002, "US", "1"), text(0x00280004, "CS", "MONOCHROME2"), text(0x00280010, "US", "12"), text(0x00280011, "US", "16"), text(0x00280030, "DS", `1\1`),
		text(0x00280100, "US", "16"), text(0x00280101, "US", "16"), text(0x00280102, "US", "15"), text(0x00280103, "US", "0"),
		text(0x60000010, "US", "12"), text(0x60000011, "US", "16"), text(0x60000040, "CS", "G"), text(0x60000050, "SS", `1\1`),
		text(0x60000100, "US", "1"), text(0x60000102, "US", "0"), text(0x60001500, "LO", planeWord), {Tag: 0x60003000, VR: "OW", Raw: bits},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// structures makes a structure set with one square on that slice, and one contour far from it.
func structures(t *testing.T, of string) []byte {
	t.Helper()
	contour := func(z int) []dcm.WriteTag {
		square := fmt.Sprintf(`2\3\%d\6\3\%d\6\9\%d\2\9\%d`, z, z, z, z)
		return []dcm.WriteTag{text(0x30060042, "CS", "CLOSED_PLANAR"), text(0x30060050, "DS", square)}
	}
	var b bytes.Buffer
	err := dcm.Write(&b, dcm.WriteImage{SOPClass: "1.2.840.10008.5.1.4.1.1.481.3", InstanceUID: dcm.UID("structures", of), Tags: []dcm.WriteTag{
		text(0x00080060, "CS", "RTSTRUCT"), text(0x0020000D, "UI", dcm.UID("study", of)),
		{Tag: 0x30060020, VR: "SQ", Items: [][]dcm.WriteTag{{text(0x30060022, "IS", "1"), text(0x30060024, "UI", dcm.UID("space", of)), text(0x30060026, "LO", contourWord)}}},
		{Tag: 0x30060039, VR: "SQ", Items: [][]dcm.WriteTag{{{Tag: 0x30060040, VR: "SQ", Items: [][]dcm.WriteTag{contour(0), contour(90)}}, text(0x30060084, "IS", "1")}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	return whole[:bytes.Index(whole, []byte{0xE0, 0x7F, 0x10, 0x00})]
}

// kinds lists the kinds of layers that a person has of a case, and checks that what is not listed is not handed out either.
func kinds(t *testing.T, p *desktest.Person, id string) []string {
	t.Helper()
	o, err := p.Desk.Overlays(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	have, found := []string{}, map[string]bool{}
	for _, l := range o.Layers {
		have, found[l.ID] = append(have, l.Kind), true
	}
	for _, layer := range []string{"file-1-1", "file-1-2", "heat-1-3", "heat-2-3"} {
		_, err := p.Desk.OverlayFrame(t.Context(), id, layer, 0)
		if !found[layer] && fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s is handed out: %v", layer, err)
		}
		if l := slices.IndexFunc(o.Layers, func(l desk.Layer) bool { return l.ID == layer && len(l.Frames) > 0 }); l >= 0 && err != nil {
			t.Errorf("%s is listed and not handed out: %v", layer, err)
		}
	}
	return have
}

func wantKinds(t *testing.T, when string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", when, got, want)
	}
}

// S06: drawings that came with the images may be the gold. A reader sees none before every question is locked, and then those that the
// protocol lets them see; heatmaps come with the chains.
func TestOverlaysOfAReader(t *testing.T) {
	for _, c := range []struct {
		rule        review.OverlayRule
		look, judge []string
	}{
		{"", []string{}, []string{"heatmap"}},
		{review.OwnOverlays, []string{"plane"}, []string{"plane", "heatmap"}},
		{review.EveryOverlay, []string{"plane"}, []string{"plane", "contour", "heatmap"}},
	} {
		t.Run(string(c.rule), func(t *testing.T) {
			study := overlayStudy(t)
			boss := study.Coordinator()
			rules := desktest.Rules("ann", "R1")
			rules.Overlays = c.rule
			boss.Set(rules)
			wantKinds(t, "look", kinds(t, boss, "case-01"), c.look...)
			r := boss.Open("case-01").LookAll()
			wantKinds(t, "judge", kinds(t, boss, "case-01"), c.judge...)
			r.Sign()
			wantKinds(t, "signed, another case of the patient is not", kinds(t, boss, "case-01"), c.judge...)
			boss.Open("case-02").Sign()
			wantKinds(t, "nothing is hidden any more", kinds(t, boss, "case-01"), "plane", "contour", "heatmap")
		})
	}
}

// A reader's own seat never becomes the coordinator's, whatever is signed; an image alone asks nothing, and the coordinator sees what it has.
func TestOverlaysBySeat(t *testing.T) {
	study := overlayStudy(t)
	ann, boss := study.As("ann"), study.Coordinator()
	wantKinds(t, "a reader, look", kinds(t, ann, "case-01"))
	ann.Open("case-01").Sign()
	ann.Open("case-02").Sign()
	wantKinds(t, "a reader, all signed", kinds(t, ann, "case-01"), "heatmap")
	wantKinds(t, "a reader, an image alone", kinds(t, ann, "case-04"))
	wantKinds(t, "the coordinator, an image alone", kinds(t, boss, "case-04"), "plane", "contour")
	_, err := boss.Desk.Overlays(t.Context(), "none")
	refused(t, err, fault.NotFound, "none")
}

func TestOverlaysAreDrawnWhereTheyLie(t *testing.T) {
	boss := overlayStudy(t).Coordinator()
	o, err := boss.Desk.Overlays(t.Context(), "case-04")
	if err != nil || len(o.Layers) != 2 {
		t.Fatalf("%+v, %v", o, err)
	}
	plane, contour := o.Layers[0], o.Layers[1]
	if plane.Label != planeWord || plane.Rows != 12 || plane.Columns != 16 || !slices.Equal(plane.Frames, []int{0}) || plane.Image != "xr" {
		t.Errorf("plane %+v", plane)
	}
	s, err := boss.Desk.OverlayFrame(t.Context(), "case-04", plane.ID, 0)
	if err != nil || len(s.Data) != 12*16 || s.Data[0] != 255 || bytes.Count(s.Data, []byte{0}) != 12*16-1 {
		t.Errorf("drawing %v, %v", s.Data, err)
	}
	_, err = boss.Desk.OverlayFrame(t.Context(), "case-04", plane.ID, 1)
	refused(t, err, fault.NotFound, "nothing is drawn over frame 1")
	if contour.Label != contourWord || len(contour.Regions) != 1 || contour.Regions[0].Image != "xr" || contour.Regions[0].Coords[0] != 2.5/16 {
		t.Errorf("contour %+v", contour)
	}
	if len(o.Problems) != 1 || o.Problems[0].File != "structures.dcm" || !strings.Contains(o.Problems[0].Text, "lies outside the frames") {
		t.Errorf("what is not drawn is said: %+v", o.Problems)
	}
}

// A heatmap lies over the whole picture in its proportions, or it is said why it does not.
func TestHeatmapsOfSteps(t *testing.T) {
	ann := overlayStudy(t).As("ann")
	ann.Open("case-01").LookAll()
	o, err := ann.Desk.Overlays(t.Context(), "case-01")
	if err != nil || len(o.Layers) != 1 || len(o.Problems) != 1 {
		t.Fatalf("%+v, %v", o, err)
	}
	l := o.Layers[0]
	if l.Chain != "x11" || l.Step != "s3" || l.Low != -3 || l.High != 10 || l.Rows != 3 || l.Columns != 4 || !l.Every || l.Image != "xr" {
		t.Errorf("layer %+v", l)
	}
	s, err := ann.Desk.OverlayFrame(t.Context(), "case-01", l.ID, 0)
	if err != nil || !s.Float || s.BitsAllocated != 32 || len(s.Data) != 48 || !bytes.Equal(s.Data[4:8], []byte{0, 0, 0x80, 0x3F}) {
		t.Errorf("values %v, %v", s.Data, err)
	}
	if p := o.Problems[0]; p.File != "" || !strings.Contains(p.Text, "4 × 4 values have not the proportions of the picture, 16 × 12 pixels") {
		t.Errorf("problem %+v", p)
	}
}

// What is hidden does not travel: a package holds images without what was drawn over them, no annotation object, and heatmaps under aliases.
func TestPackagesCarryNoOverlays(t *testing.T) {
	study := overlayStudy(t)
	boss := study.Coordinator()
	rules := desktest.Rules("ann")
	rules.Overlays = review.EveryOverlay
	boss.Set(rules).Assign()
	ann := study.Away("ann")
	boss.HandTo(ann)
	for _, word := range []string{planeWord, contourWord, "heat/fits", "structures"} {
		if found := holds(t, ann.Folder(), word); len(found) > 0 {
			t.Errorf("%s lies in %v", word, found)
		}
	}
	name := string(ann.Open("case-01").View.Case.ID)
	wantKinds(t, "look", kinds(t, ann, name))
	ann.Open("case-01").LookAll()
	o, err := ann.Desk.Overlays(t.Context(), name)
	if err != nil || len(o.Layers) != 1 || o.Layers[0].Kind != "heatmap" || o.Layers[0].High != 10 {
		t.Errorf("judge: %+v, %v", o, err)
	}
}
