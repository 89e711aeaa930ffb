package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"plumbline/backend/dcm"
	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

// answer runs the program in place and gives its exit code and output.
func answer(t testing.TB, args ...string) (code int, out, diag string) {
	t.Helper()
	var o, d bytes.Buffer
	code = run(context.Background(), args, &o, &d)
	return code, o.String(), d.String()
}

// ctFile writes a CT of two columns by two rows at a height.
func ctFile(t testing.TB, dir, name string, z float64) string {
	t.Helper()
	var b bytes.Buffer
	text := func(tag uint32, vr, value string) dcm.WriteTag { return dcm.WriteTag{Tag: tag, VR: vr, Value: value} }
	err := dcm.Write(&b, dcm.WriteImage{SOPClass: dcm.CTImageStorage, InstanceUID: dcm.UID(name), Pixels: []byte{0, 4, 40, 4, 0, 0, 255, 15}, Tags: []dcm.WriteTag{
		text(0x00080060, "CS", "CT"), text(0x0020000E, "UI", "1.2.3"),
		text(0x00200032, "DS", `0\0\`+strconv.FormatFloat(z, 'g', -1, 64)), text(0x00200037, "DS", `1\0\0\0\1\0`),
		text(0x00280002, "US", "1"), text(0x00280004, "CS", "MONOCHROME2"), text(0x00280010, "US", "2"), text(0x00280011, "US", "2"),
		text(0x00280030, "DS", `2\1`), text(0x00280100, "US", "16"), text(0x00280101, "US", "12"), text(0x00280102, "US", "11"), text(0x00280103, "US", "0"),
		text(0x00281050, "DS", "40"), text(0x00281051, "DS", "400"), text(0x00281052, "DS", "-1024"), text(0x00281053, "DS", "1"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFramesProbeRenderVolume(t *testing.T) {
	dir := t.TempDir()
	a := ctFile(t, dir, "a.dcm", 5)
	ctFile(t, dir, "b.dcm", 0)
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("not an image"), 0o644); err != nil {
		t.Fatal(err)
	}
	raw := filepath.Join(dir, "raw")
	code, out, _ := answer(t, "frames", a, "--json", "--raw", raw)
	var frames framesResult
	if err := json.Unmarshal([]byte(out), &frames); err != nil || code != 0 {
		t.Fatalf("exit %d, %v: %s", code, err, out)
	}
	f := frames.Frames[0]
	if f.SHA256 == "" || f.SHA256 != frames.SamplesSHA256 || f.Unit != "HU" || f.SpacingMM[0] != 2 || len(frames.Problems) != 0 {
		t.Errorf("frame %+v", f)
	}
	if b, err := os.ReadFile(filepath.Join(raw, "0.raw")); err != nil || !bytes.Equal(b, []byte{0, 4, 40, 4, 0, 0, 255, 15}) {
		t.Errorf("raw samples %v, %v", b, err)
	}
	code, out, _ = answer(t, "probe", a, "--frame", "0", "--at", "1,0", "--json")
	var probe probeResult
	if err := json.Unmarshal([]byte(out), &probe); err != nil || code != 0 {
		t.Fatalf("exit %d, %v: %s", code, err, out)
	}
	if probe.Stored[0] != 1064 || *probe.Value != 40 || math.Abs(*probe.Grey-127.82) > .01 {
		t.Errorf("probe %s", out)
	}
	picture := filepath.Join(dir, "x.png")
	code, out, _ = answer(t, "render", a, "--preset", "lung", "--size", "8", "--out", picture, "--json")
	var render renderResult
	if err := json.Unmarshal([]byte(out), &render); err != nil || code != 0 {
		t.Fatalf("exit %d, %v: %s", code, err, out)
	}
	if render.Window.Center != -600 || render.Width != 4 || render.Height != 8 {
		t.Errorf("render %s", out)
	}
	b, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if img, err := png.Decode(bytes.NewReader(b)); err != nil || img.Bounds().Dx() != 4 {
		t.Errorf("picture %v, %v", img, err)
	}
	code, out, _ = answer(t, "volume", dir, "--json")
	var volumes volumeResult
	if err := json.Unmarshal([]byte(out), &volumes); err != nil || code != 0 {
		t.Fatalf("exit %d, %v: %s", code, err, out)
	}
	if v := volumes.Volumes[0]; len(v.Files) != 2 || v.Files[0] != "b.dcm" || v.SpacingMM[2] != 5 {
		t.Errorf("volume %+v", v)
	}
}

func TestPictureCommandsEndWithTheRightCode(t *testing.T) {
	dir := t.TempDir()
	a := ctFile(t, dir, "a.dcm", 0)
	text := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(text, []byte("not an image"), 0o644); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(dir, "cut.dcm")
	if err := os.WriteFile(cut, whole[:len(whole)-3], 0o644); err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	for _, c := range []struct {
		want int
		args []string
	}{
		{0, []string{"frames", a}},
		{5, []string{"frames", text}},
		{6, []string{"frames", cut}},
		{3, []string{"frames", filepath.Join(dir, "none.dcm")}},
		{3, []string{"frames", a + ".none", "--json"}},
		{2, []string{"frames"}},
		{2, []string{"probe", a, "--at", "9,9"}},
		{2, []string{"probe", a, "--at", "middle"}},
		{2, []string{"probe", a, "--window", "0/40"}},
		{2, []string{"probe", a, "--voi", "7"}},
		{3, []string{"probe", a, "--frame", "1"}},
		{2, []string{"render", a}},
		{2, []string{"render", a, "--preset", "none", "--out", filepath.Join(dir, "x.png")}},
		{8, []string{"render", a, "--out", filepath.Join(dir, "a.dcm", "x.png")}},
		{4, []string{"volume", dir}},
		{3, []string{"volume", empty}},
	} {
		if code, _, diag := answer(t, c.args...); code != c.want {
			t.Errorf("%s ends with %d, want %d: %s", strings.Join(c.args, " "), code, c.want, diag)
		}
	}
}

func TestColoursOfTheCorpus(t *testing.T) {
	dir := testfiles.Shared(t, "dicom")
	if !dcm.HasCodecs() {
		testfiles.Missing(t, "the codecs are not in this build")
	}
	file, err := os.Open(filepath.Join(dir, "manifest.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for _, row := range rows[1:] {
		if row[column["kind"]] != "image" || row[column["rgb_sha256"]] == "" {
			continue
		}
		got, err := listFrames(context.Background(), filepath.Join(dir, "files", row[column["file"]]), "", review.Quiet)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		// Where the lossy samples are the reference's own, so must be their colours.
		if got.SamplesSHA256 == row[column["samples_sha256"]] && got.RGBSHA256 != row[column["rgb_sha256"]] {
			t.Errorf("%s: the colours differ", row[column["file"]])
		}
	}
}

// TestCasesWithKnownValues runs the checks of the reference cases: window, pixels, colour, spacing, order, gaps, tilt.
func TestCasesWithKnownValues(t *testing.T) {
	dir := testfiles.Shared(t, "reference", "cases")
	python := "/usr/bin/python3"
	if exec.Command(python, "-c", "import pydicom, numpy, PIL").Run() != nil {
		testfiles.Missing(t, "needs python3-pydicom, python3-numpy and python3-pil to write the files")
	}
	root := t.TempDir()
	if b, err := exec.Command(python, "-B", filepath.Join(dir, "make_cases.py"), root).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	b, err := os.ReadFile(filepath.Join(root, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		ID, What string
		Checks   []struct {
			Args []string
			Want map[string][2]any
		}
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			for _, check := range c.Checks {
				args := []string{}
				for _, a := range check.Args {
					args = append(args, strings.ReplaceAll(a, "{d}", filepath.Join(root, c.ID)))
				}
				_, out, diag := answer(t, append(args, "--json")...)
				var got any
				if err := json.Unmarshal([]byte(out), &got); err != nil {
					t.Fatalf("%v: %s%s", check.Args, out, diag)
				}
				for path, want := range check.Want {
					if v := at(got, path); !same(v, want[0], want[1].(float64)) {
						t.Errorf("%s: %v: %s is %v, right is %v", c.What, check.Args, path, v, want[0])
					}
				}
			}
		})
	}
}

// at walks a JSON value by a dotted path; # at its end asks for a length and ~ for the base name of a path.
func at(v any, path string) any {
	for _, key := range strings.Split(strings.TrimRight(path, "#~"), ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	switch x := v.(type) {
	case []any:
		if strings.HasSuffix(path, "#") {
			return float64(len(x))
		}
	case string:
		if strings.HasSuffix(path, "~") {
			return filepath.Base(x)
		}
	}
	return v
}

// same compares a JSON value with the right one, numbers within a tolerance.
func same(got, want any, tolerance float64) bool {
	switch w := want.(type) {
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for i := range w {
			if !same(g[i], w[i], tolerance) {
				return false
			}
		}
		return true
	case float64:
		g, ok := got.(float64)
		return ok && math.Abs(g-w) <= tolerance
	}
	return got == want
}
