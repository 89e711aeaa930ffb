package dcm

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// structureOf makes a structure set of one region.
func structureOf(space string, contours func(m *made) []*made) *made {
	m := make10(implicitLittleUID).text(tagSOPClass, "UI", structureClass).text(tagInstanceUID, "UI", "1.7").text(tagStudyUID, "UI", ctStudy)
	m.text(tagModality, "CS", "RTSTRUCT")
	m.sequence(tagROIs, m.item().text(tagROINumber, "IS", "4").text(tagROIFrame, "UI", space).text(tagROIName, "LO", "tumour"))
	return m.sequence(tagROIContours, m.item().text(tagROIColour, "IS", `255\128\0`).sequence(tagContours, contours(m)...).text(tagContourROI, "IS", "4"))
}

func contour(m *made, uid, kind, data string) *made {
	c := m.item()
	if uid != "" {
		c.sequence(tagContourImages, m.item().text(tagReferencedInstance, "UI", uid))
	}
	return c.text(tagContourType, "CS", kind).text(tagContourData, "DS", data)
}

// What was drawn on another series lies over this one too where both speak of the same places, and says so.
func TestContoursOfAnotherSeriesInTheSameSpace(t *testing.T) {
	s, headers := slices3(t, nil)
	for _, c := range []struct {
		name, space, data string
		frame             int // -1: not drawn
	}{
		{"within half the distance of planes", inSpace, `102\204\6\104\204\6\104\208\6`, 1},
		{"beside the frames", inSpace, `102\204\60\104\204\60\104\208\60`, -1},
		{"across the planes", inSpace, `102\204\0\104\204\5\104\208\10`, -1},
		{"another space", "9.9.9", `102\204\6\104\204\6\104\208\6`, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := structureOf(c.space, func(m *made) []*made { return []*made{contour(m, "9.9", "CLOSED_PLANAR", c.data)} })
			got, said := over(t, s, headers, m.write(t))
			if said != "" || len(got) != 0 != (c.frame >= 0) {
				t.Fatalf("%+v, %q", got, said)
			}
			if c.frame >= 0 && (*got[0].Regions[0].Frame != c.frame || !got[0].Borrowed) {
				t.Errorf("frame %d, want %d", *got[0].Regions[0].Frame, c.frame)
			}
		})
	}
	seg := segmentationOf("BINARY", 1, 1, []byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, func(i int, m *made) *made {
		return referring(m, "9.9", 1).sequence(tagPlanePosition, m.item().text(tagPosition, "DS", `100\200\5`))
	})
	if got, said := over(t, s, headers, seg.write(t)); len(got) != 1 || said != "" || !got[0].Borrowed || got[0].Planes[0].Frame != 1 {
		t.Errorf("segment %+v, %q", got, said)
	}
}

func TestContoursLieOnTheirFrames(t *testing.T) {
	s, headers := slices3(t, nil)
	square := `102\204\%d\104\204\%d\104\208\%d\102\208\%d`
	z := func(v int) string { return fmt.Sprintf(square, v, v, v, v) }
	m := structureOf(inSpace, func(m *made) []*made {
		return []*made{
			contour(m, "1.2.9.5.1", "CLOSED_PLANAR", z(5)),                // by its reference
			contour(m, "", "CLOSED_PLANAR", z(11)),                        // by its place
			contour(m, "", "POINT", `100\200\0`),                          // the centre of the first pixel
			contour(m, "9.9", "CLOSED_PLANAR", z(1000)),                   // of another series, beside this one: no problem
			contour(m, "1.2.9.5.1", "CLOSED_PLANAR", z(20)),               // not where its frame is
			contour(m, "", "CLOSED_PLANAR", z(99)),                        // nowhere
			contour(m, "", "OPEN_PLANAR", z(5)),                           // not done
			contour(m, "", "CLOSED_PLANAR", `1\2`),                        // no points
			contour(m, "", "CLOSED_PLANAR", `90\190\0\91\190\0\91\191\0`), // outside
		}
	})
	got, said := over(t, s, headers, m.write(t))
	if len(got) != 1 || got[0].Label != "tumour" || !slices.Equal(got[0].Colour, []int{255, 128, 0}) || len(got[0].Regions) != 3 {
		t.Fatalf("%+v, %q", got, said)
	}
	// Columns (102-100)/1+.5 = 2.5 of 8, rows (204-200)/2+.5 = 2.5 of 10.
	for i, want := range []struct {
		frame  int
		coords []float64
	}{{1, []float64{2.5 / 8, .25, 4.5 / 8, .25, 4.5 / 8, .45, 2.5 / 8, .45}}, {2, []float64{2.5 / 8, .25, 4.5 / 8, .25, 4.5 / 8, .45, 2.5 / 8, .45}}, {0, []float64{.5 / 8, .05}}} {
		r := got[0].Regions[i]
		if *r.Frame != want.frame || !sameRing(r.Coords, want.coords) || r.Fault(3) != "" {
			t.Errorf("region %d: frame %d, %v, want %d, %v", i, *r.Frame, r.Coords, want.frame, want.coords)
		}
	}
	for _, want := range []string{"15.0 mm away", "outside the frames", `"OPEN_PLANAR" is not drawn`, "2 numbers", "outline lies outside the frame"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q among %q", want, said)
		}
	}
	other := structureOf("1.1.1", func(m *made) []*made { return []*made{contour(m, "1.2.9.5.1", "CLOSED_PLANAR", z(5))} })
	if got, said := over(t, s, headers, other.write(t)); len(got) != 0 || !strings.Contains(said, "another frame of reference") {
		t.Errorf("another frame of reference: %+v, %q", got, said)
	}
}

// sameRing compares outlines whatever corner they begin with.
func sameRing(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for shift := 0; shift < len(a); shift += 2 {
		if near(append(slices.Clone(a[shift:]), a[:shift]...), b) {
			return true
		}
	}
	return false
}

func TestAnOutlineIsCutAtTheEdge(t *testing.T) {
	got := inside([]review.UnitPoint{{X: -.5, Y: .2}, {X: .5, Y: .2}, {X: .5, Y: 1.8}, {X: -.5, Y: 1.8}})
	var flat []float64
	for _, p := range got {
		flat = append(flat, p.X, p.Y)
	}
	if !sameRing(flat, []float64{0, .2, .5, .2, .5, 1, 0, 1}) {
		t.Errorf("cut to %v", flat)
	}
	if inside([]review.UnitPoint{{X: math.NaN()}}) != nil {
		t.Error("an outline of no numbers is kept")
	}
}

// reportOf makes an SR with one measurement group.
func reportOf(items func(m *made) []*made) *made {
	m := make10(explicitLittleUID).text(tagSOPClass, "UI", reportClasses+"33").text(tagInstanceUID, "UI", "1.8").text(tagStudyUID, "UI", ctStudy).text(tagModality, "CS", "SR")
	code := func(value, meaning string) *made {
		return m.item().text(tagCodeValue, "SH", value).text(tagCodeMeaning, "LO", meaning)
	}
	list := append([]*made{
		m.item().text(tagValueType, "CS", "TEXT").sequence(tagConceptName, code(conceptTracking, "Tracking Identifier")).put(tagText, "UT", []byte("lesion 1")),
		m.item().text(tagValueType, "CS", "CODE").sequence(tagConceptName, code(conceptFinding, "Finding")).sequence(tagConceptCode, code("1", "Nodule")),
	}, items(m)...)
	group := m.item().text(tagValueType, "CS", "CONTAINER").sequence(tagConceptName, code("125007", "Measurement Group")).sequence(tagContent, list...)
	return m.sequence(tagContent, m.item().text(tagValueType, "CS", "CONTAINER").sequence(tagContent, group))
}

// scoord is a region selected from an instance.
func scoord(m *made, uid, kind string, v ...float32) *made {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	c := m.item().text(tagValueType, "CS", "SCOORD").put(tagGraphicData, "FL", b).text(tagGraphicType, "CS", kind)
	if uid != "" {
		image := m.item().text(tagValueType, "CS", "IMAGE").sequence(tagReferencedSOP, m.item().text(tagReferencedInstance, "UI", uid))
		c.sequence(tagContent, image)
	}
	return c
}

// G21: what a report says in columns and rows stays where it is: no half a pixel is added.
func TestRegionsOfReports(t *testing.T) {
	s, headers := slices3(t, nil)
	m := reportOf(func(m *made) []*made {
		return []*made{
			scoord(m, "1.2.9.5.1", "POLYLINE", 2, 5, 4, 5, 4, 10, 2, 5),
			scoord(m, "1.2.9.5.2", "POINT", 4, 5),
			scoord(m, "1.2.9.5.2", "CIRCLE", 4, 5, 6, 5),
			scoord(m, "1.2.9.5.2", "ELLIPSE", 2, 5, 6, 5, 4, 4, 4, 6),
			scoord(m, "9.9", "POINT", 1, 1),
			scoord(m, "", "POINT", 1, 1),
			scoord(m, "1.2.9.5.2", "POLYLINE", 1, 1, 2, 2),
			m.item().text(tagValueType, "CS", "SCOORD3D").put(tagGraphicData, "FL", scoord3(102, 204, 10, 104, 204, 10, 104, 208, 10)).
				text(tagGraphicType, "CS", "POLYGON").text(tagROIFrame, "UI", inSpace),
		}
	})
	got, said := over(t, s, headers, m.write(t))
	if len(got) != 1 || got[0].Label != "Nodule" || got[0].Kind != OverlayRegion || len(got[0].Regions) != 5 {
		t.Fatalf("%+v, %q", got, said)
	}
	r := got[0].Regions
	if *r[0].Frame != 1 || !sameRing(r[0].Coords, []float64{.25, .5, .5, .5, .5, 1}) || !near(r[1].Coords, []float64{.5, .5}) || *r[1].Frame != 2 {
		t.Errorf("outline %+v and point %+v", r[0], r[1])
	}
	for i, half := range map[int][2]float64{2: {2. / 8, 2. / 10}, 3: {2. / 8, 1. / 10}} {
		x0, y0, x1, y1 := 1., 1., 0., 0.
		for k := 0; k < len(r[i].Coords); k += 2 {
			x0, x1 = min(x0, r[i].Coords[k]), max(x1, r[i].Coords[k])
			y0, y1 = min(y0, r[i].Coords[k+1]), max(y1, r[i].Coords[k+1])
		}
		if !near([]float64{x0, x1, y0, y1}, []float64{.5 - half[0], .5 + half[0], .5 - half[1], .5 + half[1]}) {
			t.Errorf("ring %d spans %g-%g, %g-%g", i, x0, x1, y0, y1)
		}
	}
	if !sameRing(r[4].Coords, []float64{2.5 / 8, .25, 4.5 / 8, .25, 4.5 / 8, .45}) || *r[4].Frame != 2 {
		t.Errorf("points of the patient: %+v", r[4])
	}
	for _, want := range []string{"without the image", `"POLYLINE" with 2 points is not drawn`} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q among %q", want, said)
		}
	}
}

func scoord3(v ...float32) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func TestObjectsThatAreDamagedOrNone(t *testing.T) {
	s, headers := slices3(t, nil)
	whole := structureOf(inSpace, func(m *made) []*made { return []*made{contour(m, "", "POINT", `100\200\0`)} }).bytes()
	for name, c := range map[string]struct{ path, word string }{
		"cut short": {writeFile(t, "a.dcm", whole[:len(whole)-20]), "cut short"},
		"a picture": {headers[0].Path, "neither a segmentation"},
		"text":      {writeFile(t, "a.dcm", []byte("contours")), "no DICOM"},
		"missing":   {filepath.Join(t.TempDir(), "x"), "no such file"},
	} {
		if got, said := over(t, s, headers, c.path); len(got) != 0 || !strings.Contains(said, c.word) {
			t.Errorf("%s gave %+v, %q", name, got, said)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Overlays(ctx, s, headers, nil, OpenFile); fault.KindOf(err) != fault.Cancelled {
		t.Errorf("cancelled: %v", err)
	}
}
