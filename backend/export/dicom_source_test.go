package export_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"plumbline/backend/dcm"
	"plumbline/backend/export"
	"plumbline/backend/review"
)

// withDICOM gives a source that takes its images for a radiograph in a DICOM file.
func withDICOM(t testing.TB, src export.Source) export.Source {
	t.Helper()
	src.Objects = func(context.Context, review.CaseID, review.ImageID) (*export.DICOMImage, error) {
		return &export.DICOMImage{Headers: []dcm.Header{{
			InstanceUID: dcm.UID("instance"), SOPClass: dcm.CRImageStorage, StudyUID: dcm.UID("study"), SeriesUID: dcm.UID("series"), StudyDate: "20260101",
			Frames: []review.Frame{{Rows: 100, Columns: 200}},
		}}}, nil
	}
	return src
}

// aSeries writes a CT series of so many slices 2.5 mm apart, with the character set of Latin 1, and gives it as a stack with its headers.
func aSeries(t testing.TB, columns, rows, slices int) (review.Stack, []dcm.Header) {
	t.Helper()
	dir := t.TempDir()
	var headers []dcm.Header
	for n := range slices {
		pixels := make([]byte, 2*columns*rows)
		for i := range pixels {
			pixels[i] = byte(i + n)
		}
		var b bytes.Buffer
		err := dcm.Write(&b, dcm.WriteImage{SOPClass: dcm.CTImageStorage, InstanceUID: dcm.UID("slice", fmt.Sprint(n)), Pixels: pixels, Tags: []dcm.WriteTag{
			{Tag: 0x00080005, VR: "CS", Value: "ISO_IR 100"}, {Tag: 0x00080020, VR: "DA", Value: "20260101"}, {Tag: 0x00080060, VR: "CS", Value: "CT"},
			{Tag: 0x00100010, VR: "PN", Value: "Canary^Patient"}, {Tag: 0x00100020, VR: "LO", Value: "CANARY-ID"},
			{Tag: 0x0020000D, VR: "UI", Value: dcm.UID("study")}, {Tag: 0x0020000E, VR: "UI", Value: dcm.UID("series")}, {Tag: 0x00200013, VR: "IS", Value: fmt.Sprint(n + 1)},
			{Tag: 0x00200032, VR: "DS", Value: fmt.Sprintf(`-80\-90\%g`, 2.5*float64(n))}, {Tag: 0x00200037, VR: "DS", Value: `1\0\0\0\1\0`},
			{Tag: 0x00200052, VR: "UI", Value: dcm.UID("space")}, {Tag: 0x00280002, VR: "US", Value: "1"}, {Tag: 0x00280004, VR: "CS", Value: "MONOCHROME2"},
			{Tag: 0x00280010, VR: "US", Value: fmt.Sprint(rows)}, {Tag: 0x00280011, VR: "US", Value: fmt.Sprint(columns)}, {Tag: 0x00280030, VR: "DS", Value: `0.7\0.6`},
			{Tag: 0x00280100, VR: "US", Value: "16"}, {Tag: 0x00280101, VR: "US", Value: "16"}, {Tag: 0x00280102, VR: "US", Value: "15"}, {Tag: 0x00280103, VR: "US", Value: "1"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, fmt.Sprintf("%03d.dcm", n))
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		headers = append(headers, headerOf(t, path))
	}
	stacks := dcm.Group(headers)
	if len(stacks) != 1 || len(stacks[0].Frames) != slices {
		t.Fatalf("%d stacks", len(stacks))
	}
	stacks[0].Image = "ct"
	return stacks[0], headers
}

func headerOf(t testing.TB, path string) dcm.Header {
	t.Helper()
	f, err := dcm.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return f.Header()
}
