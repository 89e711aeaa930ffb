package dcm

// drawn gives the value representation of the attributes that are kept of an object which draws over other images, beside those of every
// header: SEG (PS3.3 C.8.20), RTSTRUCT (C.8.8.6) and SR (C.17.3, C.18.6). They are read when overlays are asked for and never for a list.
func drawn(t tag) (string, bool) {
	switch t {
	case tagSourceImages, tagReferencedSOP, tagDerivation, tagConceptName, tagConceptCode, tagContent, tagSegments, tagSegmentIdentity, tagContourImages,
		tagROIs, tagROIContours, tagContours:
		return "SQ", true
	case tagReferencedInstance, tagROIFrame:
		return "UI", true
	case tagReferencedFrame, tagROINumber, tagROIColour, tagContourROI:
		return "IS", true
	case tagCodeMeaning, tagSegmentLabel, tagROIName:
		return "LO", true
	case tagCodeValue:
		return "SH", true
	case tagValueType, tagSegmentationType, tagGraphicType, tagContourType:
		return "CS", true
	case tagText:
		return "UT", true
	case tagSegmentNumber, tagSegmentReference, tagSegmentColour, tagFractionalMaximum:
		return "US", true
	case tagGraphicData:
		return "FL", true
	case tagContourData:
		return "DS", true
	}
	return "", false
}

// representation gives that of an attribute which is kept.
func (w *walker) representation(t tag) (string, bool) {
	if vr, ok := dictionary[t]; ok || !w.objects {
		return vr, ok
	}
	return drawn(t)
}

// isDrawing tells the attributes that hold outlines: any length, within the budget of a header.
func isDrawing(t tag) bool { return t == tagContourData || t == tagGraphicData }

// isOverlay tells the even groups 6000 to 60FE.
func isOverlay(t tag) bool { return t>>24 == 0x60 && t>>16&1 == 0 }

// overlay keeps a small element of an overlay group, and where its bits lie.
func (w *walker) overlay(e element, h *header) error {
	if e.tag&0xFFFF == overlayData {
		if h.bitmaps == nil {
			h.bitmaps = map[tag]element{}
		}
		h.bitmaps[e.tag&^0xFFFF] = e
		return nil
	}
	if e.length > maxSmall {
		return nil
	}
	b, err := w.keep(e)
	if err != nil {
		return err
	}
	if h.planes == nil {
		h.planes = map[tag][]byte{}
	}
	h.planes[e.tag] = b
	return nil
}

// The elements of an overlay group (PS3.3 C.9.2).
const (
	overlayRows        = 0x0010
	overlayColumns     = 0x0011
	overlayFrames      = 0x0015
	overlayDescription = 0x0022
	overlayOrigin      = 0x0050
	overlayFirst       = 0x0051
	overlayAllocated   = 0x0100
	overlayPosition    = 0x0102
	overlayLabel       = 0x1500
	overlayData        = 0x3000
)
