package bundle

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

func newKeys(t testing.TB) Keys {
	t.Helper()
	k, err := NewKeys()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func manifest() Manifest {
	return Manifest{
		Kind: Words, Study: "study-1", Workspace: "w", Machine: "m-1", From: "R1", To: "coordinator", Created: "2026-01-31T12:00:00Z",
		Heads: []store.HashChain{}, Files: []File{},
	}
}

// contents are files of every sort: packed well, not at all, empty, and so well that it looks like a bomb.
func contents() map[string][]byte {
	mixed := make([]byte, 5000)
	for i := range mixed {
		mixed[i] = byte(i * i >> 3)
	}
	return map[string][]byte{
		"events.jsonl": []byte(strings.Repeat(`{"a":1}`, 300)), "images/a/0001.dcm": mixed, "empty": {}, "blank": make([]byte, 1<<20),
	}
}

var names = []string{"events.jsonl", "images/a/0001.dcm", "empty", "blank"}

// made writes a bundle of contents.
func made(t testing.TB, keys Keys, lock Lock) (path string) {
	t.Helper()
	dir := t.TempDir()
	w, err := NewWriter(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, name := range names {
		if err := w.Add(name, contents()[name]); err != nil {
			t.Fatal(err)
		}
	}
	path = filepath.Join(dir, "b.plumb")
	if _, err := w.Finish(path, manifest(), keys, lock); err != nil {
		t.Fatal(err)
	}
	return path
}

// all reads a bundle to its end.
func all(path string, keys Keys, passphrase string) (m Manifest, got map[string][]byte, err error) {
	b, err := Open(path, keys, passphrase)
	if err != nil {
		return m, nil, err
	}
	defer b.Close()
	got = map[string][]byte{}
	err = b.Each(func(f File, data []byte) error {
		got[f.Name] = data
		return nil
	})
	return b.Manifest, got, err
}

func TestRoundTrip(t *testing.T) {
	keys := newKeys(t)
	const passphrase = "correct horse battery"
	for name, c := range map[string]struct {
		lock       Lock
		passphrase string
	}{
		"for a key":         {Lock{Recipients: []string{keys.Recipient()}}, ""},
		"with a passphrase": {Lock{Passphrase: passphrase}, passphrase},
	} {
		t.Run(name, func(t *testing.T) {
			path := made(t, keys, c.lock)
			m, got, err := all(path, keys, c.passphrase)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				if !bytes.Equal(got[name], contents()[name]) {
					t.Errorf("%s came back changed", name)
				}
			}
			if m.Study != "study-1" || m.Key != keys.Public() || len(got) != len(names) {
				t.Errorf("%+v, %d files", m, len(got))
			}
			left, err := os.ReadDir(filepath.Dir(path))
			if err != nil || len(left) != 1 {
				t.Errorf("left behind: %v, %v", left, err)
			}
			raw, err := os.ReadFile(path)
			if err != nil || bytes.Contains(raw, []byte("study-1")) || bytes.Contains(raw, []byte("events.jsonl")) {
				t.Errorf("the file tells what is in it: %v", err)
			}
		})
	}
}

func TestWrongLock(t *testing.T) {
	keys, others := newKeys(t), newKeys(t)
	open := made(t, keys, Lock{Passphrase: "correct horse battery"})
	mine := made(t, keys, Lock{Recipients: []string{keys.Recipient()}})
	for _, c := range []struct{ name, path, passphrase, want string }{
		{"another passphrase", open, "correct horse batterz", "not the one"},
		{"no passphrase", open, "", "none was given"},
		{"another machine", mine, "", "another machine's key"},
		{"another machine with a passphrase", mine, "correct horse battery", "another machine's key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := all(c.path, others, c.passphrase)
			if fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

// The work that a file may ask of whoever opens it is bounded: 2^19 would take half a gigabyte of memory.
func TestWorkIsBounded(t *testing.T) {
	r, err := age.NewScryptRecipient("correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	r.SetWorkFactor(maxWorkFactor + 1)
	path := locked1(t, r, []byte("anything"))
	if _, _, err := all(path, newKeys(t), "correct horse battery"); fault.KindOf(err) != fault.Damaged || !strings.Contains(err.Error(), "work factor") {
		t.Errorf("%v", err)
	}
}

// locked1 locks bytes for a recipient.
func locked1(t testing.TB, r age.Recipient, content []byte) string {
	t.Helper()
	var b bytes.Buffer
	w, err := age.Encrypt(&b, r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "b.plumb")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// entry is one entry of an archive as an attacker writes it.
type entry struct {
	zip.FileHeader
	data []byte
}

func plain(name string, data []byte) entry {
	return entry{header(name, zip.Store, data, len(data)), data}
}

// archived writes entries as they are given.
func archived(t testing.TB, entries []entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		w, err := z.CreateRaw(&e.FileHeader)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(e.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// hostile is a bundle of someone who has keys and knows the format: change what is signed, and what is archived.
func hostile(t testing.TB, keys Keys, change func(m *Manifest), archive func([]entry) []entry) []byte {
	t.Helper()
	m := manifest()
	m.Schema, m.Key = Schema, keys.Public()
	for _, name := range names[:3] {
		m.Files = append(m.Files, File{name, int64(len(contents()[name])), review.DigestOf(contents()[name])})
	}
	if change != nil {
		change(&m)
	}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	entries := []entry{plain(manifestName, b), plain(signatureName, signature(b, keys))}
	for _, name := range names[:3] {
		entries = append(entries, plain(name, contents()[name]))
	}
	if archive != nil {
		entries = archive(entries)
	}
	return archived(t, entries)
}

func TestHostile(t *testing.T) {
	keys := newKeys(t)
	named := func(name string) func(*Manifest) { return func(m *Manifest) { m.Files[1].Name = name } }
	entryNamed := func(name string) func([]entry) []entry {
		return func(e []entry) []entry { e[3].Name = name; return e }
	}
	type test struct {
		name    string
		change  func(*Manifest)
		archive func([]entry) []entry
		kind    fault.Kind
		want    string
	}
	tests := []test{
		{"a newer schema", func(m *Manifest) { m.Schema = "plumbline/bundle/2" }, nil, fault.Invalid, "newer Plumbline"},
		{"another schema", func(m *Manifest) { m.Schema = "plumbline/case/1" }, nil, fault.Damaged, "expected"},
		{"another kind", func(m *Manifest) { m.Kind = "gold" }, nil, fault.Damaged, "kind"},
		{"another key named", func(m *Manifest) { m.Key = newKeys(t).Public() }, nil, fault.Damaged, "another key"},
		{"a size without end", func(m *Manifest) { m.Files[1].Size = 1 << 62 }, nil, fault.Damaged, "a size of"},
		{"a size below nothing", func(m *Manifest) { m.Files[1].Size = -1 }, nil, fault.Damaged, "a size of"},
		{"more than may be in all", func(m *Manifest) {
			for i := range 300 {
				m.Files = append(m.Files, File{Name: fmt.Sprintf("f%d", i), Size: maxFile})
			}
		}, nil, fault.Damaged, "bytes in all"},
		{"another hash", func(m *Manifest) { m.Files[1].Digest = "sha256:00" }, nil, fault.Damaged, "not what was signed"},
		{"a file twice", nil, func(e []entry) []entry { return append(e, e[3]) }, fault.Damaged, "entries are signed"},
		{"a file that nobody signed", nil, func(e []entry) []entry { return append(e, plain("more", nil)) }, fault.Damaged, "entries are signed"},
		{"a file missing", nil, func(e []entry) []entry { return e[:4] }, fault.Damaged, "entries are signed"},
		{"in another order", nil, func(e []entry) []entry { e[2], e[3] = e[3], e[2]; return e }, fault.Damaged, "not the one"},
		{"other bytes", nil, func(e []entry) []entry {
			e[3] = plain(e[3].Name, bytes.Repeat([]byte{7}, 5000))
			return e
		}, fault.Damaged, "not what was signed"},
		{"a link", nil, func(e []entry) []entry { e[3].SetMode(os.ModeSymlink | 0o777); return e }, fault.Damaged, "no regular file"},
		{"a folder", nil, func(e []entry) []entry { e[3].SetMode(os.ModeDir | 0o777); return e }, fault.Damaged, "no regular file"},
		{"a packing of another program", nil, func(e []entry) []entry { e[3].Method = 12; return e }, fault.Damaged, "not used here"},
		{"a signature of nothing", nil, func(e []entry) []entry { e[1].data[40] ^= 1; return e }, fault.Damaged, "signature does not hold"},
		{"another manifest", nil, func(e []entry) []entry { e[0].data[20] ^= 1; return e }, fault.Damaged, "signature does not hold"},
		{"no manifest", nil, func(e []entry) []entry { return e[1:] }, fault.Invalid, "no package"},
		{"no signature", nil, func(e []entry) []entry { return append(e[:1], e[2:]...) }, fault.Invalid, "manifest.sig expected"},
		{"a bomb", func(m *Manifest) { m.Files[1].Size = 500 << 20 }, func(e []entry) []entry {
			e[3].UncompressedSize64, e[3].Method = 500<<20, zip.Deflate
			return e
		}, fault.Damaged, "claims to unpack"},
	}
	for _, bad := range []string{
		"../up", "/etc/passwd", `c:\x`, `a\b`, "a//b", "a/./b", "a/../b", ".hidden", "a/.ssh", "", "NUL", "com1.txt", "dot.", "line\nbreak", "nul\x00",
		strings.Repeat("n", maxName+1), "EVENTS.jsonl", "manifest.json", "Manifest.SIG", "größe",
	} {
		tests = append(tests, test{"signed name " + bad[:min(len(bad), 20)], named(bad), entryNamed(bad), fault.Damaged, "file name"})
	}
	for _, bad := range []string{"../up", "/etc/passwd", "events.jsonl"} {
		tests = append(tests, test{"archived name " + bad, nil, entryNamed(bad), fault.Damaged, "not the one"})
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			path := locked1(t, keys.open.Recipient(), hostile(t, keys, c.change, c.archive))
			_, _, err := all(path, keys, "")
			if fault.KindOf(err) != c.kind || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v (%s), want %q (%s)", err, fault.KindOf(err), c.want, c.kind)
			}
		})
	}
	if _, got, err := all(locked1(t, keys.open.Recipient(), hostile(t, keys, nil, nil)), keys, ""); err != nil || len(got) != 3 {
		t.Errorf("unchanged it opens: %v", err)
	}
}

// A million entries are seen by the archive's end, before its directory is read.
func TestMillionEntries(t *testing.T) {
	keys := newKeys(t)
	content := hostile(t, keys, nil, func(e []entry) []entry {
		empty := plain("x", nil)
		for range 1_000_000 {
			e = append(e, empty)
		}
		return e
	})
	path := locked1(t, keys.open.Recipient(), content)
	before := testing.AllocsPerRun(1, func() {
		if _, _, err := all(path, keys, ""); fault.KindOf(err) != fault.Damaged || !strings.Contains(err.Error(), "entries are signed") {
			t.Errorf("%v", err)
		}
	})
	if before > 10_000 {
		t.Errorf("%v allocations: the directory was read", before)
	}
}

// Whatever byte is changed, wherever the file is cut: it is refused, or what comes out is what went in.
func TestEveryByteFlippedAndCut(t *testing.T) {
	keys := newKeys(t)
	whole, err := os.ReadFile(locked1(t, keys.open.Recipient(), hostile(t, keys, nil, nil)))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "b.plumb")
	try := func(what string, at int, b []byte, mayHold bool) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		_, got, err := all(path, keys, "")
		if err == nil {
			for _, name := range names[:3] {
				if !mayHold || !bytes.Equal(got[name], contents()[name]) {
					t.Fatalf("%s at byte %d went unseen", what, at)
				}
			}
			return
		}
		switch fault.KindOf(err) {
		case fault.Damaged, fault.Invalid, fault.Refused:
		default:
			t.Errorf("%s at byte %d: %v", what, at, err)
		}
	}
	for i := range whole {
		b := bytes.Clone(whole)
		b[i] ^= 1 << (i % 8)
		try("a flip", i, b, true)
	}
	for i := 0; i < len(whole); i += 1 + len(whole)/500 {
		try("a cut", i, whole[:i], false)
	}
	try("more", len(whole), append(bytes.Clone(whole), 0), false)
}

// The same below the lock, for whoever knows the passphrase: manifest and signature bear no change, and no file comes out changed.
func TestEveryByteOfTheContentFlipped(t *testing.T) {
	keys := newKeys(t)
	content := hostile(t, keys, nil, nil)
	signedEnd := bytes.Index(content, []byte(signatureName)) + len(signatureName) + ed25519.PublicKeySize + ed25519.SignatureSize
	signedBegin := bytes.Index(content, []byte("{"))
	for i := range content {
		b := bytes.Clone(content)
		b[i] ^= 1 << (i % 8)
		opened, err := openArchive(bytes.NewReader(b), int64(len(b)))
		if err == nil {
			err = opened.Each(func(f File, data []byte) error {
				if !bytes.Equal(data, contents()[f.Name]) {
					t.Fatalf("a flip of byte %d came through in %s", i, f.Name)
				}
				return nil
			})
		}
		header := i >= signedEnd-110-len(signatureName)-14 && i < signedEnd-96 // of the signature's entry: dates that nobody reads
		if err == nil && i >= signedBegin && i < signedEnd && !header {
			t.Fatalf("a flip of byte %d of manifest or signature went unseen", i)
		}
	}
}

func TestNoOverwriteByHalf(t *testing.T) {
	keys := newKeys(t)
	path := made(t, keys, Lock{Recipients: []string{keys.Recipient()}})
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWriter(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add("a", []byte("x")); err != nil {
		t.Fatal(err)
	}
	for _, lock := range []Lock{{}, {Passphrase: "short"}, {Recipients: []string{"age1none"}}, {Passphrase: "long enough it is", Recipients: []string{keys.Recipient()}}} {
		if _, err := w.Finish(path, manifest(), keys, lock); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%+v: %v", lock, err)
		}
	}
	if err := w.spool.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Finish(path, manifest(), keys, Lock{Recipients: []string{keys.Recipient()}}); err == nil {
		t.Error("its files are gone")
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file before is there no more: %v", err)
	}
	for _, bad := range []string{"", "../x", "a"} {
		if err := w.Add(bad, nil); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestKeys(t *testing.T) {
	keys := newKeys(t)
	b, err := json.Marshal(keys)
	if err != nil {
		t.Fatal(err)
	}
	var again Keys
	if err := json.Unmarshal(b, &again); err != nil || again.Public() != keys.Public() || again.Recipient() != keys.Recipient() {
		t.Errorf("keys came back changed: %v", err)
	}
	if f := Fingerprint(keys.Public()); len(f) != 29 || f == Fingerprint(newKeys(t).Public()) {
		t.Errorf("fingerprint %q", f)
	}
	if len(keys.sign) != ed25519.PrivateKeySize || strings.Contains(string(b), keys.Public()) {
		t.Errorf("the file of keys holds secrets only: %s", b[:20])
	}
	for _, bad := range []string{`{}`, `{"schema":"plumbline/keys/1","sign":"AA=="}`, `{"schema":"plumbline/keys/2"}`, `[]`} {
		if err := json.Unmarshal([]byte(bad), &again); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

func FuzzArchive(f *testing.F) {
	keys := newKeys(f)
	f.Add(hostile(f, keys, nil, nil))
	f.Add(hostile(f, keys, func(m *Manifest) { m.Files[0].Name = "../x" }, nil))
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, b []byte) {
		opened, err := openArchive(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		_ = opened.Each(func(f File, data []byte) error {
			if nameFault(f.Name) != "" || f.Digest != review.DigestOf(data) {
				t.Errorf("%s came through", f.Name)
			}
			return nil
		})
	})
}

func FuzzOpen(f *testing.F) {
	keys := newKeys(f)
	whole, err := os.ReadFile(locked1(f, keys.open.Recipient(), hostile(f, keys, nil, nil)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(intro + "-> X25519 x\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if content, size, err := unlock(bytes.NewReader(b), int64(len(b)), keys, ""); err == nil {
			_, _ = openArchive(content, size)
		}
	})
}

func FuzzManifest(f *testing.F) {
	keys := newKeys(f)
	m := manifest()
	m.Schema, m.Key = Schema, keys.Public()
	b, err := json.Marshal(m)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"schema":"plumbline/bundle/9"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := restoreManifest(b, keys.sign.Public().(ed25519.PublicKey))
		if err != nil {
			return
		}
		if wrong := m.check(); wrong != nil {
			t.Error(wrong)
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := restoreManifest(again, keys.sign.Public().(ed25519.PublicKey)); err != nil {
			t.Errorf("what was read cannot be read again: %v", err)
		}
	})
}
