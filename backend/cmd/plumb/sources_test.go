package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"plumbline/backend/dcm"
)

// zipOf packs files into an archive beside them.
func zipOf(t testing.TB, dir string, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		content, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		w, err := z.Create("study/" + filepath.Base(f))
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "study.zip")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAnArchiveAtTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	path := zipOf(t, t.TempDir(), ctFile(t, dir, "a.dcm", 5), ctFile(t, dir, "b.dcm", 0), ctFile(t, dir, "c.dcm", 10))
	code, out, diag := answer(t, "volume", path, "--json")
	var volumes volumeResult
	if err := json.Unmarshal([]byte(out), &volumes); err != nil || code != 0 || len(volumes.Volumes) != 1 {
		t.Fatalf("exit %d, %v: %s%s", code, err, out, diag)
	}
	if v := volumes.Volumes[0]; fmt.Sprint(v.Files) != "[study.zip/study/b.dcm study.zip/study/a.dcm study.zip/study/c.dcm]" || !v.MPR || v.SpacingMM[2] != 5 {
		t.Errorf("%+v", v)
	}
	code, out, diag = answer(t, "check", path, "--json")
	var check checkResult
	if err := json.Unmarshal([]byte(out), &check); err != nil || code != 0 || check.Frames != 3 || check.Cases != 1 {
		t.Errorf("exit %d, %v: %s%s", code, err, out, diag)
	}
	workspace := filepath.Join(t.TempDir(), "w")
	for range 2 {
		if code, out, diag := answer(t, "import", path, "--workspace", workspace); code != 0 {
			t.Errorf("import ends with %d: %s%s", code, out, diag)
		}
	}
}

// reportOver writes an SR whose one region lies on the file that ctFile writes under a name.
func reportOver(t testing.TB, dir, name string) string {
	t.Helper()
	var raw []byte
	for _, v := range []float64{0, 0, 2, 0, 2, 2, 0, 0} {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(v)))
	}
	item := func(tags ...dcm.WriteTag) [][]dcm.WriteTag { return [][]dcm.WriteTag{tags} }
	text := func(tag uint32, vr, value string) dcm.WriteTag { return dcm.WriteTag{Tag: tag, VR: vr, Value: value} }
	image := item(dcm.WriteTag{Tag: 0x00081199, VR: "SQ", Items: item(text(0x00081155, "UI", dcm.UID(name)))}, text(0x0040A040, "CS", "IMAGE"))
	region := item(text(0x0040A040, "CS", "SCOORD"),
		dcm.WriteTag{Tag: 0x0040A043, VR: "SQ", Items: item(text(0x00080104, "LO", "Outline"))},
		dcm.WriteTag{Tag: 0x0040A730, VR: "SQ", Items: image},
		dcm.WriteTag{Tag: 0x00700022, VR: "OW", Raw: raw}, text(0x00700023, "CS", "POLYLINE"))
	var b bytes.Buffer
	err := dcm.Write(&b, dcm.WriteImage{SOPClass: "1.2.840.10008.5.1.4.1.1.88.33", InstanceUID: dcm.UID("report"),
		Tags: []dcm.WriteTag{text(0x00080060, "CS", "SR"), {Tag: 0x0040A730, VR: "SQ", Items: region}}})
	if err != nil {
		t.Fatal(err)
	}
	// The writer knows no FL; of UN the reader takes what the standard says.
	out := bytes.Replace(b.Bytes(), []byte("\x70\x00\x22\x00OW\x00\x00\x20\x00\x00\x00"), []byte("\x70\x00\x22\x00UN\x00\x00\x20\x00\x00\x00"), 1)
	path := filepath.Join(dir, "report.dcm")
	if err := os.WriteFile(path, out, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFramesListWhatIsDrawnOverThem(t *testing.T) {
	dir := t.TempDir()
	a := ctFile(t, dir, "a.dcm", 0)
	report := reportOver(t, dir, "a.dcm")
	code, out, diag := answer(t, "frames", a, "--over", report, "--json")
	var got framesResult
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("exit %d, %v: %s%s", code, err, out, diag)
	}
	if code != 0 || len(got.Overlays) != 1 || got.Overlays[0].Label != "Outline" || len(got.Overlays[0].Regions) != 1 || got.Overlays[0].File != "report.dcm" {
		t.Errorf("exit %d: %s%s", code, out, diag)
	}
	if code, out, _ := answer(t, "frames", a, "--over", a, "--json"); code != 4 || !bytes.Contains([]byte(out), []byte("neither a segmentation")) {
		t.Errorf("a picture as an overlay ends with %d: %s", code, out)
	}
}
