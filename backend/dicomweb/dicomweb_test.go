package dicomweb

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:8042/dicom-web/studies/1.2.3":             "http://127.0.0.1:8042/dicom-web/studies/1.2.3",
		"https://pacs.example/a/b/studies/1.2/series/3.4/":          "https://pacs.example/a/b/studies/1.2/series/3.4",
		"http://h/studies/1.2":                                      "http://h/studies/1.2",
		"http://h/dicom-web":                                        "",
		"http://h/studies/../etc":                                   "",
		"http://h/studies/1.2/instances/3":                          "",
		"http://h/studies/1.2/series/x":                             "",
		"http://user:secret@h/studies/1.2":                          "",
		"http://h/studies/1.2?limit=1":                              "",
		"ftp://h/studies/1.2":                                       "",
		"http:///studies/1.2":                                       "",
		"http://h/studies/" + strings.Repeat("1", 65):               "",
		"http://h/studies/1..2":                                     "",
		"http://[::1]:8042/studies/1.2":                             "http://[::1]:8042/studies/1.2",
		"http://h/studies/1.2/series/3.4/instances/5/frames/1/more": "",
	} {
		p, err := Parse(address)
		if want == "" {
			if fault.KindOf(err) != fault.Usage || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s gave %v", address, err)
			}
			continue
		}
		if err != nil || p.String() != want {
			t.Errorf("%s is %s, %v", address, p, err)
		}
	}
}

func TestReaches(t *testing.T) {
	for address, want := range map[string]Reach{
		"127.0.0.1": Loopback, "::1": Loopback, "::ffff:127.0.0.1": Loopback, "10.1.2.3": Private, "192.168.0.9": Private, "172.16.0.1": Private,
		"172.32.0.1": Public, "169.254.1.1": Private, "fd00::1": Private, "fe80::1": Private, "8.8.8.8": Public, "2001:4860::1": Public,
		"100.64.0.1": Public, "0.0.0.0": Public,
	} {
		if got := reachOf(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
	if got, err := ReachOf(t.Context(), "localhost"); err != nil || got != Loopback {
		t.Errorf("localhost is %s, %v", got, err)
	}
}

// file is a file of n bytes that an archive could hold.
func file(n int) []byte {
	return append(append(make([]byte, 128), "DICM"...), bytes.Repeat([]byte{7}, n)...)
}

// archive answers like one that holds n instances in two series.
type archive struct {
	n       int
	atOnce  int // instances of a page
	asked   atomic.Int32
	deliver func(w http.ResponseWriter, r *http.Request, n int)
}

func (a *archive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/instances") {
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		rows := []map[string]any{}
		for i := offset; i < min(a.n, offset+a.atOnce); i++ {
			value := func(s string) any { return map[string]any{"vr": "UI", "Value": []string{s}} }
			rows = append(rows, map[string]any{"00080018": value(fmt.Sprintf("1.9.%d", i)), "0020000E": value(fmt.Sprintf("1.8.%d", i%2))})
		}
		w.Header().Set("Content-Type", "application/dicom+json")
		if err := json.NewEncoder(w).Encode(rows); err != nil {
			panic(err)
		}
		return
	}
	a.asked.Add(1)
	n, _ := strconv.Atoi(r.URL.Path[strings.LastIndex(r.URL.Path, ".")+1:])
	a.deliver(w, r, n)
}

// whole sends an instance as archives do.
func whole(w http.ResponseWriter, b []byte) {
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	p, err := m.CreatePart(textproto.MIMEHeader{"Content-Type": {"application/dicom"}})
	if err == nil {
		_, err = p.Write(b)
	}
	if err == nil {
		err = m.Close()
	}
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", `multipart/related; type="application/dicom"; boundary=`+m.Boundary())
	w.Write(body.Bytes()) // a reader that went away is its own affair
}

// at gives a place on a server.
func at(t testing.TB, h http.Handler) Place {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	p, err := Parse(s.URL + "/dicom-web/studies/1.7")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func quiet() Options { return Options{Tell: review.Quiet} }

// lying lists the files below a folder.
func lying(t testing.TB, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestFetchBringsEveryInstanceOnce(t *testing.T) {
	a := &archive{n: 7, atOnce: 3, deliver: func(w http.ResponseWriter, r *http.Request, n int) { whole(w, file(n)) }}
	place, dir := at(t, a), t.TempDir()
	for range 2 {
		n, problems, err := Fetch(t.Context(), place, dir, quiet())
		if n != 7 || len(problems) != 0 || err != nil {
			t.Fatalf("%d, %v, %v", n, problems, err)
		}
	}
	if a.asked.Load() != 7 {
		t.Errorf("%d instances were asked for, want each of 7 once", a.asked.Load())
	}
	b, err := os.ReadFile(filepath.Join(dir, "1.8.1", "1.9.5.dcm"))
	if err != nil || !bytes.Equal(b, file(5)) || len(lying(t, dir)) != 7 {
		t.Errorf("%v, %v", lying(t, dir), err)
	}
}

func TestOneThatCannotBeHadIsAProblem(t *testing.T) {
	a := &archive{n: 8, atOnce: 99, deliver: func(w http.ResponseWriter, r *http.Request, n int) {
		switch n {
		case 1:
			http.Error(w, "gone", http.StatusGone)
		case 2:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<p>sign in")
		case 3:
			whole(w, []byte("short"))
		case 4: // cut short
			w.Header().Set("Content-Type", "application/dicom")
			w.Header().Set("Content-Length", "9999")
			w.Write(file(10))
		case 5:
			w.Header().Set("Content-Type", `multipart/related; boundary=x`)
			fmt.Fprint(w, "nothing")
		case 6:
			http.Redirect(w, r, "http://127.0.0.2:9/elsewhere", http.StatusFound)
		case 7: // a plain answer will do
			w.Header().Set("Content-Type", "application/dicom")
			w.Write(file(1))
		default:
			whole(w, file(1))
		}
	}}
	dir := t.TempDir()
	n, problems, err := Fetch(t.Context(), at(t, a), dir, quiet())
	if n != 2 || err != nil || len(problems) != 6 {
		t.Fatalf("%d, %v, %v", n, problems, err)
	}
	all := ""
	for _, p := range problems {
		all += p.File + ": " + p.Text + "\n"
	}
	for _, want := range []string{"1.9.1.dcm: the server answers 410", "multipart/related expected", "no DICOM file", "cut short", "holds no part", "another host is not followed"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q among\n%s", want, all)
		}
	}
	if files := lying(t, dir); len(files) != 2 {
		t.Errorf("halves are left: %v", files)
	}
}

func TestListsThatAreNone(t *testing.T) {
	answer := func(status int, body string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		})
	}
	for name, c := range map[string]struct {
		server http.Handler
		want   fault.Kind
		word   string
	}{
		"no study":  {answer(404, ""), fault.NotFound, "no such study"},
		"empty":     {answer(200, "[]"), fault.NotFound, "no such study"},
		"no JSON":   {answer(200, "<html>"), fault.Endpoint, "no list of DICOM JSON"},
		"no UID":    {answer(200, `[{"00080018":{"Value":["../../x"]},"0020000E":{"Value":["1.2"]}}]`), fault.Endpoint, "has no UID"},
		"sign in":   {answer(401, ""), fault.Refused, "wants a login"},
		"elsewhere": {http.RedirectHandler("http://127.0.0.2:9/x", http.StatusFound), fault.Endpoint, "another host is not followed"},
		"circle": {http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }), fault.Endpoint,
			"more than 4 times"},
	} {
		dir := filepath.Join(t.TempDir(), "new")
		_, _, err := Fetch(t.Context(), at(t, c.server), dir, quiet())
		if fault.KindOf(err) != c.want || !strings.Contains(err.Error(), c.word) {
			t.Errorf("%s gave %v (%s)", name, err, fault.KindOf(err))
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s left a folder", name)
		}
	}
	closed := httptest.NewServer(answer(200, ""))
	p, err := Parse(closed.URL + "/studies/1.2")
	closed.Close()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Fetch(t.Context(), p, t.TempDir(), quiet()); fault.KindOf(err) != fault.Endpoint {
		t.Errorf("no server gave %v", err)
	}
}

func TestAPublicHostNeedsConsent(t *testing.T) {
	p, err := Parse("http://203.0.113.9:1/dicom-web/studies/1.2") // TEST-NET-3: nobody's
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Fetch(t.Context(), p, t.TempDir(), quiet()); fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "would learn") {
		t.Errorf("got %v", err)
	}
	// What was agreed to goes there; how far addresses are is in order.
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	res, err := client(Loopback).Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if !further(Public, Private) || !further(Private, Loopback) || further(Loopback, Public) {
		t.Error("the reaches are out of order")
	}
}

func TestACancelledFetchLeavesNoHalves(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a := &archive{n: 20, atOnce: 99, deliver: func(w http.ResponseWriter, r *http.Request, n int) {
		w.Header().Set("Content-Type", "application/dicom")
		w.Write(file(10))
		if n > 2 {
			w.(http.Flusher).Flush()
			cancel()
			<-r.Context().Done() // as slow as a server can be
		}
	}}
	dir := t.TempDir()
	_, _, err := Fetch(ctx, at(t, a), dir, quiet())
	if fault.KindOf(err) != fault.Cancelled {
		t.Errorf("got %v", err)
	}
	for _, f := range lying(t, dir) {
		if b, err := os.ReadFile(f); err != nil || len(b) != len(file(10)) || strings.Contains(f, ".part-") {
			t.Errorf("%s has %d bytes, %v", f, len(b), err)
		}
	}
}

// FuzzPage bends what a server answers: no panic, and no name that is not a UID.
func FuzzPage(f *testing.F) {
	f.Add([]byte(`[{"00080018":{"vr":"UI","Value":["1.2"]},"0020000E":{"Value":["1.3"]}}]`), "1.4")
	f.Add([]byte(`[{"00080018":{"Value":[{}]}}]`), "")
	f.Add([]byte(" "), "1")
	f.Fuzz(func(t *testing.T, b []byte, series string) {
		if series != "" && !isUID(series) {
			return
		}
		list, err := parsePage(b, series)
		if err != nil {
			return
		}
		for _, i := range list {
			if !isUID(i.uid) || !isUID(i.series) || !filepath.IsLocal(filepath.FromSlash(i.name())) {
				t.Fatalf("%+v", i)
			}
		}
	})
}
