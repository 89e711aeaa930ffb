package dataset_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"plumbline/backend/dataset"
	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// pack makes a zip archive: names and contents in turn; a name that begins with = is stored and not deflated.
func pack(t testing.TB, parts ...any) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		name, stored := strings.CutPrefix(parts[i].(string), "=")
		method := zip.Deflate
		if stored {
			method = zip.Store
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = w.Write(parts[i+1].([]byte))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// told is a problem of a whole file.
func told(file, text string) want { return want{File: file, Text: text} }

// samplesOf decodes every frame of a set, in order.
func samplesOf(t testing.TB, s *dataset.Set) (out []byte) {
	t.Helper()
	for _, id := range s.IDs() {
		c, err := s.Case(id)
		if err != nil {
			t.Fatal(err)
		}
		stacks, _, err := s.Stacks(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		for n := range stacks[0].Frames {
			_, samples, err := s.Samples(context.Background(), id, c.Images[0].ID, n)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, samples.Data...)
		}
	}
	return out
}

func TestAnArchiveIsReadLikeAFolder(t *testing.T) {
	plain, packed := t.TempDir(), t.TempDir()
	parts := []any{"README.txt", []byte("read me"), ".hidden", []byte("x"), "=pictures/a.png", picture(t, 1), "inner.zip", []byte("PK")}
	put(t, plain, "pictures/a.png", picture(t, 1))
	for n := range 5 {
		b := slice(t, "P", "one", n, 3)
		put(t, plain, fmt.Sprintf("s/%d", 9-n), b)
		parts = append(parts, fmt.Sprintf("s/%d", 9-n), b)
	}
	put(t, packed, "study.zip", pack(t, parts...))
	want, _ := open(t, plain, nil)
	for name, path := range map[string]string{"inside a folder": packed, "alone": filepath.Join(packed, "study.zip")} {
		t.Run(name, func(t *testing.T) {
			ix := newIndex(t)
			got, problems, steps := work(t, path, ix)
			expect(t, problems)
			if got.Counts().Cases != 2 || got.Counts().Frames != 6 || got.Counts().Skipped != 2 || steps == 0 {
				t.Errorf("counts %+v", got.Counts())
			}
			if !bytes.Equal(samplesOf(t, got), samplesOf(t, want)) {
				t.Error("the samples differ from those of the folder")
			}
			if again, _, steps := work(t, path, ix); steps != 0 || !bytes.Equal(samplesOf(t, again), samplesOf(t, want)) {
				t.Errorf("the second opening worked: %d", steps)
			}
		})
	}
	files, err := os.ReadDir(packed)
	if err != nil || len(files) != 1 {
		t.Errorf("something was unpacked: %v, %v", files, err)
	}
}

func TestWhatAnArchiveMayNotDo(t *testing.T) {
	dir := t.TempDir()
	good := picture(t, 1)
	var whole bytes.Buffer
	z := zip.NewWriter(&whole)
	raw := func(h zip.FileHeader, data []byte) {
		w, err := z.CreateRaw(&h)
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	raw(zip.FileHeader{Name: "good.png", Method: zip.Store, CompressedSize64: uint64(len(good)), UncompressedSize64: uint64(len(good))}, good)
	raw(zip.FileHeader{Name: "../../up.png"}, nil)
	raw(zip.FileHeader{Name: "/etc/abs.png"}, nil)
	raw(zip.FileHeader{Name: `back\slash.png`}, nil)
	raw(zip.FileHeader{Name: "secret.dcm", Flags: 1}, nil)
	raw(zip.FileHeader{Name: "other.png", Method: 93}, nil)
	raw(zip.FileHeader{Name: "big.png", Method: zip.Deflate, CompressedSize64: 3, UncompressedSize64: 5 << 30}, []byte{1, 2, 3})
	raw(zip.FileHeader{Name: "bomb.png", Method: zip.Deflate, CompressedSize64: 3, UncompressedSize64: 1 << 20}, []byte{1, 2, 3})
	raw(zip.FileHeader{Name: "rot.dcm", Method: zip.Deflate, CompressedSize64: 3, UncompressedSize64: 300}, []byte{255, 255, 255})
	link := zip.FileHeader{Name: "link.png"}
	link.SetMode(os.ModeSymlink | 0o777)
	raw(link, nil)
	raw(zip.FileHeader{Name: "good.png"}, nil)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "a.zip", whole.Bytes())
	put(t, dir, "cut.zip", pack(t, "x.png", good)[:40])
	put(t, dir, "empty.zip", pack(t))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, problems := open(t, dir, nil)
	runtime.ReadMemStats(&after)
	if s.Counts().Images != 1 || after.TotalAlloc-before.TotalAlloc > 32<<20 {
		t.Errorf("counts %+v, %d MiB", s.Counts(), (after.TotalAlloc-before.TotalAlloc)>>20)
	}
	expect(t, problems,
		told("a.zip/../../up.png", "leaves the archive"), told("a.zip/back_slash.png", "no path"),
		told("a.zip/big.png", "5120 MiB"), told("a.zip/bomb.png", "more than so few bytes"),
		told("a.zip/etc/abs.png", "leaves the archive"), told("a.zip/good.png (again)", "twice"),
		told("a.zip/link.png", "neither a file"), told("a.zip/other.png", "method 93"),
		told("a.zip/rot.dcm", "damaged"), told("a.zip/secret.dcm", "encrypted"),
		told("cut.zip", "zip archive is damaged"), told("empty.zip", "empty archive"))
	if _, _, err := dataset.Open(context.Background(), filepath.Join(dir, "cut.zip"), nil, review.Quiet); fault.KindOf(err) != fault.Damaged {
		t.Errorf("a cut archive gave %v", err)
	}
}

func TestAChangedArchiveIsReadAgain(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.zip", pack(t, "a.png", picture(t, 1)))
	ix := newIndex(t)
	first, _ := open(t, dir, ix)
	one := samplesOf(t, first)
	put(t, dir, "a.zip", pack(t, "b.png", picture(t, 2), "x", []byte("y")))
	second, _ := open(t, dir, ix)
	if bytes.Equal(one, samplesOf(t, second)) || len(second.IDs()) != 1 {
		t.Error("the changed archive shows the old picture")
	}
	_, _, err := first.Samples(context.Background(), first.IDs()[0], "1", 0)
	if err == nil {
		return // from the cache
	}
	if fault.KindOf(err) != fault.NotFound {
		t.Errorf("a picture that is gone gave %v", err)
	}
}

func TestAnArchiveIsAnImageOfACase(t *testing.T) {
	dir := own(t, 1)
	c := sheet(1)
	c.Images[0] = review.Image{ID: "i", Path: "images/one.zip", Kind: review.Volume}
	put(t, dir, "cases.jsonl", jsonl(t, c))
	put(t, dir, "images/one.zip", pack(t, "1", slice(t, "P", "s", 1, 1), "2", slice(t, "P", "s", 2, 1)))
	s, problems := open(t, dir, nil)
	expect(t, problems)
	if s.Counts().Frames != 2 {
		t.Errorf("counts %+v", s.Counts())
	}
}

// directoryFile makes a DICOMDIR that lists files.
func directoryFile(t testing.TB, files ...string) []byte {
	t.Helper()
	var items [][]dcm.WriteTag
	for _, f := range files {
		items = append(items, []dcm.WriteTag{{Tag: 0x00041430, VR: "CS", Value: "IMAGE"}, {Tag: 0x00041500, VR: "CS", Value: f}})
	}
	var b bytes.Buffer
	err := dcm.Write(&b, dcm.WriteImage{SOPClass: "1.2.840.10008.1.3.10", InstanceUID: dcm.UID("directory"),
		Tags: []dcm.WriteTag{{Tag: 0x00041220, VR: "SQ", Items: items}}})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes() // with its own SOP class in the data set, which a DICOMDIR has not: it does no harm
}

func TestDICOMDIRSaysWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "DICOMDIR", directoryFile(t, `IMAGES\IM1`, `IMAGES\IM2`, `IMAGES\IM3`, `..\..\up`))
	put(t, dir, "images/im1", slice(t, "P", "s", 1, 1))    // in small letters, as some systems show discs
	put(t, dir, "images/IM2.;1", slice(t, "P", "s", 2, 1)) // with a version
	put(t, dir, "more/unlisted.dcm", slice(t, "P", "other", 1, 1))
	missing := []want{told("DICOMDIR", `lists IMAGES/IM3, which is not there`), told("DICOMDIR", `lists ../../up, which is not there`)}
	s, problems := open(t, dir, nil)
	expect(t, problems, missing...)
	if s.Counts().Frames != 3 {
		t.Errorf("the folder has %+v", s.Counts())
	}
	ix := newIndex(t)
	s, problems, _ = work(t, filepath.Join(dir, "DICOMDIR"), ix)
	expect(t, problems, missing...)
	if s.Counts().Frames != 2 {
		t.Errorf("the DICOMDIR alone has %+v", s.Counts())
	}
	if _, _, steps := work(t, filepath.Join(dir, "DICOMDIR"), ix); steps != 0 {
		t.Error("the second opening worked")
	}
	put(t, dir, "IMAGES/IM3", slice(t, "P", "s", 3, 1))
	if s, problems, _ = work(t, filepath.Join(dir, "DICOMDIR"), ix); s.Counts().Frames != 3 {
		t.Errorf("the file that came is not seen: %+v, %v", s.Counts(), problems)
	}
}

// FuzzArchive bends archives: whatever they hold, Open answers and every frame that is named decodes or fails.
func FuzzArchive(f *testing.F) {
	f.Add(pack(f, "a.png", picture(f, 1), "=b.png", picture(f, 2)))
	f.Add(pack(f, "DICOMDIR", directoryFile(f, `A\B`), "../x", []byte("y")))
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		put(t, dir, "a.zip", b)
		s, _, err := dataset.Open(context.Background(), filepath.Join(dir, "a.zip"), nil, review.Quiet)
		if err != nil {
			return
		}
		for _, id := range s.IDs() {
			if _, _, err := s.Stacks(context.Background(), id); err != nil {
				t.Fatal(err)
			}
			if _, _, err := s.Samples(context.Background(), id, "1", 0); fault.KindOf(err) == fault.Internal {
				t.Fatal(err)
			}
		}
	})
}
