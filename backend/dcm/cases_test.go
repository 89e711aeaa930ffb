package dcm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

// Several windows with their explanations, and tables beside them, each in its place of the choice.
func TestEveryWindowKeepsItsExplanation(t *testing.T) {
	m := make10(explicitLittleUID).image(1, 1, 1, 16, 12, false, "MONOCHROME2").text(tagWindowCenter, "DS", `450\200\7`)
	m.text(tagWindowWidth, "DS", `790\443\0`).text(tagWindowExplanation, "LO", `A\B\C`).text(tagVOIFunction, "CS", "LINEAR_EXACT")
	m.text(tagIntercept, "DS", "-1024").text(tagSlope, "DS", "1")
	table := func(first int, vr string) *made {
		return m.item().put(tagLUTDescriptor, vr, words(m.order, 2, first, 8)).put(tagLUTData, "OW", words(m.order, 0, 255)).text(tagLUTExplanation, "LO", "T")
	}
	// A table of modality values begins below zero: as SS, and as US that must be read so.
	m.sequence(tagVOILUT, table(-1000, "SS"), table(-1000, "US"))
	f := m.native("OW", words(m.order, 1)).load(t).Header().Frames[0]
	want := []review.Window{{Center: 450, Width: 790, Explanation: "A"}, {Center: 200, Width: 443, Explanation: "B"}}
	if !slices.Equal(f.Windows, want) || f.VOIFunction != "LINEAR_EXACT" || f.WindowComputed { // D10: every window stays. D11: the width of 0 is none
		t.Errorf("%+v", f)
	}
	if len(f.VOILUTs) != 2 || f.VOILUTs[0].First != -1000 || f.VOILUTs[1].First != -1000 || f.VOILUTs[0].Explanation != "T" {
		t.Errorf("tables %+v", f.VOILUTs)
	}
}

// MONOCHROME1 and an INVERSE presentation each invert; together they invert once.
func TestPresentationShapeInvertsOnce(t *testing.T) {
	for _, c := range []struct {
		photometric, shape string
		want               bool
	}{{"MONOCHROME2", "", false}, {"MONOCHROME2", "IDENTITY", false}, {"MONOCHROME2", "INVERSE", true}, {"MONOCHROME1", "", true}, {"MONOCHROME1", "INVERSE", true}} {
		m := make10(explicitLittleUID).image(1, 1, 1, 8, 8, false, c.photometric)
		if c.shape != "" {
			m.text(tagPresentationLUTShape, "CS", c.shape)
		}
		if f := m.native("OB", []byte{1, 0}).load(t).Header().Frames[0]; f.Invert != c.want { // D05: once
			t.Errorf("%s %s inverts: %v", c.photometric, c.shape, f.Invert)
		}
	}
}

// D08: windows, functions and tables of a functional group are those of its frame alone, and of the shared group those of all.
func TestFunctionalGroupsOfWindows(t *testing.T) {
	m := make10(explicitLittleUID).image(1, 1, 1, 16, 16, false, "MONOCHROME2").text(tagNumberOfFrames, "IS", "3")
	voi := func(f func(*made) *made) *made { return m.item().sequence(tagFrameVOI, f(m.item())) }
	m.sequence(tagSharedGroups, voi(func(g *made) *made { return g.text(tagWindowCenter, "DS", "7").text(tagWindowWidth, "DS", "9") }))
	m.sequence(tagPerFrameGroups,
		voi(func(g *made) *made {
			return g.text(tagWindowCenter, "DS", "100").text(tagWindowWidth, "DS", "200").text(tagVOIFunction, "CS", "SIGMOID")
		}),
		m.item(),
		voi(func(g *made) *made {
			return g.sequence(tagVOILUT, m.item().us(tagLUTDescriptor, 2, 0, 8).put(tagLUTData, "OW", words(m.order, 0, 255)))
		}))
	f := m.native("OW", words(m.order, 1, 2, 3)).load(t).Header().Frames
	if f[0].Windows[0].Center != 100 || f[0].VOIFunction != "SIGMOID" || f[1].Windows[0].Center != 7 || f[1].VOIFunction != "LINEAR" {
		t.Errorf("%+v\n%+v", f[0], f[1])
	}
	if len(f[2].Windows) != 0 || len(f[2].VOILUTs) != 1 || f[2].WindowComputed {
		t.Errorf("a table alone: %+v", f[2])
	}
}

// G04: G05: a spacing that is none is not used; an aspect ratio is no length.
func TestSpacingThatIsNone(t *testing.T) {
	for _, c := range []struct {
		spacing, aspect string
		mm, ratio       []float64
	}{
		{`0.5954\0.5454`, "", []float64{.5954, .5454}, nil}, // G01: rows first
		{`0.2\0\0.20000`, "", nil, nil}, {`0.2`, "", nil, nil}, {`-1\1`, "", nil, nil}, {`x\1`, "", nil, nil}, {`0\0`, `2\1`, nil, []float64{2, 1}},
		{"", `2\1`, nil, []float64{2, 1}}, {"", `0\1`, nil, nil}, {`1\1`, `2\1`, []float64{1, 1}, nil},
	} {
		m := make10(explicitLittleUID).image(1, 1, 1, 8, 8, false, "MONOCHROME2")
		if c.spacing != "" {
			m.text(tagPixelSpacing, "DS", c.spacing)
		}
		if c.aspect != "" {
			m.text(tagPixelAspect, "IS", c.aspect)
		}
		f := m.native("OB", []byte{1, 0}).load(t).Header().Frames[0]
		if !slices.Equal(f.SpacingMM, c.mm) || !slices.Equal(f.PixelAspect, c.ratio) {
			t.Errorf("%q, %q: %v, %v", c.spacing, c.aspect, f.SpacingMM, f.PixelAspect)
		}
	}
}

// G09: volumes of one place become stacks of their own, by whatever tells them apart, and each says by what.
func TestVolumesOfOnePlaceAreToldApart(t *testing.T) {
	at := func(z float64) []float64 { return []float64{0, 0, z} }
	for name, c := range map[string]struct {
		mark func(h *Header, volume int)
		want string
	}{
		"acquisition": {func(h *Header, v int) { h.AcquisitionNumber = v + 1 }, "acquisition number 2"},
		"time":        {func(h *Header, v int) { h.TemporalPosition = v + 1 }, "position in time 2"},
		"echo":        {func(h *Header, v int) { h.EchoTime = []float64{4.6, 9.2}[v] }, "echo time 9.2 ms"},
		"diffusion":   {func(h *Header, v int) { h.BValue = float64(1000 * v) }, "b-value 1000 s/mm²"},
		"heart":       {func(h *Header, v int) { h.TriggerTime = float64(40 * v) }, "trigger time 40 ms"},
		"nothing":     {func(h *Header, v int) {}, "number 2 by order, nothing else tells them apart"},
	} {
		var headers []Header
		for i := range 6 {
			h := slice(fmt.Sprint(i), i, at(float64(5*(i%3))), axial)
			c.mark(&h, i/3)
			headers = append(headers, h)
		}
		stacks := Group(headers)
		if len(stacks) != 2 || paths(stacks[1]) != "3 4 5" || !slices.Contains(stacks[1].Reasons, "one of 2 volumes of the same places: "+c.want) {
			t.Errorf("%s: %d stacks, %q", name, len(stacks), stacks[len(stacks)-1].Reasons)
		}
	}
	var headers []Header // two times of two echoes
	for i := range 8 {
		h := slice(fmt.Sprint(i), i, at(float64(5*(i%2))), axial)
		h.EchoTime, h.TemporalPosition = float64(1+i/2%2), 1+i/4
		headers = append(headers, h)
	}
	stacks := Group(headers)
	if len(stacks) != 4 || !slices.Contains(stacks[3].Reasons, "one of 4 volumes of the same places: position in time 2, echo time 2 ms") {
		t.Errorf("%d stacks, %q", len(stacks), stacks[len(stacks)-1].Reasons)
	}
}

// An enhanced multi-frame file says of each frame what it is.
func TestVolumesInOneEnhancedFile(t *testing.T) {
	m := make10(explicitLittleUID).image(1, 1, 1, 16, 16, false, "MONOCHROME2").text(tagNumberOfFrames, "IS", "4")
	m.sequence(tagSharedGroups, m.item().sequence(tagPlaneOrientation, m.item().text(tagOrientation, "DS", `1\0\0\0\1\0`)))
	var items []*made
	for i := range 4 {
		b := binary.LittleEndian.AppendUint64(nil, math.Float64bits(float64(800*(i%2))))
		items = append(items, m.item().sequence(tagPlanePosition, m.item().text(tagPosition, "DS", fmt.Sprintf(`0\0\%d`, 5*(i/2)))).
			sequence(tagDiffusion, m.item().put(tagBValue, "FD", b)).
			sequence(tagFrameContent, m.item().text(tagStackID, "SH", "1")))
	}
	f := m.sequence(tagPerFrameGroups, items...).native("OW", words(m.order, 1, 2, 3, 4)).load(t)
	stacks := Group([]Header{f.Header()})
	if len(stacks) != 2 || stacks[1].Frames[0].FileFrame != 1 || stacks[1].Frames[1].FileFrame != 3 || stacks[1].Kind != review.Volume ||
		!slices.Contains(stacks[1].Reasons, "one of 2 volumes of the same places: b-value 800 s/mm²") {
		t.Errorf("%d stacks: %+v", len(stacks), stacks)
	}
}

// G12: what does not belong into a volume stands apart, and says why.
func TestStacksOfASeriesSayWhyTheyAreApart(t *testing.T) {
	at := func(z float64) []float64 { return []float64{0, 0, z} }
	scout := slice("l", 0, at(0), []float64{1, 0, 0, 0, 0, -1})
	scout.Localizer = true
	stacks := Group([]Header{scout, slice("a", 1, at(0), axial), slice("b", 2, at(5), axial), slice("c", 3, at(10), axial)})
	if len(stacks) != 2 || paths(stacks[0]) != "a b c" || !strings.Contains(stacks[1].Reasons[0], "a localizer") ||
		!strings.Contains(strings.Join(stacks[0].Reasons, " "), "one of 2 stacks of a series") {
		t.Errorf("%d stacks: %+v", len(stacks), stacks)
	}
	var headers []Header // thin slices, then thick ones: one scroll, no planes across
	for i, z := range []float64{0, 2.5, 5, 7.5, 12.5, 17.5, 22.5} {
		headers = append(headers, slice(fmt.Sprint(i), i, at(z), axial))
	}
	g := Measure(Group(headers)[0].Frames)
	if g.MPR || len(g.Reasons) != 1 || g.Reasons[0] != "the distance of planes changes: 2.50 mm in frames 1 to 4, 5.00 mm in frames 4 to 7" {
		t.Errorf("%+v", g)
	}
}

// G13: 48 slices of a tilted gantry.
func TestTiltOfAWholeHead(t *testing.T) {
	angle := 13.5 * math.Pi / 180
	var headers []Header
	for i := range 48 {
		headers = append(headers, slice(fmt.Sprint(i), i, []float64{0, 0, 5 * float64(i)}, []float64{1, 0, 0, 0, math.Cos(angle), math.Sin(angle)}))
	}
	stacks := Group(headers)
	g := Measure(stacks[0].Frames)
	if len(stacks) != 1 || g.MPR || math.Abs(g.TiltDeg-13.5) > 1e-6 || math.Abs(g.SpacingMM[2]-4.8618) > 5e-5 || math.Abs(g.ShearMM-1.1672) > 5e-5 ||
		math.Abs(47*g.ShearMM-54.86) > .005 || g.Reasons[0] != "gantry tilt 13.5°: frames are shifted by 1.17 mm each" {
		t.Errorf("%+v", g)
	}
	a, b := stacks[0].Frames[0].Position, stacks[0].Frames[1].Position
	if d := math.Hypot(a[1]-b[1], a[2]-b[2]); math.Abs(d-5) > 1e-9 {
		t.Errorf("the same pixel of neighbours is %g mm apart", d)
	}
}

// Native YBR shares its chroma between two pixels; its values stay as stored.
func TestSharedChromaIsGivenToBothPixels(t *testing.T) {
	m := make10(explicitLittleUID).image(1, 2, 3, 8, 8, false, "YBR_FULL_422")
	f := m.native("OB", []byte{76, 166, 85, 255}).load(t) // Y1 Y2 Cb Cr
	if got := frame(t, f, 0); !bytes.Equal(got, []byte{76, 85, 255, 166, 85, 255}) {
		t.Errorf("samples %v", got)
	}
}

// D23: a frame that is cut short says by how much; a report is no image and not broken.
func TestCutShortSaysByHowMuch(t *testing.T) {
	whole := make10(explicitLittleUID).image(4, 4, 1, 16, 16, false, "MONOCHROME2").native("OW", make([]byte, 32)).bytes()
	f, err := Load(writeFile(t, "a.dcm", whole[:len(whole)-11]))
	if err != nil || f.Header().Frames[0].Problem != "pixel data cut short: 21 of 32 bytes" {
		t.Errorf("%v, %+v", err, f.Header().Frames)
	}
	report, err := Load(reportOf(func(m *made) []*made { return nil }).write(t))
	if err != nil || report.Header().HasPixels {
		t.Errorf("a report: %v, %+v", err, report)
	}
}

// D20: D22: pixels that pydicom's own tests name, and colour JPEG-LS that is the same however its components lie.
func TestKnownPixelsOfTheCorpus(t *testing.T) {
	file := func(name string) []byte {
		f, err := Load(testfiles.Shared(t, "dicom", "files", name))
		if err != nil {
			t.Fatal(err)
		}
		return frame(t, f, 0)
	}
	f, err := Load(testfiles.Shared(t, "dicom", "files", "pydicom__JPGExtended.dcm"))
	if err != nil {
		t.Fatal(err)
	}
	columns, got := f.Header().Frames[0].Columns, frame(t, f, 0)
	for _, c := range [][3]int{{420, 140, 244}, {230, 120, 95}} {
		if v := int(binary.LittleEndian.Uint16(got[2*(c[0]*columns+c[1]):])); v != c[2] {
			t.Errorf("JPEG of 12 bits at row %d, column %d is %d, want %d", c[0], c[1], v, c[2])
		}
	}
	if !bytes.Equal(file("pydicom-data__JLSL_RGB_ILV0.dcm"), file("pydicom-data__JLSL_RGB_ILV2.dcm")) {
		t.Error("JPEG-LS by planes and by pixels differ")
	}
}

func TestAColourProfileIsNoted(t *testing.T) {
	for photometric, want := range map[string]int{"RGB": 1, "MONOCHROME2": 0} {
		samples := 1 + 2*want
		m := make10(explicitLittleUID).image(1, 2, samples, 8, 8, false, photometric).put(tagICC, "OB", make([]byte, 3000))
		if notes := m.native("OB", make([]byte, 2*samples)).load(t).Header().Notes; len(notes) != want {
			t.Errorf("%s has notes %q", photometric, notes)
		}
	}
}

// D17: D19: a codestream that calls itself unsigned holds the bits of signed samples; the sign is that of the bits stored.
func TestSignsAreThoseOfTheBitsStored(t *testing.T) {
	for _, c := range []struct {
		allocated, stored int
		words             []int
		want              []int
	}{
		{16, 13, []int{0x1830, 621, 0x1FFF, 0x1000}, []int{-2000, 621, -1, -4096}},
		{8, 7, []int{0x7F, 0x40, 0x3F, 0}, []int{-1, -64, 63, 0}},
	} {
		p := pixelSpec{rows: 1, columns: 4, samples: 1, frames: 1, allocated: c.allocated, stored: c.stored, high: c.stored - 1, signed: true, photometric: "MONOCHROME2"}
		var in []byte
		for _, w := range c.words {
			in = append(in, words(binary.LittleEndian, w)[:c.allocated/8]...)
		}
		s, err := p.fit(unpacked{data: in})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			got := int(int8(s.Data[i]))
			if c.allocated == 16 {
				got = int(int16(binary.LittleEndian.Uint16(s.Data[2*i:])))
			}
			if got != want {
				t.Errorf("%d bits: %#x is %d, want %d", c.stored, c.words[i], got, want)
			}
		}
	}
}
