package sample

import (
	"fmt"
	"io"
	"strconv"

	"plumbline/backend/dcm"
	"plumbline/backend/phantom"
)

// The windows of the volumes, centre and width in HU, and the value that is added to HU before it is stored.
const (
	lungCenter, lungWidth         = -600, 1500
	softCenter, softWidth         = 40, 400
	storedOffset                  = 1024
	filmCenter, filmWidth         = 2048, 4096
	syntheticComment              = "Synthetic phantom made by Plumbline. No patient. For research and education only; not for diagnosis."
	seriesDescription, studyTitle = "Synthetic chest phantom", "Synthetic sample study"
)

// patientID names a patient everywhere.
func (e *exam) patientID() string { return fmt.Sprintf("P%02d", e.patient) }

func (e *exam) uid(seed int64, parts ...string) string {
	return dcm.UID(append([]string{"plumbline sample", strconv.FormatInt(seed, 10), e.patientID(), strconv.Itoa(e.number)}, parts...)...)
}

func (e *exam) studyUID(seed int64) string  { return e.uid(seed, "study") }
func (e *exam) seriesUID(seed int64) string { return e.uid(seed, "series") }

// head gives the attributes that every image of an exam has, up to group 0010.
func (e *exam) head(modality string, imageType string) []dcm.WriteTag {
	date := fmt.Sprintf("%d0%d1%d", 2022+e.number, 1+e.patient%9, e.patient%10)
	return []dcm.WriteTag{
		{Tag: 0x00080005, VR: "CS", Value: "ISO_IR 100"}, {Tag: 0x00080008, VR: "CS", Value: imageType},
		{Tag: 0x00080020, VR: "DA", Value: date}, {Tag: 0x00080021, VR: "DA", Value: date}, {Tag: 0x00080022, VR: "DA", Value: date},
		{Tag: 0x00080023, VR: "DA", Value: date}, {Tag: 0x00080030, VR: "TM", Value: "120000"}, {Tag: 0x00080033, VR: "TM", Value: "120000"},
		{Tag: 0x00080050, VR: "SH"}, {Tag: 0x00080060, VR: "CS", Value: modality}, {Tag: 0x00080070, VR: "LO", Value: "Plumbline (synthetic)"},
		{Tag: 0x00080090, VR: "PN"}, {Tag: 0x00081030, VR: "LO", Value: studyTitle}, {Tag: 0x0008103E, VR: "LO", Value: seriesDescription},
		{Tag: 0x00100010, VR: "PN", Value: "SYNTHETIC^" + e.patientID()}, {Tag: 0x00100020, VR: "LO", Value: "SYN-" + e.patientID()},
		{Tag: 0x00100030, VR: "DA"}, {Tag: 0x00100040, VR: "CS", Value: e.sex}, {Tag: 0x00101010, VR: "AS", Value: fmt.Sprintf("%03dY", e.age)},
		{Tag: 0x00104000, VR: "LT", Value: syntheticComment},
	}
}

// pixelModule gives group 0028 up to the sample's sign.
func pixelModule(photometric string, rows, columns, stored, sign int, spacing string) []dcm.WriteTag {
	tags := []dcm.WriteTag{
		{Tag: 0x00280002, VR: "US", Value: "1"}, {Tag: 0x00280004, VR: "CS", Value: photometric},
		{Tag: 0x00280010, VR: "US", Value: strconv.Itoa(rows)}, {Tag: 0x00280011, VR: "US", Value: strconv.Itoa(columns)},
	}
	if spacing != "" {
		tags = append(tags, dcm.WriteTag{Tag: 0x00280030, VR: "DS", Value: spacing})
	}
	return append(tags,
		dcm.WriteTag{Tag: 0x00280100, VR: "US", Value: "16"}, dcm.WriteTag{Tag: 0x00280101, VR: "US", Value: strconv.Itoa(stored)},
		dcm.WriteTag{Tag: 0x00280102, VR: "US", Value: strconv.Itoa(stored - 1)}, dcm.WriteTag{Tag: 0x00280103, VR: "US", Value: strconv.Itoa(sign)},
		dcm.WriteTag{Tag: 0x00280301, VR: "CS", Value: "NO"})
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func pair(a, b float64) string { return decimal(a) + `\` + decimal(b) }

// writeCT writes one frame of a volume; pixels are signed 16-bit samples, HU + 1024.
func (e *exam) writeCT(w io.Writer, seed int64, frame int, pixels []byte) error {
	at := phantom.Origin(frame)
	tags := append(e.head("CT", `ORIGINAL\PRIMARY\AXIAL`), []dcm.WriteTag{
		{Tag: 0x00180015, VR: "CS", Value: "CHEST"}, {Tag: 0x00180050, VR: "DS", Value: decimal(phantom.FrameMM)}, {Tag: 0x00180060, VR: "DS"},
		{Tag: 0x00185100, VR: "CS", Value: "HFS"},
		{Tag: 0x0020000D, VR: "UI", Value: e.studyUID(seed)}, {Tag: 0x0020000E, VR: "UI", Value: e.seriesUID(seed)},
		{Tag: 0x00200010, VR: "SH", Value: strconv.Itoa(e.number)}, {Tag: 0x00200011, VR: "IS", Value: "1"}, {Tag: 0x00200012, VR: "IS", Value: "1"},
		{Tag: 0x00200013, VR: "IS", Value: strconv.Itoa(frame + 1)},
		{Tag: 0x00200032, VR: "DS", Value: pair(at.X, at.Y) + `\` + decimal(at.Z)}, {Tag: 0x00200037, VR: "DS", Value: `1\0\0\0\1\0`},
		{Tag: 0x00200052, VR: "UI", Value: e.uid(seed, "frame of reference")}, {Tag: 0x00201040, VR: "LO"},
		{Tag: 0x00201041, VR: "DS", Value: decimal(at.Z)}, {Tag: 0x00204000, VR: "LT", Value: syntheticComment},
	}...)
	tags = append(tags, pixelModule("MONOCHROME2", phantom.Rows, phantom.Columns, 16, 1, pair(phantom.PixelMM, phantom.PixelMM))...)
	tags = append(tags,
		dcm.WriteTag{Tag: 0x00281050, VR: "DS", Value: pair(lungCenter, softCenter)}, dcm.WriteTag{Tag: 0x00281051, VR: "DS", Value: pair(lungWidth, softWidth)},
		dcm.WriteTag{Tag: 0x00281052, VR: "DS", Value: strconv.Itoa(-storedOffset)}, dcm.WriteTag{Tag: 0x00281053, VR: "DS", Value: "1"},
		dcm.WriteTag{Tag: 0x00281054, VR: "LO", Value: "HU"}, dcm.WriteTag{Tag: 0x00281055, VR: "LO", Value: `LUNG\MEDIASTINUM`})
	return dcm.Write(w, dcm.WriteImage{
		SOPClass: dcm.CTImageStorage, InstanceUID: e.uid(seed, "instance", strconv.Itoa(frame)), Tags: tags, Pixels: pixels,
	})
}

// writeFilm writes a frontal film; pixels are unsigned 12-bit samples of which the lowest is shown white.
func (e *exam) writeFilm(w io.Writer, seed int64, pixels []byte) error {
	tags := append(e.head("CR", `ORIGINAL\PRIMARY`), []dcm.WriteTag{
		{Tag: 0x00180015, VR: "CS", Value: "CHEST"}, {Tag: 0x00181164, VR: "DS", Value: pair(phantom.FilmMM, phantom.FilmMM)},
		{Tag: 0x00185101, VR: "CS", Value: "PA"},
		{Tag: 0x0020000D, VR: "UI", Value: e.studyUID(seed)}, {Tag: 0x0020000E, VR: "UI", Value: e.seriesUID(seed)},
		{Tag: 0x00200010, VR: "SH", Value: strconv.Itoa(e.number)}, {Tag: 0x00200011, VR: "IS", Value: "1"}, {Tag: 0x00200013, VR: "IS", Value: "1"},
		{Tag: 0x00200020, VR: "CS", Value: `L\F`}, {Tag: 0x00204000, VR: "LT", Value: syntheticComment},
	}...)
	tags = append(tags, pixelModule("MONOCHROME1", phantom.FilmRows, phantom.FilmColumns, phantom.FilmBits, 0, "")...)
	tags = append(tags,
		dcm.WriteTag{Tag: 0x00281050, VR: "DS", Value: strconv.Itoa(filmCenter)}, dcm.WriteTag{Tag: 0x00281051, VR: "DS", Value: strconv.Itoa(filmWidth)},
		dcm.WriteTag{Tag: 0x00281055, VR: "LO", Value: "CHEST"})
	return dcm.Write(w, dcm.WriteImage{SOPClass: dcm.CRImageStorage, InstanceUID: e.uid(seed, "instance"), Tags: tags, Pixels: pixels})
}
