package dcm

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
)

// tag is group<<16 | element.
type tag uint32

// The attributes this package reads, by group.
const (
	tagRecords              tag = 0x00041220 // of a DICOMDIR
	tagSourceImages         tag = 0x00082112
	tagReferencedInstance   tag = 0x00081155
	tagReferencedFrame      tag = 0x00081160
	tagReferencedSOP        tag = 0x00081199
	tagCodeMeaning          tag = 0x00080104
	tagCodeValue            tag = 0x00080100
	tagDerivation           tag = 0x00089124
	tagConceptName          tag = 0x0040A043
	tagValueType            tag = 0x0040A040
	tagText                 tag = 0x0040A160
	tagConceptCode          tag = 0x0040A168
	tagContent              tag = 0x0040A730
	tagSegmentationType     tag = 0x00620001
	tagSegments             tag = 0x00620002
	tagSegmentNumber        tag = 0x00620004
	tagSegmentLabel         tag = 0x00620005
	tagSegmentIdentity      tag = 0x0062000A
	tagSegmentReference     tag = 0x0062000B
	tagSegmentColour        tag = 0x0062000D
	tagFractionalMaximum    tag = 0x0062000E
	tagGraphicData          tag = 0x00700022
	tagGraphicType          tag = 0x00700023
	tagContourImages        tag = 0x30060016
	tagROIs                 tag = 0x30060020
	tagROINumber            tag = 0x30060022
	tagROIFrame             tag = 0x30060024
	tagROIName              tag = 0x30060026
	tagROIColour            tag = 0x3006002A
	tagROIContours          tag = 0x30060039
	tagContours             tag = 0x30060040
	tagContourType          tag = 0x30060042
	tagContourData          tag = 0x30060050
	tagContourROI           tag = 0x30060084
	tagReferencedFile       tag = 0x00041500
	tagCharacterSet         tag = 0x00080005
	tagImageType            tag = 0x00080008
	tagSOPClass             tag = 0x00080016
	tagInstanceUID          tag = 0x00080018
	tagStudyDate            tag = 0x00080020
	tagAcquisitionTime      tag = 0x00080032
	tagModality             tag = 0x00080060
	tagManufacturer         tag = 0x00080070
	tagStudyDescription     tag = 0x00081030
	tagSeriesDescription    tag = 0x0008103E
	tagOwner                tag = 0x00090010 // of the private group 0009: ownName
	tagTurn                 tag = 0x00091001 // how to show the picture turned, as EXIF numbers it
	tagPatientName          tag = 0x00100010
	tagPatientID            tag = 0x00100020
	tagPatientSex           tag = 0x00100040
	tagPatientAge           tag = 0x00101010
	tagEchoTime             tag = 0x00180081
	tagFrameTime            tag = 0x00181063
	tagTriggerTime          tag = 0x00181060
	tagImagerSpacing        tag = 0x00181164
	tagNominalSpacing       tag = 0x00182010
	tagUltrasoundRegions    tag = 0x00186011
	tagEffectiveEchoTime    tag = 0x00189082
	tagBValue               tag = 0x00189087
	tagEchoSequence         tag = 0x00189114
	tagDiffusion            tag = 0x00189117
	tagCardiac              tag = 0x00189118
	tagUnitsX               tag = 0x00186024
	tagUnitsY               tag = 0x00186026
	tagDeltaX               tag = 0x0018602C
	tagDeltaY               tag = 0x0018602E
	tagStudyUID             tag = 0x0020000D
	tagSeriesUID            tag = 0x0020000E
	tagSeriesNumber         tag = 0x00200011
	tagAcquisitionNumber    tag = 0x00200012
	tagInstanceNumber       tag = 0x00200013
	tagPatientOrientation   tag = 0x00200020
	tagPosition             tag = 0x00200032
	tagOrientation          tag = 0x00200037
	tagFrameOfReference     tag = 0x00200052
	tagTemporalPosition     tag = 0x00200100
	tagStackID              tag = 0x00209056
	tagFrameContent         tag = 0x00209111
	tagPlanePosition        tag = 0x00209113
	tagPlaneOrientation     tag = 0x00209116
	tagTemporalIndex        tag = 0x00209128
	tagCardiacDelay         tag = 0x00209153
	tagFrameAcquisition     tag = 0x00209156
	tagSamples              tag = 0x00280002
	tagPhotometric          tag = 0x00280004
	tagPlanar               tag = 0x00280006
	tagNumberOfFrames       tag = 0x00280008
	tagRows                 tag = 0x00280010
	tagColumns              tag = 0x00280011
	tagPixelSpacing         tag = 0x00280030
	tagPixelAspect          tag = 0x00280034
	tagBitsAllocated        tag = 0x00280100
	tagBitsStored           tag = 0x00280101
	tagHighBit              tag = 0x00280102
	tagPixelRepresentation  tag = 0x00280103
	tagPadding              tag = 0x00280120
	tagPaddingLimit         tag = 0x00280121
	tagBurnedIn             tag = 0x00280301
	tagWindowCenter         tag = 0x00281050
	tagWindowWidth          tag = 0x00281051
	tagIntercept            tag = 0x00281052
	tagSlope                tag = 0x00281053
	tagRescaleType          tag = 0x00281054
	tagWindowExplanation    tag = 0x00281055
	tagVOIFunction          tag = 0x00281056
	tagRedDescriptor        tag = 0x00281101
	tagGreenDescriptor      tag = 0x00281102
	tagBlueDescriptor       tag = 0x00281103
	tagRedData              tag = 0x00281201
	tagGreenData            tag = 0x00281202
	tagBlueData             tag = 0x00281203
	tagRedSegmented         tag = 0x00281221
	tagGreenSegmented       tag = 0x00281222
	tagBlueSegmented        tag = 0x00281223
	tagICC                  tag = 0x00282000
	tagLossy                tag = 0x00282110
	tagModalityLUT          tag = 0x00283000
	tagLUTDescriptor        tag = 0x00283002
	tagLUTExplanation       tag = 0x00283003
	tagModalityLUTType      tag = 0x00283004
	tagLUTData              tag = 0x00283006
	tagVOILUT               tag = 0x00283010
	tagPixelMeasures        tag = 0x00289110
	tagFrameVOI             tag = 0x00289132
	tagPixelTransformation  tag = 0x00289145
	tagPresentationLUTShape tag = 0x20500020
	tagUnits                tag = 0x00541001
	tagGridOffsets          tag = 0x3004000C
	tagDoseScaling          tag = 0x3004000E
	tagSharedGroups         tag = 0x52009229
	tagPerFrameGroups       tag = 0x52009230
	tagExtendedOffsets      tag = 0x7FE00001
	tagExtendedLengths      tag = 0x7FE00002
	tagFloatPixels          tag = 0x7FE00008
	tagDoublePixels         tag = 0x7FE00009
	tagPixels               tag = 0x7FE00010
	tagItem                 tag = 0xFFFEE000
	tagItemEnd              tag = 0xFFFEE00D
	tagSequenceEnd          tag = 0xFFFEE0DD
)

// value is what one element holds, in the form its value representation calls for; the others are empty.
type value struct {
	texts  []string
	ints   []int
	floats []float64
	raw    []byte // of OB, OW, UN and unknown ones
}

// node is a data set, or an item of a sequence: its small elements, and the sequences this package knows.
type node struct {
	order  binary.ByteOrder
	values map[tag]value
	items  map[tag][]*node
}

func newNode(order binary.ByteOrder) *node {
	return &node{order: order, values: map[tag]value{}, items: map[tag][]*node{}}
}

// text gives the first value as text, "" where there is none.
func (n *node) text(t tag) string {
	if v := n.values[t].texts; len(v) > 0 {
		return v[0]
	}
	return ""
}

// numbers gives every value as a number, empty ones at the end left out; nil unless all the others are finite numbers.
func (n *node) numbers(t tag) []float64 {
	v := n.values[t]
	for len(v.texts) > 0 && strings.TrimSpace(v.texts[len(v.texts)-1]) == "" {
		v.texts = v.texts[:len(v.texts)-1]
	}
	out := append([]float64(nil), v.floats...)
	for _, i := range v.ints {
		out = append(out, float64(i))
	}
	for _, s := range v.texts {
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			return nil
		}
		out = append(out, f)
	}
	for _, f := range out {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil
		}
	}
	return out
}

// number gives the first value as a number.
func (n *node) number(t tag) (float64, bool) {
	if v := n.numbers(t); len(v) > 0 {
		return v[0], true
	}
	return 0, false
}

// integer gives the first value as a whole number, or otherwise where there is none.
func (n *node) integer(t tag, otherwise int) int {
	if v, ok := n.number(t); ok && math.Abs(v) < 1<<40 {
		return int(v)
	}
	return otherwise
}

// has tells whether the element is there with a value.
func (n *node) has(t tag) bool {
	v := n.values[t]
	return len(v.texts)+len(v.ints)+len(v.floats)+len(v.raw) > 0
}

// first gives the first item of a sequence, or an empty one.
func (n *node) first(t tag) *node {
	if items := n.items[t]; len(items) > 0 {
		return items[0]
	}
	return newNode(n.order)
}

// words gives the value of a 16-bit or byte element as 16-bit words, whatever its value representation was.
func (n *node) words(t tag) []uint16 {
	v := n.values[t]
	if len(v.raw) > 0 {
		out := make([]uint16, len(v.raw)/2)
		for i := range out {
			out[i] = n.order.Uint16(v.raw[2*i:])
		}
		return out
	}
	out := make([]uint16, len(v.ints))
	for i, x := range v.ints {
		out[i] = uint16(x)
	}
	return out
}

// decode reads the bytes of an element by its value representation.
func decode(order binary.ByteOrder, vr string, b []byte) value {
	each := func(width int, add func([]byte)) {
		for ; len(b) >= width; b = b[width:] {
			add(b)
		}
	}
	var v value
	switch vr {
	case "US":
		each(2, func(b []byte) { v.ints = append(v.ints, int(order.Uint16(b))) })
	case "SS":
		each(2, func(b []byte) { v.ints = append(v.ints, int(int16(order.Uint16(b)))) })
	case "UL":
		each(4, func(b []byte) { v.ints = append(v.ints, int(order.Uint32(b))) })
	case "SL":
		each(4, func(b []byte) { v.ints = append(v.ints, int(int32(order.Uint32(b)))) })
	case "FL":
		each(4, func(b []byte) { v.floats = append(v.floats, float64(math.Float32frombits(order.Uint32(b)))) })
	case "FD":
		each(8, func(b []byte) { v.floats = append(v.floats, math.Float64frombits(order.Uint64(b))) })
	case "OB", "OW", "OF", "OD", "OL", "OV", "UN", "SQ", "AT", "SV", "UV":
		v.raw = append([]byte(nil), b...)
	default:
		v.texts = texts(string(b))
	}
	return v
}

// texts splits a multi-valued text; an empty one has no values.
func texts(s string) []string {
	s = strings.TrimRight(s, " \x00")
	if s == "" {
		return nil
	}
	parts := strings.Split(s, `\`)
	for i := range parts {
		parts[i] = strings.Trim(parts[i], " \x00")
	}
	return parts
}
