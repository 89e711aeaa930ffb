package export_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/dcm"
	"plumbline/backend/export"
	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

// greek and chinese stand in the name of a reader and in what was said.
const (
	greek   = "Αναγνώστης"
	chinese = "左侧胸腔积液"
)

// drawn is a case on a CT of 31 slices of 240×256, with a box, a polygon, an ellipse, a point and a box of three slices by a reader, and what
// the dataset says.
func drawn(t *testing.T) (*export.Case, export.Source, review.Stack, []dcm.Header) {
	t.Helper()
	stack, headers := aSeries(t, 240, 256, 31)
	c := whole("c1", "p1")
	c.Stacks[0] = stack
	on := func(id string, frame int, shape review.Shape, coords ...float64) review.Region {
		for i := range coords {
			coords[i] /= []float64{240, 256}[i%2]
		}
		return review.Region{ID: review.RegionID(id), Image: "ct", Frame: &frame, Shape: shape, Coords: coords, Label: chinese}
	}
	three := on("three", 0, review.Box, 10, 20, 30, 60)
	three.Frame, three.From, three.To = nil, ptr(5), ptr(7)
	rate(c, greek, "c1-good", "s2", review.Supported,
		on("box", 30, review.Box, 100, 200, 120, 220), on("poly", 3, review.Polygon, 10, 10, 60, 10, 60, 80, 20, 90), on("round", 4, review.Ellipse, 50, 60, 90, 120),
		on("dot", 8, review.Point, 77.5, 99.5), three)
	src := sourceOf(c)
	src.Objects = func(context.Context, review.CaseID, review.ImageID) (*export.DICOMImage, error) {
		return &export.DICOMImage{Headers: headers}, nil
	}
	return c, src, stack, headers
}

// objects lists the DICOM files of an export.
func objects(d export.Done) []string {
	var out []string
	for _, f := range d.Files {
		if strings.HasSuffix(f.Path, ".dcm") {
			out = append(out, filepath.Join(d.Dir, filepath.FromSlash(f.Path)))
		}
	}
	return out
}

// G21: a box drawn at voxel (100,200,30) goes out as SR and as SEG and is read back at the same voxel, without half a voxel's shift; so are the
// other shapes.
func TestDICOMReadsBack(t *testing.T) {
	_, src, stack, headers := drawn(t)
	for _, format := range []string{"dicom-sr", "dicom-seg"} {
		d, err := export.Write(t.Context(), filepath.Join(t.TempDir(), "out"), format, src, export.Options{}, review.Quiet)
		if err != nil {
			t.Fatal(err)
		}
		var ours []string
		for _, path := range objects(d) {
			if strings.Contains(path, "reader") && !strings.Contains(path, "R1") && !strings.Contains(path, "R2") {
				ours = append(ours, path)
			}
		}
		overlays, problems, err := dcm.Overlays(t.Context(), stack, headers, ours, dcm.OpenFile)
		if err != nil || len(problems) > 0 || len(ours) != 1 {
			t.Fatalf("%s: %d objects, %v, %v", format, len(ours), problems, err)
		}
		if format == "dicom-sr" {
			readReport(t, overlays)
			continue
		}
		found := map[string]dcm.OverlayPlane{}
		frames := map[string]int{}
		for _, o := range overlays {
			for _, p := range o.Planes {
				found[o.Label] = p
				frames[o.Label]++
			}
		}
		box := found[chinese+" box"]
		if box.Frame != 30 || box.Set != 400 || box.Data[200*240+100] == 0 || box.Data[199*240+100] != 0 || box.Data[200*240+99] != 0 || box.Data[219*240+119] == 0 || box.Data[220*240+119] != 0 {
			t.Errorf("the box: frame %d, %d pixels", box.Frame, box.Set)
		}
		if round := found[chinese+" round"]; math.Abs(float64(round.Set)-math.Pi*20*30) > 20 || frames[chinese+" three"] != 3 || len(overlays) != 4 {
			t.Errorf("%d segments, %d pixels of the ellipse, %d frames of the range", len(overlays), round.Set, frames[chinese+" three"])
		}
	}
}

// readReport checks what the viewer's own reader makes of the report.
func readReport(t *testing.T, overlays []dcm.Overlay) {
	t.Helper()
	var all []review.Region
	for _, o := range overlays {
		all = append(all, o.Regions...)
	}
	at := func(frame int, x, y float64) bool {
		return slices.ContainsFunc(all, func(r review.Region) bool {
			return r.Frame != nil && *r.Frame == frame && len(r.Coords) >= 2 && math.Abs(r.Coords[0]*240-x) < 1e-4 && math.Abs(r.Coords[1]*256-y) < 1e-4
		})
	}
	for _, want := range [][3]float64{{30, 100, 200}, {3, 10, 10}, {8, 77.5, 99.5}, {5, 10, 20}, {6, 10, 20}, {7, 10, 20}} {
		if !at(int(want[0]), want[1], want[2]) {
			t.Errorf("nothing begins at %v: %+v", want, all)
		}
	}
	if len(all) != 7 {
		t.Errorf("%d regions, want 7", len(all))
	}
}

// tool runs a program that reads DICOM, or skips the test where it is not installed; the test run installs it.
func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		testfiles.Missing(t, err.Error())
	}
	out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil && name != "dciodvfy" { // whose status counts warnings too
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// The validators of dcmtk and dicom3tools find no error in any object.
func TestDICOMIsValid(t *testing.T) {
	_, src, _, _ := drawn(t)
	radiograph := withDICOM(t, sourceOf(whole("c1", "p1")))
	for _, format := range []string{"dicom-sr", "dicom-seg"} {
		for _, from := range []export.Source{src, radiograph} {
			d, err := export.Write(t.Context(), filepath.Join(t.TempDir(), "out"), format, from, export.Options{}, review.Quiet)
			if err != nil {
				t.Fatal(err)
			}
			if len(objects(d)) < 3 {
				t.Errorf("%s: %d objects of a dataset, two readers and a model", format, len(objects(d)))
			}
			for _, path := range objects(d) {
				tool(t, "dcmdump", "-q", path)
				if format == "dicom-sr" {
					if said := tool(t, "dsrdump", "-q", path); !strings.Contains(said, "Imaging Measurement Report") {
						t.Errorf("%s", said)
					}
				}
				for line := range strings.Lines(tool(t, "dciodvfy", path)) {
					if strings.HasPrefix(line, "Error") {
						t.Errorf("%s: %s", path, line)
					}
				}
			}
		}
	}
}

// X04: names and comments in Greek and Chinese of images in Latin 1 go out as UTF-8 (ISO_IR 192) and another program reads them the same.
func TestDICOMWordsInUTF8(t *testing.T) {
	_, src, _, _ := drawn(t)
	for _, format := range []string{"dicom-sr", "dicom-seg"} {
		d, err := export.Write(t.Context(), filepath.Join(t.TempDir(), "out"), format, src, export.Options{}, review.Quiet)
		if err != nil {
			t.Fatal(err)
		}
		read := ""
		for _, path := range objects(d) {
			var tags map[string]struct{ Value []any }
			text := tool(t, "dcm2json", path)
			if err := json.Unmarshal([]byte(text), &tags); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(tags["00080005"].Value); got != "[ISO_IR 192]" {
				t.Errorf("%s: %s", path, got)
			}
			read += text
		}
		for _, want := range []string{greek, chinese} {
			if !strings.Contains(read, want) {
				t.Errorf("%s: %s is not there", format, want)
			}
		}
		// The patient's name and number in the images go nowhere.
		if strings.Contains(strings.ToUpper(read), "CANARY") {
			t.Errorf("%s holds what identifies the patient", format)
		}
	}
}

// A segmentation is read by pydicom too: a packed bit for each pixel, in the frames that it says.
func TestSegmentationInPydicom(t *testing.T) {
	const python = "/usr/bin/python3"
	if err := exec.CommandContext(t.Context(), python, "-c", "import pydicom, numpy").Run(); err != nil {
		testfiles.Missing(t, "pydicom is not installed")
	}
	_, src, _, _ := drawn(t)
	d, err := export.Write(t.Context(), filepath.Join(t.TempDir(), "out"), "dicom-seg", src, export.Options{}, review.Quiet)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range objects(d) {
		if !strings.Contains(path, "reader") || strings.Contains(path, "R1") || strings.Contains(path, "R2") {
			continue
		}
		said := tool(t, python, "-c", `import sys, pydicom
d = pydicom.dcmread(sys.argv[1])
a = d.pixel_array
print(a.shape, a[0].sum(), a[0][200][100], a[0][199][100], d.PerFrameFunctionalGroupsSequence[0].DerivationImageSequence[0].SourceImageSequence[0].ReferencedSOPInstanceUID)`, path)
		if want := "(6, 256, 240) 400 1 0 " + dcm.UID("slice", "30") + "\n"; said != want {
			t.Errorf("%q, want %q", said, want)
		}
	}
}
