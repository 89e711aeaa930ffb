package export

import (
	"context"
	"fmt"
	"slices"

	"plumbline/backend/dcm"
	"plumbline/backend/review"
)

const comprehensiveSR = "1.2.840.10008.5.1.4.1.1.88.33"

// report writes the regions of one observer on one image as a measurement report (PS3.16 TID 1500): a measurement group for each region, of
// one frame (TID 1410) or of several (TID 1411), with what it marks, the words it belongs to, and what was said of them.
func (w *dicomWriter) report(_ context.Context, c *Case, on drawnOn, regions []marked) error {
	var groups []elements
	var frames []int
	for n, r := range regions {
		graphic, points := graphicOf(r.Region, on.stack.Frames[0])
		if graphic == "" {
			if err := w.counts.left(unitRegions, string(c.ID)+"/"+string(r.ID), "SR holds no outline of a "+string(r.Shape)); err != nil {
				return err
			}
			continue
		}
		w.counts.wrote(unitRegions, 1)
		from, to := r.Region.Span(len(on.stack.Frames))
		for k := from; k <= to; k++ {
			frames = append(frames, k)
		}
		groups = append(groups, w.measured(c, on, r, n, graphic, points, from, to))
	}
	if len(groups) == 0 {
		return nil
	}
	slices.Sort(frames)
	e := w.begin(c, on, "SR", "sr")
	e.items(0x00081111) // no procedure step is known
	e.items(0x0040A372)
	var study elements
	study.items(0x00081115, on.evidence(slices.Compact(frames), referencedSOPs))
	study.text(0x0020000D, "UI", on.first.StudyUID)
	e.items(0x0040A375, study)
	e.text(0x0040A491, "CS", "COMPLETE")
	e.text(0x0040A493, "CS", "UNVERIFIED")
	scheme := elements{}
	scheme.text(0x00080102, "SH", ownScheme)
	scheme.text(0x00080115, "ST", "Plumbline: what its rubrics ask")
	e.items(0x00080110, scheme)
	e.text(0x0040A040, "CS", "CONTAINER")
	e.items(0x0040A043, code{"126000", "DCM", "Imaging Measurement Report"}.item())
	e.text(0x0040A050, "CS", "SEPARATE")
	e.items(0x0040A504, template("1500"))
	content := []elements{
		coded("HAS CONCEPT MOD", code{"121049", "DCM", "Language of Content Item and Descendants"}, code{"en", "RFC5646", "English"}),
	}
	content = append(content, on.context()...)
	content = append(content,
		coded("HAS CONCEPT MOD", code{"121058", "DCM", "Procedure reported"}, code{"363679005", "SCT", "Imaging procedure"}),
		container("CONTAINS", code{"126010", "DCM", "Imaging Measurements"}, "", groups...))
	e.items(0x0040A730, content...)
	return w.putObject(c, "sr", on, comprehensiveSR, e, nil)
}

// context says who observed (TID 1001).
func (d drawnOn) context() []elements {
	if d.device {
		return []elements{
			coded("HAS OBS CONTEXT", code{"121005", "DCM", "Observer Type"}, code{"121007", "DCM", "Device"}),
			uidItem("HAS OBS CONTEXT", code{"121012", "DCM", "Device Observer UID"}, dcm.UID("observer", d.observer)),
			textItem("HAS OBS CONTEXT", code{"121013", "DCM", "Device Observer Name"}, d.observer),
		}
	}
	person := item("HAS OBS CONTEXT", "PNAME", code{"121008", "DCM", "Person Observer Name"})
	person.text(0x0040A123, "PN", words(d.observer, 64))
	return []elements{coded("HAS OBS CONTEXT", code{"121005", "DCM", "Observer Type"}, code{"121006", "DCM", "Person"}), person}
}

// measured is the measurement group of one region.
func (w *dicomWriter) measured(c *Case, on drawnOn, r marked, n int, graphic string, points []float64, from, to int) elements {
	id := string(c.ID) + "/" + string(r.ID)
	items := []elements{
		textItem("HAS OBS CONTEXT", code{"112039", "DCM", "Tracking Identifier"}, id),
		uidItem("HAS OBS CONTEXT", code{"112040", "DCM", "Tracking Unique Identifier"}, dcm.UID("region", w.Study, on.observer, fmt.Sprint(n), id, string(r.Chain), string(r.Step), string(r.Question))),
		coded("CONTAINS", code{"121071", "DCM", "Finding"}, code{"404684003", "SCT", "Clinical finding"}),
	}
	kind := "1410"
	if to > from {
		kind = "1411"
	}
	for k := from; k <= to; k++ {
		shape := item("CONTAINS", "SCOORD", code{"111030", "DCM", "Image Region"})
		shape.floats(0x00700022, points)
		shape.text(0x00700023, "CS", graphic)
		picture := elements{}
		picture.text(0x0040A010, "CS", "SELECTED FROM")
		picture.text(0x0040A040, "CS", "IMAGE")
		picture.items(0x00081199, on.reference(k))
		shape.items(0x0040A730, picture)
		items = append(items, shape)
	}
	for _, said := range [][2]string{
		{"label", r.Class}, {"statement", r.Text}, {"support", string(r.Support)}, {"question", string(r.Question)}, {"step", string(r.Step)}, {"chain", string(r.Chain)}, {"rubric", r.Rubric},
	} {
		if said[1] != "" {
			items = append(items, textItem("CONTAINS", code{said[0], ownScheme, said[0]}, said[1]))
		}
	}
	return container("CONTAINS", code{"125007", "DCM", "Measurement Group"}, kind, items...)
}

// graphicOf gives a region as SR draws it, in pixels with 0,0 at the outer corner of the first; "" for a shape without an outline.
func graphicOf(r review.Region, f review.Frame) (graphic string, points []float64) {
	x, y := float64(f.Columns), float64(f.Rows)
	c := r.Coords
	switch {
	case r.Shape == review.Box && len(c) == 4:
		return "POLYLINE", []float64{c[0] * x, c[1] * y, c[2] * x, c[1] * y, c[2] * x, c[3] * y, c[0] * x, c[3] * y, c[0] * x, c[1] * y}
	case r.Shape == review.Polygon && len(c) >= 6:
		for i := 0; i+1 < len(c); i += 2 {
			points = append(points, c[i]*x, c[i+1]*y)
		}
		return "POLYLINE", append(points, points[0], points[1])
	case r.Shape == review.Ellipse && len(c) == 4:
		across := []float64{c[0] * x, (c[1] + c[3]) / 2 * y, c[2] * x, (c[1] + c[3]) / 2 * y}
		down := []float64{(c[0] + c[2]) / 2 * x, c[1] * y, (c[0] + c[2]) / 2 * x, c[3] * y}
		if (c[2]-c[0])*x >= (c[3]-c[1])*y { // the longer axis comes first
			return "ELLIPSE", append(across, down...)
		}
		return "ELLIPSE", append(down, across...)
	case r.Shape == review.Point && len(c) == 2:
		return "POINT", []float64{c[0] * x, c[1] * y}
	}
	return "", nil
}

// item begins a content item.
func item(relation, kind string, concept code) elements {
	var e elements
	e.text(0x0040A010, "CS", relation)
	e.text(0x0040A040, "CS", kind)
	e.items(0x0040A043, concept.item())
	return e
}

func coded(relation string, concept, value code) elements {
	e := item(relation, "CODE", concept)
	e.items(0x0040A168, value.item())
	return e
}

func textItem(relation string, concept code, value string) elements {
	e := item(relation, "TEXT", concept)
	e.text(0x0040A160, "UT", value)
	return e
}

func uidItem(relation string, concept code, value string) elements {
	e := item(relation, "UIDREF", concept)
	e.text(0x0040A124, "UI", value)
	return e
}

func container(relation string, concept code, kind string, content ...elements) elements {
	e := item(relation, "CONTAINER", concept)
	e.text(0x0040A050, "CS", "SEPARATE")
	if kind != "" {
		e.items(0x0040A504, template(kind))
	}
	e.items(0x0040A730, content...)
	return e
}

// template names a template of PS3.16.
func template(id string) elements {
	var e elements
	e.text(0x00080105, "CS", "DCMR")
	e.text(0x0040DB00, "CS", id)
	return e
}
