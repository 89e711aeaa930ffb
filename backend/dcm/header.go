package dcm

import (
	"errors"
	"fmt"
	"strings"

	"plumbline/backend/review"
)

// Header is what a file says of itself. It is plain data and may be kept as JSON.
type Header struct {
	Path              string         `json:"path"`
	Size              int64          `json:"size"` // of the file in bytes
	PatientID         string         `json:"patient_id"`
	PatientName       string         `json:"patient_name"`
	PatientSex        string         `json:"patient_sex"`
	PatientAge        string         `json:"patient_age"`
	StudyUID          string         `json:"study_uid"`
	SeriesUID         string         `json:"series_uid"`
	InstanceUID       string         `json:"instance_uid"`
	FrameOfReference  string         `json:"frame_of_reference"`
	SOPClass          string         `json:"sop_class"`
	Modality          string         `json:"modality"`
	Description       string         `json:"description"` // of the series, else of the study
	StudyDate         string         `json:"study_date"`  // as stored: YYYYMMDD
	TransferSyntax    string         `json:"transfer_syntax"`
	SeriesNumber      int            `json:"series_number"`
	InstanceNumber    int            `json:"instance_number"`
	AcquisitionNumber int            `json:"acquisition_number"`
	TemporalPosition  int            `json:"temporal_position"`
	EchoTime          float64        `json:"echo_time"`
	TriggerTime       float64        `json:"trigger_time"`
	AcquisitionTime   string         `json:"acquisition_time"`
	Localizer         bool           `json:"localizer"`
	BurnedIn          string         `json:"burned_in"`                // YES, NO, or "" where the file does not say
	Synthetic         bool           `json:"synthetic"`                // the phantom's own mark: no picture of a person
	OverlayGroups     int            `json:"overlay_groups,omitempty"` // drawings of its own, groups 6000-60FE
	HasPixels         bool           `json:"has_pixels"`
	Notes             []string       `json:"notes,omitempty"`   // what a reader should know of how the pictures are shown
	BValue            float64        `json:"b_value,omitempty"` // of diffusion, s/mm²
	Marks             []Mark         `json:"marks,omitempty"`   // of each frame, where functional groups say more than the file
	Frames            []review.Frame `json:"frames"`            // in file order; empty without pixels

	open Opener // of the file, where it was loaded here
}

// SyntheticMark stands as Manufacturer (0008,0070) in every file that Plumbline itself made up.
const SyntheticMark = "Plumbline (synthetic)"

// ownName is the creator of the private attributes that WritePlain writes (PS3.5 7.8.1).
const ownName = "PLUMBLINE"

// maxFrames bounds the frames of one file.
const maxFrames = 65536

// pixelSpec is how the samples of a file are stored (PS3.3 C.7.6.3).
type pixelSpec struct {
	rows, columns, samples, frames int
	allocated, stored, high        int
	signed, planar, float          bool
	photometric                    string
	padded                         bool // OW in big endian: bytes swapped in pairs
}

// width is the bytes of one canonical sample.
func (p pixelSpec) width() int { return max(1, p.allocated/8) }

// size is the bytes of one canonical frame.
func (p pixelSpec) size() int64 {
	return int64(p.rows) * int64(p.columns) * int64(p.samples) * int64(p.width())
}

// bits is the size of one frame as native pixel data.
func (p pixelSpec) bits() int64 {
	n := int64(p.rows) * int64(p.columns) * int64(p.allocated)
	switch p.photometric {
	case "YBR_FULL_422", "YBR_PARTIAL_422":
		return n * 2 // two samples of chroma for two pixels
	}
	return n * int64(p.samples)
}

// specOf reads and checks the pixel description of a data set.
func specOf(n *node, pixels element, big bool) (pixelSpec, error) {
	p := pixelSpec{
		rows: n.integer(tagRows, 0), columns: n.integer(tagColumns, 0), samples: n.integer(tagSamples, 1),
		frames: max(1, n.integer(tagNumberOfFrames, 1)), allocated: n.integer(tagBitsAllocated, 0),
		signed: n.integer(tagPixelRepresentation, 0) == 1, photometric: strings.ToUpper(n.text(tagPhotometric)),
	}
	switch pixels.tag {
	case tagFloatPixels:
		p.float, p.signed, p.allocated = true, true, 32
	case tagDoublePixels:
		p.float, p.signed, p.allocated = true, true, 64
	}
	p.stored = n.integer(tagBitsStored, p.allocated)
	p.high = n.integer(tagHighBit, p.stored-1)
	p.planar = p.samples > 1 && n.integer(tagPlanar, 0) == 1
	p.padded = big && p.allocated <= 8 && pixels.vr == "OW"
	if p.float {
		p.stored, p.high = p.allocated, p.allocated-1
	}
	if p.photometric == "" {
		p.photometric = "MONOCHROME2"
		if p.samples == 3 {
			p.photometric = "RGB"
		}
	}
	return p, p.check()
}

// check refuses what cannot be a picture.
func (p pixelSpec) check() error {
	switch {
	case p.rows < 1 || p.columns < 1 || p.rows > 65535 || p.columns > 65535:
		return fmt.Errorf("%d rows and %d columns are no image", p.rows, p.columns)
	case p.samples != 1 && p.samples != 3:
		return fmt.Errorf("%d samples per pixel are not supported", p.samples)
	case p.frames > maxFrames:
		return fmt.Errorf("%d frames are more than the %d of one file that are supported", p.frames, maxFrames)
	}
	switch p.allocated {
	case 1, 8, 16, 32, 64:
	default:
		return fmt.Errorf("%d bits allocated are not supported", p.allocated)
	}
	if p.allocated == 1 && p.samples != 1 {
		return errors.New("colour of single bits is not supported")
	}
	if p.stored < 1 || p.high < p.stored-1 || p.high >= p.allocated {
		return fmt.Errorf("bits stored %d and high bit %d do not fit %d bits allocated", p.stored, p.high, p.allocated)
	}
	return nil
}

// headerOf reads a data set into a header. The frames have what belongs to the whole file; functional groups come after.
func headerOf(n *node, s syntax) Header {
	h := Header{
		PatientID: n.text(tagPatientID), PatientName: n.text(tagPatientName), PatientSex: n.text(tagPatientSex), PatientAge: n.text(tagPatientAge),
		StudyUID: n.text(tagStudyUID), SeriesUID: n.text(tagSeriesUID), InstanceUID: n.text(tagInstanceUID),
		FrameOfReference: n.text(tagFrameOfReference), SOPClass: n.text(tagSOPClass), Modality: n.text(tagModality),
		Description: n.text(tagSeriesDescription), StudyDate: n.text(tagStudyDate), TransferSyntax: s.uid,
		SeriesNumber: n.integer(tagSeriesNumber, 0), InstanceNumber: n.integer(tagInstanceNumber, 0),
		AcquisitionNumber: n.integer(tagAcquisitionNumber, 0), TemporalPosition: n.integer(tagTemporalPosition, 0),
		AcquisitionTime: n.text(tagAcquisitionTime), BurnedIn: n.text(tagBurnedIn),
		Synthetic: strings.TrimSpace(n.text(tagManufacturer)) == SyntheticMark, Frames: []review.Frame{},
	}
	h.EchoTime, _ = n.number(tagEchoTime)
	h.TriggerTime, _ = n.number(tagTriggerTime)
	h.BValue, _ = n.number(tagBValue)
	for _, t := range n.values[tagImageType].texts {
		h.Localizer = h.Localizer || strings.TrimSpace(t) == "LOCALIZER"
	}
	if h.Description == "" {
		h.Description = n.text(tagStudyDescription)
	}
	return h
}

// frames describes every frame of a data set.
func (p pixelSpec) describeFrames(n *node, s syntax, modality string) []review.Frame {
	first := review.Frame{
		Rows: p.rows, Columns: p.columns, Samples: p.samples, BitsAllocated: p.allocated, BitsStored: p.stored,
		Signed: p.signed && !p.float, Float: p.float, Photometric: p.photometric, TransferSyntax: s.uid, Lossy: lossy(n, s), Slope: 1,
		Windows: []review.Window{}, VOIFunction: "LINEAR",
		Invert: p.samples == 1 && (p.photometric == "MONOCHROME1" || n.text(tagPresentationLUTShape) == "INVERSE"),
	}
	if n.text(tagOwner) == ownName {
		if turn := n.integer(tagTurn, 0); turn > 1 && turn <= 8 {
			first.ExifOrientation = turn
		}
	}
	first.DurationMS, _ = n.number(tagFrameTime)
	first.Padding, first.PaddingLimit = p.padding(n, tagPadding), p.padding(n, tagPaddingLimit)
	if p.photometric == "PALETTE COLOR" {
		first.Palette = palette(n)
	}
	set := describe{spec: p, modality: modality}
	set.apply(&first, n)
	shared := n.first(tagSharedGroups)
	set.groups(&first, shared)
	perFrame := n.items[tagPerFrameGroups]
	offsets := n.numbers(tagGridOffsets)
	out := make([]review.Frame, p.frames)
	for i := range out {
		out[i] = first
		out[i].Index, out[i].FileFrame = i, i
		if i < len(perFrame) {
			set.groups(&out[i], perFrame[i])
		}
		if len(offsets) == p.frames && p.frames > 1 {
			shift(&out[i], offsets[i])
		}
		out[i].WindowComputed = len(out[i].Windows)+len(out[i].VOILUTs) == 0 && p.samples == 1 && out[i].Palette == nil
	}
	return out
}

// lossy tells whether samples were changed by compression: the file's word, or what its syntax is for.
func lossy(n *node, s syntax) bool {
	if n.text(tagLossy) == "01" || s.codec == codecJPEG && s.lossy {
		return true
	}
	return s.lossy && n.text(tagLossy) == ""
}

// padding reads a padding value, signed as the samples are.
func (p pixelSpec) padding(n *node, t tag) *float64 {
	v, ok := n.number(t)
	if !ok || p.float {
		return nil
	}
	if p.signed && p.stored < 64 && v >= float64(uint64(1)<<(p.stored-1)) {
		v = float64(int64(v) << (64 - p.stored) >> (64 - p.stored))
	}
	if !p.signed && v < 0 {
		v += 65536 // written as SS
	}
	return &v
}
