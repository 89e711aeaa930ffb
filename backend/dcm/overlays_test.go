package dcm

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

const (
	inSpace = "1.2.9.1" // the frame of reference of the slices below
	ctStudy = "1.2.9"
)

// slices3 writes three CT slices of 10 rows and 8 columns, 2 mm by 1 mm, 5 mm apart, and gives their stack.
func slices3(t testing.TB, more func(i int, m *made)) (review.Stack, []Header) {
	t.Helper()
	var headers []Header
	for i := range 3 {
		m := make10(explicitLittleUID).image(10, 8, 1, 16, 12, false, "MONOCHROME2")
		m.text(tagInstanceUID, "UI", fmt.Sprintf("1.2.9.5.%d", i)).text(tagStudyUID, "UI", ctStudy).text(tagFrameOfReference, "UI", inSpace)
		m.text(tagPosition, "DS", fmt.Sprintf(`100\200\%d`, 5*i)).text(tagOrientation, "DS", `1\0\0\0\1\0`).text(tagPixelSpacing, "DS", `2\1`)
		if more != nil {
			more(i, m)
		}
		h := m.native("OW", make([]byte, 160)).load(t).Header()
		headers = append(headers, h)
	}
	stacks := Group(headers)
	if len(stacks) != 1 {
		t.Fatalf("%d stacks", len(stacks))
	}
	return stacks[0], headers
}

// over draws objects over the slices.
func over(t testing.TB, s review.Stack, headers []Header, objects ...string) ([]Overlay, string) {
	t.Helper()
	out, problems, err := Overlays(context.Background(), s, headers, objects, OpenFile)
	if err != nil {
		t.Fatal(err)
	}
	words := ""
	for _, p := range problems {
		words += p.Text + "\n"
	}
	return out, words
}

// G18: rows run down and columns across; the origin counts rows first, from 1.
func TestOverlayPlanesLieWhereTheirOriginSays(t *testing.T) {
	s, headers := slices3(t, func(i int, m *made) {
		if i != 1 {
			return
		}
		bits := make([]byte, 2)
		bits[0] = 1 | 1<<5                    // (row 0, column 0) and (row 1, column 0) of 5 columns
		bits[1] = 1 << 6                      // (row 2, column 4)
		m.us(0x60000010, 3).us(0x60000011, 5) // rows, columns
		m.put(0x60000050, "SS", words(m.order, 2, 4)).us(0x60000100, 1).us(0x60000102, 0).text(0x60001500, "LO", "marks").put(0x60003000, "OW", bits)
		m.us(0x60020010, 3).us(0x60020011, 5).put(0x60020050, "SS", words(m.order, 9, 7)).text(0x60020022, "LO", "over the edge").put(0x60023000, "OB", []byte{255, 255})
	})
	got, said := over(t, s, headers)
	if len(got) != 2 || got[0].Label != "marks" || got[1].Label != "over the edge" || said != "" {
		t.Fatalf("%d overlays, %q", len(got), said)
	}
	p := got[0].Planes[0]
	set := func(p OverlayPlane) (out []string) {
		for i, v := range p.Data {
			if v != 0 {
				out = append(out, fmt.Sprintf("%d,%d", i/p.Columns+1, i%p.Columns+1))
			}
		}
		return out
	}
	if want := []string{"2,4", "3,4", "4,8"}; p.Frame != 1 || p.Set != 3 || !slices.Equal(set(p), want) {
		t.Errorf("row,column from 1 of frame %d: %v, want %v", p.Frame, set(p), want)
	}
	if want := []string{"9,7", "9,8", "10,7", "10,8"}; !slices.Equal(set(got[1].Planes[0]), want) {
		t.Errorf("over the edge: %v, want %v", set(got[1].Planes[0]), want)
	}
}

// G17: a bit of the picture is no overlay; one above it is.
func TestEmbeddedOverlaysTakeNoBitOfThePicture(t *testing.T) {
	file := func(position int) *File {
		m := make10(explicitLittleUID).image(1, 3, 1, 16, 12, false, "MONOCHROME2")
		m.us(0x60000010, 1).us(0x60000011, 3).us(0x60000100, 16).us(0x60000102, position)
		return m.native("OW", words(m.order, 0x1FFF, 0x0FFF, 0x1020)).load(t)
	}
	f := file(12)
	planes, labels, err := f.drawn60(context.Background(), 0)
	if err != nil || len(planes) != 1 || !bytes.Equal(planes[0].Data, []byte{255, 0, 255}) || labels[0] != "overlay 6000" {
		t.Errorf("bit 12 gives %v, %q, %v", planes, labels, err)
	}
	if got := frame(t, f, 0); !bytes.Equal(got, words(binary.LittleEndian, 0xFFF, 0xFFF, 0x20)) {
		t.Errorf("samples %v", got)
	}
	f = file(5)
	if planes, _, err := f.drawn60(context.Background(), 0); err != nil || len(planes) != 0 {
		t.Errorf("bit 5 gives %v, %v", planes, err)
	}
	if notes := f.Header().Notes; len(notes) != 1 || notes[0] != "overlay 6000 is ignored: bit 5, where it is said to lie, belongs to the picture" {
		t.Errorf("notes %q", notes)
	}
	if got := frame(t, f, 0); !bytes.Equal(got, words(binary.LittleEndian, 0xFFF, 0xFFF, 0x20)) {
		t.Errorf("samples %v", got)
	}
}

func TestOverlayPlanesOfAClip(t *testing.T) {
	m := make10(explicitLittleUID).image(1, 3, 1, 8, 8, false, "MONOCHROME2").text(tagNumberOfFrames, "IS", "4")
	m.us(0x60000010, 1).us(0x60000011, 3).text(0x60000015, "IS", "2").us(0x60000051, 2).put(0x60003000, "OB", []byte{0b101_100, 0})
	f := m.native("OB", make([]byte, 12)).load(t)
	for n, want := range [][]byte{nil, {0, 0, 255}, {255, 0, 255}, nil} {
		planes, _, err := f.drawn60(context.Background(), n)
		if err != nil || len(planes) > 0 != (want != nil) || want != nil && !bytes.Equal(planes[0].Data, want) {
			t.Errorf("frame %d: %v, %v, want %v", n, planes, err, want)
		}
	}
	m = make10(explicitLittleUID).image(1, 3, 1, 8, 8, false, "MONOCHROME2").us(0x60000010, 9).us(0x60000011, 9).put(0x60003000, "OB", []byte{1, 0})
	if notes := m.native("OB", []byte{1, 2, 3, 0}).load(t).Header().Notes; len(notes) != 1 || !strings.Contains(notes[0], "cut short: 2 of 11 bytes") {
		t.Errorf("notes %q", notes)
	}
}

// segmentationOf makes a SEG of frames of 10 rows and 8 columns.
func segmentationOf(kind string, allocated, frames int, data []byte, perFrame func(i int, m *made) *made, segments ...*made) *made {
	m := make10(explicitLittleUID).image(10, 8, 1, allocated, allocated, false, "MONOCHROME2")
	m.text(tagSOPClass, "UI", segClass).text(tagModality, "CS", "SEG").text(tagStudyUID, "UI", ctStudy).text(tagFrameOfReference, "UI", inSpace)
	m.text(tagNumberOfFrames, "IS", fmt.Sprint(frames)).text(tagSegmentationType, "CS", kind).sequence(tagSegments, segments...)
	if kind == "FRACTIONAL" {
		m.us(tagFractionalMaximum, 100)
	}
	var items []*made
	for i := range frames {
		items = append(items, perFrame(i, m))
	}
	m.sequence(tagSharedGroups, m.item().sequence(tagPlaneOrientation, m.item().text(tagOrientation, "DS", `1\0\0\0\1\0`)).
		sequence(tagPixelMeasures, m.item().text(tagPixelSpacing, "DS", `2\1`)))
	return m.sequence(tagPerFrameGroups, items...).native("OB", data)
}

func segment(m *made, number int, label string, colour ...int) *made {
	s := m.item().us(tagSegmentNumber, number).text(tagSegmentLabel, "LO", label)
	if len(colour) > 0 {
		s.us(tagSegmentColour, colour...)
	}
	return s
}

// referring is the functional group of a frame over an instance, of a segment.
func referring(m *made, uid string, number int) *made {
	source := m.item().text(tagReferencedInstance, "UI", uid)
	return m.item().sequence(tagDerivation, m.item().sequence(tagSourceImages, source)).
		sequence(tagSegmentIdentity, m.item().us(tagSegmentReference, number))
}

// G19: G20: bits run on across rows and frames, and segments that overlap keep all of their pixels.
func TestSegmentsLieOverTheirFrames(t *testing.T) {
	s, headers := slices3(t, nil)
	data := make([]byte, 32) // 3 frames of 80 bits
	data[0] = 3              // frame 0: first two pixels of row 0
	data[10] = 3             // frame 1: the same
	data[20] = 1
	base := make10(explicitLittleUID)
	m := segmentationOf("BINARY", 1, 3, data, func(i int, m *made) *made {
		return []*made{referring(m, "1.2.9.5.2", 1), referring(m, "1.2.9.5.2", 2), referring(m, "1.2.9.5.0", 2)}[i]
	}, segment(base, 1, "liver", 65535/100*53, 65535*(80+128)/255, 65535*(67+128)/255), segment(base, 2, "lesion"))
	got, said := over(t, s, headers, m.write(t))
	if len(got) != 2 || said != "" {
		t.Fatalf("%d overlays, %q", len(got), said)
	}
	liver, lesion := got[0], got[1]
	if liver.Label != "liver" || liver.Kind != OverlaySegment || len(liver.Planes) != 1 || liver.Planes[0].Frame != 2 || liver.Planes[0].Set != 2 ||
		liver.Planes[0].Data[0] != 255 || liver.Planes[0].Data[1] != 255 {
		t.Errorf("liver %+v", liver)
	}
	if lesion.Label != "lesion" || len(lesion.Planes) != 2 || lesion.Planes[0].Set != 2 || lesion.Planes[1].Frame != 0 || lesion.Planes[1].Set != 1 {
		t.Errorf("lesion %+v", lesion)
	}
	if c := liver.Colour; len(c) != 3 || c[0] < 245 || c[1] > 20 || c[2] > 20 { // CIELab 53, 80, 67 is red
		t.Errorf("colour %v", c)
	}
	if lesion.Colour != nil {
		t.Errorf("a colour out of nothing: %v", lesion.Colour)
	}
}

func TestFractionalSegmentsByTheirPlace(t *testing.T) {
	s, headers := slices3(t, nil)
	at := func(z float64) func(i int, m *made) *made {
		return func(i int, m *made) *made {
			return m.item().sequence(tagPlanePosition, m.item().text(tagPosition, "DS", fmt.Sprintf(`100\200\%g`, z)))
		}
	}
	data := make([]byte, 80)
	data[0], data[1], data[2] = 100, 50, 1
	got, said := over(t, s, headers, segmentationOf("FRACTIONAL", 8, 1, data, at(10.4)).write(t))
	if len(got) != 1 || said != "" || got[0].Label != "segment 1" || got[0].Planes[0].Frame != 2 || !bytes.Equal(got[0].Planes[0].Data[:4], []byte{255, 128, 3, 0}) {
		t.Errorf("%+v, %q", got, said)
	}
	if got, said = over(t, s, headers, segmentationOf("FRACTIONAL", 8, 1, data, at(40)).write(t)); len(got) != 0 || !strings.Contains(said, "no frame of the same place") {
		t.Errorf("beside the volume: %+v, %q", got, said)
	}
	elsewhere := segmentationOf("FRACTIONAL", 8, 1, data, at(10)).text(tagFrameOfReference, "UI", "9.9") // the later one counts
	if got, _ = over(t, s, headers, elsewhere.write(t)); len(got) != 0 {
		t.Errorf("another frame of reference: %+v", got)
	}
	half := segmentationOf("BINARY", 1, 2, make([]byte, 20), func(i int, m *made) *made { return referring(m, fmt.Sprintf("1.2.9.5.%d", 9*i), 1) })
	if _, said = over(t, s, headers, half.write(t)); !strings.Contains(said, "1 of 2 frames refer to images that are not in this series") {
		t.Errorf("references that are not found: %q", said)
	}
}

// The segmentations of the corpus lie over the instances that they name: every pixel of theirs, and no other.
func TestSegmentationsOfTheCorpus(t *testing.T) {
	dir := testfiles.Shared(t, "dicom")
	drew := 0
	for _, row := range tableRows(t, filepath.Join(dir, "manifest.tsv")) {
		if row["modality"] != "SEG" || row["kind"] != "image" || strings.Contains(row["file"], "j2k") && !HasCodecs() {
			continue
		}
		path := filepath.Join(dir, "files", row["file"])
		n, f, err := loadObject(path, OpenFile)
		if err != nil || f.Header().SOPClass != segClass {
			continue
		}
		h := f.Header()
		open := func(string) (Opened, error) { return OpenFile(path) } // the series itself is not there
		var stack review.Stack
		var images []Header
		want := 0
		for i, fr := range h.Frames {
			refs := references(n.items[tagPerFrameGroups][i].first(tagDerivation).items[tagSourceImages])
			if len(refs) == 0 {
				t.Fatalf("%s: frame %d names no image", row["file"], i)
			}
			fr.Path, fr.FileFrame, fr.Index = fmt.Sprint(i), 0, i
			if len(refs[0].frames) > 0 {
				fr.FileFrame = int(refs[0].frames[0]) - 1
			}
			stack.Frames = append(stack.Frames, fr)
			images = append(images, Header{Path: fr.Path, InstanceUID: refs[0].uid, FrameOfReference: h.FrameOfReference})
			for _, v := range frame(t, f, i) {
				want += min(1, int(v))
			}
		}
		got, problems, err := Overlays(context.Background(), stack, images, []string{path}, open)
		if err != nil || len(got) != len(n.items[tagSegments]) || len(problems) != 0 {
			t.Errorf("%s: %d overlays, %v, %v", row["file"], len(got), problems, err)
			continue
		}
		set := 0
		for _, o := range got {
			for _, p := range o.Planes {
				set += p.Set
			}
		}
		if set != want || want == 0 {
			t.Errorf("%s: %d pixels are drawn, want %d", row["file"], set, want)
		}
		drew++
	}
	if drew < 5 {
		t.Errorf("only %d segmentations were drawn", drew)
	}
}

// FuzzObject bends files that draw.
func FuzzObject(f *testing.F) {
	f.Add(structureOf(inSpace, func(m *made) []*made {
		return []*made{contour(m, "", "CLOSED_PLANAR", `102\204\5\104\204\5\104\208\5`)}
	}).bytes())
	f.Add(reportOf(func(m *made) []*made { return []*made{scoord(m, "1.2.9.5.1", "ELLIPSE", 2, 5, 6, 5, 4, 4, 4, 6)} }).bytes())
	f.Add(segmentationOf("BINARY", 1, 1, make([]byte, 10), func(i int, m *made) *made { return referring(m, "1.2.9.5.2", 1) }).bytes())
	s, headers := slices3(f, nil)
	f.Fuzz(func(t *testing.T, b []byte) {
		open := func(path string) (Opened, error) {
			if path != "object" {
				return OpenFile(path)
			}
			return Opened{bytes.NewReader(b), int64(len(b)), func() error { return nil }}, nil
		}
		got, _, err := Overlays(context.Background(), s, headers, []string{"object"}, open)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range got {
			for _, r := range o.Regions {
				if fault := r.Fault(len(s.Frames)); fault != "" {
					t.Fatalf("%s: %+v", fault, r)
				}
			}
			for _, p := range o.Planes {
				if len(p.Data) != p.Rows*p.Columns || p.Frame < 0 || p.Frame >= len(s.Frames) {
					t.Fatalf("plane of %d bytes", len(p.Data))
				}
			}
		}
	})
}

// As pydicom's overlay_array finds it: 323 pixels between column 46, row 136 and column 434, row 422.
func TestOverlayPlanesOfTheCorpus(t *testing.T) {
	f, err := Load(testfiles.Shared(t, "dicom", "files", "pydicom-data__MR-SIEMENS-DICOM-WithOverlays.dcm"))
	if err != nil {
		t.Fatal(err)
	}
	planes, labels, err := f.drawn60(context.Background(), 0)
	if err != nil || len(planes) != 1 || planes[0].Set != 323 || !slices.Equal(planes[0].Box(), []int{46, 136, 434, 422}) {
		t.Errorf("%d planes %q, %v", len(planes), labels, err)
	}
}
