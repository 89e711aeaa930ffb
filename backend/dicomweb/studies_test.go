package dicomweb

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"

	"plumbline/backend/fault"
)

const threeStudies = `[
 {"0020000D":{"vr":"UI","Value":["1.2.1"]},"00080020":{"vr":"DA","Value":["20260131"]},"00100020":{"Value":["P-7"]},"00100010":{"Value":[{"Alphabetic":"Canary^Jane"}]},
  "00081030":{"Value":["CT\u0007 chest"]},"00080061":{"Value":["CT","SR"]},"00201206":{"Value":[2]},"00201208":{"Value":["300"]}},
 {"0020000D":{"Value":["1.2.2"]},"00080020":{"Value":["31.1.2026"]},"00201208":{"Value":[-4]},"00081030":{"Value":[7]}},
 {"0020000D":{"Value":["../x"]}},
 {"0020000D":{"Value":["1.2.1"]}}]`

func TestFindListsStudiesToChooseFrom(t *testing.T) {
	var asked url.Values
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Query()
		fmt.Fprint(w, threeStudies)
	}))
	defer s.Close()
	p, err := ParseServer(s.URL + "/dicom-web/")
	if err != nil {
		t.Fatal(err)
	}
	got, more, err := Find(t.Context(), p.Root, Wanted{Patient: " 7*", Modality: "ct", From: "2026-01-01", Skip: 50}, quiet())
	if err != nil || more || len(got) != 2 {
		t.Fatalf("%+v, %v, %v", got, more, err)
	}
	want := Study{UID: "1.2.1", Date: "2026-01-31", Patient: "P-7", Description: "CT  chest", Modalities: []string{"CT", "SR"}, Series: 2, Instances: 300}
	if fmt.Sprint(got[0]) != fmt.Sprint(want) || strings.Contains(fmt.Sprint(got), "Canary") {
		t.Errorf("%+v", got[0])
	}
	if got[1].Date != "" || got[1].Instances != 0 || got[1].Description != "" {
		t.Errorf("%+v", got[1])
	}
	for key, want := range map[string]string{"PatientID": "*7*", "ModalitiesInStudy": "CT", "StudyDate": "20260101-", "offset": "50", "limit": "51"} {
		if asked.Get(key) != want {
			t.Errorf("asked %s=%q, want %q", key, asked.Get(key), want)
		}
	}
	if _, _, err := Find(t.Context(), p.Root, Wanted{From: "yesterday"}, quiet()); fault.KindOf(err) != fault.Usage {
		t.Errorf("a day that is none: %v", err)
	}
}

func TestMoreStudiesThanAreShown(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var rows []string
		for i := range Most + 1 {
			rows = append(rows, fmt.Sprintf(`{"0020000D":{"Value":["1.2.%d"]}}`, i))
		}
		fmt.Fprint(w, "["+strings.Join(rows, ",")+"]")
	}))
	defer s.Close()
	p, err := ParseServer(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	if got, more, err := Find(t.Context(), p.Root, Wanted{}, quiet()); len(got) != Most || !more || err != nil {
		t.Errorf("%d, %v, %v", len(got), more, err)
	}
}

// A login goes to the server, and what a server says to it is said in words.
func TestLogins(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		switch {
		case user == "reader" && password == "right", r.Header.Get("Authorization") == "Bearer token":
			fmt.Fprint(w, "[]")
		case user == "guest":
			w.WriteHeader(http.StatusForbidden)
		default:
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer s.Close()
	p, err := ParseServer(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		login Login
		word  string
	}{
		{Login{User: "reader", Password: "right"}, ""}, {Login{Bearer: "token"}, ""},
		{Login{}, "wants a login"}, {Login{User: "reader", Password: "wrong"}, "does not know this login"}, {Login{User: "guest"}, "does not give this"},
	} {
		o := quiet()
		o.Login = c.login
		_, _, err := Find(t.Context(), p.Root, Wanted{}, o)
		switch {
		case c.word == "" && err == nil:
		case c.word == "" || fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), c.word) || strings.Contains(err.Error(), "wrong"):
			t.Errorf("%s gave %v", c.login.User, err)
		}
	}
	public := &url.URL{Scheme: "http", Host: "203.0.113.9:1"} // TEST-NET-3: nobody's
	if _, err := connect(t.Context(), public, Options{Public: true, Login: Login{Bearer: "token"}}); fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "not https") {
		t.Errorf("a token in the clear to a public host: %v", err)
	}
}

func TestServersWithoutAStudy(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:8042/dicom-web":          "http://127.0.0.1:8042/dicom-web",
		"http://127.0.0.1:8042/dicom-web/":         "http://127.0.0.1:8042/dicom-web",
		"http://127.0.0.1:8042/dicom-web/studies/": "http://127.0.0.1:8042/dicom-web",
		"https://pacs.example":                     "https://pacs.example",
	} {
		if p, err := ParseServer(address); err != nil || p.String() != want || p.Study != "" {
			t.Errorf("%s is %s, %v", address, p, err)
		}
	}
	for host, want := range map[string]Reach{"127.0.0.1": Loopback, "LOCALHOST": Loopback, "10.0.0.1": Private, "8.8.8.8": Public, "pacs.example": ""} {
		if got := Unasked(host); got != want {
			t.Errorf("%s is %q unasked, want %q", host, got, want)
		}
	}
}

// FuzzStudies bends what a server answers: nothing that cannot be shown as a line, and no UID that is none.
func FuzzStudies(f *testing.F) {
	f.Add([]byte(threeStudies))
	f.Add([]byte(`[{"0020000D":{"Value":["1.2"]},"00080061":{"Value":[{},null,"MR"]}}]`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := parseStudies(b)
		if err != nil {
			return
		}
		for _, s := range list {
			lines := append([]string{s.Description, s.Patient}, s.Modalities...)
			bad := slices.ContainsFunc(lines, func(l string) bool { return strings.ContainsFunc(l, unicode.IsControl) || len([]rune(l)) > 64 })
			if bad || !isUID(s.UID) || s.Series < 0 || s.Instances < 0 {
				t.Fatalf("%+v", s)
			}
		}
	})
}
