package desk_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/dcm"
	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// archived is a file of one small CT slice.
func archived(t testing.TB, study, instance string) []byte {
	t.Helper()
	text := func(tag uint32, vr, value string) dcm.WriteTag { return dcm.WriteTag{Tag: tag, VR: vr, Value: value} }
	var b bytes.Buffer
	err := dcm.Write(&b, dcm.WriteImage{SOPClass: dcm.CTImageStorage, InstanceUID: instance, Pixels: []byte(instance + "        ")[:8],
		Tags: []dcm.WriteTag{
			text(0x00080060, "CS", "CT"), text(0x00100020, "LO", "P1"), text(0x0020000D, "UI", study), text(0x0020000E, "UI", study+".1"),
			text(0x00280002, "US", "1"), text(0x00280004, "CS", "MONOCHROME2"), text(0x00280010, "US", "2"), text(0x00280011, "US", "2"),
			text(0x00280100, "US", "16"), text(0x00280101, "US", "16"), text(0x00280102, "US", "15"), text(0x00280103, "US", "0"),
		}})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// archive answers like one that holds two studies of two slices each, of which one cannot be had, for who knows the password.
func archive(t testing.TB) string {
	t.Helper()
	uid := func(tag, v string) string { return fmt.Sprintf(`%q:{"vr":"UI","Value":[%q]}`, tag, v) }
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); password != "right" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/dicom-web/studies"), "/")
		switch {
		case len(parts) == 1:
			fmt.Fprintf(w, `[{%s},{%s}]`, uid("0020000D", "1.7.1"), uid("0020000D", "1.7.2"))
		case len(parts) == 3 && r.URL.Query().Get("offset") == "0":
			study := parts[1]
			fmt.Fprintf(w, `[{%s,%s},{%s,%s}]`, uid("00080018", study+".1.1"), uid("0020000E", study+".1"), uid("00080018", study+".1.2"), uid("0020000E", study+".1"))
		case len(parts) == 3:
			fmt.Fprint(w, "[]")
		case parts[5] == "1.7.2.1.2":
			w.WriteHeader(http.StatusGone)
		default:
			w.Header().Set("Content-Type", "application/dicom")
			w.Write(archived(t, parts[1], parts[5]))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/dicom-web"
}

func TestStudiesComeFromAnArchive(t *testing.T) {
	home := t.TempDir()
	told := map[string]int{}
	d := desk.New(desk.Options{Folders: desk.Folders{Data: home, Config: home, State: home}, Tell: func(p review.Progress) { told[p.Of]++ }})
	defer d.Close()
	ask := desk.ArchiveAsk{Address: archive(t) + "/", Login: desk.ArchiveLogin{By: desk.LoginByName, User: "ann", Secret: "right"}}
	about, err := d.Archive(t.Context(), ask.Address)
	if err != nil || about.Reach != "loopback" || about.Host != "127.0.0.1" || !about.Plain || about.Study != "" {
		t.Errorf("%+v, %v", about, err)
	}
	found, err := d.FindStudies(t.Context(), ask, desk.ArchiveSearch{})
	if err != nil || len(found.Studies) != 2 || found.Note != "" {
		t.Fatalf("%+v, %v", found, err)
	}
	got, err := d.FetchStudies(t.Context(), ask, []string{"1.7.1", "1.7.2"}, "")
	if err != nil || got.Frames != 3 || len(got.Problems) != 1 || !strings.Contains(got.Problems[0].File, "1.7.2.1.2") {
		t.Fatalf("%+v, %v", got, err)
	}
	if told["study 1 of 2"] == 0 || told["study 2 of 2"] == 0 {
		t.Errorf("told of %v", told)
	}
	if listed, err := d.Problems(t.Context()); err != nil || len(listed) != 1 {
		t.Errorf("problems listed: %+v, %v", listed, err)
	}
	folders, err := filepath.Glob(filepath.Join(home, "archives", "*"))
	if err != nil || len(folders) != 1 || !strings.HasPrefix(filepath.Base(folders[0]), "127-0-0-1-") {
		t.Errorf("folders %v, %v", folders, err)
	}
	err = filepath.WalkDir(home, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte(`"right"`)) {
			t.Errorf("the password lies in %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if again, err := d.FetchStudies(t.Context(), ask, []string{"1.7.2", "1.7.1"}, ""); err != nil || again.Frames != 3 {
		t.Errorf("the same studies again: %+v, %v", again, err)
	}
	if whole, err := d.FetchStudies(t.Context(), ask, []string{"1.7.1"}, ""); err != nil || whole.Problems == nil || len(whole.Problems) != 0 {
		t.Errorf("a study without a problem: %+v, %v", whole, err)
	}
}

func TestAnArchiveIsAskedByConsentAlone(t *testing.T) {
	home := t.TempDir()
	d := desk.New(desk.Options{Folders: desk.Folders{Data: home, Config: home, State: home}})
	defer d.Close()
	here := archive(t)
	for _, c := range []struct {
		ask   desk.ArchiveAsk
		kind  fault.Kind
		words string
	}{
		{desk.ArchiveAsk{Address: "http://203.0.113.9:1/dicom-web"}, fault.Refused, "naming 203.0.113.9"}, // TEST-NET-3: nobody's
		{desk.ArchiveAsk{Address: "http://10.0.0.1/dicom-web", Agreed: "10.0.0.2"}, fault.Refused, "naming 10.0.0.1"},
		{desk.ArchiveAsk{Address: "https://archive.invalid"}, fault.Refused, "archive.invalid would be contacted"},
		{desk.ArchiveAsk{Address: "/home/ann"}, fault.Usage, "no address of a server"},
		{desk.ArchiveAsk{Address: here}, fault.Refused, "wants a login"},
		{desk.ArchiveAsk{Address: here, Login: desk.ArchiveLogin{By: desk.LoginByName, User: "ann", Secret: "wrong"}}, fault.Refused, "does not know this login"},
		{desk.ArchiveAsk{Address: here, Login: desk.ArchiveLogin{By: "card"}}, fault.Usage, "one of"},
	} {
		_, err := d.FindStudies(t.Context(), c.ask, desk.ArchiveSearch{})
		refused(t, err, c.kind, c.words)
		_, err = d.FetchStudies(t.Context(), c.ask, []string{"1.7.1"}, "")
		refused(t, err, c.kind, c.words)
	}
	if _, err := os.Stat(filepath.Join(home, "archives")); err == nil {
		t.Error("a fetch that was refused left a folder")
	}
	ok := desk.ArchiveAsk{Address: here, Login: desk.ArchiveLogin{By: desk.LoginByName, User: "ann", Secret: "right"}}
	_, err := d.FetchStudies(t.Context(), ok, nil, "")
	refused(t, err, fault.Usage, "at least one study")
	_, err = d.FetchStudies(t.Context(), ok, []string{"../x"}, "")
	refused(t, err, fault.Usage, "names neither a study")
	if a, err := d.Archive(t.Context(), "https://archive.invalid/dicom-web/studies/1.2"); err != nil || a.Reach != "" || a.Plain || a.Study != "1.2" {
		t.Errorf("%+v, %v", a, err)
	}
}
