package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/dcm"
)

// G02: a DICOM series that is written as NIfTI has the same samples, order and spacing when it is read again.
func TestAVolumeGoesToNIfTIAndBack(t *testing.T) {
	dir := t.TempDir()
	for n := range 4 {
		text := func(tag uint32, vr, value string) dcm.WriteTag { return dcm.WriteTag{Tag: tag, VR: vr, Value: value} }
		file, err := os.Create(filepath.Join(dir, fmt.Sprintf("%d.dcm", (n+2)%4)))
		if err == nil {
			err = dcm.Write(file, dcm.WriteImage{SOPClass: dcm.CTImageStorage, InstanceUID: fmt.Sprintf("1.2.3.%d", n), Pixels: []byte{byte(n), 0, 1, 0, 2, 0, 3, 0},
				Tags: []dcm.WriteTag{
					text(0x00080060, "CS", "CT"), text(0x0020000E, "UI", "1.2.3"), text(0x00200013, "IS", "1"),
					text(0x00200032, "DS", fmt.Sprintf(`-10\20\%g`, 2.5*float64(n))), text(0x00200037, "DS", `1\0\0\0\1\0`),
					text(0x00280002, "US", "1"), text(0x00280004, "CS", "MONOCHROME2"), text(0x00280010, "US", "2"), text(0x00280011, "US", "2"),
					text(0x00280030, "DS", `0.5954\0.5454`), text(0x00280100, "US", "16"), text(0x00280101, "US", "12"), text(0x00280102, "US", "11"), text(0x00280103, "US", "0"),
					text(0x00281052, "DS", "-1024"), text(0x00281053, "DS", "1"),
				}})
		}
		if err == nil {
			err = file.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	before := plumb(t, 0, "volume", dir, "--json")
	for _, name := range []string{"a.nii", "a.nii.gz"} {
		to := filepath.Join(t.TempDir(), name)
		plumb(t, 0, "volume", dir, "--nifti", to, "--series", "1.2.3")
		var was, is struct {
			Volumes []struct {
				SpacingMM []float64 `json:"spacing_mm"`
				Frames    int
			}
		}
		if err := json.Unmarshal([]byte(before), &was); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(plumb(t, 0, "volume", to, "--json")), &is); err != nil {
			t.Fatal(err)
		}
		if len(is.Volumes) != 1 || is.Volumes[0].Frames != 4 || fmt.Sprintf("%.4f", is.Volumes[0].SpacingMM) != fmt.Sprintf("%.4f", was.Volumes[0].SpacingMM) {
			t.Errorf("%s: %+v, was %+v", name, is, was)
		}
		if out := plumb(t, 0, "probe", to, "--frame", "3", "--at", "1,1"); !strings.Contains(out, "-1021") {
			t.Errorf("%s: stored 3 less 1024 is %s", name, out)
		}
	}
	plumb(t, 2, "volume", dir, "--nifti", filepath.Join(t.TempDir(), "a.mha"))
	plumb(t, 3, "volume", dir, "--nifti", filepath.Join(t.TempDir(), "a.nii"), "--series", "9.9")
}
