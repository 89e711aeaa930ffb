package model

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"plumbline/backend/fault"
)

func TestProfileCheck(t *testing.T) {
	good := batchProfile()
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for says, spoil := range map[string]func(*Profile){
		"name":        func(p *Profile) { p.Name = "../x" },
		"base_url":    func(p *Profile) { p.BaseURL = "file:///etc" },
		"user":        func(p *Profile) { p.BaseURL = "https://me:secret@h/v1" },
		"model":       func(p *Profile) { p.Model = "" },
		"concurrency": func(p *Profile) { p.Concurrency = 5000 },
		"token_limit": func(p *Profile) { p.TokenLimit = "tokens" },
		"extra":       func(p *Profile) { p.Extra = ExtraOptions{"messages": []byte("1")} },
		"image":       func(p *Profile) { p.Image.MIME = "image/webp" },
		"boxes":       func(p *Profile) { p.Boxes.Space = "mils" },
		"structured":  func(p *Profile) { p.Structured = "xml" },
		"timeouts":    func(p *Profile) { p.Timeouts.Total = -1 },
		"logprobs":    func(p *Profile) { p.Logprobs = 50 },
	} {
		p := good
		spoil(&p)
		if err := p.Check(); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", says, err)
		}
	}
}

func TestProfilesAreFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "profiles")
	if all, problems, err := LoadProfiles(dir); len(all)+len(problems) > 0 || err != nil {
		t.Errorf("a folder that is not there: %v %v %v", all, problems, err)
	}
	p := batchProfile()
	p.Key = Key{Env: "SOME_KEY"}
	if err := SaveProfile(dir, p); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"broken.json": "{", "other.json": `{"schema":"plumbline.profile/1","name":"x","base_url":"http://h/v1","model":"m"}`, "misspelt.json": `{"schema":"plumbline.profile/1","modle":"m"}`, "README": "no profile"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, problems, err := LoadProfiles(dir)
	if err != nil || len(all) != 1 || all[0].Key != p.Key || all[0].Logprobs != 5 || len(problems) != 3 {
		t.Errorf("%+v %v %v, want the one good profile and three problems", all, problems, err)
	}
}

func TestKeys(t *testing.T) {
	keyring.MockInit()
	t.Setenv("PLUMBLINE_TEST_KEY", "abc")
	k := Key{Keyring: "site"}
	if _, err := k.Secret(); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a key that is not there: %v", err)
	}
	if err := k.Keep("s3cret"); err != nil {
		t.Fatal(err)
	}
	for want, from := range map[string]Key{"s3cret": k, "abc": {Env: "PLUMBLINE_TEST_KEY"}, "": {}} {
		if got, err := from.Secret(); got != want || err != nil {
			t.Errorf("%+v: %q %v, want %q", from, got, err, want)
		}
	}
	if err := k.Keep(""); err != nil {
		t.Error(err)
	}
	if _, err := k.Secret(); fault.KindOf(err) != fault.NotFound {
		t.Errorf("after it was taken out: %v", err)
	}
	if _, err := NewEndpoint(batchProfile(), "two\nlines"); err == nil || strings.Contains(err.Error(), "two") {
		t.Errorf("a key of two lines: %v", err)
	}
}

func TestReach(t *testing.T) {
	for address, want := range map[string]Reach{
		"127.0.0.1": Loopback, "::1": Loopback, "::ffff:127.0.0.1": Loopback, "0.0.0.0": Loopback, "10.1.2.3": Private, "192.168.0.9": Private, "172.16.0.1": Private,
		"100.64.1.1": Private, "fd00::1": Private, "fe80::1": Private, "169.254.1.1": Private, "8.8.8.8": Public, "172.32.0.1": Public, "2001:4860::1": Public, "::ffff:8.8.8.8": Public,
	} {
		if got := reachOf(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
}

// A public host is sent nothing without a consent that names it and what is sent; nothing goes out in this test.
func TestPublicHostsNeedConsent(t *testing.T) {
	p := batchProfile()
	p.BaseURL = "https://203.0.113.5/v1"
	ask := func(p Profile, images ...Image) error {
		e, err := NewEndpoint(p, "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Ask(context.Background(), Request{Prompt: "?", Images: images})
		return err
	}
	if err := ask(p); fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "203.0.113.5") || !strings.Contains(err.Error(), "card") {
		t.Errorf("without a consent: %v", err)
	}
	p.Consent = &Consent{Host: "203.0.113.5", Sends: []string{SendsText}}
	if err := p.Allowed(Public, false); err != nil {
		t.Errorf("text with a consent to text: %v", err)
	}
	if err := ask(p, film(t, 0)); fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "images") {
		t.Errorf("images with a consent to text: %v", err)
	}
	p.Consent = &Consent{Host: "elsewhere.example", Sends: []string{SendsText, SendsImages}}
	if err := ask(p); fault.KindOf(err) != fault.Refused {
		t.Errorf("a consent to another host: %v", err)
	}
	p.BaseURL, p.Consent.Host = "http://203.0.113.5/v1", "203.0.113.5"
	if err := ask(p); fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "https") {
		t.Errorf("in clear: %v", err)
	}
	if err := p.guard("tcp", "203.0.113.5:443", nil); fault.KindOf(err) != fault.Refused {
		t.Errorf("a name that came to point elsewhere: %v", err)
	}
}

func TestImagesAreFitted(t *testing.T) {
	wide := film(t, 1) // 384 × 320
	for _, c := range []struct {
		form          ImageForm
		columns, rows int
		same          bool
	}{
		{ImageForm{}, 384, 320, true},
		{ImageForm{LongSide: 192}, 192, 160, false},
		{ImageForm{LongSide: 1000}, 384, 320, true},
		{ImageForm{Multiple: 28}, 392, 308, false},
		{ImageForm{LongSide: 200, Multiple: 28, MIME: jpegType}, 196, 168, false},
		{ImageForm{MIME: jpegType}, 384, 320, false},
	} {
		got, columns, rows, err := c.form.Fit(wide)
		if err != nil || columns != c.columns || rows != c.rows || bytes.Equal(got.Bytes, wide.Bytes) != c.same {
			t.Errorf("%+v: %d × %d, the same %v, %v", c.form, columns, rows, bytes.Equal(got.Bytes, wide.Bytes), err)
			continue
		}
		size, kind, err := image.DecodeConfig(bytes.NewReader(got.Bytes))
		if err != nil || size.Width != columns || size.Height != rows || "image/"+kind != got.MIME {
			t.Errorf("%+v: sent as %s %d × %d, %v", c.form, kind, size.Width, size.Height, err)
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 64, 32)), nil); err != nil {
		t.Fatal(err)
	}
	if got, _, _, err := (ImageForm{}).Fit(Image{MIME: "image/webp", Bytes: b.Bytes()}); err != nil || got.MIME != pngType {
		t.Errorf("a JPEG called WebP goes out as %s, %v", got.MIME, err)
	}
}

func FuzzReadProfile(f *testing.F) {
	f.Add([]byte(`{"schema":"plumbline.profile/1","name":"x","base_url":"http://h/v1","model":"m"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, err := ReadProfile(b); err == nil && (p.Name == "" || p.Model == "" || p.Host() == "") {
			t.Errorf("%+v was taken", p)
		}
	})
}
