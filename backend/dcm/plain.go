package dcm

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"plumbline/backend/review"
)

// Plain says what a plain image is called. Everything else in it is made of its frames: nothing of another file is copied, so nothing that
// a file may hold beside its picture comes along.
type Plain struct {
	Modality                                           string
	StudyUID, SeriesUID, InstanceUID, FrameOfReference string
	Number                                             int  // its place in the series, from 1
	Synthetic                                          bool // the phantom's own mark
}

// IsPicture tells a frame of a file of one picture (PNG, JPEG, WebP, BMP), which WritePicture writes, from one of another file.
func IsPicture(f review.Frame) bool {
	switch f.TransferSyntax {
	case kindPNG, kindJPEG, kindWebP, kindBMP:
		return true
	}
	return false
}

// WritePlain writes frames of one size and layout as a DICOM file that shows the same: what review.Frame says of them, the samples, and no
// more. Where samples is shorter than frames the pixels are cut short there: a frame that could not be decoded cannot be shown in the plain
// file either. Words are kept only where they are of a closed list (units, names of windows).
func WritePlain(w io.Writer, p Plain, frames []review.Frame, samples []review.Samples) error {
	if len(frames) == 0 {
		return fmt.Errorf("write DICOM: at least one frame expected")
	}
	f := frames[0]
	out := WriteImage{SOPClass: plainClass(f, len(frames)), InstanceUID: p.InstanceUID, Tags: p.tags(frames), Pixels: plainPixels(samples)}
	tag, vr := uint32(pixelDataTag), "OW"
	switch {
	case f.Float && f.BitsAllocated == 32:
		tag, vr = uint32(tagFloatPixels), "OF"
	case f.Float:
		tag, vr = uint32(tagDoublePixels), "OD"
	case f.BitsAllocated <= 8:
		vr = "OB"
	}
	return writeElements(w, out, tag, vr)
}

// plainClass gives the SOP class: secondary capture, since that is what a rewritten image is (PS3.3 A.8).
func plainClass(f review.Frame, frames int) string {
	const capture = "1.2.840.10008.5.1.4.1.1.7"
	switch {
	case frames == 1:
		return capture
	case f.BitsAllocated == 1:
		return capture + ".1"
	case f.Samples == 3:
		return capture + ".4"
	case f.BitsAllocated == 8:
		return capture + ".2"
	}
	return capture + ".3"
}

// plainPixels puts samples behind each other; single bits without a gap.
func plainPixels(samples []review.Samples) []byte {
	var out []byte
	bits := 0
	for _, s := range samples {
		if s.BitsAllocated != 1 {
			out = append(out, s.Data...)
			continue
		}
		for _, v := range s.Data {
			if bits%8 == 0 {
				out = append(out, 0)
			}
			out[bits/8] |= v & 1 << (bits % 8)
			bits++
		}
	}
	return out
}

// tags gives every attribute beside the pixels.
func (p Plain) tags(frames []review.Frame) []WriteTag {
	f := frames[0]
	alike := likeFirst(frames)
	t := tagList{}
	t.text(tagModality, "CS", word(p.Modality, 16))
	if p.Synthetic {
		t.text(tagManufacturer, "LO", SyntheticMark)
	}
	if f.DurationMS > 0 {
		t.numbers(tagFrameTime, f.DurationMS)
	}
	if alike {
		t.spacing(f)
	}
	if f.ExifOrientation > 1 && f.ExifOrientation <= 8 {
		t.text(tagOwner, "LO", ownName)
		t.short(tagTurn, f.ExifOrientation)
	}
	t.text(tagStudyUID, "UI", p.StudyUID)
	t.text(tagSeriesUID, "UI", p.SeriesUID)
	t.text(tagInstanceNumber, "IS", strconv.Itoa(p.Number))
	if len(f.PatientOrientation) == 2 {
		t.text(tagPatientOrientation, "CS", side(f.PatientOrientation[0])+`\`+side(f.PatientOrientation[1]))
	}
	if alike {
		t.numbers(tagPosition, f.Position...)
		t.numbers(tagOrientation, f.Orientation...)
	}
	t.text(tagFrameOfReference, "UI", p.FrameOfReference)
	t.pixels(f, len(frames))
	if alike {
		t.windows(f)
		t.transform(f)
	}
	if f.Lossy {
		t.text(tagLossy, "CS", "01")
	} else {
		t.text(tagLossy, "CS", "00")
	}
	if f.Invert && f.Photometric != "MONOCHROME1" {
		t.text(tagPresentationLUTShape, "CS", "INVERSE")
	}
	if !alike {
		items := [][]WriteTag{}
		for _, f := range frames {
			items = append(items, groupOf(f))
		}
		t.add(WriteTag{Tag: uint32(tagPerFrameGroups), VR: "SQ", Items: items})
	}
	return t.sorted()
}

// likeFirst tells whether what may differ from frame to frame does not.
func likeFirst(frames []review.Frame) bool {
	for _, f := range frames[1:] {
		a := frames[0]
		if !slices.Equal(f.Position, a.Position) || !slices.Equal(f.Orientation, a.Orientation) || !slices.Equal(f.SpacingMM, a.SpacingMM) ||
			f.Slope != a.Slope || f.Intercept != a.Intercept || !slices.Equal(f.Windows, a.Windows) {
			return false
		}
	}
	return true
}

// groupOf gives the functional groups of a frame (PS3.3 C.7.6.16).
func groupOf(f review.Frame) []WriteTag {
	t := tagList{}
	group := func(tag tag, fill func(*tagList)) {
		inner := tagList{}
		if fill(&inner); len(inner) > 0 {
			t.add(WriteTag{Tag: uint32(tag), VR: "SQ", Items: [][]WriteTag{inner.sorted()}})
		}
	}
	group(tagPlanePosition, func(t *tagList) { t.numbers(tagPosition, f.Position...) })
	group(tagPlaneOrientation, func(t *tagList) { t.numbers(tagOrientation, f.Orientation...) })
	group(tagPixelMeasures, func(t *tagList) { t.numbers(tagPixelSpacing, f.SpacingMM...) })
	group(tagFrameVOI, func(t *tagList) { t.windows(f) })
	group(tagPixelTransformation, func(t *tagList) { t.transform(f) })
	return t.sorted()
}

// tagList gathers attributes in any order.
type tagList []WriteTag

func (t *tagList) add(w WriteTag) { *t = append(*t, w) }

func (t tagList) sorted() []WriteTag {
	slices.SortFunc(t, func(a, b WriteTag) int { return int(int64(a.Tag) - int64(b.Tag)) })
	return t
}

func (t *tagList) text(tag tag, vr, value string) {
	if value != "" {
		t.add(WriteTag{Tag: uint32(tag), VR: vr, Value: value})
	}
}

func (t *tagList) short(tag tag, values ...int) {
	texts := []string{}
	for _, v := range values {
		texts = append(texts, strconv.Itoa(v))
	}
	t.text(tag, "US", strings.Join(texts, `\`))
}

func (t *tagList) numbers(tag tag, values ...float64) {
	texts := []string{}
	for _, v := range values {
		texts = append(texts, decimalString(v))
	}
	t.text(tag, "DS", strings.Join(texts, `\`))
}

// decimalString writes a number in the 16 characters of a DS, as exactly as they allow.
func decimalString(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	for digits := 15; len(s) > 16 && digits > 0; digits-- {
		s = strconv.FormatFloat(v, 'g', digits, 64)
	}
	return s
}

// pixels describes how the samples are stored.
func (t *tagList) pixels(f review.Frame, frames int) {
	signed := 0
	if f.Signed {
		signed = 1
	}
	t.short(tagSamples, f.Samples)
	t.text(tagPhotometric, "CS", plainPhotometric(f))
	if f.Samples > 1 {
		t.short(tagPlanar, 0)
	}
	if frames > 1 {
		t.text(tagNumberOfFrames, "IS", strconv.Itoa(frames))
	}
	t.short(tagRows, f.Rows)
	t.short(tagColumns, f.Columns)
	if a := f.PixelAspect; len(a) == 2 && a[0] == math.Trunc(a[0]) && a[1] == math.Trunc(a[1]) {
		t.text(tagPixelAspect, "IS", strconv.Itoa(int(a[0]))+`\`+strconv.Itoa(int(a[1])))
	}
	t.short(tagBitsAllocated, f.BitsAllocated)
	if !f.Float {
		t.short(tagBitsStored, f.BitsStored)
		t.short(tagHighBit, f.BitsStored-1)
		t.short(tagPixelRepresentation, signed)
		t.padding(tagPadding, f.Padding, f.Signed)
		t.padding(tagPaddingLimit, f.PaddingLimit, f.Signed)
	}
	if p := f.Palette; p != nil {
		for _, c := range []struct {
			descriptor, data tag
			lut              review.LUT
		}{{tagRedDescriptor, tagRedData, p.Red}, {tagGreenDescriptor, tagGreenData, p.Green}, {tagBlueDescriptor, tagBlueData, p.Blue}} {
			t.table(c.descriptor, c.data, c.lut)
		}
	}
}

// plainPhotometric names the colours of decoded samples. The codestream of YBR_ICT and YBR_RCT undid them; chroma that pixels shared was
// given to each.
func plainPhotometric(f review.Frame) string {
	switch f.Photometric {
	case "YBR_ICT", "YBR_RCT":
		return "RGB"
	case "YBR_FULL_422":
		return "YBR_FULL"
	case "YBR_PARTIAL_422":
		return "YBR_PARTIAL_420" // of the two names for this range the one that does not say how native samples lie
	}
	return word(f.Photometric, 16)
}

func (t *tagList) padding(tag tag, v *float64, signed bool) {
	if v == nil || *v != math.Trunc(*v) || *v < math.MinInt16 || *v > math.MaxUint16 || signed && *v > math.MaxInt16 {
		return
	}
	vr := "US"
	if signed || *v < 0 {
		vr = "SS"
	}
	t.text(tag, vr, strconv.Itoa(int(*v)))
}

func (t *tagList) table(descriptor, data tag, l review.LUT) {
	raw := []byte{}
	for _, v := range l.Data {
		raw = binary.LittleEndian.AppendUint16(raw, v)
	}
	t.short(descriptor, len(l.Data)&0xFFFF, int(uint16(l.First)), l.Bits)
	t.add(WriteTag{Tag: uint32(data), VR: "OW", Raw: raw})
}

// spacing writes the distance of pixels where it came from.
func (t *tagList) spacing(f review.Frame) {
	if len(f.SpacingMM) != 2 {
		return
	}
	switch f.SpacingSource {
	case "ImagerPixelSpacing":
		t.numbers(tagImagerSpacing, f.SpacingMM...)
	case "NominalScannedPixelSpacing":
		t.numbers(tagNominalSpacing, f.SpacingMM...)
	case "SequenceOfUltrasoundRegions":
		inner := tagList{}
		inner.short(tagUnitsX, 3) // centimetres
		inner.short(tagUnitsY, 3)
		inner.double(tagDeltaX, f.SpacingMM[1]/10)
		inner.double(tagDeltaY, f.SpacingMM[0]/10)
		t.add(WriteTag{Tag: uint32(tagUltrasoundRegions), VR: "SQ", Items: [][]WriteTag{inner.sorted()}})
	default:
		t.numbers(tagPixelSpacing, f.SpacingMM...)
	}
}

func (t *tagList) double(tag tag, v float64) {
	t.add(WriteTag{Tag: uint32(tag), VR: "FD", Raw: binary.LittleEndian.AppendUint64(nil, math.Float64bits(v))})
}

// windows writes windows and VOI lookup tables.
func (t *tagList) windows(f review.Frame) {
	centers, widths, names := []float64{}, []float64{}, []string{}
	for _, w := range f.Windows {
		centers, widths, names = append(centers, w.Center), append(widths, w.Width), append(names, listed(w.Explanation, windowNames))
	}
	t.numbers(tagWindowCenter, centers...)
	t.numbers(tagWindowWidth, widths...)
	if strings.Trim(strings.Join(names, ""), " ") != "" {
		t.text(tagWindowExplanation, "LO", strings.Join(names, `\`))
	}
	if f.VOIFunction != "" && f.VOIFunction != "LINEAR" {
		t.text(tagVOIFunction, "CS", word(f.VOIFunction, 16))
	}
	items := [][]WriteTag{}
	for _, l := range f.VOILUTs {
		inner := tagList{}
		inner.table(tagLUTDescriptor, tagLUTData, l)
		inner.text(tagLUTExplanation, "LO", listed(l.Explanation, windowNames))
		items = append(items, inner.sorted())
	}
	if len(items) > 0 {
		t.add(WriteTag{Tag: uint32(tagVOILUT), VR: "SQ", Items: items})
	}
}

// transform writes the way from stored to modality values.
func (t *tagList) transform(f review.Frame) {
	unit := listed(f.Unit, units)
	if l := f.ModalityLUT; l != nil {
		inner := tagList{}
		inner.table(tagLUTDescriptor, tagLUTData, *l)
		inner.text(tagModalityLUTType, "LO", unit)
		t.add(WriteTag{Tag: uint32(tagModalityLUT), VR: "SQ", Items: [][]WriteTag{inner.sorted()}})
		return
	}
	if f.Slope != 1 || f.Intercept != 0 || unit != "" {
		t.numbers(tagIntercept, f.Intercept)
		t.numbers(tagSlope, f.Slope)
		t.text(tagRescaleType, "LO", unit)
	}
}

// windowNames and units are the words that a file may say of its values. Anything else in their place could be a name.
const (
	windowNames = "LUNG BONE BONES BRAIN HEAD SKULL CHEST THORAX ABDOMEN PELVIS SPINE LIVER MEDIASTINUM MEDIASTINAL STROKE BLOOD ANGIO SOFT TISSUE SOFT_TISSUE " +
		"SOFTTISSUE NORMAL DEFAULT STANDARD FULL HARD HARDER SOFTER WIDE NARROW WINDOW WINDOW1 WINDOW2 WINDOW3 WINDOW4 USER USER1 USER2 BREAST " +
		"AUTO ALGO1 ALGO2 ALGO3 VOI LUT GSDF CONTRAST LOW HIGH MEDIUM 1 2 3 4"
	units = "HU HU_MOD OD US MGML Z_EFF ED EDW PCT GY BQML CNTS CM2 CM2ML CPS MLMING MLMINML UMOLMIN UMOLMINML MGMINML UMOLML STDDEV SUV GML UNITLESS NONE " +
		"10^-6MM^2/S MM2/S MS S % MG/ML 1/CM"
)

// listed gives words that are all of a list, else "".
func listed(s, list string) string {
	known := strings.Fields(list)
	for w := range strings.FieldsSeq(strings.ToUpper(s)) {
		if !slices.Contains(known, w) {
			return ""
		}
	}
	return strings.TrimSpace(s)
}

// word gives s where it is a code of capital letters, digits and underscores, else "".
func word(s string, most int) string {
	bad := strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == ' ')
	})
	if bad || len(s) > most {
		return ""
	}
	return s
}

// side gives the letters of a direction in the patient.
func side(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("APLRHF", r) {
			return r
		}
		return -1
	}, s[:min(len(s), 3)])
}
