package export

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// DICOMImage is an image of a case as its DICOM files call themselves, in the order of its frames, each file once.
type DICOMImage struct{ Headers []dcm.Header }

// dicomFormats are the objects that lie beside DICOM images.
func dicomFormats() []Format {
	format := func(name, title, path string, fields []string, make func(*dicomWriter, context.Context, *Case, drawnOn, []marked) error) Format {
		return Format{Name: name, Title: title, For: "images", Files: []Shape{{path, fields}}, begin: func(j *job) (writer, error) {
			return &dicomWriter{job: j, object: make}, nil
		}}
	}
	return []Format{
		format("dicom-sr", "regions as DICOM SR (TID 1500, SCOORD)", "sr/CASE/IMAGE-OBSERVER.dcm",
			[]string{"Comprehensive SR: a measurement group for each region, with what was said of it"}, (*dicomWriter).report),
		format("dicom-seg", "regions as DICOM SEG", "seg/CASE/IMAGE-OBSERVER.dcm",
			[]string{"Segmentation, binary: a segment for each region with an area"}, (*dicomWriter).segmentation),
	}
}

// dicomWriter writes an object for each image and observer: the dataset, a reader, the adjudicator, a model.
type dicomWriter struct {
	*job
	object func(w *dicomWriter, ctx context.Context, c *Case, on drawnOn, regions []marked) error
	wrote  int // objects of the case at hand
}

// drawnOn is the image that an object is about.
type drawnOn struct {
	stack    review.Stack
	headers  map[string]dcm.Header // by path
	first    dcm.Header
	observer string
	device   bool // the observer is a program
}

// headerOf gives the file that a frame lies in.
func (d drawnOn) headerOf(frame int) dcm.Header { return d.headers[d.stack.Frames[frame].Path] }

// multi tells whether a frame must be named by its number in its file.
func (d drawnOn) multi(frame int) bool { return len(d.headerOf(frame).Frames) > 1 }

func (w *dicomWriter) add(ctx context.Context, c *Case) error {
	byImage := map[int]map[string][]marked{}
	for _, r := range c.regions() {
		i := c.stackOf(r.Image)
		if i < 0 || len(c.Stacks[i].Frames) == 0 {
			if err := w.counts.left(unitRegions, string(c.ID)+"/"+string(r.ID), "on an image that cannot be shown"); err != nil {
				return err
			}
			continue
		}
		if byImage[i] == nil {
			byImage[i] = map[string][]marked{}
		}
		who := observerOf(c, r)
		byImage[i][who] = append(byImage[i][who], r)
	}
	w.wrote = 0
	for _, i := range sortedKeys(byImage) {
		if err := w.image(ctx, c, c.Stacks[i], byImage[i]); err != nil {
			return err
		}
	}
	if w.wrote > 0 {
		w.counts.wrote(unitCases, 1)
		return nil
	}
	return w.counts.left(unitCases, string(c.ID), "no region on a DICOM image that such an object can hold")
}

func (w *dicomWriter) end(context.Context) error { return nil }

// observerOf names who marked a region.
func observerOf(c *Case, r marked) string {
	switch r.Source {
	case fromGold:
		return "dataset"
	case fromModel:
		for _, x := range c.Chains {
			if x.ID == r.Chain {
				return "model " + x.Model().Name
			}
		}
	case fromAdjudicated:
		return "adjudicator"
	}
	return "reader " + cmp.Or(r.Reader, "unknown")
}

// image writes the objects of one image.
func (w *dicomWriter) image(ctx context.Context, c *Case, s review.Stack, by map[string][]marked) error {
	image, err := w.Objects(ctx, c.ID, s.Image)
	if err != nil {
		return err
	}
	for _, who := range sortedKeys(by) {
		if image == nil {
			for _, r := range by[who] {
				if err := w.counts.left(unitRegions, string(c.ID)+"/"+string(r.ID), "on an image that is no DICOM"); err != nil {
					return err
				}
			}
			continue
		}
		on := drawnOn{stack: s, headers: map[string]dcm.Header{}, first: image.Headers[0], observer: who, device: who == "dataset" || strings.HasPrefix(who, "model ")}
		for _, h := range image.Headers {
			on.headers[h.Path] = h
		}
		for _, r := range by[who] {
			w.label(Label{From: labelSource(r), Readers: given(r.Reader), Rubric: r.Rubric})
		}
		if err := w.object(w, ctx, c, on, by[who]); err != nil {
			return err
		}
	}
	return nil
}

// put writes one object.
func (w *dicomWriter) putObject(c *Case, folder string, on drawnOn, class string, tags elements, bits []byte) error {
	path := folder + "/" + name(string(c.ID)) + "/" + name(string(on.stack.Image)+"-"+strings.ReplaceAll(on.observer, " ", "-")) + ".dcm"
	uid := dcm.UID("export", w.Study, w.At, path)
	var b bytes.Buffer
	if err := dcm.WriteObject(&b, class, uid, tags.sorted(), bits); err != nil {
		return fault.New(fault.Internal, writeOp, path, "%w", err)
	}
	w.wrote++
	return w.put(path, b.Bytes())
}

// elements gathers attributes in any order.
type elements []dcm.WriteTag

func (e *elements) text(tag uint32, vr, value string) {
	*e = append(*e, dcm.WriteTag{Tag: tag, VR: vr, Value: value})
}

func (e *elements) items(tag uint32, items ...elements) {
	t := dcm.WriteTag{Tag: tag, VR: "SQ"}
	for _, i := range items {
		t.Items = append(t.Items, i.sorted())
	}
	*e = append(*e, t)
}

func (e *elements) floats(tag uint32, values []float64) {
	t := dcm.WriteTag{Tag: tag, VR: "FL"}
	for _, v := range values {
		t.Raw = binary.LittleEndian.AppendUint32(t.Raw, math.Float32bits(float32(v)))
	}
	*e = append(*e, t)
}

func (e elements) sorted() []dcm.WriteTag {
	out := slices.Clone(e)
	slices.SortFunc(out, func(a, b dcm.WriteTag) int { return cmp.Compare(a.Tag, b.Tag) })
	return out
}

// words fits text into a value of at most so many characters: no backslash, which parts values, and no control characters.
func words(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\\':
			return '/'
		case r < ' ' || r == 0x7f:
			return ' '
		}
		return r
	}, s)
	r := []rune(strings.TrimSpace(s))
	return strings.TrimSpace(string(r[:min(len(r), most)]))
}

// code is a coded concept.
type code struct{ value, scheme, meaning string }

func (c code) item() elements {
	var e elements
	e.text(0x00080100, "SH", c.value)
	e.text(0x00080102, "SH", c.scheme)
	e.text(0x00080104, "LO", words(c.meaning, 64))
	return e
}

// ownScheme is the coding scheme of what DICOM has no code for.
const ownScheme = "99PLUMBLINE"

// begin gives the attributes that every object has: the patient's code, the study of the image, a series of its own, where it is from. The
// words are UTF-8.
func (w *dicomWriter) begin(c *Case, on drawnOn, modality, folder string) elements {
	var e elements
	day, clock := dicomTime(w.At)
	e.text(0x00080005, "CS", "ISO_IR 192")
	e.text(0x00080020, "DA", on.first.StudyDate)
	e.text(0x00080023, "DA", day)
	e.text(0x00080030, "TM", "")
	e.text(0x00080033, "TM", clock)
	e.text(0x00080050, "SH", "")
	e.text(0x00080060, "CS", modality)
	e.text(0x00080070, "LO", "Plumbline")
	e.text(0x00080090, "PN", "")
	e.text(0x0008103E, "LO", words("Plumbline: "+on.observer, 64))
	e.text(0x00081090, "LO", "plumb export")
	e.text(0x00100010, "PN", words(string(c.Patient), 64))
	e.text(0x00100020, "LO", words(string(c.Patient), 64))
	e.text(0x00100030, "DA", "")
	e.text(0x00100040, "CS", "")
	e.text(0x00181000, "LO", "0")
	e.text(0x00181020, "LO", words(w.Version, 64))
	e.text(0x0020000D, "UI", on.first.StudyUID)
	e.text(0x0020000E, "UI", dcm.UID("export series", w.Study, w.At, folder, string(c.ID), string(on.stack.Image), on.observer))
	e.text(0x00200010, "SH", "")
	e.text(0x00200011, "IS", "9000")
	e.text(0x00200013, "IS", "1")
	return e
}

// dicomTime brings RFC 3339 to a date and a time.
func dicomTime(at string) (day, clock string) {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return "", ""
	}
	return t.UTC().Format("20060102"), t.UTC().Format("150405")
}

// reference names the file of a frame, and the frame in it where it has several.
func (d drawnOn) reference(frame int) elements {
	h := d.headerOf(frame)
	var e elements
	e.text(0x00081150, "UI", h.SOPClass)
	e.text(0x00081155, "UI", h.InstanceUID)
	if d.multi(frame) {
		e.text(0x00081160, "IS", strconv.Itoa(d.stack.Frames[frame].FileFrame+1))
	}
	return e
}

// The sequences that hold what an object refers to: of a report, and of a segmentation.
const (
	referencedSOPs      = 0x00081199
	referencedInstances = 0x0008114A
)

// evidence lists the files that are referred to, by series.
func (d drawnOn) evidence(frames []int, sequence uint32) elements {
	var instances []elements
	seen := map[string]bool{}
	for _, f := range frames {
		h := d.headerOf(f)
		if seen[h.InstanceUID] {
			continue
		}
		seen[h.InstanceUID] = true
		var e elements
		e.text(0x00081150, "UI", h.SOPClass)
		e.text(0x00081155, "UI", h.InstanceUID)
		instances = append(instances, e)
	}
	var series elements
	series.items(sequence, instances...)
	series.text(0x0020000E, "UI", d.first.SeriesUID)
	return series
}
