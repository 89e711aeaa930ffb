package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"plumbline/backend/dcm"
	"plumbline/backend/desk"
	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

// orthanc starts Debian's Orthanc with its DICOMweb plugin on a free port of this machine, in a folder of its own, and gives its address.
// It is ended by its process id. Where users are given it wants to know their names and passwords.
func orthanc(t testing.TB, users map[string]string) string {
	t.Helper()
	const plugin = "/usr/share/orthanc/plugins/libOrthancDicomWeb.so"
	program, err := exec.LookPath("Orthanc")
	if err != nil {
		program = "/usr/sbin/Orthanc"
	}
	for _, file := range []string{program, plugin} {
		if _, err := os.Stat(file); err != nil {
			testfiles.Missing(t, "needs Debian's orthanc and orthanc-dicomweb: "+file)
		}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	dir := t.TempDir()
	config, err := json.Marshal(map[string]any{
		"Name": "TEST", "HttpPort": port, "HttpServerEnabled": true, "RemoteAccessAllowed": false, "AuthenticationEnabled": len(users) > 0, "RegisteredUsers": users,
		"DicomServerEnabled": false, "StorageDirectory": dir, "IndexDirectory": dir, "Plugins": []string{plugin},
		"DicomWeb": map[string]any{"Enable": true, "Root": "/dicom-web/"},
	})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "orthanc.json"), config, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, filepath.Join(dir, "orthanc.json"))
	log, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	lines := bufio.NewScanner(log)
	for lines.Scan() && !strings.Contains(lines.Text(), "Orthanc has started") {
		said += lines.Text() + "\n"
	}
	if lines.Err() != nil || !strings.Contains(lines.Text(), "Orthanc has started") {
		t.Fatalf("Orthanc did not start: %v\n%s", c.Wait(), said)
	}
	drained := make(chan struct{})
	go func() {
		for lines.Scan() {
		}
		close(drained)
	}()
	t.Cleanup(func() {
		c.Process.Kill()
		<-drained
		c.Wait()
	})
	return "http://127.0.0.1:" + strconv.Itoa(port)
}

// TestImportFromARealArchive brings a study of CT slices from Orthanc by its address: the same samples as the files that were sent there.
func TestImportFromARealArchive(t *testing.T) {
	server := orthanc(t, map[string]string{})
	dir := t.TempDir()
	const study, series = "1.2.840.1.9", "1.2.840.1.9.1"
	var digests []string
	for n := range 5 {
		var b bytes.Buffer
		text := func(tag uint32, vr, value string) dcm.WriteTag { return dcm.WriteTag{Tag: tag, VR: vr, Value: value} }
		err := dcm.Write(&b, dcm.WriteImage{SOPClass: dcm.CTImageStorage, InstanceUID: fmt.Sprintf("%s.%d", series, n+1), Pixels: []byte{byte(n), 4, 40, 4, 0, 0, 255, 15},
			Tags: []dcm.WriteTag{
				text(0x00080060, "CS", "CT"), text(0x00100010, "PN", "Canary^Jane"), text(0x00100020, "LO", "P1"), text(0x0020000D, "UI", study), text(0x0020000E, "UI", series),
				text(0x00200013, "IS", strconv.Itoa(n+1)), text(0x00200032, "DS", fmt.Sprintf(`0\0\%d`, 5*((n+2)%5))), text(0x00200037, "DS", `1\0\0\0\1\0`),
				text(0x00280002, "US", "1"), text(0x00280004, "CS", "MONOCHROME2"), text(0x00280010, "US", "2"), text(0x00280011, "US", "2"),
				text(0x00280030, "DS", `2\1`), text(0x00280100, "US", "16"), text(0x00280101, "US", "12"), text(0x00280102, "US", "11"), text(0x00280103, "US", "0"),
			}})
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.Post(server+"/instances", "application/dicom", bytes.NewReader(b.Bytes()))
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatal(res, err)
		}
		res.Body.Close()
		path := filepath.Join(dir, strconv.Itoa(n)+".dcm")
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := listFrames(t.Context(), path, "", review.Quiet)
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, got.SamplesSHA256)
	}
	workspace := filepath.Join(t.TempDir(), "w")
	for _, address := range []string{server + "/dicom-web/studies/" + study, server + "/dicom-web/studies/" + study} {
		code, out, diag := answer(t, "import", address, "--workspace", workspace, "--json")
		var got desk.Imported
		if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || got.Frames != 5 || got.Images != 1 || got.Cases != 1 {
			t.Fatalf("exit %d, %v: %s%s", code, err, out, diag)
		}
		if strings.Contains(out+diag, "Canary") {
			t.Error("the patient's name is told")
		}
	}
	for n := range 5 {
		files, err := filepath.Glob(filepath.Join(workspace, "dicomweb", "*", series, fmt.Sprintf("%s.%d.dcm", series, n+1)))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		got, err := listFrames(t.Context(), files[0], "", review.Quiet)
		if err != nil || got.SamplesSHA256 != digests[n] {
			t.Errorf("instance %d: %v", n, err)
		}
	}
	code, _, diag := answer(t, "import", server+"/dicom-web/studies/1.2.3", "--workspace", workspace)
	if code != 3 {
		t.Errorf("a study that is not there ends with %d: %s", code, diag)
	}
	code, out, diag := answer(t, "studies", server+"/dicom-web", "--json")
	var found desk.Found
	if err := json.Unmarshal([]byte(out), &found); err != nil || code != 0 || len(found.Studies) != 1 || found.Studies[0].UID != study ||
		found.Studies[0].Patient != "P1" || found.Studies[0].Instances != 5 || fmt.Sprint(found.Studies[0].Modalities) != "[CT]" || strings.Contains(out, "Canary") {
		t.Errorf("exit %d, %v: %s%s", code, err, out, diag)
	}
	if code, out, _ := answer(t, "studies", server+"/dicom-web", "--patient", "P2"); code != 3 {
		t.Errorf("nobody's studies end with %d: %s", code, out)
	}
}

// TestLoginAtARealArchive asks Orthanc with and without its password.
func TestLoginAtARealArchive(t *testing.T) {
	server := orthanc(t, map[string]string{"ann": "pass word"})
	for _, c := range []struct {
		secret string
		args   []string
		code   int
		words  string
	}{
		{"", nil, 9, "wants a login"},
		{"wrong", []string{"--user", "ann"}, 9, "does not know this login"},
		{"pass word", []string{"--user", "ann"}, 3, "no study fits"},
	} {
		t.Setenv(secretVariable, c.secret)
		code, out, diag := answer(t, append([]string{"studies", server + "/dicom-web"}, c.args...)...)
		if code != c.code || !strings.Contains(diag, c.words) || c.secret != "" && strings.Contains(out+diag, c.secret) {
			t.Errorf("%q ends with %d: %s%s", c.secret, code, out, diag)
		}
	}
}

func TestImportByAddressEndsWithTheRightCode(t *testing.T) {
	workspace := filepath.Join(t.TempDir(), "w")
	for address, want := range map[string]int{
		"http://127.0.0.1:1/dicom-web/studies/1.2":   10,
		"http://127.0.0.1/dicom-web":                 2,
		"https://203.0.113.9/dicom-web/studies/1.2":  9,
		"http://name:word@127.0.0.1:1/x/studies/1.2": 2,
	} {
		if code, _, diag := answer(t, "import", address, "--workspace", workspace); code != want {
			t.Errorf("%s ends with %d, want %d: %s", address, code, want, diag)
		}
	}
}
