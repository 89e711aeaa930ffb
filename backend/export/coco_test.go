package export_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/export"
	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

// cocoFile is COCO as its documentation has it.
type cocoFile struct {
	Images []struct {
		ID            int    `json:"id"`
		File          string `json:"file_name"`
		Case          string `json:"case"`
		Width, Height int
		EXIF          int `json:"exif_orientation"`
	}
	Annotations []struct {
		ID, Image  int
		ImageID    int `json:"image_id"`
		Category   int `json:"category_id"`
		BBox       []float64
		Area       float64
		Attributes struct {
			Region, Source string
			Stored         []float64 `json:"bbox_stored"`
		}
	}
	Categories []struct {
		ID   int
		Name string
	}
}

func cocoOf(t *testing.T, d export.Done) cocoFile {
	t.Helper()
	var c cocoFile
	if err := json.Unmarshal(load(t, d, "annotations.json"), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// X01: 1,200 cases, 300 of them without a region: all 1,200 pictures are listed, and counts in = out.
func TestCOCOHoldsCasesWithoutRegions(t *testing.T) {
	var cases []*export.Case
	for i := range 1200 {
		c := caseOf(fmt.Sprintf("c%04d", i), "")
		if i%4 == 0 {
			c.Truth = nil
		}
		cases = append(cases, c)
	}
	d := write(t, "coco", export.Options{}, cases...)
	got := cocoOf(t, d)
	with := map[int]bool{}
	for _, a := range got.Annotations {
		with[a.ImageID] = true
	}
	if len(got.Images) != 1200 || len(with) != 900 || d.In != 1200 || d.Out != 1200 || len(d.Side) != 0 {
		t.Errorf("%d images, %d with regions, %d in, %d out", len(got.Images), len(with), d.In, d.Out)
	}
}

// X02: boxes, points, polygons, ellipses, whole images, empty and text-only cases: nothing crashes, and what COCO cannot hold is in the side
// list with a count.
func TestCOCOSideList(t *testing.T) {
	c := caseOf("c1", "p1")
	truth := c.Truth["q2"]
	for i, r := range []review.Region{
		{Shape: review.Polygon, Coords: []float64{0, 0, .5, 0, .5, .5}}, {Shape: review.Point, Coords: []float64{.5, .5}}, {Shape: review.Ellipse, Coords: []float64{0, 0, .5, .5}},
		{Shape: review.Mask}, {Shape: review.Slab, From: ptr(0), To: ptr(0)}, {Shape: review.Box}, // the last without coordinates
	} {
		r.ID, r.Image = review.RegionID(fmt.Sprint("x", i)), "ct"
		truth.Evidence = append(truth.Evidence, r)
	}
	truth.Evidence = append(truth.Evidence, review.Region{ID: "lost", Image: "gone", Shape: review.Box, Coords: []float64{0, 0, 1, 1}})
	c.Truth["q2"] = truth
	text, empty := caseOf("c2", "p2"), caseOf("c3", "p3")
	text.Images, text.Stacks, empty.Truth = nil, nil, nil
	d := write(t, "coco", export.Options{}, c, text, empty)
	got := cocoOf(t, d)
	units := fmt.Sprint(d.Units)
	want := "[{cases 3 2 [{1 no image}]} {pictures 2 2 []} {regions 11 2 [{1 COCO holds no whole_image} {1 COCO holds no point} {1 COCO holds no ellipse} {1 COCO holds no mask} {1 COCO holds no slab} {1 COCO holds no box} {3 on an image that cannot be shown}]}]"
	if units != want || len(got.Annotations) != 2 || got.Annotations[1].Area != 2500 {
		t.Errorf("%s\nwant\n%s\n%+v", units, want, got.Annotations)
	}
}

// I01: a picture stored 400×300 and turned by EXIF 6: the box is given as displayed and as stored.
func TestCOCOTurned(t *testing.T) {
	c := caseOf("c1", "p1")
	c.Stacks[0].Frames[0] = review.Frame{Rows: 300, Columns: 400, Samples: 1, BitsAllocated: 8, ExifOrientation: 6}
	truth := c.Truth["q2"]
	truth.Evidence = []review.Region{{ID: "b", Image: "ct", Shape: review.Box, Coords: []float64{20. / 400, 260. / 300, 60. / 400, 290. / 300}}}
	c.Truth["q2"] = truth
	got := cocoOf(t, write(t, "coco", export.Options{}, c))
	a := got.Annotations[0]
	if fmt.Sprint(a.BBox, a.Attributes.Stored) != "[10 20 30 40] [20 260 40 30]" || got.Images[0].Width != 300 || got.Images[0].Height != 400 || got.Images[0].EXIF != 6 {
		t.Errorf("%+v %+v", a, got.Images[0])
	}
}

// Another program indexes the file as readers of COCO do, and finds every reference, every picture and every area right.
func TestCOCOInPython(t *testing.T) {
	const python = "/usr/bin/python3"
	if err := exec.CommandContext(t.Context(), python, "-c", "import PIL").Run(); err != nil {
		testfiles.Missing(t, "Python's PIL is not installed")
	}
	d := write(t, "coco", everything, whole("c1", "p1"), whole("c2", "p2"))
	said, err := exec.CommandContext(t.Context(), python, "-c", `import collections, json, os, sys
from PIL import Image
d = json.load(open(sys.argv[1]))
images = {i["id"]: i for i in d["images"]}
categories = {c["id"]: c for c in d["categories"]}
assert len(images) == len(d["images"]) and len(categories) == len(d["categories"])
assert len({a["id"] for a in d["annotations"]}) == len(d["annotations"])
of = collections.defaultdict(list)
for a in d["annotations"]:
    i = images[a["image_id"]]
    categories[a["category_id"]]
    of[i["id"]].append(a)
    x, y, w, h = a["bbox"]
    assert 0 <= x and x + w <= i["width"] and 0 <= y and y + h <= i["height"] and a["iscrowd"] == 0
    p = a["segmentation"][0]
    assert min(p[0::2]) == x and abs(max(p[0::2]) - x - w) < 1e-3 and a["area"] <= w * h + 1e-3
for i in images.values():
    with Image.open(os.path.join(os.path.dirname(sys.argv[1]), i["file_name"])) as f:
        assert f.size == (i["width"], i["height"])
print(len(images), len(d["annotations"]), sorted(c["name"] for c in categories.values()))`, filepath.Join(d.Dir, "annotations.json")).CombinedOutput()
	if err != nil || strings.TrimSpace(string(said)) != "2 6 ['Anatomy', 'left hemithorax']" {
		t.Errorf("%v: %s", err, said)
	}
}
