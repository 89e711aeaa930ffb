package export_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plumbline/backend/export"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Every format: the manifest names each file with its size and hash and nothing else lies there; what came in is what went out or is named in
// the side list; no data are passed on without their licence.
func TestEveryFormatIsWhole(t *testing.T) {
	image := caseOf("c3", "p3") // a picture alone
	image.Questions, image.Truth = nil, nil
	text := caseOf("c4", "p4") // words alone
	text.Images, text.Stacks = nil, nil
	cases := []*export.Case{whole("c1", "p1"), whole("c2", "p2"), image, text}
	cases[0].Group, cases[1].Group = "g", "g"
	for _, f := range export.Formats() {
		t.Run(f.Name, func(t *testing.T) {
			src := sourceOf(cases...)
			src.Info.Licence = review.Licence{Name: "research only", Credentialed: true}
			dir := filepath.Join(t.TempDir(), "out")
			d, err := export.Write(t.Context(), dir, f.Name, withDICOM(t, src), export.Options{Seed: 1}, review.Quiet)
			if err != nil {
				t.Fatal(err)
			}
			checkManifest(t, d)
			left := 0
			for _, s := range d.Side {
				left += s.N
			}
			if d.In != d.Out+left || d.Out == 0 || f.Name != "imrmc" && d.In != len(cases) {
				t.Errorf("%d in, %d out, %d left", d.In, d.Out, left)
			}
			if f.Split && (d.Split == nil || !d.Leakage.Checked || len(d.Split.Parts) != 2) {
				t.Errorf("a format for training without a split: %+v", d.Split)
			}
			if warned := strings.Join(d.Warnings, " "); !strings.Contains(warned, "research only") || !strings.Contains(warned, "credentialed") {
				t.Errorf("%s", warned)
			}
			again, err := export.Write(t.Context(), filepath.Join(t.TempDir(), "out"), f.Name, withDICOM(t, src), export.Options{Seed: 1}, review.Quiet)
			if err != nil {
				t.Fatal(err)
			}
			for i := range d.Files {
				if d.Files[i] != again.Files[i] {
					t.Errorf("written again, %s differs", d.Files[i].Path)
				}
			}
		})
	}
}

// checkManifest checks the manifest against what lies in the folder.
func checkManifest(t *testing.T, d export.Done) {
	t.Helper()
	var m export.Manifest
	if err := json.Unmarshal(load(t, d, export.ManifestFile), &m); err != nil || m.Schema != export.ManifestSchema {
		t.Fatalf("%v: %+v", err, m)
	}
	named := map[string]bool{export.ManifestFile: true, export.SignatureFile: m.Format == "federation"}
	for _, f := range m.Files {
		named[f.Path] = true
		b := load(t, d, f.Path)
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != f.SHA256 || int64(len(b)) != f.Bytes {
			t.Errorf("%s is not what the manifest says", f.Path)
		}
		if strings.HasSuffix(f.Path, ".jsonl") && bytes.Count(b, []byte("\n")) != f.Rows {
			t.Errorf("%s: %d rows said", f.Path, f.Rows)
		}
	}
	err := fs.WalkDir(os.DirFS(d.Dir), ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !named[path] {
			t.Errorf("%s is not in the manifest", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// An export takes the place of an earlier one and of nothing else; a failure leaves what was there, and nothing beside it.
func TestPlace(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "out")
	src := sourceOf(whole("c1", "p1"))
	for range 2 {
		if _, err := export.Write(t.Context(), dir, "csv", src, everything, review.Quiet); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := export.Write(t.Context(), dir, "nothing", src, everything, review.Quiet); fault.KindOf(err) != fault.Usage {
		t.Errorf("%v", err)
	}
	failing := src
	failing.Each = func(_ context.Context, fn func(*export.Case) error) error {
		return errors.Join(fn(whole("c2", "p2")), fault.New(fault.Damaged, "load", "c3", "it broke"))
	}
	if _, err := export.Write(t.Context(), dir, "csv", failing, export.Options{}, review.Quiet); fault.KindOf(err) != fault.Damaged {
		t.Errorf("%v", err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "cases.csv")); err != nil || !strings.Contains(string(b), "c1,") || strings.Contains(string(b), "c2,") {
		t.Errorf("the export before is not whole: %v", err)
	}
	if found, err := os.ReadDir(home); err != nil || len(found) != 1 {
		t.Errorf("something half written lies there: %v, %v", found, err)
	}
	other := filepath.Join(home, "other")
	if err := os.MkdirAll(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "thesis.doc"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := export.Write(t.Context(), other, "csv", src, everything, review.Quiet)
	mustBe(t, err, fault.Refused, "no export")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = export.Write(cancelled, dir, "csv", src, everything, review.Quiet)
	mustBe(t, err, fault.Cancelled, "")
}

// No case at all: said in words, and no folder is made.
func TestEmptyStudy(t *testing.T) {
	for _, f := range export.Formats() {
		if f.Name == "imrmc" {
			continue // its scores come from the report
		}
		dir := filepath.Join(t.TempDir(), "out")
		_, err := export.Write(t.Context(), dir, f.Name, sourceOf(), export.Options{}, review.Quiet)
		mustBe(t, err, fault.NotFound, "there is no case")
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: a folder was made", f.Name)
		}
	}
}

// What somebody put into the folder of an export is never deleted; what a program that was killed left beside it is set right.
func TestPlaceOfOthers(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "out")
	src := sourceOf(whole("c1", "p1"))
	again := func() error {
		_, err := export.Write(t.Context(), dir, "csv", src, everything, review.Quiet)
		return err
	}
	if err := again(); err != nil {
		t.Fatal(err)
	}
	notes := filepath.Join(dir, "notes", "mine.txt")
	if err := errors.Join(os.MkdirAll(filepath.Dir(notes), 0o755), os.WriteFile(notes, []byte("mine"), 0o600)); err != nil {
		t.Fatal(err)
	}
	mustBe(t, again(), fault.Refused, filepath.Join("notes", "mine.txt")+" is none of its files")
	if _, err := os.Stat(notes); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Dir(notes)); err != nil {
		t.Fatal(err)
	}
	// Killed after the earlier export made place and before the new one took it, where the two could not be exchanged at once.
	half := filepath.Join(home, ".out.plumb-1")
	if err := errors.Join(os.Rename(dir, half+"-before"), os.Mkdir(half, 0o755)); err != nil {
		t.Fatal(err)
	}
	failing := src
	failing.Each = func(context.Context, func(*export.Case) error) error {
		return fault.New(fault.Damaged, "load", "c3", "it broke")
	}
	if _, err := export.Write(t.Context(), dir, "csv", failing, export.Options{}, review.Quiet); fault.KindOf(err) != fault.Damaged {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "cases.csv")); err != nil || !strings.Contains(string(b), "c1,") {
		t.Errorf("the export before is not back: %v", err)
	}
	if _, err := os.Stat(half); err != nil {
		t.Errorf("what may be another's export under way is gone: %v", err)
	}
	long := time.Now().Add(-2 * time.Hour)
	if err := errors.Join(os.Chtimes(half, long, long), again()); err != nil {
		t.Fatal(err)
	}
	if found, err := os.ReadDir(home); err != nil || len(found) != 1 {
		t.Errorf("%v, %v", found, err)
	}
}
