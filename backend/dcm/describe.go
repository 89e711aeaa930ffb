package dcm

import (
	"strings"

	"plumbline/backend/review"
)

// describe puts what a data set or a functional group says into a frame.
type describe struct {
	spec     pixelSpec
	modality string
}

// apply reads the attributes at the root of a data set.
func (d describe) apply(f *review.Frame, n *node) {
	d.transform(f, n)
	d.windows(f, n)
	d.spacing(f, n)
	d.place(f, n)
	if f.Unit == "" && d.modality == "CT" && f.ModalityLUT == nil && n.has(tagIntercept) {
		f.Unit = "HU"
	}
	if f.Unit == "" && d.modality == "PT" {
		f.Unit = n.text(tagUnits)
	}
	if scale, ok := n.number(tagDoseScaling); ok && scale > 0 {
		f.Slope, f.Intercept, f.Unit = scale, 0, "Gy"
	}
	if v := n.numbers(tagPixelAspect); len(v) == 2 && v[0] > 0 && v[1] > 0 && f.SpacingMM == nil {
		f.PixelAspect = v
	}
	if v := n.values[tagPatientOrientation].texts; len(v) == 2 && f.Orientation == nil {
		f.PatientOrientation = []string{strings.TrimSpace(v[0]), strings.TrimSpace(v[1])}
	}
}

// groups reads the functional groups of one frame, or those that all share (PS3.3 C.7.6.16).
func (d describe) groups(f *review.Frame, g *node) {
	if m := g.first(tagPixelMeasures); m.has(tagPixelSpacing) {
		f.SpacingMM, f.SpacingSource = nil, ""
		d.spacing(f, m)
	}
	d.place(f, g.first(tagPlanePosition))
	d.place(f, g.first(tagPlaneOrientation))
	if t := g.first(tagPixelTransformation); t.has(tagSlope) {
		d.transform(f, t)
		if f.Unit == "" && d.modality == "CT" {
			f.Unit = "HU"
		}
	}
	if v := g.first(tagFrameVOI); v.has(tagWindowWidth) || len(v.items[tagVOILUT]) > 0 {
		d.windows(f, v)
	}
}

// transform reads the way from stored to modality values (PS3.3 C.11.1).
func (d describe) transform(f *review.Frame, n *node) {
	if items := n.items[tagModalityLUT]; len(items) > 0 {
		if lut := d.lut(items[0], d.spec.signed); lut != nil {
			lut.Unit = rescaleUnit(items[0].text(tagModalityLUTType))
			f.ModalityLUT, f.Unit = lut, lut.Unit
			return
		}
	}
	if slope, ok := n.number(tagSlope); ok && slope != 0 {
		f.Slope = slope
	}
	if intercept, ok := n.number(tagIntercept); ok {
		f.Intercept = intercept
	}
	if unit := rescaleUnit(n.text(tagRescaleType)); unit != "" {
		f.Unit = unit
	}
}

// rescaleUnit gives the unit of a rescale type; US means unspecified.
func rescaleUnit(s string) string {
	if s = strings.TrimSpace(s); strings.EqualFold(s, "US") {
		return ""
	}
	return s
}

// windows reads the windows and VOI lookup tables (PS3.3 C.11.2). A pair that is incomplete, or of a width that its function does not
// allow, is left out.
func (d describe) windows(f *review.Frame, n *node) {
	centers, widths := n.numbers(tagWindowCenter), n.numbers(tagWindowWidth)
	explain := n.values[tagWindowExplanation].texts
	f.Windows = []review.Window{}
	f.VOIFunction = "LINEAR"
	if fn := strings.TrimSpace(n.text(tagVOIFunction)); fn == "LINEAR_EXACT" || fn == "SIGMOID" {
		f.VOIFunction = fn
	}
	for i := range min(len(centers), len(widths)) {
		w := review.Window{Center: centers[i], Width: widths[i]}
		if i < len(explain) {
			w.Explanation = strings.TrimSpace(explain[i])
		}
		if w.Width > 0 {
			f.Windows = append(f.Windows, w)
		}
	}
	f.VOILUTs = nil
	for _, item := range n.items[tagVOILUT] { // it maps modality values, which go below zero where stored ones do or the intercept takes them there
		if lut := d.lut(item, d.spec.signed || f.ModalityLUT == nil && f.Intercept < 0); lut != nil {
			f.VOILUTs = append(f.VOILUTs, *lut)
		}
	}
}

// spacing reads the distance of pixels. What lies in the plane of the patient comes first; at the detector only where nothing else is known.
func (d describe) spacing(f *review.Frame, n *node) {
	for _, from := range []struct {
		tag  tag
		name string
	}{{tagPixelSpacing, "PixelSpacing"}, {tagImagerSpacing, "ImagerPixelSpacing"}, {tagNominalSpacing, "NominalScannedPixelSpacing"}} {
		if v := n.numbers(from.tag); len(v) == 2 && v[0] > 0 && v[1] > 0 {
			f.SpacingMM, f.SpacingSource = v, from.name
			return
		}
	}
	const centimetres = 3 // of the physical units of an ultrasound region
	if regions := n.items[tagUltrasoundRegions]; len(regions) == 1 {
		r := regions[0]
		x, okX := r.number(tagDeltaX)
		y, okY := r.number(tagDeltaY)
		if okX && okY && x > 0 && y > 0 && r.integer(tagUnitsX, 0) == centimetres && r.integer(tagUnitsY, 0) == centimetres {
			f.SpacingMM, f.SpacingSource = []float64{y * 10, x * 10}, "SequenceOfUltrasoundRegions"
		}
	}
}

// place reads where the frame lies in the patient.
func (d describe) place(f *review.Frame, n *node) {
	if v := n.numbers(tagPosition); len(v) == 3 {
		f.Position = v
	}
	if v := n.numbers(tagOrientation); len(v) == 6 && isPlane(v) {
		f.Orientation = v
	}
}

// shift moves a frame along its normal: the grid of a dose.
func shift(f *review.Frame, offset float64) {
	if f.Position == nil || f.Orientation == nil {
		return
	}
	n := normal(f.Orientation)
	f.Position = []float64{f.Position[0] + n[0]*offset, f.Position[1] + n[1]*offset, f.Position[2] + n[2]*offset}
}

// lut reads a modality or VOI lookup table (PS3.3 C.11.1.1.1); nil where it is damaged.
func (d describe) lut(n *node, signed bool) *review.LUT {
	out := table(n, tagLUTDescriptor, tagLUTData, signed)
	if out != nil {
		out.Explanation = strings.TrimSpace(n.text(tagLUTExplanation))
	}
	return out
}

// table reads a lookup table by its descriptor: number of entries (0 means 65,536), first value mapped, bits of an entry.
func table(n *node, descriptor, data tag, signed bool) *review.LUT {
	d := n.words(descriptor)
	if len(d) != 3 {
		return nil
	}
	entries, words := int(d[0]), n.words(data)
	if entries == 0 {
		entries = 65536
	}
	first := int(d[1])
	if given := n.values[descriptor].ints; signed || len(given) == 3 && given[1] < 0 { // written as SS
		first = int(int16(d[1]))
	}
	bits := int(d[2])
	if bits == 8 && len(words) < entries && 2*len(words) >= entries { // two entries of a byte in each word
		bytes := make([]uint16, 0, 2*len(words))
		for _, w := range words {
			bytes = append(bytes, w&0xFF, w>>8)
		}
		words = bytes
	}
	if bits < 8 || bits > 16 || len(words) < entries {
		return nil
	}
	return &review.LUT{First: first, Bits: bits, Data: words[:entries]}
}

// palette reads the three tables of PALETTE COLOR, plain or segmented; nil where one is missing.
func palette(n *node) *review.Palette {
	var out review.Palette
	for _, c := range []struct {
		to                    *review.LUT
		descriptor, data, seg tag
	}{
		{&out.Red, tagRedDescriptor, tagRedData, tagRedSegmented},
		{&out.Green, tagGreenDescriptor, tagGreenData, tagGreenSegmented},
		{&out.Blue, tagBlueDescriptor, tagBlueData, tagBlueSegmented},
	} {
		signed := n.integer(tagPixelRepresentation, 0) == 1
		lut := table(n, c.descriptor, c.data, signed)
		if lut == nil && n.has(c.seg) {
			lut = segmented(n, c.descriptor, c.seg, signed)
		}
		if lut == nil {
			return nil
		}
		*c.to = *lut
	}
	return &out
}

// segmented expands a segmented palette (PS3.3 C.7.9.2): discrete, linear and indirect segments.
func segmented(n *node, descriptor, data tag, signed bool) *review.LUT {
	d, words := n.words(descriptor), n.words(data)
	if len(d) != 3 {
		return nil
	}
	entries := int(d[0])
	if entries == 0 {
		entries = 65536
	}
	out := expand(nil, words, words, entries, true)
	if len(out) < entries {
		return nil
	}
	first := int(d[1])
	if signed {
		first = int(int16(d[1]))
	}
	return &review.LUT{First: first, Bits: 16, Data: out[:entries]}
}

// expand appends the entries of segments; an indirect segment repeats earlier ones of all and nests no further.
func expand(out, segments, all []uint16, limit int, indirect bool) []uint16 {
	for len(segments) >= 2 && len(out) < limit {
		kind, count := segments[0], int(segments[1])
		rest := segments[2:]
		switch {
		case kind == 0 && len(rest) >= count:
			out, segments = append(out, rest[:count]...), rest[count:]
		case kind == 1 && len(rest) >= 1 && len(out) > 0:
			from, to := float64(out[len(out)-1]), float64(rest[0])
			for i := 1; i <= count; i++ {
				out = append(out, uint16(from+(to-from)*float64(i)/float64(count)+.5))
			}
			segments = rest[1:]
		case kind == 2 && len(rest) >= 2 && indirect:
			at := (int(rest[0]) | int(rest[1])<<16) / 2
			if at < 0 || at > len(all) {
				return out
			}
			part := all[at:]
			out = expand(out, part[:segmentsEnd(part, count)], all, limit, false)
			segments = rest[2:]
		default:
			return out
		}
	}
	return out
}

// segmentsEnd gives the words that count segments take.
func segmentsEnd(words []uint16, count int) int {
	at := 0
	for ; count > 0 && at+1 < len(words); count-- {
		if words[at] == 0 {
			at += 2 + int(words[at+1])
		} else {
			at += 3
		}
	}
	return min(at, len(words))
}
