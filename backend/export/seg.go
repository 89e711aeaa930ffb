package export

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/pixels"
	"plumbline/backend/review"
)

const segmentationClass = "1.2.840.10008.5.1.4.1.1.66.4"

// filled is one frame of a segment.
type filled struct {
	segment int // from 1
	frame   int
}

// segmentation writes the regions of one observer on one image as a segmentation (PS3.3 A.51): a segment for each region with an area. A pixel
// belongs to a region where its centre does.
func (w *dicomWriter) segmentation(_ context.Context, c *Case, on drawnOn, regions []marked) error {
	f := on.stack.Frames[0]
	plane := review.Plane{Columns: f.Columns, Rows: f.Rows}
	var segments, frames []elements
	var bits bitList
	var used []int
	for _, r := range regions {
		var mask pixels.Mask
		why := ""
		if r.Shape == review.Point || r.Shape == review.WholeImage {
			why = "SEG holds no " + string(r.Shape)
		} else if m, err := pixels.MaskOf([]review.Region{r.Region}, plane, len(on.stack.Frames)); err != nil {
			why = "its pixels cannot be found: " + err.Error()
		} else if mask = m; m.Pixels() == 0 {
			why = "no pixel's centre lies in it"
		}
		if why != "" {
			if err := w.counts.left(unitRegions, string(c.ID)+"/"+string(r.ID), why); err != nil {
				return err
			}
			continue
		}
		w.counts.wrote(unitRegions, 1)
		segments = append(segments, segmentOf(c, r, len(segments)+1))
		_, _, _, _, from, to, _ := mask.Bounds()
		for k := from; k <= to; k++ {
			if on.stack.Frames[k].Rows != f.Rows || on.stack.Frames[k].Columns != f.Columns {
				return fault.New(fault.Invalid, writeOp, string(c.ID), "image %s: its frames differ in size, which one segmentation cannot hold", on.stack.Image)
			}
			for i := range plane.Rows * plane.Columns {
				bits.add(mask.Has(k, i))
			}
			frames = append(frames, on.segmentFrame(filled{len(segments), k}))
			used = append(used, k)
		}
	}
	if len(segments) == 0 {
		return nil
	}
	e := w.segmentHead(c, on, len(frames))
	e.items(0x00081115, on.evidence(used, referencedInstances))
	e.items(0x00620002, segments...)
	e.items(0x52009229, on.sharedGroups())
	e.items(0x52009230, frames...)
	return w.putObject(c, "seg", on, segmentationClass, e, bits.bytes())
}

// segmentHead is everything that says what kind of picture it is.
func (w *dicomWriter) segmentHead(c *Case, on drawnOn, frames int) elements {
	f := on.stack.Frames[0]
	e := w.begin(c, on, "SEG", "seg")
	e.text(0x00080008, "CS", `DERIVED\PRIMARY`)
	if on.first.FrameOfReference != "" {
		e.text(0x00200052, "UI", on.first.FrameOfReference)
		e.text(0x00201040, "LO", "")
	}
	if len(f.Orientation) != 6 {
		e.text(0x00200020, "CS", strings.Join(f.PatientOrientation, `\`))
	}
	dimension := dcm.UID("dimensions", w.Study, w.At, string(c.ID), string(on.stack.Image), on.observer)
	organization := elements{}
	organization.text(0x00209164, "UI", dimension)
	e.items(0x00209221, organization)
	e.items(0x00209222, index(dimension, 0x0062000B, 0x0062000A, "Referenced Segment Number"), index(dimension, 0x00209057, 0x00209111, "In-Stack Position Number"))
	e.text(0x00280002, "US", "1")
	e.text(0x00280004, "CS", "MONOCHROME2")
	e.text(0x00280008, "IS", strconv.Itoa(frames))
	e.text(0x00280010, "US", strconv.Itoa(f.Rows))
	e.text(0x00280011, "US", strconv.Itoa(f.Columns))
	for tag, v := range map[uint32]string{0x00280100: "1", 0x00280101: "1", 0x00280102: "0", 0x00280103: "0"} {
		e.text(tag, "US", v)
	}
	e.text(0x00282110, "CS", "00")
	e.text(0x00620001, "CS", "BINARY")
	e.text(0x00700080, "CS", "EVIDENCE")
	e.text(0x00700081, "LO", words("Regions marked by "+on.observer, 64))
	e.text(0x00700084, "PN", words(on.observer, 64))
	return e
}

// index is one dimension: an attribute of a functional group, as a tag is written in two numbers of 16 bits.
func index(organization string, attribute, group uint32, label string) elements {
	var e elements
	e.text(0x00209164, "UI", organization)
	for tag, v := range map[uint32]uint32{0x00209165: attribute, 0x00209167: group} {
		e = append(e, dcm.WriteTag{Tag: tag, VR: "AT", Value: fmt.Sprintf("%08X", v)})
	}
	e.text(0x00209421, "LO", label)
	return e
}

// segmentOf describes a segment.
func segmentOf(c *Case, r marked, number int) elements {
	var e elements
	e.items(0x00620003, code{"91723000", "SCT", "Anatomical structure"}.item())
	e.text(0x00620004, "US", strconv.Itoa(number))
	e.text(0x00620005, "LO", words(strings.TrimSpace(r.Class+" "+string(r.ID)), 64))
	e.text(0x00620006, "ST", words(r.Text, 1024))
	e.text(0x00620008, "CS", "MANUAL")
	if r.Source == fromModel {
		e[len(e)-1].Value = "AUTOMATIC"
		e.text(0x00620009, "LO", words(strings.TrimPrefix(observerOf(c, r), "model "), 64))
	}
	e.text(0x00620020, "UT", string(c.ID)+"/"+string(r.ID))
	e.text(0x00620021, "UI", dcm.UID("region", string(c.ID), string(r.ID), string(r.Chain), string(r.Step), string(r.Question), r.Source, r.Reader))
	e.items(0x0062000F, code{"23451007", "SCT", "Region of interest"}.item())
	return e
}

// sharedGroups are what all frames have in common.
func (d drawnOn) sharedGroups() elements {
	var e elements
	f := d.stack.Frames[0]
	if f.SpacingMM != nil {
		var m elements
		m.text(0x00180050, "DS", decimal(d.thickness()))
		m.text(0x00280030, "DS", decimals(f.SpacingMM))
		e.items(0x00289110, m)
	}
	if len(f.Orientation) == 6 {
		var o elements
		o.text(0x00200037, "DS", decimals(f.Orientation))
		e.items(0x00209116, o)
	}
	return e
}

// thickness is the distance of planes; of a single one a millimetre.
func (d drawnOn) thickness() float64 {
	if g := dcm.Measure(d.stack.Frames); len(g.SpacingMM) == 3 && g.SpacingMM[2] > 0 {
		return g.SpacingMM[2]
	}
	return 1
}

// segmentFrame says what one frame is: of which segment, over which image, where.
func (d drawnOn) segmentFrame(x filled) elements {
	f := d.stack.Frames[x.frame]
	var content, identity, source, derived, e elements
	content = append(content, dcm.WriteTag{Tag: 0x00209157, VR: "UL", Value: strconv.Itoa(x.segment) + `\` + strconv.Itoa(x.frame+1)})
	content.text(0x00209056, "SH", "1")
	content.text(0x00209057, "UL", strconv.Itoa(x.frame+1))
	e.items(0x00209111, content)
	identity.text(0x0062000B, "US", strconv.Itoa(x.segment))
	e.items(0x0062000A, identity)
	source = d.reference(x.frame)
	source.items(0x0040A170, code{"121322", "DCM", "Source image for image processing operation"}.item())
	source.text(0x0028135A, "CS", "YES")
	derived.items(0x00082112, source)
	derived.items(0x00089215, code{"113076", "DCM", "Segmentation"}.item())
	e.items(0x00089124, derived)
	if len(f.Position) == 3 {
		var p elements
		p.text(0x00200032, "DS", decimals(f.Position))
		e.items(0x00209113, p)
	}
	return e
}

// decimal writes a number in the 16 characters of a DS.
func decimal(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	for digits := 15; len(s) > 16 && digits > 0; digits-- {
		s = strconv.FormatFloat(v, 'g', digits, 64)
	}
	return s
}

func decimals(values []float64) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = decimal(v)
	}
	return strings.Join(out, `\`)
}

// bitList packs bits, the first into the lowest of the first byte.
type bitList struct {
	b []byte
	n int
}

func (l *bitList) add(on bool) {
	if l.n%8 == 0 {
		l.b = append(l.b, 0)
	}
	if on {
		l.b[l.n/8] |= 1 << (l.n % 8)
	}
	l.n++
}

func (l *bitList) bytes() []byte { return l.b }
