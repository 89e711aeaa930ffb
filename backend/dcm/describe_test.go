package dcm

import (
	"encoding/binary"
	"reflect"
	"testing"

	"plumbline/backend/review"
)

func TestWindowsAndTransformsOfAFile(t *testing.T) {
	for _, uid := range []string{implicitLittleUID, explicitLittleUID, explicitBigUID} {
		m := make10(uid).image(1, 2, 1, 16, 12, false, "MONOCHROME1")
		m.text(tagWindowCenter, "DS", `450\200`).text(tagWindowWidth, "DS", `790\0`).text(tagWindowExplanation, "LO", `A\B`)
		m.text(tagSlope, "DS", "2").text(tagIntercept, "DS", "-1024").text(tagPixelSpacing, "DS", `0.5\0.25`).us(tagPadding, 0xF000)
		m.text(tagPosition, "DS", `1\2\3`).text(tagOrientation, "DS", `1\0\0\0\1\0`).text(tagLossy, "CS", "01")
		f := m.native("OW", words(m.order, 1, 2)).load(t).Header().Frames[0]
		padding := float64(0xF000)
		want := review.Frame{
			Rows: 1, Columns: 2, Samples: 1, BitsAllocated: 16, BitsStored: 12, Photometric: "MONOCHROME1", TransferSyntax: uid, Lossy: true,
			Slope: 2, Intercept: -1024, Unit: "HU", Windows: []review.Window{{Center: 450, Width: 790, Explanation: "A"}}, VOIFunction: "LINEAR",
			SpacingMM: []float64{.5, .25}, SpacingSource: "PixelSpacing", Position: []float64{1, 2, 3}, Orientation: []float64{1, 0, 0, 0, 1, 0},
			Padding: &padding, Invert: true,
		}
		if !reflect.DeepEqual(f, want) {
			t.Errorf("%s:\n%+v, want\n%+v", uid, f, want)
		}
	}
}

func TestWindowsThatAreNone(t *testing.T) {
	for name, c := range map[string]struct {
		center, width string
		want          int
	}{
		"empty": {"", "", 0}, "no width": {"40", "", 0}, "width 0": {"0", "0", 0}, "negative": {"40", "-3", 0}, "words": {"a", "b", 0},
		"second empty": {`450\`, `790\`, 1}, "more centres": {`450\40`, `790`, 1}, "below 1": {".5", ".4", 1},
	} {
		m := make10(explicitLittleUID).image(1, 1, 1, 16, 16, false, "MONOCHROME2").text(tagWindowCenter, "DS", c.center).text(tagWindowWidth, "DS", c.width)
		f := m.native("OW", words(m.order, 1)).load(t).Header().Frames[0]
		if len(f.Windows) != c.want || f.WindowComputed != (c.want == 0) {
			t.Errorf("%s: windows %v, computed %v", name, f.Windows, f.WindowComputed)
		}
	}
}

func TestFunctionalGroupsReachTheirFrames(t *testing.T) {
	m := make10(explicitLittleUID).image(1, 1, 1, 16, 16, false, "MONOCHROME2").text(tagNumberOfFrames, "IS", "2")
	measures := m.item().text(tagPixelSpacing, "DS", `2\3`)
	plane := m.item().text(tagOrientation, "DS", `1\0\0\0\1\0`)
	shared := m.item().sequence(tagPlaneOrientation, plane).sequence(tagPixelMeasures, measures)
	perFrame := func(z, center string) *made {
		return m.item().sequence(tagPlanePosition, m.item().text(tagPosition, "DS", `0\0\`+z)).
			sequence(tagFrameVOI, m.item().text(tagWindowCenter, "DS", center).text(tagWindowWidth, "DS", "200")).
			sequence(tagPixelTransformation, m.item().text(tagIntercept, "DS", "-"+center).text(tagSlope, "DS", "1"))
	}
	m.sequence(tagSharedGroups, shared).sequence(tagPerFrameGroups, perFrame("0", "100"), perFrame("5", "600"))
	frames := m.native("OW", words(m.order, 1, 2)).load(t).Header().Frames
	for i, want := range []struct{ z, center float64 }{{0, 100}, {5, 600}} {
		f := frames[i]
		if f.Position[2] != want.z || f.Windows[0].Center != want.center || f.Intercept != -want.center || f.SpacingMM[1] != 3 || f.Unit != "HU" {
			t.Errorf("frame %d: %+v", i, f)
		}
	}
}

func TestLookupTables(t *testing.T) {
	m := make10(explicitLittleUID).image(1, 1, 1, 8, 8, false, "MONOCHROME2")
	lut := func(first, bits int, data ...int) *made {
		return m.item().us(tagLUTDescriptor, len(data), first, bits).text(tagLUTExplanation, "LO", "X").text(tagModalityLUTType, "LO", "OD").
			put(tagLUTData, "OW", words(binary.LittleEndian, data...))
	}
	m.sequence(tagModalityLUT, lut(5, 16, 10, 20, 30)).sequence(tagVOILUT, lut(0, 8, 0, 255), lut(0, 17, 1))
	f := m.native("OB", []byte{1, 0}).load(t).Header().Frames[0]
	if want := (&review.LUT{First: 5, Bits: 16, Data: []uint16{10, 20, 30}, Explanation: "X", Unit: "OD"}); !reflect.DeepEqual(f.ModalityLUT, want) {
		t.Errorf("modality table %+v", f.ModalityLUT)
	}
	if len(f.VOILUTs) != 1 || f.VOILUTs[0].Bits != 8 || f.Unit != "OD" || f.WindowComputed {
		t.Errorf("frame %+v", f)
	}
}

func TestSegmentedPalette(t *testing.T) {
	m := make10(explicitLittleUID).image(1, 1, 1, 8, 8, false, "PALETTE COLOR")
	// Discrete 1,2; linear to 10 in 4; then the first segment again.
	segments := words(binary.LittleEndian, 0, 2, 1, 2, 1, 4, 10, 2, 1, 0, 0)
	for _, d := range []tag{tagRedDescriptor, tagGreenDescriptor, tagBlueDescriptor} {
		m.us(d, 8, 0, 16)
	}
	for _, d := range []tag{tagRedSegmented, tagGreenSegmented, tagBlueSegmented} {
		m.put(d, "OW", segments)
	}
	p := m.native("OB", []byte{1, 0}).load(t).Header().Frames[0].Palette
	if p == nil || !reflect.DeepEqual(p.Green.Data, []uint16{1, 2, 4, 6, 8, 10, 1, 2}) {
		t.Errorf("palette %+v", p)
	}
}

func TestSpacingIsNotGuessed(t *testing.T) {
	tests := []struct {
		name   string
		file   func(*made)
		want   []float64
		source string
	}{
		{"none", func(*made) {}, nil, ""},
		{"zero", func(m *made) { m.text(tagPixelSpacing, "DS", `0.2\0`) }, nil, ""},
		{"three values", func(m *made) { m.text(tagPixelSpacing, "DS", `0.2\0\0.2`) }, nil, ""},
		{"at the detector", func(m *made) { m.text(tagImagerSpacing, "DS", `0.1\0.1`) }, []float64{.1, .1}, "ImagerPixelSpacing"},
		{"in the patient first", func(m *made) { m.text(tagImagerSpacing, "DS", `0.1\0.1`).text(tagPixelSpacing, "DS", `0.3\0.4`) }, []float64{.3, .4}, "PixelSpacing"},
	}
	for _, c := range tests {
		m := make10(explicitLittleUID).image(1, 1, 1, 8, 8, false, "MONOCHROME2")
		c.file(m)
		f := m.native("OB", []byte{1, 0}).load(t).Header().Frames[0]
		if !reflect.DeepEqual(f.SpacingMM, c.want) || f.SpacingSource != c.source {
			t.Errorf("%s: %v from %q", c.name, f.SpacingMM, f.SpacingSource)
		}
	}
}
